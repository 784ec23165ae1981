"""Rows that hold only at times: ropes, walls, friction, links that break, over the factor of the rows that always hold.

What holds always is solved first, by the sparse factor, which knows nothing of this. An engaged row k adds the vector
W_k = M̃⁻¹ N_kᵀ, where M̃⁻¹ = M⁻¹ − M⁻¹Aᵀ S⁺ A M⁻¹ is the mobility that the constraints leave: so A W_k = 0, and what is added
along W_k disturbs nothing that was solved before. Among the engaged rows there is one small dense system, D λ = …, D_ij = N_i W_j.
Switching a row on or off changes a list, and no pattern.

A contact that slips has a friction force μ N against the slip: the vector of its row tilts from N_kᵀ to (N_k − μ d T_k)ᵀ,
and D loses its symmetry (accelerations); impulses and corrections of the state use it as it is.

w.switch.list holds the engaged rows; the first count.engaged of them are solved for, those behind, up to count.shown, are
tangents of contacts that slip, which are only evaluated.
"""

from __future__ import annotations

from chainlist.kernels.bundles import Rows, RowTable, SwitchTable, SwitchWork, System, Work
from chainlist.kernels.gauges import Count
from chainlist.kernels.rows import oppose
from chainlist.kernels.slots import DIM, apart, correct, early, rows
from chainlist.kernels.tape import forward, remember_turns

MOVES = 1e3  # times a slip that counts as none: what sticks does not move so fast by rounding
DEPENDENT = 1e-11  # of its mobility: a pivot of an engaged row that depends on those before it


@apart
def evaluate(table: RowTable, found: Rows, mobility, t, q, v, x):  # type: ignore[no-untyped-def]
    """Rows of switches; apart, so that all kinds of rows are compiled once for all who ask."""
    rows(table, found, mobility, t, q, v, x)


@apart
def engage(s: System, w: Work, t, q, v):  # type: ignore[no-untyped-def]
    """At the present factor: W, Y (what of it the constraints carry), and D, factored; for all engaged rows."""
    a, count = w.switch, w.count
    shown = count.shown
    evaluate(a.table, a.rows, w.mobility, t, q, v, v)
    r = w.rows.r
    for k in range(r.shape[0]):
        a.kept[k] = r[k]
    for p in range(shown):
        k = a.list[p]
        W = a.W[p]
        for i in range(W.shape[0]):
            for c in range(DIM):
                W[i, c] = 0.0
        for e in range(a.table.ends[k]):
            i = a.table.point[k, e]
            for c in range(DIM):
                W[i, c] += s.inverse_mass[i] * a.rows.J[k, e * DIM + c]
        if r.shape[0] > 0:
            oppose(s.table, w.rows.J, a.nothing, W, r)
            correct(s, w, a.nothing, W)
            for m in range(r.shape[0]):
                a.Y[p, m] = r[m]
    for k in range(r.shape[0]):
        r[k] = a.kept[k]
    for o in range(shown):
        for p in range(shown):
            a.D[o, p] = along_row(a.table, a.rows.J, a.list[o], a.W[p])
    factor(a.D, a.F, a.inverse, count.engaged, a.list, a.rows.diagonal)


def along_row(table: RowTable, J, k, x):  # type: ignore[no-untyped-def]
    """N_k x"""
    total = 0.0
    for e in range(table.ends[k]):
        i = table.point[k, e]
        for c in range(DIM):
            total += J[k, e * DIM + c] * x[i, c]
    return total


@apart
def factor(D, F, inverse, n, which, alone):  # type: ignore[no-untyped-def]
    """D = L U in F, without exchanging rows; one that depends on those before it drops (inverse pivot 0).

    alone[which[k]] is the mobility of row k if nothing else held, which says what is small: a row along which drives and
    constraints leave no motion drops too. Returns 1 where a pivot is not positive though the row is independent: friction that
    jams (Painlevé), accelerations are not unique.
    """
    jams = 0
    for i in range(n):
        for j in range(n):
            F[i, j] = D[i, j]
    for k in range(n):
        pivot = F[k, k]
        if abs(pivot) <= DEPENDENT * alone[which[k]]:
            inverse[k] = 0.0
        else:
            inverse[k] = 1.0 / pivot
            if pivot < 0.0:
                jams = 1
        for i in range(k + 1, n):
            f = F[i, k] * inverse[k]
            F[i, k] = f
            if f != 0.0:
                for j in range(k + 1, n):
                    F[i, j] -= f * F[k, j]
    return jams


