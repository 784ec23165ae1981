"""Angles that are continuous in time: a body that goes round twice has turned by 4π."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _Last:
    """Where the samples before ended: time, angle with its full turns, rate."""

    t: float
    angle: float
    rate: float


class Turning:
    """Remembers for each pair of points how far it has turned, so that samples may come in chunks."""

    def __init__(self) -> None:
        self._last: dict[Hashable, _Last] = {}
        self._before: dict[Hashable, _Last | None] = {}
        self._chunk: float | None = None

    def angle(self, key: Hashable, t: Floats, apart: Floats, rate: Floats | None) -> Floats:
        """The angle of `apart` (samples, dim) from the x axis; `rate` is its time derivative, where it is known.

        Between two samples the turn is the one nearest to what the rates predict, so that samples may be far apart.
        A sample without an angle (nan) leaves it as it was for the next one.
        """
        if len(t) == 0:
            return np.zeros(0)
        if self._chunk != t[0]:  # new samples: what was last is now before
            self._before, self._chunk = dict(self._last), float(t[0])
        raw = np.arctan2(apart[:, 1], apart[:, 0])
        speed = np.zeros_like(raw) if rate is None else rate_of(apart, rate)
        angles = np.full_like(raw, np.nan)
        good = np.flatnonzero(np.isfinite(raw))
        if len(good):
            angles[good] = self._continue(self._before.get(key), t[good], raw[good], speed[good])
            end = good[-1]
            self._last[key] = _Last(float(t[end]), float(angles[end]), float(speed[end]))
        return angles

    def _continue(self, last: _Last | None, t: Floats, raw: Floats, speed: Floats) -> Floats:
        if last is None:
            last = _Last(float(t[0]), float(raw[0]), float(speed[0]))
        times, rates = np.concatenate(([last.t], t)), np.concatenate(([last.rate], speed))
        turns = _turns(np.diff(np.concatenate(([last.angle], raw))), np.diff(times), rates[:-1], rates[1:])
        return _near(raw, last.angle + np.cumsum(turns))  # no rounding piles up


def continued(t0: Floats, angle0: Floats, rate0: Floats, t: Floats, raw: Floats, rate: Floats) -> Floats:
    """The same for one moment of many motions: the angle whose direction is `raw`, going on from that of the moment before."""
    return _near(raw, angle0 + _turns(raw - angle0, t - t0, rate0, rate))


def _turns(turns: Floats, gap: Floats, before: Floats, after: Floats) -> Floats:
    """Turns known up to whole ones, nearest to what the rates at both ends predict."""
    expected = np.where(np.abs(after - before) * gap > 1.0, 0.0, 0.5 * (after + before) * gap)
    # rates that change this much predict nothing
    found: Floats = turns + 2.0 * np.pi * np.round((expected - turns) / (2.0 * np.pi))
    return found


def _near(raw: Floats, angle: Floats) -> Floats:
    found: Floats = raw + 2.0 * np.pi * np.round((angle - raw) / (2.0 * np.pi))
    return found


def rate_of(apart: Floats, rate: Floats) -> Floats:
    """dθ/dt = (d × u)/|d|²; 0 where the points meet."""
    squared = apart[:, 0] ** 2 + apart[:, 1] ** 2
    with np.errstate(all="ignore"):
        speed = (apart[:, 0] * rate[:, 1] - apart[:, 1] * rate[:, 0]) / squared
    return np.where(np.isfinite(speed), speed, 0.0)
