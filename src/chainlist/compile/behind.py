"""What is wrong with the start of ropes, walls and bodies that meet: a body behind a wall, disks that overlap, a rope too short."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from chainlist.elements.base import Native, Row, Switch
from chainlist.equations.equation import Equation, points_in, switched_equations
from chainlist.equations.interpret import by_kind, evaluate
from chainlist.equations.layout import empty_rows
from chainlist.equations.tables import Tables, number_points
from chainlist.formula import Constant, End, Operation, Quantity, end_name
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Mechanism

CLEARLY = 1e-6  # of their distance: two bodies as far apart as this are not behind one another
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
    elements, d = mechanism.elements, mechanism.dimension
    holding = [
        (n, switch)
        for n, element in enumerate(elements)
        for switch in element.parts.switches
        if switch.side and switch.since is None
    ]
    if not holding or not len(q):
        return ()
    holding = _not_clearly_apart(mechanism, holding, q)
    equations, _ = switched_equations([(n, replace(s, tangents=())) for n, s in holding], d, mechanism.held)
    ends = [equation.ends for equation in equations]
    ends += [points_in(equation.formula) for equation in equations if equation.formula is not None]
    names = [body.name for body in mechanism.vectors]
    points = number_points(names, q, np.zeros_like(q), ends, acts=True)
    size = float(np.ptp(points.q, axis=0).max()) or 1.0
    table = Tables(points, equations, (), ()).rows(size, as_written=False)
    rows = empty_rows(table, d)
    kinds = [equation.kind for equation in equations]
    evaluate(table, rows, by_kind(kinds), 0.0, points.q.copy(), np.zeros_like(points.q))
    found = []
    for k, (n, switch) in enumerate(holding):
        gap = switch.side * _metres(equations[k], float(rows.phi[k]))
        if gap < -DEEP * size:
            bodies = tuple(end_name(end) for end in switch.who)
            found.append(Behind(elements[n].name, bodies, -gap))
    return tuple(found)


def _not_clearly_apart(mechanism: Mechanism, holding: list[tuple[int, Switch]], q: Floats) -> list[tuple[int, Switch]]:
    """Without the pairs of bodies that keep their distance: among hundreds of bodies nearly all do."""
    places = dict(zip((body.name for body in mechanism.vectors), q, strict=True))
    for name, weights in mechanism.held.items():
        places[name] = sum((a * places[v] + b * _turned(places[v]) for v, a, b in weights), np.zeros(q.shape[1]))
    order = {id(one): k for k, one in enumerate(holding)}
    kept, pairs = [], []
    for one in holding:
        ends, length = _distance(one[1].row)
        if length > 0.0 and places.keys() >= set(ends):
            pairs.append((one, places[str(ends[0])], places[str(ends[1])], length, one[1].side))
        else:
            kept.append(one)
    if not pairs:
        return holding
    switches, first, second, lengths, sides = zip(*pairs, strict=True)
    gap = np.array(sides) * (np.linalg.norm(np.array(first) - np.array(second), axis=1) - np.array(lengths))
    near = ~(gap > CLEARLY * np.array(lengths))
    return sorted(kept + [switches[k] for k in np.flatnonzero(near).tolist()], key=lambda one: order[id(one)])


def _distance(row: Row | Native) -> tuple[tuple[End, ...], float]:
    """The ends of a row that is a distance less a length, and this length; 0 of any other row."""
    match row:
        case Native(kind="C"):
            return row.ends, row.parameters[1]
        case Row(formula=Operation("-", (Quantity("DIST", ends), Constant(length)))):
            return ends, length
    return (), 0.0


def _turned(vector: Floats) -> Floats:
    """By a right angle, in the plane; in space nothing is."""
    return np.array([-vector[1], vector[0]]) if len(vector) == 2 else np.zeros_like(vector)
