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
from chainlist.model.units import si_unit
from chainlist.syntax.printer import argument as printed
from chainlist.syntax.tree import Argument, Command, Equality, Number, Setting

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
    _refuse_time(argument)
    formula = read_expression(argument, around, "condition")
    if isinstance(formula, Constant):
        help = "compare something that moves, or the time: .stop {Y(B1)<0}"
        raise Problem("E235", "this condition never changes", argument.span, label="a number", help=help)
    formula = finished_condition(formula, argument.span, world, rigid)
    return Stop(expression_text(formula), margin(formula), command.span, printed(argument))


def _refuse_time(argument: Argument) -> None:
    """`.stop 5s`, `.stop time=5` and `.stop X(B1)=2`."""
    if isinstance(argument, Setting | Equality):
        sides = (argument.key, argument.value) if isinstance(argument, Setting) else (argument.left, argument.right)
        left, right = (side.span.text.strip("{}") for side in sides)
        help = (
            f"a condition stands between braces and compares: write .stop {{{left}>={right}}}, or {{{left}<={right}}}"
        )
        raise Problem(
            "E235", ".stop takes a condition, not an equation", argument.span, label="compares nothing", help=help
        )
    if isinstance(argument, Number) and (argument.unit == "" or si_unit(argument.unit) == "s"):
        help = f"the time at which a run ends is that of .tran; an end by the time is written .stop {{time>={argument.span.text}}}"
        raise Problem("E235", ".stop takes a condition, not a time", argument.span, label="a number", help=help)
