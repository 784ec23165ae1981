"""Work for precision: the least CPU time in which the tip is right to 1e-8 at t = 2.

Ours is the whole call of `simulate` on a mechanism that was read before; MuJoCo's is the call of `rollout` on a model
that was built before. Both are swept over steps or tolerances, and the cheapest run that is good enough counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks import ours
from benchmarks.mechanisms import chain, double_pendulum
from benchmarks.mujoco_chain import HingeChain
from benchmarks.report import Goal, Line, Unavailable
from benchmarks.timing import best_seconds

TITLE = "CPU time to a tip error of 1e-8 at t = 2, the best step or tolerance of each method"
STOP, WANTED = 2.0, 1e-8
FIXED = ("EULER", "MIDPOINT", "HEUN", "SSPRK3", "RK4", "RATTLE", "RATTLE4")
ADAPTIVE = ("DOPRI5", "DOP853")
STEPS = [round(40 * 1.25**k) for k in range(22)]  # 40 to 4300 steps: h from 0.05 to 0.0005
TOLERANCES = [10 ** (-4 - k / 4) for k in range(33)]  # 1e-4 to 1e-12

Attempt = tuple[str, Callable[[], tuple[float, float]]]  # how it was set, and a run that ends with the tip


def cheapest(attempts: Iterator[Attempt], truth: tuple[float, float]) -> tuple[float, str]:
    """Seconds and setting of the first attempt (they go from coarse to fine) whose error is small enough."""
    for setting, attempt in attempts:
        if math.dist(attempt(), truth) <= WANTED:
            return best_seconds(attempt, 7), setting
    return math.inf, "not reached"


def our_attempts(source: Any, integrator: str) -> Iterator[Attempt]:
    if integrator in ADAPTIVE:
        for tolerance in TOLERANCES:
            settings = {"integrator": integrator, "reltol": tolerance, "abstol": tolerance * 1e-3, "save": STOP}
            yield f"reltol {tolerance:.1e}", _tip_of(source, (0.0, STOP, STOP), settings)
    else:
        for steps in STEPS:
            h = STOP / steps
            yield f"h = {h:.2g}", _tip_of(source, (0.0, STOP, h), {"integrator": integrator, "save": STOP})


def _tip_of(
    source: Any, tran: tuple[float, float, float], settings: dict[str, Any]
) -> Callable[[], tuple[float, float]]:
    import chainlist

    def attempt() -> tuple[float, float]:
        x, y = chainlist.simulate(source, tran=tran, **settings).q[-1, -1]
        return float(x), float(y)

    return attempt


def mujoco_attempts(hinges: HingeChain) -> Iterator[Attempt]:
    for steps in STEPS:
        yield f"h = {STOP / steps:.2g}", lambda steps=steps: hinges.tip(hinges.run(steps, STOP / steps))


def run() -> list[Line]:
    from tests.references.problems import PROBLEMS

    lines = []
    for mechanism, name in ((double_pendulum(), "double_pendulum"), (chain(16), "chain_16")):
        truth = tuple(PROBLEMS[name].states([STOP])[0, -1])
        try:
            theirs, setting = cheapest(mujoco_attempts(HingeChain.of(mechanism)), truth)
            lines.append(Line(f"{mechanism.title}: MuJoCo RK4", {"ms": theirs * 1e3, "setting": setting}))
        except Unavailable as reason:
            theirs = math.nan
            lines.append(Line(f"{mechanism.title}: MuJoCo RK4", {"ms": math.nan, "setting": str(reason)}))
        source = ours.read(mechanism)
        found = {method: cheapest(our_attempts(source, method), truth) for method in (*FIXED, *ADAPTIVE)}
        best = min(found, key=lambda method: found[method][0])
        for method, (taken, setting) in found.items():
            judged = method == best and not math.isnan(theirs)
            ratio, goal = (theirs / taken, Goal(10.0, at_least=True)) if judged else (None, None)
            lines.append(Line(f"{mechanism.title}: {method}", {"ms": taken * 1e3, "setting": setting}, ratio, goal))
    return lines
