"""Pendulums whose pivot, length, damping or torque is not the usual one. Angles are from straight down."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.references.jets import cos, sin
from tests.references.mechanics.cartesian import Cartesian
from tests.references.mechanics.problem import Exact, Floats, Integrated, MechanicsProblem, Times, body, listing
from tests.references.pendulum import jacobi, quarter_period

GRAVITY = 9.81
SWING = 1.0  # rad, where the pendulums start
SPAN = 5.0


def hanging(angle: float, length: float = 1.0) -> tuple[float, float]:
    return (length * math.sin(angle), -length * math.cos(angle))


def circle(t: Any, p: Any) -> list[Any]:
    (x, y) = p[0]
    return [x * x + y * y - 1.0]


def _pendulum(
    name: str, acceleration: Callable[..., Any], *lines: str, mass: float = 1.0, error: float = 3e-13, **rest: Any
) -> MechanicsProblem:
    place = rest.pop("place", lambda t, angle: [(sin(angle), -1.0 * cos(angle))])
    start = rest.pop("start", (hanging(SWING), None))
    rate = rest.pop("rate", 0.0)
    return MechanicsProblem(
        name,
        listing(name, body(1, start[0], mass, start[1]), *lines, stop=SPAN),
        Integrated(place, lambda *state: [acceleration(*state)], (SWING,), (rate,), SPAN),
        span=SPAN,
        error=error,
        **rest,
    )


# The pivot shaken up and down: y = SHAKE cos(SHAKING t).
SHAKE, SHAKING = 0.1, 8.0

PARAMETRIC = _pendulum(
    "parametric_pendulum",
    lambda t, a, w: -(GRAVITY - SHAKE * SHAKING**2 * np.cos(SHAKING * t)) * np.sin(a),
    f"C1 B1 (0,{{{SHAKE}*cos({SHAKING}*time)}})",
    place=lambda t, a: [(sin(a), SHAKE * cos(SHAKING * t) - cos(a))],
    start=((math.sin(SWING), SHAKE - math.cos(SWING)), None),
    limit=1e-10,
    cartesian=Cartesian(
        (1.0,),
        rows=lambda t, p: [
            p[0][0] * p[0][0] + (p[0][1] - SHAKE * cos(SHAKING * t)) * (p[0][1] - SHAKE * cos(SHAKING * t)) - 1.0
        ],
    ),
)

# A couple on the link: m l² γ̈ = −m g l sin γ + τ.
TORQUE, BEAT, TORQUE_MASS = 2.0, 3.0, 1.5

TORQUE_ON_PENDULUM = _pendulum(
    "torque_on_pendulum",
    lambda t, a, w: -GRAVITY * np.sin(a) + TORQUE * np.sin(BEAT * t) / TORQUE_MASS,
    "C1 B1 (0,0)",
    f"T1 C1 {{{TORQUE}*sin({BEAT}*time)}}",
    mass=TORQUE_MASS,
    limit=1e-9,
    cartesian=Cartesian(
        (TORQUE_MASS,),
        rows=circle,
        push=lambda t, p, v: [(-TORQUE * np.sin(BEAT * t) * p[0][1], TORQUE * np.sin(BEAT * t) * p[0][0])],
    ),
)

# Air: −c v on the body.
DRAG = 0.3

DAMPED = _pendulum(
    "damped_pendulum",
    lambda t, a, w: -GRAVITY * np.sin(a) - DRAG * w,
    "C1 B1 (0,0)",
    f"D1 B1 {DRAG}",
    limit=1e-9,
    cartesian=Cartesian((1.0,), rows=circle, push=lambda t, p, v: [(-DRAG * v[0][0], -DRAG * v[0][1])]),
)

# The length is driven: l = 1 + PULL sin(PULLING t); r² γ̇ is turned by gravity alone. It starts along its string.
PULL, PULLING = 0.1, 2.0


def pulled(t: Any, a: Any, w: Any) -> Any:
    length, rate = 1 + PULL * np.sin(PULLING * t), PULL * PULLING * np.cos(PULLING * t)
    return -(GRAVITY * np.sin(a) + 2 * rate * w) / length


DRIVEN_LENGTH = _pendulum(
    "driven_length",
    pulled,
    f"C1 B1 (0,0) LENGTH={{1+{PULL}*sin({PULLING}*time)}}",
    place=lambda t, a: [((1 + PULL * sin(PULLING * t)) * sin(a), -1.0 * (1 + PULL * sin(PULLING * t)) * cos(a))],
    start=(hanging(SWING), hanging(SWING, PULL * PULLING)),
    limit=1e-9,
    cartesian=Cartesian(
        (1.0,),
        rows=lambda t, p: [
            p[0][0] * p[0][0] + p[0][1] * p[0][1] - (1 + PULL * sin(PULLING * t)) * (1 + PULL * sin(PULLING * t))
        ],
    ),
)


@dataclass(frozen=True)
class Swing:
    """A pendulum of length 1 from rest, gravity (gx, gy): sin(γ/2) = k sn(ωt + K), γ̇ = 2kω cn, γ from `gravity`."""

    start: tuple[float, float]
    gravity: tuple[float, float]

    def __call__(self, times: Times) -> tuple[Floats, Floats, Floats]:
        times = np.atleast_1d(np.asarray(times, float))
        strength = math.hypot(*self.gravity)
        down = np.array(self.gravity) / strength
        right = np.array([-down[1], down[0]])
        widest = math.atan2(right @ self.start, down @ self.start)
        k, k_other, side = math.sin(abs(widest) / 2), math.cos(widest / 2), math.copysign(1.0, widest)
        rate, quarter = math.sqrt(strength), quarter_period(k, k_other)
        phase = np.remainder(rate * times + 3 * quarter, 4 * quarter) - 2 * quarter
        sn, cn, dn = jacobi(phase, k, k_other)
        sine, cosine = 2 * side * k * sn * dn, 1 - 2 * (k * sn) ** 2
        place = np.outer(cosine, down) + np.outer(sine, right)
        across = np.outer(cosine, right) - np.outer(sine, down)
        turn = (2 * side * k * rate * cn)[:, None]
        acceleration = -(turn**2) * place - strength * sine[:, None] * across
        return place[:, None], (turn * across)[:, None], acceleration[:, None]


def _exact_swing(name: str, holds: str, start: tuple[float, float], gravity: tuple[float, float], text: str) -> Any:
    return MechanicsProblem(
        name,
        listing(name, body(1, start, 1.0), holds, stop=SPAN, gravity=text),
        Swing(start, gravity),
        span=SPAN,
        error=3e-13,
        limit=1e-9,
        cartesian=Cartesian((1.0,), gravity=gravity, rows=circle),
    )


# A link on the floor of space: two masses, no gravity, a couple that grows: J θ̈ = τ₀ + τ₁ t, J = m₁ m₂ l² / (m₁ + m₂).
COUPLE, GROWTH, FIRST, SECOND, LONG = 0.5, 0.3, 1.0, 3.0, 2.0
REDUCED = FIRST * SECOND / (FIRST + SECOND) * LONG**2
DRIFT = (0.2, 0.1)


def turning(t: Any) -> list[tuple[Any, Any]]:
    angle = (0.5 * COUPLE * t * t + GROWTH / 6 * t * t * t) / REDUCED
    x, y = DRIFT[0] * t, DRIFT[1] * t
    ahead, behind = LONG * FIRST / (FIRST + SECOND), LONG * SECOND / (FIRST + SECOND)
    return [
        (x - behind * cos(angle), y - behind * sin(angle)),
        (x + ahead * cos(angle), y + ahead * sin(angle)),
    ]


def couple(t: Any, p: Any, v: Any) -> list[tuple[Any, Any]]:
    (x1, y1), (x2, y2) = p
    pull = (COUPLE + GROWTH * t) / LONG**2
    return [(pull * (y2 - y1), -pull * (x2 - x1)), (-pull * (y2 - y1), pull * (x2 - x1))]


TORQUE_ON_FREE_LINK = MechanicsProblem(
    "torque_on_free_link",
    listing(
        "A couple turns a free link",
        body(1, (-LONG * SECOND / (FIRST + SECOND), 0.0), FIRST, DRIFT),
        body(2, (LONG * FIRST / (FIRST + SECOND), 0.0), SECOND, DRIFT),
        "C1 B1 B2",
        f"T1 C1 {{{COUPLE}+{GROWTH}*time}}",
        stop=SPAN,
        gravity="0",
    ),
    Exact(turning),
    span=SPAN,
    error=3e-13,
    limit=1e-9,
    cartesian=Cartesian(
        (FIRST, SECOND),
        gravity=(0.0, 0.0),
        rows=lambda t, p: [
            (p[0][0] - p[1][0]) * (p[0][0] - p[1][0]) + (p[0][1] - p[1][1]) * (p[0][1] - p[1][1]) - LONG**2
        ],
        push=couple,
    ),
)

PROBLEMS = (
    PARAMETRIC,
    TORQUE_ON_PENDULUM,
    TORQUE_ON_FREE_LINK,
    DAMPED,
    DRIVEN_LENGTH,
    _exact_swing("bead_on_circle", "S1 B1 CIRCLE((0,0),1)", (1.0, 0.0), (0.0, -GRAVITY), "9.81"),
    _exact_swing("slanting_gravity", "C1 B1 (0,0)", (-0.6, -0.8), (6.0, -8.0), "(6,-8)"),
)
