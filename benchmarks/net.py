"""A closed net of links: loops make the factor fill in, which a chain never does."""

from __future__ import annotations

from benchmarks import ours
from benchmarks.mechanisms import net
from benchmarks.report import Goal, Line

TITLE = "a net of 30 × 30 points hung from two corners (1740 links), an RK4 step with the defaults"


def run() -> list[Line]:
    source = ours.read(net(30))
    here = ours.step_seconds(source, 200, 1e-3, repeats=3)
    return [Line("30 × 30", {"ours [ms]": here * 1e3}, here * 1e3, Goal(5.0))]
