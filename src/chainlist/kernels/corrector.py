"""The paper's energy corrector, and what stands in its place where it is off."""

from __future__ import annotations

import math

from chainlist.kernels.bundles import System, Work
from chainlist.kernels.forces import potential_energy
from chainlist.kernels.slots import DIM
from chainlist.kernels.state import norm2


def scale_velocities(s: System, w: Work, t, q, v):  # type: ignore[no-untyped-def]
    """v ← v √((E − U)/T), where T > T_tol and E > U; E is the energy of the first state. The gauge keeps the energy before it."""
    E, U, T = w.gauge.energy, potential_energy(s, w, t, q, v), 0.5 * norm2(s.mass, v)
    if s.corrects != 0:
        if T > 1e-12 * s.energy_scale and E > U:
            f = math.sqrt((E - U) / T)
            for i in range(v.shape[0]):
                for c in range(DIM):
                    v[i, c] *= f
        w.gauge.predicted = T + U


def leave_velocities(s: System, w: Work, t, q, v):  # type: ignore[no-untyped-def]
    """It is off, and takes no time to compile."""
