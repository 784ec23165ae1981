"""Chains hung from the origin, in the angles of their links: double pendulum, and 9, 12, 16 links.

Three right-hand sides for the same motion, which share no formula past the geometry:

- `by_mass_matrix`: Lagrange's equations with the mass matrix in closed form (the reference);
- `by_tensions`: Newton's law for each body, tensions from a tridiagonal system; works in extended precision and so
  tells how far the reference is off;
- `MinimalCoordinates` over `geometry`: derivatives by jets (in the tests).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.references.jets import cos, sin
from tests.references.linkage import Linkage

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Chain:
    """Links from the origin to body 1, from body 1 to body 2, and so on; angles are from the x axis."""

    lengths: Floats
    masses: Floats
    gravity: float

    @classmethod
    def of(cls, linkage: Linkage) -> Chain:
        spans = np.diff(linkage.start, axis=0, prepend=[[0.0, 0.0]])
        return cls(np.hypot(*spans.T), np.array(linkage.masses), linkage.gravity)

    def geometry(self, angles: Sequence[Any]) -> list[tuple[Any, Any]]:
        """Each body stands one link beyond the last."""
        x, y, points = 0.0, 0.0, []
        for length, angle in zip(self.lengths, angles, strict=True):
            x, y = x + length * cos(angle), y + length * sin(angle)
            points.append((x, y))
        return points

    def by_mass_matrix(self, angles: Any, rates: Any) -> Any:
        """M_ij = l_i l_j cos(θi−θj) Σ_{k≥max(i,j)} m_k, and the forces that belong to it."""
        beyond = np.cumsum(self.masses[::-1])[::-1]  # mass that hangs on each link
        later = np.maximum.outer(np.arange(len(beyond)), np.arange(len(beyond)))
        weight = np.outer(self.lengths, self.lengths) * beyond[later]
        gap = angles[..., :, None] - angles[..., None, :]
        mass = weight * np.cos(gap)
        force = -np.einsum("...ij,...j->...i", weight * np.sin(gap), rates**2)
        force = force - self.gravity * beyond * self.lengths * np.cos(angles)
        return np.linalg.solve(mass, force[..., None])[..., 0]

    def by_tensions(self, angles: Any, rates: Any) -> Any:
        """Newton's law per body. Along each link the ends approach with l θ̇²; that fixes all tensions."""
        kind = angles.dtype.type
        lengths, lightness, g = self.lengths.astype(kind), 1 / self.masses.astype(kind), kind(self.gravity)
        count = len(lengths)
        ex, ey = np.cos(angles), np.sin(angles)
        # Row i: e_i·(a_i − a_{i−1}) = −l_i θ̇_i², with m_i a_i = −T_i e_i + T_{i+1} e_{i+1} + m_i g.
        turn = ex[..., 1:] * ex[..., :-1] + ey[..., 1:] * ey[..., :-1]
        known = lengths * rates**2
        known[..., 0] -= g * ey[..., 0]
        pivot: list[Any] = [np.full_like(known[..., 0], lightness[0])]
        tension: list[Any] = [known[..., 0]]
        for i in range(1, count):  # elimination of the tridiagonal system
            off = -turn[..., i - 1] * lightness[i - 1]
            factor = off / pivot[i - 1]
            pivot.append(lightness[i] + lightness[i - 1] - factor * off)
            tension.append(known[..., i] - factor * tension[i - 1])
        tension[-1] = tension[-1] / pivot[-1]
        for i in range(count - 2, -1, -1):
            off = -turn[..., i] * lightness[i]
            tension[i] = (tension[i] - off * tension[i + 1]) / pivot[i]
        pulls: Any = np.stack(tension, axis=-1)
        after = np.concatenate([pulls[..., 1:], np.zeros_like(pulls[..., :1])], axis=-1)
        beyond_x = np.concatenate([ex[..., 1:], np.zeros_like(ex[..., :1])], axis=-1)
        beyond_y = np.concatenate([ey[..., 1:], np.zeros_like(ey[..., :1])], axis=-1)
        ax = (after * beyond_x - pulls * ex) * lightness
        ay = (after * beyond_y - pulls * ey) * lightness - g
        relative_x = np.diff(ax, axis=-1, prepend=kind(0))
        relative_y = np.diff(ay, axis=-1, prepend=kind(0))
        return (relative_y * ex - relative_x * ey) / lengths

    def start_angles(self, linkage: Linkage) -> Floats:
        spans = np.diff(linkage.start, axis=0, prepend=[[0.0, 0.0]])
        return np.arctan2(spans[:, 1], spans[:, 0])


DOUBLE_PENDULUM = Linkage(
    "Double pendulum", 9.81, 10.0, 1e-3, ((0.0, -1.0), (1.0, -1.0)), (1.0, 1.0), ((0, (0.0, 0.0)), (1, 0))
)


def horizontal_chain(links: int) -> Linkage:
    """The paper's chains: links of 0.2 m, stretched out along the x axis, g = 1."""
    joints: tuple[tuple[int, int | tuple[float, float]], ...] = (
        (0, (0.0, 0.0)),
        *((k - 1, k) for k in range(1, links)),
    )
    places = tuple((round(0.2 * (k + 1), 10), 0.0) for k in range(links))
    return Linkage(f"{links} link chain", 1.0, 10.0, 1e-3, places, (1.0,) * links, joints)
