"""Points without mass that constraints alone determine: their accelerations, found by a mass that is lent and taken back.

M has no inverse where a point has no mass, but accelerations are unique where [M; A] has full column rank (Udwadia and
Phohomsiri). The point is lent a small mass μ, and the force μ·a of its own acceleration a, so that nothing is left of
the loan. a is not known beforehand: each round takes it from the one before. The error shrinks in each by about μ over
the mass that the point feels through its constraints, so a few rounds reach rounding.
"""

from __future__ import annotations

from chainlist.kernels.bundles import System, Work
from chainlist.kernels.rows import oppose
from chainlist.kernels.slots import DIM, apart, push

ROUNDS = 30
NEAR = 1e-15  # of the largest acceleration: no further round
UNDETERMINED = 1e-6  # what is left of it after all rounds: then the constraints do not say how the point moves


@apart
def take_back(s: System, w: Work, b, vd):  # type: ignore[no-untyped-def]
    """Accelerations vd with A vd = b, and multipliers in r, as if points without mass had none."""
    which, ghost, total, r = s.forces.weightless, w.acting.ghost, w.acting.total, w.rows.r
    for k in range(r.shape[0]):
        total[k] = r[k]
    for m in range(which.shape[0]):
        for c in range(DIM):
            ghost[m, c] = 0.0
    change = 0.0
    largest = 0.0
    loosest = 0
    for _ in range(ROUNDS):
        change = 0.0
        largest = 0.0
        for m in range(which.shape[0]):
            i = which[m, 0]
            for c in range(DIM):
                step = vd[i, c] - ghost[m, c]
                ghost[m, c] = vd[i, c]
                vd[i, c] += step
                if abs(step) > change:
                    change = abs(step)
                    loosest = m
                largest = max(largest, abs(ghost[m, c]))
        if change <= NEAR * largest:
            break
        oppose(s.table, w.rows.J, b, vd, r)
        push(s, w, vd)
        for k in range(r.shape[0]):
            total[k] += r[k]
    for m in range(which.shape[0]):
        for c in range(DIM):
            vd[which[m, 0], c] = ghost[m, c]
    for k in range(r.shape[0]):
        r[k] = total[k]
    if not change <= UNDETERMINED * largest and largest > 0.0:
        w.count.failed = -2 - int(which[loosest, 1])
