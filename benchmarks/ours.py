"""The program under test, through its public face only."""

from __future__ import annotations

from typing import Any

from benchmarks.mechanisms import Mechanism
from benchmarks.timing import seconds_per_step


def read(mechanism: Mechanism) -> Any:
    """The checked mechanism, so that reading the text is not timed with the motion."""
    import chainlist

    return chainlist.parse(mechanism.text)


def march(source: Any, steps: int, h: float, every: int | None = None, **settings: Any) -> Any:
    """Take `steps` fixed steps and keep a sample after `every` of them (None: the first and the last state only)."""
    import chainlist

    stop = round(steps * h, 12)
    save = stop if every is None else round(every * h, 12)
    return chainlist.simulate(source, tran=(0.0, stop, h), save=save, **settings)


def step_seconds(source: Any, steps: int, h: float, repeats: int = 5, **settings: Any) -> float:
    """CPU time of one step of a fixed-step integrator; what a run costs besides its steps cancels out."""
    return seconds_per_step(lambda count: march(source, count, h, **settings), steps, repeats)
