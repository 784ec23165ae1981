"""Pendulums whose pivot, length, damping or torque is not the usual one. Angles are from straight down."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.references.jets import Jet, atan2, cos, sin
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

# A double pendulum with a torsion spring and damper at its elbow; the spring rests at the angle of the start.
TORSION, FRICTION, UPPER, LOWER = 5.0, 0.2, 1.2, 0.5
BEND = LOWER - UPPER


def elbow(t: Any, a: Any, b: Any, wa: Any, wb: Any) -> list[Any]:
    """Two unit masses on unit links: 2ä + cos(a−b) b̈ = …, cos(a−b) ä + b̈ = …"""
    s, c = np.sin(a - b), np.cos(a - b)
    moment = TORSION * (b - a - BEND) + FRICTION * (wb - wa)  # on the upper link; the lower one has its opposite
    first = -s * wb * wb - 2 * GRAVITY * np.sin(a) + moment
    second = s * wa * wa - GRAVITY * np.sin(b) - moment
    return [(first - c * second) / (2 - c * c), (2 * second - c * first) / (2 - c * c)]


def _elbow_angle(p: Any) -> Any:
    (x1, y1), (x2, y2) = p
    dx, dy = x2 - x1, y2 - y1
    return atan2(x1 * dy - y1 * dx, x1 * dx + y1 * dy)


def _elbow_spring(t: Any, p: Any) -> Any:
    turn = _elbow_angle(p) - BEND
    return 0.5 * TORSION * turn * turn


def _elbow_friction(t: Any, p: Any, v: Any) -> list[tuple[Any, Any]]:
    jets = [(Jet(x, vx), Jet(y, vy)) for (x, y), (vx, vy) in zip(p, v, strict=True)]
    loss = FRICTION * _elbow_angle(jets).b
    (x1, y1), (x2, y2) = p
    dx, dy = x2 - x1, y2 - y1  # both links have length 1
    upper, lower = (-loss * y1, loss * x1), (loss * dy, -loss * dx)
    return [(upper[0] - lower[0], upper[1] - lower[1]), lower]


def _two_links(t: Any, p: Any) -> list[Any]:
    (x1, y1), (x2, y2) = p
    return [x1 * x1 + y1 * y1 - 1.0, (x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1) - 1.0]


TORSION_PENDULUM = MechanicsProblem(
    "torsion_double_pendulum",
    listing(
        "Double pendulum with a torsion spring",
        body(1, hanging(UPPER), 1.0),
        body(2, (math.sin(UPPER) + math.sin(LOWER), -math.cos(UPPER) - math.cos(LOWER)), 1.0),
        "C1 (0,0) B1",
        "C2 B1 B2",
        f"K1 ANGLE((0,0),B1,B2) {TORSION} DAMP={FRICTION}",
        stop=SPAN,
    ),
    Integrated(
        lambda t, a, b: [(sin(a), -1.0 * cos(a)), (sin(a) + sin(b), -1.0 * cos(a) - cos(b))],
        elbow,
        (UPPER, LOWER),
        (0.0, 0.0),
        SPAN,
    ),
    span=SPAN,
    error=3e-13,
    limit=1e-9,
    cartesian=Cartesian((1.0, 1.0), rows=_two_links, springs=_elbow_spring, push=_elbow_friction),
)

# Upside down on a torsion spring at the pivot, α from the x axis: m l² α̈ = −m g l cos α − k (α − 90°).
UPRIGHT, LEAN = 15.0, 0.5


def _upright(t: Any, p: Any) -> Any:
    turn = atan2(p[0][1], p[0][0]) - math.pi / 2
    return 0.5 * UPRIGHT * turn * turn


INVERTED = MechanicsProblem(
    "inverted_on_torsion",
    listing(
        "Upside down on a torsion spring",
        body(1, (math.sin(LEAN), math.cos(LEAN)), 1.0),
        "C1 B1 (0,0)",
        f"K1 ANGLE((1,0),(0,0),B1) {UPRIGHT} A0=pi/2",
        stop=SPAN,
    ),
    Integrated(
        lambda t, lean: [(sin(lean), cos(lean))],
        lambda t, lean, w: [GRAVITY * np.sin(lean) - UPRIGHT * lean],
        (LEAN,),
        (0.0,),
        SPAN,
    ),
    span=SPAN,
    error=3e-13,
    limit=1e-9,
    cartesian=Cartesian((1.0,), rows=circle, springs=_upright),
)

# A body is carried to and fro, and a pendulum hangs on it: l γ̈ = −g sin γ − ẍ cos γ.
REACH, SWAY = 0.2, 3.0

CARRIED = MechanicsProblem(
    "carried_pendulum",
    listing(
        "A pendulum on a trolley",
        body(1, (0.0, 0.0), 2.0, (REACH * SWAY, 0.0)),
        body(2, hanging(SWING), 1.0, (REACH * SWAY, 0.0)),
        f"J1 B1 ({{{REACH}*sin({SWAY}*time)}},0)",
        "C1 B1 B2",
        stop=SPAN,
    ),
    Integrated(
        lambda t, a: [(REACH * sin(SWAY * t), 0.0), (REACH * sin(SWAY * t) + sin(a), -1.0 * cos(a))],
        lambda t, a, w: [-GRAVITY * np.sin(a) + REACH * SWAY**2 * np.sin(SWAY * t) * np.cos(a)],
        (SWING,),
        (0.0,),
        SPAN,
    ),
    span=SPAN,
    error=3e-13,
    limit=1e-9,
    cartesian=Cartesian(
        (2.0, 1.0),
        rows=lambda t, p: [
            p[0][0] - REACH * sin(SWAY * t),
            p[0][1],
            (p[1][0] - p[0][0]) * (p[1][0] - p[0][0]) + (p[1][1] - p[0][1]) * (p[1][1] - p[0][1]) - 1.0,
        ],
    ),
)

# An arm that a motor swings: TORQUE = m l² γ̈ + m g l sin γ.
ARM_MASS, WAVE, WAVING = 1.5, 0.8, 2.0


def arm(t: Any) -> list[tuple[Any, Any]]:
    angle = SWING + WAVE * sin(WAVING * t)
    return [(sin(angle), -1.0 * cos(angle))]


def arm_torque(times: Times) -> Floats:
    wave = WAVE * np.sin(WAVING * np.asarray(times, float))
    return ARM_MASS * (GRAVITY * np.sin(SWING + wave) - WAVING**2 * wave)


def _arm_rows(t: Any, p: Any) -> list[Any]:
    angle = SWING + WAVE * sin(WAVING * t)
    return [*circle(t, p), p[0][0] * cos(angle) + p[0][1] * sin(angle)]


SWUNG_ARM = MechanicsProblem(
    "swung_arm",
    listing(
        "An arm swung by a motor",
        body(1, hanging(SWING), ARM_MASS, (WAVE * WAVING * math.cos(SWING), WAVE * WAVING * math.sin(SWING))),
        "C1 B1 (0,0)",
        f"M1 C1 ANGLE={{{WAVE}*sin({WAVING}*time)}}",
        stop=SPAN,
    ),
    Exact(arm),
    span=SPAN,
    error=3e-13,
    limit=1e-13,
    speed_limit=1e-12,
    cartesian=Cartesian((ARM_MASS,), rows=_arm_rows),
    items={"TORQUE(M1)": arm_torque},
    from_multipliers={"TORQUE(M1)": lambda m: m.multipliers[:, 1]},
)


@dataclass(frozen=True)
class Together:
    """Several bodies in the place of one."""

    one: Swing
    count: int

    def __call__(self, times: Times) -> tuple[Floats, Floats, Floats]:
        place, speed, acceleration = (np.repeat(part, self.count, axis=1) for part in self.one(times))
        return place, speed, acceleration


PINNED = MechanicsProblem(
    "pinned_bodies",
    listing(
        "Two bodies on one pin",
        body(1, (1.0, 0.0), 1.0),
        body(2, (1.0, 0.0), 2.0),
        "C1 B1 (0,0)",
        "J1 B1 B2",
        stop=SPAN,
    ),
    Together(Swing((1.0, 0.0), (0.0, -GRAVITY)), 2),
    span=SPAN,
    error=3e-13,
    limit=1e-9,
    cartesian=Cartesian((1.0, 2.0), rows=lambda t, p: [*circle(t, p), p[0][0] - p[1][0], p[0][1] - p[1][1]]),
)

PROBLEMS = (
    INVERTED,
    CARRIED,
    SWUNG_ARM,
    PINNED,
    PARAMETRIC,
    TORQUE_ON_PENDULUM,
    TORQUE_ON_FREE_LINK,
    DAMPED,
    DRIVEN_LENGTH,
    TORSION_PENDULUM,
    _exact_swing("bead_on_circle", "S1 B1 CIRCLE((0,0),1)", (1.0, 0.0), (0.0, -GRAVITY), "9.81"),
    _exact_swing("slanting_gravity", "C1 B1 (0,0)", (-0.6, -0.8), (6.0, -8.0), "(6,-8)"),
)
