"""RATTLE: velocity Verlet that keeps Φ = 0 and A v = 0 by itself. Symplectic, time-reversible, second order.

Over long runs its energy error stays bounded. The constraint force of the first half of a step points along the
gradients at its beginning: that is what makes it symplectic. The second half is the landing of PROJECTED.
"""

from __future__ import annotations

from chainlist.integrators.base import Integrator, register
from chainlist.kernels.attempt import copy_state
from chainlist.kernels.bundles import System, Work
from chainlist.kernels.slots import ACTS, DIM, TOL_Q, free, rows, spread, substep
from chainlist.kernels.sparse import substitute
from chainlist.kernels.state import residual


def verlet(s: System, w: Work, t, h, q, v):  # type: ignore[no-untyped-def]
    """v + (h/2) a, then q + h v on Φ = 0, then (h/2) a again; in place. w holds rows and factor at q."""
    r, phi, J, old, move = w.rows.r, w.rows.phi, w.rows.J, w.old, w.vdn
    for k in range(J.shape[0]):
        for c in range(J.shape[1]):
            old[k, c] = J[k, c]
    free(s, w, t, q, v, move)
    for i in range(q.shape[0]):
        for c in range(DIM):
            v[i, c] += 0.5 * h * move[i, c]
            q[i, c] += h * v[i, c]
    previous = 1e300
    for n in range(60):  # simplified Newton with the factor at the beginning of the step
        rows(s.table, w.rows, w.mobility, t + h, q, v, v)
        worst = residual(phi, w.inverse_size)
        if worst <= TOL_Q or (worst <= 1e-14 and worst > 0.5 * previous):
            break
        if n == 59 or not worst < 1e300:
            w.count.failed = -1
            break
        previous = worst
        for k in range(r.shape[0]):
            r[k] = -phi[k]
        substitute(s.pattern.column_start, s.pattern.row_of, w.factor.L, w.factor.inverse, r)
        for i in range(q.shape[0]):
            for c in range(DIM):
                move[i, c] = 0.0
        spread(s.table, old, s.inverse_mass, r, move)
        for i in range(q.shape[0]):
            for c in range(DIM):
                q[i, c] += move[i, c]
                v[i, c] += move[i, c] / h
    free(s, w, t + h, q, v, move)
    for i in range(q.shape[0]):
        for c in range(DIM):
            v[i, c] += 0.5 * h * move[i, c]


def rattle(s: System, w: Work, t, h, q, v):  # type: ignore[no-untyped-def]
    copy_state(q, v, w.qn, w.vn)
    substep(s, w, t, h, w.qn, w.vn)
    add_work(w, h, q)


def add_work(w: Work, h, q):  # type: ignore[no-untyped-def]
    """Work of moving anchors and driven constraints, by the powers at the beginning of this step and of the one before."""
    if ACTS == 1:
        last = q.shape[0] - 1
        power = w.kq[0][last, 0]
        before = w.gauge.last_power if w.count.steps > 0 else power
        w.qn[last, 0] = q[last, 0] + h * (1.5 * power - 0.5 * before)
        w.gauge.last_power = power


register(
    Integrator(
        "RATTLE",
        2,
        "symplectic, keeps the constraints by itself, for long runs",
        rattle,
        holds_constraints=True,
        substep=verlet,
        stable=(2.0, 2.0),
    )
)
