"""Wheels: an eccentric one that rolls, a pair of gears, and a planet that runs around a fixed sun."""

from __future__ import annotations

import math
from typing import Any

from tests.references.bodies.linkages import turned
from tests.references.bodies.problem import BodyProblem, Exact, Lagrange, Parts, at_start, body, listing, number, place
from tests.references.jets import cos, sin

GRAVITY = 9.81
STOP = 5.0

# An eccentric wheel on the floor y = 0: x = −r θ. Its centre of mass is off its middle, which a slider keeps at height r.
RADIUS, OFF, WHEEL_MASS, WHEEL_MOMENT, AT_FIRST, SPIN = 0.5, 0.3, 2.0, 0.2, 2.0, -1.0


def wheel(t: Any, angle: Any) -> dict[str, Any]:
    middle = (-RADIUS * (angle - AT_FIRST), RADIUS)
    return {"B1": middle, "B2": turned((RADIUS, 0.0), angle, middle), "R1": angle}


def _wheel_parts(t: Any, angle: Any) -> Parts:
    x, y = turned((OFF, 0.0), angle, wheel(t, angle)["B1"])
    return Parts([(WHEEL_MASS, x), (WHEEL_MASS, y), (WHEEL_MOMENT, angle)], WHEEL_MASS * GRAVITY * y)


WHEEL_KNOWN = Lagrange(wheel, _wheel_parts, (AT_FIRST,), (SPIN,), STOP)


def _wheel_text() -> str:
    p = at_start(WHEEL_KNOWN)
    return listing(
        "Eccentric wheel",
        body("B1", p["B1"], speed=(-RADIUS * SPIN, 0.0)),
        body("B2", p["B2"]),
        f"R1 B1 B2 {WHEEL_MASS} CG={place(turned((OFF, 0.0), AT_FIRST, p['B1']))} J={WHEEL_MOMENT} OMEGA={SPIN}",
        f"S1 B1 LINE(0,1,{RADIUS})",
        f"N1 R1 ROLL LINE(0,1,0) RADIUS={RADIUS}",
        stop=STOP,
    )


# Two gears on pivots; a mass hangs on each. ω₁ + RATIO ω₂ = 0.
APART, RATIO, RIMS, HANGING = 1.5, 2.0, (0.5, 1.0), (0.4, 0.3)
GEAR_MASSES, GEAR_MOMENTS = (1.0, 4.0), (0.125, 2.0)
FIRST, SECOND = 0.2, 2.5


def _other(angle: Any) -> Any:
    return SECOND - (angle - FIRST) / RATIO


def gears(t: Any, angle: Any) -> dict[str, Any]:
    other = _other(angle)
    return {
        "B1": turned((RIMS[0], 0.0), angle),
        "B2": turned((RIMS[1], 0.0), other, (APART, 0.0)),
        "R1": angle,
        "R2": other,
    }


def _gear_parts(t: Any, angle: Any) -> Parts:
    p = gears(t, angle)
    masses = [(m, x) for m, name in zip(HANGING, ("B1", "B2"), strict=True) for x in p[name]]
    turning = [(j, p[name]) for j, name in zip(GEAR_MOMENTS, ("R1", "R2"), strict=True)]
    height = HANGING[0] * p["B1"][1] + HANGING[1] * p["B2"][1]
    return Parts([*masses, *turning], GRAVITY * height)


GEARS_KNOWN = Lagrange(gears, _gear_parts, (FIRST,), (0.0,), STOP)


def _gears_text() -> str:
    p = at_start(GEARS_KNOWN)
    wheels = [
        f"R{i + 1} {place((APART * i, 0))} B{i + 1} {GEAR_MASSES[i]} CG={place((APART * i, 0))} J={GEAR_MOMENTS[i]}"
        for i in (0, 1)
    ]
    points = [body(f"B{i + 1}", p[f"B{i + 1}"], HANGING[i]) for i in (0, 1)]
    return listing("A pair of gears", *points, *wheels, f"N1 GEAR(R1,R2) RATIO={RATIO}", stop=STOP)


