"""INDEX1: the equations of Udwadia and Kalaba, (4) of the paper. Constraints are kept only as well as the method is."""

from chainlist.formulations.base import Formulation, register
from chainlist.kernels.forces import potential_energy, supply
from chainlist.kernels.slots import (
    ACTS,
    DIM,
    ENERGY,
    EVALUATIONS,
    PREDICTED,
    correct,
    free,
    prepare,
    rescale,
    rhs,
    rows,
)


def accelerations(s, w, t, q, v, qd, vd, judge):  # type: ignore[no-untyped-def]
    # (4): q' = v, v' = M⁻¹F + M^(-1/2) (A M^(-1/2))⁺ (b − A M⁻¹F)
    A = w.rows
    b, r = A.b, A.r
    free(s, w, t, q, v, vd)
    rows(s.table, A, w.mobility, t, q, v, vd)
    prepare(s, w, judge)
    for k in range(r.shape[0]):
        r[k] += b[k]
    correct(s, w, b, vd)
    for i in range(q.shape[0]):
        for c in range(DIM):
            qd[i, c] = v[i, c]
    if ACTS == 1:
        supply(s, w, v, qd)
    w.count[EVALUATIONS] += 1


def stay(s, w, t, h, q, v):  # type: ignore[no-untyped-def]
    """Nothing is projected: the derivatives at the new state begin the next step."""
    if s.corrects != 0:
        U = potential_energy(s, w, t, q, v)
        w.gauge[PREDICTED] = rescale(s.mass, w.gauge[ENERGY], U, 1e-12 * s.energy_scale, v)
    rhs(s, w, t, q, v, w.qdn, w.vdn, 1.0)


register(Formulation("INDEX1", "index 1, the Udwadia–Kalaba equations (4)", accelerations, stay))
