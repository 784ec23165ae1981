"""PERIOD while many members run: first where each turns round, then when it passes the levels that follow from this."""

from __future__ import annotations

import math

import numpy as np

from chainlist.analyses.crossings import passage
from chainlist.analyses.cycles import Cycles, Node, Passed, crosses, cycles, turning_point
from chainlist.analyses.gatherers import Gatherer, Window
from chainlist.analyses.latches import Latch
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Formula
from chainlist.run.abreast import Abreast, Crew, Which

NEVER = Passed(-1, -1, math.nan)


class Turns(Gatherer):
    """The ends and turning points of an item: `nodes_of` of each member."""

    def __init__(self, crew: Crew, window: Window, formula: Formula) -> None:
        super().__init__(crew, window)
        self._formula = formula
        self._nodes: list[tuple[int, float, Which, Floats]] = []  # sample, time, members that turn there, and values
        self._number, self._step = -1, 0.0
        self._before_last = self._last = np.zeros(crew.size)
        self._way = np.zeros(crew.size)

    def look(self, moment: Abreast) -> None:
        value = self.seen(moment.value(self._formula))
        if self.before is None:
            self._add(0, moment, np.arange(self.crew.size), value)
        else:
            self._turn(self.before, moment, value)
        self._before_last, self._last = self._last, value
        self._number += 1

    def _turn(self, before: Abreast, moment: Abreast, value: Floats) -> None:
        step = float(moment.t[0] - before.t[0])
        way = np.sign(value - self._last)
        which = np.flatnonzero(way * self._way < 0.0)
        if len(which):
            before_last, last, now = (values[which] for values in (self._before_last, self._last, value))
            tops = turning_point(before_last, last, now, np.array(self._step), np.array(step))
            self._add(self._number, before, which, tops)
        self._way, self._step = np.where(way != 0.0, way, self._way), step

    def _add(self, number: int, moment: Abreast, which: Which, values: Floats) -> None:
        self._nodes.append((number, float(moment.t[0]), which, values))

    def cycles(self) -> list[Cycles]:
        """Of each member."""
        if self.before is None or not self._number:
            return [Cycles((), True)] * self.crew.size
        self._add(self._number, self.before, np.arange(self.crew.size), self._last)
        nodes: list[list[Node]] = [[] for _ in range(self.crew.size)]
        for number, time, which, values in self._nodes:
            for member, value in zip(which.tolist(), values.tolist(), strict=True):
                nodes[member].append(Node(number, time, value))
        return [Cycles((), True) if odd else cycles(mine) for mine, odd in zip(nodes, self.odd.tolist(), strict=True)]


class Rounds(Gatherer):
    """The mean time from the first to the last of the passages that count."""

    def __init__(self, crew: Crew, window: Window, formula: Formula, found: list[Cycles]) -> None:
        super().__init__(crew, window)
        self._formula = formula
        self._count = np.array([one.count for one in found])
        self._rising = np.array([one.rising for one in found])
        self._ends = [_End(crew, [one.passages[k] if one.count else NEVER for one in found]) for k in (0, -1)]
        self._number = -1
        self._last = np.zeros(crew.size)

    def look(self, moment: Abreast) -> None:
        self._number += 1
        value = self.seen(moment.value(self._formula))
        if self.before is not None:
            for end in self._ends:
                open_now = ~end.latch.taken & (end.first < self._number) & (self._number <= end.last)
                through = crosses(self._last - end.level, value - end.level, self._rising)
                end.latch.take(np.flatnonzero(open_now & through), self.before, moment)
        self._last = value

    def value(self) -> Floats:
        first, last = (self._when(end) for end in self._ends)
        with np.errstate(all="ignore"):
            found: Floats = (last - first) / self._count
        return found

    def _when(self, end: _End) -> Floats:
        found, pair, which = np.full(self.crew.size, np.nan), end.latch.pair(), end.latch.which
        if pair is not None:
            nodes = pair.follow([self._formula])[0] - end.level[which, None]
            rising = self._rising[which]
            found[which] = passage(lambda values: values[0], [nodes], rising, pair.first.t, pair.last.t)
        return found


class _End:
    """A passage of each member, between two samples."""

    def __init__(self, crew: Crew, passed: list[Passed]) -> None:
        self.first, self.last = (np.array([one[k] for one in passed], np.int64) for k in (0, 1))
        self.level = np.array([one.level for one in passed])
        self.latch = Latch(crew)
