"""Which expression has no finite value: what a run that broke down says of it."""

from __future__ import annotations

import math

import numpy as np

from chainlist.compile.breaks import formulas_of_element
from chainlist.equations.equation import points_in
from chainlist.equations.interpret import interpreted
from chainlist.equations.layout import Floats, empty_tape_work
from chainlist.equations.primitive import Primitive
from chainlist.equations.tape import TapeWriter
from chainlist.formula import End, Formula, Moving
from chainlist.formula.analysis import over_time
from chainlist.kernels.tape import forward
from chainlist.model.formula import expression_text
from chainlist.model.mechanism import Mechanism


def not_finite(mechanism: Mechanism, t: float, q: Floats, v: Floats) -> tuple[str, str] | None:
    """The first element of which an expression has no finite value at a state, and the expression; None if all have."""
    for element in mechanism.elements:
        for formula in formulas_of_element(element):
            if not math.isfinite(_value(formula, mechanism, t, q, v)):
                return element.name, expression_text(formula)
    return None


def _value(formula: Formula, mechanism: Mechanism, t: float, q: Floats, v: Floats) -> float:
    index = mechanism.body_index
    primitive = Primitive(mechanism.dimension, _no_link, mechanism.held)(formula)
    moving = [end for end in points_in(primitive) if isinstance(end, Moving)]
    place = {end: len(q) + k for k, end in enumerate(moving)}
    at = np.array([[float(over_time(c, np.array([t]))[0]) for c in end.coordinates] for end in moving])
    places = np.vstack([q, at.reshape(-1, q.shape[1])])
    speeds = np.vstack([v, np.zeros((len(moving), q.shape[1]))])
    writer = TapeWriter(lambda end: place[end] if isinstance(end, Moving) else index[str(end)])
    first, last = writer.add(primitive)
    tape = writer.tape()
    work = empty_tape_work(tape)
    work.rate[1] = 1.0  # branches as they hold at t
    try:
        with np.errstate(all="ignore"):
            interpreted(forward, mechanism.dimension)(tape, work, first, last, t, places, speeds)
    except (ArithmeticError, ValueError):
        return math.nan
    return float(work.value[last - 1])


def _no_link(name: str) -> tuple[End, End]:
    raise ValueError(f"{name} was not replaced by its two ends")
