"""Plain cards of the chainlist itself, placed at once: `B1 (0.2,-1) 1`, `C1 B1 B2` and `C1 B1 (0,0)`.

A large mechanism consists of little else. Whatever is not as plain as this, or in any way wrong, is left to `entities.py`,
and so are the cards of submachines. A test holds both ways against one another.
"""

from __future__ import annotations

import math

from chainlist.elements import REGISTRY
from chainlist.elements.base import Reading
from chainlist.model.entities import Path, PlacedBody, PlacedElement
from chainlist.model.frame import Frame
from chainlist.model.mechanism import End
from chainlist.model.mechanism import Point as Coordinates
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
