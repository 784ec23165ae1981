"""What a session shows, whoever draws it: a page in a browser, or a test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Progress:
    """How a run stands. `place` is 0 while it is computed, else its place in the queue."""

    place: int
    fraction: float = 0.0
    left: float | None = None  # s
    text: str = ""


class Screen(Protocol):
    """What a session shows."""

    def show_reading(self, reading: dict[str, Any]) -> None: ...
    def show_preview(self, url: str, *, version: int, run_follows: bool) -> None: ...
    def follow(self, url: str, *, version: int, live: bool, asked: bool) -> None: ...
    def follow_pull(self, url: str) -> None: ...
    def let_go(self) -> None: ...
    def show_progress(self, progress: Progress | None) -> None: ...
    def show_end(self, ending: str, message: str) -> None: ...
