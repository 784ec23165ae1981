"""Breakpoints: the times at which functions of the time alone have corners. A step ends exactly there."""

from __future__ import annotations

import numpy as np

from chainlist.elements.base import Law, Row
from chainlist.equations.layout import Floats
from chainlist.formula import Constant, Formula, Moving
from chainlist.formula.analysis import breakpoints
from chainlist.model.mechanism import Element, Mechanism

MOST = 1_000_000


def breakpoints_of(mechanism: Mechanism) -> Floats:
    """All of them up to the end of the run, in order."""
    times = {t for formula in formulas_of(mechanism) for t in breakpoints(formula, mechanism.transient.stop, MOST)}
    return np.array(sorted(times))


def formulas_of(mechanism: Mechanism) -> set[Formula]:
    """Every formula that a run evaluates and that may depend on the time."""
    return {formula for element in mechanism.elements for formula in formulas_of_element(element)}


def formulas_of_element(element: Element) -> list[Formula]:
    """Of the points that it holds, of its rows and of its forces; numbers are none."""
    found = [f for end in element.ends if isinstance(end, Moving) for f in end.coordinates]
    for part in (*element.parts.rows, *element.parts.forces):
        if isinstance(part, Row):
            found.append(part.formula)
        elif isinstance(part, Law):
            found += [f for f in (part.along, part.force) if f is not None]
    return [formula for formula in found if not isinstance(formula, Constant)]
