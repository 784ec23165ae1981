"""Questions to the samples of a finished run: residuals, energies, accelerations and multipliers."""

from __future__ import annotations

import math

from chainlist.kernels.attempt import begin_piece
from chainlist.kernels.bundles import System, Tape, TapeWork, Work
from chainlist.kernels.forces import kinetic_energies, potential_energies
from chainlist.kernels.gauges import Count
from chainlist.kernels.slots import ACTS, DIM, SWITCHES, apart, rhs, rows
from chainlist.kernels.tape import remember_turns


def put_sample(at, Q, V, q, v):  # type: ignore[no-untyped-def]
    for i in range(Q.shape[1]):
        for c in range(DIM):
            q[i, c] = Q[at, i, c]
            v[i, c] = V[at, i, c]


@apart
def put_memory(breaks, count: Count, tape: Tape, scratch: TapeWork, q, v, t, at, X):  # type: ignore[no-untyped-def]
    """The branches and the angles that hold at sample `at`. Without X angles go on from sample to sample."""
    turn = scratch.turn
    for m in range(turn.shape[0]):
        if X.shape[0] > 0:
            turn[m] = X[at, m + 1]
    if at == 0 or (count.piece < breaks.shape[0] and t >= breaks[count.piece]):
        if at == 0:
            count.piece = 0
        while count.piece < breaks.shape[0] and t >= breaks[count.piece]:
            count.piece += 1
        # from its beginning: a sample may lie so near to its end that rounding would take it for the next piece
        since = breaks[count.piece - 1] if count.piece > 0 else 0.0
        begin_piece(breaks, count, tape, scratch, since, q, v)


def survey(s: System, w: Work, q, v, t, Q, V, X, phi, speed, kinetic, potential):  # type: ignore[no-untyped-def]
    """Of every row phi[sample, row] = Φ and speed[sample, row] = A v − c; of every group its energies."""
    for at in range(Q.shape[0]):
        put_sample(at, Q, V, q, v)
        if ACTS == 1:
            put_memory(s.breaks, w.count, s.table.told.tape, w.rows.tape, q, v, t[at], at, X)
        rows(s.table, w.rows, w.mobility, t[at], q, v, v)
        for k in range(phi.shape[1]):
            phi[at, k] = w.rows.phi[k]
            speed[at, k] = -w.rows.r[k]
            if ACTS == 1:
                speed[at, k] -= w.rows.c[k]
        kinetic_energies(s.mass, s.groups.of_point, v, kinetic[at])
        potential_energies(s, w, t[at], q, v, potential[at])
        if ACTS == 1:
            remember_turns(s.table.told.tape, w.rows.tape)


def react(s: System, w: Work, q, v, t, Q, V, X, a, lam, active, size, rate, pull, given, grasp, lent):  # type: ignore[no-untyped-def]
    """Accelerations a[sample, body] and multipliers lam[sample, row] as the right-hand side gives them; rows that count.

    size[sample, row] is the length of the row, of the larger of its ends: times lam, a force; rate[sample, row] is A v of the
    bodies: times lam, the power of the row. Of every force element
    pull[sample, force] along its line and the power given[sample, force] that it gives to bodies. Of every row of switches its
    multiplier grasp[sample, row] and the power lent[sample, row].
    """
    ends, J = s.table.ends, w.rows.J
    for at in range(Q.shape[0]):
        put_sample(at, Q, V, q, v)
        if ACTS == 1:
            put_memory(s.breaks, w.count, s.table.told.tape, w.rows.tape, q, v, t[at], at, X)
        w.count.keeps = 0  # which rows count at a sample does not depend on others
        rhs(s, w, t[at], q, v, w.qdn, w.vdn, 1.0)
        for i in range(Q.shape[1]):
            for c in range(DIM):
                a[at, i, c] = w.vdn[i, c]
        for k in range(w.rows.r.shape[0]):
            lam[at, k] = w.rows.r[k]
            active[at, k] = w.factor.active[k]
            largest = 0.0
            along = 0.0
            for e in range(ends[k]):
                i = s.table.point[k, e]
                squares = 0.0
                for c in range(DIM):
                    squares += J[k, e * DIM + c] * J[k, e * DIM + c]
                    if s.inverse_mass[i] > 0.0:
                        along += J[k, e * DIM + c] * v[i, c]
                largest = max(largest, squares)
            size[at, k] = math.sqrt(largest)
            rate[at, k] = along
        if ACTS == 1:
            remember_turns(s.table.told.tape, w.rows.tape)
            forces_of_sample(s, w, q, v, pull[at], given[at])
        if SWITCHES == 1:
            switches_of_sample(s.inverse_mass, w.switch, v, grasp[at], lent[at])


@apart
def switches_of_sample(inverse_mass, a, v, grasp, lent):  # type: ignore[no-untyped-def]
    """Multipliers and powers of the rows of switches, as the right-hand side left them; 0 where a row does not hold."""
    for k in range(grasp.shape[0]):
        grasp[k] = a.lam[k]
        lent[k] = 0.0
        if a.lam[k] != 0.0:  # only rows that hold have a gradient of this moment
            for e in range(a.table.ends[k]):
                i = a.table.point[k, e]
                if inverse_mass[i] > 0.0:
                    for c in range(DIM):
                        lent[k] += a.lam[k] * a.rows.J[k, e * DIM + c] * v[i, c]


@apart
def forces_of_sample(s: System, w: Work, q, v, pull, given):  # type: ignore[no-untyped-def]
    """The native kinds first (positive: its two ends are pulled together), then the laws, as they were computed last."""
    native = s.forces.point.shape[0]
    for k in range(native):
        squares = 0.0
        power = 0.0
        toward = 0.0
        apart2 = 0.0
        for e in range(s.forces.ends[k]):
            i = s.forces.point[k, e]
            for c in range(DIM):
                F = w.acting.F[k, e * DIM + c]
                if e == 0:
                    squares += F * F
                    d = q[s.forces.point[k, s.forces.ends[k] - 1], c] - q[i, c]
                    toward += F * d
                    apart2 += d * d
                if s.inverse_mass[i] > 0.0:
                    power += F * v[i, c]
        pull[k] = toward / math.sqrt(apart2) if apart2 > 0.0 else math.sqrt(squares)
        given[k] = power
    for n in range(s.forces.law.shape[0]):
        pull[native + n] = w.acting.pull[n]
        given[native + n] = w.acting.given[n]
