"""A progress bar with the time left, and Ctrl-C as a wish instead of an accident."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from chainlist.app.terminal import console, is_terminal, say

_MOMENT = 1.0  # s: what takes longer is announced


@contextmanager
def progress_bar(title: str, *, quiet: bool) -> Iterator[Callable[[float, str], None]]:
    """A function `tell(part, what)` that moves a bar on the terminal; elsewhere a line says what takes long. Or quiet."""
    if quiet:
        yield lambda part, what: None
        return
    if not is_terminal():
        with _lines(title) as tell:
            yield tell
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console(), transient=True) as bar:
        task = bar.add_task(title, total=1.0)
        yield lambda part, what: bar.update(task, completed=part, description=f"{title}: {what}")


@contextmanager
def _lines(title: str) -> Iterator[Callable[[float, str], None]]:
    """For a log: one line for each kind of work that takes longer than a moment."""
    said: set[str] = set()
    doing = ""
    timer: threading.Timer | None = None

    def announce(what: str) -> None:
        said.add(what)
        say(f"{title}: {what} …")

    def tell(part: float, what: str) -> None:
        nonlocal doing, timer
        if what == doing:
            return
        doing = what
        if timer is not None:
            timer.cancel()
        if what in said:
            return
        timer = threading.Timer(_MOMENT, announce, [what])
        timer.daemon = True
        timer.start()

    try:
        yield tell
    finally:
        if timer is not None:
            timer.cancel()


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
