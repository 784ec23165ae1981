"""INDEX1: the equations of Udwadia and Kalaba, (4) of the paper. Constraints are kept only as well as the method is."""

from __future__ import annotations

from chainlist.formulations.base import Formulation, register
from chainlist.kernels.bundles import System, Work
from chainlist.kernels.forces import supply
from chainlist.kernels.slots import (
    ACTS,
    DIM,
    SWITCHES,
    correct,
    free,
    prepare,
    rescale,
    rhs,
    rows,
)
from chainlist.kernels.switches import close_accelerations, engage, power_of_switches
from chainlist.kernels.weightless import take_back


def accelerations(s: System, w: Work, t, q, v, qd, vd, judge):  # type: ignore[no-untyped-def]
    # (4): q' = v, v' = M⁻¹F + M^(-1/2) (A M^(-1/2))⁺ (b − A M⁻¹F)
    A = w.rows
    b, r = A.b, A.r
    free(s, w, t, q, v, vd)
    rows(s.table, A, w.mobility, t, q, v, vd)
    prepare(s, w, judge)
    if SWITCHES == 1:
        if w.count.shown > 0:
            engage(s, w, t, q, v)
    for k in range(r.shape[0]):
        r[k] += b[k]
    correct(s, w, b, vd)
    if SWITCHES == 1:
        if w.count.shown > 0:
            close_accelerations(w.switch, s.switch.slow, w.count, w.mobility, r, t, q, v, vd)
    if ACTS == 1:
        if s.forces.weightless.shape[0] > 0:
            take_back(s, w, b, vd)
    for i in range(q.shape[0]):
        for c in range(DIM):
            qd[i, c] = v[i, c]
    if SWITCHES == 1:
        if w.count.shown > 0:
            w.gauge.power += power_of_switches(w.switch, w.count.engaged, w.count.shown, s.inverse_mass, v)
    if ACTS == 1:
        supply(s.table, A, s.inverse_mass, w.gauge.power, v, qd)
    w.count.evaluations += 1


def stay(s: System, w: Work, t, h, q, v):  # type: ignore[no-untyped-def]
    """Nothing is projected: the derivatives at the new state begin the next step."""
    rescale(s, w, t, q, v)
    rhs(s, w, t, q, v, w.qdn, w.vdn, 1.0)


register(Formulation("INDEX1", "index 1, the Udwadia–Kalaba equations (4)", accelerations, stay, switches=True))
