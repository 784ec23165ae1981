"""The stiff flyball governor (IFToMM's A05): a shaft, two rods with balls, and a slider held by springs with strong dampers.

With θ the rods' angle from straight down, s the slider's height and φ the shaft's angle, all about the vertical y:
T = ½ J(θ) φ̇² + ½ K θ̇² + ½ m ṡ². The equations below are derived by hand; `parts` has the same machine for Lagrange's.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.references.bodies.hinged import Box
from tests.references.bodies.problem import BodyProblem, ByHand, Parts, at_start, body, listing
from tests.references.bodies.vectors import UNIT, Vector, about, add, apply, cross, times
from tests.references.jets import cos, sin, sqrt

GRAVITY = 9.81
STOP, STEP = 10.0, 1e-4  # RK4 is unstable for steps of 4e-4: the dampers' fastest rate is near 8000/s
DENSITY, SECTION, LONG, CUBE = 3000.0, 0.01, 1.0, 0.1
ROD_MASS, SLIDER_MASS, BALL_MASS = DENSITY * LONG * SECTION**2, DENSITY * CUBE**3, 5.0
STIFFNESS, DAMPING, REST = 8e5, 4e4, 0.5
OFF, TOP, FIRST, HEIGHT, SPIN = 0.05, 1.0, math.pi / 3, 0.5, 2 * math.pi

THIN = ROD_MASS * SECTION**2 / 12  # second moment of a rod across itself
ONE, TWO = ROD_MASS * LONG / 2 + BALL_MASS * LONG, ROD_MASS * LONG**2 / 3 + BALL_MASS * LONG**2  # ∫ r dm, ∫ r² dm
ALL = ROD_MASS + BALL_MASS
STANDING = ROD_MASS * SECTION**2 / 6 + SLIDER_MASS * CUBE**2 / 6  # shaft and slider about the vertical


def acceleration(t: Any, phi: Any, theta: Any, s: Any, spin: Any, fall: Any, slide: Any) -> list[Any]:
    sine, cosine = np.sin(theta), np.cos(theta)
    round_ = STANDING + 2 * (ALL * OFF**2 + 2 * OFF * ONE * sine + TWO * sine**2 + THIN * (1 + cosine**2))
    slope = 2 * (2 * OFF * ONE * cosine + 2 * (TWO - THIN) * sine * cosine)
    half = 0.5 * LONG
    dx, dy = half * sine, TOP - half * cosine - s
    length = np.sqrt(dx * dx + dy * dy)
    by_theta, by_s = (dx * half * cosine + dy * half * sine) / length, -dy / length
    pull = 2 * (STIFFNESS * (length - REST) + DAMPING * (by_theta * fall + by_s * slide))
    return [
        -slope * fall * spin / round_,
        (0.5 * slope * spin**2 - 2 * ONE * GRAVITY * sine - pull * by_theta) / (2 * (TWO + THIN)),
        -GRAVITY - pull * by_s / SLIDER_MASS,
    ]


def _turn(phi: Any) -> Any:
    return about((0.0, 1.0, 0.0), phi)


def governor(t: Any, phi: Any, theta: Any, s: Any) -> dict[str, Any]:
    """B5, B7 middles of the rods, B6, B8 the balls; B9 to B12 points of the slider."""
    turn = _turn(phi)

    def rod(side: float, r: float) -> Vector:
        return apply(turn, (side * (OFF + r * sin(theta)), TOP - r * cos(theta), 0.0))

    found = {"B1": apply(turn, (OFF, TOP, 0.0)), "B2": apply(turn, (OFF, TOP, 0.1))}
    found |= {"B3": apply(turn, (-OFF, TOP, 0.0)), "B4": apply(turn, (-OFF, TOP, 0.1))}
    found |= {"B5": rod(1, LONG / 2), "B6": rod(1, LONG), "B7": rod(-1, LONG / 2), "B8": rod(-1, LONG)}
    slider = {"B9": (0.0, 0.0, 0.0), "B10": (OFF, 0.0, 0.0), "B11": (-OFF, 0.0, 0.0), "B12": (0.0, OFF, 0.0)}
    return found | {name: add((0.0, s, 0.0), apply(turn, where)) for name, where in slider.items()}


def boxes() -> dict[str, Box]:
    """The bodies at the start."""

    def rod(side: float) -> Box:
        lean = about((0.0, 0.0, 1.0), side * FIRST)
        middle = (side * (OFF + LONG / 2 * math.sin(FIRST)), TOP - LONG / 2 * math.cos(FIRST), 0.0)
        return Box(ROD_MASS, (SECTION, LONG, SECTION), lean, middle)

    return {
        "R1": Box(ROD_MASS, (SECTION, LONG, SECTION), UNIT, (0.0, LONG / 2, 0.0)),
        "R2": rod(1.0),
        "R3": rod(-1.0),
        "R4": Box(SLIDER_MASS, (CUBE, CUBE, CUBE), UNIT, (0.0, HEIGHT, 0.0)),
    }


def parts(t: Any, phi: Any, theta: Any, s: Any) -> Parts:
    """The same machine from its boxes, balls and springs."""
    p, box, turn = governor(t, phi, theta, s), boxes(), _turn(phi)
    masses = [*box["R1"].masses(turn, box["R1"].centre), *box["R4"].masses(turn, p["B9"])]
    potential, dampers = SLIDER_MASS * GRAVITY * s, []
    for name, side, middle, end, hold in (("R2", 1.0, "B5", "B6", "B10"), ("R3", -1.0, "B7", "B8", "B11")):
        masses += box[name].masses(times(turn, about((0.0, 0.0, 1.0), side * (theta - FIRST))), p[middle])
        masses += [(BALL_MASS, x) for x in p[end]]
        dx, dy, dz = (a - b for a, b in zip(p[middle], p[hold], strict=True))
        length = sqrt(dx * dx + dy * dy + dz * dz)
        potential = potential + GRAVITY * (ROD_MASS * p[middle][1] + BALL_MASS * p[end][1])
        potential = potential + 0.5 * STIFFNESS * (length - REST) * (length - REST)
        dampers.append((DAMPING, length))
    return Parts(masses, potential, dampers)


KNOWN = ByHand(governor, acceleration, (0.0, FIRST, HEIGHT), (SPIN, 0.0, 0.0), STOP)


def _text() -> str:
    start, box = at_start(KNOWN), boxes()
    balls = {"B6": BALL_MASS, "B8": BALL_MASS}
    points = [body(n, p, balls.get(n, 0.0), cross((0.0, SPIN, 0.0), p)) for n, p in start.items()]
    return listing(
        "Stiff flyball governor",
        *points,
        f"R1 (0,0,0) (0,1,0) B1 B2 B3 B4 {box['R1'].tail}",
        f"R2 B1 B2 B5 B6 {box['R2'].tail}",
        f"R3 B3 B4 B7 B8 {box['R3'].tail}",
        f"R4 B9 B10 B11 B12 {box['R4'].tail}",
        "S1 B9 LINE((0,0,0),(0,1,0))",
        "S2 B12 LINE((0,0,0),(0,1,0))",
        "G1 {(X(B10)-X(B9))*(X(B2)-X(B1))+(Z(B10)-Z(B9))*(Z(B2)-Z(B1))}",
        f"K1 B10 B5 {STIFFNESS} L0={REST} DAMP={DAMPING}",
        f"K2 B11 B7 {STIFFNESS} L0={REST} DAMP={DAMPING}",
        stop=STOP,
        step=STEP,
    )


# The rods are a hundred times longer than thick: their hinges lose that much in rounding.
PROBLEMS = (
    BodyProblem(
        "flyball_governor", _text(), KNOWN, STOP, limit=1e-8, speed_limit=1e-6, residual=100 * 1e-14, long=True
    ),
)
