"""A body that is free, or turns about a fixed point: Euler's equations with a quaternion.

ω̇ = I⁻¹ (Iω × ω + τ) in the axes of the body, q̇ = ½ q ω. The body of the program has no quaternion.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.references.bodies.problem import BodyProblem, ByHand, at_start, body, listing, place
from tests.references.bodies.vectors import Vector, add, apply, cross, dot, scale, six, turned_tensor

GRAVITY = 9.81
Quaternion = Sequence[Any]


def product(p: Quaternion, q: Quaternion) -> list[Any]:
    a, u = p[0], p[1:]
    b, v = q[0], q[1:]
    return [a * b - dot(u, v), *add(scale(a, v), scale(b, u), cross(u, v))]


def conjugate(q: Quaternion) -> list[Any]:
    return [q[0], *(-1.0 * v for v in q[1:])]


def matrix(q: Quaternion) -> Any:
    """From the axes of the body to those of the world; rows."""
    a, x, y, z = q
    size = a * a + x * x + y * y + z * z
    rows = (
        (a * a + x * x - y * y - z * z, 2 * (x * y - a * z), 2 * (x * z + a * y)),
        (2 * (x * y + a * z), a * a - x * x + y * y - z * z, 2 * (y * z - a * x)),
        (2 * (x * z - a * y), 2 * (y * z + a * x), a * a - x * x - y * y + z * z),
    )
    return tuple(tuple(value / size for value in row) for row in rows)


@dataclass(frozen=True)
class Spinner:
    """A body by its principal moments about the point that stays (or its centre), and where it starts."""

    moments: Vector
    start: tuple[float, float, float, float]  # quaternion
    spin: Vector  # in the axes of the body
    points: Mapping[str, Vector]  # in the axes of the body
    heavy: float = 0.0  # mass times distance of the centre from the point that stays, along the third axis
    travel: Vector = (0.0, 0.0, 0.0)  # velocity of the centre of a free body
    fall: float = 0.0  # its acceleration downward

    def euler(self, q: Quaternion, spin: Sequence[Any]) -> Vector:
        """ω̇ in the axes of the body."""
        up = tuple(row for row in matrix(q)[1])  # the world's y in the axes of the body
        torque = scale(-GRAVITY * self.heavy, cross((0.0, 0.0, 1.0), up))
        momentum = tuple(i * w for i, w in zip(self.moments, spin, strict=True))
        rate = add(cross(momentum, spin), torque)
        return tuple(r / i for r, i in zip(rate, self.moments, strict=True))  # type: ignore[return-value]

    def spin_of(self, q: Quaternion, rate: Quaternion) -> list[Any]:
        return [2 * w for w in product(conjugate(q), rate)[1:]]

    def acceleration(self, t: Any, *state: Any) -> list[Any]:
        q, rate = state[:4], state[4:]
        spin = self.spin_of(q, rate)
        change = self.euler(q, spin)
        zero = np.zeros_like(q[0])
        first, second = product(rate, [zero, *spin]), product(q, [zero, *change])
        return [0.5 * (a + b) for a, b in zip(first, second, strict=True)]

    def trace(self, t: Any, *q: Any) -> dict[str, Any]:
        turn = matrix(q)
        centre = add(scale(t, self.travel), (0.0, -0.5 * self.fall * t * t, 0.0))
        return {name: add(centre, apply(turn, where)) for name, where in self.points.items()}

    def known(self, stop: float) -> ByHand:
        rates = [0.5 * value for value in product(self.start, [0.0, *self.spin])]
        return ByHand(self.trace, self.acceleration, self.start, tuple(rates), stop)

    def lines(self, known: ByHand) -> list[str]:
        """The points with their velocities."""
        now, turned = at_start(known), matrix(self.start)
        speeds = {name: apply(turned, cross(self.spin, where)) for name, where in self.points.items()}
        return [body(name, now[name], speed=add(self.travel, speed)) for name, speed in speeds.items()]


def turn(axis: Sequence[float], angle: float) -> tuple[float, float, float, float]:
    x, y, z = (math.sin(angle / 2) * value / math.hypot(*axis) for value in axis)
    return (math.cos(angle / 2), x, y, z)


# Dzhanibekov: spun about the middle axis, almost. It turns over every 2K/λ seconds.
DZHANIBEKOV = Spinner(
    (1.0, 2.0, 2.5),
    (1.0, 0.0, 0.0, 0.0),
    (0.2, 5.5, 0.1),
    {"B1": (1.0, 0.0, 0.0), "B2": (0.0, 1.0, 0.0), "B3": (0.0, 0.0, 1.0)},
)
DZHANIBEKOV_STOP = 20.0

# The same by OMEGA, skew at the start, thrown, and under gravity.
THROWN = Spinner(
    (1.2, 2.0, 2.6),
    turn((1, 2, -1), 0.8),
    (1.5, -1.0, 2.0),
    {"B1": (0.6, 0.0, 0.0), "B2": (0.0, 0.7, 0.2), "B3": (0.1, -0.2, 0.5)},
    travel=(0.5, 4.0, -0.3),
    fall=GRAVITY,
)
THROWN_MASS, THROWN_STOP = 3.0, 2.0

# Lagrange's top: slow nutation, spin 20 rad/s. An asymmetric top beside it. Moments are about the tip.
TOP_MASS, TOP_ARM = 1.0, 0.3
TOP = Spinner(
    (0.12, 0.12, 0.04),
    turn((1, 0, 0), -math.pi / 2 + 0.6),
    (0.0, 0.2, 20.0),
    {"B1": (0.0, 0.0, 0.5), "B2": (0.2, 0.0, 0.3)},
    heavy=TOP_MASS * TOP_ARM,
)
ASYMMETRIC = Spinner(
    (0.14, 0.12, 0.05),
    turn((1, 0.3, 0), -math.pi / 2 + 0.9),
    (0.5, 0.2, 6.0),
    {"B1": (0.0, 0.0, 0.5), "B2": (0.2, 0.0, 0.3)},
    heavy=TOP_MASS * TOP_ARM,
)
TOP_STOP = 3.0


def about_centre(spinner: Spinner, mass: float, arm: float) -> Any:
    """The inertia tensor about the centre of mass, along the axes of the world at the start."""
    a, b, c = spinner.moments
    return turned_tensor((a - mass * arm**2, b - mass * arm**2, c), matrix(spinner.start))


def _dzhanibekov() -> BodyProblem:
    known = DZHANIBEKOV.known(DZHANIBEKOV_STOP)
    text = listing(
        "Dzhanibekov",
        *DZHANIBEKOV.lines(known),
        "R1 B1 B2 B3 1 CG=(0,0,0) J=(1,2,2.5)",
        stop=DZHANIBEKOV_STOP,
        gravity="0",
    )
    return BodyProblem("dzhanibekov", text, known, DZHANIBEKOV_STOP, limit=1e-8, speed_limit=1e-7)


def _thrown() -> BodyProblem:
    known = THROWN.known(THROWN_STOP)
    turning = apply(matrix(THROWN.start), THROWN.spin)
    first, *others = THROWN.lines(known)
    unsaid = [line.split(" IC_VEL")[0] for line in others]
    tensor = six(about_centre(THROWN, THROWN_MASS, 0.0))
    text = listing(
        "A thrown body",
        first,
        *unsaid,
        f"R1 B1 B2 B3 {THROWN_MASS} CG=(0,0,0) J={tensor} OMEGA={place(turning)}",
        stop=THROWN_STOP,
    )
    return BodyProblem("thrown_body", text, known, THROWN_STOP, limit=1e-9, speed_limit=1e-8)


def _top(name: str, spinner: Spinner, options: str) -> BodyProblem:
    known = spinner.known(TOP_STOP)
    centre = apply(matrix(spinner.start), (0.0, 0.0, TOP_ARM))
    text = listing(
        name,
        *spinner.lines(known),
        f"R1 (0,0,0) B1 B2 {TOP_MASS} CG={place(centre)} J={six(about_centre(spinner, TOP_MASS, TOP_ARM))}",
        stop=TOP_STOP,
        options=options,
    )
    return BodyProblem(name, text, known, TOP_STOP, limit=1e-8, speed_limit=3e-7)


PROBLEMS = (
    _dzhanibekov(),
    _thrown(),
    _top("symmetric_top", TOP, "INTEGRATOR=DOP853 RELTOL=1E-12"),
    _top("asymmetric_top", ASYMMETRIC, ""),
)
