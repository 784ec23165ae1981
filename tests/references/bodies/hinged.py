"""Bodies of space on joints: a rod on a ball joint, a body on a skew hinge, two boxes on two skew hinges.

Minimal coordinates are the angles of the joints. A box with sides a, b, c has second moments m a²/12, m b²/12, m c²/12 along
its edges, so that T = ½ m |ċ|² + ½ Σ e |ȧ|² over its edges' unit vectors.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.references.bodies.problem import BodyProblem, Floats, Lagrange, Parts, Times, at_start, body, listing, place
from tests.references.bodies.swings import Turning
from tests.references.bodies.vectors import (
    Matrix,
    Vector,
    about,
    add,
    apply,
    cross,
    dot,
    minus,
    scale,
    six,
    times,
    turned_tensor,
    unit,
)
from tests.references.jets import cos, sin

GRAVITY = 9.81
STOP = 5.0

# A thin rod on a ball joint: a spherical pendulum with m l²/3 and m l/2. Polar angle from straight down.
ROD_MASS, LONG = 1.5, 0.8
TILT, AROUND = 1.1, 1.7  # at the start, and the rate of going around


def rod(t: Any, polar: Any, turn: Any) -> dict[str, Any]:
    return {"B1": (LONG * sin(polar) * cos(turn), -LONG * cos(polar), LONG * sin(polar) * sin(turn))}


def _rod_parts(t: Any, polar: Any, turn: Any) -> Parts:
    end = rod(t, polar, turn)["B1"]
    return Parts([(ROD_MASS / 3, x) for x in end], 0.5 * ROD_MASS * GRAVITY * end[1])


ROD_KNOWN = Lagrange(rod, _rod_parts, (TILT, 0.4), (0.0, AROUND), STOP)


def _rod_text() -> str:
    end = at_start(ROD_KNOWN)["B1"]
    speed = cross((0.0, -AROUND, 0.0), end)  # from x to z is about −y
    return listing("A rod on a ball joint", body("B1", end, speed=speed), f"R1 (0,0,0) B1 {ROD_MASS}", stop=STOP)


@dataclass(frozen=True)
class Box:
    """A box by its edges' unit vectors (columns of `axes`) and lengths, all at the start."""

    mass: float
    sides: tuple[float, float, float]
    axes: Matrix
    centre: Vector

    @property
    def second_moments(self) -> tuple[float, ...]:
        return tuple(self.mass * side**2 / 12 for side in self.sides)

    @property
    def tensor(self) -> Any:
        a, b, c = self.second_moments
        return turned_tensor((b + c, a + c, a + b), self.axes)

    def masses(self, turn: Matrix, centre: Sequence[Any]) -> list[tuple[float, Any]]:
        """What Lagrange's equations need, after a turn from the start."""
        found = [(self.mass, x) for x in centre]
        for e, axis in zip(self.second_moments, zip(*self.axes, strict=True), strict=True):
            found += [(e, x) for x in apply(turn, axis)]
        return found

    @property
    def tail(self) -> str:
        return f"{self.mass} CG={place(self.centre)} J={six(self.tensor)}"


# A box on a hinge through the origin that is neither level nor upright: J_n γ̈ = −m g⊥ s sin γ.
HINGE = unit((1.0, 0.5, 0.3))
ARM = minus((0.2, 0.1, 0.7), scale(dot((0.2, 0.1, 0.7), HINGE), HINGE))  # from the axis to the centre, across it
ALONG = 0.35
BOX = Box(2.0, (0.6, 0.4, 0.9), about(unit((1, -1, 2)), 0.7), add(ARM, scale(ALONG, HINGE)))
TIP = (0.5, -0.3, 0.9)


