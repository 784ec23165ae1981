"""Forces: gravity, the native kinds one loop each, and laws by formula; and the power of all that is no potential.

The one place that knows mass and gravity. A native kernel `force(k, s, w, t, q, v)` fills w.F[k, e·DIM + c], the force on end
e. Its work counts as Work unless its kind has a potential energy: then only what moving anchors put in does.
"""

from __future__ import annotations

from chainlist.kernels.bundles import Acting, ForceTable, Rows, RowTable, System, Work
from chainlist.kernels.gauges import Gauge
from chainlist.kernels.operations import ADD, PLACE
from chainlist.kernels.rows import carry_points, push_point
from chainlist.kernels.slots import (
    ACTS,
    DIM,
    ENDS,
    POTENTIAL,
    TYPE,
    acting,
    apart,
    before,
    early,
    energy,
    force,
    storing,
)
from chainlist.kernels.tape import backward, forward

# Kinds of laws, s.forces.law[n, 4].
BY_FORMULA = 0
SPRING = 1
DAMPER = 2


def gravity_alone(s: System, w: Work, t, q, v, a):  # type: ignore[no-untyped-def]
    """The acceleration that each point would have without constraints; 0 for anchors."""
    for i in range(a.shape[0]):
        for c in range(DIM):
            a[i, c] = s.gravity[i, c]


def all_forces(s: System, w: Work, t, q, v, a):  # type: ignore[no-untyped-def]
    """a = M⁻¹F with every force; of points that move as told their own acceleration. gauge.power: see the module."""
    table, rows, gravity, gauge = s.table, w.rows, s.gravity, w.gauge
    moving = table.told.moving
    if moving.shape[0] > 0:  # what a mechanism does not have costs nothing
        carry_points(table, rows, t, q, v)
    gauge.power = 0.0
    for i in range(a.shape[0]):
        for c in range(DIM):
            a[i, c] = gravity[i, c]
    acting(s.forces, w.acting, s.inverse_mass, t, q, v, a, gauge)
    if s.forces.law.shape[0] > 0:
        apply_laws(s, w, t, q, v, a)
    for m in range(moving.shape[0]):
        for c in range(DIM):
            a[moving[m], c] = rows.carried[m, c]


def no_forces(s: ForceTable, w: Acting, inverse_mass, t, q, v, a, gauge: Gauge):  # type: ignore[no-untyped-def]
    """The fold begins with no kind at all."""


def append_forces(s: ForceTable, w: Acting, inverse_mass, t, q, v, a, gauge: Gauge):  # type: ignore[no-untyped-def]
    """Forces of the kinds before this one, then those of this one: all of them first, so that none waits for another's division."""
    before(s, w, inverse_mass, t, q, v, a, gauge)
    order, start, point = s.rows, s.start, s.point
    F = w.F
    power = 0.0
    for p in range(start[TYPE], start[TYPE + 1]):
        force(order[p], s, w, t, q, v)
    for p in range(start[TYPE], start[TYPE + 1]):
        k = order[p]
        given = -0.0  # by itself: one sum over all would have every product wait for the one before it
        for e in range(ENDS):
            i, x, y, z = point[k, e], F[k, e * DIM], F[k, e * DIM + 1], F[k, e * DIM + DIM - 1]
            if inverse_mass[i] > 0.0:
                push_point(a, i, inverse_mass[i], x, y, z)
                if POTENTIAL == 0:
                    given = with_power(given, v, i, x, y, z)
            elif POTENTIAL == 1:
                power = with_power(power, v, i, -x, -y, -z)
        if POTENTIAL == 0:
            power += given
    gauge.power += power


def with_power(power, v, i, x, y, z):  # type: ignore[no-untyped-def]
    """power + F·v."""
    power += x * v[i, 0]
    power += y * v[i, 1]
    if DIM == 3:
        power += z * v[i, 2]
    return power


