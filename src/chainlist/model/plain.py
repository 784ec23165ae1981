"""Plain cards of the chainlist itself, placed at once: `B1 (0.2,-1) 1`, `C1 B1 B2` and `C1 B1 (0,0)`.

A large mechanism consists of little else. Whatever is not as plain as this, or in any way wrong, is left to `entities.py`,
and so are the cards of submachines. A test holds both ways against one another.
"""

from __future__ import annotations

import math

from chainlist.elements import REGISTRY
from chainlist.elements.base import Reading
from chainlist.model.entities import Path, PlacedBody, PlacedElement
from chainlist.model.frame import Frame, Standing
from chainlist.model.mechanism import Element, End
from chainlist.model.mechanism import Point as Coordinates
from chainlist.model.units import LARGEST, SMALLEST
from chainlist.syntax.tree import Argument, Entity, Name, Number, Point, Signed

_STILL = {2: (0.0, 0.0), 3: (0.0, 0.0, 0.0)}
_LINK = REGISTRY["C"]
_NO_LENGTH = (None,)  # it follows from the positions
_TWO_ENDS = (None, None)


def plain_body(entity: Entity, name: str, path: Path, dimension: int) -> PlacedBody | None:
    """A body of bare numbers in so many coordinates; None for any other."""
    if len(entity.arguments) != 2:
        return None
    point, mass = entity.arguments
    position = _coordinates(point, dimension)
    if position is None or type(mass) is not Number or mass.unit:
        return None
    weight = float(mass.text)
    if not 0.0 < weight < math.inf:
        return None
    return PlacedBody(name, position, weight, position, _STILL[dimension], entity.span, path)


def plain_link(entity: Entity, frame: Frame, name: str, path: Path) -> PlacedElement | None:
    """A link between two bodies that stand, or one and an anchor of bare numbers; None for any other entity."""
    if entity.name.key[0] != "c" or len(entity.arguments) != 2 or frame.identity.submachine:
        return None
    one, other = entity.arguments
    first = _standing(one, frame)
    second: End | None = _standing(other, frame) if type(other) is Name else _coordinates(other, frame.desk.space.told)
    if first is None or second is None or first == second:
        return None
    return PlacedElement(name, _LINK, Reading((first, second), _NO_LENGTH), entity.span, path, _TWO_ENDS)


def finished_link(element: PlacedElement, world: Standing) -> Element | None:
    """The element of a plain link whose length follows from where its ends stand; None for any other, and for what is wrong."""
    reading = element.reading
    if element.words is not _TWO_ENDS or world.broken:
        return None
    first, second = reading.ends
    one = world.bodies.get(first.lower()) if type(first) is str else None
    if one is None:
        return None
    if type(second) is str:
        body = world.bodies.get(second.lower())
        if body is None:
            return None
        other = body.position
    elif type(second) is tuple and -LARGEST <= min(second) and max(second) <= LARGEST:
        other = second
    else:
        return None
    assert _LINK.parameters is not None
    parameters = _LINK.parameters(_NO_LENGTH, (one.position, other))
    squared, length = parameters
    if not (4.0 * SMALLEST < length < 0.25 * LARGEST and squared < LARGEST * length):  # well within what is allowed
        return None
    return Element(element.name, "C", (one.name, second), parameters, element.span, _TWO_ENDS)


def _standing(word: Argument, frame: Frame) -> str | None:
    body = frame.standing.bodies.get(word.key) if type(word) is Name else None
    return None if body is None else body.name


def _coordinates(word: Argument, dimension: int) -> Coordinates | None:
    if type(word) is not Point or len(word.coordinates) != dimension:
        return None
    found = tuple([_number(coordinate) for coordinate in word.coordinates])
    return found if all(map(math.isfinite, found)) else None


def _number(word: Argument) -> float:
    """The value of a bare number, with one minus sign or none; infinity for anything else."""
    if type(word) is Signed:
        return -_number(word.operand) if word.signs == "-" and type(word.operand) is Number else math.inf
    return float(word.text) if type(word) is Number and not word.unit else math.inf
