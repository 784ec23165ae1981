"""Measures that are taken while many members run: each sees one moment after the other and keeps a few of them.

The numbers are those of `measure.py`, which has the whole motion at hand: the same polynomials between the same samples. There are two
because neither can stand in for the other. A single run measures items that need forces, and machines that switch, whose events split
a step in two: members abreast have neither. And it looks at all samples of one motion at once; sample by sample, as here, one member would
take some thirty times as long (analyses/worth.py). tests/analyses/test_gathering.py holds every form of the one against the other.
"""

from __future__ import annotations

import math

import numpy as np

from chainlist.analyses.between import MAY_RISE, peaks
from chainlist.analyses.crossings import Passing, passage
from chainlist.analyses.latches import Latch, Pair, pair_of
from chainlist.analyses.measure import END
from chainlist.analyses.window import GAUSS
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Formula
from chainlist.run.abreast import Abreast, Crew, Which

Window = tuple[float, float]


class Gatherer:
    """What is common: moments inside a window, in order, and which members have values that are no numbers."""

    def __init__(self, crew: Crew, window: Window) -> None:
        self.crew, self.window = crew, window
        self.before: Abreast | None = None
        self.odd = np.zeros(crew.size, bool)

    def see(self, moment: Abreast) -> None:
        if self.window[0] <= moment.t[0] <= self.window[1]:
            self.look(moment)
            self.before = moment

    def look(self, moment: Abreast) -> None:
        """At a moment, before which `before` was."""
        raise NotImplementedError

    def value(self) -> Floats:
        """(members,); nan where a run does not have it."""
        raise NotImplementedError

    def seen(self, values: Floats) -> Floats:
        """Values of an item, after a look at whether they are numbers."""
        self.odd |= ~np.isfinite(values)
        return values


class Peak(Gatherer):
    """The largest value, sign = 1, or the smallest: of the samples, and of the polynomials beside those tops that may hold it.

    One top of each member is pending. It is looked into when another comes that may be larger, and at the end.
    """

    def __init__(self, crew: Crew, window: Window, formula: Formula, sign: float) -> None:
        super().__init__(crew, window)
        self.formula, self.sign = formula, sign
        self.found = np.full(crew.size, -np.inf)
        self.best, self._reach = self.found.copy(), np.zeros(crew.size)  # the pending top, and by how much it may rise
        self._last = self._before_last = np.full(crew.size, np.nan)
        self._earlier: Abreast | None = None
        self._left, self._right = Latch(crew), Latch(crew)

    def look(self, moment: Abreast) -> None:
        before_last, last, value = self._before_last, self._last, self.sign * self.seen(moment.value(self.formula))
        self._before_last, self._last = last, value
        if self.before is None:
            return
        reach = MAY_RISE * (last - np.fmin(before_last, value))
        is_top = ~(value > last) & ~(before_last > last)
        which = np.flatnonzero(is_top & (last + reach > np.fmax(self.found, self.best)))
        self._pend(which, last, reach)
        if self._earlier is None:
            self._left.drop(which)
        else:
            self._left.take(which, self._earlier, self.before)
        self._right.take(which, self.before, moment)
        self._earlier = self.before

    def _pend(self, which: Which, tops: Floats, reach: Floats) -> None:
        """These members have a new top; the one before it may be as large."""
        self._refine(which[self.best[which] + self._reach[which] > tops[which]])
        self.found[which] = np.fmax(self.found[which], self.best[which])
        self.best[which], self._reach[which] = tops[which], reach[which]

    def _refine(self, which: Which) -> None:
        for latch in (self._left, self._right):
            pair = latch.pair(which)
            if pair is not None:
                (nodes,) = pair.follow([self.formula])
                mine = latch.among(which)
                self.found[mine] = np.fmax(self.found[mine], peaks(self.sign * nodes))

    def value(self) -> Floats:
        if self.before is None or self._earlier is None:
            return np.full(self.crew.size, np.nan)
        reach = MAY_RISE * np.abs(self._last - self._before_last)
        which = np.flatnonzero(self._last + reach > np.fmax(self.found, self.best))
        self._pend(which, self._last, reach)
        self._left.take(which, self._earlier, self.before)
        self._right.drop(which)
        self._refine(np.arange(self.crew.size))
        largest: Floats = np.fmax(self.found, self.best)
        return self.sign * largest


class Range(Gatherer):
    """The difference of the largest and the smallest value."""

    def __init__(self, crew: Crew, window: Window, formula: Formula) -> None:
        super().__init__(crew, window)
        self._both = [Peak(crew, window, formula, sign) for sign in (1.0, -1.0)]

    def look(self, moment: Abreast) -> None:
        for one in self._both:
            one.see(moment)
            self.odd |= one.odd

    def value(self) -> Floats:
        return self._both[0].value() - self._both[1].value()


