"""What a system of equations must provide, and the table of all systems.

1. `rhs(s, w, t, q, v, qd, vd, judge)` is a kernel: the derivatives of q and v. It calls `free` (accelerations without
   constraints), `rows` (A, b, Φ, and r = −A x), `prepare` (the pseudoinverse) and `correct` (moves y by
   M^(-1/2) (A M^(-1/2))⁺ r so that A y = g, where r holds g − A y), and leaves
   the multipliers of the velocity equation in `w.rows.r`. `judge` is 1.0 where the rank may be judged anew: at grid points.
2. `land(s, w, t, h, q, v)` ends a step: it may move q and v, and leaves the derivatives there in w.qdn and w.vdn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Formulation:
    name: str  # DAESYSTEM=<name>
    meaning: str  # one line
    rhs: Callable[..., Any]
    land: Callable[..., Any]
    projects: bool = False  # True: every step ends on Φ = 0, so a leap shows
    adaptive: bool = True  # goes with integrators that choose their own step
    switches: bool = False  # it knows rows that hold only at times
    # Order that a Runge–Kutta method keeps: min(order, this). The damping of (10) costs all beyond the second.
    highest_order: int = 99


REGISTRY: dict[str, Formulation] = {}


def register(system: Formulation) -> Formulation:
    if system.name in REGISTRY:
        raise ValueError(f"DAESYSTEM {system.name} is taken")
    REGISTRY[system.name] = system
    return system
