"""PROJECTED: index 1, and after every step q is put back onto Φ = 0 and v onto its tangent, both mass-orthogonally.

The factor of the last stage stands close to the end of the step and serves the first correction of q; one fresh
factorisation then serves the rank, the velocities and the first derivative of the next step: no more factorisations
than INDEX1 has.
"""

from __future__ import annotations

import math

from chainlist.formulations.base import Formulation, register
from chainlist.formulations.index1 import accelerations
from chainlist.kernels.bundles import System, Work
from chainlist.kernels.forces import supply
from chainlist.kernels.slots import (
    ACTS,
    DIM,
    LAST_AT_END,
    SWITCHES,
    TOL_Q,
    correct,
    free,
    pick,
    prepare,
    push,
    rescale,
    rows,
    split,
)
from chainlist.kernels.state import norm2, residual
from chainlist.kernels.switches import (
    close_accelerations,
    close_positions,
    close_velocities,
    engage,
    misfit,
    power_of_switches,
    taken_by_switches,
)
from chainlist.kernels.weightless import take_back


def project(s: System, w: Work, t, h, q, v):  # type: ignore[no-untyped-def]
    A, gauge, count, vd, qd = w.rows, w.gauge, w.count, w.vdn, w.qdn
    b, r, phi, taken = A.b, A.r, A.phi, w.g
    m = r.shape[0]
    # Newton's method for Φ(q) = 0; the factor of the last stage is good enough for its first step
    at_hand = 1 if LAST_AT_END == 1 and h > 0.0 else 0
    previous = math.inf
    for n in range(10):
        rows(s.table, A, w.mobility, t, q, v, v)
        worst = residual(phi, w.inverse_size)
        if SWITCHES == 1:
            if count.shown > 0:
                worst = max(worst, misfit(w.switch, count.engaged, w.mobility, t, q, v))
        more = worst > TOL_Q and worst <= 0.5 * previous and n < 8 + at_hand
        if not (more and n == 0 and at_hand == 1):
            prepare(s, w, 1.0)
            if SWITCHES == 1:
                if count.shown > 0:
                    engage(s, w, t, q, v)
            if not more:
                break
            previous = worst
        for k in range(m):
            r[k] = -phi[k]
        push(s, w, q)
        if SWITCHES == 1:
            if count.shown > 0:
                close_positions(w.switch, count.engaged, w.mobility, t, q, v)
        count.projections += 1
    gauge.residual = worst
    # v ← v − M⁻¹Aᵀ S⁻¹ (A v − c) takes ½|dv|² out of the energy, |dv|² = rᵀ S⁻¹ r
    for k in range(m):
        if ACTS == 1:
            r[k] += A.c[k]
        taken[k] = r[k]
    correct(s, w, A.c, v)
    if SWITCHES == 1:
        if count.shown > 0:
            close_velocities(w.switch, count.engaged, v)
    total = 0.0
    for k in range(m):
        total += r[k] * taken[k]
    gauge.eta2 = total
    split(s.groups.of_row, r, taken, w.share)  # parts of the text that do not feel one another are judged apart
    if SWITCHES == 1:
        if count.shown > 0:
            gauge.eta2 += taken_by_switches(w.switch, count.engaged, s.groups.of_point, w.share)
    rescale(s, w, t, q, v)
    # the first derivative of the next step, with the same factor
    free(s, w, t, q, v, vd)
    gauge.free2 = norm2(s.mass, vd)
    if ACTS == 1:  # a strong spring that a link holds says nothing of the motion, but of roundoff
        if gauge.weight2 == 0.0:
            gauge.weight2 = norm2(s.mass, s.gravity)
        gauge.free2 = gauge.weight2 + 1e-12 * gauge.free2
    rows(s.table, A, w.mobility, t, q, v, vd)
    for k in range(m):
        r[k] += b[k]
    correct(s, w, b, vd)
    if SWITCHES == 1:
        if count.shown > 0:
            close_accelerations(w.switch, s.switch.slow, count, w.mobility, r, t, q, v, vd)
    if ACTS == 1:
        if s.forces.weightless.shape[0] > 0:
            take_back(s, w, b, vd)
    for i in range(q.shape[0]):
        for c in range(DIM):
            qd[i, c] = v[i, c]
    if SWITCHES == 1:
        if count.shown > 0:
            gauge.power += power_of_switches(w.switch, count.engaged, count.shown, s.inverse_mass, v)
    if ACTS == 1:
        supply(s.table, A, s.inverse_mass, w.gauge.power, v, qd)
    gauge.speed2 = norm2(s.mass, v)
    gauge.accel2 = norm2(s.mass, vd)
    pick(s, w.share, h, v, vd, gauge)
    count.evaluations += 1


register(
    Formulation(
        "PROJECTED",
        "index 1, with q and v projected after every step",
        accelerations,
        project,
        projects=True,
        switches=True,
    )
)
