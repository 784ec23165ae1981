"""D: a damper between two points, at an angle, or of a body against rest.

D1 B1 B2 0.5
D2 ANGLE(B1,B2,B3) 0.1
D3 B1 0.2
D4 R1 0.1
D5 ANGLE(R1,R2) 0.1
"""

from __future__ import annotations

from chainlist.elements.base import Card, ElementType, Law, Native, Parts, Placed, Reading, Refused, kind_of, register
from chainlist.elements.turning import check_turning, read_axis, read_turning, turn_of
from chainlist.formula import End, Quantity, function
from chainlist.kernels.bundles import Acting, ForceTable
from chainlist.kernels.slots import DIM


def read(card: Card) -> Reading:
    if card.peek_call() == "angle" and card.links_inside():
        with card.inside("ANGLE"):
            turned, _ = read_turning(card)
        return _turning(card, turned, read_axis(card))
    name = card.peek_name()
    if name is not None and (kind := kind_of(name)) is not None and (kind.rigid or kind.is_link):
        return _turning(card, *read_turning(card))
    if card.peek_call() == "angle":
        ends = card.points_of("ANGLE", 2, 3)
        if len(ends) == 2 and card.dimension == 3:
            card.refuse("in space an angle is between two arms", help="write ANGLE(B1,B2,B3): the angle at B2")
        elif len(set(ends)) < len(ends):
            card.refuse("an angle needs different points", help="write ANGLE(B1,B2,B3): the angle at B2")
        return Reading(ends, (_damping(card),), form="angle")
    first = card.end()
    if not card.at_end():
        if not isinstance(first, str):
            card.refuse("a damper of one end is of a body, against rest", help=f"write {card.name} B1 0.2")
        return Reading((first,), (_damping(card),), form="rest")
    second = card.end()
    if not isinstance(first, str) and not isinstance(second, str):
        card.refuse("a damper between two anchors slows nothing", help="give one end a body")
    elif first == second:
        card.refuse(f"a damper from {first} to itself slows nothing", help="give it two different ends")
    return Reading((first, second), (_damping(card),))


def _turning(card: Card, turned: tuple[str, ...], axis: tuple[End, ...]) -> Reading:
    damping = _damping(card)
    check_turning(card, turned, axis)
    return Reading(axis, (damping,), form="turn", of=turned)


def _damping(card: Card) -> float:
    damping = card.number()
    if damping < 0:
        card.refuse(f"a damper of {damping:g} would put energy in", help="write a positive number")
    return damping


def parts(placed: Placed) -> Parts:
    damping = placed.values[0] or 0.0
    if placed.form == "turn":
        if not placed.arms and not placed.ends:
            return Parts(forces=_against_rest(placed, damping), gives="J/rad")
        turn = turn_of(placed)
        return Parts(forces=(Law(function("turn", turn.sine, turn.cosine), damping=damping),), gives="J/rad")
    if placed.form == "angle":
        return Parts(forces=(Law(Quantity("ANGLE", placed.ends), damping=damping),), gives="J/rad")
    if placed.form == "rest":
        axes = "XYZ"[: len(placed.points[0])]
        return Parts(forces=tuple(Law(Quantity(axis, placed.ends), damping=damping) for axis in axes))
    return Parts(forces=(Native("D", placed.ends, (damping,)),))


def _against_rest(placed: Placed, damping: float) -> tuple[Law, ...]:
    """In space a couple −c ω: Σ |d a/dt|² over three axes of length 1 is 2 |ω|²."""
    (body,) = placed.bodies
    if len(body.lengths) < 3:
        raise Refused(
            "a thin body does not tell how it turns about itself", help="give it CG= and J=, or write AXIS(P,P)"
        )
    laws = []
    for axis, length in zip(body.axes, body.lengths, strict=True):
        laws += [Law(Quantity(name, (axis,)), damping=0.5 * damping / length**2) for name in "XYZ"]
    return tuple(laws)


def by_formula(ends: tuple[End, ...], parameters: tuple[float, ...]) -> Parts:
    return Parts(forces=(Law(Quantity("DIST", ends), damping=parameters[0]),))


def force(k, s: ForceTable, w: Acting, t, q, v):  # type: ignore[no-untyped-def]
    # −c times the rate of the distance, along the line
    i, j = s.point[k, 0], s.point[k, 1]
    squares = 0.0
    along = 0.0
    for c in range(DIM):
        d = q[j, c] - q[i, c]
        w.F[k, c] = d
        squares += d * d
        along += d * (v[j, c] - v[i, c])
    f = s.par[k, 0] * along / squares if squares > 0.0 else 0.0
    for c in range(DIM):
        w.F[k, c] *= f
        w.F[k, DIM + c] = -w.F[k, c]


register(
    ElementType(
        letter="D",
        name="damper",
        syntax="D<name> <point> <point> <c> | D<name> <body> <c> | D<name> ANGLE(<point>,<point>,<point>) <c>",
        meaning="−c times the rate of the distance, of the angle, or against rest the velocity",
        read=read,
        parts=parts,
        force=force,
        by_formula=by_formula,
        soft=lambda parameters: (0.0, parameters[0]),
        picture="damper",
        count=("damper", "dampers"),
    )
)
