"""K: a spring between two points, or at an angle.

K1 B1 (0,0) 20 L0=0.5 DAMP=0.1
K2 B1 B2 {5*(DIST(B1,B2)-1)**3}
K3 ANGLE(B1,B2,B3) 2 A0=90deg
K4 ANGLE(R1,R2) 2
"""

from __future__ import annotations

import math
from dataclasses import replace

from chainlist.elements.base import Card, ElementType, Law, Native, Parts, Placed, Reading, register
from chainlist.elements.turning import check_turning, read_axis, read_turning, turn_of
from chainlist.formula import Constant, End, Formula, Point, Quantity, function
from chainlist.kernels.bundles import Acting, ForceTable
from chainlist.kernels.slots import DIM


def read(card: Card) -> Reading:
    if card.peek_call() == "angle":
        return _read_angle(card)
    first, second = card.end(), card.end()
    if not isinstance(first, str) and not isinstance(second, str):
        card.refuse("a spring between two anchors moves nothing", help="give one end a body")
    elif first == second:
        card.refuse(f"a spring from {first} to itself has no length", help="give it two different ends")
    stiffness = card.expression("motion")
    if not isinstance(stiffness, Constant):
        for key in ("L0", "DAMP"):
            if card.named(key) is not None:
                card.refuse(
                    f"a spring by expression has no {key}", help="put all that it pulls with into the expression"
                )
        return Reading((first, second), formulas=(stiffness,), form="expression")
    rest = card.named("L0", "length")
    damping = card.named("DAMP")
    _check(card, stiffness.value, damping)
    if rest is not None and rest < 0:
        card.refuse(f"L0 must not be negative, not {rest:g}", help="leave L0 out to take it from the positions")
    return Reading((first, second), (stiffness.value, rest, damping))


def _read_angle(card: Card) -> Reading:
    if card.links_inside():
        with card.inside("ANGLE"):
            turned, _ = read_turning(card)
        axis = read_axis(card)
        stiffness, rest, damping = card.number(), card.named("A0", "angle"), card.named("DAMP")
        _check(card, stiffness, damping)
        check_turning(card, turned, axis)
        return Reading(axis, (stiffness, rest, damping), form="turn", of=turned)
    ends = card.points_of("ANGLE", 2, 3)
    if len(ends) == 2 and card.dimension == 3:
        card.refuse("in space an angle is between two arms", help="write ANGLE(B1,B2,B3): the angle at B2")
    elif len(set(ends)) < len(ends):
        card.refuse("an angle needs different points", help="write ANGLE(B1,B2,B3): the angle at B2")
    stiffness, rest, damping = card.number(), card.named("A0", "angle"), card.named("DAMP")
    _check(card, stiffness, damping)
    if rest is not None and card.dimension == 3 and not 0.0 <= rest <= math.pi:
        card.refuse(f"in space an angle is from 0 to pi, and A0 is {rest:g}", help="write A0=90deg")
    return Reading(ends, (stiffness, rest, damping), form="angle")


def _check(card: Card, stiffness: float, damping: float | None) -> None:
    if stiffness < 0:
        card.refuse(
            f"a spring of {stiffness:g} would push the more the longer it is", help="write a positive stiffness"
        )
    if damping is not None and damping < 0:
        card.refuse(f"DAMP must not be negative, not {damping:g}", help="a damper takes energy out")


def carried(reading: Reading, rotation: tuple[Point, ...], shift: Point, handed: float) -> Reading:
    """An angle at rest turns with the submachine: against the x axis it does, between two arms only a mirror changes it."""
    stiffness, rest, damping = (*reading.values, None, None, None)[:3]
    if reading.form not in ("angle", "turn") or rest is None:
        return reading
    if reading.form == "angle" and len(shift) == 3:
        return reading  # between two arms in space an angle has no sign
    alone = len(reading.ends) == 2 if reading.form == "angle" else len(reading.of) == 1 and not reading.ends
    turned = math.atan2(rotation[1][0], rotation[0][0]) if alone else 0.0
    return replace(reading, values=(stiffness, turned + handed * rest, damping))


