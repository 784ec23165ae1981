"""The value of a formula of the time alone, by the kernels of a run."""

from __future__ import annotations

import numpy as np

from chainlist.equations.interpret import interpreted
from chainlist.equations.layout import empty_tape_work
from chainlist.equations.primitive import Primitive
from chainlist.equations.tape import TapeWriter
from chainlist.formula import Constant, End, Formula, Moving, Point
from chainlist.kernels.tape import forward


def value_at(formula: Formula, t: float = 0.0) -> float:
    """nan where it has none."""
    if isinstance(formula, Constant):
        return formula.value
    writer = TapeWriter(_no_points)
    first, last = writer.add(Primitive(2, _no_links)(formula))
    tape = writer.tape()
    work = empty_tape_work(tape)
    work.rate[1] = 1.0  # branches as they hold at t
    nothing = np.zeros((0, 2))
    try:
        with np.errstate(all="ignore"):
            interpreted(forward, 2)(tape, work, first, last, t, nothing, nothing)
    except (ArithmeticError, ValueError):
        return float("nan")
    return float(work.value[last - 1])


def place_at_start(end: Moving) -> Point:
    """Where a point that moves as told is at the time 0."""
    return tuple(value_at(formula) for formula in end.coordinates)


def _no_points(end: End) -> int:
    raise ValueError("only the time may be used here")


def _no_links(name: str) -> tuple[End, End]:
    raise ValueError("only the time may be used here")
