"""Where in the text the coordinates stand that can be dragged on the canvas.

A body or an anchor can be dragged if both its coordinates are plain numbers of the main text: not expressions, not
inside a submachine, an include or an ellipsis. The editor then replaces just these numbers; all else stays as written.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any

from chainlist.model.units import UNITS
from chainlist.syntax.source import Span
from chainlist.syntax.tree import Argument, Chainlist, Entity, Expr, Number, Point, Setting, Signed


@dataclass(frozen=True)
class Literal:
    """A number of the text: its value in metres, the metres of one of its unit, and its place."""

    value: float
    metres: float
    span: Span


@dataclass(frozen=True)
class Handle:
    """What can be dragged: a body by its name, or the fixed point at an end of a link (no name)."""

    body: str
    x: Literal
    y: Literal


def handles(tree: Chainlist) -> list[Handle]:
    """All handles of a text, in its order."""
    found: list[Handle] = []
    for statement in tree.statements:
        if isinstance(statement, Entity):
            found += _of_body(statement) if statement.name.key.startswith("b") else _of_constraint(statement)
    return found


def as_data(handle: Handle, offsets: Offsets) -> dict[str, Any]:
    """For the browser: `at` in metres, and for each coordinate from, to, metres of its unit, and the text there."""
    return {
        "body": handle.body,
        "at": [handle.x.value, handle.y.value],
        "x": _literal_data(handle.x, offsets),
        "y": _literal_data(handle.y, offsets),
    }


class Offsets:
    """Offsets of Python (code points) as offsets of JavaScript (UTF-16 units)."""

    def __init__(self, text: str) -> None:
        self._wide = [i for i, c in enumerate(text) if ord(c) > 0xFFFF]

    def __call__(self, offset: int) -> int:
        return offset + bisect_left(self._wide, offset)


def _literal_data(literal: Literal, offsets: Offsets) -> list[Any]:
    span = literal.span
    return [offsets(span.start), offsets(span.stop), literal.metres, span.text]


def _of_body(entity: Entity) -> list[Handle]:
    """The start of a body: IC_POS where it is given, else the position."""
    for argument in entity.arguments:
        if isinstance(argument, Setting) and argument.key.key == "ic_pos":
            return _of_point(entity.name.text, argument.value) if isinstance(argument.value, Point) else []
    first, *others = entity.arguments or (None,)
    if isinstance(first, Point):
        return _of_point(entity.name.text, first)
    if others:
        return _pair(entity.name.text, first, others[0])
    return []


def _of_constraint(entity: Entity) -> list[Handle]:
    if not entity.name.key.startswith("c"):
        return []
    return [h for argument in entity.arguments if isinstance(argument, Point) for h in _of_point("", argument)]


def _of_point(body: str, point: Point) -> list[Handle]:
    return _pair(body, *point.coordinates) if len(point.coordinates) == 2 else []


def _pair(body: str, x: Argument | None, y: Argument | None) -> list[Handle]:
    across, up = _literal(x), _literal(y)
    return [Handle(body, across, up)] if across and up else []


def _literal(expression: Argument | Expr | None) -> Literal | None:
    """A number, perhaps with one sign before it."""
    sign = 1.0
    whole = expression
    if isinstance(expression, Signed) and len(expression.signs) == 1:
        sign = -1.0 if expression.signs == "-" else 1.0
        expression = expression.operand
    if not isinstance(expression, Number) or not isinstance(whole, Number | Signed):
        return None
    metres = 1.0
    if expression.unit:
        unit = UNITS.get(expression.unit)
        if unit is None or unit.dimension != "length":
            return None
        metres = unit.factor * 10.0**unit.power
    return Literal(sign * float(expression.text) * metres, metres, whole.span)
