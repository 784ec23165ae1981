"""Bodies in a loop and in a chain: a four-bar with spring, damper and torque, and a compound double pendulum."""

from __future__ import annotations

import math
from typing import Any

from tests.references.bodies.andrews import triangle
from tests.references.bodies.problem import BodyProblem, Exact, Lagrange, Parts, at_start, body, listing, number, place
from tests.references.jets import atan2, cos, sin, sqrt

GRAVITY = 9.81

# A crank that can turn fully, a coupler that is a triangle with its centre off the line of its pins, a rocker.
CRANK, COUPLER, ROCKER, GROUND = 0.6, 1.8, 1.4, (2.0, 0.0)
TIP, COUPLER_CENTRE = (0.9, 0.7), (0.85, 0.3)  # along the coupler and to its left, from the crank's pin
CRANK_MASS, COUPLER_MASS, COUPLER_MOMENT, ROCKER_MASS = 1.0, 2.0, 0.6, 1.5
ANCHOR, STIFFNESS, REST, DAMPING = (1.0, 2.5), 20.0, 0.8, 0.5
TORQUE, BEAT = 3.0, 2.0
STOP = 5.0


def on(p: Any, q: Any, where: tuple[float, float], length: float) -> tuple[Any, Any]:
    dx, dy = (q[0] - p[0]) / length, (q[1] - p[1]) / length
    return (p[0] + where[0] * dx - where[1] * dy, p[1] + where[0] * dy + where[1] * dx)


def four_bar(t: Any, angle: Any) -> dict[str, Any]:
    b1 = (CRANK * cos(angle), CRANK * sin(angle))
    b2 = triangle(b1, GROUND, COUPLER, ROCKER, 1.0)
    return {
        "B1": b1,
        "B2": b2,
        "B3": on(b1, b2, TIP, COUPLER),
        "R1": angle,
        "R2": atan2(b2[1] - b1[1], b2[0] - b1[0]),
        "R3": atan2(b2[1] - GROUND[1], b2[0] - GROUND[0]),
    }


def _four_bar_parts(t: Any, angle: Any) -> Parts:
    p = four_bar(t, angle)
    b1, b2, b3 = p["B1"], p["B2"], p["B3"]
    c = on(b1, b2, COUPLER_CENTRE, COUPLER)
    dx, dy = b3[0] - ANCHOR[0], b3[1] - ANCHOR[1]
    length = sqrt(dx * dx + dy * dy)
    stretch = length - REST
    height = CRANK_MASS * 0.5 * b1[1] + COUPLER_MASS * c[1] + ROCKER_MASS * 0.5 * b2[1]
    return Parts(
        [
            (CRANK_MASS * CRANK**2 / 3, p["R1"]),  # rods on pivots: m l²/3
            (ROCKER_MASS * ROCKER**2 / 3, p["R3"]),
            (COUPLER_MASS, c[0]),
            (COUPLER_MASS, c[1]),
            (COUPLER_MOMENT, p["R2"]),
        ],
        GRAVITY * height + 0.5 * STIFFNESS * stretch * stretch,
        dampers=[(DAMPING, length)],
        pushes=[(TORQUE * sin(BEAT * t), p["R1"])],
    )


FOUR_BAR_KNOWN = Lagrange(four_bar, _four_bar_parts, (1.0,), (0.0,), STOP)


def _four_bar_text() -> str:
    p = at_start(FOUR_BAR_KNOWN)
    centre = on(p["B1"], p["B2"], COUPLER_CENTRE, COUPLER)
    return listing(
        "Four-bar of bodies",
        *(body(name, p[name]) for name in ("B1", "B2", "B3")),
        f"R1 (0,0) B1 {CRANK_MASS}",
        f"R2 B1 B2 B3 {COUPLER_MASS} CG={place(centre)} J={COUPLER_MOMENT}",
        f"R3 {place(GROUND)} B2 {ROCKER_MASS}",
        f"K1 B3 {place(ANCHOR)} {STIFFNESS} L0={REST} DAMP={DAMPING}",
        f"T1 R1 {{{TORQUE}*sin({BEAT}*time)}}",
        stop=STOP,
    )


