"""Springs, dampers, couples, a motor and a shaken pivot on bodies of the plane; and a weld. Angles are from straight down."""

from __future__ import annotations

import math
from typing import Any

from tests.references.bodies.problem import BodyProblem, Exact, Lagrange, Parts, at_start, body, listing, place
from tests.references.bodies.swings import Turning, turned
from tests.references.jets import cos, exp, sin

GRAVITY = 9.81
STOP = 5.0
MASS, LONG = 1.5, 0.8
ABOUT_END = MASS * LONG**2 / 3


def hanging(angle: Any, length: float = LONG, pivot: Any = (0.0, 0.0)) -> tuple[Any, Any]:
    return (pivot[0] + length * sin(angle), pivot[1] - length * cos(angle))


# A rod with a torsion spring against the ground, which rests at the start, and its damper.
TORSION, LOSS, FIRST = 4.0, 0.1, 1.2


def _sprung_parts(t: Any, a: Any) -> Parts:
    wound = a - FIRST
    heavy = 0.5 * MASS * GRAVITY * hanging(a)[1]
    return Parts([(ABOUT_END, a)], heavy + 0.5 * TORSION * wound * wound, dampers=[(LOSS, a)])


SPRUNG = BodyProblem(
    "sprung_rod",
    listing(
        "A rod on a torsion spring",
        body("B1", hanging(FIRST)),
        f"R1 (0,0) B1 {MASS}",
        f"K1 ANGLE(R1) {TORSION} DAMP={LOSS}",
        stop=STOP,
    ),
    Lagrange(lambda t, a: {"B1": hanging(a), "R1": a}, _sprung_parts, (FIRST,), (0.0,), STOP),
    STOP,
    limit=1e-9,
)

# Two rods with a torsion spring, a damper and a couple between them: +m on the first, −m on the second.
BETWEEN, RUB, PUSH, BEAT = 3.0, 0.2, 1.0, 2.5
PAIR = (0.9, 0.2)


def pair(t: Any, a: Any, b: Any) -> dict[str, Any]:
    pin = hanging(a)
    return {"B1": pin, "B2": hanging(b, LONG, pin), "R1": a, "R2": b}


def _pair_parts(t: Any, a: Any, b: Any) -> Parts:
    middle = hanging(b, LONG / 2, hanging(a))
    wound = b - a - (PAIR[1] - PAIR[0])
    potential = MASS * GRAVITY * (hanging(a, LONG / 2)[1] + middle[1]) + 0.5 * BETWEEN * wound * wound
    masses = [(ABOUT_END, a), (MASS * LONG**2 / 12, b), (MASS, middle[0]), (MASS, middle[1])]
    return Parts(masses, potential, [(RUB, b - a)], [(PUSH * sin(BEAT * t), a - b)])


PAIR_KNOWN = Lagrange(pair, _pair_parts, PAIR, (0.0, 0.0), STOP)


def _pair_problem() -> BodyProblem:
    p = at_start(PAIR_KNOWN)
    text = listing(
        "Two rods with a torsion spring",
        body("B1", p["B1"]),
        body("B2", p["B2"]),
        f"R1 (0,0) B1 {MASS}",
        f"R2 B1 B2 {MASS}",
        f"K1 ANGLE(R1,R2) {BETWEEN}",
        f"D1 ANGLE(R1,R2) {RUB}",
        f"T1 R1 R2 {{{PUSH}*sin({BEAT}*time)}}",
        stop=STOP,
    )
    return BodyProblem("two_sprung_rods", text, PAIR_KNOWN, STOP, limit=1e-9, speed_limit=3e-8)


# A wheel that a brake slows down: ω = ω₀ exp(−c t / J). A mass at its rim belongs to it.
BRAKE, WHEEL, RIM, RADIUS, SPIN = 0.3, 0.4, 0.5, 0.6, 5.0
WHOLE = WHEEL + RIM * RADIUS**2


def braked(t: Any) -> dict[str, Any]:
    angle = SPIN * WHOLE / BRAKE * (1.0 - exp(-BRAKE / WHOLE * t))
    return {"B1": (RADIUS * cos(angle), RADIUS * sin(angle)), "R1": angle}


BRAKED = BodyProblem(
    "braked_wheel",
    listing(
        "A braked wheel",
        body("B1", (RADIUS, 0.0), RIM),
        f"R1 (0,0) B1 2 CG=(0,0) J={WHEEL} OMEGA={SPIN}",
        f"D1 R1 {BRAKE}",
        stop=STOP,
        gravity="0",
    ),
    Exact(braked),
    STOP,
    limit=1e-9,
)

# A rod on a pivot that is shaken sideways and up.
SHAKE, SHAKING = (0.1, 0.05), (5.0, 7.0)


def shaken(t: Any, a: Any) -> dict[str, Any]:
    return {"B1": hanging(a, LONG, _pivot(t)), "R1": a}


