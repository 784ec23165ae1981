"""Lagrange's equations from geometry alone: positions as a function of minimal coordinates u.

With p(u) the positions, J = ∂p/∂u and p̈ = J ü + p_uu(u̇, u̇), the equations of motion are

    (Σ m JᵀJ) ü = Σ m Jᵀ (g − p_uu(u̇, u̇)).

No constraint, no multiplier, no projection: the motion cannot leave its manifold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.references.jets import Jet, as_jet

Floats = NDArray[np.float64]
Geometry = Callable[[Sequence[Any]], Sequence[tuple[Any, Any]]]  # coordinates -> (x, y) of each body


@dataclass(frozen=True)
class MinimalCoordinates:
    """A mechanism in coordinates u, of which there are as many as degrees of freedom."""

    geometry: Geometry
    masses: Sequence[float]
    gravity: float

    def positions(self, u: Floats) -> Floats:
        """(…, bodies, 2) for coordinates (…, freedoms)."""
        return self._expand(list(np.moveaxis(u, -1, 0)), "a")

    def velocities(self, u: Floats, speed: Floats) -> Floats:
        """(…, bodies, 2) for coordinates and their time derivatives (…, freedoms)."""
        return self._expand(self._along(u, speed), "b")

    def accelerations(self, u: Floats, speed: Floats) -> Floats:
        """ü for u and u̇, each (…, freedoms)."""
        freedoms = u.shape[-1]
        unit = np.eye(freedoms)
        columns = [self._expand(self._along(u, np.broadcast_to(unit[i], u.shape)), "b") for i in range(freedoms)]
        jacobian = np.stack(columns, axis=-1)
        curving = 2.0 * self._expand(self._along(u, speed), "c")
        weights = np.asarray(self.masses)
        mass = np.einsum("b,...bci,...bcj->...ij", weights, jacobian, jacobian)
        force = np.einsum("b,...bci,...bc->...i", weights, jacobian, np.array((0.0, -self.gravity)) - curving)
        return np.linalg.solve(mass, force[..., None])[..., 0]

    @staticmethod
    def _along(u: Floats, direction: Floats) -> list[Jet]:
        return [Jet(u[..., i], direction[..., i], np.zeros(u.shape[:-1])) for i in range(u.shape[-1])]

    def _expand(self, coordinates: Sequence[Any], part: str) -> Floats:
        """One Taylor coefficient of all positions, as one array."""
        batch = np.shape(coordinates[0].a if isinstance(coordinates[0], Jet) else coordinates[0])
        points = self.geometry(coordinates)
        spread = [np.broadcast_to(getattr(as_jet(value), part), batch) for point in points for value in point]
        return np.stack(spread, axis=-1).reshape(*batch, len(points), 2)
