"""Placement: the motion that carries a submachine, laid out at the origin, to the bodies that already stand."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from chainlist.elements.base import Reading
from chainlist.formula import Constant, End, Formula, Moving, Operation, Point, Quantity
from chainlist.model.entities import PlacedBody, PlacedElement
from chainlist.model.formula import expression_text, spelled_anew
from chainlist.model.turned import of_two_bodies

TOLERANCE = 1e-9  # of the size: how far a shared body may be off
_ROUNDING = 16 * sys.float_info.epsilon  # of the coordinates: what arithmetic alone may leave


@dataclass(frozen=True)
class Displacement:
    """x → rotation·x + shift; the rotation may be a mirror."""

    rotation: tuple[Point, ...]
    shift: Point
    start_of: Callable[[str], Point | None] | None = None  # where a body starts once everything is carried

    def point(self, x: Point) -> Point:
        return tuple(turned + d for turned, d in zip(self.direction(x), self.shift, strict=True))

    def direction(self, v: Point) -> Point:
        """A vector without a place: a velocity."""
        return tuple(sum(r * c for r, c in zip(line, v, strict=True)) for line in self.rotation)

    def body(self, body: PlacedBody) -> PlacedBody:
        return replace(
            body,
            position=self.point(body.position),
            start=self.point(body.start),
            velocity=self.direction(body.velocity),
        )

    def moving(self, end: Moving) -> Moving:
        """A point that moves as told."""
        turned = []
        for line, shift in zip(self.rotation, self.shift, strict=True):
            terms = (r * formula for r, formula in zip(line, end.coordinates, strict=True) if r)
            turned.append(sum(terms, Constant(0.0)) + shift)
        return Moving(tuple(turned))

    def end(self, end: End) -> End:
        if isinstance(end, str):
            return end
        return self.moving(end) if isinstance(end, Moving) else self.point(end)

    def element(self, element: PlacedElement) -> PlacedElement:
        reading = element.reading
        ends, values = tuple(self.end(end) for end in reading.ends), reading.values
        if element.kind.moved is not None and values:
            values = element.kind.moved(values, self.rotation, self.shift)
        formulas = tuple(self.formula(formula) for formula in reading.formulas)
        moved = replace(reading, ends=ends, values=values, formulas=formulas)
        if element.kind.carried is not None:
            moved = element.kind.carried(moved, self.rotation, self.shift, self.handed)
        words, spell = element.words, element.kind.spell
        if spell is not None and moved.formulas and _said(moved) != _said(reading):
            words = spell(moved, expression_text)
        elif _said(moved) != _said(reading):
            before, after = _flat(reading), _flat(moved)
            words = spelled_anew(words, before, after) if len(before) == len(after) else ()
        return replace(element, reading=moved, words=words)

    @property
    def handed(self) -> float:
        """−1 for a mirror."""
        if len(self.rotation) == 2:
            (a, b), (c, d) = self.rotation
            return 1.0 if a * d - b * c > 0 else -1.0
        one, two, three = self.rotation
        return 1.0 if sum(x * y for x, y in zip(one, _cross(two, three), strict=True)) > 0 else -1.0

    def formula(self, formula: Formula) -> Formula:
        """A formula of the submachine as it was laid out, in the coordinates of where it stands: X(B1) inside is what it was there."""
        match formula:
            case Operation():
                return Operation(formula.operator, tuple(self.formula(operand) for operand in formula.operands))
            case Quantity():
                return self._item(formula)
            case _:
                return formula

    def _item(self, item: Quantity) -> Formula:
        for axes, shift in (("XYZ", self.shift), (("VX", "VY", "VZ"), (0.0,) * len(self.shift))):
            if item.function in tuple(axes):
                c = tuple(axes).index(item.function)
                whole: Formula = Constant(0.0)
                for line, axis, away in zip(self.rotation, axes, shift, strict=False):
                    if line[c]:
                        whole = whole + line[c] * (Quantity(axis, item.arguments) - away)
                return whole
        moved = Quantity(item.function, tuple(self.end(end) for end in item.arguments))
        if item.function == "ANGLE" and len(self.shift) == 3:  # between two arms, without a sign
            return moved
        if item.function == "OMEGA" or (
            item.function == "ANGLE" and (len(item.arguments) == 3 or of_two_bodies(item))
        ):  # against nothing that stands still
            return self.handed * moved
        if item.function == "ANGLE":  # against the x axis
            return self.handed * (moved - self._turned_by(moved))
        return moved

    def _turned_by(self, angle: Quantity) -> float:
        """By how much the x axis was turned: whole turns more or less, so that the angle starts as it did where it was laid out."""
        turned = math.atan2(self.rotation[1][0], self.rotation[0][0])
        if self.start_of is None or len(angle.arguments) != 2 or any(isinstance(e, Moving) for e in angle.arguments):
            return turned
        places = [self.start_of(end) if isinstance(end, str) else end for end in angle.arguments]
        one, two = places
        if not isinstance(one, tuple) or not isinstance(two, tuple):
            return turned
        now = math.atan2(two[1] - one[1], two[0] - one[0])
        laid_out = math.remainder(self.handed * (now - turned), 2 * math.pi)
        if laid_out < -math.pi * (1 - TOLERANCE):  # straight to the left is π
            laid_out += 2 * math.pi
        return now - self.handed * laid_out


def _said(reading: Reading) -> tuple[object, ...]:
    """What the words of a card say beside its ends."""
    return reading.formulas, reading.values, reading.vectors


def _flat(reading: Reading) -> tuple[object, ...]:
    return *reading.values, *reading.formulas, *(number for _, numbers in reading.vectors for number in numbers)


@dataclass(frozen=True)
class NoFit:
    """No motion fits: the shared body that is farthest off in the best try, and by how much."""

    which: int
    off: float


@dataclass(frozen=True)
class Turnable:
    """Points on one line leave a rotation about it open; `line` are two of them."""

    line: tuple[int, int]


def fitting_motion(laid: Sequence[Point], standing: Sequence[Point], size: float) -> Displacement | NoFit | Turnable:
    """The motion that carries the points `laid` to `standing`: a translation, else one with a mirror, else a rotation."""
    best = NoFit(0, math.inf)
    for rotation in _rotations(laid, standing):
        motion = _with_shift(rotation, laid[0], standing[0])
        worst = _worst(motion, laid, standing)
        if worst.off <= allowance(size, standing):
            return motion
        if worst.off < best.off:
            best = worst
    return _turnable(laid, standing, size) or best


def _turnable(laid: Sequence[Point], standing: Sequence[Point], size: float) -> Turnable | None:
    """In space: the points would fit by many rotations, because all of them lie on one line."""
    if len(laid[0]) < 3 or len(laid) < 2 or _frame(laid, _corners(laid)) is not None:
        return None
    far = _corners(laid)[0]
    apart = [(math.dist(laid[0], x), math.dist(standing[0], y)) for x, y in zip(laid, standing, strict=True)]
    apart += [(math.dist(laid[far], x), math.dist(standing[far], y)) for x, y in zip(laid, standing, strict=True)]
    fits = all(abs(one - other) <= allowance(size, standing) for one, other in apart)
    return Turnable((0, far)) if fits else None


def allowance(size: float, points: Sequence[Point]) -> float:
    """How far a shared body may be off: a billionth of the size, and the rounding of its coordinates."""
    return TOLERANCE * size + _ROUNDING * max((abs(c) for point in points for c in point), default=0.0)


def extent(points: Sequence[Point]) -> float:
    """The diagonal of the box around points: the size of what they belong to."""
    return math.hypot(*(max(axis) - min(axis) for axis in zip(*points, strict=True))) if points else 0.0


def _rotations(laid: Sequence[Point], standing: Sequence[Point]) -> Iterator[tuple[Point, ...]]:
    """In the order in which they are tried: none, a mirror of each axis (the last first: about a horizontal axis), a rotation."""
    dimension = len(laid[0])
    yield _diagonal([1.0] * dimension)
    for axis in reversed(range(dimension)):
        yield _diagonal([-1.0 if c == axis else 1.0 for c in range(dimension)])
    if dimension == 2:
        far = max(range(len(laid)), key=lambda i: math.dist(laid[0], laid[i]))
        (ax, ay), (bx, by) = _difference(laid[far], laid[0]), _difference(standing[far], standing[0])
        cosine, sine = ax * bx + ay * by, ax * by - ay * bx
        length = math.hypot(cosine, sine)
        if 0 < length < math.inf:
            c, s = cosine / length, sine / length
            yield (c, -s), (s, c)
    else:
        corners = _corners(laid)
        before, after = _frame(laid, corners), _frame(standing, corners)
        if before is not None and after is not None:
            yield tuple(
                tuple(sum(u[i] * w[j] for u, w in zip(after, before, strict=True)) for j in range(3)) for i in range(3)
            )


def _corners(points: Sequence[Point]) -> tuple[int, int]:
    """The point farthest from the first one, and the one farthest from the line through both."""
    far = max(range(len(points)), key=lambda i: math.dist(points[0], points[i]))
    arm = _difference(points[far], points[0])
    aside = max(range(len(points)), key=lambda i: math.hypot(*_cross(arm, _difference(points[i], points[0]))))
    return far, aside


def _frame(points: Sequence[Point], corners: tuple[int, int]) -> tuple[Point, Point, Point] | None:
    """Three directions at right angles that move along with points; None where these lie on one line."""
    arm, other = (_difference(points[i], points[0]) for i in corners)
    normal = _cross(arm, other)
    if math.hypot(*normal) <= TOLERANCE * math.hypot(*arm) ** 2:
        return None
    u, w = _unit(arm), _unit(normal)
    return u, _cross(w, u), w


def _cross(a: Point, b: Point) -> Point:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _unit(a: Point) -> Point:
    length = math.hypot(*a)
    return tuple(x / length for x in a)


def _diagonal(entries: list[float]) -> tuple[Point, ...]:
    return tuple(tuple(value if i == j else 0.0 for j in range(len(entries))) for i, value in enumerate(entries))


def _difference(a: Point, b: Point) -> Point:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _with_shift(rotation: tuple[Point, ...], laid: Point, standing: Point) -> Displacement:
    turned = Displacement(rotation, (0.0,) * len(laid)).direction(laid)
    return Displacement(rotation, _difference(standing, turned))


def _worst(motion: Displacement, laid: Sequence[Point], standing: Sequence[Point]) -> NoFit:
    offs = [math.dist(motion.point(x), y) for x, y in zip(laid, standing, strict=True)]
    which = max(range(len(offs)), key=offs.__getitem__)
    return NoFit(which, offs[which])
