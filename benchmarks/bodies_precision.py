"""Work for precision with rigid bodies: the least CPU time to an end that is right to 1e-8, each program with its best method.

Swept and judged as in `precision.py`. References are computed in other coordinates: `arm_truth.py`, `crank.py`. Where no other
program is done within its patience, the ratio is what it is at least.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks import arm_truth, crank
from benchmarks.exudyn_rods import JointedRods
from benchmarks.exudyn_tree import TreeArm
from benchmarks.mujoco_rods import JointArm
from benchmarks.precision import PATIENCE, TOLERANCES, Attempt, Tip, cheapest, our_attempts, their_attempts
from benchmarks.report import Goal, Line, Unavailable
from benchmarks.rods import Arm, plane, robot, space
from benchmarks.timing import best_seconds

TITLE = "rigid bodies: CPU time to an end that is right to 1e-8, each program with its best method; judged: motion"
OURS = ("RK4", "DOPRI5", "DOP853")
GOAL = Goal(3.0, at_least=True)


@dataclass(frozen=True)
class Entry:
    """One way to follow a machine."""

    program: str
    method: str
    attempts: Callable[[], Iterator[Attempt]]  # raises Unavailable where the program is not installed


@dataclass(frozen=True)
class Race:
    """A machine, where its end belongs after `stop` seconds, and who takes part."""

    title: str
    stop: float
    truth: Tip
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Finish:
    """What came of one entry: seconds of motion (inf: not reached) and of the whole call."""

    program: str
    method: str
    motion: float
    whole: float
    setting: str


def races() -> list[Race]:
    """A chain in the plane, one in space, a robot arm, a closed loop.

    The chain in space is followed for as long as two hinges can stand for a ball joint, the arm until its motion is chaotic.
    """
    return [_of_arm(plane(16), 2.0), _of_arm(space(16), 1.0), _of_arm(robot(), 1.0), _of_crank(2.0)]


def _ours(text: str, stop: float, point: str) -> list[Entry]:
    import chainlist

    source = chainlist.parse(text)
    tip = chainlist.simulate(source, tran=(0.0, 1e-3, 1e-3)).bodies.index(point)

    def entry(method: str) -> Entry:
        return Entry("chainlist", method, lambda: our_attempts(source, method, stop, tip))

    return [entry(method) for method in OURS]


def _of_arm(arm: Arm, stop: float) -> Race:
    def mujoco() -> Iterator[Attempt]:
        joints = JointArm(arm)
        return their_attempts(joints.run, lambda states: _cut(joints.tip(states), arm), stop)

    def tree(method: str) -> Callable[[], Iterator[Attempt]]:
        return lambda: their_attempts(TreeArm(arm, method).run, lambda end: _cut(end, arm), stop)

    entries = [
        *_ours(arm.text, stop, f"B{len(arm.rods)}"),
        Entry("MuJoCo", "joints, RK4", mujoco),
        Entry("Exudyn", "kinematic tree, RK44", tree("RK44")),
        Entry("Exudyn", "kinematic tree, RK67", tree("RK67")),
        Entry("Exudyn", "kinematic tree, DOPRI5", lambda: _tolerances(arm, stop)),
    ]
    if len(arm.rods[0].stop) == 2:

        def jointed() -> Iterator[Attempt]:
            return their_attempts(JointedRods(arm, "GeneralizedAlpha").run, lambda end: _cut(end, arm), stop)

        entries.append(Entry("Exudyn", "bodies and joints, GeneralizedAlpha", jointed))
    return Race(arm.title, stop, arm_truth.tip(arm, stop), tuple(entries))


def _cut(place: Any, arm: Arm) -> Tip:
    return tuple(float(x) for x in place[: len(arm.rods[-1].stop)])


def _tolerances(arm: Arm, stop: float) -> Iterator[Attempt]:
    adaptive = TreeArm(arm, "DOPRI5")
    for tolerance in TOLERANCES:

        def attempt(repeats: int, tolerance: float = tolerance) -> tuple[float, float, Tip]:
            ends: list[Any] = []
            taken = best_seconds(lambda: ends.append(adaptive.adapt(tolerance, stop)), repeats)
            return taken, taken, _cut(ends[-1], arm)

        yield f"reltol {tolerance:.1e}", attempt


def _of_crank(stop: float) -> Race:
    def exudyn(method: str) -> Entry:
        name = f"bodies and joints, {method}"
        return Entry("Exudyn", name, lambda: their_attempts(crank.ExudynCrank(method).run, tuple, stop))

    entries = (
        *_ours(crank.text(), stop, "B1"),
        Entry("MuJoCo", "joints and a connection, RK4", lambda: their_attempts(crank.MujocoCrank().run, tuple, stop)),
        exudyn("GeneralizedAlpha"),
        exudyn("TrapezoidalIndex2"),
    )
    return Race(crank.TITLE, stop, crank.tip(stop), entries)


def finishes(race: Race) -> list[Finish]:
    found = []
    for entry in race.entries:
        try:
            motion, whole, setting = cheapest(entry.attempts(), race.truth)
        except Unavailable as reason:
            motion, whole, setting = math.nan, math.nan, str(reason)
        found.append(Finish(entry.program, entry.method, motion, whole, setting))
    return found


def best_of(found: list[Finish], program: str) -> Finish | None:
    """The quickest that reached the end; None where none of this program ran at all."""
    ran = [finish for finish in found if finish.program == program and not math.isnan(finish.motion)]
    return min(ran, key=lambda finish: finish.motion, default=None)


def times_less(found: list[Finish]) -> float | None:
    """The best of others over ours, at least; None where no other ran."""
    others = [finish.motion for finish in found if finish.program != "chainlist" and not math.isnan(finish.motion)]
    ours = best_of(found, "chainlist")
    assert ours is not None
    return min(*others, PATIENCE) / ours.motion if others else None


def run() -> list[Line]:
    lines = []
    for race in races():
        found = finishes(race)
        ours, ratio = best_of(found, "chainlist"), times_less(found)
        for finish in found:
            figures: dict[str, float | str] = {
                "motion [ms]": finish.motion * 1e3,
                "whole call [ms]": finish.whole * 1e3,
            }
            figures["setting"] = finish.setting
            judged = finish is ours and ratio is not None
            what = f"{race.title}, {race.stop:g} s: {finish.program}, {finish.method}"
            lines.append(Line(what, figures, ratio if judged else None, GOAL if judged else None))
    return lines
