"""Which passages make the period of an item: found from where it turns round, so that swings may die away or grow.

Steady swings pass the middle of their range. Where swings die away there is no such value: the middle of the first ones lies beside that
of the last ones, by more and more of what is left of them. There each passage has a middle of its own, that of all turning points that
are still to come: from swing to swing it shrinks as the motion does, so it is passed after equal times. Where swings grow it is
that of all turning points so far. Where something drifts that is not so, and each swing has its own middle: of both readings that one
counts whose rounds are more alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chainlist.kernels.bundles import Floats

ALIKE = 0.005  # of its range: swings of both halves differ by no more, they are steady
RIPPLE = 0.1  # of the swings before and after it: what is smaller is no swing of its own
ENOUGH = 0.4  # of the time between passages: so long the motion goes on behind one that counts
MOST_IN_ROUND = 4  # passages in one direction
UNLIKE = 0.05  # times between passages that differ by more, of their mean, may be parts of a round
ALIKE_ROUNDS = 0.1  # of this: so little do rounds differ
TOUCH = 0.01  # of the swings: what comes no further beyond a level does not pass it
LEAST = 1e-6  # of the whole range: smaller swings are not looked at
STILL = 1e-9  # of the largest value: what moves by less stays where it is


class Node(NamedTuple):
    """The first sample, a turning point, or the last sample."""

    number: int  # of the sample
    time: float
    value: float


class Passed(NamedTuple):
    """A passage through `level`, somewhere between two samples by their numbers."""

    first: int
    last: int
    level: float


@dataclass(frozen=True)
class Cycles:
    """The passages that count: the first and the last of them give the period."""

    passages: tuple[Passed, ...]
    rising: bool
    why_none: str = ""  # behind the name of the item; `{unit}` stands for its unit

    @property
    def count(self) -> int:
        """Of whole swings."""
        return max(0, len(self.passages) - 1)


def turning_point(before: Floats, here: Floats, after: Floats, step: Floats, next_step: Floats) -> Floats:
    """The top, or the lowest point, of the parabola through three samples; where they lie at a corner, the one in the middle."""
    with np.errstate(all="ignore"):
        left, right = (here - before) / step, (after - here) / next_step
        slope, bend = (left * next_step + right * step) / (step + next_step), (right - left) / (step + next_step)
        found: Floats = here - 0.25 * slope * slope / bend
    return np.where(np.isfinite(found), found, here)


def crosses(before: Floats, after: Floats, rising: bool | NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether a passage lies between two samples, by what these are above the level."""
    side = np.where(rising, 1.0, -1.0)
    found: NDArray[np.bool_] = (side * before <= 0.0) & (side * after > 0.0)
    return found


def nodes_of(times: Floats, values: Floats) -> list[Node]:
    """The ends and the turning points of a curve; where it stays at a value for a while, the last sample of it turns."""
    moves = np.flatnonzero(np.diff(values) != 0.0)  # from this sample to the next
    up = values[moves + 1] > values[moves]
    turns = moves[1:][up[1:] != up[:-1]]
    steps = np.diff(times)
    tops = turning_point(values[turns - 1], values[turns], values[turns + 1], steps[turns - 1], steps[turns])
    inner = (Node(int(k), float(times[k]), float(top)) for k, top in zip(turns, tops, strict=True))
    ends = (Node(k % len(times), float(times[k]), float(values[k])) for k in (0, -1))
    return [next(ends), *inner, next(ends)]