@dataclass(frozen=True)
class OnHinge:
    """Points that turn about an axis through the origin as `turning` says."""

    axis: Vector
    points: dict[str, Vector]
    turning: Turning

    def __call__(self, times_: Times) -> dict[str, Floats]:
        angle, rate = self.turning.angle(times_)
        turn = about(self.axis, angle)
        found: dict[str, Floats] = {}
        for name, where in self.points.items():
            now = apply(turn, where)
            speed = cross(scale(rate, self.axis), now)
            for letter, x, v in zip("XYZ", now, speed, strict=True):
                found[f"{letter}({name})"], found[f"V{letter}({name})"] = x, v
        return found


def _skew_hinge() -> BodyProblem:
    down = minus((0.0, -1.0, 0.0), scale(-HINGE[1], HINGE))  # across the axis; its length is the share of g
    share = math.sqrt(dot(down, down))
    low = scale(1 / share, down)
    widest = math.atan2(dot(HINGE, cross(low, ARM)), dot(low, ARM))
    moment = float(np.asarray(HINGE) @ BOX.tensor @ np.asarray(HINGE)) + BOX.mass * dot(ARM, ARM)
    stiffness = BOX.mass * GRAVITY * share * math.sqrt(dot(ARM, ARM)) / moment
    known = OnHinge(HINGE, {"B1": TIP}, Turning({}, (), stiffness, widest))
    text = listing(
        "A box on a skew hinge",
        body("B1", TIP),
        f"R1 (0,0,0) {place(HINGE)} B1 {BOX.tail}",
        stop=STOP,
    )
    return BodyProblem("skew_hinge", text, known, STOP, limit=1e-9)


# Two boxes: one on a hinge at the origin, the second on a hinge of the first through B1 and B2.
FIRST_AXIS, SECOND_AXIS, ELBOW = unit((0.2, 0.3, 1.0)), unit((1.0, -0.4, 0.5)), (0.9, -0.2, 0.1)
FIRST = Box(2.0, (0.8, 0.3, 0.2), about(unit((0, 1, 1)), 0.4), (0.45, -0.1, 0.1))
SECOND = Box(1.0, (0.2, 0.7, 0.3), about(unit((1, 1, 0)), -0.5), (1.2, 0.3, 0.2))
END = (1.5, 0.6, 0.1)


def _boxes(a: Any, b: Any) -> tuple[Matrix, Matrix, Vector]:
    """The turns of both from the start, and where the elbow is."""
    first = about(FIRST_AXIS, a)
    return first, times(first, about(SECOND_AXIS, b)), apply(first, ELBOW)


def boxes(t: Any, a: Any, b: Any) -> dict[str, Any]:
    first, second, elbow = _boxes(a, b)
    return {
        "B1": elbow,
        "B2": add(elbow, apply(first, SECOND_AXIS)),
        "B3": add(elbow, apply(second, minus(END, ELBOW))),
    }


def _boxes_parts(t: Any, a: Any, b: Any) -> Parts:
    first, second, elbow = _boxes(a, b)
    centres = apply(first, FIRST.centre), add(elbow, apply(second, minus(SECOND.centre, ELBOW)))
    return Parts(
        [*FIRST.masses(first, centres[0]), *SECOND.masses(second, centres[1])],
        GRAVITY * (FIRST.mass * centres[0][1] + SECOND.mass * centres[1][1]),
    )


BOXES_KNOWN = Lagrange(boxes, _boxes_parts, (0.0, 0.0), (0.0, 0.0), 3.0)


def _boxes_text() -> str:
    start = at_start(BOXES_KNOWN)
    return listing(
        "Two boxes on skew hinges",
        *(body(name, where) for name, where in start.items()),
        f"R1 (0,0,0) {place(FIRST_AXIS)} B1 B2 {FIRST.tail}",
        f"R2 B1 B2 B3 {SECOND.tail}",
        stop=3.0,
    )


PROBLEMS = (
    BodyProblem("rod_on_ball_joint", _rod_text(), ROD_KNOWN, STOP, limit=1e-9),
    _skew_hinge(),
    BodyProblem("two_boxes", _boxes_text(), BOXES_KNOWN, 3.0, limit=1e-9),
)
