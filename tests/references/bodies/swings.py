"""Compound pendulums, exact by elliptic functions; and the N-four-bar of IFToMM's benchmarks (A02), which is one.

About a pivot J_P γ̈ = −m g s sin γ, so that only ω₀² = m g s / J_P matters. J_P comes from a book here: m l²/3 of a rod,
m (a² + b²)/3 of a rectangle at its corner, 3/2 m r² of a disk at its rim.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.references.bodies.problem import BodyProblem, Floats, Times, body, listing, place
from tests.references.pendulum import jacobi, quarter_period

GRAVITY = 9.81
SPAN = 10.0


@dataclass(frozen=True)
class Turning:
    """Points that turn about pivots by one angle γ(t), from straight down for the centre of mass; exact.

    From rest at `widest` (rate 0): sin(γ/2) = k sn(ω₀ t + K), k = sin(widest/2). From the top with `rate` > 0: γ/2 turns for
    ever, sin(γ/2) = sn(Ω t + K), Ω² = ω₀² + rate²/4, k = ω₀/Ω.
    """

    points: Mapping[str, tuple[tuple[float, float], tuple[float, float]]]  # pivot, and where from it at the start
    bodies: tuple[str, ...]
    stiffness: float  # ω₀²
    widest: float = math.pi
    rate: float = 0.0
    sense: float = 1.0  # of the turning

    def angle(self, times: Times) -> tuple[Floats, Floats]:
        """The angle since the start and its rate."""
        t, own = np.atleast_1d(np.asarray(times, float)), math.sqrt(self.stiffness)
        if self.rate:
            speed = math.hypot(own, self.rate / 2)
            k, k_other = own / speed, self.rate / 2 / speed
        else:
            speed, k, k_other = own, math.sin(abs(self.widest) / 2), math.cos(self.widest / 2)
        quarter = quarter_period(k, k_other)
        phase = speed * t + quarter
        turns = np.round(phase / (4 * quarter))
        sn, cn, dn = jacobi(phase - 4 * quarter * turns, k, k_other)
        if self.rate:
            half, rate = np.arctan2(sn, cn) + 2 * np.pi * turns, 2 * speed * dn
            return self.sense * (2 * half - math.pi), self.sense * rate
        side = math.copysign(1.0, self.widest)
        gamma, rate = 2 * np.arctan2(k * sn, dn), 2 * k * speed * cn
        return side * gamma - self.widest, side * rate

    def __call__(self, times: Times) -> dict[str, Floats]:
        angle, rate = self.angle(times)
        found: dict[str, Floats] = {}
        c, s = np.cos(angle), np.sin(angle)
        for name, ((px, py), (x, y)) in self.points.items():
            dx, dy = c * x - s * y, s * x + c * y
            found[f"X({name})"], found[f"Y({name})"] = px + dx, py + dy
            found[f"VX({name})"], found[f"VY({name})"] = -rate * dy, rate * dx
        for name in self.bodies:
            found[f"ANGLE({name})"], found[f"OMEGA({name})"] = angle, rate
        return found


def _swing(name: str, mass: float, line: str, points: dict[str, Any], centre: Any, about_pivot: float) -> BodyProblem:
    """From rest; the pivot is the origin. `about_pivot` is J_P."""
    arm = math.hypot(*centre)
    known = Turning(
        {label: ((0.0, 0.0), where) for label, where in points.items()},
        ("R1",),
        mass * GRAVITY * arm / about_pivot,
        math.atan2(centre[0], -centre[1]),
    )
    lines = [body(label, where) for label, where in points.items()]
    text = listing(name, *lines, line, stop=SPAN, step=5e-4)
    return BodyProblem(name, text, known, SPAN, limit=1e-10, speed_limit=1e-9)


def turned(x: float, y: float, angle: float) -> tuple[float, float]:
    return (x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle))


ROD_MASS, LONG = 1.5, 1.2
ROD_END = (LONG * math.sin(1.0), -LONG * math.cos(1.0))
ROD = _swing(
    "compound_rod",
    ROD_MASS,
    f"R1 (0,0) B1 {ROD_MASS}",
    {"B1": ROD_END},
    (ROD_END[0] / 2, ROD_END[1] / 2),
    ROD_MASS * LONG**2 / 3,
)

PLATE_MASS, WIDE, HIGH, LEAN = 2.0, 1.0, 0.6, 0.4
CORNERS = {f"B{i + 1}": turned(x, y, LEAN) for i, (x, y) in enumerate(((WIDE, 0), (WIDE, HIGH), (0, HIGH)))}
PLATE = _swing(
    "compound_plate",
    PLATE_MASS,
    f"R1 (0,0) B1 B2 B3 {PLATE_MASS} UNIFORM",
    CORNERS,
    turned(WIDE / 2, HIGH / 2, LEAN),
    PLATE_MASS * (WIDE**2 + HIGH**2) / 3,
)

DISK_MASS, RADIUS = 3.0, 0.5
DISK_CENTRE = (RADIUS * math.sin(2.0), -RADIUS * math.cos(2.0))
DISK = _swing(
    "compound_disk",
    DISK_MASS,
    f"R1 (0,0) B1 {DISK_MASS} CG={place(DISK_CENTRE)} J={0.5 * DISK_MASS * RADIUS**2!r}",
    {"B1": DISK_CENTRE},
    DISK_CENTRE,
    1.5 * DISK_MASS * RADIUS**2,
)


def four_bars(windows: int, stop: float, limit: float, every_speed: bool) -> BodyProblem:
    """A02: N parallelograms side by side. Every crank turns like one pendulum, the couplers do not turn.

    (N+1)/3 + N is its J, (N+1)/2 + N its m s. When it lies flat it has N+1 freedoms for an instant.
    """
    count = windows + 1
    lines = []
    for i in range(count):
        given = every_speed or i == 0
        lines.append(body(f"B{i}", (i, 1), speed=(1, 0) if given else None))
    lines += [f"R{i} ({i},0) B{i} 1" for i in range(count)]
    lines += [f"R{count + i} B{i} B{i + 1} 1" for i in range(windows)]
    known = Turning(
        {f"B{i}": ((float(i), 0.0), (0.0, 1.0)) for i in range(count)},
        tuple(f"R{i}" for i in range(count)),
        GRAVITY * (count / 2 + windows) / (count / 3 + windows),
        rate=1.0,
        sense=-1.0,
    )
    return BodyProblem(
        f"four_bars_{windows}",
        listing(f"N-four-bar, N = {windows}", *lines, stop=stop),
        known,
        stop,
        limit,
        long=windows > 10,
    )


PROBLEMS = (ROD, PLATE, DISK, four_bars(2, 10.0, 1e-8, False), four_bars(40, 20.0, 1e-7, True))
