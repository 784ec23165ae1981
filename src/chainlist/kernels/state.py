"""Small questions to a state, over just the arrays they need; and the log of what happened."""

from __future__ import annotations

from chainlist.kernels.bundles import RowTable, System, Work
from chainlist.kernels.gauges import Count, Gauge
from chainlist.kernels.slots import DIM, apart


def norm2(mass, a):  # type: ignore[no-untyped-def]
    """Σ m |a|²: of velocities, twice the kinetic energy."""
    total = 0.0
    for i in range(a.shape[0]):
        squares = 0.0
        for c in range(DIM):
            squares += a[i, c] * a[i, c]
        total += mass[i] * squares
    return total


def correction_by_group(of_row, multipliers, taken, share):  # type: ignore[no-untyped-def]
    """`eta2` of each group: Σ multipliers·taken over its rows."""
    if share.shape[0] == 1:  # as `all_is_one`
        return
    for g in range(share.shape[0]):
        for column in range(3):
            share[g, column] = 0.0
    for k in range(of_row.shape[0]):
        share[of_row[k], 0] += multipliers[k] * taken[k]


def most_corrected_group(s: System, share, h, v, vd, gauge: Gauge):  # type: ignore[no-untyped-def]
    """Leave in the gauge the figures of the group whose velocities were corrected most, relative to its own motion.

    A group that moves less than 1e-12 as much as all together is not judged by what is only roundoff of theirs.
    """
    if share.shape[0] == 1:  # as `only_group`
        return
    for i in range(v.shape[0]):
        speed = 0.0
        force = 0.0
        for c in range(DIM):
            speed += v[i, c] * v[i, c]
            force += vd[i, c] * vd[i, c] + s.gravity[i, c] * s.gravity[i, c]
        share[s.groups.of_point[i], 1] += s.mass[i] * speed
        share[s.groups.of_point[i], 2] += s.mass[i] * force
    least = 1e-24 * (gauge.speed2 + h * h * (gauge.free2 + gauge.accel2))
    worst = -1.0
    for g in range(share.shape[0]):
        whole = max(share[g, 1] + h * h * share[g, 2], least)
        if whole > 0.0 and not share[g, 0] <= worst * whole:
            worst = share[g, 0] / whole
            gauge.eta2 = share[g, 0]
            gauge.speed2 = max(share[g, 1], least)
            gauge.free2 = share[g, 2]
            gauge.accel2 = 0.0


def all_is_one(of_row, multipliers, taken, share):  # type: ignore[no-untyped-def]
    """One group: its figures are those of the whole."""


def only_group(s: System, share, h, v, vd, gauge: Gauge):  # type: ignore[no-untyped-def]
    """One group: it is the one."""


@apart
def measure(s: RowTable, inverse_size, q):  # type: ignore[no-untyped-def]
    """1/size of each row, size = its length and the coordinates of its points: what a residual is compared with."""
    for k in range(inverse_size.shape[0]):
        size = s.length[k]
        for e in range(s.ends[k]):
            for c in range(DIM):
                size += abs(q[s.point[k, e], c])
        inverse_size[k] = 1.0 / size


def residual(phi, inverse_size):  # type: ignore[no-untyped-def]
    """The largest |Φ|/size, over dropped rows too: that is the test of consistency. nan if one is."""
    worst = 0.0
    for k in range(phi.shape[0]):
        a = abs(phi[k]) * inverse_size[k]
        if not a <= worst:
            worst = a
    return worst


@apart
def note(log, count: Count, what, time, row, value):  # type: ignore[no-untyped-def]
    """An event for the report; where the log is full it is only counted."""
    at = count.logged
    count.logged += 1
    if at < log.shape[0]:
        log[at, 0] = what
        log[at, 1] = time
        log[at, 2] = row
        log[at, 3] = value


def no_estimate(s: System, w: Work, h):  # type: ignore[no-untyped-def]
    """A fixed step is never too large."""
    return 0.0
