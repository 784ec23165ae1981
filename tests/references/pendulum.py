"""A rigid body on a pivot, started at rest: exact, by Jacobi's elliptic functions.

Covers the mathematical pendulum (from the side and from the top), both levers of the paper and the braced square.
With γ the angle of the centre of mass from straight down, γ̈ = −ω₀² sin γ, ω₀² = g |Σ m p| / Σ m |p|². Started at
rest at γ₀ the solution is sin(γ/2) = k sn(ω₀ t + K), k = sin(γ₀/2).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tests.references.linkage import Linkage

Floats = NDArray[np.float64]


def jacobi(u: Floats, k: float, k_other: float) -> tuple[Floats, Floats, Floats]:
    """sn, cn, dn by the arithmetic-geometric mean (Abramowitz and Stegun 16.4).

    Unlike `scipy.special.ellipj` it takes the complementary modulus k' = √(1−k²) as well. Near the top of a pendulum
    k' is tiny, and 1 − k² would keep only a few of its digits.
    """
    a, c, _ = _mean(k, k_other)
    phi = 2.0 ** (len(a) - 1) * a[-1] * u
    for an, cn in zip(a[:0:-1], c[:0:-1], strict=True):
        phi = 0.5 * (phi + np.arcsin(cn / an * np.sin(phi)))
    sn, cn_ = np.sin(phi), np.cos(phi)
    return sn, cn_, np.sqrt(k_other**2 + (k * cn_) ** 2)


def quarter_period(k: float, k_other: float) -> float:
    """K: a quarter of the period of sn."""
    return math.pi / (2 * _mean(k, k_other)[0][-1])


def _mean(k: float, k_other: float) -> tuple[list[float], list[float], list[float]]:
    a, b, c = [1.0], [k_other], [k]
    while c[-1] > 1e-17:
        an, bn = a[-1], b[-1]
        a.append((an + bn) / 2)
        b.append(math.sqrt(an * bn))
        c.append(c[-1] ** 2 / (4 * a[-1]))  # (an − bn)/2, without its cancellation
    return a, c, b


def rigid_swing(linkage: Linkage, times: Floats) -> Floats:
    """Positions (times, bodies, 2) of bodies that turn together about the origin, from rest."""
    masses = np.array(linkage.masses)
    moment_x, moment_y = masses @ linkage.start
    inertia = float(masses @ np.sum(linkage.start**2, axis=1))
    rate = math.sqrt(linkage.gravity * math.hypot(moment_x, moment_y) / inertia)
    from_top = math.atan2(abs(moment_x), moment_y)
    k, k_other = math.cos(from_top / 2), math.sin(from_top / 2)
    quarter = quarter_period(k, k_other)
    phase = np.remainder(rate * np.asarray(times, float) + 3 * quarter, 4 * quarter) - 2 * quarter
    sn, _, dn = jacobi(phase, k, k_other)
    half_sin, half_cos = k * sn, dn  # of γ/2
    sin_now, cos_now = 2 * half_sin * half_cos, (half_cos - half_sin) * (half_cos + half_sin)
    sin_start, cos_start = 2 * k * k_other, (k_other - k) * (k_other + k)
    side = math.copysign(1.0, moment_x)
    turn_sin = side * (sin_now * cos_start - cos_now * sin_start)
    turn_cos = cos_now * cos_start + sin_now * sin_start
    x, y = linkage.start.T
    return np.stack(
        [np.outer(turn_cos, x) - np.outer(turn_sin, y), np.outer(turn_sin, x) + np.outer(turn_cos, y)], axis=-1
    )


PENDULUM = Linkage("First pendulum", 9.81, 10.0, 1e-3, ((1.0, 0.0),), (1.0,), ((0, (0.0, 0.0)),))

PENDULUM_FROM_TOP = Linkage("Pendulum from the top", 1.0, 125.0, 0.1, ((0.001, 0.9999995),), (1.0,), ((0, (0.0, 0.0)),))

_LEVER_LINKS = ((0, (0.0, 0.0)), (1, (0.0, 0.0)), (0, 1))
LEVER = Linkage("Lever", 9.81, 10.0, 1e-3, ((-1.0, 0.0), (1.0, 0.0)), (1.0, 2.0), _LEVER_LINKS)
UNBALANCED_LEVER = Linkage("Unbalanced lever", 1.0, 6.6, 1e-3, ((1.0, 0.0), (-1.0, 0.0)), (1.0, 2.0), _LEVER_LINKS)

BRACED_SQUARE = Linkage(
    "Square with both diagonals, hung from a corner: six links where five would do",
    9.81,
    10.0,
    1e-3,
    ((1.0, 0.0), (1.0, -1.0), (0.0, -1.0)),
    (1.0, 2.0, 3.0),
    ((0, (0.0, 0.0)), (2, (0.0, 0.0)), (0, 1), (1, 2), (1, (0.0, 0.0)), (0, 2)),
)
