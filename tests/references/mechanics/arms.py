"""Torsion springs, pins and a motor on pendulums. Angles are from straight down unless said."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.references.jets import Jet, atan2, cos, sin
from tests.references.mechanics.cartesian import Cartesian
from tests.references.mechanics.pendulums import GRAVITY, SPAN, SWING, Swing, circle, hanging
from tests.references.mechanics.problem import Exact, Floats, Integrated, MechanicsProblem, Times, body, listing

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

PROBLEMS = (TORSION_PENDULUM, INVERTED, CARRIED, SWUNG_ARM, PINNED)
