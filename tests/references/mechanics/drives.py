"""Motors, moving lines and driven constraints: where the machine is, is known from geometry alone, or nearly."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tests.references.jets import cos, cosh, sin, sinh, sqrt
from tests.references.lagrange import MinimalCoordinates
from tests.references.mechanics.cartesian import Cartesian
from tests.references.mechanics.problem import (
    Exact,
    Floats,
    Integrated,
    Known,
    MechanicsProblem,
    Times,
    body,
    constant,
    listing,
)

GRAVITY = 9.81


def square(p: Any, q: Any = (0.0, 0.0)) -> Any:
    dx, dy = p[0] - q[0], p[1] - q[1]
    return dx * dx + dy * dy


# Arevalo (1995): a particle on a circle, x = sin t², y = cos t². Its speed 2t comes from a force 2 along the circle, or
# from a line through the origin that turns like that.


def arevalo(t: Any) -> list[tuple[Any, Any]]:
    return [(sin(t * t), cos(t * t))]


def _on_circle(t: Any, p: Any) -> list[Any]:
    return [square(p[0]) - 1.0]


def _arevalo(name: str, line: str, limit: float, **rest: Any) -> MechanicsProblem:
    return MechanicsProblem(
        name,
        listing("Arevalo's particle", body(1, (0.0, 1.0), 1.0), "C1 B1 (0,0)", line, stop=5.0, gravity="0"),
        Exact(arevalo),
        span=5.0,
        error=5e-12,  # of the second opinion, at 10 rad/s; the formula itself is good to rounding
        limit=limit,
        **rest,
    )


def _arevalo_tension(times: Times) -> Floats:
    return 4 * np.asarray(times, float) ** 2


AREVALO = _arevalo(
    "arevalo",
    "F1 B1 ({2*Y(B1)},{-2*X(B1)})",
    1e-8,
    cartesian=Cartesian((1.0,), (0.0, 0.0), rows=_on_circle, push=lambda t, p, v: [(2 * p[0][1], -2 * p[0][0])]),
    items={"TENSION(C1)": _arevalo_tension},
    item_limit=1e-7,
    from_multipliers={"TENSION(C1)": lambda m: -2 * m.multipliers[:, 0]},
)

AREVALO_DRIVEN = _arevalo(
    "arevalo_driven",
    "G1 {X(B1)*cos(time**2)-Y(B1)*sin(time**2)}",
    1e-12,
    speed_limit=1e-11,
    cartesian=Cartesian(
        (1.0,),
        (0.0, 0.0),
        rows=lambda t, p: [square(p[0]) - 1.0, p[0][0] * cos(t * t) - p[0][1] * sin(t * t)],
    ),
    items={"TENSION(C1)": _arevalo_tension, "LAMBDA(G1)": constant(-2.0)},  # M q̈ = F − Aᵀλ
    from_multipliers={
        "TENSION(C1)": lambda m: -2 * m.multipliers[:, 0],
        "LAMBDA(G1)": lambda m: -m.multipliers[:, 1],
    },
)

# A crank at constant speed, a rod, a slider. The torque is the power over the speed.
CRANK, ROD, SPEED, FIRST = 0.3, 1.0, 2 * math.pi, 0.5
CRANK_MASSES = (1.0, 0.5)


def slider_crank(t: Any) -> list[tuple[Any, Any]]:
    angle = FIRST + SPEED * t
    x, y = CRANK * cos(angle), CRANK * sin(angle)
    return [(x, y), (x + sqrt(ROD**2 - y * y), 0.0)]


def torque(known: Known, masses: tuple[float, ...], speed: float, times: Times) -> Floats:
    """Σ (m a + m g) · v / ω, for a machine that nothing but its motor and gravity does work on."""
    _, v, a = known(times)
    return np.asarray(np.sum((a - np.array((0.0, -GRAVITY))) * v, axis=-1) @ np.array(masses) / speed)


def _motor(turn: float, first: float) -> Callable[[Any, Any], Any]:
    """The driven direction of a crank at the origin: across it nothing is left."""
    return lambda t, p: p[0][1] * cos(first + turn * t) - p[0][0] * sin(first + turn * t)


def _spin(turn: float, radius: float) -> Callable[[Any, Any, Any], list[Any]]:
    """The same motor by its speed: what ω of the crank lacks."""
    return lambda t, p, v: [(p[0][0] * v[0][1] - p[0][1] * v[0][0]) / radius**2 - turn]


def _driven(
    name: str,
    known: Exact,
    masses: tuple[float, ...],
    turn: float,
    first: float,
    radius: float,
    *lines: str,
    **rest: Any,
) -> MechanicsProblem:
    place, speed, _ = known([0.0])
    rows, limit, by_speed = rest.pop("rows"), rest.pop("limit", 1e-13), rest.pop("by_speed", False)
    bodies = [body(i + 1, tuple(place[0, i]), m, tuple(speed[0, i])) for i, m in enumerate(masses)]
    motor = _motor(turn, first)
    if by_speed:
        cartesian = Cartesian(masses, rows=lambda t, p: rows(p), rates=_spin(turn, radius))
    else:
        cartesian = Cartesian(masses, rows=lambda t, p: [*rows(p), motor(t, p)])
    arm = 1.0 if by_speed else radius
    return MechanicsProblem(
        name,
        listing(name, *bodies, *lines, stop=2.0),
        known,
        span=2.0,
        error=3e-13,
        limit=limit,
        cartesian=cartesian,
        items={"TORQUE(M1)": partial(torque, known, masses, turn)},
        from_multipliers={"TORQUE(M1)": lambda m: m.multipliers[:, -1] * arm},
        **rest,
    )


def _crank_rows(p: Any) -> list[Any]:
    return [square(p[0]) - CRANK**2, square(p[0], p[1]) - ROD**2, p[1][1]]


_CRANK_LINES = ("C1 (0,0) B1", "C2 B1 B2", "S1 B2 LINE(0,1,0)")


def _slider_crank(name: str, motor: str, **rest: Any) -> MechanicsProblem:
    return _driven(
        name,
        Exact(slider_crank),
        CRANK_MASSES,
        SPEED,
        FIRST,
        CRANK,
        *_CRANK_LINES,
        motor,
        rows=_crank_rows,
        **rest,
    )


# Quick return: a crank about the origin; its pin runs in the slot of a lever about (0, −1) with a mass at its end.
SHORT, PIVOT, LEVER, TURN, BEGIN = 0.4, -1.0, 2.0, 3.0, 0.7


def quick_return(t: Any) -> list[tuple[Any, Any]]:
    angle = BEGIN + TURN * t
    x, y = SHORT * cos(angle), SHORT * sin(angle)
    reach = LEVER / sqrt(x * x + (y - PIVOT) * (y - PIVOT))
    return [(x, y), (reach * x, PIVOT + reach * (y - PIVOT))]


def _slot_rows(p: Any) -> list[Any]:
    (x1, y1), (x2, y2) = p
    return [square(p[0]) - SHORT**2, square(p[1], (0.0, PIVOT)) - LEVER**2, x1 * (y2 - PIVOT) - (y1 - PIVOT) * x2]


QUICK_RETURN = _driven(
    "quick_return",
    Exact(quick_return),
    (0.5, 1.0),
    TURN,
    BEGIN,
    SHORT,
    "C1 (0,0) B1",
    f"C2 (0,{PIVOT}) B2",
    f"S1 B1 LINE((0,{PIVOT}),B2)",
    f"M1 C1 ANGLE={{{TURN}*time}}",
    rows=_slot_rows,
)

# A bead on a line that turns about the origin: r̈ = ω² r − g sin ωt.
OMEGA, OUT = 1.5, 0.2


def _rotating(t: Any, gravity: float) -> list[tuple[Any, Any]]:
    turn, pull = OMEGA * t, gravity / (2 * OMEGA**2)
    r = OUT * cosh(turn) + pull * (sin(turn) - sinh(turn))
    return [(r * cos(turn), r * sin(turn))]


def _push_of_line(gravity: float, times: Times) -> Floats:
    turn, pull = OMEGA * np.asarray(times, float), gravity / (2 * OMEGA)
    rate = OUT * OMEGA * np.sinh(turn) + pull * (np.cos(turn) - np.cosh(turn))
    return 2 * OMEGA * rate + gravity * np.cos(turn)


def _rotating_line(name: str, gravity: float) -> MechanicsProblem:
    return MechanicsProblem(
        name,
        listing(
            name,
            body(1, (OUT, 0.0), 1.0, (0.0, OUT * OMEGA)),
            "S1 B1 LINE({-sin(w*time)},{cos(w*time)},0)",
            f".param w={OMEGA}",
            stop=3.0,
            gravity=repr(gravity),
        ),
        Exact(partial(_rotating, gravity=gravity)),
        span=3.0,
        error=3e-13,
        limit=1e-9,
        cartesian=Cartesian(
            (1.0,), (0.0, -gravity), rows=lambda t, p: [p[0][1] * cos(OMEGA * t) - p[0][0] * sin(OMEGA * t)]
        ),
        items={"TENSION(S1)": partial(_push_of_line, gravity)},
        from_multipliers={"TENSION(S1)": lambda m: m.multipliers[:, 0]},
    )


# A bead on the line through both bodies of a double pendulum: Lagrange's equations from the geometry.
A, B, SLIDE = 1.0, 0.6, 0.5
BEAD_MASSES = (1.0, 1.0, 0.5)


def bead_on_link(u: Any) -> list[tuple[Any, Any]]:
    a, b, s = u
    x, y = sin(a), -1.0 * cos(a)
    return [(x, y), (x + sin(b), y - cos(b)), (x + s * sin(b), y - s * cos(b))]


def _bead_acceleration(t: Any, *state: Any) -> list[Any]:
    u, w = np.stack(state[:3], axis=-1), np.stack(state[3:], axis=-1)
    return list(np.moveaxis(MinimalCoordinates(bead_on_link, BEAD_MASSES, GRAVITY).accelerations(u, w), -1, 0))


def _bead_rows(t: Any, p: Any) -> list[Any]:
    (x1, y1), (x2, y2), (x3, y3) = p
    return [square(p[0]) - 1.0, square(p[0], p[1]) - 1.0, (x3 - x1) * (y2 - y1) - (y3 - y1) * (x2 - x1)]


BEAD_ON_LINK = MechanicsProblem(
    "bead_on_link",
    listing(
        "A bead on the lower link of a double pendulum",
        *(
            body(i + 1, place, m)
            for i, (place, m) in enumerate(zip(bead_on_link((A, B, SLIDE)), BEAD_MASSES, strict=True))
        ),
        "C1 (0,0) B1",
        "C2 B1 B2",
        "S1 B3 LINE(B1,B2)",
        stop=1.5,
    ),
    Integrated(lambda t, *u: bead_on_link(u), _bead_acceleration, (A, B, SLIDE), (0.0, 0.0, 0.0), 1.5),
    span=1.5,
    error=3e-13,
    limit=1e-9,
    cartesian=Cartesian(BEAD_MASSES, rows=_bead_rows),
)

# A bead on the parabola y = x²/2: (1 + x²) ẍ = −x ẋ² − g x.

PARABOLA = MechanicsProblem(
    "bead_on_parabola",
    listing("A bead on a parabola", body(1, (1.5, 1.125), 1.0), "G1 {Y(B1)}={0.5*X(B1)**2}", stop=5.0),
    Integrated(
        lambda t, x: [(x, 0.5 * x * x)],
        lambda t, x, v: [-x * (v * v + GRAVITY) / (1 + x * x)],
        (1.5,),
        (0.0,),
        5.0,
    ),
    span=5.0,
    error=3e-13,
    limit=1e-9,
    cartesian=Cartesian((1.0,), rows=lambda t, p: [p[0][1] - 0.5 * p[0][0] * p[0][0]]),
)

PROBLEMS = (
    PARABOLA,
    AREVALO,
    AREVALO_DRIVEN,
    _slider_crank("driven_slider_crank", f"M1 C1 ANGLE={{{SPEED!r}*time}}"),
    _slider_crank("slider_crank_at_speed", f"M1 C1 SPEED={{{SPEED!r}}}", limit=1e-9, item_limit=1e-8, by_speed=True),
    QUICK_RETURN,
    _rotating_line("bead_on_rotating_line", 0.0),
    _rotating_line("bead_on_rotating_line_heavy", 1.0),
    BEAD_ON_LINK,
)
