"""INDEX1_2_DAMPED: (8) with the motion off the constraints damped, (10) of the paper.

DAMPALPHA and DAMPBETA are in units of 1/step (the nominal one), which arrives here as s.alpha and s.beta in 1/s. With
α = β = 1/step the damping acts within one step: a method of fourth order is left with the second.
"""

from __future__ import annotations

from chainlist.formulations.base import Formulation, register
from chainlist.formulations.index1 import stay
from chainlist.kernels.bundles import System, Work
from chainlist.kernels.forces import supply
from chainlist.kernels.rows import oppose
from chainlist.kernels.slots import ACTS, DIM, correct, free, prepare, rows
from chainlist.kernels.weightless import take_back


def derivatives(s: System, w: Work, t, q, v, qd, vd, judge):  # type: ignore[no-untyped-def]
    # (10): q' = v + M^(-1/2) (A M^(-1/2))⁺ (b_q − A v − β Φ), b_q = c; the target of the acceleration is b_v − α (A v − c)
    A, g = w.rows, w.g
    b, r = A.b, A.r
    rows(s.table, A, w.mobility, t, q, v, v)
    prepare(s, w, judge)
    for k in range(r.shape[0]):
        if ACTS == 1:
            r[k] += A.c[k]
        b[k] += s.alpha * r[k]  # rows left r = −A v
        g[k] = -s.beta * A.phi[k]
        r[k] += g[k]
        if ACTS == 1:
            g[k] += A.c[k]
    for i in range(q.shape[0]):
        for c in range(DIM):
            qd[i, c] = v[i, c]
    correct(s, w, g, qd)
    # (10): v' = M⁻¹F + M^(-1/2) (A M^(-1/2))⁺ (b_v − A M⁻¹F − α dΦ/dt)
    free(s, w, t, q, v, vd)
    oppose(s.table, A.J, b, vd, r)
    correct(s, w, b, vd)
    if ACTS == 1:
        if s.forces.weightless.shape[0] > 0:
            take_back(s, w, b, vd)
    if ACTS == 1:
        supply(s.table, A, s.inverse_mass, w.gauge.power, v, qd)
    w.count.evaluations += 1


register(
    Formulation(
        "INDEX1_2_DAMPED",
        "index 1 and 2 mixed, motion off the constraints damped, (10)",
        derivatives,
        stay,
        adaptive=False,
        highest_order=2,
    )
)
