"""Small questions to a state: energies, residuals, norms; and the log of what happened."""

import math

from chainlist.kernels.slots import DIM, ENERGY, LOGGED, PREDICTED, TIME, kinetic, potential


def kinetic_energy(s, v):  # type: ignore[no-untyped-def]
    total = 0.0
    for i in range(v.shape[0]):
        squares = 0.0
        for c in range(DIM):
            squares += v[i, c] * v[i, c]
        total += s.mass[i] * squares
    return 0.5 * total


def potential_energy(s, q):  # type: ignore[no-untyped-def]
    """U = −Σ m g·q."""
    total = 0.0
    for i in range(q.shape[0]):
        along = 0.0
        for c in range(DIM):
            along += s.gravity[i, c] * q[i, c]
        total -= s.mass[i] * along
    return total


def row_sizes(s, w, q):  # type: ignore[no-untyped-def]
    """1/size of each row, size = its length and the coordinates of its points: what a residual is compared with."""
    for k in range(w.phi.shape[0]):
        size = s.length[k]
        for e in range(s.ends[k]):
            for c in range(DIM):
                size += abs(q[s.point[k, e], c])
        w.inverse_size[k] = 1.0 / size


def largest_residual(w):  # type: ignore[no-untyped-def]
    """The largest |Φ|/size, over dropped rows too: that is the test of consistency. nan if one is."""
    worst = 0.0
    for k in range(w.phi.shape[0]):
        a = abs(w.phi[k]) * w.inverse_size[k]
        if not a <= worst:
            worst = a
    return worst


def norm2(s, a):  # type: ignore[no-untyped-def]
    """Σ m |a|²."""
    total = 0.0
    for i in range(a.shape[0]):
        squares = 0.0
        for c in range(DIM):
            squares += a[i, c] * a[i, c]
        total += s.mass[i] * squares
    return total


def scale_velocities(s, w, q, v):  # type: ignore[no-untyped-def]
    """The paper's energy corrector: v ← v √((E − U)/T), where T > T_tol and E > U."""
    if s.corrects == 0:
        return
    T = kinetic(s, v)
    U = potential(s, q)
    w.gauge[PREDICTED] = T + U
    if T > 1e-12 * s.energy_scale and w.gauge[ENERGY] > U:
        f = math.sqrt((w.gauge[ENERGY] - U) / T)
        for i in range(v.shape[0]):
            for c in range(DIM):
                v[i, c] *= f


def write_note(w, what, row, value):  # type: ignore[no-untyped-def]
    """An event for the report; where the log is full it is only counted."""
    at = w.count[LOGGED]
    w.count[LOGGED] += 1
    if at < w.log.shape[0]:
        w.log[at, 0] = what
        w.log[at, 1] = w.gauge[TIME]
        w.log[at, 2] = row
        w.log[at, 3] = value
