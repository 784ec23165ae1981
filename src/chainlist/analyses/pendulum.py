"""The exact motion of a single pendulum, by Jacobi's elliptic functions.

With γ the angle from straight down, γ̈ = −ω² sin γ, ω² = g/l. The energy decides: k² = sin²(γ/2) + (γ̇/2ω)² is below 1
for a pendulum that swings, sin(γ/2) = k sn(ωt + u₀, k), and above 1 for one that goes round,
sin(γ/2) = sn(kωt + u₀, 1/k). The amplitude comes from the arithmetic-geometric mean (Abramowitz and Stegun 16.4) with
the complementary modulus given by itself: near the top, 1 − k² would keep only a few digits of it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from chainlist.model.mechanism import Mechanism

Floats = NDArray[np.float64]


class NotAPendulum(ValueError):
    """The mechanism is not one body on one link to an anchor."""


def exact_positions(mechanism: Mechanism, times: Floats) -> Floats:
    """Positions (times, 1, 2) of the body of a single pendulum, from its start on."""
    links = mechanism.links
    anchor = next((end for link in links for end in link.ends if isinstance(end, tuple)), None)
    if len(mechanism.bodies) != 1 or len(links) != 1 or len(mechanism.elements) != 1 or anchor is None:
        raise NotAPendulum("the exact solution is known for a single pendulum: one body, one link to an anchor")
    if mechanism.dimension != 2:
        raise NotAPendulum("the exact solution is known for a pendulum in the plane")
    body, length = mechanism.bodies[0], links[0].parameters[1]
    gravity = math.hypot(*mechanism.gravity)
    if gravity == 0:
        raise NotAPendulum("the exact solution needs gravity")
    up = np.array([-g / gravity for g in mechanism.gravity])
    right = np.array([up[1], -up[0]])
    away, speed = np.subtract(body.start, anchor), np.array(body.velocity)
    x, y = float(right @ away), float(up @ away)
    rate = math.sqrt(gravity / length)
    # half angle from straight down: cos γ = −y/r, sin γ = x/r
    radius = math.hypot(x, y)
    half_sin = math.copysign(
        math.sqrt((radius + y) / (2 * radius)) if y > -radius / 2 else abs(x) / math.sqrt(2 * radius * (radius - y)), x
    )
    half_cos = (
        math.sqrt((radius - y) / (2 * radius)) if y < radius / 2 else abs(x) / math.sqrt(2 * radius * (radius + y))
    )
    spin = (x * float(up @ speed) - y * float(right @ speed)) / (radius * radius) / (2 * rate)
    s, c = _half_angle(half_sin, half_cos, spin, rate * np.asarray(times, dtype=np.float64))
    sin_now, cos_now = 2 * s * c, (c - s) * (c + s)
    now = length * (sin_now[:, None] * right - cos_now[:, None] * up)
    positions: Floats = np.asarray(anchor) + now[:, None, :]
    return positions


def _half_angle(half_sin: float, half_cos: float, spin: float, phase: Floats) -> tuple[Floats, Floats]:
    """sin(γ/2) and cos(γ/2) after `phase` = ωt, from a start with γ̇ = 2ω·spin."""
    k = math.hypot(half_sin, spin)
    if k == 0.0:
        return np.zeros_like(phase), np.ones_like(phase)
    rest = half_cos * half_cos - spin * spin  # 1 − k²
    if rest > 0.0:  # swings
        other = math.sqrt(rest)
        start = _integral(half_sin / k, spin / k, k, other)
        sn, cn, dn = jacobi(phase + start, k, other)
        return k * sn, dn
    if rest == 0.0:  # comes to rest at the top, after an endless time
        start = math.copysign(math.atanh(half_sin), spin) if abs(half_sin) < 1 else math.inf
        return math.copysign(1.0, spin) * np.tanh(phase + start), 1.0 / np.cosh(phase + start)
    inner, other = 1.0 / k, math.sqrt(-rest) / k
    turn = math.copysign(1.0, spin)
    start = _integral(turn * half_sin, half_cos, inner, other)
    sn, cn, _ = jacobi(k * phase + start, inner, other)
    return turn * sn, cn


def _integral(sine: float, cosine: float, k: float, other: float) -> float:
    """F: the argument u at which sn u = sine and cn u = cosine."""
    from scipy.special import ellipkinc

    quarter = quarter_period(k, other)
    if cosine == 0.0:
        return math.copysign(quarter, sine)
    angle = math.atan2(sine, cosine)
    turns = round(angle / math.pi)
    return 2 * turns * quarter + float(ellipkinc(angle - turns * math.pi, k * k))


def jacobi(u: Floats, k: float, other: float) -> tuple[Floats, Floats, Floats]:
    """sn, cn, dn of modulus k, with `other` = √(1 − k²)."""
    quarter = quarter_period(k, other)
    a, c = _mean(k, other)
    phi = 2.0 ** (len(a) - 1) * a[-1] * (np.remainder(u + 2 * quarter, 4 * quarter) - 2 * quarter)
    for an, cn in zip(a[:0:-1], c[:0:-1], strict=True):
        phi = 0.5 * (phi + np.arcsin(cn / an * np.sin(phi)))
    sine, cosine = np.sin(phi), np.cos(phi)
    return sine, cosine, np.sqrt(other**2 + (k * cosine) ** 2)


def quarter_period(k: float, other: float) -> float:
    """K(k): a quarter of the period of sn."""
    return math.pi / (2 * _mean(k, other)[0][-1])


def _mean(k: float, other: float) -> tuple[list[float], list[float]]:
    """The arithmetic-geometric mean of 1 and `other`, step by step."""
    a, b, c = [1.0], other, [k]
    while c[-1] > 1e-17:
        c.append(c[-1] ** 2 / (2 * (a[-1] + b)))  # (a − b)/2 of the next step, without its cancellation
        a, b = [*a, (a[-1] + b) / 2], math.sqrt(a[-1] * b)
    return a, c
