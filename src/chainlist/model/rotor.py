"""A rotor: a body of revolution that spins about its own axis, as its axle alone.

Nothing that holds a rotor on its axle can change its spin ω₃, so the spin need not be followed through its turns: the body is
the axle n with the transverse moment A, and the force C ω₃ n × dn/dt, which does no work. Its steps are bound by how fast the
axle turns, not by the spin.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from chainlist.elements.base import Law
from chainlist.formula import Point, Quantity
from chainlist.model import inertia

ALIKE = 1e-9  # of the larger: how far the two transverse moments may differ
OFF = 1e-9  # of the size: how far a point may be beside the axle


def rotor_axis(
    mass: inertia.Inertia, places: Sequence[Point], omega: Point
) -> tuple[tuple[Point, ...], tuple[float, ...]]:
    """The axle, and the radius of gyration about the transverse axes. ValueError where the body is no rotor.

    A body with three equal moments has its axle along its spin.
    """
    found = inertia.principal(mass)
    e = found.moments
    about = [e[(j + 1) % 3] + e[(j + 2) % 3] for j in range(3)]  # moments of inertia
    pairs = [j for j in range(3) if _alike(about[(j + 1) % 3], about[(j + 2) % 3])]
    if not pairs:
        raise ValueError("a ROTOR has two equal moments across its axle: leave ROTOR out, or change J")
    axles = [found.axes[j] for j in pairs]
    if len(pairs) == 3 and any(omega):
        axles = [tuple(x / math.hypot(*omega) for x in omega)]
    axle = min(axles, key=lambda axis: _beside(mass, axis, places))
    size = max(math.dist(place, mass.centre) for place in places)
    if _beside(mass, axle, places) > OFF * max(size, 1e-300):
        raise ValueError("a ROTOR holds points on its axle only: put them there, or leave ROTOR out")
    return (axle,), (math.sqrt(transverse_moment(mass, axle) / mass.mass),)


def _alike(one: float, two: float) -> bool:
    return abs(one - two) <= ALIKE * max(one, two)


def _beside(mass: inertia.Inertia, axle: Point, places: Sequence[Point]) -> float:
    """How far the farthest point is beside the line."""
    farthest = 0.0
    for place in places:
        away = inertia.minus(place, mass.centre)
        along = inertia.dot(away, axle)
        farthest = max(farthest, math.hypot(*(x - along * n for x, n in zip(away, axle, strict=True))))
    return farthest


def axial_moment(mass: inertia.Inertia, axle: Point) -> float:
    return _about(mass, axle)


def transverse_moment(mass: inertia.Inertia, axle: Point) -> float:
    """Half of what is left of the trace: the two are equal."""
    return 0.5 * (2.0 * mass.polar - _about(mass, axle))


def _about(mass: inertia.Inertia, axle: Point) -> float:
    assert not isinstance(mass.moments, float)
    along = math.fsum(axle[i] * mass.moments[i][j] * axle[j] for i in range(3) for j in range(3))
    return mass.polar - along


def gyroscopic(mass: inertia.Inertia, axis: str, length: float, axle: Point, omega: Point) -> tuple[Law, ...]:
    """C ω₃ n × dn/dt on the axle n; on the vector a = length·n, in coordinates."""
    spin = inertia.dot(omega, axle)
    share = axial_moment(mass, axle) * spin / length**3
    a = [Quantity(name, (axis,)) for name in ("X", "Y", "Z")]
    u = [Quantity(name, (axis,)) for name in ("VX", "VY", "VZ")]
    laws = []
    for c in range(3):
        one, two = (c + 1) % 3, (c + 2) % 3
        laws.append(Law(a[c], share * (a[one] * u[two] - a[two] * u[one])))
    return tuple(laws)
