"""Φ and dΦ/dt over samples, and which constraints depend on one another at a sample."""

from __future__ import annotations

import numpy as np

from chainlist.compile.layout import Floats, make_work
from chainlist.compile.plan import surveyor
from chainlist.compile.system import Assembly, assemble

LARGEST = 250_000  # entries of a dense A
SHARE = 0.1  # a constraint takes part in a dependence if its share is at least this of the largest


class Survey:
    """The constraints as they are written, unscaled, in the order of the text, evaluated at samples."""

    def __init__(self, assembly: Assembly, target: str = "cpu") -> None:
        written = assemble(assembly.mechanism, as_written=True)
        self.names = [constraint.name for constraint in assembly.mechanism.constraints]
        self.bodies = written.bodies
        self.system, self.q, self.v = written.system, written.q.copy(), np.zeros_like(written.q)
        self.rows = make_work(self.system, stages=1, named=False).rows
        self.kernel = surveyor(self.q.shape[1], target)

    def __call__(self, Q: Floats, V: Floats) -> tuple[Floats, Floats]:
        """Φ and dΦ/dt, (samples, constraints) each, for positions and velocities (samples, bodies, dim)."""
        phi = np.empty((len(Q), len(self.names)))
        speed = np.empty_like(phi)
        mobility = self.system.inverse_mass
        Q, V = np.ascontiguousarray(Q), np.ascontiguousarray(V)
        self.kernel(self.system.table, self.rows, mobility, self.q, self.v, Q, V, phi, speed)
        return phi, speed

    def dependent(self, Q: Floats, V: Floats) -> tuple[tuple[str, ...], float]:
        """The constraints that are closest to depending on one another at one sample, and how close they are.

        That is the smallest singular value of A, its rows made unit vectors: 0 where they do depend on one another. No
        names and 0 where A is too large.
        """
        d, table = self.q.shape[1], self.system.table
        if len(self.names) * self.bodies * d > LARGEST:
            return (), 0.0
        self(Q[None], V[None])
        parts = np.zeros((len(self.names), len(self.q), d))
        for k, ends in enumerate(table.ends):
            for e in range(ends):
                parts[k, table.point[k, e]] += self.rows.J[k, e * d : e * d + d]
        A = parts[:, : self.bodies].reshape(len(self.names), -1)
        length = np.linalg.norm(A, axis=1)
        if not np.isfinite(length).all() or (length == 0).any():
            return (), 0.0
        left, sigma, _ = np.linalg.svd(A / length[:, None])
        share = np.abs(left[:, min(A.shape) - 1])
        names = tuple(name for name, part in zip(self.names, share, strict=True) if part > SHARE * share.max())
        return names, float(sigma[-1]) if len(self.names) <= A.shape[1] else 0.0
