"""When a condition becomes true, or an item passes a value: to rounding of the interpolated motion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from chainlist.analyses.between import Between, interpolated, value_of
from chainlist.equations.layout import Floats
from chainlist.formula.functions import COMPARISONS
from chainlist.model.mechanism import Constant, Formula, Operation

Direction = Literal["RISE", "FALL", "CROSS"]
HALVINGS = 60

Combine = Callable[[list[Floats]], Floats]


@dataclass(frozen=True)
class Passing:
    """`item=value`: passages through zero of their difference; or a condition: moments at which it becomes true."""

    formula: Formula
    is_condition: bool
    direction: Direction = "CROSS"

    def times(self, between: Between, *, start: float = -np.inf, stop: float = np.inf) -> Floats:
        """Of all passages, in order."""
        leaves, combine = self.parts()
        t = between.trajectory.t
        at_samples = combine([value_of(between.trajectory, leaf) for leaf in leaves])
        intervals = _changes(at_samples, self.way)
        if not len(intervals):
            return np.zeros(0)
        nodes = [between.follow(leaf, intervals) for leaf in leaves]
        rising = at_samples[intervals + 1] > at_samples[intervals]
        found = passage(combine, nodes, rising, t[intervals], t[intervals + 1])
        return found[(found >= start) & (found <= stop)]

    @property
    def way(self) -> Direction:
        return "RISE" if self.is_condition else self.direction

    def parts(self) -> tuple[list[Formula], Combine]:
        """Formulas to be evaluated, and how their values make the one whose sign counts."""
        leaves: list[Formula] = []
        combine = _signed(self.formula, leaves) if self.is_condition else _leaf(self.formula, leaves)
        return leaves, combine


def passage(combine: Combine, nodes: list[Floats], rising: NDArray[np.bool_], t0: Floats, t1: Floats) -> Floats:
    """When the sign changes between t0 and t1, for leaves whose values at the nodes of each interval are known."""
    low, high = np.full(len(t0), -1.0), np.full(len(t0), 1.0)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        behind = (combine([interpolated(leaf, middle) for leaf in nodes]) > 0.0) == rising
        low, high = np.where(behind, low, middle), np.where(behind, middle, high)
    found: Floats = t0 + 0.5 * (1.0 + 0.5 * (low + high)) * (t1 - t0)
    return found


def _changes(values: Floats, direction: Direction) -> NDArray[np.int64]:
    """Between which samples the sign changes; a sample that is 0 counts with the ones before it."""
    sign = np.sign(values)
    known = np.flatnonzero(sign != 0.0)
    if not len(known):
        return np.zeros(0, np.int64)
    place = np.maximum(np.searchsorted(known, np.arange(len(sign)), side="right") - 1, 0)
    sign = sign[known[place]]
    change = np.diff(sign)
    wanted = change > 0 if direction == "RISE" else change < 0 if direction == "FALL" else change != 0
    return np.flatnonzero(wanted)


def _leaf(formula: Formula, leaves: list[Formula]) -> Combine:
    number = len(leaves)
    leaves.append(formula)
    return lambda values: np.asarray(values[number])


def _signed(formula: Formula, leaves: list[Formula]) -> Combine:
    """A condition as a number that is positive where it holds: a < b is b − a, `and` the smaller, `or` the larger."""
    if isinstance(formula, Operation) and formula.operator in COMPARISONS:
        left, right = formula.operands
        larger, smaller = (right, left) if formula.operator.startswith("<") else (left, right)
        return _leaf(Operation("-", (larger, smaller)), leaves)
    if isinstance(formula, Operation) and formula.operator in ("and", "or"):
        parts = [_signed(operand, leaves) for operand in formula.operands]
        join = np.minimum if formula.operator == "and" else np.maximum
        return lambda values: np.asarray(join.reduce([part(values) for part in parts]))
    if isinstance(formula, Operation) and formula.operator == "not":
        part = _signed(formula.operands[0], leaves)
        return lambda values: -part(values)
    return _leaf(Operation("-", (formula, Constant(0.5))), leaves)  # whatever is 0 or 1 otherwise
