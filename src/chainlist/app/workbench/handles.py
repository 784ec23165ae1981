"""Where in the text the coordinates stand that can be dragged on the canvas.

A body or an anchor can be dragged if both its coordinates are plain numbers of the main text, or parameters that are:
not other expressions, not inside a submachine, an include or an ellipsis. The editor then replaces just these numbers;
all else stays as written.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any

from chainlist.model.units import UNITS
from chainlist.syntax.source import Span
from chainlist.syntax.tree import Argument, Chainlist, Command, Entity, Expr, Name, Number, Point, Setting, Signed, Text


@dataclass(frozen=True)
class Literal:
    """A number of the text: its value in metres, the metres of one of its unit, and its place.

    Behind a parameter with a minus before it, the metres are negative.
    """

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
    finder = _Finder(_parameters(tree))
    found: list[Handle] = []
    for statement in tree.statements:
        if isinstance(statement, Entity):
            body = statement.name.key.startswith("b")
            found += finder.of_body(statement) if body else finder.of_constraint(statement)
    return found


def _parameters(tree: Chainlist) -> dict[str, Literal]:
    """Parameters of the main text that are plain numbers, each defined once."""
    found: dict[str, Literal | None] = {}
    for statement in tree.statements:
        if isinstance(statement, Command) and statement.keyword.key.lstrip(".") == "param":
            for setting in statement.arguments:
                if isinstance(setting, Setting) and not isinstance(setting.value, Text):
                    key = setting.key.key
                    found[key] = None if key in found else _literal(setting.value, {})
    return {key: literal for key, literal in found.items() if literal is not None}


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


@dataclass(frozen=True)
class _Finder:
    """Finds handles in entities."""

    parameters: dict[str, Literal]

    def of_body(self, entity: Entity) -> list[Handle]:
        """The start of a body: IC_POS where it is given, else the position."""
        for argument in entity.arguments:
            if isinstance(argument, Setting) and argument.key.key == "ic_pos":
                return self._of_point(entity.name.text, argument.value) if isinstance(argument.value, Point) else []
        first, *others = entity.arguments or (None,)
        if isinstance(first, Point):
            return self._of_point(entity.name.text, first)
        return self._pair(entity.name.text, first, others[0]) if others else []

    def of_constraint(self, entity: Entity) -> list[Handle]:
        if not entity.name.key.startswith("c"):
            return []
        points = [argument for argument in entity.arguments if isinstance(argument, Point)]
        return [handle for point in points for handle in self._of_point("", point)]

    def _of_point(self, body: str, point: Point) -> list[Handle]:
        return self._pair(body, *point.coordinates) if len(point.coordinates) == 2 else []

    def _pair(self, body: str, x: Argument | None, y: Argument | None) -> list[Handle]:
        across, up = _literal(x, self.parameters), _literal(y, self.parameters)
        if across is None or up is None or across.span == up.span:  # one number cannot follow two coordinates
            return []
        return [Handle(body, across, up)]


def _literal(expression: Argument | Expr | None, parameters: dict[str, Literal]) -> Literal | None:
    """A number or a parameter, perhaps with one sign before it."""
    sign = 1.0
    whole = expression
    if isinstance(expression, Signed) and len(expression.signs) == 1:
        sign = -1.0 if expression.signs == "-" else 1.0
        expression = expression.operand
    if isinstance(expression, Name) and expression.key in parameters:
        behind = parameters[expression.key]
        return Literal(sign * behind.value, sign * behind.metres, behind.span)
    if not isinstance(expression, Number) or not isinstance(whole, Number | Signed):
        return None
    metres = 1.0
    if expression.unit:
        unit = UNITS.get(expression.unit)
        if unit is None or unit.dimension != "length":
            return None
        metres = unit.factor * 10.0**unit.power
    return Literal(sign * float(expression.text) * metres, metres, whole.span)
