"""Arithmetic: expression trees → numbers. Nothing here recurses, and nothing is handed to Python's eval."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from chainlist.model.desk import Problem
from chainlist.syntax.tree import Braces, Call, Expr, Group, Name, Number, Point, Power, Product, Signed, Sum

T = TypeVar("T")

# Function → its smallest and largest number of arguments (None: any), and what computes it.
FUNCTIONS: dict[str, tuple[int, int | None, Callable[..., float]]] = {
    "sin": (1, 1, math.sin),
    "cos": (1, 1, math.cos),
    "tan": (1, 1, math.tan),
    "asin": (1, 1, math.asin),
    "acos": (1, 1, math.acos),
    "atan": (1, 1, math.atan),
    "atan2": (2, 2, math.atan2),
    "sqrt": (1, 1, math.sqrt),
    "exp": (1, 1, math.exp),
    "log": (1, 1, math.log),
    "abs": (1, 1, abs),
    "min": (1, None, lambda *values: min(values)),  # Python's own takes no single number
    "max": (1, None, lambda *values: max(values)),
}
_ARGUMENTS = {"atan2": "y,x", "min": "x,y,…", "max": "x,y,…"}  # how a call is written; all others: x
CONSTANTS = {"pi": math.pi}
ALIASES = {"ln": "log", "arctan2": "atan2", "fabs": "abs", "pow": "x**y", "power": "x**y"}  # what others call them
# Names that mean something else in .plot and .print.
RESERVED = frozenset((*FUNCTIONS, *CONSTANTS, "time", "t", "u", "etotal"))


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
        case _:
            return ()


def negated(power: Power) -> list[bool]:
    """Of each part: whether a minus stands before the power of it and all that follow. 2**-3**2 is 2**(-(3**2))."""
    return [isinstance(part, Signed) and part.signs.count("-") % 2 == 1 for part in power.parts]


def fold(expression: Expr, leaf: Callable[[Expr], T | None], join: Callable[[Expr, list[T]], T]) -> T:
    """Reduce a tree from its leaves. `leaf` gives the value of a node, or None: then `join` makes it from its operands."""
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
        else:
            todo.append((node, True))
            todo.extend((part, False) for part in reversed(operands(node)))
    return values[0]


def names_in(expression: Expr) -> Iterator[Name]:
    """The names an expression refers to; names of functions are not among them."""
    todo = [expression]
    while todo:
        node = todo.pop()
        if isinstance(node, Name):
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
            return float(function_of(node)(*values))
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


def function_of(node: Call) -> Callable[..., float]:
    """What a call computes; an unknown function or a wrong number of arguments is a problem."""
    if node.function.key not in FUNCTIONS:
        raise Problem(
            "E207",
            f"there is no function {node.function.text}",
            node.function.span,
            label="unknown function",
            help=f"functions are {' '.join(FUNCTIONS)}",
        )
    low, high, compute = FUNCTIONS[node.function.key]
    given = len(node.arguments)
    if given < low or (high is not None and given > high):
        wanted = f"{low} argument{'s' if low > 1 else ''}" if high is not None else "at least one argument"
        raise Problem(
            "E208",
            f"{node.function.text} takes {wanted}, not {given}",
            node.span,
            label=f"{given} given",
            help=f"write {node.function.text}({_ARGUMENTS.get(node.function.key, 'x')})",
        )
    return compute


def not_a_number(node: Any) -> Problem:
    """A problem for what stands where a number is wanted."""
    what = {"Point": "a point", "Text": "a text", "Together": "a text", "Setting": "a setting"}.get(
        type(node).__name__, "this"
    )
    return Problem(
        "E209", f"a number is wanted here, not {what}", node.span, label="not a number", help="write a number"
    )


_LIMITS = {
    "sqrt": "sqrt needs a value that is not negative",
    "log": "log needs a positive value",
    "asin": "asin needs a value from -1 to 1",
    "acos": "acos needs a value from -1 to 1",
    "exp": "exp(709) is the largest that can be held",
}


def _undefined(node: Expr, why: str, values: list[float]) -> Problem:
    if isinstance(node, Call):
        help = _LIMITS.get(node.function.key, "check its arguments")
    elif isinstance(node, Power) and why == "not defined":
        help = "a negative number has only whole powers"
    else:
        help = "check the values: " + ", ".join(f"{value:g}" for value in values[:4])
    text = node.span.text
    shown = text if text and len(text) <= 30 and "\n" not in text else "this value"
    return Problem("E205", f"{shown} is {why}", node.span, label="has no finite value", help=help)
