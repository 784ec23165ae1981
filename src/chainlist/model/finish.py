"""From placed entities to those of the mechanism: in the order of the text, lengths taken from where everything stands."""

from __future__ import annotations

import math

from chainlist.model.assembly import World
from chainlist.model.desk import Desk, Problem
from chainlist.model.entities import PlacedBody, PlacedConstraint
from chainlist.model.mechanism import Body, Constraint, End, Point


def finished_bodies(world: World, desk: Desk) -> tuple[Body, ...]:
    """All bodies, those of an instance where the instance stands in the text."""
    ordered = sorted(world.bodies.values(), key=lambda body: body.path)
    for body in ordered:
        if not all(math.isfinite(number) for number in (*body.position, *body.start, *body.velocity)):
            desk.tell(_too_large(body))
    return tuple(Body(b.name, b.position, b.mass, b.start, b.velocity, b.span) for b in ordered)


def finished_constraints(world: World, desk: Desk) -> tuple[Constraint, ...]:
    found = []
    for constraint in sorted(world.constraints, key=lambda constraint: constraint.path):
        try:
            found.append(_finished(constraint, world))
        except Problem as problem:
            desk.tell(problem)
            world.broken.add(constraint.name.lower())
    return tuple(found)


def _finished(constraint: PlacedConstraint, world: World) -> Constraint:
    ends = tuple(_end(end, world) for end in constraint.ends)
    points = tuple(_position(end, world) for end in ends)
    try:
        parameters = constraint.kind.parameters(constraint.values, points)
    except ArithmeticError:
        raise _too_large(constraint) from None
    _check_numbers(constraint, ends, parameters)
    return Constraint(constraint.name, constraint.kind.letter, ends, parameters, constraint.span)


def _end(end: End, world: World) -> End:
    """The end with its body's own spelling; a body that failed takes its constraints along, in silence."""
    if not isinstance(end, str):
        return end
    body = world.bodies.get(end.lower())
    if body is None:
        raise Problem()
    return body.name


def _position(end: End, world: World) -> Point:
    return world.bodies[end.lower()].position if isinstance(end, str) else end


def _check_numbers(constraint: PlacedConstraint, ends: tuple[End, ...], parameters: tuple[float, ...]) -> None:
    """A constraint needs finite numbers, and a length that is not zero if it has one."""
    kind, name = constraint.kind, constraint.name
    if not all(math.isfinite(number) for number in parameters):
        raise _too_large(constraint)
    if kind.length is not None and kind.length(parameters) <= 0:
        names = " and ".join(end if isinstance(end, str) else "its anchor" for end in ends)
        raise Problem(
            "E229",
            f"the {kind.name} {name} has length zero",
            constraint.span,
            label=f"{names} stand in one place",
            help="move one of the ends, or give LENGTH=",
        )


def _too_large(entity: PlacedBody | PlacedConstraint) -> Problem:
    return Problem(
        "E205",
        f"{entity.name}: its numbers are too large",
        entity.span,
        label="not finite",
        help="bring the positions nearer to one another",
    )