def solve(F, inverse, n, x):  # type: ignore[no-untyped-def]
    """x ← D⁻¹ x; 0 for dropped rows."""
    for i in range(n):
        for j in range(i):
            x[i] -= F[i, j] * x[j]
    for back in range(n):
        i = n - 1 - back
        total = x[i]
        for j in range(i + 1, n):
            total -= F[i, j] * x[j]
        x[i] = total * inverse[i]


@apart
def add_along(W, n, x, y):  # type: ignore[no-untyped-def]
    """y += Σ x_p W_p"""
    for p in range(n):
        f = x[p]
        if f != 0.0:
            for i in range(y.shape[0]):
                for c in range(DIM):
                    y[i, c] += f * W[p, i, c]


@apart
def close_positions(a: SwitchWork, n, mobility, t, q, v):  # type: ignore[no-untyped-def]
    """One step of Newton's method for the engaged rows, within what the constraints leave."""
    evaluate(a.table, a.rows, mobility, t, q, v, v)
    for p in range(n):
        a.x[p] = -a.rows.phi[a.list[p]]
    solve(a.F, a.inverse, n, a.x)
    add_along(a.W, n, a.x, q)


@apart
def misfit(a: SwitchWork, n, mobility, t, q, v):  # type: ignore[no-untyped-def]
    """The largest |Φ|/size of the engaged rows."""
    evaluate(a.table, a.rows, mobility, t, q, v, v)
    worst = 0.0
    for p in range(n):
        k = a.list[p]
        size = a.table.length[k]
        for e in range(a.table.ends[k]):
            for c in range(DIM):
                size += abs(q[a.table.point[k, e], c])
        off = abs(a.rows.phi[k]) / size
        if not off <= worst:
            worst = off
    return worst


@apart
def close_velocities(a: SwitchWork, n, v):  # type: ignore[no-untyped-def]
    """N v = c for the engaged rows, as `engage` left them."""
    for p in range(n):
        k = a.list[p]
        a.x[p] = a.rows.c[k] - along_row(a.table, a.rows.J, k, v)
        a.rate[p] = a.x[p]
    solve(a.F, a.inverse, n, a.x)
    add_along(a.W, n, a.x, v)


@apart
def taken_by_switches(a: SwitchWork, n, of_point, share):  # type: ignore[no-untyped-def]
    """What `close_velocities` just took out of the motion, Σ multiplier·rate; a row's part goes to the group of its first body."""
    total = 0.0
    for p in range(n):
        part = a.x[p] * a.rate[p]
        total += part
        share[of_point[a.table.point[a.list[p], 0]], 0] += part
    return total


@apart
def close_accelerations(a: SwitchWork, slow, count: Count, mobility, r, t, q, v, vd):  # type: ignore[no-untyped-def]
    """N vd = b for the engaged rows; their multipliers are left in lam, those of the constraints, r, become whole."""
    n, shown = count.engaged, count.shown
    evaluate(a.table, a.rows, mobility, t, q, v, vd)
    for k in range(a.lam.shape[0]):
        a.lam[k] = 0.0
    for p in range(n):
        k = a.list[p]
        a.x[p] = a.rows.b[k] + a.rows.r[k]
    F, inverse = a.F, a.inverse
    if shown > n:
        tilt(a, slow, n, shown, v)
        if factor(a.tilted, a.G, a.pivot, n, a.list, a.rows.diagonal) == 1:
            count.tilted = 1
        F, inverse = a.G, a.pivot
    solve(F, inverse, n, a.x)
    for p in range(n):
        a.lam[a.list[p]] = a.x[p]
    for p in range(n, shown):
        a.x[p] = a.turn[p] * a.x[a.under[p]]
        a.lam[a.list[p]] = a.x[p]
    add_along(a.W, shown, a.x, vd)
    for p in range(shown):
        for k in range(r.shape[0]):
            r[k] += a.x[p] * a.Y[p, k]
    if not abs(total_of(a.x, shown)) < 1e300:
        count.failed = -1


