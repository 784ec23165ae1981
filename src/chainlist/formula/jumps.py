"""Whether a formula is as smooth as its place needs it: does its value jump, or its slope, and because of which function?

A function that may have a corner need not have one here: `if(time<1,0,(time-1)**3)` is smooth. Times at which something may
happen are exact; where it is decided by positions, the formula is followed along straight ways through the surroundings of the
start.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from chainlist.formula.analysis import Levels, breakpoints, crossings, fold, over_time, uses
from chainlist.formula.core import Constant, End, Formula, Moving, Operation, Point, Quantity, walk
from chainlist.formula.functions import FUNCTIONS, Floats, apply

_LOOKED_AT = 1_000  # times of one formula
_WAYS = 12
_CROSSINGS = 6  # of one function, on all ways
_POINTS = 512  # of each way
_VALUE, _SLOPE = 1e-8, 1e-5  # what counts as a jump, relative to the values and slopes around


@dataclass(frozen=True)
class Jump:
    """A function makes the value jump, or the slope; `time` is None where it is not the time that decides."""

    function: str
    of: Literal["value", "slope"]
    time: float | None = None


@dataclass(frozen=True)
class States:
    """Many states: a time, and the place and velocity of each body (states, dimension)."""

    t: Floats
    place: Mapping[str, Floats]
    speed: Mapping[str, Floats]


def first_jump(formula: Formula, stop: float, start: Mapping[str, Point], *, of_slope: bool) -> Jump | None:
    """The first jump that is found from 0 to `stop`, or near the places of bodies at the start; None: it is smooth."""
    for part in _parts_of_time(formula):
        found = _jump_in_time(part, stop, of_slope)
        if found is not None:
            return found
    if any(isinstance(node, Operation) and _by_positions(node) for node in walk(formula)):
        return _jump_on_a_way(formula, stop, start, of_slope)
    return None


# In time


def _parts_of_time(formula: Formula) -> Iterator[Formula]:
    """The largest parts that depend on the time alone, those of moving anchors included."""
    todo: list[Formula] = [formula]
    while todo:
        node = todo.pop()
        if isinstance(node, Quantity):
            for end in node.arguments:
                todo.extend(end.coordinates if isinstance(end, Moving) else ())
        if not isinstance(node, Operation):
            continue
        if uses(node) == {"time"}:
            yield node
        else:
            todo.extend(reversed(node.operands))


def _jump_in_time(formula: Formula, stop: float, of_slope: bool) -> Jump | None:
    times = breakpoints(formula, stop)[:_LOOKED_AT]
    if not times:
        return None
    all_times = np.array([0.0, *times, stop])
    gaps = np.minimum(np.diff(all_times)[:-1], np.diff(all_times)[1:])
    h = np.minimum(1e-7 * stop, gaps / 8.0)
    around = over_time(formula, np.linspace(0.0, stop, 257))
    size = _size(around)
    for time, width in zip(times, h.tolist(), strict=True):
        kind = _kind(partial(over_time, formula), time, width, size, size / stop, of_slope)
        if kind is not None:
            return Jump(_function_at(formula, time, stop), kind, time)
    return None


def _kind(
    f: Callable[[Floats], Floats], x: float, h: float, size: float, slope_size: float, of_slope: bool
) -> Literal["value", "slope"] | None:
    """What jumps at x; seen from near and from nearer, so that what is only fast is not taken for a jump."""
    far = _kind_from(f, x, h, size, slope_size, of_slope)
    return far and _kind_from(f, x, h / 16.0, size, slope_size, of_slope)


def _kind_from(
    f: Callable[[Floats], Floats], x: float, h: float, size: float, slope_size: float, of_slope: bool
) -> Literal["value", "slope"] | None:
    """Compare what lies one, two and three h to the left and to the right, both continued to the middle."""
    left, right = (f(x + side * h * np.arange(1.0, 4.0)) for side in (-1.0, 1.0))
    if not np.isfinite([left, right]).all():
        return None
    size = max(size, _size(left), _size(right))
    values = [3.0 * y[0] - 3.0 * y[1] + y[2] for y in (left, right)]
    if abs(values[0] - values[1]) > _VALUE * size:
        return "value"
    before, after = ((5.0 * y[0] - 8.0 * y[1] + 3.0 * y[2]) / (2.0 * h) for y in (left, right))
    rounding = 64.0 * np.finfo(np.float64).eps * size / h
    if of_slope and abs(before + after) > _SLOPE * max(abs(before), abs(after), slope_size) + rounding:
        return "slope"  # one of them counts backwards
    return None


def _size(values: Floats) -> float:
    finite = np.abs(values[np.isfinite(values)])
    return float(finite.max()) if len(finite) else 0.0


def _function_at(formula: Formula, time: float, stop: float) -> str:
    """The innermost function that has a corner at this time; a comparison belongs to its `if`."""
    within = _in_conditions(formula)
    for node in walk(formula):
        if isinstance(node, Operation) and any(crossings(node)):
            if any(abs(t - time) <= 1e-9 * stop for t in breakpoints(node, stop)):
                return within.get(id(node), node.operator)
    return "this"


def _in_conditions(formula: Formula) -> dict[int, str]:
    """The nodes inside the condition of an `if`, by their id."""
    choices = [node for node in walk(formula) if isinstance(node, Operation) and node.operator == "if"]
    return {id(inner): "if" for node in choices for inner in walk(node.operands[0])}


# In space


def _by_positions(node: Operation) -> bool:
    return any(uses(argument) - {"time"} for argument, _ in crossings(node))


def _jump_on_a_way(formula: Formula, stop: float, start: Mapping[str, Point], of_slope: bool) -> Jump | None:
    within = _in_conditions(formula)
    nodes = [node for node in walk(formula) if isinstance(node, Operation) and _by_positions(node)]
    luck = np.random.default_rng(1)
    size = max([1e-3, *(abs(x) for point in start.values() for x in point)])
    ways = [_Way(luck, start, size, stop) for _ in range(_WAYS)]
    for node in nodes:
        seen = 0
        for way, (argument, levels) in itertools.product(ways, crossings(node)):
            for s in way.where(argument, levels) if seen < _CROSSINGS else ():
                seen += 1
                along = partial(way.values, formula)
                around = _size(along(np.linspace(0.0, 1.0, _POINTS + 1)))
                kind = _kind(along, s, 1e-6, around, around, of_slope)
                if kind is not None:
                    return Jump(within.get(id(node), node.operator), kind)
    return None


class _Way:
    """A straight way between two states, from s = 0 to s = 1, at one velocity."""

    def __init__(self, luck: np.random.Generator, start: Mapping[str, Point], size: float, stop: float):
        self.times = luck.uniform(0.0, stop * luck.uniform() ** 4, 2)
        ends = (luck.normal(size=(2, len(point))) for point in start.values())
        self.ends = {name: np.array(start[name]) + size * end for name, end in zip(start, ends, strict=True)}
        self.speed = {name: size * luck.normal(size=len(point)) for name, point in start.items()}

    def states(self, s: Floats) -> States:
        a, b = 1.0 - s[:, None], s[:, None]
        place = {name: a * one + b * two for name, (one, two) in self.ends.items()}
        t = (1.0 - s) * self.times[0] + s * self.times[1]
        return States(t, place, {name: np.broadcast_to(v, (len(s), len(v))) for name, v in self.speed.items()})

    def values(self, formula: Formula, s: Floats) -> Floats:
        return values_at(formula, self.states(s))

    def where(self, argument: Formula, levels: Levels) -> list[float]:
        """Some places at which the argument passes one of the values."""
        s = np.linspace(0.0, 1.0, _POINTS + 1)
        x = self.values(argument, s)
        found = []
        for k in np.flatnonzero(np.isfinite(x[:-1]) & np.isfinite(x[1:])):
            low, high = sorted((float(x[k]), float(x[k + 1])))
            for level in levels.listed(low, high)[:1]:
                found.append(self._halved(argument, float(level), float(s[k]), float(s[k + 1])))
            if len(found) == 2:
                break
        return found

    def _halved(self, argument: Formula, level: float, before: float, after: float) -> float:
        side = self.values(argument, np.array([after]))[0] >= level
        for _ in range(50):
            middle = 0.5 * (before + after)
            if (self.values(argument, np.array([middle]))[0] >= level) == side:
                after = middle
            else:
                before = middle
        return after


def values_at(formula: Formula, states: States) -> Floats:
    """The values of a formula of times, positions and velocities at many states; nan or inf where it has none."""

    def leaf(node: Formula) -> Floats:
        if isinstance(node, Constant):
            return np.full_like(states.t, node.value)
        assert isinstance(node, Quantity)
        with np.errstate(all="ignore"):
            return _quantity(node, states)

    def join(node: Operation, values: list[Floats]) -> Floats:
        function = FUNCTIONS.get(node.operator)
        if function is not None and function.check is not None:
            numbers = [operand.value for operand in node.operands[1:] if isinstance(operand, Constant)]
            return apply(node.operator, values[0], *numbers)
        return apply(node.operator, *values)

    return fold(formula, leaf, join)


def _quantity(node: Quantity, states: States) -> Floats:
    name = node.function.upper()
    if name == "TIME":
        return states.t
    places = [_place(end, states) for end in node.arguments]
    if name in ("X", "Y", "Z"):
        return _column(places[0], "XYZ".index(name))
    if name == "DIST":
        return _length(places[1] - places[0])
    if name == "ANGLE" and len(places) == 2:
        d = places[1] - places[0]
        return np.arctan2(d[:, 1], d[:, 0])
    if name == "ANGLE" and len(places) == 3:
        d, e = places[0] - places[1], places[2] - places[1]
        sine = d[:, 0] * e[:, 1] - d[:, 1] * e[:, 0] if d.shape[1] == 2 else _length(np.cross(d, e))
        angle: Floats = np.arctan2(sine, (d * e).sum(axis=1))
        return angle
    speeds = [_speed(end, states) for end in node.arguments]
    if name in ("VX", "VY", "VZ"):
        return _column(speeds[0], "XYZ".index(name[1]))
    if name == "SPEED":
        return _length(speeds[0])
    if name == "OMEGA" and len(places) == 2:
        d, u = places[1] - places[0], speeds[1] - speeds[0]
        turning: Floats = (d[:, 0] * u[:, 1] - d[:, 1] * u[:, 0]) / (d * d).sum(axis=1)
        return turning
    return np.full_like(states.t, math.nan)


def _column(vectors: Floats, axis: int) -> Floats:
    found: Floats = vectors[:, axis]
    return found


def _length(vectors: Floats) -> Floats:
    found: Floats = np.sqrt((vectors * vectors).sum(axis=1))
    return found


def _place(end: End, states: States) -> Floats:
    if isinstance(end, str):
        return states.place[end]
    if isinstance(end, Moving):
        return np.stack([over_time(coordinate, states.t) for coordinate in end.coordinates], axis=1)
    return np.broadcast_to(np.array(end, float), (len(states.t), len(end)))


def _speed(end: End, states: States) -> Floats:
    if isinstance(end, str):
        return states.speed[end]
    if isinstance(end, Moving):  # only how it depends on the rest matters
        return np.zeros((len(states.t), len(end.coordinates)))
    return np.zeros((len(states.t), len(end)))
