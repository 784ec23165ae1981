"""A progress bar with the time left, and Ctrl-C as a wish instead of an accident."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from chainlist.app.terminal import console


@contextmanager
def progress_bar(title: str, *, quiet: bool) -> Iterator[Callable[[float, str], None]]:
    """A function `tell(part, what)` that moves a bar on the terminal; elsewhere, and if quiet, it does nothing."""
    out = console()
    if quiet or not out.is_terminal:
        yield lambda part, what: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=out, transient=True) as bar:
        task = bar.add_task(title, total=1.0)
        yield lambda part, what: bar.update(task, completed=part, description=f"{title}: {what}")


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Inside, the first Ctrl-C only makes the returned function true; the second interrupts as ever."""
    asked = False
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        signal.signal(signal.SIGINT, previous)

    previous = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, previous)
