"""Arithmetic: expression trees → numbers. Nothing is handed to Python's eval, and only the branches of `if` recurse."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from chainlist.formula.functions import COMPARISONS, FUNCTIONS, LOGIC, Function
from chainlist.model.desk import Problem
from chainlist.syntax.source import Span
from chainlist.syntax.tree import (
    Braces,
    Call,
    Comparison,
    Expr,
    Group,
    Logic,
    Name,
    Not,
    Number,
    Point,
    Power,
    Product,
    Signed,
    Sum,
)

T = TypeVar("T")

CONSTANTS = {"pi": math.pi}
ALIASES = {
    "ln": "log",
    "arctan2": "atan2",
    "fabs": "abs",
    "pow": "x**y",
    "power": "x**y",
    "heaviside": "step",
    "smoothstep": "smooth",
    "signum": "sign",
    "sgn": "sign",
    "limit": "min(max(x,low),high)",
    "clip": "min(max(x,low),high)",
    "where": "if",
    "iif": "if",
    "interp": "table",
    "int": "floor",
}  # what others call them
# What no formal of a function may be called either.
WORDS = frozenset((*FUNCTIONS, *CONSTANTS, *LOGIC, "time"))
# Names that mean something else in .plot and .print.
RESERVED = WORDS | {"t", "u", "etotal"}


def operands(node: Expr) -> tuple[Expr, ...]:
    """The parts of a node, in the order of the text; those of a power without their signs, see `negated`."""
    match node:
        case Signed():
            return (node.operand,)
        case Sum():
            return node.terms
        case Product():
            return node.factors
        case Power():
            return tuple(part.operand if isinstance(part, Signed) else part for part in node.parts)
        case Group() | Braces():
            return (node.inner,)
        case Point():
            return node.coordinates
        case Call():
            return node.arguments
        case Comparison():
            return (node.left, node.right)
        case Logic():
            return node.parts
        case Not():
            return (node.operand,)
        case _:
            return ()


def negated(power: Power) -> list[bool]:
    """Of each part: whether a minus stands before the power of it and all that follow. 2**-3**2 is 2**(-(3**2))."""
    return [isinstance(part, Signed) and part.signs.count("-") % 2 == 1 for part in power.parts]


def _is_true(value: Any) -> bool | None:
    return bool(value) if isinstance(value, float) else None


def fold(
    expression: Expr,
    leaf: Callable[[Expr], T | None],
    join: Callable[[Expr, list[T]], T],
    truth: Callable[[T], bool | None] = _is_true,
) -> T:
    """Reduce a tree from its leaves. `leaf` gives the value of a node, or None: then `join` makes it from its operands.

    `truth` says whether a condition holds, None where that is not known yet.
    """
    todo: list[tuple[Expr, bool]] = [(expression, False)]
    values: list[T] = []
    while todo:
        node, ready = todo.pop()
        if ready:
            first = len(values) - len(operands(node))
            parts = values[first:]
            del values[first:]
            values.append(join(node, parts))
            continue
        value = leaf(node)
        if value is not None:
            values.append(value)
        elif isinstance(node, Call) and node.function.key == "if" and len(node.arguments) == 3:
            values.append(_choose(node, leaf, join, truth))
        else:
            todo.append((node, True))
            todo.extend((part, False) for part in reversed(operands(node)))
    return values[0]


def _choose(
    node: Call,
    leaf: Callable[[Expr], T | None],
    join: Callable[[Expr, list[T]], T],
    truth: Callable[[T], bool | None],
) -> T:
    """`if(n>0,1/n,0)`: a branch that is not taken need not have a value."""
    condition = fold(node.arguments[0], leaf, join, truth)
    holds = truth(condition)
    if holds is None:
        return join(node, [condition, *(fold(branch, leaf, join, truth) for branch in node.arguments[1:])])
    taken, other = node.arguments[1:] if holds else node.arguments[:0:-1]
    try:
        fold(other, leaf, join, truth)
    except Problem as problem:
        if problem.code != "E205":
            raise
    return fold(taken, leaf, join, truth)


def names_in(expression: Expr) -> Iterator[Name]:
    """The names an expression refers to; names of functions are not among them."""
    todo = [expression]
    while todo:
        node = todo.pop()
        if isinstance(node, Name):
            yield node
        todo.extend(reversed(operands(node)))


def calls_in(expression: Expr) -> Iterator[Call]:
    """The calls of functions in an expression."""
    todo = [expression]
    while todo:
        node = todo.pop()
        if isinstance(node, Call):
            yield node
        todo.extend(reversed(operands(node)))


def single_number(expression: Expr) -> Number | None:
    """The number an expression consists of, with signs and brackets around it; None for anything else."""
    while isinstance(expression, Signed | Group | Braces):
        expression = operands(expression)[0]
    return expression if isinstance(expression, Number) else None


def arithmetic(node: Expr, values: list[float]) -> float:
    """The value of a node from those of its operands; anything without a finite value is a problem at the node."""
    try:
        result = _compute(node, values)
    except ZeroDivisionError:
        raise _undefined(node, "a division by zero", values) from None
    except OverflowError:
        raise _undefined(node, "too large for a number", values) from None
    except ValueError:
        raise _undefined(node, "not defined", values) from None
    if math.isfinite(result):
        return result
    raise _undefined(node, "too large for a number" if math.isinf(result) else "not defined", values)


def _compute(node: Expr, values: list[float]) -> float:
    match node:
        case Signed():
            return -values[0] if node.signs.count("-") % 2 else values[0]
        case Sum():
            return _accumulate(values, node.signs)
        case Product():
            return _accumulate(values, node.operators)
        case Power():
            return _raise_powers(values, negated(node))
        case Call():
            function = function_of(node)
            check_points(node, function, values[1:])
            return float(function.compute(*values))
        case Comparison():
            return float(COMPARISONS[node.operator](*values))
        case Logic():
            return float(all(values) if node.operator == "and" else any(values))
        case Not():
            return float(not values[0])
        case Point():
            raise not_a_number(node)
        case _:
            return values[0]


def _accumulate(values: list[float], operators: Sequence[str]) -> float:
    result = values[0]
    for operator, value in zip(operators, values[1:], strict=True):
        if operator == "+":
            result += value
        elif operator == "-":
            result -= value
        elif operator == "*":
            result *= value
        else:
            result /= value
    return result


def _raise_powers(values: list[float], minus: list[bool]) -> float:
    """a**b**c is a**(b**c)."""
    result = -values[-1] if minus[-1] else values[-1]
    for base, sign in zip(reversed(values[:-1]), reversed(minus[:-1]), strict=True):
        if base == 0 and result < 0:
            raise ZeroDivisionError
        result = math.pow(base, result)
        result = -result if sign else result
    return result


def function_of(node: Call) -> Function:
    """The function that a call means; an unknown one or a wrong number of arguments is a problem."""
    function = FUNCTIONS.get(node.function.key)
    if function is None:
        raise Problem(
            "E207",
            f"there is no function {node.function.text}",
            node.function.span,
            label="unknown function",
            help=f"functions are {' '.join(FUNCTIONS)}",
        )
    given = len(node.arguments)
    if given < function.least or (function.most is not None and given > function.most):
        raise wrong_number(node, function.least, f"{node.function.text}({function.arguments})", function.most is None)
    return function


def wrong_number(node: Call, wanted: int, usage: str, or_more: bool = False) -> Problem:
    """A problem for a call with too few or too many arguments."""
    number = "one" if wanted == 1 and or_more else str(wanted) if wanted else "no"
    plural = "" if wanted == 1 else "s"
    return Problem(
        "E208",
        f"{node.function.text} takes {'at least ' if or_more else ''}{number} argument{plural}, not {len(node.arguments)}",
        node.span,
        label=f"{len(node.arguments)} given",
        help=f"write {usage}",
    )


def check_points(node: Call, function: Function, values: Sequence[float | None]) -> None:
    """The arguments behind the first of pwl, table, spline, pulse: constants that make sense. None: not a constant."""
    if function.check is None:
        return
    for value, argument in zip(values, node.arguments[1:], strict=True):
        if value is None:
            what = f"all arguments of {function.name} behind the first are numbers that do not change"
            raise _wrong_points(node, function, what, argument.span, "changes during the motion")
    wrong = function.check([value for value in values if value is not None])
    if wrong:
        raise _wrong_points(node, function, f"{node.function.text}: {wrong}", node.span, "wrong points")


def _wrong_points(node: Call, function: Function, message: str, at: Span, label: str) -> Problem:
    return Problem("E214", message, at, label=label, help=f"write {function.usage}")


def not_a_number(node: Any) -> Problem:
    """A problem for what stands where a number is wanted."""
    what = {"Point": "a point", "Text": "a text", "Together": "a text", "Setting": "a setting"}.get(
        type(node).__name__, "this"
    )
    return Problem(
        "E209", f"a number is wanted here, not {what}", node.span, label="not a number", help="write a number"
    )


def _undefined(node: Expr, why: str, values: list[float]) -> Problem:
    if isinstance(node, Call):
        needs = FUNCTIONS[node.function.key].needs if node.function.key in FUNCTIONS else ""
        help = f"{node.function.key} needs {needs}" if needs else "check its arguments"
    elif isinstance(node, Power) and why == "not defined":
        help = "a negative number has only whole powers"
    else:
        help = "check the values: " + ", ".join(f"{value:g}" for value in values[:4])
    text = node.span.text
    shown = text if text and len(text) <= 30 and "\n" not in text else "this value"
    return Problem("E205", f"{shown} is {why}", node.span, label="has no finite value", help=help)
