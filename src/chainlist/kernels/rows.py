"""Rows of all kinds: one loop per kind, folded together by binding, so that nothing is dispatched."""

from __future__ import annotations

from chainlist.kernels.bundles import Rows, RowTable
from chainlist.kernels.operations import ADD, PLACE, SPEED, TIME_LEAF
from chainlist.kernels.slots import ACTS, DIM, ENDS, TYPE, apart, before, row
from chainlist.kernels.tape import backward, forward


def no_rows(s: RowTable, w: Rows, mobility, t, q, v, x):  # type: ignore[no-untyped-def]
    """The fold begins with no kind at all; where points move as told, they are put in place first."""
    if ACTS == 1:
        if s.told.moving.shape[0] > 0:
            carry_points(s, w, t, q, v)


def append_rows(s: RowTable, w: Rows, mobility, t, q, v, x):  # type: ignore[no-untyped-def]
    """Rows of the kinds before this one, then one loop for this one.

    Behind each row, while it is at hand: the constant factor that makes its multiplier a force, the diagonal of
    S = A M⁻¹ Aᵀ, and r = −A x.
    """
    before(s, w, mobility, t, q, v, x)
    order, start, point, scale = s.rows, s.start, s.point, s.scale
    J, phi, b, r, diagonal = w.J, w.phi, w.b, w.r, w.diagonal
    for p in range(start[TYPE], start[TYPE + 1]):
        k = order[p]
        row(k, s, w, t, q, v)
        f = scale[k]
        total = -0.0  # not 0.0: −0.0 + x is x for all x, an addition that need not be made
        along = -0.0
        for e in range(ENDS if ENDS > 0 else s.ends[k]):
            i = point[k, e]
            squares = 0.0
            for c in range(DIM):
                a = f * J[k, e * DIM + c]
                J[k, e * DIM + c] = a
                squares += a * a
                along += a * x[i, c]
            total += mobility[i] * squares
        phi[k] *= f
        b[k] *= f
        if ACTS == 1:
            w.c[k] *= f
        diagonal[k] = total
        r[k] = -along


def no_spread(s: RowTable, J, inverse_mass, lam, y):  # type: ignore[no-untyped-def]
    """The fold begins with no kind at all."""


def append_spread(s: RowTable, J, inverse_mass, lam, y):  # type: ignore[no-untyped-def]
    """y += M⁻¹ Aᵀ lam, kind after kind."""
    before(s, J, inverse_mass, lam, y)
    order, start, point = s.rows, s.start, s.point
    for p in range(start[TYPE], start[TYPE + 1]):
        k = order[p]
        for e in range(ENDS if ENDS > 0 else s.ends[k]):
            i = point[k, e]
            push_point(y, i, inverse_mass[i] * lam[k], J[k, e * DIM], J[k, e * DIM + 1], J[k, e * DIM + DIM - 1])


def push_point(y, i, mobility, px, py, pz):  # type: ignore[no-untyped-def]
    """y[i] += mobility · p; in the plane pz does not count.

    All is read before anything is written: what was written number by number is slow to read again as a pair.
    """
    first, second, third = y[i, 0] + mobility * px, y[i, 1] + mobility * py, y[i, DIM - 1] + mobility * pz
    y[i, 0] = first
    y[i, 1] = second
    if DIM == 3:
        y[i, 2] = third


@apart
def oppose(s: RowTable, J, g, x, r):  # type: ignore[no-untyped-def]
    """r = g − A x, for rows of any number of ends: for the places where speed does not matter."""
    ends, point = s.ends, s.point
    for k in range(r.shape[0]):
        along = 0.0
        for e in range(ends[k]):
            i = point[k, e]
            for c in range(DIM):
                along += J[k, e * DIM + c] * x[i, c]
        r[k] = g[k] - along


def linear_row(k, s: RowTable, w: Rows, t, q, v):  # type: ignore[no-untyped-def]
    """Φ = Σ n·q − k over the points of the row, with constant n; b = 0."""
    phi = -s.par[k, 0]
    for e in range(s.ends[k]):
        i = s.point[k, e]
        for c in range(DIM):
            n = s.par[k, 1 + e * DIM + c]
            w.J[k, e * DIM + c] = n
            phi += n * q[i, c]
    w.phi[k] = phi
    w.b[k] = 0.0


def quadratic_row(k, s: RowTable, w: Rows, t, q, v):  # type: ignore[no-untyped-def]
    """Φ = Σ w_ef q_e·q_f − k with a constant symmetric w; A_e = 2 Σ w_ef q_f; b = −2 Σ w_ef v_e·v_f."""
    ends = s.ends[k]
    phi = -s.par[k, 0]
    b = 0.0
    for e in range(ends):
        i = s.point[k, e]
        for c in range(DIM):
            x = 0.0
            u = 0.0
            for f in range(ends):
                weight = s.par[k, 1 + e * ends + f]
                x += weight * q[s.point[k, f], c]
                u += weight * v[s.point[k, f], c]
            w.J[k, e * DIM + c] = 2.0 * x
            phi += x * q[i, c]
            b -= 2.0 * u * v[i, c]
    w.phi[k] = phi
    w.b[k] = b


@apart
def formula_row(k, s: RowTable, w: Rows, t, q, v):  # type: ignore[no-untyped-def]
    """A row by formula. Of positions: Φ(q, t) = 0, A = ∂Φ/∂q, c = −∂Φ/∂t. Of velocities: Ψ = A v − c = 0, A = ∂Ψ/∂v.

    b is what A a must be, so that the second (of Ψ the first) derivative by the time vanishes.
    """
    tape, scratch = s.told.tape, w.tape
    first, last = int(s.par[k, 0]), int(s.par[k, 1])
    of_velocities = s.par[k, 2] == 1.0
    forward(tape, scratch, first, last, t, q, v)
    backward(tape, scratch, first, last, 1.0)
    for c in range(s.ends[k] * DIM):
        w.J[k, c] = 0.0
    by_time = 0.0
    along = 0.0
    for n in range(first, last):
        o = tape.op[n]
        if o >= ADD:  # leaves stand first
            break
        g = scratch.adjoint[n]
        scratch.adjoint[n] = 0.0
        if o == TIME_LEAF:
            by_time = g
        elif o == SPEED and of_velocities:
            w.J[k, tape.column[n]] += g
            along += g * scratch.value[n]
        elif o == PLACE and not of_velocities:
            w.J[k, tape.column[n]] += g
    if of_velocities:
        w.phi[k] = 0.0
        w.c[k] = along - scratch.value[last - 1]
        w.b[k] = -scratch.d1[last - 1]
    else:
        w.phi[k] = scratch.value[last - 1]
        w.c[k] = -by_time
        w.b[k] = -scratch.d2[last - 1]


@apart
def carry_points(s: RowTable, w: Rows, t, q, v):  # type: ignore[no-untyped-def]
    """Points that move as told are put where they are at t, with their velocity; w.carried keeps their acceleration."""
    told = s.told
    for m in range(told.moving.shape[0]):
        i = told.moving[m]
        for c in range(DIM):
            first, last = told.first[m, c], told.first[m, c + 1]
            forward(told.tape, w.tape, first, last, t, q, v)
            q[i, c] = w.tape.value[last - 1]
            v[i, c] = w.tape.d1[last - 1]
            w.carried[m, c] = w.tape.d2[last - 1]
