"""Φ, dΦ/dt and energies over samples, and which constraints depend on one another at a sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chainlist.compile.layout import survey_work
from chainlist.compile.plan import surveyor
from chainlist.compile.system import Assembly, assemble
from chainlist.kernels.bundles import Floats

LARGEST = 250_000  # entries of a dense A
SHARE = 0.1  # a constraint takes part in a dependence if its share is at least this of the largest


@dataclass(frozen=True)
class Surveyed:
    """Over samples: (samples, rows) of Φ and of A v − c, (samples, groups) of energies [J]."""

    phi: Floats
    speed: Floats
    kinetic: Floats
    potential: Floats


class Survey:
    """The constraints as they are written, unscaled, in the order of the text, evaluated at samples."""

    def __init__(self, assembly: Assembly, target: str = "cpu") -> None:
        mechanism = assembly.mechanism
        self.assembly = assemble(mechanism, as_written=True)
        self.names = [mechanism.constraints[equation.constraint].name for equation in self.assembly.equations]
        self.bodies = self.assembly.bodies
        self.system, self.q, self.v = self.assembly.system, self.assembly.q.copy(), np.zeros_like(self.assembly.q)
        # turns of angles and pieces of formulas are remembered from one sample to the next: such a survey has its own scratch
        self.work = survey_work(self.system) if self.assembly.acts else self.assembly.scratch
        self.kernel = surveyor(self.q.shape[1], target, acts=self.assembly.acts)

    def __call__(self, t: Floats, Q: Floats, V: Floats, X: Floats | None = None) -> Surveyed:
        """For positions and velocities (samples, bodies, dim); X: Work and continuous angles, where they are known."""
        m, groups = len(self.names), len(self.system.groups.size)
        shapes = (m, m, groups, groups)
        found = Surveyed(*(np.empty((len(Q), width)) for width in shapes))
        known = X if X is not None and self.assembly.acts else np.empty((0, self.assembly.memory))
        Q, V = (np.ascontiguousarray(x[:, : self.bodies]) for x in (Q, V))
        t = np.ascontiguousarray(t)
        out = (found.phi, found.speed, found.kinetic, found.potential)
        self.kernel(self.system, self.work, self.q, self.v, t, Q, V, np.ascontiguousarray(known), *out)
        return found

    def dependent(self, t: float, Q: Floats, V: Floats) -> tuple[tuple[str, ...], float]:
        """The constraints that are closest to depending on one another at one sample, and how close they are.

        That is the smallest singular value of A, its rows made unit vectors: 0 where they do depend on one another. No
        names and 0 where A is too large.
        """
        d, table = self.q.shape[1], self.system.table
        if len(self.names) * self.bodies * d > LARGEST:
            return (), 0.0
        self.work = survey_work(self.system)  # read below: nobody else may write to it meanwhile
        self(np.array([t]), Q[None], V[None])
        parts = np.zeros((len(self.names), len(self.q), d))
        for k, ends in enumerate(table.ends):
            for e in range(ends):
                parts[k, table.point[k, e]] += self.work.rows.J[k, e * d : e * d + d]
        A = parts[:, : self.bodies].reshape(len(self.names), -1)
        length = np.linalg.norm(A, axis=1)
        if not np.isfinite(length).all() or (length == 0).any():
            return (), 0.0
        left, sigma, _ = np.linalg.svd(A / length[:, None])
        share = np.abs(left[:, min(A.shape) - 1])
        names = tuple(
            dict.fromkeys(name for name, part in zip(self.names, share, strict=True) if part > SHARE * share.max())
        )
        return names, float(sigma[-1]) if len(self.names) <= A.shape[1] else 0.0
