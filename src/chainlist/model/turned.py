"""How things turn in expressions of the plane: ANGLE and OMEGA of a link or a body, and of one body against another."""

from __future__ import annotations

from collections.abc import Sequence

from chainlist.elements.base import is_rigid
from chainlist.formula import End, Formula, Quantity

_OF_ONE = "use positions and velocities of its points: VX(B1), DIST(B1,B2)"
_OF_TWO = {
    "ANGLE": "use points of both: ANGLE(B1,B2,B3), DIST(B1,B3); a spring about their hinge is K1 ANGLE(R1,R2) AXIS(B1,B2) 5",
    "OMEGA": "use velocities of their points: VX(B1); a damper about their hinge is D1 ANGLE(R1,R2) AXIS(B1,B2) 0.5",
}


def instead_in_space(item: Quantity) -> str:
    """What to write in space, where ANGLE(R1) and ANGLE(R1,R2) are no numbers."""
    return _OF_TWO[item.function] if len(item.arguments) == 2 else _OF_ONE


def of_two_bodies(item: Quantity) -> bool:
    """Whether this is asked of two rigid bodies, one against the other: centres of mass are no ends of an arrow then."""
    return len(item.arguments) == 2 and all(isinstance(name, str) and is_rigid(name) for name in item.arguments)


def turned(function: str, arms: Sequence[tuple[End, ...]]) -> Formula:
    """ANGLE or OMEGA of one arrow, or of the first of two against the second, as springs and dampers count it.

    Two arrows are the axes of rigid bodies, which start in the origin: their angle is the one there, from the second to the first.
    """
    if len(arms) == 1:
        return Quantity(function, arms[0])
    (origin, first), (_, second) = arms
    if function == "ANGLE":
        return Quantity("ANGLE", (second, origin, first))
    return Quantity("OMEGA", (origin, first)) - Quantity("OMEGA", (origin, second))
