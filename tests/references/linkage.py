"""A plain description of a mechanism, from which its chainlist text and its Cartesian equations are made.

The references need masses, lengths and starting points; the program needs a text. Both come from one value here, so
that a slip of the pen cannot make the two differ.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Point = tuple[float, float]


@dataclass(frozen=True)
class Linkage:
    """Point masses, links and sliders in the plane. Bodies are numbered from 0 here and from 1 in the text."""

    title: str
    gravity: float
    stop: float  # of .tran [s]
    step: float  # of .tran [s]
    places: tuple[Point, ...]
    masses: tuple[float, ...]
    links: tuple[tuple[int, int | Point], ...]  # a body, and another body or an anchor
    sliders: tuple[tuple[int, tuple[float, float, float]], ...] = ()  # a body, and k1, k2, konst of its line
    velocities: tuple[Point, ...] | None = None  # None: everything starts at rest

    @property
    def text(self) -> str:
        """The whole chainlist, with numbers that read back to the same double."""
        lines = [self.title]
        for i, ((x, y), mass) in enumerate(zip(self.places, self.masses, strict=True)):
            speed = ""
            if self.velocities is not None:
                vx, vy = self.velocities[i]
                speed = f" IC_VEL=({vx!r},{vy!r})"
            lines.append(f"B{i + 1} ({x!r},{y!r}) {mass!r}{speed}")
        for k, (body, other) in enumerate(self.links):
            end = f"B{other + 1}" if isinstance(other, int) else f"({other[0]!r},{other[1]!r})"
            lines.append(f"C{k + 1} B{body + 1} {end}")
        for k, (body, (k1, k2, konst)) in enumerate(self.sliders):
            lines.append(f"S{k + 1} B{body + 1} LINE({k1!r},{k2!r},{konst!r})")
        lines.append(f".tran 0 {self.stop!r} {self.step!r}")
        lines.append(f".options gravity={self.gravity!r}")
        return "\n".join(lines) + "\n"

    @property
    def start(self) -> Floats:
        return np.array(self.places, float)

    @property
    def start_velocity(self) -> Floats:
        return np.zeros_like(self.start) if self.velocities is None else np.array(self.velocities, float)

    def residuals(self, positions: Floats) -> Floats:
        """Change of every link's length and distance of every slider's body from its line [m], for each sample."""
        columns = []
        for body, other in self.links:
            length = np.hypot(*(self.start[body] - self._end(self.start, other)))
            columns.append(np.hypot(*np.moveaxis(positions[:, body] - self._end(positions, other), -1, 0)) - length)
        for body, (k1, k2, konst) in self.sliders:
            columns.append((positions[:, body] @ (k1, k2) - konst) / np.hypot(k1, k2))
        return np.stack(columns, axis=-1)

    @staticmethod
    def _end(positions: Floats, other: int | Point) -> Floats:
        return positions[..., other, :] if isinstance(other, int) else np.array(other, float)

    def accelerations(self, positions: Floats, velocities: Floats) -> Floats:
        """Accelerations from Lagrange multipliers in Cartesian coordinates; leading axes are a batch.

        Dense, with NumPy's pseudoinverse of A M^(-1/2): a second opinion on references that use minimal coordinates.
        """
        bodies = len(self.masses)
        batch = positions.shape[:-2]
        rows = len(self.links) + len(self.sliders)
        gradient = np.zeros((*batch, rows, bodies, 2))
        wanted = np.zeros((*batch, rows))
        for k, (body, other) in enumerate(self.links):
            gap = positions[..., body, :] - self._end(positions, other)
            drift = velocities[..., body, :].copy()
            gradient[..., k, body, :] += gap
            if isinstance(other, int):
                gradient[..., k, other, :] -= gap
                drift -= velocities[..., other, :]
            wanted[..., k] = -np.sum(drift * drift, axis=-1)
        for k, (body, (k1, k2, _)) in enumerate(self.sliders, start=len(self.links)):
            gradient[..., k, body, :] = (k1, k2)
        root = np.repeat(np.sqrt(self.masses), 2)
        free = np.tile((0.0, -self.gravity), bodies)
        flat = gradient.reshape(*batch, rows, 2 * bodies)
        inverse = np.linalg.pinv(flat / root, rcond=1e-10)
        push = np.einsum("...ir,...r->...i", inverse, wanted - flat @ free) / root
        return np.asarray((free + push).reshape(positions.shape))

    def energy(self, positions: Floats, velocities: Floats) -> Floats:
        """Kinetic and potential energy together [J], for each sample."""
        masses = np.array(self.masses)
        kinetic = 0.5 * np.sum(velocities**2, axis=-1) @ masses
        return kinetic + self.gravity * positions[..., 1] @ masses  # type: ignore[no-any-return]