def _pivot(t: Any) -> tuple[Any, Any]:
    return (SHAKE[0] * sin(SHAKING[0] * t), SHAKE[1] * cos(SHAKING[1] * t))


def _shaken_parts(t: Any, a: Any) -> Parts:
    x, y = hanging(a, LONG / 2, _pivot(t))
    return Parts([(MASS, x), (MASS, y), (MASS * LONG**2 / 12, a)], MASS * GRAVITY * y)


SHAKEN_KNOWN = Lagrange(shaken, _shaken_parts, (FIRST,), (0.0,), STOP)
SHAKEN = BodyProblem(
    "rod_on_shaken_pivot",
    listing(
        "A rod on a shaken pivot",
        body("B1", at_start(SHAKEN_KNOWN)["B1"], speed=(SHAKE[0] * SHAKING[0], 0.0)),
        f"R1 ({{{SHAKE[0]}*sin({SHAKING[0]}*time)}},{{{SHAKE[1]}*cos({SHAKING[1]}*time)}}) B1 {MASS}",
        stop=STOP,
    ),
    SHAKEN_KNOWN,
    STOP,
    limit=1e-9,
)

# Two rods on a pin, free and without gravity: a motor bends them, and both turn so that nothing turns as a whole.
SHORT, LIGHT, BENDING, BENDS = 0.5, 0.6, 1.2, 2.0


def bent(t: Any, a: Any, x: Any, y: Any) -> dict[str, Any]:
    b = a + BENDING * sin(BENDS * t) * sin(BENDS * t)
    pin = (x + LONG * cos(a), y + LONG * sin(a))
    return {"B1": (x, y), "B2": pin, "B3": (pin[0] + SHORT * cos(b), pin[1] + SHORT * sin(b)), "R1": a, "R2": b}


def _bent_parts(t: Any, a: Any, x: Any, y: Any) -> Parts:
    p = bent(t, a, x, y)
    masses = []
    for m, length, first, second, turn in ((MASS, LONG, "B1", "B2", "R1"), (LIGHT, SHORT, "B2", "B3", "R2")):
        masses += [(m, 0.5 * (u + v)) for u, v in zip(p[first], p[second], strict=True)]
        masses.append((m * length**2 / 12, p[turn]))
    return Parts(masses)


BENT_KNOWN = Lagrange(bent, _bent_parts, (0.3, 0.0, 0.0), (0.0, 0.0, 0.0), STOP)


def _bent_problem() -> BodyProblem:
    p = at_start(BENT_KNOWN)
    text = listing(
        "Two rods bent by a motor",
        *(body(name, p[name]) for name in ("B1", "B2", "B3")),
        f"R1 B1 B2 {MASS}",
        f"R2 B2 B3 {LIGHT}",
        f"M1 R2 R1 ANGLE={{{BENDING}*sin({BENDS}*time)**2}}",
        stop=STOP,
        gravity="0",
    )
    return BodyProblem("rods_bent_by_motor", text, BENT_KNOWN, STOP, limit=1e-9)


# Two plates that share two points are one body. Rectangles a × b and a × c with a side in common, on a pivot at a corner.
SIDE, LOW, HIGH, PLATES, LEAN = 0.6, 0.4, 0.7, (1.0, 2.5), 0.5


def _welded() -> BodyProblem:
    corners = {"B1": (SIDE, 0), "B2": (SIDE, LOW), "B3": (0, LOW), "B4": (SIDE, LOW + HIGH), "B5": (0, LOW + HIGH)}
    points = {name: turned(x, y, LEAN) for name, (x, y) in corners.items()}
    heights = (LOW / 2, LOW + HIGH / 2)
    mass = sum(PLATES)
    centre = turned(SIDE / 2, sum(m * h for m, h in zip(PLATES, heights, strict=True)) / mass, LEAN)
    about_pivot = sum(
        m * ((SIDE**2 + b**2) / 12 + (SIDE / 2) ** 2 + h**2)
        for m, b, h in zip(PLATES, (LOW, HIGH), heights, strict=True)
    )
    known = Turning(
        {name: ((0.0, 0.0), where) for name, where in points.items()},
        ("R1", "R2"),
        mass * GRAVITY * math.hypot(*centre) / about_pivot,
        math.atan2(centre[0], -centre[1]),
    )
    text = listing(
        "Two plates welded",
        *(body(name, where) for name, where in points.items()),
        f"R1 {place((0, 0))} B1 B2 B3 {PLATES[0]} UNIFORM",
        f"R2 B3 B2 B4 B5 {PLATES[1]} UNIFORM",
        stop=STOP,
        step=5e-4,  # it starts near the top
    )
    return BodyProblem("welded_plates", text, known, STOP, limit=1e-9)


PROBLEMS = (SPRUNG, _pair_problem(), BRAKED, SHAKEN, _bent_problem(), _welded())