def total_of(x, n):  # type: ignore[no-untyped-def]
    total = 0.0
    for p in range(n):
        total += x[p]
    return total


@apart
def tilt(a: SwitchWork, slow, n, shown, v):  # type: ignore[no-untyped-def]
    """D with friction: column j of a contact that slips loses μ d·(column of its tangents). turn[p] is −μ d of each tangent.

    In space the direction of the slip is that of the present velocity, as long as that does not turn back: where it passes 0
    the friction goes on as before, so that the step is smooth and an alarm rings behind it.
    """
    for p in range(n, shown):
        normal = a.under[p]
        k = a.list[normal]
        speed2 = 0.0
        ahead = 0.0
        for o in range(n, shown):
            if a.under[o] == normal:
                u = along_row(a.table, a.rows.J, a.list[o], v) - a.rows.c[a.list[o]]
                speed2 += u * u
                ahead += u * a.way[a.list[o]]
        d = a.way[a.list[p]]
        if DIM == 3 and ahead > 0.0 and speed2 > slow * slow:
            d = (along_row(a.table, a.rows.J, a.list[p], v) - a.rows.c[a.list[p]]) / speed2**0.5
        a.turn[p] = -a.mu[k] * d
    for i in range(n):
        for j in range(n):
            a.tilted[i, j] = a.D[i, j]
        for p in range(n, shown):
            a.tilted[i, a.under[p]] += a.turn[p] * a.D[i, p]


@apart
def power_of_switches(a: SwitchWork, n, shown, inverse_mass, v):  # type: ignore[no-untyped-def]
    """W, of the engaged rows on bodies: of moving walls and belts what they give, of friction what it takes."""
    power = 0.0
    for p in range(shown):
        k = a.list[p]
        rate = a.rows.c[k]
        if p >= n:  # a tangent that slips is no equation: its rate is that of the body
            rate = along_row(a.table, a.rows.J, k, v)
        for e in range(a.table.ends[k]):
            i = a.table.point[k, e]
            if inverse_mass[i] == 0.0:
                for c in range(DIM):
                    rate -= a.rows.J[k, e * DIM + c] * v[i, c]
        power += a.lam[k] * rate
    return power


# What a switch does, w.switch.mode, and how a contact grips, w.switch.grip.
OPEN = 0  # its gap is watched
CLOSED = 1  # it holds one side; its force is watched
HELD = 2  # it holds both sides
GONE = 3  # it never holds again
WAITS = 4  # it does not hold yet
SLIPS = 1
STICKS = 2


@early
def watch(s: SwitchTable, a: SwitchWork, mobility, broken, t, h, q, v):  # type: ignore[no-untyped-def]
    """Alarms at the state q, v behind a step of size h. Returns 1 if one rings.

    z[k] of switch k: its gap while it is open, its force while it holds one side, or while it holds both sides and rubs (which
    turns its friction round); z[n + k]: what is left of its grip while it sticks, its speed along the way it slips; z[2n + j]: a
    condition that is still false. All are above 0 in peace.
    """
    n = s.side.shape[0]
    z, speed = a.z, a.speed
    evaluate(s.table, a.seen, mobility, t, q, v, v)
    rings = 0
    for k in range(n):
        side = s.side[k]
        z[k] = 1.0
        z[n + k] = 1.0
        speed[k] = side * (-a.seen.r[k] - a.seen.c[k])
        if a.mode[k] == OPEN:
            z[k] = side * a.seen.phi[k]
            shut = rings_at(z[k], -s.near, broken) and not opens_again(a.z0[k], speed[k], s.near)
            if shut or dips(a.z0[k], a.speed0[k], z[k], speed[k], h, s.near):
                rings = 1
        elif a.mode[k] == CLOSED:
            z[k] = side * a.lam[k]
            if rings_at(z[k], -s.weak, broken):
                rings = 1
        elif a.mode[k] == HELD and a.grip[k] == SLIPS:
            z[k] = a.lam[k] if a.mu[k] >= 0.0 else -a.lam[k]
            if rings_at(z[k], -s.weak, broken):
                rings = 1
        if a.grip[k] != 0:
            z[n + k] = what_is_left(s, a, k, v)
            if rings_at(z[n + k], -(s.weak if a.grip[k] == STICKS else s.slow), broken):
                rings = 1
    if s.condition.shape[0] > 0 and conditions_ring(s, a, t, q, v) == 1:
        rings = 1
    return rings


