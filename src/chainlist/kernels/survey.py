"""Questions to the samples of a finished run: residuals, accelerations and multipliers."""

import math

from chainlist.kernels.slots import DIM, rhs, rows


def survey(s, w, mobility, q, v, Q, V, phi, speed):  # type: ignore[no-untyped-def]
    """phi[sample, row] = Φ and speed[sample, row] = dΦ/dt = A v of every row of `s`, anchors as they stand in q."""
    for at in range(Q.shape[0]):
        for i in range(Q.shape[1]):
            for c in range(DIM):
                q[i, c] = Q[at, i, c]
                v[i, c] = V[at, i, c]
        rows(s, w, mobility, 0.0, q, v, v)
        for k in range(w.phi.shape[0]):
            phi[at, k] = w.phi[k]
            speed[at, k] = -w.r[k]


def react(s, w, q, v, t, Q, V, a, lam, active, size):  # type: ignore[no-untyped-def]
    """Accelerations a[sample, body] and multipliers lam[sample, row] as the right-hand side gives them; rows that count.

    size[sample, row] is the length of the row, of the larger of its ends: times lam, a force.
    """
    ends, J = s.table.ends, w.rows.J
    for at in range(Q.shape[0]):
        for i in range(Q.shape[1]):
            for c in range(DIM):
                q[i, c] = Q[at, i, c]
                v[i, c] = V[at, i, c]
        rhs(s, w, t[at], q, v, w.qdn, w.vdn, 1.0)
        for i in range(Q.shape[1]):
            for c in range(DIM):
                a[at, i, c] = w.vdn[i, c]
        for k in range(w.rows.r.shape[0]):
            lam[at, k] = w.rows.r[k]
            active[at, k] = w.factor.active[k]
            largest = 0.0
            for e in range(ends[k]):
                squares = 0.0
                for c in range(DIM):
                    squares += J[k, e * DIM + c] * J[k, e * DIM + c]
                largest = max(largest, squares)
            size[at, k] = math.sqrt(largest)
