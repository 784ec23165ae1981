"""For those who wait: what takes longer than a moment is said once on standard error."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from chainlist.run.simulate import PREPARING, Progress

MOMENT = 1.0  # s: what takes longer is announced


@contextmanager
def announced() -> Iterator[Progress]:
    """A progress that says when kernels are compiled, and nothing else."""
    timers: list[threading.Timer] = []

    def tell(part: float, what: str) -> None:
        while timers:
            timers.pop().cancel()
        if what == PREPARING:
            timers.append(threading.Timer(MOMENT, sys.stderr.write, [f"chainlist: {PREPARING} …\n"]))
            timers[-1].daemon = True
            timers[-1].start()

    try:
        yield tell
    finally:
        for timer in timers:
            timer.cancel()