def rings_at(z, limit, broken):  # type: ignore[no-untyped-def]
    """Whether it is below its limit, or no number: then it rings too, unless the run is broken and goes on."""
    return (z < limit) | ((broken == 0) & (z != z))


def opens_again(g0, u1, near):  # type: ignore[no-untyped-def]
    """Whether a gap that was below 0 before the step, by rounding of others beside it, opens: then there is nothing to stop."""
    return (g0 < -near) & (u1 >= 0.0)


def dips(g0, u0, g1, u1, h, near):  # type: ignore[no-untyped-def]
    """Whether a gap that is open at both ends of a step closes within: the cubic through both ends has its least value below 0."""
    if not (u0 < 0.0 < u1) or h <= 0.0:
        return False
    # on [0, 1]: g = g0 + m0 x + (3Δ − 2 m0 − m1) x² + (m0 + m1 − 2Δ) x³
    m0 = u0 * h
    m1 = u1 * h
    rise = g1 - g0
    b = 3.0 * rise - 2.0 * m0 - m1
    c = m0 + m1 - 2.0 * rise
    low = 0.0
    high = 1.0
    for _ in range(60):  # the slope m0 + 2 b x + 3 c x² changes its sign once
        x = 0.5 * (low + high)
        if m0 + x * (2.0 * b + 3.0 * c * x) < 0.0:
            low = x
        else:
            high = x
    return g0 + low * (m0 + low * (b + low * c)) < -near


@apart
def what_is_left(table: SwitchTable, a: SwitchWork, k, v):  # type: ignore[no-untyped-def]
    """Of the grip of contact k: μs N − |T| where it sticks, the speed along its way where it slips.

    One that a drive held still may be told to move while it sticks: then less than nothing is left.
    """
    force = 0.0
    speed = 0.0
    along = 0.0
    for p in range(table.tangent[k], table.tangent[k + 1]):
        u = along_row(a.table, a.rows.J, p, v) - a.rows.c[p]
        force += a.lam[p] * a.lam[p]
        speed += u * u
        along += a.way[p] * u
    if a.grip[k] == SLIPS:
        return along
    if speed > MOVES * MOVES * table.slow * table.slow:
        return -(speed**0.5)
    return a.mus[k] * abs(a.lam[k]) - force**0.5


@apart
def conditions_ring(table: SwitchTable, a: SwitchWork, t, q, v):  # type: ignore[no-untyped-def]
    """z of the conditions; points that stand for forces get them first.

    What lies on a floor is not below it by rounding: a condition rings beyond what rings a gap.
    """
    for m in range(table.tension.shape[0]):
        k = table.tension[m, 1]
        q[table.tension[m, 0], 0] = table.newtons[m] * a.lam[k]
    first = 2 * table.side.shape[0]
    rings = 0
    for j in range(table.condition.shape[0]):
        last = table.condition[j, 1]
        forward(table.table.told.tape, a.seen.tape, table.condition[j, 0], last, t, q, v)
        value = a.seen.tape.value[last - 1]
        a.z[first + j] = -value
        if a.armed[j] != 0 and value > table.near:
            rings = 1
    return rings


@early
def keep_watch(table: SwitchTable, a: SwitchWork, v):  # type: ignore[no-untyped-def]
    """The step counts: alarms go on from here, and so do continuous angles and, in space, the directions of slip."""
    for k in range(a.z.shape[0]):
        a.z0[k] = a.z[k]
    for k in range(a.speed.shape[0]):
        a.speed0[k] = a.speed[k]
        if DIM == 3 and a.grip[k] == SLIPS:
            squares = 0.0
            for p in range(table.tangent[k], table.tangent[k + 1]):
                u = along_row(a.table, a.rows.J, p, v) - a.rows.c[p]
                squares += u * u
            if squares > table.slow * table.slow:
                for p in range(table.tangent[k], table.tangent[k + 1]):
                    a.way[p] = (along_row(a.table, a.rows.J, p, v) - a.rows.c[p]) / squares**0.5
    if table.table.told.tape.turning.shape[0] > 0:
        remember_turns(table.table.told.tape, a.seen.tape)
        remember_turns(a.table.told.tape, a.rows.tape)