def cycles(nodes: Sequence[Node]) -> Cycles:
    """Of a curve, from its ends and turning points."""
    values = [node.value for node in nodes]
    whole = _range(values)
    if whole <= STILL * max(map(abs, values)):
        return Cycles((), True, f"stays at {values[0]:.6g}{{unit}}")
    turns = len(nodes) - 2
    middle = 0.5 * (nodes[0].time + nodes[-1].time)
    halves = [[node.value for node in nodes if (node.time > middle) == half] for half in (False, True)]
    early, late = map(_range, halves)
    if abs(early - late) <= ALIKE * max(early, late) and _beside(*halves) <= ALIKE * max(early, late):
        nodes = _swings(nodes, whole, whole)
        level = 0.5 * (max(values) + min(values))
        up, down = (_passages(nodes, lambda _: (level, TOUCH * whole, 0), way, steady=True) for way in (True, False))
        return _period(nodes, turns, up, down, f"the middle of its range, {level:.6g}{{unit}}")
    if early > late:  # in the order of the time, or against it: then as if the swings died away
        nodes = _swings(nodes[::-1], 0.0, whole)[::-1]
        up, down = (_later(_passages(nodes, _Ahead(nodes, way, whole), way)) for way in (True, False))
        return _period(nodes, turns, up, down, "the middle of the swings still to come")
    nodes = _swings(nodes, 0.0, whole)
    back = nodes[::-1]
    down, up = (_passages(back, _Ahead(back, way, whole), way)[::-1] for way in (True, False))
    up, down = (_later([Passed(last, first, level) for first, last, level in some]) for some in (up, down))
    return _period(nodes, turns, up, down, "the middle of the swings so far")


