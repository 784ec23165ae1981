"""How a task of a worker speaks and is spoken to while it works."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from chainlist.app.workbench import wire
from chainlist.app.workbench.wire import Message

ONE_HOUR = 3600.0  # s: the time of a task whose request does not say
REPORT_INTERVAL = 0.05  # s between progress messages


class RequestRefused(Exception):
    """A request that cannot be served; the text is for the user."""


class Talk:
    """How a task speaks while it works: progress, data, and whether it should stop."""

    def __init__(self, out: BinaryIO, seconds: float, preparing: float = 0.0) -> None:
        self._out = out
        self._cancelled = threading.Event()
        self._seconds = seconds
        self._begin = time.monotonic()
        self._deadline = self._begin + preparing + seconds
        self._next_report = 0.0
        self._news: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()

    def hear(self, news: dict[str, Any]) -> None:
        """What the user does while the task works."""
        self._news.put(news)

    def heard(self) -> Iterator[dict[str, Any]]:
        """All news since the last look."""
        while not self._news.empty():
            yield self._news.get()

    def cancel(self) -> None:
        self._cancelled.set()

    @property
    def was_cancelled(self) -> bool:
        return self._cancelled.is_set()

    @property
    def out_of_time(self) -> bool:
        return time.monotonic() > self._deadline

    def should_stop(self) -> bool:
        """To be asked at least every 0.2 s of work."""
        return self.was_cancelled or self.out_of_time

    def start_clock(self) -> None:
        """The preparations are over: from here on the time of work counts."""
        self._begin = time.monotonic()
        self._deadline = self._begin + self._seconds
        self.send("clock", {})

    def send(self, kind: str, data: dict[str, Any], blob: bytes = b"") -> None:
        wire.write(self._out, Message(kind, data, blob))

    def progress(self, fraction: float, text: str = "") -> None:
        """How far the work is, from 0 to 1; said at most every `REPORT_INTERVAL`."""
        now = time.monotonic()
        if now < self._next_report:
            return
        self._next_report = now + REPORT_INTERVAL
        elapsed = now - self._begin
        left = elapsed * (1 - fraction) / fraction if fraction > 0 and elapsed > 0.5 else None
        self.send("progress", {"fraction": fraction, "elapsed": elapsed, "left": left, "text": text})


Task = Callable[[dict[str, Any], Talk], tuple[dict[str, Any], bytes]]