class Passages(Gatherer):
    """When a sign changes for the n-th time (0: the last)."""

    def __init__(
        self, crew: Crew, window: Window, passing: Passing, number: int, since: Floats | None = None
    ) -> None:  # fmt: skip
        super().__init__(crew, window)
        self.leaves, self._combine = passing.parts()
        self._way, self._number, self._is_strict = passing.way, number, not passing.counts_equality
        self._since = since
        self._sign, self._zero = np.zeros(crew.size), np.zeros(crew.size, bool)
        self.count = np.zeros(crew.size, np.int64)
        self.latch = Latch(crew)

    def look(self, moment: Abreast) -> None:
        sign = np.sign(self._combine([self.seen(moment.value(leaf)) for leaf in self.leaves]))
        change = np.where((sign != 0.0) & (self._sign != 0.0), sign - self._sign, 0.0)
        self._sign = np.where(sign != 0.0, sign, self._sign)
        if self._is_strict:
            self._sign[(sign == 0.0) & self._zero] = -1.0  # on its bound what is wanted above it does not hold
            self._zero = sign == 0.0
        wanted = change > 0.0 if self._way == "RISE" else change < 0.0 if self._way == "FALL" else change != 0.0
        which = np.flatnonzero(wanted)
        if len(which) and self.before is not None:
            which = self._late(which, self.before, moment)
            self.count[which] += 1
            now = which if self._number == 0 else which[self.count[which] == self._number]
            self.latch.take(now, self.before, moment)

    def _late(self, which: Which, before: Abreast, moment: Abreast) -> Which:
        """Those that come after the time from which passages count."""
        if self._since is None:
            return which
        since = self._since[which]
        sure, doubtful = which[before.t[which] >= since], which[(before.t[which] < since) & (moment.t[which] >= since)]
        if len(doubtful):
            times = self._times(pair_of(before, moment, doubtful))
            sure = np.sort(np.concatenate([sure, doubtful[times >= self._since[doubtful]]]))
        return sure

    def _times(self, pair: Pair) -> Floats:
        nodes = pair.follow(self.leaves)
        rising = self._combine([leaf[:, -1] for leaf in nodes]) > self._combine([leaf[:, 0] for leaf in nodes])
        return passage(self._combine, nodes, rising, pair.first.t, pair.last.t)

    def value(self) -> Floats:
        found, pair = np.full(self.crew.size, np.nan), self.latch.pair()
        if pair is not None:
            found[self.latch.which] = self._times(pair)
        return found

    def values_then(self, formula: Formula) -> Floats:
        """An item at these times."""
        found, pair = np.full(self.crew.size, np.nan), self.latch.pair()
        if pair is not None:
            found[self.latch.which] = pair.values_at(self._times(pair), formula)
        return found


class Then(Gatherer):
    """An item when something happens."""

    def __init__(self, crew: Crew, formula: Formula, passages: Passages) -> None:
        super().__init__(crew, passages.window)
        self._formula, self._passages = formula, passages

    def look(self, moment: Abreast) -> None:
        self.seen(moment.value(self._formula))  # angles go on from moment to moment
        self._passages.see(moment)
        self.odd |= self._passages.odd

    def value(self) -> Floats:
        return self._passages.values_then(self._formula)


class AtTime(Gatherer):
    """An item at one time, or at the end."""

    def __init__(self, crew: Crew, formula: Formula, time: float) -> None:
        super().__init__(crew, (-math.inf, math.inf))
        self._formula, self._time = formula, time
        self._found: Floats | None = None

    def look(self, moment: Abreast) -> None:
        value = self.seen(moment.value(self._formula))
        if self._time in (moment.t[0], END):
            self._found = value
        elif self.before is not None and self.before.t[0] < self._time < moment.t[0]:
            pair = pair_of(self.before, moment, np.arange(self.crew.size))
            self._found = pair.values_at(np.full(self.crew.size, self._time), self._formula)

    def value(self) -> Floats:
        return np.full(self.crew.size, np.nan) if self._found is None else self._found


class Integral(Gatherer):
    """∫ itemⁿ dt, by three points of Gauss in each step."""

    def __init__(self, crew: Crew, window: Window, formula: Formula, power: int) -> None:
        super().__init__(crew, window)
        self._formula, self._power = formula, power
        self._sum, self.span = np.zeros(crew.size), 0.0

    def look(self, moment: Abreast) -> None:
        self.seen(moment.value(self._formula))
        if self.before is None:
            return
        pair, turns = pair_of(self.before, moment, np.arange(self.crew.size)), self.before.turns
        h = float(moment.t[0] - self.before.t[0])
        for place, weight in zip(*GAUSS, strict=True):
            inner = pair.at(np.full(self.crew.size, 0.5 * (place + 1.0)), turns)
            self._sum += 0.5 * h * weight * self.seen(inner.value(self._formula)) ** self._power
            turns = inner.turns
        self.span += h

    def value(self) -> Floats:
        return self._sum if self.span else np.full(self.crew.size, np.nan)


class Mean(Gatherer):
    """The mean of an item, power = 1, or the root of the mean of its squares."""

    def __init__(self, crew: Crew, window: Window, formula: Formula, power: int) -> None:
        super().__init__(crew, window)
        self._integral, self._power = Integral(crew, window, formula, power), power

    def look(self, moment: Abreast) -> None:
        self._integral.see(moment)
        self.odd |= self._integral.odd

    def value(self) -> Floats:
        mean = self._integral.value() / (self._integral.span or math.nan)
        return mean if self._power == 1 else np.sqrt(mean)
