"""The program under test, through its public face only."""

from __future__ import annotations

import dataclasses
import gc
import math
import time
from typing import Any

from benchmarks.mechanisms import Mechanism


def read(mechanism: Mechanism) -> Any:
    """The checked mechanism, so that reading the text is not timed with the motion."""
    import chainlist

    return chainlist.parse(mechanism.text)


def with_settings(source: Any, tran: tuple[float, float, float], **options: Any) -> Any:
    """The mechanism with other times and options, without reading its text again."""
    from chainlist.model.mechanism import Transient

    changed = dataclasses.replace(source.options, **options)
    return dataclasses.replace(source, transient=Transient(*tran), options=changed)


class Stopwatch:
    """A progress callback that takes the CPU time of the motion itself: from the first "running" to "done".

    What comes before (arrays, elimination order, loading kernels) and after (the report) is paid once per run, as
    building a model is for other simulators.
    """

    def __init__(self) -> None:
        self.begun = self.ended = math.nan

    def __call__(self, part: float, what: str) -> None:
        if what == "running" and math.isnan(self.begun):
            self.begun = time.process_time()
        elif what == "done":
            self.ended = time.process_time()

    @property
    def seconds(self) -> float:
        return self.ended - self.begun


def timed(source: Any, repeats: int) -> tuple[float, Any]:
    """The best CPU time of the motion, and the trajectory."""
    import chainlist

    best, trajectory = math.inf, None
    for _ in range(repeats):
        watch = Stopwatch()
        gc.collect()
        trajectory = chainlist.simulate(source, progress=watch)
        best = min(best, watch.seconds)
    return best, trajectory


def march(
    source: Any, steps: int, h: float, repeats: int = 3, every: int | None = None, **options: Any
) -> tuple[float, Any]:
    """CPU seconds of one of `steps` fixed steps, and the trajectory.

    A sample is kept after `every` steps (None: the first and the last state only).
    """
    stop = round(steps * h, 12)
    save = stop if every is None else round(every * h, 12)
    seconds, trajectory = timed(with_settings(source, (0.0, stop, h), save=save, **options), repeats)
    return seconds / steps, trajectory
