"""A closed net of links: loops make the factor fill in, which a chain never does."""

from __future__ import annotations

import math

from benchmarks import ours
from benchmarks.floor import floor_step
from benchmarks.mechanisms import net
from benchmarks.report import Goal, Line, Unavailable

TITLE = "a net of 30 × 30 points hung from two corners (1740 links), an RK4 step with the defaults"


def run() -> list[Line]:
    mechanism = net(30)
    source = ours.read(mechanism)
    here, _ = ours.march(source, 200, 1e-3)
    figures: dict[str, float | str] = {"ours [ms]": here * 1e3}
    wrong = ""
    try:
        in_c, corner = floor_step(mechanism, 50, 1e-3, 1)
        gap = math.dist(ours.march(source, 50, 1e-3, 1)[1].q[-1, -1], corner)
        figures |= {"C, INDEX1, links in the order of the text [ms]": in_c * 1e3, "corners differ by [m]": gap}
        wrong = "" if gap < 1e-9 else "the motions differ"
    except Unavailable as reason:
        figures["C"] = str(reason)
    return [Line("30 × 30", figures, here * 1e3, Goal(5.0), wrong)]
