"""Rigid bodies: a step against MuJoCo's in joint coordinates and Exudyn's implicit one, and how the cost grows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import bricard as rings
from benchmarks import ours
from benchmarks.exudyn_rods import JointedRods
from benchmarks.mujoco_rods import JointArm
from benchmarks.report import Goal, Line, Unavailable
from benchmarks.rods import Arm, plane, robot, space
from benchmarks.timing import best_seconds, in_turns, seconds_per_step

TITLE = "an RK4 step of rigid bodies with the defaults, as a part of another simulator's (h = 1e-3); growth: per body"
H = 1e-3
SHORT = 100  # steps after which the tips are compared


def run() -> list[Line]:
    lines = []
    for arm, steps in ((plane(16), 4000), (plane(128), 800), (space(16), 2000), (robot(), 4000)):
        lines += against_others(arm, steps)
    return lines + bricard() + growth()


def against_others(arm: Arm, steps: int) -> list[Line]:
    tip = f"B{len(arm.rods)}"
    lines = [_against(arm.title, arm.text, tip, steps, "MuJoCo, RK4", lambda: JointArm(arm), 1.0, 1e-8)]
    if arm.is_plane:  # of the second order: it differs by its own error
        name = "Exudyn, TrapezoidalIndex2"
        lines.append(_against(arm.title, arm.text, tip, steps, name, lambda: JointedRods(arm), 1 / 3, 1e-5))
    return lines


def bricard() -> list[Line]:
    """A ring: MuJoCo closes it softly, and differs by that."""
    title, text, tip = rings.TITLE, rings.TEXT, rings.TIP
    return [
        _against(title, text, tip, 2000, "MuJoCo, RK4", rings.MujocoBricard, 1.0, 1e-6),
        _against(title, text, tip, 200, "Exudyn, GeneralizedAlpha", rings.ExudynBricard, 1 / 3, 1e-5),
    ]


def _against(
    title: str, text: str, tip: str, steps: int, name: str, kind: Callable[[], Any], limit: float, apart: float
) -> Line:
    import chainlist

    source = chainlist.parse(text)
    try:
        other = kind()
    except Unavailable as reason:
        seconds = ours.march(source, steps, H, every=1)[0]
        return Line(f"{title}, {name}", {"ours [µs]": seconds * 1e6, "theirs [µs]": str(reason)})
    theirs, here = in_turns(
        lambda: seconds_per_step(lambda count: other.run(count, H), steps, 3),
        lambda: ours.march(source, steps, H, every=1)[0],
    )
    motion = ours.march(source, SHORT, H, 1)[1]
    place = motion.q[-1, motion.bodies.index(tip)]
    found = other.run(SHORT, H)
    found = other.tip(found) if isinstance(other, JointArm) else found
    gap = float(np.linalg.norm(place - found[: len(place)]))
    figures = {"ours [µs]": here * 1e6, "theirs [µs]": theirs * 1e6, f"tips differ at {SHORT * H:g} s by [m]": gap}
    wrong = "" if gap < apart else "the motions differ"
    return Line(f"{title}, {name}", figures, here / theirs, Goal(limit), wrong)


def growth() -> list[Line]:
    """Reading, preparing and stepping of long chains in the plane, per body: in proportion to their number."""
    import chainlist

    lines: list[Line] = []
    first: dict[str, float] = {}
    for count in (100, 1_000, 10_000):
        text = plane(count).text
        source = chainlist.parse(text)
        costs = {"read and check": best_seconds(lambda text=text: chainlist.parse(text), 2) / count}
        costs["prepare"] = _prepared(source) / count
        costs["step"] = ours.march(source, max(20, 200_000 // count), 1e-5, 2)[0] / count
        first = first or costs
        for what, cost in costs.items():
            figures: dict[str, float | str] = {"per body [µs]": cost * 1e6}
            lines.append(Line(f"{count} rods: {what}", figures, cost / first[what], Goal(1.5)))
    return lines


def _prepared(source: Any) -> float:
    """Seconds from a mechanism to its arrays, which it keeps: a copy of it has none."""
    from chainlist.compile.system import assemble

    return best_seconds(lambda: assemble(ours.with_settings(source, (0.0, 1.0, 1e-3))), 2)
