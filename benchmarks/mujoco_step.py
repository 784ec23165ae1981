"""One step with the defaults against one step of MuJoCo: RK4 both, every state kept by both."""

from __future__ import annotations

import math

from benchmarks import ours
from benchmarks.mechanisms import Mechanism, chain, double_pendulum
from benchmarks.mujoco_chain import HingeChain, require
from benchmarks.report import Goal, Line
from benchmarks.timing import in_turns, seconds_per_step

TITLE = "an RK4 step with the defaults, against MuJoCo's rollout of a hinge chain with its RK4 (h = 1e-3)"
H = 1e-3


def run() -> list[Line]:
    require()
    return [against_mujoco(double_pendulum(), 20_000, 10.0), against_mujoco(chain(16), 8_000, 5.0)]


def against_mujoco(mechanism: Mechanism, steps: int, factor: float) -> Line:
    theirs = HingeChain.of(mechanism)
    source = ours.read(mechanism)
    in_mujoco, here = in_turns(
        lambda: seconds_per_step(lambda count: theirs.run(count, H), steps, 3),
        lambda: ours.march(source, steps, H, every=1)[0],
    )
    gap = math.dist(ours.march(source, 2000, H, 1)[1].q[-1, -1], theirs.tip(theirs.run(2000, H)))
    figures = {"ours [µs]": here * 1e6, "MuJoCo [µs]": in_mujoco * 1e6, "tips differ at 2 s by [m]": gap}
    wrong = "" if gap < 1e-8 else "the motions differ"
    return Line(mechanism.title, figures, in_mujoco / here, Goal(factor, at_least=True), wrong)
