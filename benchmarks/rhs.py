"""The right-hand side of INDEX1: one evaluation of all accelerations, against the same algorithm in C."""

from __future__ import annotations

import math

from benchmarks import ours
from benchmarks.floor import floor_step
from benchmarks.mechanisms import chain
from benchmarks.report import Goal, Line
from benchmarks.timing import in_turns

TITLE = "one right-hand side of a chain (a quarter of an RK4 step, INDEX1), against C"
LINKS = (2, 16, 128, 1024, 16384)
H = 1e-5
SETTINGS = {"daesystem": "INDEX1", "integrator": "RK4"}


def run() -> list[Line]:
    return [against_c(links) for links in LINKS]


def against_c(links: int) -> Line:
    mechanism = chain(links)
    steps = max(64, 800_000 // links)
    repeats = 3 if links < 4096 else 1
    source = ours.read(mechanism)
    in_c, here = in_turns(
        lambda: floor_step(mechanism, steps, H)[0],
        lambda: ours.march(source, steps, H, repeats, **SETTINGS)[0],
    )
    tip = ours.march(source, steps, H, 1, **SETTINGS)[1].q[-1, -1]
    gap = math.dist(tip, floor_step(mechanism, steps, H, 1)[1])
    figures = {"ours [ns]": here / 4 * 1e9, "C [ns]": in_c / 4 * 1e9, "tips differ by [m]": gap}
    wrong = "" if gap < 1e-9 else "the motions differ"
    return Line(f"{links} links", figures, here / in_c, Goal(1.5), wrong)
