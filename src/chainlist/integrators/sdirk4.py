"""SDIRK4: an implicit Runge–Kutta method of fourth order for stiff springs and dampers; each stage solves for itself.

L-stable and stiffly accurate, γ = 1/4: Hairer and Wanner, "Solving Ordinary Differential Equations II", table IV.6.5. What is too
fast for the step is damped away instead of blowing up. Springs and dampers are solved for together with the constraints, as
rows that give way; forces by expression are taken as they come.
"""

from __future__ import annotations

from chainlist.integrators.base import Integrator, register, tableau
from chainlist.kernels.bundles import System, Work
from chainlist.kernels.slots import DIM, STAGES, A, B, C, apart, free, rhs, rows, spread
from chainlist.kernels.sparse import ldl, substitute
from chainlist.kernels.state import norm2

_A = [
    [1 / 4],
    [1 / 2, 1 / 4],
    [17 / 50, -1 / 25, 1 / 4],
    [371 / 1360, -137 / 2720, 15 / 544, 1 / 4],
    [25 / 24, -49 / 48, 125 / 16, -85 / 12, 1 / 4],
]
ITERATIONS = 60
# Change of the accelerations, squared and relative, at which iterations end: at once, or where it no longer falls.
CLOSE, GOOD_ENOUGH = 1e-26, 1e-18


def implicit_step(s: System, w: Work, t, h, q, v):  # type: ignore[no-untyped-def]
    kq, kv, qt, vt, qn, vn = w.kq, w.kv, w.qt, w.vt, w.qn, w.vn
    n = q.shape[0]
    for i in range(n):  # the first guess: the acceleration where the step begins
        for c in range(DIM):
            vn[i, c] = kv[0, i, c]
    for m in range(STAGES):
        for i in range(n):
            for c in range(DIM):
                qt[i, c] = q[i, c]
                vt[i, c] = v[i, c]
                for r in range(m):
                    qt[i, c] += h * A[m * STAGES + r] * kq[r, i, c]
                    vt[i, c] += h * A[m * STAGES + r] * kv[r, i, c]
        solve_stage(s, w, t + C[m] * h, h * A[m * STAGES + m], m)
    for i in range(n):
        for c in range(DIM):
            dq = 0.0
            dv = 0.0
            for r in range(STAGES):
                dq += B[r] * kq[r, i, c]
                dv += B[r] * kv[r, i, c]
            qn[i, c] = q[i, c] + h * dq
            vn[i, c] = v[i, c] + h * dv


@apart
def solve_stage(s: System, w: Work, t, g, m):  # type: ignore[no-untyped-def]
    """Accelerations a with a = M⁻¹F + M⁻¹Aᵀλ and A a = b at v = vt + g a, q = qt + g v; left in kv[m], with v in kq[m].

    Each iteration linearises springs and dampers: A a + μ/κ = A a_before on their rows, κ = k g² + c g.
    """
    stiff, R, f = s.stiff, w.stiff_rows, w.stiff_factor
    qt, vt, qs, vs, guess, a = w.qt, w.vt, w.qn, w.kq[m], w.vn, w.kv[m]
    n = qt.shape[0]
    for k in range(stiff.hard.shape[0]):
        f.active[stiff.hard[k]] = w.factor.active[k]
    previous = 1e300
    for count in range(ITERATIONS):
        for i in range(n):
            for c in range(DIM):
                vs[i, c] = vt[i, c] + g * guess[i, c]
                qs[i, c] = qt[i, c] + g * vs[i, c]
        free(s, w, t, qs, vs, a)
        rows(stiff.table, R, w.mobility, t, qs, vs, a)
        for k in range(stiff.hard.shape[0]):
            R.r[stiff.hard[k]] += R.b[stiff.hard[k]]
        for k in range(stiff.soft.shape[0]):
            p = stiff.soft[k]
            before = 0.0
            for e in range(stiff.table.ends[p]):
                i = stiff.table.point[p, e]
                for c in range(DIM):
                    before += R.J[p, e * DIM + c] * guess[i, c]
            R.r[p] += before
            give = stiff.number[k, 0] * g * g + stiff.number[k, 1] * g
            R.diagonal[p] += 1.0 / give if give > 0.0 else 1e300
        ldl(stiff.pattern, R.J, R.diagonal, w.mobility, f, -1.0, w.gauge, w.count)
        substitute(stiff.pattern.column_start, stiff.pattern.row_of, f.L, f.inverse, R.r)
        spread(stiff.table, R.J, s.inverse_mass, R.r, a)
        for i in range(n):
            for c in range(DIM):
                change = a[i, c] - guess[i, c]
                guess[i, c] = a[i, c]
                qs[i, c] = change
        off = norm2(s.mass, qs)
        size = norm2(s.mass, a) + norm2(s.mass, vs) / (g * g)
        if off <= CLOSE * size or (off > 0.25 * previous and off <= GOOD_ENOUGH * size):
            break
        if count == ITERATIONS - 1 or not off < 1e300:
            w.count.failed = -1
        previous = off
    for i in range(n):
        for c in range(DIM):
            vs[i, c] = vt[i, c] + g * a[i, c]
            qs[i, c] = qt[i, c] + g * vs[i, c]
    rhs(s, w, t, qs, vs, w.qdn, w.vdn, 0.0)
    vs[n - 1, 0] = w.qdn[n - 1, 0]  # the rate of Work


register(
    Integrator(
        "SDIRK4",
        4,
        "implicit, for stiff springs and dampers",
        implicit_step,
        stages=5,
        constants=tableau(_A, _A[4]),
        implicit=True,
    )
)
