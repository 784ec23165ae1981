"""Strings over pegs: Atwood's machine, the swinging one, and tackles. A string pulls at both ends with one force."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from tests.references.jets import cos, sin, sqrt
from tests.references.mechanics.cartesian import Cartesian
from tests.references.mechanics.problem import Exact, Integrated, MechanicsProblem, body, constant, listing

GRAVITY = 9.81


def run(*points: Any) -> Any:
    """The length of a string through the points."""
    total: Any = 0.0
    for (x1, y1), (x2, y2) in pairwise(points):
        total = total + sqrt((x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1))
    return total


# Atwood: 1 kg and 2 kg over two pegs at height 2.
LIGHT, HEAVY = 1.0, 2.0
FALL = GRAVITY * (HEAVY - LIGHT) / (HEAVY + LIGHT)

ATWOOD = MechanicsProblem(
    "atwood",
    listing(
        "Atwood's machine",
        body(1, (-0.1, 0.5), LIGHT),
        body(2, (0.1, 1.0), HEAVY),
        "C1 B1 (-0.1,2) (0.1,2) B2",
        stop=0.8,
    ),
    Exact(lambda t: [(-0.1, 0.5 + 0.5 * FALL * t * t), (0.1, 1.0 - 0.5 * FALL * t * t)]),
    span=0.8,
    error=3e-13,
    limit=1e-9,
    cartesian=Cartesian((LIGHT, HEAVY), rows=lambda t, p: [run(p[0], (-0.1, 2.0)) + run((0.1, 2.0), p[1]) - 2.5]),
    items={"TENSION(C1)": constant(2 * LIGHT * HEAVY * GRAVITY / (LIGHT + HEAVY))},
    from_multipliers={"TENSION(C1)": lambda m: -m.multipliers[:, 0]},
)

# One mass swings: (M + m) r̈ = m r γ̇² − M g + m g cos γ, r γ̈ = −2 ṙ γ̇ − g sin γ.
WEIGHT, BOB, WIDE = 1.6, 1.0, 1.2


def swinging(t: Any, r: Any, angle: Any, r_rate: Any, rate: Any) -> list[Any]:
    return [
        (BOB * r * rate * rate + GRAVITY * (BOB * np.cos(angle) - WEIGHT)) / (BOB + WEIGHT),
        -(2 * r_rate * rate + GRAVITY * np.sin(angle)) / r,
    ]


SWINGING_ATWOOD = MechanicsProblem(
    "swinging_atwood",
    listing(
        "Swinging Atwood's machine",
        body(1, (-1.0, -3.0), WEIGHT),
        body(2, (1.0 + math.sin(WIDE), -math.cos(WIDE)), BOB),
        "C1 B1 (-1,0) (1,0) B2",
        stop=4.0,
    ),
    Integrated(
        lambda t, r, angle: [(-1.0, r - 4.0), (1.0 + r * sin(angle), -1.0 * r * cos(angle))],
        swinging,
        (1.0, WIDE),
        (0.0, 0.0),
        4.0,
    ),
    span=4.0,
    error=3e-13,
    limit=1e-9,
    cartesian=Cartesian((WEIGHT, BOB), rows=lambda t, p: [run(p[0], (-1.0, 0.0)) + run((1.0, 0.0), p[1]) - 4.0]),
)

# Block and tackle: the string runs down to a pulley B1 that carries the load, back up, and over a peg to B2.
LOAD, HAND = 3.0, 1.0
PULL = 3 * GRAVITY * LOAD * HAND / (LOAD + 4 * HAND)
RISE = 2 * PULL / LOAD - GRAVITY

TACKLE = MechanicsProblem(
    "block_and_tackle",
    listing(
        "Block and tackle",
        body(1, (0.0, 0.0), LOAD),
        body(2, (1.0, 0.5), HAND),
        "C1 (0,2) B1 (0,2) (1,2) B2",
        stop=0.8,
    ),
    Exact(lambda t: [(0.0, 0.5 * RISE * t * t), (1.0, 0.5 - RISE * t * t)]),
    span=0.8,
    error=3e-13,
    limit=1e-9,
    cartesian=Cartesian((LOAD, HAND), rows=lambda t, p: [2 * run((0.0, 2.0), p[0]) + run((1.0, 2.0), p[1]) - 5.5]),
    items={"TENSION(C1)": constant(PULL)},
    from_multipliers={"TENSION(C1)": lambda m: -m.multipliers[:, 0]},
)

# The same with the pulley hung between an anchor and a peg 1 m apart: y is how far it hangs below them.
DEPTH = 1.0
OPEN_LOAD = 1.5


def open_tackle(t: Any, y: Any, rate: Any) -> list[Any]:
    """Half of the string below the pegs is s = √(1/4 + y²), the other mass moves by 2(s − s₀)."""
    s = np.sqrt(0.25 + y * y)
    slope, bend = y / s, 0.25 / s**3
    mass = OPEN_LOAD + 4 * HAND * slope * slope
    return [(OPEN_LOAD * GRAVITY - 2 * HAND * GRAVITY * slope - 4 * HAND * slope * bend * rate * rate) / mass]


LOOP = 2 * math.sqrt(0.25 + DEPTH**2)

OPEN_TACKLE = MechanicsProblem(
    "open_tackle",
    listing(
        "A pulley between two pegs",
        body(1, (0.0, 2.0 - DEPTH), OPEN_LOAD),
        body(2, (0.5, 0.5), HAND),
        "C1 (-0.5,2) B1 (0.5,2) B2",
        stop=2.0,
    ),
    Integrated(
        lambda t, y: [(0.0, 2.0 - y), (0.5, 0.5 + 2 * sqrt(0.25 + y * y) - LOOP)], open_tackle, (DEPTH,), (0.0,), 2.0
    ),
    span=2.0,
    error=3e-13,
    limit=1e-9,
    cartesian=Cartesian(
        (OPEN_LOAD, HAND),
        rows=lambda t, p: [run((-0.5, 2.0), p[0], (0.5, 2.0), p[1]) - LOOP - 1.5],
    ),
)

PROBLEMS = (ATWOOD, SWINGING_ATWOOD, TACKLE, OPEN_TACKLE)
