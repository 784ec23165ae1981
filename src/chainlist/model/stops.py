"""`.stop {condition}`: the run ends where the condition begins to hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from chainlist.formula import Constant
from chainlist.formula.conditions import margin
from chainlist.model.assembly import World
from chainlist.model.desk import Problem
from chainlist.model.expressions import Surroundings, read_expression
from chainlist.model.finish import finished_condition
from chainlist.model.formula import expression_text
from chainlist.model.mechanism import Stop
from chainlist.syntax.printer import argument as printed
from chainlist.syntax.tree import Command

if TYPE_CHECKING:
    from chainlist.model.rigid import Rigid


def read_stops(
    commands: Iterable[Command], around: Surroundings, world: World, rigid: Rigid | None
) -> tuple[Stop, ...]:
    found = []
    for command in commands:
        try:
            found.append(_read_stop(command, around, world, rigid))
        except Problem as problem:
            world.desk.tell(problem)
    return tuple(found)


def _read_stop(command: Command, around: Surroundings, world: World, rigid: Rigid | None) -> Stop:
    if len(command.arguments) != 1:
        what = f".stop takes one condition, not {len(command.arguments)}"
        help = "write .stop {Y(B1)<0}; several conditions are joined by and, or"
        raise Problem("E235", what, command.span, label="one condition", help=help)
    (argument,) = command.arguments
    formula = read_expression(argument, around, "condition")
    if isinstance(formula, Constant):
        help = "compare something that moves, or the time: .stop {Y(B1)<0}"
        raise Problem("E235", "this condition never changes", argument.span, label="a number", help=help)
    formula = finished_condition(formula, argument.span, world, rigid)
    return Stop(expression_text(formula), margin(formula), command.span, printed(argument))
