"""Blades: Chaplygin's sleigh, and the knife edge on an incline as a body."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.references.bodies.problem import BodyProblem, ByHand, Exact, body, listing, number, place
from tests.references.jets import cos, sin

# Chaplygin's sleigh: a blade at B1, the centre of mass a ahead of it. v̇ = a ω², ω̇ = −m a v ω / (J + m a²): it ends up
# running straight on, v = V tanh, ω = W sech of κ (t − t₀), with m V² = (J + m a²) W² and κ = m a V / (J + m a²).
AHEAD, LONG, MASS, MOMENT = 0.4, 1.0, 2.0, 0.3
GO, SPIN, HEADING = -0.5, 2.0, 0.7
STOP = 5.0
ABOUT_BLADE = MOMENT + MASS * AHEAD**2


def _sleigh(t: Any, x: Any, y: Any, angle: Any) -> dict[str, Any]:
    return {"B1": (x, y), "B2": (x + LONG * cos(angle), y + LONG * sin(angle)), "R1": angle}


def _sleigh_acceleration(t: Any, x: Any, y: Any, angle: Any, u: Any, w: Any, turn: Any) -> list[Any]:
    c, s = np.cos(angle), np.sin(angle)
    go = u * c + w * s
    gain = AHEAD * turn * turn
    return [gain * c - go * turn * s, gain * s + go * turn * c, -MASS * AHEAD / ABOUT_BLADE * go * turn]


SLEIGH_KNOWN = ByHand(
    _sleigh,
    _sleigh_acceleration,
    (0.0, 0.0, HEADING),
    (GO * math.cos(HEADING), GO * math.sin(HEADING), SPIN),
    STOP,
)


def sleigh_speeds(times: Any) -> tuple[Any, Any]:
    """v and ω by the closed formulas."""
    top = math.sqrt(GO**2 + ABOUT_BLADE / MASS * SPIN**2)
    rate = MASS * AHEAD * top / ABOUT_BLADE
    phase = rate * np.asarray(times, float) + math.atanh(GO / top)
    return top * np.tanh(phase), math.sqrt(MASS / ABOUT_BLADE) * top / np.cosh(phase)


def _sleigh_text() -> str:
    c, s = math.cos(HEADING), math.sin(HEADING)
    return listing(
        "Chaplygin's sleigh",
        body("B1", (0, 0), speed=(GO * c, GO * s)),
        body("B2", (LONG * c, LONG * s)),
        f"R1 B1 B2 {MASS} CG={place((AHEAD * c, AHEAD * s))} J={MOMENT} OMEGA={SPIN}",
        "N1 R1 BLADE(B1)",
        stop=STOP,
        gravity="0",
    )


# Bloch, Nonholonomic Mechanics and Control, 1.6: the edge starts downhill and turns with ω for ever, and moves sideways in
# cycloids, whatever its moment.
SLOPE, OMEGA, HALF = 2.0, 1.5, 0.5
SIZE = SLOPE / (2 * OMEGA**2)


def knife_edge(t: Any) -> dict[str, Any]:
    turn = OMEGA * t
    x, y = SIZE * (turn - sin(turn) * cos(turn)), -SIZE * sin(turn) * sin(turn)
    along, down = HALF * sin(turn), -HALF * cos(turn)
    return {"B1": (x - along, y - down), "B2": (x + along, y + down), "B3": (x, y), "R1": turn}


def _knife_text() -> str:
    return listing(
        "Knife edge",
        body("B1", (0, HALF), speed=(-HALF * OMEGA, 0)),
        body("B2", (0, -HALF), speed=(HALF * OMEGA, 0)),
        body("B3", (0, 0), speed=(0, 0)),
        f"R1 B1 B2 B3 1.5 CG=(0,0) J={number(0.2)}",
        "N1 R1 BLADE(B3)",
        stop=8.0,
        gravity=number(SLOPE),
    )


PROBLEMS = (
    BodyProblem("chaplygin_sleigh", _sleigh_text(), SLEIGH_KNOWN, STOP, limit=1e-10, speed_limit=1e-9),
    BodyProblem("knife_edge_body", _knife_text(), Exact(knife_edge), 8.0, limit=1e-10, speed_limit=1e-9),
)
