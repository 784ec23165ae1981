"""CPU time of this process, the best of several runs: what a busy machine disturbs least.

What is compared is timed in turns, so that both sides see the same moods of the machine.
"""

from __future__ import annotations

import gc
import math
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
    """What one more step costs: `run(n)` takes n steps, and what a call costs besides its steps cancels out."""
    few = max(1, steps // 4)
    run(few)
    short, long = [], []
    for _ in range(repeats):
        for count, times in ((few, short), (steps, long)):
            gc.collect()
            begun = time.process_time()
            run(count)
            times.append(time.process_time() - begun)
    gained = min(long) - min(short)
    return gained / (steps - few) if gained > 0 else math.nan  # too few steps to see anything


def in_turns(first: Callable[[], float], second: Callable[[], float], rounds: int = 3) -> tuple[float, float]:
    """The best of each of two timings."""
    pairs = [(first(), second()) for _ in range(rounds)]
    return min(a for a, _ in pairs), min(b for _, b in pairs)
