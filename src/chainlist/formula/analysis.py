"""What can be said of a formula before anything is computed: what it depends on, how, and where it is not smooth."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeVar

import numpy as np

from chainlist.formula.core import Constant, Formula, Moving, Operation, Quantity, walk
from chainlist.formula.functions import FUNCTIONS, Floats, apply

T = TypeVar("T")
Family = Literal["time", "positions", "velocities", "forces"]

# What an expression may use: nothing that moves, and then one family more each.
Place = Literal["number", "time", "positions", "motion", "condition"]

# Quantities that an expression of an entity may be made of, in lower case.
FAMILY: dict[str, Family] = {
    "time": "time",
    **dict.fromkeys(("x", "y", "z", "dist", "angle"), "positions"),
    **dict.fromkeys(("vx", "vy", "vz", "speed", "omega"), "velocities"),
    "tension": "forces",
}


def uses(formula: Formula) -> set[Family]:
    """What a formula depends on. An item that only .plot has counts as a force: it needs the solved motion."""
    found: set[Family] = set()
    for node in walk(formula):
        if isinstance(node, Quantity):
            found.add(FAMILY.get(node.function.lower(), "forces"))
            for argument in node.arguments:
                if isinstance(argument, Moving):
                    for coordinate in argument.coordinates:
                        found |= uses(coordinate)
    return found


def degree_in_velocities(formula: Formula) -> int:
    """0: free of velocities; 1: a sum of velocities, each with a factor that is free of them; 2: anything else."""
    return fold(formula, _degree_of_leaf, _degree)


def _degree_of_leaf(node: Formula) -> int:
    if isinstance(node, Quantity) and FAMILY.get(node.function.lower()) == "velocities":
        return 2 if node.function.lower() == "speed" else 1
    return 0


def _degree(node: Operation, degrees: list[int]) -> int:
    if not any(degrees):
        return 0
    match node.operator:
        case "+" | "-" | "neg":
            return max(degrees)
        case "*":
            return min(sum(degrees), 2)
        case "/":
            return degrees[0] if not any(degrees[1:]) else 2
        case "if":
            return max(degrees[1:]) if not degrees[0] else 2
        case "**":
            return degrees[0] if node.operands[1] == Constant(1.0) else 2
        case _:
            return 2


def vanishes_at_rest(formula: Formula) -> bool:
    """Whether a formula that is linear in velocities is 0 where all of them are, whatever else: it has no term without one."""
    return fold(formula, _vanishing_leaf, _vanishing)


def _vanishing_leaf(node: Formula) -> bool:
    return node == Constant(0.0) or _degree_of_leaf(node) > 0


def _vanishing(node: Operation, parts: list[bool]) -> bool:
    match node.operator:
        case "+" | "-" | "neg":
            return all(parts)
        case "*":
            return any(parts)
        case "/" | "**":
            return parts[0]
        case "if":
            return all(parts[1:])
        case _:
            return False


# Times of corners


_SCANNED = 1 << 17  # points at which a function of time is looked at where it is not linear


class TooManyBreakpoints(ValueError):
    """A function has more corners than can be stepped to."""


def breakpoints(formula: Formula, stop: float, limit: int = 1_000_000) -> list[float]:
    """The times between 0 and `stop` at which a function of time alone is not smooth, in rising order.

    Exact where the argument is linear in time; else found by looking at many points and halving what lies between two.
    Then the time is the first number at which the function has passed its corner. The third derivative counts too:
    `smooth` and the points of a spline are among them, so that methods keep their order.
    """
    found: set[float] = set()
    for node in walk(formula):
        if isinstance(node, Operation):
            for argument, levels in crossings(node):
                if uses(argument) == {"time"}:
                    found.update(_times(argument, levels, stop, limit, node.operator))
                    if len(found) > limit:
                        raise _too_many(node.operator, stop, limit)
    return _apart(sorted(found))


def _apart(times: list[float]) -> list[float]:
    """Times that differ by rounding alone are one."""
    close = 8.0 * np.finfo(np.float64).eps
    return [t for t, later in pairwise(times) if later - t > close * later] + times[-1:]


def _too_many(function: str, stop: float, limit: int) -> TooManyBreakpoints:
    return TooManyBreakpoints(f"{function} has more than {limit:,} corners up to the time {stop:g}")


@dataclass(frozen=True)
class Levels:
    """Values at which something happens: those of `once`, or if there is a period, these and all multiples of it more."""

    once: tuple[float, ...]
    period: float = 0.0
    start: float = -np.inf  # nothing happens below

    def between(self, low: float, high: float) -> int:
        """How many there may be, at most."""
        if not self.period:
            return len(self.once)
        return int(min((high - max(low, self.start)) / self.period + 2, 1e15)) * len(self.once)

    def listed(self, low: float, high: float) -> Floats:
        """All of them from low to high."""
        levels = np.array(self.once)
        if self.period:
            first = np.floor((max(low, self.start) - levels.max()) / self.period)
            last = np.ceil((high - levels.min()) / self.period)
            if not last >= max(first, 0.0 if np.isfinite(self.start) else first):
                return np.zeros(0)
            turns = np.arange(max(first, 0.0) if np.isfinite(self.start) else first, last + 1)
            exact = levels.astype(np.longdouble)[None, :] + turns[:, None] * np.longdouble(self.period)
            levels = exact.astype(np.float64).ravel()  # rounded once
        return np.unique(levels[(levels >= low) & (levels <= high)])


_ZERO = Levels((0.0,))


def crossings(node: Operation) -> Iterator[tuple[Formula, Levels]]:
    """What must cross which values for a function to pass a corner."""
    parts = node.operands
    match node.operator:
        case "abs" | "sign" | "step" | "ramp":
            yield parts[0], _ZERO
        case "<" | "<=" | ">" | ">=":
            yield _difference(*parts), _ZERO
        case "min" | "max":
            yield from ((_difference(a, b), _ZERO) for k, a in enumerate(parts) for b in parts[k + 1 :])
        case "floor":
            yield parts[0], Levels((0.0,), 1.0)
        case "mod":
            yield parts[0] / parts[1], Levels((0.0,), 1.0)
        case "smooth":
            yield from ((_difference(parts[0], edge), _ZERO) for edge in parts[1:])
        case "pwl" | "table" | "spline":
            yield parts[0], Levels(_values(parts[1::2]))
        case "pulse":
            _, _, delay, rise, fall, width, period = _values(parts[1:])
            ends = [
                math.fsum(legs) for legs in ((delay,), (delay, rise), (delay, rise, width), (delay, rise, width, fall))
            ]
            yield parts[0], Levels(tuple(dict.fromkeys(ends)), period, delay)


def _difference(a: Formula, b: Formula) -> Formula:
    return b - a if isinstance(a, Constant) else a - b


def _values(parts: tuple[Formula, ...]) -> tuple[float, ...]:
    return tuple(part.value for part in parts if isinstance(part, Constant))


def _times(argument: Formula, levels: Levels, stop: float, limit: int, function: str) -> list[float]:
    line = _linear(argument)
    if line is not None:
        times = _times_of_line(*line, levels, stop, limit, function)
    else:
        times = _scan(argument, levels, stop, limit, function)
    return [float(time) for time in times if 0.0 < time < stop]


def _times_of_line(a: float, b: float, levels: Levels, stop: float, limit: int, function: str) -> Floats:
    """The times at which a + b·t has one of the values."""
    if b == 0.0:
        return np.zeros(0)
    low, high = min(a, a + b * stop), max(a, a + b * stop)
    if levels.between(low, high) > limit + len(levels.once) + 8:
        raise _too_many(function, stop, limit)
    times: Floats = (levels.listed(low, high) - a) / b
    return times


def _scan(argument: Formula, levels: Levels, stop: float, limit: int, function: str) -> Floats:
    """The times at which a function of time passes one of the values: looked for at many points, then halved in."""
    t = np.linspace(0.0, stop, _SCANNED + 1)
    x = over_time(argument, t)
    finite = x[np.isfinite(x)]
    if not len(finite):
        return np.zeros(0)
    low, high = float(finite.min()), float(finite.max())
    if levels.between(low, high) > limit + len(levels.once) + 8:
        raise _too_many(function, stop, limit)
    listed = levels.listed(low, high)
    passed = np.searchsorted(listed, x, side="right")  # how many of them are not above x
    passed[~np.isfinite(x)] = 0
    first, last = np.minimum(passed[:-1], passed[1:]), np.maximum(passed[:-1], passed[1:])
    count = last - first
    if int(count.sum()) > limit:
        raise _too_many(function, stop, limit)
    place = np.repeat(np.arange(len(t) - 1), count)  # one for each value passed between two points
    which = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count) + np.repeat(first, count)
    return _halve(argument, t[place], t[place + 1], listed[which])


def _halve(argument: Formula, before: Floats, after: Floats, level: Floats) -> Floats:
    """The first time after which the value is on the side of `after`, to the last bit; all at once."""
    if not len(level):
        return after
    side = over_time(argument, after) >= level
    while True:
        middle = before + 0.5 * (after - before)
        open_ = (middle > before) & (middle < after)
        if not open_.any():
            return after
        there = (over_time(argument, middle) >= level) == side
        after = np.where(open_ & there, middle, after)
        before = np.where(open_ & ~there, middle, before)


def _linear(formula: Formula) -> tuple[float, float] | None:
    """a and b of a + b·time; None for anything else."""
    return fold(formula, _line_of_leaf, _line)


def _line_of_leaf(node: Formula) -> tuple[float, float] | None:
    if isinstance(node, Constant):
        return node.value, 0.0
    return (0.0, 1.0) if isinstance(node, Quantity) and node.function.lower() == "time" else None


def _line(node: Operation, lines: list[tuple[float, float] | None]) -> tuple[float, float] | None:
    known = [line for line in lines if line is not None]
    if len(known) < len(lines) or node.operator not in ("neg", "+", "-", "*", "/"):
        return None
    a, b = known[0]
    if node.operator == "neg":
        return -a, -b
    for c, d in known[1:]:
        match node.operator:
            case "+":
                a, b = a + c, b + d
            case "-":
                a, b = a - c, b - d
            case "*" if b == 0.0 or d == 0.0:
                a, b = a * c, a * d + b * c
            case "/" if d == 0.0 and c != 0.0:
                a, b = a / c, b / c
            case _:
                return None
    return a, b


# Walking


def over_time(formula: Formula, t: Floats) -> Floats:
    """The values of a formula of the time alone at many times; nan or inf where it has none."""

    def leaf(node: Formula) -> Floats:
        if isinstance(node, Constant):
            return np.full_like(t, node.value)
        assert isinstance(node, Quantity) and node.function.lower() == "time"
        return t

    def join(node: Operation, values: list[Floats]) -> Floats:
        function = FUNCTIONS.get(node.operator)
        if function is not None and function.check is not None:
            return apply(node.operator, values[0], *_values(node.operands[1:]))
        return apply(node.operator, *values)

    return fold(formula, leaf, join)


def fold(formula: Formula, leaf: Callable[[Formula], T], join: Callable[[Operation, list[T]], T]) -> T:
    values: list[T] = []
    for node in walk(formula):
        if isinstance(node, Operation):
            first = len(values) - len(node.operands)
            values[first:] = [join(node, values[first:])]
        else:
            values.append(leaf(node))
    return values[0]
