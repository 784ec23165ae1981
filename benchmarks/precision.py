"""Work for precision: the least CPU time in which the tip is right to 1e-8 at t = 2.

Timed is the motion: of ours what `simulate` takes from its first step to its last, of MuJoCo's the call of `rollout` on
a model that was built before; the whole call of `simulate`, with its preparation and its report, is shown beside it.
Both are swept over steps or tolerances, from coarse to fine. The ratio compares motion with motion.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks import ours
from benchmarks.mechanisms import Mechanism, chain, double_pendulum
from benchmarks.mujoco_chain import HingeChain
from benchmarks.report import Goal, Line, Unavailable
from benchmarks.timing import best_seconds

TITLE = "CPU time to a tip error of 1e-8 at t = 2, the best step or tolerance of each method; judged: motion"
STOP, WANTED = 2.0, 1e-8
FIXED = ("EULER", "MIDPOINT", "HEUN", "SSPRK3", "RK4", "RATTLE", "RATTLE4")
ADAPTIVE = ("DOPRI5", "DOP853")
IN_A_ROW = 4
STEPS = [round(40 * 1.25**k) for k in range(41)]  # from 40 to 300,000
TOLERANCES = [10 ** (-4 - k / 4) for k in range(33)]  # 1e-4 to 1e-12

PATIENCE = 1.0  # s, a motion that takes longer is not waited for

Tip = tuple[float, ...]
Attempt = tuple[str, Callable[[int], tuple[float, float, Tip]]]  # setting; repeats -> seconds of motion, of all, tip


def cheapest(attempts: Iterator[Attempt], truth: Tip) -> tuple[float, float, str]:
    """Seconds of motion and of the whole call, and the setting, of the coarsest attempt that is good enough.

    It must not be so by luck: an error can pass through zero. The next finer settings must be good enough as well.
    """
    good: list[Attempt] = []
    for setting, attempt in attempts:
        taken, _, tip = attempt(1)
        good = [*good, (setting, attempt)] if math.dist(tip, truth) <= WANTED else []
        if len(good) == IN_A_ROW:
            first, run_first = good[0]
            motion, whole, _ = run_first(9)
            return motion, whole, first
        if taken > PATIENCE:
            return math.inf, math.inf, f"not within {PATIENCE:g} s"
    return math.inf, math.inf, "not reached"


def our_attempts(source: Any, integrator: str, stop: float = STOP, tip: int = -1) -> Iterator[Attempt]:
    """`tip` is the number of the point that is judged."""
    if integrator in ADAPTIVE:
        for tolerance in TOLERANCES:
            options = {"integrator": integrator, "reltol": tolerance, "abstol": tolerance * 1e-3, "save": stop}
            yield f"reltol {tolerance:.1e}", _ours(ours.with_settings(source, (0.0, stop, stop), **options), tip)
    else:
        for steps in STEPS:
            run = ours.with_settings(source, (0.0, stop, stop / steps), integrator=integrator, save=stop)
            yield f"h = {stop / steps:.2g}", _ours(run, tip)


def _ours(source: Any, tip: int) -> Callable[[int], tuple[float, float, Tip]]:
    def attempt(repeats: int) -> tuple[float, float, Tip]:
        import chainlist

        motion, trajectory = ours.timed(source, repeats)
        whole = best_seconds(lambda: chainlist.simulate(source), repeats) if repeats > 1 else math.nan
        return motion, whole, tuple(float(x) for x in trajectory.q[-1, tip])

    return attempt


def their_attempts(
    run: Callable[[int, float], Any], tip: Callable[[Any], Tip], stop: float = STOP
) -> Iterator[Attempt]:
    """Of a simulator that takes (steps, h); `tip` finds the place in what it returns."""
    for steps in STEPS:

        def attempt(repeats: int, steps: int = steps) -> tuple[float, float, Tip]:
            ends: list[Any] = []
            taken = best_seconds(lambda: ends.append(run(steps, stop / steps)), repeats)
            return taken, taken, tip(ends[-1])

        yield f"h = {stop / steps:.2g}", attempt


def run() -> list[Line]:
    return [
        *race(double_pendulum(), "double_pendulum"),
        *race(chain(16), "chain_16"),
    ]


def race(mechanism: Mechanism, name: str) -> list[Line]:
    """One line per method, MuJoCo first; the best of ours is the one that is judged."""
    from tests.references.problems import PROBLEMS

    x, y = PROBLEMS[name].states([STOP])[0, -1]
    source = ours.read(mechanism)
    found = {method: cheapest(our_attempts(source, method), (x, y)) for method in (*FIXED, *ADAPTIVE)}
    best = min(found, key=lambda method: found[method][0])
    try:
        hinges = HingeChain.of(mechanism)
        theirs = cheapest(their_attempts(hinges.run, hinges.tip), (x, y))
    except Unavailable as reason:
        theirs = (math.nan, math.nan, str(reason))
    lines = []
    for method, (motion, whole, setting) in {"MuJoCo RK4": theirs, **found}.items():
        figures = {"motion [ms]": motion * 1e3, "whole call [ms]": whole * 1e3, "setting": setting}
        judged = method == best and not math.isnan(theirs[0])
        ratio, goal = (theirs[0] / motion, Goal(10.0, at_least=True)) if judged else (None, None)
        lines.append(Line(f"{mechanism.title}: {method}", figures, ratio, goal))
    return lines
