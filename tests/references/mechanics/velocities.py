"""Constraints on velocities: a knife edge on an incline, and a pair of gears."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.references.jets import cos, sin
from tests.references.mechanics.cartesian import Cartesian
from tests.references.mechanics.problem import Exact, Integrated, MechanicsProblem, body, listing

# Bloch, Nonholonomic Mechanics and Control, 1.6: the edge starts downhill and at rest, and turns with ω for ever. It
# does not slide down: it moves sideways in cycloids, x = G/2ω² (ωt − sin 2ωt / 2), y = −G/2ω² sin² ωt. Here the edge is a
# link of length 1 between two masses, and its middle moves along it only.
SLOPE, OMEGA, HALF = 2.0, 1.5, 0.5
SIZE = SLOPE / (2 * OMEGA**2)


def knife_edge(t: Any) -> list[tuple[Any, Any]]:
    turn = OMEGA * t
    x, y = SIZE * (turn - sin(turn) * cos(turn)), -SIZE * sin(turn) * sin(turn)
    along, down = HALF * sin(turn), -HALF * cos(turn)
    return [(x - along, y - down), (x + along, y + down)]


def _link(t: Any, p: Any) -> list[Any]:
    (x1, y1), (x2, y2) = p
    return [(x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1) - 4 * HALF**2]


def _edge(t: Any, p: Any, v: Any) -> list[Any]:
    (x1, y1), (x2, y2) = p
    (u1, w1), (u2, w2) = v
    return [(u1 + u2) * (y2 - y1) - (w1 + w2) * (x2 - x1)]


KNIFE_EDGE = MechanicsProblem(
    "knife_edge",
    listing(
        "Knife edge on an incline",
        body(1, (0.0, HALF), 1.0, (-HALF * OMEGA, 0.0)),
        body(2, (0.0, -HALF), 1.0, (HALF * OMEGA, 0.0)),
        "C1 B1 B2",
        "N1 {(VX(B1)+VX(B2))*(Y(B2)-Y(B1))-(VY(B1)+VY(B2))*(X(B2)-X(B1))}",
        stop=8.0,
        gravity=repr(SLOPE),
    ),
    Exact(knife_edge),
    span=8.0,
    error=3e-13,
    limit=1e-9,
    cartesian=Cartesian((1.0, 1.0), (0.0, -SLOPE), rows=_link, rates=_edge),
)

# Two pendulums, geared: z₁ ω₁ = −z₂ ω₂, so that the second turns half as far, the other way. Angles from straight down.
RATIO, LONG, SHORT, FIRST, SECOND = 2.0, 1.0, 0.7, 1.0, 0.4
GEARED = (1.0, 2.0)
GRAVITY = 9.81


def _other(angle: Any) -> Any:
    return SECOND - (angle - FIRST) / RATIO


def gears(t: Any, angle: Any, rate: Any) -> list[Any]:
    m1, m2 = GEARED
    pull = -m1 * LONG * np.sin(angle) + m2 * SHORT / RATIO * np.sin(_other(angle))
    return [GRAVITY * pull / (m1 * LONG**2 + m2 * (SHORT / RATIO) ** 2)]


def _wheels(t: Any, p: Any) -> list[Any]:
    (x1, y1), (x2, y2) = p
    return [x1 * x1 + y1 * y1 - LONG**2, (x2 - 3.0) * (x2 - 3.0) + y2 * y2 - SHORT**2]


def _mesh(t: Any, p: Any, v: Any) -> list[Any]:
    (x1, y1), (x2, y2) = p
    (u1, w1), (u2, w2) = v
    return [(x1 * w1 - y1 * u1) / LONG**2 + RATIO * ((x2 - 3.0) * w2 - y2 * u2) / SHORT**2]


GEARS = MechanicsProblem(
    "geared_pendulums",
    listing(
        "Two pendulums with gears",
        body(1, (LONG * math.sin(FIRST), -LONG * math.cos(FIRST)), GEARED[0]),
        body(2, (3.0 + SHORT * math.sin(SECOND), -SHORT * math.cos(SECOND)), GEARED[1]),
        "C1 (0,0) B1",
        "C2 (3,0) B2",
        "N1 GEAR(C1,C2) RATIO=2",
        stop=5.0,
    ),
    Integrated(
        lambda t, a: [
            (LONG * sin(a), -LONG * cos(a)),
            (3.0 + SHORT * sin(_other(a)), -SHORT * cos(_other(a))),
        ],
        gears,
        (FIRST,),
        (0.0,),
        5.0,
    ),
    span=5.0,
    error=3e-13,
    limit=1e-9,
    cartesian=Cartesian(GEARED, rows=_wheels, rates=_mesh),
)

# A skate whose direction is turned by time: v = u (cos ωt, sin ωt), u̇ = −g sin ωt.
STEER, GO, PULL = 2.0, 3.0, 1.5


def skate(t: Any) -> list[tuple[Any, Any]]:
    turn, steady = STEER * t, GO - PULL / STEER  # u = steady + (g/ω) cos ωt
    half = 0.5 * PULL / STEER**2
    x = steady / STEER * sin(turn) + half * (turn + sin(turn) * cos(turn))
    return [(x, steady / STEER * (1 - cos(turn)) + half * sin(turn) * sin(turn))]


SKATE = MechanicsProblem(
    "driven_skate",
    listing(
        "A skate that is turned",
        body(1, (0.0, 0.0), 2.0, (GO, 0.0)),
        f"N1 {{VY(B1)*cos({STEER}*time)-VX(B1)*sin({STEER}*time)}}",
        stop=5.0,
        gravity=repr(PULL),
    ),
    Exact(skate),
    span=5.0,
    error=3e-13,
    limit=1e-9,
    cartesian=Cartesian(
        (2.0,),
        (0.0, -PULL),
        rates=lambda t, p, v: [v[0][1] * cos(STEER * t) - v[0][0] * sin(STEER * t)],
    ),
)

# A body that falls through layers which carry it sideways with a speed that grows with height: ẋ = a y.
SHEAR, HEIGHT = 0.3, 4.0


def sheared(t: Any) -> list[tuple[Any, Any]]:
    return [(SHEAR * (HEIGHT * t - GRAVITY / 6 * t * t * t), HEIGHT - 0.5 * GRAVITY * t * t)]


SHEARED = MechanicsProblem(
    "sheared_fall",
    listing(
        "Fall through layers that move",
        body(1, (0.0, HEIGHT), 1.0, (SHEAR * HEIGHT, 0.0)),
        f"N1 {{VX(B1)-{SHEAR}*Y(B1)}}",
        stop=2.0,
    ),
    Exact(sheared),
    span=2.0,
    error=3e-13,
    limit=1e-12,
    cartesian=Cartesian((1.0,), rates=lambda t, p, v: [v[0][0] - SHEAR * p[0][1]]),
)

PROBLEMS = (KNIFE_EDGE, GEARS, SKATE, SHEARED)