def _later(passages: list[Passed]) -> list[Passed]:
    """The later half of the times between passages."""
    return passages[max(0, len(passages) - 1) // 2 :]


class _Ahead:
    """The level of each stretch by the swings that follow, how far beyond it a passage leads, and how many turning points there are.

    Between the turning points before and behind a passage and the next one, it is the middle of the second and of the mean of the others:
    of swings that die away by equal parts or by equal amounts.
    """

    def __init__(self, nodes: Sequence[Node], rising: bool, whole: float) -> None:
        self._values = [node.value for node in nodes]
        self._rising, self._whole = rising, whole
        turns = self._values[-2::-1]  # the last one first
        self._tops, self._lows = (list(accumulate(turns, most))[::-1] for most in (max, min))

    def __call__(self, stretch: int) -> tuple[float, float, int]:
        known = len(self._values) - 2 - stretch
        if not stretch or not known:
            return math.nan, 0.0, 0
        before, top, low = self._values[stretch], self._tops[stretch + 1], self._lows[stretch + 1]
        if top - low <= LEAST * self._whole:
            return math.nan, 0.0, 0
        if self._rising:
            return 0.5 * top + 0.25 * (low + min(low, before)), TOUCH * (top - low), known
        return 0.5 * low + 0.25 * (top + max(top, before)), TOUCH * (top - low), known


def _passages(
    nodes: Sequence[Node], level_of: Callable[[int], tuple[float, float, int]], rising: bool, *, steady: bool = False
) -> list[Passed]:
    """One in each stretch between nodes that leads through its level in this direction.

    Unless swings are steady, a level is known where it is that of a whole one: of as many turning points as lie between passages,
    and not of the last moments: a whole round behind it, or the larger part of one where there are few.
    """
    side = 1.0 if rising else -1.0
    through: list[tuple[int, float, int]] = []
    for k, (a, b) in enumerate(pairwise(nodes)):
        level, margin, known = level_of(k)
        if side * (a.value - level) < -margin and side * (b.value - level) > margin:
            through.append((k, level, known))
    many = _in_a_round([nodes[k].time for k, _, _ in through if k])
    if steady:
        return [Passed(nodes[k].number, nodes[k + 1].number, level) for k, level, _ in through[::many]]
    rounds = list(zip(through, through[many:], strict=False))
    apart = max((b[0] - a[0] for a, b in rounds), default=2)
    long = max((abs(nodes[b[0]].time - nodes[a[0]].time) for a, b in rounds), default=0.0)
    goes_on = [abs(nodes[-1].time - nodes[k + 1].time) if known >= apart else 0.0 for k, _, known in through]
    whole, nearly = (
        [p for p, rest in zip(through, goes_on, strict=True) if rest > part * long] for part in (1.0, ENOUGH)
    )
    return _most_alike(nodes, (whole if len(whole) > many else nearly)[::many])


def _most_alike(nodes: Sequence[Node], through: list[tuple[int, float, int]]) -> list[Passed]:
    """At the levels found, or each in the middle of its own swing, as where a drift goes on: where the rounds are more alike."""
    stretches = [(nodes[k], nodes[k + 1]) for k, _, _ in through]
    readings = [level for _, level, _ in through], [0.5 * (a.value + b.value) for a, b in stretches]
    times = ([_when(a, b, level) for (a, b), level in zip(stretches, levels, strict=True)] for levels in readings)
    unlike = [_unlike(each, 1) for each in times]
    levels = readings[1 if unlike[1] <= unlike[0] else 0]
    return [Passed(a.number, b.number, level) for (a, b), level in zip(stretches, levels, strict=True)]


def _when(a: Node, b: Node, level: float) -> float:
    """About when a swing from one turning point to the next passes a level."""
    part = math.acos(min(1.0, max(-1.0, 1.0 - 2.0 * (level - a.value) / (b.value - a.value)))) / math.pi
    return a.time + part * (b.time - a.time)


def _in_a_round(times: Sequence[float]) -> int:
    """How many passages make a round: several, where they come after unlike times that repeat."""
    alone = _unlike(times, 1)
    for many in range(2, min(MOST_IN_ROUND, len(times) - 2) + 1):
        if alone > UNLIKE and _unlike(times, many) < ALIKE_ROUNDS * alone:
            return many
    return 1


def _unlike(times: Sequence[float], many: int) -> float:
    """How far the times of so many passages are from their mean, on average; of that mean."""
    lasting = np.abs(np.subtract(times[many:], times[: len(times) - many]))
    return float(np.abs(lasting - lasting.mean()).mean() / lasting.mean()) if len(lasting) else 0.0


def _period(nodes: Sequence[Node], turns: int, up: Sequence[Passed], down: Sequence[Passed], level: str) -> Cycles:
    """Upwards, or downwards where these are more."""
    found = Cycles(tuple(up), True) if len(up) >= len(down) else Cycles(tuple(down), False)
    if found.count:
        return found
    if not turns:
        return Cycles((), True, "never turns round")
    if len(nodes) < 3:
        small = f"turns round {_times(turns)}, by less than a tenth of how far it goes: that is no swing"
        return Cycles((), True, small)
    many = len(found.passages)
    passes = (
        f"passes {level} {_times(many)} {'upwards' if found.rising else 'downwards'}"
        if many
        else f"never passes {level}"
    )
    ripples = ", small ripples apart," if turns > len(nodes) - 2 else ""
    return Cycles(
        (),
        found.rising,
        f"turns round {_times(len(nodes) - 2)}{ripples} and {passes}: a period is between two passages",
    )


def _swings(nodes: Sequence[Node], least: float, whole: float) -> list[Node]:
    """Without turns back that are far smaller than all swings, `least` or those before; with the ends."""
    kept: list[Node] = []
    way, top, low = 0, nodes[0], nodes[0]
    highest = lowest = nodes[0].value
    for node in nodes:
        highest, lowest = max(highest, node.value), min(lowest, node.value)
        ripple = max(RIPPLE * max(least, highest - lowest), LEAST * whole)
        top, low = max(top, node, key=_value), min(low, node, key=_value)
        if way >= 0 and top.value - node.value > ripple:
            kept.append(top)
            way, low = -1, node
        elif way <= 0 and node.value - low.value > ripple:
            kept.append(low)
            way, top = 1, node
    kept.append(top if way > 0 else low)
    inner = [node for node in kept if node.number not in (nodes[0].number, nodes[-1].number)]
    return [nodes[0], *inner, nodes[-1]]


def _value(node: Node) -> float:
    return node.value


def _range(values: Sequence[float]) -> float:
    return max(values, default=0.0) - min(values, default=0.0)


def _beside(one: Sequence[float], other: Sequence[float]) -> float:
    """How far the middles of two ranges are apart."""
    return 0.5 * abs(max(one) + min(one) - max(other) - min(other)) if one and other else 0.0


def _times(number: int) -> str:
    return ("never", "once", "twice")[number] if number < 3 else f"{number} times"
