"""A motion between its samples: the polynomial of degree 5 that has positions, velocities and accelerations of both ends.

Items are evaluated over such states as over samples, so that whatever can be plotted can be measured to the order of the motion.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from chainlist.analyses.splitting import is_corner, split_at, split_at_corners
from chainlist.formula.analysis import breakpoints
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Formula
from chainlist.run.grid import RunRefused
from chainlist.run.moments import Moments
from chainlist.run.observables import observe
from chainlist.run.trajectory import Trajectory
from chainlist.syntax.diagnostics import Diagnostic
from chainlist.syntax.errors import ChainlistError

NODES = 7  # of the polynomials by which items are followed between two samples
# Where these stand, from −1 to 1, and the weights of barycentric interpolation over them.
PLACES: Floats = -np.cos(np.pi * np.arange(NODES) / (NODES - 1))
_WEIGHTS: Floats = np.where(np.arange(NODES) % 2 == 0, 1.0, -1.0) * np.where(
    (np.arange(NODES) == 0) | (np.arange(NODES) == NODES - 1), 0.5, 1.0
)

FINE: Floats = np.linspace(-1.0, 1.0, 33)  # where a peak is looked for first
HALVINGS = 50  # then between two of these places
_POWERS = np.linalg.inv(np.vander(PLACES, increasing=True)).T  # values at the nodes → coefficients of their polynomial
MAY_RISE = 0.5  # between samples a motion may rise above a top by this part of the step down beside it: a parabola by a quarter
# What a cubic through every other node has at those between, and by how much of their range these may be off.
_OTHERS: Floats = np.vander(PLACES[1::2], 4) @ np.linalg.inv(np.vander(PLACES[::2], 4))
_ROUGH = 0.05


class Between:
    """A trajectory at any time; split at its corners, or already split and only at these."""

    def __init__(self, trajectory: Trajectory, corners: Floats | None = None) -> None:
        if trajectory.v is not None and len(trajectory) < 2:
            raise RunRefused(f"the run ended at t = {trajectory.end:.6g} s, before it had two samples")
        if trajectory.v is None:
            help = "measure a run, or a trace with positions and velocities of all bodies"
            raise ChainlistError([Diagnostic("E402", "this motion does not hold what measures need", help=help)])
        self.trajectory = split_at_corners(trajectory) if corners is None else split_at(trajectory, corners)

    def split_for(self, formulas: Iterable[Formula]) -> Between:
        """The same with the corners that items have of themselves, `if(time<1,…)`."""
        stop = float(self.trajectory.t[-1])
        times = np.unique([time for formula in formulas for time in breakpoints(formula, stop)])
        if np.isin(times, self.trajectory.t[1:][is_corner(self.trajectory.t)]).all():
            return self
        return Between(self.trajectory, times)

    @cached_property
    def _accelerations(self) -> Floats:
        return Moments(self.trajectory, assembly=self.trajectory.assembly).forces.acceleration

    @cached_property
    def gap(self) -> float:
        """By how much positions between samples may be wrong, as a part of the way that the motion takes.

        Where every second sample is left out, the polynomials through the others miss it by 64 times as much: they are of degree 5.
        """
        run = self.trajectory
        assert run.v is not None
        h = np.diff(run.t)
        first = np.flatnonzero(~is_corner(run.t)[:-1] & ~is_corner(run.t)[1:] & (np.abs(np.diff(h)) < 1e-6 * h[1:]))
        if not len(first):
            return 0.0
        a, last = self._accelerations, first + 2
        ends = ((x[first], x[last]) for x in (run.q, run.v, a))
        middle, _ = hermite(np.full((1, 1, 1), 0.5), 2.0 * h[first, None, None], *ends)
        way = float(np.ptp(run.q, axis=0).max(initial=0.0))
        off = np.abs(middle - run.q[first + 1]).max(initial=0.0)
        return float(off) / 64.0 / way if way > 0.0 else 0.0

    def at(self, times: Floats) -> Trajectory:
        """States at times inside the motion; a time of a sample gives the sample itself."""
        run = self.trajectory
        assert run.v is not None
        last = np.clip(np.searchsorted(run.t, times, side="right") - 1, 0, len(run) - 2)
        h = (run.t[last + 1] - run.t[last])[:, None, None]
        s = ((times - run.t[last]) / h[:, 0, 0])[:, None, None]
        a = self._accelerations
        q, v = hermite(s, h, *((x[last], x[last + 1]) for x in (run.q, run.v, a)))
        exact = np.flatnonzero(run.t[last] == times)
        q[exact], v[exact] = run.q[last[exact]], run.v[last[exact]]
        return dataclasses.replace(run, t=times, q=q, v=v, memory=self._memory(times), predicted_energy=None)

    @cached_property
    def _pieces(self) -> tuple[Floats, list[Callable[[Floats], Floats]]]:
        """When pieces without a corner begin, and Work and continuous angles of each, which have no state of their own: splines."""
        from scipy.interpolate import CubicSpline

        t, memory = self.trajectory.t, self.trajectory.memory
        assert memory is not None
        edges = [0, *(np.flatnonzero(is_corner(t)) + 1).tolist(), len(t)]
        found: list[Callable[[Floats], Floats]] = []
        for i, j in pairwise(edges):
            found.append(CubicSpline(t[i:j], memory[i:j], axis=0) if j - i > 1 else partial(_always, memory[i]))
        return t[edges[:-1]], found

    def _memory(self, times: Floats) -> Floats | None:
        memory = self.trajectory.memory
        if memory is None:
            return None
        begins, splines = self._pieces
        piece = np.maximum(np.searchsorted(begins, times, side="right") - 1, 0)
        found = np.empty((len(times), memory.shape[1]))
        for n in np.unique(piece):
            mine = piece == n
            found[mine] = splines[n](times[mine])
        return found

    def follow(self, formula: Formula, intervals: NDArray[np.int64]) -> Floats:
        """(intervals, NODES): an item at the nodes between sample k and k + 1, for each k of `intervals`."""
        t = self.trajectory.t
        inner = t[intervals, None] + 0.5 * (PLACES[1:-1] + 1.0) * (t[intervals + 1] - t[intervals])[:, None]
        # over all samples too: angles go on from state to state
        times = np.union1d(t, inner.ravel())
        values = value_of(self.at(times), formula)
        nodes = np.column_stack([t[intervals], inner, t[intervals + 1]])
        found: Floats = values[np.searchsorted(times, nodes)]
        jumps = is_corner(t)[intervals]  # from one value straight to the other
        found[jumps] = found[jumps, :1] + 0.5 * (PLACES + 1.0) * (found[jumps, -1:] - found[jumps, :1])
        return found


def _always(values: Floats, times: Floats) -> Floats:
    return np.broadcast_to(values, (len(times), len(values)))


def hermite(
    s: Floats, h: Floats, places: tuple[Floats, Floats], speeds: tuple[Floats, Floats], gains: tuple[Floats, Floats]
) -> tuple[Floats, Floats]:
    """Position and velocity at the part s of steps h: x0 + s·h·v0 + …, corrected by what is missing at the end."""
    (x0, x1), (v0, v1), (a0, a1) = places, speeds, gains
    p, w, g = x0 + h * v0 + 0.5 * h * h * a0, h * (v0 + h * a0), h * h * a0  # where the start alone would lead
    dx, dv, da = x1 - p, h * v1 - w, h * h * a1 - g
    c3, c4, c5 = 10 * dx - 4 * dv + 0.5 * da, -15 * dx + 7 * dv - da, 6 * dx - 3 * dv + 0.5 * da
    x = x0 + s * (h * v0 + s * (0.5 * h * h * a0 + s * (c3 + s * (c4 + s * c5))))
    v = v0 + s * (h * a0 + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)) / h)
    return x, v


def value_of(motion: Trajectory, formula: Formula) -> Floats:
    """The one curve of an item."""
    return observe(motion, formula).curves[0].values


def interpolated(nodes: Floats, x: Floats) -> Floats:
    """Polynomials through (…, intervals, NODES) values, at a place x (intervals,) from −1 to 1 in each."""
    apart = x[:, None] - PLACES
    hit = np.abs(apart) < 1e-14
    weights = _WEIGHTS / np.where(hit, 1.0, apart)
    weights = np.where(hit.any(axis=1, keepdims=True), hit.astype(float), weights)
    found: Floats = (nodes * weights).sum(axis=-1) / weights.sum(axis=-1)
    return found


def leaps(nodes: Floats) -> NDArray[np.bool_]:
    """Whether values at (…, NODES) jump or have a corner between, as `mod` and `atan2` do: no polynomial follows them then."""
    off = np.abs(nodes[..., 1::2] - nodes[..., ::2] @ _OTHERS.T).max(axis=-1)
    found: NDArray[np.bool_] = off > _ROUGH * np.ptp(nodes, axis=-1)
    return found


def peaks(nodes: Floats) -> Floats:
    """The largest value of each polynomial through (any, NODES) values, from −1 to 1; of the nodes where they leap."""
    coefficients = nodes @ _POWERS
    slopes = coefficients[:, 1:] * np.arange(1.0, NODES)
    at = np.argmax(coefficients @ np.vander(FINE, NODES, increasing=True).T, axis=1)
    low, high = FINE[np.maximum(at - 1, 0)], FINE[np.minimum(at + 1, len(FINE) - 1)]
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        rising = _polynomial(slopes, middle) > 0.0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    top = interpolated(nodes, 0.5 * (low + high))
    largest = np.maximum(np.maximum(nodes[:, 0], nodes[:, -1]), top)
    return np.where(leaps(nodes), nodes.max(axis=1), largest)


def _polynomial(coefficients: Floats, x: Floats) -> Floats:
    value = np.zeros_like(x)
    for k in reversed(range(coefficients.shape[1])):
        value = value * x + coefficients[:, k]
    return value