# Two bodies, one hung from the other, both with their centres off the lines of their pins. Angles turn the whole picture.
UPPER_PIN, UPPER_CENTRE, LOWER_TIP, LOWER_CENTRE = (0.1, -0.9), (0.2, -0.4), (-0.2, -0.7), (0.15, -0.3)
UPPER_MASS, UPPER_MOMENT, LOWER_MASS, LOWER_MOMENT, TIP_MASS = 2.0, 0.25, 1.2, 0.1, 0.3
BEGIN = (1.3, 0.6)
LASTS = 4.0


def turned(where: tuple[float, float], angle: Any, pivot: Any = (0.0, 0.0)) -> tuple[Any, Any]:
    x, y = where
    return (pivot[0] + x * cos(angle) - y * sin(angle), pivot[1] + x * sin(angle) + y * cos(angle))


def double(t: Any, a: Any, b: Any) -> dict[str, Any]:
    pin = turned(UPPER_PIN, a)
    return {"B1": pin, "B2": turned(LOWER_TIP, b, pin), "R1": a, "R2": b}


def _double_parts(t: Any, a: Any, b: Any) -> Parts:
    p = double(t, a, b)
    upper, lower, tip = turned(UPPER_CENTRE, a), turned(LOWER_CENTRE, b, p["B1"]), p["B2"]
    heavy = ((UPPER_MASS, upper), (LOWER_MASS, lower), (TIP_MASS, tip))
    masses = [(m, x) for m, point in heavy for x in point]
    potential = sum((GRAVITY * m * point[1] for m, point in heavy), 0.0)
    return Parts([*masses, (UPPER_MOMENT, a), (LOWER_MOMENT, b)], potential)


DOUBLE_KNOWN = Lagrange(double, _double_parts, BEGIN, (0.0, 0.0), LASTS)


def _double_text() -> str:
    p = at_start(DOUBLE_KNOWN)
    upper, lower = turned(UPPER_CENTRE, BEGIN[0]), turned(LOWER_CENTRE, BEGIN[1], p["B1"])
    return listing(
        "Compound double pendulum",
        body("B1", p["B1"]),
        body("B2", p["B2"], TIP_MASS),
        f"R1 (0,0) B1 {UPPER_MASS} CG={place(upper)} J={UPPER_MOMENT}",
        f"R2 B1 B2 {LOWER_MASS} CG={place(lower)} J={LOWER_MOMENT}",
        stop=LASTS,
        step=5e-4,
    )


# A rod in the plane, free, thrown and turning: OMEGA gives the velocities of its ends.
THROW, SPIN, HALF, ROD_MASS = (1.0, 2.0), 3.0, 0.5, 2.0


def thrown(t: Any) -> dict[str, Any]:
    angle = 0.3 + SPIN * t
    x, y = THROW[0] * t, THROW[1] * t - 0.5 * GRAVITY * t * t
    dx, dy = HALF * cos(angle), HALF * sin(angle)
    return {"B1": (x - dx, y - dy), "B2": (x + dx, y + dy), "R1": angle}


def _thrown_text(by_omega: bool) -> str:
    dx, dy = HALF * math.cos(0.3), HALF * math.sin(0.3)
    speeds = ((THROW[0] + SPIN * dy, THROW[1] - SPIN * dx), (THROW[0] - SPIN * dy, THROW[1] + SPIN * dx))
    return listing(
        "A thrown rod",
        body("B1", (-dx, -dy), speed=speeds[0]),
        body("B2", (dx, dy), speed=None if by_omega else speeds[1]),
        f"R1 B1 B2 {ROD_MASS}" + (f" OMEGA={number(SPIN)}" if by_omega else ""),
        stop=2.0,
    )


def _thrown(name: str, by_omega: bool) -> BodyProblem:
    return BodyProblem(name, _thrown_text(by_omega), Exact(thrown), 2.0, limit=1e-9)


PROBLEMS = (
    BodyProblem("four_bar_of_bodies", _four_bar_text(), FOUR_BAR_KNOWN, STOP, limit=3e-9, speed_limit=1e-7),
    BodyProblem("compound_double_pendulum", _double_text(), DOUBLE_KNOWN, LASTS, limit=1e-8, speed_limit=1e-7),
    _thrown("thrown_rod", False),
    _thrown("thrown_rod_by_omega", True),
)
