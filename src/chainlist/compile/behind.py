"""What is wrong with the start of ropes, walls and bodies that meet: a body behind a wall, disks that overlap, a rope too short."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from chainlist.compile.switches import find_switches
from chainlist.equations.equation import Equation
from chainlist.equations.interpret import evaluate
from chainlist.equations.layout import empty_rows
from chainlist.equations.tables import Tables, number_points
from chainlist.formula import end_name
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Mechanism

DEEP = 1e-9  # of the size: what is only rounding is put right by the run


@dataclass(frozen=True)
class Behind:
    """An element that holds one side, whose bodies start on the other, so far."""

    element: str
    bodies: tuple[str, ...]
    by: float  # m


def _metres(equation: Equation, phi: float) -> float:
    """Of a distance the row is (d² − l²)/(2 l): d − l from that."""
    if not equation.is_link:
        return phi
    length = equation.parameters[1]
    return math.sqrt(max(length * (length + 2.0 * phi), 0.0)) - length


def behind(mechanism: Mechanism, q: Floats) -> tuple[Behind, ...]:
    """At the positions q of the vectors."""
    switches = find_switches(mechanism)
    if switches is None or not len(q):
        return ()
    names = [body.name for body in mechanism.vectors]
    points = number_points(names, q, np.zeros_like(q), switches.ends, acts=True)
    size = float(np.ptp(points.q, axis=0).max()) or 1.0
    tables = Tables(points, switches.rows, (), ())
    table = tables.rows(size, as_written=False)
    rows = empty_rows(table, mechanism.dimension)
    kinds = [equation.kind for equation in switches.rows]
    evaluate(table, rows, kinds, 0.0, points.q.copy(), np.zeros_like(points.q))
    found = []
    for k, switch in enumerate(switches.switches):
        gap = switch.side * _metres(switches.rows[k], float(rows.phi[k]))
        if gap < -DEEP * size and switch.since is None:
            bodies = tuple(end_name(end) for end in switch.who)
            found.append(Behind(switches.elements[k].name, bodies, -gap))
    return tuple(found)
