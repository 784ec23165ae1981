"""INDEX1_2: index 1 and 2 mixed, (8) of the paper: positions move with velocities that keep the constraints.

It keeps the order of the integrator. It has no damping of the normal velocity: an inward error of a pendulum of length
r grows without bound after t = r/|v_n|.
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
    # (8): q' = v + M^(-1/2) (A M^(-1/2))⁺ (b_q − A v), b_q = c, which is 0 where nothing is driven
    A = w.rows
    b, r = A.b, A.r
    rows(s.table, A, w.mobility, t, q, v, v)
    prepare(s, w, judge)
    for i in range(q.shape[0]):
        for c in range(DIM):
            qd[i, c] = v[i, c]
    if ACTS == 1:
        for k in range(r.shape[0]):
            r[k] += A.c[k]
    correct(s, w, A.c, qd)
    # (8): v' = M⁻¹F + M^(-1/2) (A M^(-1/2))⁺ (b_v − A M⁻¹F)
    free(s, w, t, q, v, vd)
    oppose(s.table, A.J, b, vd, r)
    correct(s, w, b, vd)
    if ACTS == 1:
        if s.forces.weightless.shape[0] > 0:
            take_back(s, w, b, vd)
    if ACTS == 1:
        supply(s.table, A, s.inverse_mass, w.gauge.power, v, qd)
    w.count.evaluations += 1


register(Formulation("INDEX1_2", "index 1 and 2 mixed, (8)", derivatives, stay))
