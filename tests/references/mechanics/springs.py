"""Springs and forces on a straight line, and a mass that swings on a spring."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.references.jets import cos, exp, sin, sqrt
from tests.references.mechanics.cartesian import Cartesian
from tests.references.mechanics.problem import Exact, Floats, Integrated, MechanicsProblem, Times, body, listing
from tests.references.pendulum import jacobi, quarter_period

ON_AXIS = "S1 B1 LINE(0,1,0)"


def on_axis(t: Any, p: Any) -> list[Any]:
    return [y for _, y in p]


# A mass of 2 kg on a spring of 40 N/m, 1 m long, with 1.6 N s/m: x = 1 + e^(−δt) (…), δ = c/2m, ω² = k/m − δ².
MASS, STIFF, DAMP, FREE, START = 2.0, 40.0, 1.6, 1.0, 1.5
DECAY = DAMP / (2 * MASS)
RATE = math.sqrt(STIFF / MASS - DECAY**2)


def damped(t: Any) -> list[tuple[Any, Any]]:
    swing = cos(RATE * t) + DECAY / RATE * sin(RATE * t)
    return [(FREE + (START - FREE) * exp(-DECAY * t) * swing, 0.0)]


# The same, pushed by P cos Ωt: the steady answer A cos Ωt + B sin Ωt and a transient that makes it start at rest.
PUSH, DRIVE = 3.0, 5.0
_NEAR, _LOSS = STIFF - MASS * DRIVE**2, DAMP * DRIVE
STEADY_COS = PUSH * _NEAR / (_NEAR**2 + _LOSS**2)
STEADY_SIN = PUSH * _LOSS / (_NEAR**2 + _LOSS**2)


def driven(t: Any) -> list[tuple[Any, Any]]:
    steady = STEADY_COS * cos(DRIVE * t) + STEADY_SIN * sin(DRIVE * t)
    first = START - FREE - STEADY_COS
    second = (DECAY * first - DRIVE * STEADY_SIN) / RATE
    return [(FREE + steady + exp(-DECAY * t) * (first * cos(RATE * t) + second * sin(RATE * t)), 0.0)]


def _spring_force(known: Exact) -> Any:
    def force(times: Times) -> Any:
        place, speed, _ = known(times)
        return STIFF * (place[:, 0, 0] - FREE) + DAMP * speed[:, 0, 0]

    return force


def _oscillator(name: str, place: Any, push: float, *lines: str) -> MechanicsProblem:
    known = Exact(place)
    return MechanicsProblem(
        name,
        listing(name, body(1, (START, 0.0), MASS), ON_AXIS, f"K1 B1 (0,0) {STIFF} L0=1 DAMP={DAMP}", *lines, stop=5.0),
        known,
        span=5.0,
        error=3e-13,
        limit=1e-10,
        cartesian=Cartesian(
            (MASS,),
            rows=on_axis,
            springs=lambda t, p: 0.5 * STIFF * (p[0][0] - FREE) * (p[0][0] - FREE),
            push=lambda t, p, v: [(push * np.cos(DRIVE * t) - DAMP * v[0][0], 0.0)],
        ),
        items={"FORCE(K1)": _spring_force(known)},
        from_multipliers={"FORCE(K1)": lambda m: push * np.cos(DRIVE * m.time) - MASS * m.acceleration[:, 0, 0]},
    )


# Mathieu: ẍ = −(a − 2q cos 2t) x. A far anchor makes the pull (…)·x point the same way on both sides of 0.
MATHIEU_A, MATHIEU_Q = 2.5, 0.6


def mathieu(a: float, q: float, start: float, stop: float) -> Integrated:
    return Integrated(
        lambda t, x: [(x, 0.0)], lambda t, x, _: [-(a - 2 * q * np.cos(2 * t)) * x], (start,), (0.0,), stop
    )


MATHIEU = MechanicsProblem(
    "mathieu",
    listing(
        "Mathieu's equation",
        body(1, (1.0, 0.0), 1.0),
        ON_AXIS,
        f"K1 B1 (-10,0) {{({MATHIEU_A}-2*{MATHIEU_Q}*cos(2*time))*X(B1)}}",
        stop=10.0,
    ),
    mathieu(MATHIEU_A, MATHIEU_Q, 1.0, 10.0),
    span=10.0,
    error=3e-13,
    limit=1e-10,
    cartesian=Cartesian(
        (1.0,),
        rows=on_axis,
        push=lambda t, p, v: [((2 * MATHIEU_Q * np.cos(2 * t) - MATHIEU_A) * p[0][0], 0.0)],
    ),
)

# A mass on a spring in the plane, from the side: r and the angle from straight down.
SOFT, NATURAL, GRAVITY = 40.0, 1.0, 9.81


def spring_pendulum(t: Any, r: Any, angle: Any, r_rate: Any, rate: Any) -> list[Any]:
    return [
        r * rate * rate + GRAVITY * np.cos(angle) - SOFT * (r - NATURAL),
        -(GRAVITY * np.sin(angle) + 2 * r_rate * rate) / r,
    ]


def stretched(t: Any, p: Any) -> Any:
    (x, y) = p[0]
    gap = sqrt(x * x + y * y) - NATURAL
    return 0.5 * SOFT * gap * gap


SPRING_PENDULUM = MechanicsProblem(
    "spring_pendulum",
    listing("A mass swings on a spring", body(1, (1.0, 0.0), 1.0), f"K1 B1 (0,0) {SOFT} L0={NATURAL}", stop=10.0),
    Integrated(
        lambda t, r, angle: [(r * sin(angle), -1.0 * r * cos(angle))],
        spring_pendulum,
        (1.0, math.pi / 2),
        (0.0, 0.0),
        10.0,
    ),
    span=10.0,
    error=3e-13,
    limit=1e-9,
    cartesian=Cartesian((1.0,), springs=stretched),
)

# Two masses of 1 kg, a soft spring to the wall and a stiff one between them, in their slow mode: x = rest + shape cos ωt.
OUTER, INNER = 1.0, 1e8
IMPLICIT = "INTEGRATOR=SDIRK4"
SLOW_SQUARE = 2 * OUTER / (OUTER + 2 * INNER + math.sqrt(OUTER**2 + 4 * INNER**2))  # the lower of ω² in units of INNER
SLOW = math.sqrt(SLOW_SQUARE * INNER)
SHARE = 1.0 / (1.0 - SLOW_SQUARE)  # of the outer mass to the inner one: its own spring must pull it with ω²
SWING = 0.3


def stiff_pair(t: Any) -> list[tuple[Any, Any]]:
    return [(1.0 + SWING * cos(SLOW * t), 0.0), (2.0 + SWING * SHARE * cos(SLOW * t), 0.0)]


STIFF_PAIR = MechanicsProblem(
    "stiff_pair",
    listing(
        "A stiff spring between two masses, a soft one to the wall",
        body(1, (1.0 + SWING, 0.0), 1.0),
        body(2, (2.0 + SWING * SHARE, 0.0), 1.0),
        ON_AXIS,
        "S2 B2 LINE(0,1,0)",
        f"K1 B1 (0,0) {OUTER!r} L0=1",
        f"K2 B1 B2 {INNER!r} L0=1",
        stop=10.0,
        options=IMPLICIT,
        step=0.02,  # a hundred times 2.83/√(2k/m), where RK4 ends
    ),
    Exact(stiff_pair),
    span=10.0,
    error=3e-13,
    limit=5e-5,  # the period of a rule of second order is off by (ωh)²/12 or so: after 7 rad 0.3 m · 1.2e-4
    speed_limit=5e-5,
    balance=1e-5,
    cartesian=Cartesian(
        (1.0, 1.0),
        rows=on_axis,
        springs=lambda t, p: (
            0.5 * OUTER * (p[0][0] - 1.0) * (p[0][0] - 1.0)
            + 0.5 * INNER * (p[1][0] - p[0][0] - 1.0) * (p[1][0] - p[0][0] - 1.0)
        ),
    ),
)

# A spring that pulls with the cube of its stretch: s = s₀ cn(s₀ √k t), of modulus 1/√2 (Duffing without a linear part).
CUBIC, STRETCH = 10.0, 0.5


@dataclass(frozen=True)
class Duffing:
    def __call__(self, times: Times) -> tuple[Floats, Floats, Floats]:
        t = np.atleast_1d(np.asarray(times, float))
        rate, k = STRETCH * math.sqrt(CUBIC), math.sqrt(0.5)
        period = 4 * quarter_period(k, k)
        sn, cn, dn = jacobi(np.remainder(rate * t + 0.5 * period, period) - 0.5 * period, k, k)
        parts = (1 + STRETCH * cn, -STRETCH * rate * sn * dn, -CUBIC * (STRETCH * cn) ** 3)
        x, v, a = (np.stack([part, np.zeros_like(t)], axis=-1)[:, None] for part in parts)
        return x, v, a


DUFFING = MechanicsProblem(
    "duffing",
    listing(
        "A cubic spring",
        body(1, (1.0 + STRETCH, 0.0), 1.0),
        ON_AXIS,
        f"K1 B1 (0,0) {{{CUBIC}*(DIST(B1,(0,0))-1)**3}}",
        stop=10.0,
    ),
    Duffing(),
    span=10.0,
    error=3e-13,
    limit=1e-10,
    cartesian=Cartesian((1.0,), rows=on_axis, push=lambda t, p, v: [(-CUBIC * (p[0][0] - 1) ** 3, 0.0)]),
)

# Two free masses that a force pulls together and a damper brakes, on a slanting line: μ s̈ = −f − c ṡ.
DRAW, BRAKE, FIRST, SECOND, APART = 0.5, 0.4, 1.0, 3.0, 5.0
REDUCED = FIRST * SECOND / (FIRST + SECOND)
SLANT = (0.6, 0.8)


def together(t: Any) -> list[tuple[Any, Any]]:
    apart = APART - DRAW / BRAKE * (t - REDUCED / BRAKE * (1 - exp(-BRAKE / REDUCED * t)))
    ahead, behind = apart * (FIRST / (FIRST + SECOND)), apart * (SECOND / (FIRST + SECOND))
    return [(-SLANT[0] * behind, -SLANT[1] * behind), (SLANT[0] * ahead, SLANT[1] * ahead)]


def _draw(t: Any, p: Any, v: Any) -> list[tuple[Any, Any]]:
    dx, dy = p[1][0] - p[0][0], p[1][1] - p[0][1]
    apart = np.hypot(dx, dy)
    pull = (DRAW + BRAKE * ((v[1][0] - v[0][0]) * dx + (v[1][1] - v[0][1]) * dy) / apart) / apart
    return [(pull * dx, pull * dy), (-pull * dx, -pull * dy)]


TOGETHER = MechanicsProblem(
    "pulled_together",
    listing(
        "Two masses pulled together",
        *(body(i + 1, place, m) for i, (place, m) in enumerate(zip(together(0.0), (FIRST, SECOND), strict=True))),
        f"F1 B1 B2 {{{DRAW}}}",
        f"D1 B1 B2 {BRAKE}",
        stop=4.0,
        gravity="0",
    ),
    Exact(together),
    span=4.0,
    error=3e-13,
    limit=1e-10,
    cartesian=Cartesian((FIRST, SECOND), (0.0, 0.0), push=_draw),
)

PROBLEMS = (
    DUFFING,
    TOGETHER,
    _oscillator("damped_oscillator", damped, 0.0),
    _oscillator("driven_oscillator", driven, PUSH, f"F1 B1 ({{{PUSH}*cos({DRIVE}*time)}},0)"),
    MATHIEU,
    SPRING_PENDULUM,
    STIFF_PAIR,
)
