"""Inertia of rigid bodies: mass, centre of mass, moments; how bodies merge, and which moments no body can have.

In the plane the moment is J, the polar moment about the centre [kg m²]. In space it is the tensor of second moments
E = ∫ x xᵀ dm about the centre, along the axes of the coordinates at the start. It belongs to the inertia tensor I by
E = ½ tr(I)·1 − I and I = tr(E)·1 − E, adds up like I, and tells more plainly what can be: positive mass has E ≥ 0, which
is the triangle inequality of I, and a thin body has no E across it.

All of this is plain Python: it is used while a chainlist is read. Only principal axes import NumPy, and only in space.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Vector = tuple[float, ...]
Tensor = tuple[Vector, ...]
Place = Sequence[float]

THIN = 1e-12  # of the trace: a second moment below this is none
OFF = 1e-9  # of the size of a body: a point further than this off a line or plane is not on it


@dataclass(frozen=True)
class Inertia:
    """How the mass of a body is spread. `moments`: J in the plane, the second moments E in space, about the centre."""

    mass: float  # kg
    centre: Vector  # m
    moments: float | Tensor  # kg m²

    @property
    def polar(self) -> float:
        """∫ |x|² dm about the centre [kg m²]: in the plane J, in space half the trace of the inertia tensor."""
        return self.moments if isinstance(self.moments, float) else math.fsum(diagonal(self.moments))

    @property
    def tensor(self) -> float | Tensor:
        """J in the plane, the inertia tensor I in space: I_xx = ∫ (y² + z²) dm, I_xy = −∫ xy dm."""
        return self.moments if isinstance(self.moments, float) else complement(self.moments, self.polar)


@dataclass(frozen=True)
class Principal:
    """A body in space along its own axes: E = Σ moments[j] axes[j] axes[j]ᵀ."""

    moments: tuple[float, float, float]  # second moments, the largest first; exactly 0 beyond `rank`
    axes: tuple[Vector, Vector, Vector]  # unit vectors, right-handed
    rank: int  # 3 solid, 2 lamina, 1 rod, 0 a point


def diagonal(moments: Tensor) -> list[float]:
    return [row[i] for i, row in enumerate(moments)]


def complement(moments: Tensor, total: float) -> Tensor:
    """total·1 − moments: I from E with the trace of E, E from I with half the trace of I."""
    return tuple(
        tuple((total if i == j else 0.0) - value for j, value in enumerate(row)) for i, row in enumerate(moments)
    )


def minus(p: Place, q: Place) -> Vector:
    return tuple(a - b for a, b in zip(p, q, strict=True))


def dot(p: Place, q: Place) -> float:
    return math.fsum(a * b for a, b in zip(p, q, strict=True))


def spread(parts: Sequence[tuple[float, Place]], dimension: int) -> float | Tensor:
    """Σ w d dᵀ for weights and vectors: the tensor in space, its trace in the plane."""
    if dimension == 2:
        return math.fsum(w * (d[0] * d[0] + d[1] * d[1]) for w, d in parts)
    return tuple(tuple(math.fsum(w * d[i] * d[j] for w, d in parts) for j in range(3)) for i in range(3))


def plus(first: float | Tensor, second: float | Tensor) -> float | Tensor:
    """The sum of two moments of one kind."""
    if isinstance(first, float) and isinstance(second, float):
        return first + second
    if isinstance(first, float) or isinstance(second, float):
        raise ValueError("a body of the plane and one of space")
    return tuple(tuple(a + b for a, b in zip(p, q, strict=True)) for p, q in zip(first, second, strict=True))


def point(mass: float, place: Place) -> Inertia:
    """A mass in one point."""
    refuse_negative(mass)
    return Inertia(float(mass), _vector(place), spread([], len(place)))


def from_tensor(mass: float, centre: Place, moments: float | Sequence[float]) -> Inertia:
    """A body with given moments about its centre, along the axes of the coordinates at the start.

    In the plane J. In space (Jxx, Jyy, Jzz) or (Jxx, Jyy, Jzz, Jxy, Jxz, Jyz): the elements of the inertia tensor, so that
    Jxy = −∫ xy dm. Books and CAD programs that print "products of inertia" often mean +∫ xy dm: change their sign.
    """
    refuse_negative(mass)
    if len(centre) == 2:
        if not isinstance(moments, int | float):
            raise ValueError("in the plane J is one number: write J=0.1, the polar moment about the centre of mass")
        body = Inertia(float(mass), _vector(centre), float(moments))
    else:
        body = Inertia(float(mass), _vector(centre), _second_moments(moments))
    check_moments(body)
    return body


def _second_moments(moments: float | Sequence[float]) -> Tensor:
    if isinstance(moments, int | float) or len(moments) not in (3, 6):
        raise ValueError("in space J has three numbers or six: write J=(Jxx,Jyy,Jzz) or J=(Jxx,Jyy,Jzz,Jxy,Jxz,Jyz)")
    xx, yy, zz, xy, xz, yz = (float(value) for value in (*moments, 0.0, 0.0, 0.0)[:6])
    return complement(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)), 0.5 * math.fsum((xx, yy, zz)))


def merged(*bodies: Inertia) -> Inertia:
    """All of them as one body: E' = Σ E + Σ m (c − c')(c − c')ᵀ, and J' likewise."""
    mass = math.fsum(body.mass for body in bodies)
    if mass <= 0:
        raise ValueError("it has no mass, and neither have its points: give it a mass")
    dimension = len(bodies[0].centre)
    # From one of the centres, so that a body far from the origin loses no digits.
    origin = bodies[0].centre
    away = [(body.mass, minus(body.centre, origin)) for body in bodies]
    shift = tuple(math.fsum(m * d[i] for m, d in away) / mass for i in range(dimension))
    moments = spread([(m, minus(d, shift)) for m, d in away], dimension)
    for body in bodies:
        moments = plus(moments, body.moments)
    return Inertia(mass, tuple(a + b for a, b in zip(origin, shift, strict=True)), moments)


def check_moments(body: Inertia) -> None:
    """ValueError for moments that no distribution of positive mass has; the text says what would be possible."""
    if isinstance(body.moments, float):
        if not body.moments >= 0 or math.isinf(body.moments):
            raise ValueError(f"no body has the moment J = {body.moments:g}: J = ∫ r² dm is positive")
        _refuse_weightless(body)
        return
    principal(body)


def principal(body: Inertia) -> Principal:
    """The principal axes of a body in space. ValueError as in `check_moments`."""
    import numpy as np

    if isinstance(body.moments, float):
        raise ValueError("principal axes are asked for in space only")
    if not all(math.isfinite(value) for row in body.moments for value in row):
        raise ValueError("the moments of a body are finite numbers")
    found, columns = np.linalg.eigh(np.array(body.moments))
    values, vectors = [float(e) for e in found[::-1]], columns.T[::-1]
    floor = THIN * math.fsum(abs(e) for e in values)
    if values[-1] < -floor:
        raise ValueError(_impossible(values))
    _refuse_weightless(body)
    first, second = _upright(vectors[0]), _upright(vectors[1])
    third = tuple(float(value) for value in np.cross(first, second))
    e1, e2, e3 = (e if e > floor else 0.0 for e in values)
    return Principal((e1, e2, e3), (first, second, third), sum(e > 0 for e in (e1, e2, e3)))


def _upright(axis: Sequence[float]) -> Vector:
    """The one of two opposite vectors whose largest component is positive: the same on every machine."""
    sign = math.copysign(1.0, max(axis, key=abs))
    return tuple(sign * float(value) + 0.0 for value in axis)  # + 0.0: no negative zeros


def _impossible(second_moments: Sequence[float]) -> str:
    """Which moment is too large. The smallest second moment belongs to the largest moment of inertia."""
    e1, e2, e3 = second_moments
    low, middle, high = e2 + e3, e1 + e3, e1 + e2
    if low < 0 or middle < 0:
        return f"no body has the principal moments {low:g}, {middle:g}, {high:g}: none can be negative"
    return (
        f"no body has the principal moments {low:g}, {middle:g}, {high:g}: {high:g} exceeds the sum of the other two. "
        f"It can be {middle + low:g} at most (a flat plate), and is less for a body with thickness"
    )


class OffBody(ValueError):
    """A point that a thin body cannot hold: the `which`-th of its points."""

    def __init__(self, message: str, which: int):
        super().__init__(message)
        self.which = which


def check_held_points(body: Inertia, places: Sequence[Place]) -> None:
    """ValueError if the body cannot hold points at these places: nothing turns a point, a rod has no side.

    A body without moments holds points at its centre only; in space a rod those on its line, a lamina those in its plane.
    """
    away = [minus(place, body.centre) for place in places]
    size = max((math.sqrt(dot(d, d)) for d in away), default=0.0)
    if isinstance(body.moments, float):
        if body.moments <= THIN * body.mass * size * size and size > 0:
            raise ValueError(
                f"J = {body.moments:g} leaves the body a point, and a point holds no others: "
                "give it J > 0, or leave J out and say UNIFORM"
            )
        return
    axes = principal(body)
    size = max(size, math.sqrt(body.polar / body.mass))
    for which, (place, d) in enumerate(zip(places, away, strict=True)):
        across = [dot(d, axis) for axis in axes.axes[axes.rank :]]
        if math.sqrt(dot(across, across)) > OFF * size:
            spot = ",".join(f"{value:g}" for value in place)
            raise OffBody(f"({spot}) lies off {_THIN_BODIES[axes.rank]}, which cannot turn it", which)


_THIN_BODIES = {0: "a body that is a point", 1: "a body that is a thin rod", 2: "a body that is a thin plate"}


def _vector(place: Place) -> Vector:
    return tuple(float(value) for value in place)


def refuse_negative(mass: float) -> None:
    """ValueError for a mass below zero. Zero is allowed: a frame whose points carry the mass."""
    if not (mass >= 0 and math.isfinite(mass)):
        raise ValueError(f"the mass of a body is not negative: {mass:g}")


def _refuse_weightless(body: Inertia) -> None:
    if body.mass == 0 and body.polar > 0:
        raise ValueError("a body without mass has no moments: give it a mass")
