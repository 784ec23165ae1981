"""Where a rigid body starts: the rigid motion that carries points from where they were laid out to where they begin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
    """By the singular value decomposition of Σ s pᵀ; of points on one line, the smallest turn that carries it to the other."""
    import numpy as np

    together = sum(np.outer(s, p) for p, s in pairs)
    left, sizes, right = np.linalg.svd(together)
    if sizes[1] <= 1e-12 * sizes[0]:
        if sizes[0] == 0.0:
            return ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
        return _smallest_turn(right[0], left[:, 0])
    handed = np.sign(np.linalg.det(left) * np.linalg.det(right))
    found = left @ np.diag([1.0, 1.0, handed]) @ right
    return tuple(tuple(float(x) for x in line) for line in found)


def _smallest_turn(a: Any, b: Any) -> tuple[Point, ...]:
    """The rotation of unit vector a to unit vector b about the axis across both (any, where they are opposite)."""
    import numpy as np

    axis, cosine = np.cross(a, b), float(a @ b)
    if np.linalg.norm(axis) < 1e-14:
        if cosine > 0.0:
            return ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
        across = np.eye(3)[int(np.argmin(np.abs(a)))]
        across = across - (across @ a) * a
        across /= np.linalg.norm(across)
        found = 2.0 * np.outer(across, across) - np.eye(3)
    else:
        K = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
        found = np.eye(3) + K + K @ K / (1.0 + cosine)
    return tuple(tuple(float(x) for x in line) for line in found)


def _mean(points: Sequence[Point]) -> Point:
    return tuple(math.fsum(axis) / len(points) for axis in zip(*points, strict=True))


def _minus(p: Point, q: Point) -> Point:
    return tuple(a - b for a, b in zip(p, q, strict=True))
