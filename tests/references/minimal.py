"""Motions in minimal coordinates u, with ü from an equation derived by hand: what references of all parts share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.references.collocation import Motion, integrate

Floats = NDArray[np.float64]
Times = Sequence[float] | Floats


def as_times(times: Times) -> Floats:
    return np.atleast_1d(np.asarray(times, float))


class Minimal:
    """What a reference by ü needs: its fields, and the motion that follows. The time is integrated along as the last one."""

    acceleration: Callable[..., Sequence[Any]]  # (t, *u, *u̇) -> ü
    start: tuple[float, ...]
    rates: tuple[float, ...]
    stop: float

    @cached_property
    def motion(self) -> Motion:
        def slope(u: Any, w: Any) -> Any:
            found = self.acceleration(u[:, -1], *u[:, :-1].T, *w[:, :-1].T)
            return np.stack([*(np.broadcast_to(f, u[:, -1].shape) for f in found), np.zeros(len(u))], axis=-1)

        return integrate(slope, [*self.start, 0.0], [*self.rates, 1.0], self.stop)

    def coordinates(self, times: Times) -> tuple[Floats, Floats, Floats]:
        """u, u̇ and ü, each (freedoms, times)."""
        t = as_times(times)
        u, w = (part[:, :-1].T for part in self.motion(t))
        return u, w, np.stack([np.broadcast_to(f, t.shape) for f in self.acceleration(t, *u, *w)])
