"""Directions by formula: along and across what moves."""

import math
from collections.abc import Sequence

from chainlist.formula import Constant, End, Formula, Quantity, function

AXES, SPEEDS = ("X", "Y", "Z"), ("VX", "VY", "VZ")


def place(end: End, dimension: int) -> list[Formula]:
    return [Quantity(axis, (end,)) for axis in AXES[:dimension]]


def velocity(end: End, dimension: int) -> list[Formula]:
    return [Quantity(axis, (end,)) for axis in SPEEDS[:dimension]]


def minus(a: Sequence[Formula], b: Sequence[Formula]) -> list[Formula]:
    return [x - y for x, y in zip(a, b, strict=True)]


def dot(a: Sequence[Formula], b: Sequence[Formula]) -> Formula:
    total: Formula = Constant(0.0)
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


def cross(a: Sequence[Formula], b: Sequence[Formula]) -> list[Formula]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def length(v: Sequence[Formula]) -> Formula:
    numbers = [x.value for x in v if isinstance(x, Constant)]
    return Constant(math.hypot(*numbers)) if len(numbers) == len(v) else function("sqrt", dot(v, v))


def unit(v: Sequence[Formula]) -> list[Formula]:
    size = length(v)
    if isinstance(size, Constant):
        return [Constant(x.value / size.value) if isinstance(x, Constant) else x / size for x in v]
    return [x / size for x in v]


def tangents(normal: Sequence[Formula]) -> list[list[Formula]]:
    """Unit vectors along a surface with this unit normal: (n2, −n1) in the plane, two at right angles in space."""
    if len(normal) == 2:
        return [[normal[1], -normal[0]]]
    numbers = [n.value for n in normal if isinstance(n, Constant)]
    least = min(range(3), key=lambda c: abs(numbers[c])) if len(numbers) == 3 else 2
    fixed = [Constant(1.0 if c == least else 0.0) for c in range(3)]
    one = unit(cross(normal, fixed))
    return [one, cross(normal, one)]
