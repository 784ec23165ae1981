"""Small questions to a state, over just the arrays they need; and the log of what happened."""

import math

from chainlist.kernels.slots import DIM, LOGGED, norm2


def weighted_norm2(mass, a):  # type: ignore[no-untyped-def]
    """Σ m |a|²: of velocities, twice the kinetic energy."""
    total = 0.0
    for i in range(a.shape[0]):
        squares = 0.0
        for c in range(DIM):
            squares += a[i, c] * a[i, c]
        total += mass[i] * squares
    return total


def potential_energy(mass, gravity, q):  # type: ignore[no-untyped-def]
    """U = −Σ m g·q."""
    total = 0.0
    for i in range(q.shape[0]):
        along = 0.0
        for c in range(DIM):
            along += gravity[i, c] * q[i, c]
        total -= mass[i] * along
    return total


def row_sizes(s, inverse_size, q):  # type: ignore[no-untyped-def]
    """1/size of each row, size = its length and the coordinates of its points: what a residual is compared with."""
    for k in range(inverse_size.shape[0]):
        size = s.length[k]
        for e in range(s.ends[k]):
            for c in range(DIM):
                size += abs(q[s.point[k, e], c])
        inverse_size[k] = 1.0 / size


def largest_residual(phi, inverse_size):  # type: ignore[no-untyped-def]
    """The largest |Φ|/size, over dropped rows too: that is the test of consistency. nan if one is."""
    worst = 0.0
    for k in range(phi.shape[0]):
        a = abs(phi[k]) * inverse_size[k]
        if not a <= worst:
            worst = a
    return worst


def scale_velocities(mass, E, U, T_tol, v):  # type: ignore[no-untyped-def]
    """The paper's energy corrector: v ← v √((E − U)/T), where T > T_tol and E > U. Returns the energy before it."""
    T = 0.5 * norm2(mass, v)
    if T > T_tol and E > U:
        f = math.sqrt((E - U) / T)
        for i in range(v.shape[0]):
            for c in range(DIM):
                v[i, c] *= f
    return T + U


def write_note(log, count, what, time, row, value):  # type: ignore[no-untyped-def]
    """An event for the report; where the log is full it is only counted."""
    at = count[LOGGED]
    count[LOGGED] += 1
    if at < log.shape[0]:
        log[at, 0] = what
        log[at, 1] = time
        log[at, 2] = row
        log[at, 3] = value
