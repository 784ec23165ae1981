"""CPU time of this process, the best of several runs: what a busy machine disturbs least."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable


def best_seconds(run: Callable[[], object], repeats: int = 5) -> float:
    """The shortest CPU time of a call; a first call, not counted, warms everything up."""
    run()
    times = []
    for _ in range(repeats):
        gc.collect()
        begun = time.process_time()
        run()
        times.append(time.process_time() - begun)
    return min(times)


def seconds_per_step(run: Callable[[int], object], steps: int, repeats: int = 5) -> float:
    """What one more step costs: `run(n)` takes n steps, and what a call costs besides its steps cancels out.

    `steps` and a quarter of them are timed in turn, so that both see the same moods of the machine.
    """
    few = max(1, steps // 4)
    run(few)
    short, long = [], []
    for _ in range(repeats):
        for count, times in ((few, short), (steps, long)):
            gc.collect()
            begun = time.process_time()
            run(count)
            times.append(time.process_time() - begun)
    return (min(long) - min(short)) / (steps - few)
