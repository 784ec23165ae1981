"""The right-hand side of INDEX1: one evaluation of all accelerations, against the same algorithm in C."""

from __future__ import annotations

import math

from benchmarks import ours
from benchmarks.floor import floor_step
from benchmarks.mechanisms import chain
from benchmarks.report import Goal, Line

TITLE = "one right-hand side of a chain (a quarter of an RK4 step, INDEX1), against C"
LINKS = (2, 16, 128, 1024, 16384)
H = 1e-5


def run() -> list[Line]:
    lines = []
    for links in LINKS:
        mechanism = chain(links)
        steps = max(16, 800_000 // links)
        in_c, tip_in_c = floor_step(mechanism, steps, H)
        source = ours.read(mechanism)
        here = ours.step_seconds(source, steps, H, daesystem="INDEX1", integrator="RK4")
        tip = ours.march(source, steps, H, daesystem="INDEX1", integrator="RK4").q[-1, -1]
        figures = {
            "ours [ns]": here / 4 * 1e9,
            "C [ns]": in_c / 4 * 1e9,
            "tips differ by [m]": math.dist(tip, tip_in_c),
        }
        lines.append(Line(f"{links} links", figures, here / in_c, Goal(1.5)))
    return lines
