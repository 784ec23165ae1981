"""How one body turns against another, or against the ground: what motors, torques, springs and dampers at an angle share.

The angle is that of the arrow (cosine, sine), so that it goes on through full turns. In the plane it is that of a link, or of
the axis of a rigid body; in space it is the angle about AXIS(P,P), by vectors across the axis that are fixed in the bodies.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from chainlist.elements.base import Axes, Card, Placed, Refused, check_axis, kind_of
from chainlist.formula import Constant, End, Formula, Point, Quantity, function

PLACES, SPEEDS = ("X", "Y", "Z"), ("VX", "VY", "VZ")
THIN = 1e-9  # how far a direction may be off what a thin body can tell


@dataclass(frozen=True)
class Turn:
    sine: Formula
    cosine: Formula
    rate: Formula  # of the angle: linear in velocities
    start: float  # the angle at the start

    def beyond(self, angle: Formula | float) -> tuple[Formula, Formula]:
        """Sine and cosine of the angle less another one."""
        s, c = (function(name, angle) for name in ("sin", "cos"))
        if isinstance(angle, float):
            s, c = Constant(math.sin(angle)), Constant(math.cos(angle))
        return self.sine * c - self.cosine * s, self.cosine * c + self.sine * s


def read_turning(card: Card) -> tuple[tuple[str, ...], tuple[End, ...]]:
    """One or two links or rigid bodies, in space with AXIS(P,P)."""
    names = [card.link()]
    following = card.peek_name()
    if following is not None and (kind := kind_of(following)) is not None and (kind.is_link or kind.rigid):
        names.append(card.link())
    return tuple(names), read_axis(card)


def check_turning(card: Card, names: tuple[str, ...], axis: tuple[End, ...] = ()) -> None:
    """Once the whole card is read: two different ones, that can turn, and an axis that is one."""
    if axis and card.dimension == 2:
        card.refuse("in the plane everything turns about one axis", help="leave AXIS out")
    elif axis and axis[0] == axis[1]:
        card.refuse("an axis needs two different points", help="write AXIS(B1,B2): two points of the hinge")
    if len(set(names)) < len(names):
        card.refuse(f"{names[0]} cannot be turned against itself", help="name two links, or one")
    check_axis(card, names)


def read_axis(card: Card) -> tuple[End, ...]:
    return card.points_of("AXIS", 2) if card.peek_call() == "axis" else ()


def turn_of(placed: Placed) -> Turn:
    """Of the first element in `of` against the second, or against the ground."""
    if placed.arms:
        return _of_arms(placed)
    if not placed.ends:
        raise Refused("in space it needs an axis", help="write AXIS(B1,B2) behind the bodies: two points of the hinge")
    return _about_axis(placed)


def _of_arms(placed: Placed) -> Turn:
    (ax, ay), start = _arrow(placed.arms[0]), _direction(placed.arm_points[0])
    rate: Formula = Quantity("OMEGA", placed.arms[0])
    if len(placed.arms) == 1:
        return Turn(ay, ax, rate, start)
    bx, by = _arrow(placed.arms[1])
    rate = rate - Quantity("OMEGA", placed.arms[1])
    start -= _direction(placed.arm_points[1])
    return Turn(bx * ay - by * ax, bx * ax + by * ay, rate, start)


def _arrow(arm: tuple[End, End]) -> tuple[Formula, Formula]:
    first, second = arm
    x, y = (Quantity(axis, (second,)) - Quantity(axis, (first,)) for axis in "XY")
    return x, y


def _direction(points: tuple[Point, Point]) -> float:
    first, second = points
    return math.atan2(second[1] - first[1], second[0] - first[0])


def _about_axis(placed: Placed) -> Turn:
    axis = tuple(b - a for a, b in zip(*placed.points, strict=True))
    length = math.hypot(*axis)
    if placed.in_one_place(*placed.points):
        raise Refused("the two points of its axis stand in one place", help="move one of them: they give the direction")
    e = tuple(x / length for x in axis)
    _check_hinge(placed, e)
    first, second = placed.bodies[0], placed.bodies[1] if len(placed.bodies) > 1 else None
    if second is not None and len(second.lengths) < 2 <= len(first.lengths):
        return _turned(second, first, e, -1.0)  # the one that is turned needs one vector across the axis, the other two
    return _turned(first, second, e, 1.0)


def _check_hinge(placed: Placed, e: Point) -> None:
    """Two points of the axis must be points of both bodies, or anchors of the one: else nothing keeps the axis in them."""
    ends = [dict(zip(r.ends, p, strict=True)) for r, p in zip(placed.others, placed.other_points, strict=True)]
    shared = [p for end, p in ends[0].items() if (not isinstance(end, str) if len(ends) == 1 else end in ends[1])]
    on_axis = []
    for place in shared:
        away = tuple(a - b for a, b in zip(place, placed.points[0], strict=True))
        if math.hypot(*_without(away, e)) <= THIN * (1.0 + math.hypot(*away)):
            on_axis.append(_scalar(away, e))
    if not on_axis or max(on_axis) - min(on_axis) <= THIN:
        names = " and ".join(placed.of)
        what = f"is no hinge between {names}" if len(placed.of) > 1 else f"is no hinge of {names} on the ground"
        help = "let both bodies name two points of the axis, or one body two anchors on it"
        raise Refused(f"this axis {what}", help=help)


def _turned(body: Axes, against: Axes | None, e: Point, sign: float) -> Turn:
    n = _across(body, e)
    b = _cross(e, n)
    m, dm = fixed(body, n, PLACES), fixed(body, n, SPEEDS)
    n1, d1 = fixed(against, n, PLACES), fixed(against, n, SPEEDS)
    n2, d2 = fixed(against, b, PLACES), fixed(against, b, SPEEDS)
    cosine, sine = _dot(m, n1), _dot(m, n2)
    rate = cosine * (_dot(dm, n2) + _dot(m, d2)) - sine * (_dot(dm, n1) + _dot(m, d1))
    return Turn(sign * sine, cosine, sign * rate, 0.0)


def fixed(body: Axes | None, direction: Point, names: tuple[str, ...]) -> list[Formula]:
    """The vector that is fixed in the body and has this direction at the start, or its rate. None: the ground."""
    if body is None:
        return [Constant(x if names is PLACES else 0.0) for x in direction]
    found: list[Formula] = [Constant(0.0)] * 3
    left = list(direction)
    for axis, unit, length in zip(body.axes, body.directions, body.lengths, strict=True):
        along = _scalar(direction, unit)
        left = [x - along * u for x, u in zip(left, unit, strict=True)]
        if abs(along) > 1e-15:
            parts = (Quantity(name, (axis,)) for name in names)
            found = [whole + along / length * part for whole, part in zip(found, parts, strict=True)]
    if len(body.lengths) == 2:  # the normal of a plate is the product of its two axes
        normal = _cross(body.directions[0], body.directions[1])
        along = _scalar(direction, normal)
        left = [x - along * n for x, n in zip(left, normal, strict=True)]
        if abs(along) > 1e-15:
            found = [whole + along * part for whole, part in zip(found, _normal(body, names), strict=True)]
    if math.hypot(*left) > THIN:
        raise Refused("a thin body does not tell how it turns about this axis", help="give it a thickness: CG= and J=")
    return found


def spin_about(body: Axes, e: Sequence[Formula]) -> Formula:
    """ω·e: half the sum of (e × a)·ȧ over three unit vectors a that are fixed in the body."""
    total: Formula = Constant(0.0)
    for c in range(3):
        direction = tuple(1.0 if axis == c else 0.0 for axis in range(3))
        a, rate = fixed(body, direction, PLACES), fixed(body, direction, SPEEDS)
        cross = [e[i - 2] * a[i - 1] - e[i - 1] * a[i - 2] for i in range(3)]
        total = total + _dot(cross, rate)
    return 0.5 * total


def _normal(body: Axes, names: tuple[str, ...]) -> list[Formula]:
    """u × v of unit length, or its rate."""
    u, v = ([Quantity(name, (axis,)) for name in PLACES] for axis in body.axes)
    share = 1.0 / (body.lengths[0] * body.lengths[1])

    def cross(a: list[Quantity], b: list[Quantity]) -> list[Formula]:
        return [share * (a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2]) for i in range(3)]

    if names is PLACES:
        return cross(u, v)
    du, dv = ([Quantity(name, (axis,)) for name in SPEEDS] for axis in body.axes)
    return [one + two for one, two in zip(cross(du, v), cross(u, dv), strict=True)]


def _across(body: Axes, e: Point) -> Point:
    """A unit vector across e that the body can tell."""
    best = max((_without(unit, e) for unit in body.directions), key=lambda v: math.hypot(*v))
    length = math.hypot(*best)
    if length < THIN:
        raise Refused("a thin rod does not tell how it turns about itself", help="give it a thickness: CG= and J=")
    return tuple(x / length for x in best)


def _without(v: Point, e: Point) -> Point:
    along = _scalar(v, e)
    return tuple(x - along * y for x, y in zip(v, e, strict=True))


def _scalar(a: Point, b: Point) -> float:
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def _cross(a: Point, b: Point) -> Point:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _dot(a: list[Formula], b: list[Formula]) -> Formula:
    total: Formula = Constant(0.0)
    for x, y in zip(a, b, strict=True):
        if Constant(0.0) not in (x, y):
            total = total + x * y
    return total
