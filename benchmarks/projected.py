"""What the projection after every step costs: PROJECTED against INDEX1, both with RK4."""

from __future__ import annotations

from benchmarks import ours
from benchmarks.mechanisms import chain
from benchmarks.report import Goal, Line
from benchmarks.timing import in_turns

TITLE = "an RK4 step with PROJECTED, against INDEX1 (chains whose links turn at random, h = 1e-3)"
LINKS = (2, 16, 128, 1024)


def run() -> list[Line]:
    lines = []
    for links in LINKS:
        source = ours.read(chain(links, turning=True))
        steps = max(200, 200_000 // links)
        plain, projected = in_turns(
            lambda source=source, steps=steps: ours.march(source, steps, 1e-3, daesystem="INDEX1")[0],
            lambda source=source, steps=steps: ours.march(source, steps, 1e-3, daesystem="PROJECTED")[0],
        )
        figures = {"PROJECTED [µs]": projected * 1e6, "INDEX1 [µs]": plain * 1e6}
        lines.append(Line(f"{links} links", figures, projected / plain, Goal(1.45)))
    return lines
