"""How small motions grow, swing or decay: the roots s of (s² M + s C + K) x = 0."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.analyses.linear import Linear
from chainlist.kernels.bundles import Floats

STILL = 1e-9  # of the fastest rate: what is slower neither grows nor swings
EVEN = 1e-10  # relative: matrices this near to symmetric are
Complexes = NDArray[np.complex128]


@dataclass(frozen=True)
class Rates:
    """The roots s [1/s] with positive or no imaginary part, slowest first, and the shapes (coordinates, roots) that go with them."""

    roots: Complexes
    shapes: Complexes

    @property
    def fastest(self) -> float:
        return float(np.abs(self.roots).max(initial=0.0))

    @property
    def growing(self) -> tuple[complex, ...]:
        """Roots that grow, the fastest first."""
        limit = STILL * self.fastest
        return tuple(sorted((complex(s) for s in self.roots if s.real > limit), key=lambda s: -s.real))

    @property
    def still(self) -> int:
        """Freedoms along which nothing happens."""
        return int((np.abs(self.roots) <= max(math.sqrt(STILL) * self.fastest, 1e-300)).sum())

    def verdict(self) -> str:
        """Stable or not, in words."""
        if self.growing:
            worst = self.growing[0]
            directions = f"{len(self.growing)} direction" + ("s" if len(self.growing) > 1 else "")
            return f"unstable in {directions}, grows tenfold in {math.log(10.0) / worst.real:.4g} s"
        if not len(self.roots):
            return "rigid: nothing can move"
        if self.still:
            return f"indifferent in {self.still} of {len(self.roots)} directions, else stable"
        return "stable"


def rates_of(linear: Linear) -> Rates:
    """All roots. Without damping and with symmetric matrices they come from the symmetric problem, which is exact to rounding."""
    if not linear.rates.shape[1]:
        return Rates(np.zeros(0, complex), np.zeros((linear.ways.shape[0], 0), complex))
    if linear.is_holonomic and not linear.C.any() and _is_even(linear.K):
        return _undamped(linear)
    return _damped(linear)


def _is_even(K: Floats) -> bool:
    return bool(np.abs(K - K.T).max() <= EVEN * np.abs(K).max())


def _undamped(linear: Linear) -> Rates:
    import scipy.linalg

    squares, x = scipy.linalg.eigh(0.5 * (linear.K + linear.K.T), linear.M)
    largest = float(np.abs(squares).max(initial=0.0))
    roots = np.where(squares >= 0.0, 1j * np.sqrt(np.abs(squares)), np.sqrt(np.abs(squares)) + 0j)
    roots[np.abs(squares) <= STILL**2 * largest] = 0.0
    order = np.lexsort((np.abs(roots), -roots.real))
    return Rates(roots[order], (linear.ways @ x)[:, order].astype(complex))


def _damped(linear: Linear) -> Rates:
    """ẋ = E u, M u̇ = −K x − C u: of positions and velocities together."""
    import scipy.linalg

    n, m = linear.ways.shape[1], linear.rates.shape[1]
    carried = linear.ways.T @ linear.rates  # E: velocities as changes of position
    pencil: Any = np.zeros((n + m, n + m))
    pencil[:n, n:] = carried
    pencil[n:, :n] = -np.linalg.solve(linear.M, linear.K)
    pencil[n:, n:] = -np.linalg.solve(linear.M, linear.C)
    roots, vectors = scipy.linalg.eig(pencil)
    kept = np.flatnonzero(roots.imag >= 0.0)
    kept = kept[_one_of_each(roots[kept], np.abs(roots).max(initial=0.0))]
    order = np.lexsort((np.abs(roots[kept]), -np.maximum(roots[kept].real, 0.0)))
    kept = kept[order]
    return Rates(roots[kept], linear.ways.astype(complex) @ vectors[:n, kept])


def _one_of_each(roots: Complexes, fastest: float) -> NDArray[np.int64]:
    """All; but of the double root 0 of a freedom that nothing holds only one."""
    idle = np.flatnonzero(np.abs(roots) <= math.sqrt(STILL) * fastest)
    return np.setdiff1d(np.arange(len(roots)), idle[1::2])