# An arm carries a planet around a fixed sun: the planet turns by (1 + r_sun/r_planet) of the arm. A mass is on its rim.
SUN, PLANET, ARM_MASS, PLANET_MASS, RIM_MASS = 0.6, 0.4, 1.0, 2.0, 0.5
FAST = 1 + SUN / PLANET
ARM_FIRST, RIM_FIRST = 0.8, 0.3


def epicyclic(t: Any, angle: Any) -> dict[str, Any]:
    middle = ((SUN + PLANET) * cos(angle), (SUN + PLANET) * sin(angle))
    turn = RIM_FIRST + FAST * (angle - ARM_FIRST)
    return {"B1": middle, "B2": turned((PLANET, 0.0), turn, middle), "R1": angle, "R2": turn}


def _epicyclic_parts(t: Any, angle: Any) -> Parts:
    p = epicyclic(t, angle)
    masses = [(m, x) for m, name in ((PLANET_MASS, "B1"), (RIM_MASS, "B2")) for x in p[name]]
    turning = [(ARM_MASS * (SUN + PLANET) ** 2 / 3, angle), (0.5 * PLANET_MASS * PLANET**2, p["R2"])]
    height = (0.5 * ARM_MASS + PLANET_MASS) * p["B1"][1] + RIM_MASS * p["B2"][1]
    return Parts([*masses, *turning], GRAVITY * height)


EPICYCLIC_KNOWN = Lagrange(epicyclic, _epicyclic_parts, (ARM_FIRST,), (0.0,), STOP)


def _epicyclic_text() -> str:
    p = at_start(EPICYCLIC_KNOWN)
    return listing(
        "Epicyclic gear",
        body("B1", p["B1"]),
        body("B2", p["B2"], RIM_MASS),
        f"R1 (0,0) B1 {ARM_MASS}",
        f"R2 B1 B2 {PLANET_MASS} CG={place(p['B1'])} J={number(0.5 * PLANET_MASS * PLANET**2)}",
        f"N1 GEAR(R1,R2) RATIO={number(-1 / FAST)}",
        stop=STOP,
    )


# A hoop and a disk roll down a straight slope, at 2/3 and 1/2 of g sin α: closed formulas.
SLOPE = 0.4
SMALL = 0.25


def _rolling_down(name: str, word: str, share: float, mass: float) -> BodyProblem:
    down, up = (math.cos(SLOPE), -math.sin(SLOPE)), (math.sin(SLOPE), math.cos(SLOPE))

    def trace(t: Any) -> dict[str, Any]:
        s = 0.5 * share * GRAVITY * math.sin(SLOPE) * t * t
        return {"B1": (SMALL * up[0] + s * down[0], SMALL * up[1] + s * down[1]), "R1": -1.0 * s / SMALL}

    line = f"{number(up[0])},{number(up[1])}"
    text = listing(
        name,
        body("B1", (SMALL * up[0], SMALL * up[1])),
        f"R1 B1 RADIUS={SMALL} {mass}{word}",
        f"S1 B1 LINE({line},{SMALL})",
        f"N1 R1 ROLL LINE({line},0) RADIUS={SMALL}",
        stop=2.0,
        step=5e-4,
    )
    return BodyProblem(name, text, Exact(trace), 2.0, limit=1e-8, speed_limit=1e-8)


PROBLEMS = (
    BodyProblem("eccentric_wheel", _wheel_text(), WHEEL_KNOWN, STOP, limit=3e-9, speed_limit=3e-8),
    BodyProblem("gear_pair", _gears_text(), GEARS_KNOWN, STOP, limit=1e-8, speed_limit=3e-8),
    BodyProblem("epicyclic_gear", _epicyclic_text(), EPICYCLIC_KNOWN, STOP, limit=1e-8, speed_limit=1e-7),
    _rolling_down("disk_down_a_slope", "", 2 / 3, 3.0),
    _rolling_down("hoop_down_a_slope", " HOOP", 1 / 2, 3.0),
)
