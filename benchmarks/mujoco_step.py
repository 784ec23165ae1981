"""One step with the defaults against one step of MuJoCo: RK4 both, every state kept by both."""

from __future__ import annotations

import math

from benchmarks import ours
from benchmarks.mechanisms import chain, double_pendulum
from benchmarks.mujoco_chain import HingeChain, require
from benchmarks.report import Goal, Line
from benchmarks.timing import seconds_per_step

TITLE = "an RK4 step with the defaults, against MuJoCo's rollout of a hinge chain with its RK4 (h = 1e-3)"
H = 1e-3


def run() -> list[Line]:
    require()
    lines = []
    for mechanism, steps, factor in ((double_pendulum(), 20_000, 10), (chain(16), 8_000, 5)):
        theirs = HingeChain.of(mechanism)
        source = ours.read(mechanism)
        in_mujoco = seconds_per_step(lambda n, theirs=theirs: theirs.run(n, H), steps)
        here = seconds_per_step(lambda n, source=source: ours.march(source, n, H, every=1), steps)
        gap = math.dist(ours.march(source, 2000, H).q[-1, -1], theirs.tip(theirs.run(2000, H)))
        figures = {"ours [µs]": here * 1e6, "MuJoCo [µs]": in_mujoco * 1e6, "tips differ at 2 s by [m]": gap}
        lines.append(Line(mechanism.title, figures, in_mujoco / here, Goal(factor, at_least=True)))
    return lines
