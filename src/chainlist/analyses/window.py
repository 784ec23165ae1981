"""An item from one time to another: what it is at most, in the mean, and how long it takes to come round."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from chainlist.analyses.between import MAY_RISE, PLACES, Between, interpolated, leaps, peaks, value_of
from chainlist.analyses.crossings import passage
from chainlist.analyses.cycles import Cycles, Passed, crosses, cycles, nodes_of
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Formula

GAUSS = np.polynomial.legendre.leggauss(3)  # of integrals over one step


@dataclass(frozen=True)
class Window:
    """An item from one time to another."""

    between: Between
    formula: Formula
    start: float
    stop: float

    @cached_property
    def times(self) -> Floats:
        """Samples inside, and both ends."""
        t = self.between.trajectory.t
        start, stop = max(self.start, float(t[0])), min(self.stop, float(t[-1]))
        inside = t[(t > start) & (t < stop)]
        return np.concatenate(([start], inside, [stop])) if stop > start else np.zeros(0)

    def value(self, form: str) -> float:
        if len(self.times) < 2:
            return math.nan
        if form == "PERIOD":
            return self._period()
        if form in ("MAX", "MIN"):
            return self._extreme(1.0 if form == "MAX" else -1.0)
        if form == "PP":
            return self._extreme(1.0) - self._extreme(-1.0)
        span = float(self.times[-1] - self.times[0])
        if form == "INTEG":
            return self._integral(1)
        return self._integral(1) / span if form == "AVG" else math.sqrt(self._integral(2) / span)

    @cached_property
    def _values(self) -> Floats:
        everything = np.union1d(self.between.trajectory.t, self.times)
        values = value_of(self.between.at(everything), self.formula)
        found: Floats = values[np.searchsorted(everything, self.times)]
        return found

    def _extreme(self, sign: float) -> float:
        """Largest value: of the samples, and of the polynomials beside those tops that may hold it."""
        values = sign * self._values
        if np.isnan(values).all():
            return math.nan
        best = int(np.nanargmax(values))
        before, after = (np.concatenate(ends) for ends in (([np.nan], values[:-1]), (values[1:], [np.nan])))
        is_top = ~(before > values) & ~(after > values)
        may_be = is_top & (values + MAY_RISE * (values - np.fmin(before, after)) > values[best])
        t = self.between.trajectory.t
        tops = np.union1d(np.flatnonzero(may_be), [best])
        at = np.searchsorted(t, self.times[tops], side="right") - 1
        beside = np.unique(np.clip([at - 1, at], 0, len(t) - 2))
        nodes = sign * self.between.follow(self.formula, beside)
        parts = np.array([self._part(int(k)) for k in beside])
        whole = (parts == (-1.0, 1.0)).all(axis=1) & np.isfinite(nodes).all(axis=1)
        cut = [_peak(node, *part) for node, part in zip(nodes[~whole], parts[~whole], strict=True)]
        return sign * max(float(values[best]), float(peaks(nodes[whole]).max(initial=-math.inf)), *cut)

    def _part(self, interval: int) -> tuple[float, float]:
        """Which part of an interval between samples, from −1 to 1, lies in the window."""
        first, last = self.between.trajectory.t[interval : interval + 2]
        low, high = (np.clip((x - first) / (last - first), 0.0, 1.0) for x in (self.times[0], self.times[-1]))
        return float(2.0 * low - 1.0), float(2.0 * high - 1.0)

    def _integral(self, power: int) -> float:
        """Three points of Gauss in each step: exact to the order of the motion, and a corner spoils its own step only."""
        h = np.diff(self.times)
        places = self.times[:-1, None] + 0.5 * h[:, None] * (GAUSS[0] + 1.0)
        everything = np.union1d(self.between.trajectory.t, places.ravel())
        values = value_of(self.between.at(everything), self.formula)
        inside = values[np.searchsorted(everything, places)]
        return float((0.5 * h[:, None] * GAUSS[1] * inside**power).sum())

    @cached_property
    def cycles(self) -> Cycles:
        """The passages that make the period; `why_none` where none do."""
        times, values = self._known
        return cycles(nodes_of(times, values)) if len(times) > 1 else Cycles((), True, "has no value there")

    def _period(self) -> float:
        """Mean time between passages upwards through the middle of the swings, or downwards where these are more."""
        found = self.cycles
        if not found.count:
            return math.nan
        first, last = (self._when(found.passages[k], found.rising) for k in (0, -1))
        return (last - first) / found.count

    @cached_property
    def _known(self) -> tuple[Floats, Floats]:
        known = np.isfinite(self._values)
        return self.times[known], self._values[known]

    def _when(self, passed: Passed, rising: bool) -> float:
        times, values = (x[passed.first : passed.last + 1] for x in self._known)
        above = values - passed.level
        through = np.flatnonzero(crosses(above[:-1], above[1:], rising))[:1]
        if not len(through):  # only the tops between samples are beyond the level
            return math.nan
        t = self.between.trajectory.t
        k = np.clip(np.searchsorted(t, times[through], side="right") - 1, 0, len(t) - 2)
        nodes = self.between.follow(self.formula, k) - passed.level
        return float(passage(lambda values: values[0], [nodes], np.array([rising]), t[k], t[k + 1])[0])


def _peak(nodes: Floats, low: float, high: float) -> float:
    """The largest value of a polynomial through nodes, from `low` to `high`: where its derivative is 0, or at an end.

    Where the values leap it is the largest of the nodes: a polynomial would go beyond them.
    """
    if leaps(nodes):
        return float(nodes[(low <= PLACES) & (high >= PLACES)].max(initial=-math.inf))
    coefficients = np.polynomial.polynomial.polyfit(PLACES, nodes, len(PLACES) - 1)
    roots = np.polynomial.polynomial.polyroots(np.polynomial.polynomial.polyder(coefficients))
    inner = roots.real[(np.abs(roots.imag) < 1e-9) & (roots.real > low) & (roots.real < high)]
    places = np.concatenate(([low, high], inner))
    return float(interpolated(nodes, places).max()) if np.isfinite(nodes).all() else -math.inf
