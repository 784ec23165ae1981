"""The ground of a picture of space: a grid below everything, on which shadows fall. `web/floor.js` draws the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BELOW = 0.06  # of the size of the motion: from its lowest point down to the ground
LEAST = 0.35  # of the size: half the width of the ground under a motion that hardly goes that way
CELLS = 8  # about as many across the larger side


@dataclass(frozen=True)
class Floor:
    """The lines x = `xs` and z = `zs` at one height, as far as the first and last of the others."""

    height: float
    xs: tuple[float, ...]
    zs: tuple[float, ...]

    @property
    def step(self) -> float:
        return self.xs[1] - self.xs[0]

    @property
    def corners(self) -> Floats:
        return np.array([(x, self.height, z) for x in (self.xs[0], self.xs[-1]) for z in (self.zs[0], self.zs[-1])])

    @property
    def lines(self) -> Floats:
        """(lines, 2, 3)"""
        y, xs, zs = self.height, self.xs, self.zs
        across = [((x, y, zs[0]), (x, y, zs[-1])) for x in xs]
        return np.array([*across, *(((xs[0], y, z), (xs[-1], y, z)) for z in zs)])

    def shadow(self, points: Floats) -> Floats:
        """Points straight below."""
        under = np.array(points, float)
        under[..., 1] = self.height
        return under


def floor_under(cloud: Floats) -> Floor:
    """The ground below points (n, 3)."""
    low, high = cloud.min(axis=0), cloud.max(axis=0)
    size = float((high - low).max()) or 1.0
    center, half = (low + high) / 2, np.maximum((high - low) / 2, LEAST * size)
    step = _nice(2 * float(half[[0, 2]].max()) / CELLS)
    sides = []
    for axis in (0, 2):
        first = np.floor((center[axis] - half[axis]) / step + 1e-9)
        last = np.ceil((center[axis] + half[axis]) / step - 1e-9)
        sides.append(tuple(float(step * k) for k in np.arange(first, last + 1)))
    return Floor(float(low[1] - BELOW * size), sides[0], sides[1])


def _nice(length: float) -> float:
    """The nearest of 1, 2, 5 times a power of ten that is not smaller."""
    decade = 10.0 ** np.floor(np.log10(length))
    return float(next(m * decade for m in (1, 2, 5, 10) if m * decade >= length * (1 - 1e-9)))
