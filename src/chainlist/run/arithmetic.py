"""Arithmetic over curves, by component: values with their dimension."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from chainlist.formula import Constant
from chainlist.formula.functions import FUNCTIONS, apply
from chainlist.model.observables import COMPONENTS, NORM, ONE_NUMBER_OF_A_VECTOR
from chainlist.run.dimension import LOST, NUMBER, PARAMETER, Dimension, dimension

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Value:
    """Shape () for a number of the text, (samples,) for a scalar, (samples, dim) for a vector.

    A number carries no unit of its own: its dimension is None, and it takes that of what it is added to. So does a
    parameter; but what is multiplied with one has a unit that nobody knows.
    """

    values: Floats
    dimension: Dimension | None
    unique: bool = True


def operate(operator: str, operands: list[Value]) -> Value:
    """Apply an operator or a function; what is not defined (the root of a negative number, 1/0) comes out as nan or inf."""
    if operator in ONE_NUMBER_OF_A_VECTOR:
        return _number_of_a_vector(operator, operands[0])
    values = apply(operator, *_aligned(operands))
    return Value(values, _dimension(operator, operands), all(operand.unique for operand in operands))


def _number_of_a_vector(which: str, vector: Value) -> Value:
    """A component or the length, in the unit of the vector."""
    values = vector.values
    if values.ndim == 2:  # else it stands for its unit alone
        values = np.linalg.norm(values, axis=1) if which == NORM else values[:, COMPONENTS.index(which)]
    return Value(values, vector.dimension, vector.unique)


def _aligned(operands: list[Value]) -> list[Floats]:
    """A scalar beside a vector acts on every component."""
    if not any(operand.values.ndim == 2 for operand in operands):
        return [operand.values for operand in operands]
    return [operand.values[:, None] if operand.values.ndim == 1 else operand.values for operand in operands]


def of_number(number: Constant) -> Value:
    """A number of the text. Its unit is known if it was written with one."""
    known = dimension(number.unit) if number.unit else None
    return Value(np.array(number.value), PARAMETER if number.unsure else known)


def _dimension(operator: str, operands: list[Value]) -> Dimension | None:
    dimensions = [operand.dimension for operand in operands]
    if all(d is None for d in dimensions):
        return None
    unit = FUNCTIONS[operator].unit if operator in FUNCTIONS else ""
    if operator == "if":
        dimensions = dimensions[1:]
    if operator in ("+", "-", "neg") or unit == "same":
        return _common(dimensions)
    if operator in ("*", "/"):
        if LOST in dimensions or PARAMETER in dimensions:
            return LOST
        first, *rest = (d or NUMBER for d in dimensions)
        return reduce(lambda a, b: a * b if operator == "*" else a / b, rest, first)
    if unit == "angle":
        return dimension("rad")
    if unit == "root" or operator == "**":
        base, exponent = dimensions[0] or NUMBER, operands[1].values if operator == "**" else np.array(0.5)
        if base == NUMBER:
            return NUMBER
        return LOST if base.doubt or exponent.ndim else base ** float(exponent)
    return NUMBER


def _common(dimensions: list[Dimension | None]) -> Dimension | None:
    """Of what is added: numbers and parameters take the unit of the others, which must agree."""
    known = {d for d in dimensions if d is not None and d != PARAMETER}
    if len(known) > 1:
        return LOST
    return known.pop() if known else PARAMETER if PARAMETER in dimensions else None
