"""When a condition becomes true, or an item passes a value: to rounding of the interpolated motion."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from chainlist.analyses.between import Between, interpolated, value_of
from chainlist.analyses.splitting import is_corner
from chainlist.formula.functions import COMPARISONS
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Constant, Formula, Operation
from chainlist.run.trajectory import Trajectory

Direction = Literal["RISE", "FALL", "CROSS"]
HALVINGS = 60
SMALLEST = 5e-324
ROUNDING = 1e-9  # of the largest value: what an event leaves of a difference that it makes zero

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
        if between.trajectory.stopped and _on_the_border(t, at_samples):
            # what stopped the run has happened, on whichever side rounding left it
            at_samples = np.append(at_samples[:-1], -at_samples[-2])
        at_samples, first, last = _without_noise(between.trajectory, at_samples)
        if not self.counts_equality:
            # on its bound what is wanted above it does not hold
            at_samples = np.where(_lasting_zeros(t, at_samples), -1.0, at_samples)
        intervals = _changes(at_samples, self.way)
        found = np.zeros(0)
        if self.counts_equality:  # to come there is the passage, whether it turns back, stays or goes on
            falls = at_samples[first - 1] > 0.0
            found = t[first[(self.way == "CROSS") | (falls == (self.way == "FALL"))]]
            intervals = np.setdiff1d(intervals, last)
        if len(intervals):
            nodes = [between.follow(leaf, intervals) for leaf in leaves]
            rising = at_samples[intervals + 1] > at_samples[intervals]
            found = np.union1d(found, passage(combine, nodes, rising, t[intervals], t[intervals + 1]))
        return found[(found >= start) & (found <= stop)]

    @property
    def counts_equality(self) -> bool:
        """Whether the value itself is enough: `item=value`, <= and >=, but not < and >."""
        return not self.is_condition or not _is_strict(self.formula)

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


def _without_noise(run: Trajectory, values: Floats) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
    """Values without the noise that contacts leave, and first and last samples of the times for which a corner holds one at zero.

    A ball that hits a floor comes to its height and turns back, and one that lies there stays at it: by rounding either may be on
    both sides. Such values are made 0. What leaves does so at a corner: small values behind the last one are the way out.
    """
    moments = np.array([event.time for event in run.events])
    corners = is_corner(run.t)
    at_corner = np.append(corners, False) | np.append(False, corners) | np.isin(run.t, moments)
    if not at_corner.any():
        return values, np.zeros(0, np.int64), np.zeros(0, np.int64)
    small = np.abs(values) <= ROUNDING * np.abs(values[np.isfinite(values)]).max(initial=0.0)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], small, [False]))))
    first, last = edges[::2], edges[1::2] - 1
    ends_so = run.stopped and len(last) > 0 and last[-1] == len(values) - 1
    if ends_so and not at_corner[first[-1] : -1].any():  # that is how it stopped, and not what was so before
        first, last = first[:-1], last[:-1]
    corners_until = np.concatenate(([0], np.cumsum(at_corner)))
    held = corners_until[last + 1] > corners_until[first]
    last_corner = np.maximum.accumulate(np.where(at_corner, np.arange(len(values)), -1))
    stays = np.where(held & (last < len(values) - 1), last_corner[last], last)
    values = values.copy()
    for k in np.flatnonzero(held | (first == 0)):
        values[first[k] : stays[k] + 1] = 0.0
        if stays[k] < last[k]:
            values[stays[k] + 1 : last[k] + 1] = math.copysign(SMALLEST, values[last[k] + 1])
    comes = held & (first > 0)
    return values, first[comes], stays[comes]


def _lasting_zeros(t: Floats, values: Floats) -> NDArray[np.bool_]:
    """Samples that are 0 from one moment to another, and do not only touch it."""
    lasts = (values[:-1] == 0.0) & (values[1:] == 0.0) & ~is_corner(t)
    found: NDArray[np.bool_] = np.append(lasts, False) | np.append(False, lasts)
    return found


def _is_strict(formula: Formula, negated: bool = False) -> bool:
    """Whether a condition has a `<` or `>`, or the contrary of a `<=` or `>=`."""
    if not isinstance(formula, Operation):
        return False
    if formula.operator == "not":
        return _is_strict(formula.operands[0], not negated)
    if formula.operator in (("<=", ">=") if negated else ("<", ">")):
        return True
    return any(_is_strict(operand, negated) for operand in formula.operands)


def _on_the_border(t: Floats, values: Floats) -> bool:
    """Whether the last value would be 0 a rounding of the time later, at the pace of the last steps."""
    since = max(0, len(t) - 3)  # the last step alone may be as short as rounding
    pace = (values[-1] - values[since]) / (t[-1] - t[since])
    if pace == 0.0:  # it does not come to any border
        return False
    return bool(0.0 <= -values[-1] * np.sign(pace) <= abs(pace) * (1e-9 * (t[-1] - t[since]) + 1e-15 * t[-1]))


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
