"""A mass on a rail, pushed by forces that are straight lines between their corners: polynomials, piece by piece.

The corners lie off the grid of steps. Between them x is cubic and the work of degree four, so that a method of order four
which ends its steps at the corners makes no error but rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tests.references.mechanics.cartesian import Cartesian
from tests.references.mechanics.problem import Floats, MechanicsProblem, Times, body, listing
from tests.references.mechanics.springs import ON_AXIS, on_axis

MASS = 2
START, SPEED = "0.5", "0.25"
Piece = tuple[str, str, str]  # from when, the force there (just after a jump), how it grows per second


@dataclass(frozen=True)
class Polynomials:
    """Exact in rational numbers up to the start of each piece, from decimal texts."""

    pieces: tuple[Piece, ...]

    def __call__(self, times: Times) -> tuple[Floats, Floats, Floats]:
        t = np.atleast_1d(np.asarray(times, float))
        place, speed, rate = np.empty_like(t), np.empty_like(t), np.empty_like(t)
        x, v = Fraction(START), Fraction(SPEED)
        for i, (begin, force, growth) in enumerate(self.pieces):
            a, j = Fraction(force) / MASS, Fraction(growth) / MASS
            mine = t >= float(begin)
            s = t[mine] - float(begin)
            place[mine] = float(x) + s * (float(v) + s * (float(a) / 2 + s * float(j) / 6))
            speed[mine] = float(v) + s * (float(a) + s * float(j) / 2)
            rate[mine] = float(a) + s * float(j)
            if i + 1 < len(self.pieces):
                s_end = Fraction(self.pieces[i + 1][0]) - Fraction(begin)
                x, v = x + s_end * (v + s_end * (a / 2 + s_end * j / 6)), v + s_end * (a + s_end * j / 2)
        return tuple(np.stack([c, np.zeros_like(c)], axis=-1)[:, None] for c in (place, speed, rate))  # type: ignore[return-value]


def _pushed(name: str, force: str, *pieces: Piece) -> MechanicsProblem:
    return MechanicsProblem(
        name,
        listing(
            name,
            body(1, (float(START), 0.0), float(MASS), (float(SPEED), 0.0)),
            ON_AXIS,
            f"F1 B1 ({{{force}}},0)",
            stop=2.0,
        ),
        Polynomials(pieces),
        span=2.0,
        error=3e-13,
        limit=1e-12,
        speed_limit=1e-12,
        balance=1e-12,
        cartesian=Cartesian((float(MASS),), rows=on_axis),
    )


PROBLEMS = (
    _pushed(
        "force_pwl",
        "pwl(time,0.3503,1,0.8503,-2,1.3503,4)",
        ("0", "1", "0"),
        ("0.3503", "1", "-6"),
        ("0.8503", "-2", "12"),
        ("1.3503", "4", "0"),
    ),
    _pushed(
        "force_pulse",
        "pulse(time,-1,3,0.2003,0.1,0.2,0.3004,0.9)",
        ("0", "-1", "0"),
        ("0.2003", "-1", "40"),
        ("0.3003", "3", "0"),
        ("0.6007", "3", "-20"),
        ("0.8007", "-1", "0"),
        ("1.1003", "-1", "40"),
        ("1.2003", "3", "0"),
        ("1.5007", "3", "-20"),
        ("1.7007", "-1", "0"),
    ),
    _pushed(
        "force_step",
        "5*step(time-0.45671)-if(time<1.23457,0,8)",
        ("0", "0", "0"),
        ("0.45671", "5", "0"),
        ("1.23457", "-3", "0"),
    ),
)
