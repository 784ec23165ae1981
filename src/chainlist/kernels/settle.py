"""The start: damped Newton onto Φ = 0, for positions that do not fit the lengths."""

from __future__ import annotations

from chainlist.kernels.bundles import System, Work
from chainlist.kernels.slots import DIM, prepare, push, rows
from chainlist.kernels.state import measure, residual


def settle(s: System, w: Work, q, v):  # type: ignore[no-untyped-def]
    """Move q onto Φ = 0. Returns 0, or 1 where it is stuck: the constraints contradict one another.

    A step is halved until Σ(Φ/size)² falls by a fifth of what a whole step promises; below 1e-3 it is stuck.
    """
    merit = 1e300
    f = 1.0
    for i in range(q.shape[0]):
        for c in range(DIM):
            w.qn[i, c] = 0.0
            w.qt[i, c] = q[i, c]
    for _ in range(400):
        for i in range(q.shape[0]):
            for c in range(DIM):
                q[i, c] = w.qt[i, c] + f * w.qn[i, c]
        measure(s.table, w.inverse_size, q)
        rows(s.table, w.rows, w.mobility, 0.0, q, v, v)
        worst = residual(w.rows.phi, w.inverse_size)
        w.gauge.residual = worst
        if worst <= 1e-14:
            return 0
        new = 0.0
        for k in range(w.rows.phi.shape[0]):
            a = w.rows.phi[k] * w.inverse_size[k]
            new += a * a
        if new > (1.0 - 0.2 * f) * merit:
            if worst <= 1e-12:
                return 0
            f *= 0.5
            if f < 1e-3:
                return 1
            continue
        merit = new
        f = min(1.0, 2.0 * f)
        for i in range(q.shape[0]):
            for c in range(DIM):
                w.qt[i, c] = q[i, c]
                w.qn[i, c] = 0.0
        prepare(s, w, 1.0)
        for k in range(w.rows.r.shape[0]):
            w.rows.r[k] = -w.rows.phi[k]
        push(s, w, w.qn)
    return 1
