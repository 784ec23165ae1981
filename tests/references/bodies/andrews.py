"""Andrews' squeezing mechanism: seven bodies, one freedom, a spring and a constant couple.

Data and the values at the end are those of the Test Set for IVP Solvers (Mazzia and Magherini, problem ANDREWS), which are
also IFToMM's A03. There the seven angles are coordinates with six multipliers, in milliseconds; here only the crank's angle
is a coordinate and the rest follows from three triangles.
"""

from __future__ import annotations

import math
from typing import Any

from tests.references.bodies.problem import BodyProblem, Lagrange, Parts, at_start, body, listing, number, place
from tests.references.jets import atan2, cos, sin, sqrt

STOP = 0.03
A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)
MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
MOMENTS = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
CRANK, CRANK_CENTRE = 7e-3, 92e-5  # rr, ra
ROD, ROD_CENTRE = 28e-3, 115e-4  # d, da: from the crank's pin
LEVER = 35e-3  # ss, from B to the common pin
LEVER_CENTRE, LEVER_SPRING = (1874e-5, 1043e-5), (18e-3, 2e-2)  # along the lever and to its side: sa sb, sc sd
SHORT, SHORT_CENTRE, ARM = 2e-2, 1421e-5, 4e-2  # e, ea, zt; zf, fa, u are the same
ARM_CENTRES = ((2308e-5, 916e-5), (1228e-5, 449e-5))  # ta tb, ua ub
STIFFNESS, LENGTH, COUPLE = 4530.0, 7785e-5, 33e-3
BETA = -0.0617138900142764496358948458001

# β, Θ, γ, φ, δ, Ω, ε and their rates at t = 0.03 as published.
PUBLISHED = (
    (
        0.1581077119629904e2,
        -0.1575637105984298e2,
        0.4082224013073101e-1,
        -0.5347301163226948,
        0.5244099658805304,
        0.5347301163226948,
        0.1048080741042263e1,
    ),
    (
        0.1139920302151208e4,
        -0.1424379294994111e4,
        0.1103291221937134e2,
        0.1929337464421385e2,
        0.5735699284790808,
        -0.1929337464421385e2,
        0.3231791658026955,
    ),
)
Point = tuple[Any, Any]


def between(p: Point, q: Point, along: float, side: float = 0.0, length: float = 1.0) -> Point:
    """From p towards q, and to the left of that way; `length` is the distance of p and q."""
    dx, dy = (q[0] - p[0]) / length, (q[1] - p[1]) / length
    return (p[0] + along * dx - side * dy, p[1] + along * dy + side * dx)


def triangle(p: Point, q: Point, from_p: float, from_q: float, side: float) -> Point:
    """The point with these distances from p and q, to the left of the way from p to q for side = 1."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    square = dx * dx + dy * dy
    along = (square + from_p**2 - from_q**2) / (2 * square)
    high = side * sqrt(from_p**2 / square - along * along)
    return (p[0] + along * dx - high * dy, p[1] + along * dy + high * dx)


def pins(beta: Any) -> dict[str, Point]:
    """B1 crank's pin F, B2 the pin of four bodies E, B3 G, B4 H, B5 D of the spring."""
    f = (CRANK * cos(beta), CRANK * sin(beta))
    e = triangle(f, B, ROD, LEVER, 1.0)
    g = triangle(A, e, ARM, SHORT, 1.0)
    h = triangle(A, e, ARM, SHORT, -1.0)
    return {"B1": f, "B2": e, "B3": g, "B4": h, "B5": between(B, e, *LEVER_SPRING, LEVER)}


def centres(beta: Any, p: dict[str, Point]) -> list[Point]:
    return [
        (CRANK_CENTRE * cos(beta), CRANK_CENTRE * sin(beta)),
        between(p["B1"], p["B2"], ROD_CENTRE, 0.0, ROD),
        between(B, p["B2"], *LEVER_CENTRE, LEVER),
        between(p["B2"], p["B3"], SHORT_CENTRE, 0.0, SHORT),
        between(A, p["B3"], *ARM_CENTRES[0], ARM),
        between(p["B2"], p["B4"], SHORT_CENTRE, 0.0, SHORT),
        between(A, p["B4"], ARM_CENTRES[1][0], -ARM_CENTRES[1][1], ARM),
    ]


def _direction(p: Point, q: Point) -> Any:
    return atan2(q[1] - p[1], q[0] - p[0])


def angles(beta: Any, p: dict[str, Point]) -> list[Any]:
    """Directions of the seven bodies: the rod from the common pin to the crank, which turns but little against β."""
    ways = ((p["B2"], p["B1"]), (B, p["B2"]), (p["B2"], p["B3"]), (A, p["B3"]), (p["B2"], p["B4"]), (A, p["B4"]))
    return [beta, *(_direction(*way) for way in ways)]


def _trace(t: Any, beta: Any) -> dict[str, Any]:
    p = pins(beta)
    return {**p, **{f"R{i + 1}": angle for i, angle in enumerate(angles(beta, p))}}


def _parts(t: Any, beta: Any) -> Parts:
    p = pins(beta)
    masses = [(m, x) for m, centre in zip(MASSES, centres(beta, p), strict=True) for x in centre]
    masses += list(zip(MOMENTS, angles(beta, p), strict=True))
    (dx, dy) = p["B5"][0] - C[0], p["B5"][1] - C[1]
    stretch = sqrt(dx * dx + dy * dy) - LENGTH
    return Parts(masses, 0.5 * STIFFNESS * stretch * stretch, pushes=[(COUPLE, beta)])


KNOWN = Lagrange(_trace, _parts, (BETA,), (0.0,), STOP)


def _text() -> str:
    start = at_start(KNOWN)
    p = {name: start[name] for name in ("B1", "B2", "B3", "B4", "B5")}
    holds = ("(0,0) B1", "B1 B2", f"{place(B)} B2 B5", "B2 B3", f"{place(A)} B3", "B2 B4", f"{place(A)} B4")
    bodies = [
        f"R{i + 1} {points} {mass!r} CG={place(centre)} J={moment!r}"
        for i, (points, mass, centre, moment) in enumerate(zip(holds, MASSES, centres(BETA, p), MOMENTS, strict=True))
    ]
    return listing(
        "Andrews' squeezing mechanism",
        *(body(name, where) for name, where in p.items()),
        *bodies,
        f"K1 B5 {place(C)} {STIFFNESS} L0={number(LENGTH)}",
        f"T1 R1 {{{COUPLE}}}",
        stop=STOP,
        step=1e-5,
        gravity="0",
    )


PROBLEMS = (BodyProblem("andrews", _text(), KNOWN, STOP, limit=1e-8, speed_limit=1e-6, error=1e-10),)


def published_angles(beta: float) -> list[float]:
    """β, Θ, γ, φ, δ, Ω, ε from β, each up to whole turns."""
    p = pins(beta)
    _, rod, lever, _, first, _, second = angles(beta, p)
    epsilon, gamma = second + math.pi / 2, lever + math.pi / 2
    phi = _direction(p["B3"], p["B2"]) + math.pi / 2 - first
    omega = _direction(p["B4"], p["B2"]) - epsilon
    return [beta, rod - beta, gamma, phi, first, omega, epsilon]