@apart
def apply_laws(s: System, w: Work, t, q, v, a):  # type: ignore[no-untyped-def]
    """Laws: a force f along a coordinate g(q), F = f ∂g/∂q. f is −k (g − g0), −c dg/dt, or a formula."""
    tape, scratch, laws = s.table.told.tape, w.rows.tape, s.forces
    power = 0.0
    for n in range(laws.law.shape[0]):
        first, last = laws.law[n, 0], laws.law[n, 1]
        kind = laws.law[n, 4]
        forward(tape, scratch, first, last, t, q, v)
        rate = scratch.d1[last - 1]
        if kind == BY_FORMULA:
            end = laws.law[n, 3]
            forward(tape, scratch, laws.law[n, 2], end, t, q, v)
            f = laws.number[n, 0] * scratch.value[end - 1]
        elif kind == SPRING:
            f = -laws.number[n, 0] * (scratch.value[last - 1] - laws.number[n, 1])
            power -= f * rate
        else:
            f = -laws.number[n, 0] * rate
        w.acting.pull[n] = f
        backward(tape, scratch, first, last, f)
        given = 0.0
        for m in range(first, last):
            if tape.op[m] >= ADD:
                break
            g = scratch.adjoint[m]
            scratch.adjoint[m] = 0.0
            if tape.op[m] == PLACE:
                i = tape.a[m]
                c = tape.b[m]
                if s.inverse_mass[i] > 0.0:
                    a[i, c] += s.inverse_mass[i] * g
                    given += g * v[i, c]
        w.acting.given[n] = given
        power += given
    w.gauge.power += power


def supply(table: RowTable, rows: Rows, inverse_mass, power, v, qd):  # type: ignore[no-untyped-def]
    """The rate of Work, into the last point: the power of forces, and what driven rows give, λ (c − A v of carried points)."""
    driven = table.told.driven
    if driven.shape[0] > 0:
        power += power_of_drives(table, rows, inverse_mass, v)
    last = qd.shape[0] - 1
    for c in range(DIM):
        qd[last, c] = 0.0
    qd[last, 0] = power


@apart
def power_of_drives(table: RowTable, rows: Rows, inverse_mass, v):  # type: ignore[no-untyped-def]
    J, lam, target, point, driven = rows.J, rows.r, rows.c, table.point, table.told.driven
    power = 0.0
    for m in range(driven.shape[0]):
        k = driven[m]
        rate = target[k]
        for e in range(table.ends[k]):
            i = point[k, e]
            if inverse_mass[i] == 0.0:
                for c in range(DIM):
                    rate -= J[k, e * DIM + c] * v[i, c]
        power += lam[k] * rate
    return power


def no_energy(s: ForceTable, t, q, U):  # type: ignore[no-untyped-def]
    """The fold begins with no kind at all."""


def append_energy(s: ForceTable, t, q, U):  # type: ignore[no-untyped-def]
    """U[group] += the potential energy of each force of this kind."""
    before(s, t, q, U)
    for p in range(s.start[TYPE], s.start[TYPE + 1]):
        k = s.rows[p]
        U[s.group[k]] += energy(k, s, t, q)


def kinetic_energies(mass, of_point, v, T):  # type: ignore[no-untyped-def]
    """T[group] = ½ Σ m |v|² of its bodies."""
    for g in range(T.shape[0]):
        T[g] = 0.0
    for i in range(v.shape[0]):
        squares = 0.0
        for c in range(DIM):
            squares += v[i, c] * v[i, c]
        T[of_point[i]] += 0.5 * mass[i] * squares


def energies_of_height(mass, gravity, of_point, q, U):  # type: ignore[no-untyped-def]
    """U[group] = −Σ m g·q of its bodies."""
    for g in range(U.shape[0]):
        U[g] = 0.0
    for i in range(q.shape[0]):
        along = 0.0
        for c in range(DIM):
            along += gravity[i, c] * q[i, c]
        U[of_point[i]] -= mass[i] * along


@early
def potential_energies(s: System, w: Work, t, q, v, U):  # type: ignore[no-untyped-def]
    """U[group]: of height, and what its springs hold."""
    energies_of_height(s.mass, s.gravity, s.groups.of_point, q, U)
    if ACTS == 1:
        carry_points(s.table, w.rows, t, q, v)
        storing(s.forces, t, q, U)
        energy_of_laws(s, w, t, q, v, U)


def potential_energy(s: System, w: Work, t, q, v):  # type: ignore[no-untyped-def]
    """U of the whole."""
    U = w.energies
    potential_energies(s, w, t, q, v, U)
    total = 0.0
    for g in range(U.shape[0]):
        total += U[g]
    return total


@apart
def energy_of_laws(s: System, w: Work, t, q, v, U):  # type: ignore[no-untyped-def]
    """The same for laws that are springs."""
    laws = s.forces
    for n in range(laws.law.shape[0]):
        if laws.law[n, 4] == SPRING:
            last = laws.law[n, 1]
            forward(s.table.told.tape, w.rows.tape, laws.law[n, 0], last, t, q, v)
            stretch = w.rows.tape.value[last - 1] - laws.number[n, 1]
            U[laws.law[n, 5]] += 0.5 * laws.number[n, 0] * stretch * stretch
