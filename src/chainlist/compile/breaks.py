"""Breakpoints: the times at which functions of the time alone have corners. A step ends exactly there."""

from __future__ import annotations

import numpy as np

from chainlist.elements.base import Law, Row
from chainlist.formula import Constant, Formula, Moving
from chainlist.formula.analysis import breakpoints
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Element, Mechanism

MOST = 1_000_000
AHEAD = 1.5  # s: more than `begin_piece` looks ahead


def breakpoints_of(mechanism: Mechanism) -> Floats:
    """All of them up to the end of the run, in order, and the next: until there the branches of the last piece hold."""
    formulas, stop = formulas_of(mechanism), mechanism.transient.stop
    times = {t for formula in formulas for t in breakpoints(formula, stop, MOST)}
    return np.array([*sorted(times), *_next(formulas, times, stop)])


def _next(formulas: set[Formula], known: set[float], stop: float) -> list[float]:
    """Those at the end itself and the first behind it, if it is within AHEAD: a kernel looks no further."""
    for horizon in sorted({min(stop * factor, stop + AHEAD) for factor in (1.001, 1.1, 2.0)} | {stop + AHEAD}):
        times = {t for formula in formulas for t in breakpoints(formula, horizon, 2 * MOST)} - known
        beyond = sorted(t for t in times if t > stop)
        if beyond:
            return sorted(t for t in times if t == stop) + beyond[:1]
    return sorted(t for t in times if t == stop)


def formulas_of(mechanism: Mechanism) -> set[Formula]:
    """Every formula that a run evaluates and that may depend on the time."""
    return {formula for element in mechanism.elements for formula in formulas_of_element(element)}


def formulas_of_element(element: Element) -> list[Formula]:
    """Of the points that it holds, of its rows and of its forces; numbers are none."""
    found = [f for end in element.ends if isinstance(end, Moving) for f in end.coordinates]
    switched = [row for switch in element.parts.switches for row in (switch.row, *switch.tangents)]
    for part in (*element.parts.rows, *element.parts.forces, *switched):
        if isinstance(part, Row):
            found.append(part.formula)
        elif isinstance(part, Law):
            found += [f for f in (part.along, part.force) if f is not None]
    return [formula for formula in found if not isinstance(formula, Constant)]
