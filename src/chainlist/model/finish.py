"""From placed entities to those of the mechanism: in the order of the text, lengths taken from where everything stands."""

from __future__ import annotations

import math
from operator import attrgetter

from chainlist.constraints.base import shortest
from chainlist.model.assembly import World
from chainlist.model.desk import Desk, Problem
from chainlist.model.entities import PlacedBody, PlacedConstraint
from chainlist.model.mechanism import Body, Constraint, End, Point
from chainlist.model.units import LARGEST, SMALLEST


def finished_bodies(world: World, desk: Desk) -> tuple[Body, ...]:
    """All bodies, those of an instance where the instance stands in the text."""
    ordered = sorted(world.bodies.values(), key=attrgetter("path"))
    for body in ordered:
        numbers = (*body.position, *body.start, *body.velocity)
        # the sum shows whether one of them is no number, which no comparison does
        within = math.isfinite(sum(numbers)) and -LARGEST <= min(numbers) and max(numbers) <= LARGEST
        if not within or not SMALLEST <= body.mass <= LARGEST:
            desk.tell(_out_of_range(body))
            world.broken.add(body.name.lower())
    return tuple(Body(b.name, b.position, b.mass, b.start, b.velocity, b.span) for b in ordered)


def finished_constraints(world: World, desk: Desk) -> tuple[Constraint, ...]:
    found = []
    for constraint in sorted(world.constraints, key=attrgetter("path")):
        try:
            found.append(_finished(constraint, world))
        except Problem as problem:
            desk.tell(problem)
            world.broken.add(constraint.name.lower())
    return tuple(found)


def _finished(constraint: PlacedConstraint, world: World) -> Constraint:
    ends: list[End] = []
    points: list[Point] = []
    for end in constraint.ends:
        if isinstance(end, str):
            body = _body(end, world)
            ends.append(body.name)
            points.append(body.position)
        else:
            ends.append(end)
            points.append(end)
    return _with_numbers(constraint, tuple(ends), tuple(points))


def _body(name: str, world: World) -> PlacedBody:
    """The body at an end, with its own spelling; one that failed takes its constraints along, in silence."""
    body = world.bodies.get(name.lower())
    if body is None or (world.broken and body.name.lower() in world.broken):
        raise Problem()
    return body


def _with_numbers(constraint: PlacedConstraint, ends: tuple[End, ...], points: tuple[Point, ...]) -> Constraint:
    try:
        parameters = constraint.kind.parameters(constraint.values, points)
    except ArithmeticError:
        raise _out_of_range(constraint) from None
    _check_numbers(constraint, ends, parameters)
    return Constraint(constraint.name, constraint.kind.letter, ends, parameters, constraint.span, constraint.words)


def _check_numbers(constraint: PlacedConstraint, ends: tuple[End, ...], parameters: tuple[float, ...]) -> None:
    """A constraint needs numbers that can be computed with, and a length that is not zero if it has one."""
    kind, name = constraint.kind, constraint.name
    for end in ends:
        if not isinstance(end, str) and not all(abs(c) <= LARGEST for c in end):
            raise _out_of_range(constraint)
    if not all(map(math.isfinite, parameters)):
        raise _out_of_range(constraint)
    if kind.length is not None and kind.length(parameters) <= 0:
        names = " and ".join(end if isinstance(end, str) else "its anchor" for end in ends)
        raise Problem(
            "E229",
            f"the {kind.name} {name} has length zero",
            constraint.span,
            label=f"{names} stand in one place",
            help="move one of the ends, or give LENGTH=",
        )
    scale = kind.force_scale(parameters) if kind.force_scale is not None else 1.0
    if not SMALLEST <= scale <= LARGEST or not max(map(abs, parameters), default=0.0) * scale <= LARGEST:
        raise _out_of_range(constraint)


def _out_of_range(entity: PlacedBody | PlacedConstraint) -> Problem:
    return Problem(
        "E205",
        f"{entity.name}: its numbers are too large or too small to compute with",
        entity.span,
        label="out of range",
        help=f"lengths, masses and speeds go from {shortest(SMALLEST)} to {shortest(LARGEST)} in SI units",
    )
