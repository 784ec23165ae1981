"""The time grid of a run, counted in integers: step k ends at k·step, the last one at `stop`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np

from chainlist.kernels.bundles import Floats

CLOSE = Fraction(1, 10**9)  # of a step: closer than this to a grid point counts as on it


class RunRefused(ValueError):
    """A run that cannot be started as asked, in words."""


@lru_cache(maxsize=256)
def exact(value: float) -> Fraction:
    """The decimal number that was written: 0.1 is one tenth."""
    return Fraction(repr(float(value)))


def _up(ratio: Fraction) -> int:
    """The next whole number, or the one that the ratio all but meets."""
    near = round(ratio)
    return near if abs(ratio - near) <= CLOSE else math.ceil(ratio)


@dataclass(frozen=True)
class Grid:
    """Steps of a run and which of them are kept: from `first_sample` on every `stride`-th, and the last."""

    step: float  # s
    stop: float  # s
    steps: int
    first_sample: int
    stride: int
    origin: float = 0.0  # s, where the grid begins: not at 0 for the sampling times of adaptive integrators

    @cached_property
    def last_step(self) -> float:
        """Size of the last step [s]: the rest that leads to `stop`."""
        return float(exact(self.stop) - (self.steps - 1) * exact(self.step))

    @property
    def samples(self) -> int:
        whole, rest = divmod(self.steps - self.first_sample, self.stride)
        return whole + 1 + int(rest > 0)

    def _kept(self) -> Floats:
        kept = np.arange(self.first_sample, self.steps + 1, self.stride, dtype=float)
        return kept if kept[-1] == self.steps else np.append(kept, float(self.steps))

    @property
    def times(self) -> Floats:
        """Time of each sample: the number nearest to k·step as written in decimal (0.007, not 0.006999…)."""
        step, origin, unit = _whole(self.step, self.origin, self.steps)
        t = (self._kept() * step + origin) / unit
        t[-1] = self.stop
        return t


@lru_cache(maxsize=256)
def _whole(step: float, origin: float, steps: int) -> tuple[float, float, float]:
    """Step and origin in whole parts of a unit, and how many of these make a second; 1 where there are too many for that."""
    h, first = exact(step), exact(origin)
    unit = math.lcm(h.denominator, first.denominator)
    if (h * steps + first) * unit < 2**53 and unit < 2**53:
        return float(h * unit), float(first * unit), float(unit)
    return step, origin, 1.0


@lru_cache(maxsize=256)
def make_grid(start: float, stop: float, step: float, save: float | None) -> Grid:
    """The grid of `.tran start stop step`, with a sample every `save` seconds (None: every step)."""
    h = exact(step)
    steps = max(1, _up(exact(stop) / h))
    stride = 1
    if save is not None:
        ratio = exact(save) / h
        stride = max(1, round(ratio))
        if abs(ratio - stride) > CLOSE * stride:
            nearest = float(stride * h)
            raise RunRefused(f"SAVE={save:g} is not a multiple of the step {step:g}: the nearest is SAVE={nearest:g}")
    first = min(_up(exact(start) / h), steps)
    return Grid(step, stop, steps, first, stride)


def make_sampling(start: float, stop: float, save: float) -> Grid:
    """Samples of an adaptive integrator every `save` seconds from `start`, and at `stop`."""
    return Grid(save, stop, max(1, _up((exact(stop) - exact(start)) / exact(save))), 0, 1, start)