def parts(placed: Placed) -> Parts:
    if placed.form == "expression":
        return Parts(forces=(Law(Quantity("DIST", placed.ends), placed.formulas[0], sign=-1.0),))
    stiffness, rest, damping = placed.values
    assert stiffness is not None
    if placed.form == "turn":
        turn = turn_of(placed)
        turned = function("turn", *turn.beyond(turn.start if rest is None else rest))
        laws = (Law(turned, stiffness=stiffness),)
        return Parts(forces=laws + ((Law(turned, damping=damping),) if damping else ()), gives="J/rad")
    if placed.form == "angle":
        turned = _from_rest(placed, _angle(placed.points) if rest is None else rest)
        laws = (Law(turned, stiffness=stiffness),)
        return Parts(forces=laws + ((Law(turned, damping=damping),) if damping else ()), gives="J/rad")
    length = math.dist(*placed.points) if rest is None else rest
    spring = Native("K", placed.ends, (stiffness, length))
    return Parts(forces=(spring, Native("D", placed.ends, (damping,))) if damping else (spring,))


def _from_rest(placed: Placed, rest: float) -> Formula:
    """The angle from where it is at rest: it begins between −π and π, on whichever turn the angle itself is."""
    if len(placed.points[0]) == 3:
        return Quantity("ANGLE", placed.ends) - rest
    d = _arrow(placed, 0, 1)
    sine, cosine = d[1], d[0]
    if len(placed.ends) == 3:
        d, e = _arrow(placed, 1, 0), _arrow(placed, 1, 2)
        sine, cosine = d[0] * e[1] - d[1] * e[0], d[0] * e[0] + d[1] * e[1]
    s, c = math.sin(rest), math.cos(rest)
    return function("turn", sine * c - cosine * s, cosine * c + sine * s)


def _arrow(placed: Placed, first: int, second: int) -> list[Formula]:
    one, two = placed.ends[first], placed.ends[second]
    return [Quantity(axis, (two,)) - Quantity(axis, (one,)) for axis in "XY"]


def _angle(points: tuple[Point, ...]) -> float:
    """Of the arrow from the first point to the second, or at the middle one of three."""
    if len(points) == 2:
        (x, y), (u, v) = points
        return math.atan2(v - y, u - x)
    if len(points[0]) == 3:
        return _between(*points)
    (a, b), (x, y), (c, d) = points
    return math.atan2((a - x) * (d - y) - (b - y) * (c - x), (a - x) * (c - x) + (b - y) * (d - y))


def by_formula(ends: tuple[End, ...], parameters: tuple[float, ...]) -> Parts:
    return Parts(forces=(Law(Quantity("DIST", ends), stiffness=parameters[0], rest=parameters[1]),))


def _between(first: Point, middle: Point, third: Point) -> float:
    """In space: from 0 to π."""
    a, b = ([x - y for x, y in zip(end, middle, strict=True)] for end in (first, third))
    cross = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    return math.atan2(math.hypot(*cross), sum(x * y for x, y in zip(a, b, strict=True)))


def force(k, s: ForceTable, w: Acting, t, q, v):  # type: ignore[no-untyped-def]
    # pulls with k (d − l); two points in one place have no direction, and no force
    i, j = s.point[k, 0], s.point[k, 1]
    squares = 0.0
    for c in range(DIM):
        d = q[j, c] - q[i, c]
        w.F[k, c] = d
        squares += d * d
    length = math.sqrt(squares)
    f = s.par[k, 0] * (length - s.par[k, 1]) / length if length > 0.0 else 0.0
    for c in range(DIM):
        w.F[k, c] *= f
        w.F[k, DIM + c] = -w.F[k, c]


def energy(k, s: ForceTable, t, q):  # type: ignore[no-untyped-def]
    i, j = s.point[k, 0], s.point[k, 1]
    squares = 0.0
    for c in range(DIM):
        d = q[j, c] - q[i, c]
        squares += d * d
    stretch = math.sqrt(squares) - s.par[k, 1]
    return 0.5 * s.par[k, 0] * stretch * stretch


register(
    ElementType(
        letter="K",
        name="spring",
        syntax="K<name> <point> <point> <k> [L0=<l>] [DAMP=<c>] | ANGLE(<point>,<point>,<point>) <k> [A0=<a>] [DAMP=<c>]",
        meaning="pulls with k·(d−l) + c·(rate of d); with an expression it pulls with that",
        read=read,
        parts=parts,
        carried=carried,
        force=force,
        by_formula=by_formula,
        energy=energy,
        soft=lambda parameters: (parameters[0], 0.0),
        picture="spring",
        count=("spring", "springs"),
    )
)
