"""How the cost per link and step grows with the length of a chain, against the growth of the C program."""

from __future__ import annotations

import math

from benchmarks import ours
from benchmarks.floor import floor_step
from benchmarks.mechanisms import chain
from benchmarks.report import Goal, Line
from benchmarks.timing import in_turns

TITLE = "cost per link of an RK4 step with the defaults, relative to 64 links, against C's own growth"
LINKS = (64, 256, 1024, 4096, 16384)
H = 1e-5


def run() -> list[Line]:
    lines = []
    first_here = first_in_c = 0.0
    for links in LINKS:
        mechanism = chain(links)
        steps = max(64, 1_000_000 // links)
        repeats = 3 if links < 4096 else 1
        source = ours.read(mechanism)
        in_c, here = in_turns(
            lambda mechanism=mechanism, steps=steps: floor_step(mechanism, steps, H)[0],
            lambda source=source, steps=steps, repeats=repeats: ours.march(source, steps, H, repeats)[0],
        )
        in_c, here = in_c / links, here / links
        gap = math.dist(ours.march(source, 64, H, 1)[1].q[-1, -1], floor_step(mechanism, 64, H, 1)[1])
        wrong = "" if gap < 1e-9 else "the motions differ"
        if not first_here:
            first_here, first_in_c = here, in_c
        growth, growth_in_c = here / first_here, in_c / first_in_c
        figures = {
            "ours [ns per link]": here * 1e9,
            "C, INDEX1 [ns per link]": in_c * 1e9,
            "our growth": growth,
            "C's growth": growth_in_c,
        }
        lines.append(Line(f"{links} links", figures, growth / growth_in_c, Goal(1.3), wrong))
    return lines
