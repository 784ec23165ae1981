"""Slider-cranks with bodies: the one of SUNDIALS, and one that a motor drives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.references.bodies.problem import (
    BodyProblem,
    Exact,
    Floats,
    Lagrange,
    Parts,
    Times,
    at_start,
    body,
    listing,
    place,
)
from tests.references.jets import Jet, as_jet, atan2, cos, sin, sqrt

# SUNDIALS, idaSlCrank_dns: a crank of length a; a rod of length 2 whose middle runs on the x axis; a spring with damper from
# the middle of the crank to the middle of the rod's first half; a constant force at the rod's far end. No gravity.
CRANK, CRANK_MOMENT, ROD_MASS, ROD_MOMENT = 0.5, 1.0, 1.0, 2.0
STIFFNESS, DAMPING, LENGTH, FORCE = 1.0, 1.0, 1.0, 1.0
STOP = 10.0
# Crank angle, slider and rod angle in its output file, computed at a tolerance of 1e-6.
PRINTED = {
    0.25: (1.5548, 0.87406, -0.52352),
    2.5: (7.2238e-2, 1.4980, -3.6096e-2),
    5.0: (-1.4300, 0.93903, 0.51790),
    10.0: (1.2757, 1.0236, -0.49881),
}


def _sundials(t: Any, q: Any) -> dict[str, Any]:
    x1, y1 = CRANK * cos(q), CRANK * sin(q)
    along = sqrt(1.0 - y1 * y1)  # cos p; sin p = −y1
    return {
        "B1": (x1, y1),
        "B2": (x1 + along, 0.0),
        "B3": (x1 + 2 * along, -1.0 * y1),
        "B4": (0.5 * x1, 0.5 * y1),
        "B5": (x1 + 0.5 * along, 0.5 * y1),
        "R1": q,
        "R2": atan2(-1.0 * y1, along),
    }


def _sundials_parts(t: Any, q: Any) -> Parts:
    p = _sundials(t, q)
    dx, dy = p["B5"][0] - p["B4"][0], p["B5"][1] - p["B4"][1]
    length = sqrt(dx * dx + dy * dy)
    stretch = length - LENGTH
    return Parts(
        [(CRANK_MOMENT, q), (ROD_MASS, p["B2"][0]), (ROD_MOMENT, p["R2"])],
        0.5 * STIFFNESS * stretch * stretch,
        dampers=[(DAMPING, length)],
        pushes=[(FORCE, p["B3"][0])],
    )


SUNDIALS_KNOWN = Lagrange(_sundials, _sundials_parts, (math.pi / 2,), (0.0,), STOP)


def _sundials_text() -> str:
    start = at_start(SUNDIALS_KNOWN)
    return listing(
        "Slider-crank of SUNDIALS",
        *(body(name, where) for name, where in start.items() if name.startswith("B")),
        f"R1 (0,0) B4 B1 1 CG=(0,0) J={CRANK_MOMENT}",
        f"R2 B1 B5 B2 B3 {ROD_MASS} CG={place(start['B2'])} J={ROD_MOMENT}",
        "S1 B2 LINE(0,1,0)",
        f"K1 B4 B5 {STIFFNESS} L0={LENGTH} DAMP={DAMPING}",
        f"F1 B3 ({FORCE},0)",
        stop=STOP,
        gravity="0",
    )


SUNDIALS = BodyProblem("sundials_slider_crank", _sundials_text(), SUNDIALS_KNOWN, STOP, limit=1e-9)

# A motor turns a crank with a rod and a piston, all with mass. The torque is the power over the speed.
SHORT, LONG, SPEED, FIRST = 0.3, 1.0, 2 * math.pi, 0.5
MASSES = (2.0, 1.5, 0.8)  # crank, rod, piston
GRAVITY = 9.81


def _driven(t: Any) -> dict[str, Any]:
    angle = FIRST + SPEED * t
    x, y = SHORT * cos(angle), SHORT * sin(angle)
    along = sqrt(LONG**2 - y * y)
    return {"B1": (x, y), "B2": (x + along, 0.0), "R1": angle, "R2": atan2(-1.0 * y, along)}


def _torque(times: Times) -> Floats:
    """(Σ m (a − g)·v + J α ω) / Ω over the centres of crank and rod, and the piston."""
    t = np.atleast_1d(np.asarray(times, float))
    p = _driven(Jet(t, np.ones_like(t)))
    (x1, y1), (x2, y2) = p["B1"], p["B2"]
    centres = ((0.5 * x1, 0.5 * y1), (0.5 * (x1 + x2), 0.5 * (y1 + y2)), (x2, y2))
    power = np.zeros_like(t)
    for m, (x, y) in zip(MASSES, (tuple(map(as_jet, c)) for c in centres), strict=True):
        power += m * (2 * x.c * x.b + (2 * y.c + GRAVITY) * y.b)
    for m, length, angle in zip(MASSES, (SHORT, LONG), (p["R1"], p["R2"]), strict=False):
        power += m * length**2 / 12 * 2 * angle.c * angle.b
    return power / SPEED


def _driven_problem(name: str, motor: str, limit: float, item_limit: float) -> BodyProblem:
    known = Exact(_driven)
    place_now, speed = at_start(known), known([0.0])
    lines = [
        body(b, place_now[b], MASSES[2] if b == "B2" else 0.0, (speed[f"VX({b})"][0], speed[f"VY({b})"][0]))
        for b in ("B1", "B2")
    ]
    holds = (f"R1 (0,0) B1 {MASSES[0]}", f"R2 B1 B2 {MASSES[1]}", "S1 B2 LINE(0,1,0)", motor)
    return BodyProblem(
        name,
        listing(name, *lines, *holds, stop=2.0),
        known,
        2.0,
        limit,
        items={"TORQUE(M1)": _torque},
        item_limit=item_limit,
    )


PROBLEMS = (
    SUNDIALS,
    _driven_problem("driven_rods", f"M1 R1 ANGLE={{{SPEED!r}*time}}", 1e-12, 1e-9),
    _driven_problem("driven_rods_at_speed", f"M1 R1 SPEED={{{SPEED!r}}}", 1e-9, 1e-8),
)
