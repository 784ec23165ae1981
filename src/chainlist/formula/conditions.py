"""Conditions as formulas that are above 0 where they hold: an event is where such a formula passes 0."""

from __future__ import annotations

from chainlist.formula.core import Constant, Formula, Operation, function


def margin(condition: Formula) -> Formula:
    """By how much a condition holds: b − a of a < b, the least of `and`, the largest of `or`.

    Whatever is no comparison counts as true where it is not 0.
    """
    match condition:
        case Operation("<" | "<=", (a, b)):
            return b - a
        case Operation(">" | ">=", (a, b)):
            return a - b
        case Operation("and", operands):
            return function("min", *(margin(operand) for operand in operands))
        case Operation("or", operands):
            return function("max", *(margin(operand) for operand in operands))
        case Operation("not", (operand,)):
            return -margin(operand)
        case _:
            return function("abs", condition) - Constant(0.5)
