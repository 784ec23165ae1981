"""What a repeated `simulate` of a small mechanism costs beyond its motion."""

from __future__ import annotations

import time

from benchmarks.report import Goal, Line
from chainlist.compile.read import parse
from chainlist.run.simulate import simulate

TITLE = "a repeated simulate of the double pendulum, 1 s in steps of 1 ms: CPU time beyond the march"
TEXT = "* Double pendulum\nB1 (0,-1) 1\nB2 (1,-1) 1\nC1 B1 (0,0)\nC2 B2 B1\n.tran 0 1 1E-3\n.plot Etotal\n"


def run() -> list[Line]:
    mechanism = parse(TEXT)
    simulate(mechanism)
    whole, motion = [], []
    for _ in range(500):  # the best of many: the first hundred are slower
        begun = time.process_time()
        trajectory = simulate(mechanism)
        whole.append(time.process_time() - begun)
        assert trajectory.report is not None
        motion.append(trajectory.report.seconds_run)
    beyond = min(whole) - min(motion)
    return [
        Line(
            "double pendulum",
            {"simulate [ms]": min(whole) * 1e3, "march [ms]": min(motion) * 1e3},
            beyond * 1e3,
            Goal(1.0),
        )
    ]
