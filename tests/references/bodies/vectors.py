"""Vectors and turns of space, for numbers, arrays and jets alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.references.jets import cos, sin

Vector = tuple[Any, Any, Any]
Matrix = tuple[Vector, Vector, Vector]  # rows

UNIT: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def add(*vectors: Sequence[Any]) -> Vector:
    x, y, z = (sum(parts[1:], parts[0]) for parts in zip(*vectors, strict=True))
    return (x, y, z)


def scale(factor: Any, v: Sequence[Any]) -> Vector:
    return (factor * v[0], factor * v[1], factor * v[2])


def minus(p: Sequence[Any], q: Sequence[Any]) -> Vector:
    return (p[0] - q[0], p[1] - q[1], p[2] - q[2])


def dot(p: Sequence[Any], q: Sequence[Any]) -> Any:
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def cross(p: Sequence[Any], q: Sequence[Any]) -> Vector:
    return (p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0])


def unit(v: Sequence[float]) -> Vector:
    length = float(np.sqrt(dot(v, v)))
    return scale(1 / length, v)


def about(axis: Sequence[Any], angle: Any = None, *, c: Any = None, s: Any = None) -> Matrix:
    """The turn about a unit vector, by an angle or by its cosine and sine (Rodrigues)."""
    if angle is not None:
        c, s = cos(angle), sin(angle)
    x, y, z = axis
    k = 1.0 - c
    return (
        (c + k * (x * x), k * (x * y) - s * z, k * (x * z) + s * y),
        (k * (x * y) + s * z, c + k * (y * y), k * (y * z) - s * x),
        (k * (x * z) - s * y, k * (y * z) + s * x, c + k * (z * z)),
    )


def times(m: Matrix, n: Matrix) -> Matrix:
    columns = tuple(zip(*n, strict=True))
    a, b, c = (tuple(dot(row, column) for column in columns) for row in m)
    return (a, b, c)  # type: ignore[return-value]


def apply(m: Matrix, v: Sequence[Any]) -> Vector:
    return (dot(m[0], v), dot(m[1], v), dot(m[2], v))


def six(tensor: Any) -> str:
    """An inertia tensor as the program reads it: (Jxx,Jyy,Jzz,Jxy,Jxz,Jyz)."""
    i = np.asarray(tensor, float)
    return "(" + ",".join(repr(float(v)) for v in (i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2])) + ")"


def turned_tensor(moments: Sequence[float], axes: Any) -> Any:
    """The tensor with these principal moments; the columns of `axes` are the principal axes."""
    q = np.asarray(axes, float)
    return q @ np.diag(moments) @ q.T
