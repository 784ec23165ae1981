"""Arithmetic over curves, by component: values with their dimension."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.run.dimension import NUMBER, Dimension

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Value:
    """Shape () for a number of the text, (samples,) for a scalar, (samples, dim) for a vector.

    A number carries no unit of its own: its dimension is None, and it takes that of what it is added to. None is also
    what remains where metres are added to seconds.
    """

    values: Floats
    dimension: Dimension | None
    unique: bool = True


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "log": np.log,
    "abs": np.abs,
    "min": lambda *values: reduce(np.minimum, values),
    "max": lambda *values: reduce(np.maximum, values),
    "neg": np.negative,
    "+": lambda *values: reduce(np.add, values),
    "-": lambda *values: reduce(np.subtract, values),
    "*": lambda *values: reduce(np.multiply, values),
    "/": lambda *values: reduce(np.divide, values),
    "**": np.power,
}


def operate(operator: str, operands: list[Value]) -> Value:
    """Apply an operator or a function; what is not defined (the root of a negative number, 1/0) comes out as nan or inf."""
    with np.errstate(all="ignore"):
        values = np.asarray(_FUNCTIONS[operator](*_aligned(operands)), dtype=np.float64)
    return Value(values, _dimension(operator, operands), all(operand.unique for operand in operands))


def _aligned(operands: list[Value]) -> list[Floats]:
    """A scalar beside a vector acts on every component."""
    if not any(operand.values.ndim == 2 for operand in operands):
        return [operand.values for operand in operands]
    return [operand.values[:, None] if operand.values.ndim == 1 else operand.values for operand in operands]


def _dimension(operator: str, operands: list[Value]) -> Dimension | None:
    dimensions = [operand.dimension for operand in operands]
    if all(d is None for d in dimensions):
        return None
    if operator in ("+", "-", "min", "max", "neg", "abs"):
        known = {d for d in dimensions if d is not None}
        return known.pop() if len(known) == 1 else None
    if operator in ("*", "/"):
        first, *rest = (d or NUMBER for d in dimensions)
        return reduce(lambda a, b: a * b if operator == "*" else a / b, rest, first)
    if operator == "sqrt":
        return (dimensions[0] or NUMBER) ** 0.5
    if operator == "**":
        exponent = operands[1].values
        return (dimensions[0] or NUMBER) ** float(exponent) if exponent.ndim == 0 else None
    return NUMBER
