"""A disk that rolls on the floor and leans, in steady precession: closed, from Euler's equations.

n is its axis at LEAN from the vertical, m the way up in its plane, s = n × m; ω = w n + Ω sin LEAN m, and the centre moves
with r w along s. Its angular momentum A Ω sin LEAN m + C w n turns with Ω about the vertical, and the force at the contact,
which carries weight and centre, must give that: w follows.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.references.bodies.problem import BodyProblem, Exact, at_start, body, listing, place
from tests.references.bodies.vectors import about, add, apply, cross, scale, six
from tests.references.jets import cos, sin

GRAVITY = 9.81
STOP = 5.0
RADIUS, LEAN, PRECESSION, DISK_MASS = 0.3, math.radians(80.0), 0.6, 1.5
ACROSS, AXIAL = 0.25 * DISK_MASS * RADIUS**2, 0.5 * DISK_MASS * RADIUS**2
ROLLING = (
    (ACROSS * PRECESSION**2 * math.sin(LEAN) - DISK_MASS * RADIUS * GRAVITY)
    * math.cos(LEAN)
    / ((AXIAL + DISK_MASS * RADIUS**2) * PRECESSION * math.sin(LEAN))
)


def rolling_disk(t: Any) -> dict[str, Any]:
    """Centre B1, and two points of its rim that are a quarter apart."""
    turn = PRECESSION * t
    around = about((0.0, 1.0, 0.0), turn)
    n = apply(around, (math.sin(LEAN), math.cos(LEAN), 0.0))
    m = apply(around, (-math.cos(LEAN), math.sin(LEAN), 0.0))
    side = cross(n, m)
    centre = add(
        scale(RADIUS * ROLLING / PRECESSION, cross(side, (0.0, 1.0, 0.0))), (0.0, RADIUS * math.sin(LEAN), 0.0)
    )
    own = (ROLLING - PRECESSION * math.cos(LEAN)) * t
    first = add(scale(cos(own), m), scale(sin(own), side))
    second = cross(n, first)
    return {"B1": centre, "B2": add(centre, scale(RADIUS, first)), "B3": add(centre, scale(RADIUS, second))}


KNOWN = Exact(rolling_disk)


def _rolling_text() -> str:
    start, now = at_start(KNOWN), KNOWN([0.0])
    points = [body(n, start[n], speed=[now[f"V{c}({n})"][0] for c in "XYZ"]) for n in start]
    n = np.array((math.sin(LEAN), math.cos(LEAN), 0.0))
    tensor = ACROSS * np.eye(3) + (AXIAL - ACROSS) * np.outer(n, n)
    rise = "hypot(Y(B2)-Y(B1),Y(B3)-Y(B1))"
    rows = [
        f"N{i} {{V{c}(B1)-((Y(B2)-Y(B1))*(V{c}(B2)-V{c}(B1))+(Y(B3)-Y(B1))*(V{c}(B3)-V{c}(B1)))/{rise}}}"
        for i, c in ((1, "X"), (2, "Z"))
    ]
    return listing(
        "A rolling disk",
        *points,
        f"R1 B1 B2 B3 {DISK_MASS} CG={place(start['B1'])} J={six(tensor)}",
        f"G1 {{Y(B1)-{rise}}}",
        *rows,
        stop=STOP,
    )


PROBLEMS = (BodyProblem("rolling_disk", _rolling_text(), KNOWN, STOP, limit=1e-8, speed_limit=1e-7),)
