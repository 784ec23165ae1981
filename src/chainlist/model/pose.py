"""Where a rigid body starts: the rigid motion that carries points from where they were laid out to where they begin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from chainlist.formula import Point


@dataclass(frozen=True)
class Pose:
    """x → rotation·(x − from) + to."""

    rotation: tuple[Point, ...]
    origin: Point
    target: Point

    def direction(self, v: Point) -> Point:
        return tuple(math.fsum(r * x for r, x in zip(line, v, strict=True)) for line in self.rotation)

    def point(self, x: Point) -> Point:
        if self.origin == self.target and all(line[i] == 1.0 for i, line in enumerate(self.rotation)):
            return x
        away = tuple(a - b for a, b in zip(x, self.origin, strict=True))
        return tuple(a + b for a, b in zip(self.direction(away), self.target, strict=True))


def fitted(places: Sequence[Point], starts: Sequence[Point]) -> Pose:
    """The motion that carries `places` to `starts` best, by least squares."""
    dimension = len(places[0])
    unit = tuple(tuple(1.0 if i == j else 0.0 for j in range(dimension)) for i in range(dimension))
    if tuple(places) == tuple(starts):
        return Pose(unit, places[0], places[0])
    middle, target = _mean(places), _mean(starts)
    pairs = [(_minus(p, middle), _minus(s, target)) for p, s in zip(places, starts, strict=True)]
    return Pose(_turn(pairs) if dimension == 2 else _rotation(pairs), middle, target)


def _turn(pairs: Sequence[tuple[Point, Point]]) -> tuple[Point, ...]:
    across = math.fsum(p[0] * s[1] - p[1] * s[0] for p, s in pairs)
    along = math.fsum(p[0] * s[0] + p[1] * s[1] for p, s in pairs)
    angle = math.atan2(across, along)
    c, s = math.cos(angle), math.sin(angle)
    return ((c, -s), (s, c))


def _rotation(pairs: Sequence[tuple[Point, Point]]) -> tuple[Point, ...]:
    """By the singular value decomposition of Σ s pᵀ."""
    import numpy as np

    left, _, right = np.linalg.svd(sum(np.outer(s, p) for p, s in pairs))
    handed = np.sign(np.linalg.det(left) * np.linalg.det(right))
    found = left @ np.diag([1.0, 1.0, handed]) @ right
    return tuple(tuple(float(x) for x in line) for line in found)


def _mean(points: Sequence[Point]) -> Point:
    return tuple(math.fsum(axis) / len(points) for axis in zip(*points, strict=True))


def _minus(p: Point, q: Point) -> Point:
    return tuple(a - b for a, b in zip(p, q, strict=True))
