"""Bricard's mechanism (IFToMM's A04): six hinges, five rods and the ground, one freedom where counting finds none.

At the start its corners run along edges of a cube: x, y, z, −x, −y, −z. Each hinge stands across its two rods, and turns by
90° + δ; every second δ is the same. The loop closes when (1 − sin δ)(1 − sin ε) = 1. With 1 − sin δ = p = 2^cos φ, a coordinate
φ goes all the way around: 1 + sin δ = 2 − p = 4 ln 2 sin²(φ/2) g, so that cos δ changes its sign with sin(φ/2), smoothly.
"""

from __future__ import annotations

import math
from typing import Any

from tests.references.bodies.hinged import Box
from tests.references.bodies.problem import BodyProblem, Lagrange, Parts, at_start, body, listing, place
from tests.references.bodies.vectors import UNIT, Matrix, Vector, about, add, apply, cross, minus, scale, times
from tests.references.jets import cos, exp, sin, sqrt

GRAVITY = 9.81
STOP = 10.0
WIDE = 0.1  # the rods' square section
DIRECTIONS: tuple[Vector, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0))
GROUND: Vector = (0, 0, -1)  # from the last corner to the first
HINGES = tuple(cross(a, b) for a, b in zip((GROUND, *DIRECTIONS), (*DIRECTIONS, GROUND), strict=True))
TERMS = 24


def _relative(x: Any) -> Any:
    """g = (1 − e⁻ˣ)/x by its series, which knows no 0/0."""
    total: Any = 1.0 / (TERMS + 1)
    for k in range(TERMS, 0, -1):
        total = 1.0 / k - x * total / k if k > 1 else 1.0 - x * total
    return total


def _turn(power: Any, half: Any) -> tuple[Any, Any]:
    """cos δ and sin δ for p = 2^power and sin(φ/2)."""
    p = exp(math.log(2) * power)
    x = 2 * math.log(2) * half * half
    return half * sqrt(4 * math.log(2) * p * _relative(x)), 1.0 - p


def turns(phi: Any) -> tuple[list[Matrix], list[Vector]]:
    """How the five rods are turned from the start, and where their first corners and the last one are."""
    odd, even = _turn(cos(phi), sin(0.5 * phi)), _turn(-1.0 * cos(phi), cos(0.5 * phi))
    found: list[Matrix] = []
    corners: list[Vector] = [(0.0, 0.0, 0.0)]
    turn = UNIT
    for i, (hinge, way) in enumerate(zip(HINGES, DIRECTIONS, strict=False)):
        c, s = even if i % 2 else odd
        turn = times(turn, about(hinge, c=c, s=s))
        found.append(turn)
        corners.append(add(corners[-1], apply(turn, way)))
    return found, corners


def bricard(t: Any, phi: Any) -> dict[str, Any]:
    """B1 to B4 are corners, B11 to B14 the other points of the hinges there."""
    turned, corners = turns(phi)
    found = {f"B{i}": corners[i] for i in range(1, 5)}
    return found | {f"B1{i}": add(corners[i], scale(0.5, apply(turned[i - 1], HINGES[i]))) for i in range(1, 5)}


def rods() -> list[Box]:
    """Where they are at the start."""
    corner: Vector = (0.0, 0.0, 0.0)
    found = []
    for way in DIRECTIONS:
        sides = tuple(1.0 if value else WIDE for value in way)
        found.append(Box(1.0, sides, UNIT, add(corner, scale(0.5, way))))  # type: ignore[arg-type]
        corner = add(corner, way)
    return found


def _parts(t: Any, phi: Any) -> Parts:
    turned, corners = turns(phi)
    masses, potential = [], 0.0
    for box, turn, p, q in zip(rods(), turned, corners, corners[1:], strict=False):
        centre = scale(0.5, add(p, q))
        masses += box.masses(turn, centre)
        potential = potential + GRAVITY * box.mass * centre[1]
    return Parts(masses, potential)


KNOWN = Lagrange(bricard, _parts, (math.pi / 2,), (0.0,), STOP)


def _text() -> str:
    start = at_start(KNOWN)
    points = {name: tuple(round(value, 12) + 0.0 for value in where) for name, where in start.items()}
    ends = ["(0,0,0) " + place(scale(0.5, HINGES[0]))]
    ends += [f"B{i} B1{i}" for i in range(1, 5)]
    ends.append(f"{place(minus((0, 0, 0), GROUND))} {place(add((0, 0, 1), scale(0.5, HINGES[5])))}")
    bodies = [f"R{i + 1} {ends[i]} {ends[i + 1]} {box.tail}" for i, box in enumerate(rods())]
    return listing("Bricard's mechanism", *(body(n, p) for n, p in points.items()), *bodies, stop=STOP)


PROBLEMS = (BodyProblem("bricard", _text(), KNOWN, STOP, limit=1e-8, speed_limit=1e-7, long=True),)
