"""Forgotten degrees: a bare number of more than a turn, where an angle is wanted or its sine is taken. A note, no more."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from chainlist.formula.functions import FUNCTIONS
from chainlist.model.desk import Problem
from chainlist.model.evaluate import calls_in, names_in, single_number
from chainlist.syntax.diagnostics import Related
from chainlist.syntax.source import Span
from chainlist.syntax.tree import Braces, Call, Expr, Group, Name, Number, Signed, Sum

if TYPE_CHECKING:
    from chainlist.model.parameters import Scope

OF_ANGLES = ("sin", "cos", "tan")


def note_in_function(call: Call, scope: Scope, bound: Collection[str]) -> None:
    """`sin(60)`; not where the time is in it, or a formal of a function, in `bound`, whose value is another at each call."""
    argument = call.arguments[0] if len(call.arguments) == 1 else None
    if call.function.key not in OF_ANGLES or argument is None:
        return
    moves = any(name.key == "time" or name.key in bound for name in names_in(argument))
    if not moves and all(inner.function.key in FUNCTIONS for inner in calls_in(argument)):
        note_angle(argument, scope, call.span, in_function=True)


def note_angle(expression: Expr, scope: Scope, where: Span, *, in_function: bool = False) -> None:
    """The terms of an angle, or of what a sine is taken of, which may be no angle; not of products: these may convert."""
    for term in _terms(expression):
        if isinstance(term, Number):
            _note(term, scope, f"{term.text} without a unit is")
        elif isinstance(term, Name) and (cell := scope.find(term.key)) is not None:
            cell.is_angle = True
            number = single_number(cell.expression) if cell.expression is not None else None
            if number is not None:
                is_angle = f"{cell.name.text} is an {'argument of sin, cos or tan' if in_function else 'angle'}"
                said = f"{is_angle}, and {number.text} without a unit is"
                _note(number, cell.scope, said, Related(where, "used here"))


def is_bare_turn(number: Number) -> bool:
    """Whether a number has no unit, and would be more than a turn in radians."""
    return not number.unit and float(number.text) > math.tau


def _note(number: Number, scope: Scope, said: str, *also: Related) -> None:
    if is_bare_turn(number):
        message, help = f"{said} {number.text} rad: more than a turn", f"if degrees are meant, write {number.text}deg"
        scope.desk.tell(Problem("N206", message, number.span, label="no unit", help=help, also=also), scope.where)


def _terms(expression: Expr) -> Iterator[Expr]:
    while isinstance(expression, Signed | Group | Braces):
        expression = expression.operand if isinstance(expression, Signed) else expression.inner
    if isinstance(expression, Sum):
        for term in expression.terms:
            yield from _terms(term)
    else:
        yield expression
