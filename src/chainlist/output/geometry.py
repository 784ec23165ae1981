"""What formulas of elements say about lines, circles and lengths: for pictures of what moves as told."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from chainlist.elements.base import Native, Row, Switch
from chainlist.formula import Constant, End, Formula, Operation, Quantity, function, walk
from chainlist.formula.analysis import over_time, uses
from chainlist.model.mechanism import Element, Mechanism

Numbers = tuple[Formula, ...]
_SPEEDS = ("VX", "VY", "VZ", "OMEGA")


def the_formula(element: Element) -> Formula:
    """Of an element with one row by formula."""
    (row,) = (row for row in element.parts.rows if isinstance(row, Row))
    return row.formula


def replaced(formula: Formula, values: Mapping[Quantity, float]) -> Formula:
    """The formula with numbers in the place of some quantities."""
    if isinstance(formula, Quantity):
        return Constant(values[formula]) if formula in values else formula
    if isinstance(formula, Operation):
        return Operation(formula.operator, tuple(replaced(operand, values) for operand in formula.operands))
    return formula


def number_of(formula: Formula) -> float | None:
    """The value of a formula in which nothing moves."""
    return None if uses(formula) else float(over_time(formula, np.zeros(1))[0])


def belt_speed(switch: Switch) -> float:
    """How fast the surface of a wall runs: the slip of a body at rest, wherever it is, with the sign turned."""
    if not switch.tangents:
        return 0.0
    formula = switch.tangents[0].formula
    quantities = dict.fromkeys(node for node in walk(formula) if isinstance(node, Quantity))
    anywhere = {q: 0.0 if q.function in _SPEEDS else 1.0 + n for n, q in enumerate(quantities)}
    return -float(over_time(replaced(formula, anywhere), np.zeros(1))[0])


def linear_form(row: Formula, body: End, dimension: int) -> tuple[Numbers, Formula]:
    """The normal n and the number c of a row n·x − c."""
    place = [Quantity(axis, (body,)) for axis in "XYZ"[:dimension]]
    konst = -replaced(row, dict.fromkeys(place, 0.0))
    normal = [replaced(row, {p: float(p is q) for p in place}) + konst for q in place]
    return tuple(normal), konst


def line_points(normal: Numbers, konst: Formula) -> tuple[Numbers, Numbers]:
    """Two points of a line of the plane: the foot of the origin, and one a metre further, with the normal to its right."""
    k1, k2 = normal
    length = function("sqrt", k1 * k1 + k2 * k2)
    foot = konst * k1 / (length * length), konst * k2 / (length * length)
    return foot, (foot[0] - k2 / length, foot[1] + k1 / length)


def plane_points(normal: Numbers, konst: Formula) -> tuple[Numbers, Numbers]:
    """The foot of the origin on a plane, and the point a metre off it along its normal."""
    squares: Formula = Constant(0.0)
    for n in normal:
        squares = squares + n * n
    length = function("sqrt", squares)
    foot = tuple(konst * n / squares for n in normal)
    return foot, tuple(f + n / length for f, n in zip(foot, normal, strict=True))


def round_radius(mechanism: Mechanism, end: End) -> float:
    """How far from its point a body meets walls."""
    disks = (body.radius for body in mechanism.rigid if body.points == (end,) and body.radius)
    return float(next(disks, mechanism.bodies[mechanism.body_index[str(end)]].radius))


def wall_form(mechanism: Mechanism, switch: Switch) -> tuple[Numbers, Formula]:
    """The normal and the number of the straight wall that a switch keeps a body off: without the radius of the body."""
    (body,) = switch.who
    radius = round_radius(mechanism, body)
    if isinstance(switch.row, Native):
        *across, away = switch.row.parameters
        return tuple(map(Constant, across)), Constant(away - radius * math.hypot(*across))
    normal, konst = linear_form(switch.row.formula, body, mechanism.dimension)
    squares: Formula = Constant(0.0)
    for n in normal:
        squares = squares + n * n
    return normal, konst - radius * function("sqrt", squares)


def round_wall(mechanism: Mechanism, switch: Switch) -> tuple[End, Formula]:
    """The centre and the radius of a round wall, without the radius of the body."""
    (body,) = switch.who
    radius = round_radius(mechanism, body)
    own = -radius if switch.side > 0 else radius  # from outside, or from inside
    if isinstance(switch.row, Native):
        return switch.row.ends[1], Constant(switch.row.parameters[1] + own)
    distance = next(node for node in walk(switch.row.formula) if isinstance(node, Quantity) and node.function == "DIST")
    return distance.arguments[1], -replaced(switch.row.formula, {distance: 0.0}) + Constant(own)


def rope_length(switch: Switch) -> Formula | None:
    """How long a rope is; None where it is known only when it begins to hold."""
    if switch.as_found:
        return None
    if isinstance(switch.row, Native):
        return Constant(switch.row.parameters[1])
    distances = {
        node: 0.0 for node in walk(switch.row.formula) if isinstance(node, Quantity) and node.function == "DIST"
    }
    return -replaced(switch.row.formula, distances)
