"""Rows of all constraint types: one loop per type, folded together by binding, so that nothing is dispatched."""

from chainlist.kernels.slots import DIM, ENDS, TYPE, before, row


def no_rows(s, w, mobility, t, q, v, x):  # type: ignore[no-untyped-def]
    """The fold begins with no type at all."""


def append_rows(s, w, mobility, t, q, v, x):  # type: ignore[no-untyped-def]
    """Rows of the types before this one, then one loop for this one.

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
        for e in range(ENDS):
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
        diagonal[k] = total
        r[k] = -along


def no_spread(s, J, inverse_mass, lam, y):  # type: ignore[no-untyped-def]
    """The fold begins with no type at all."""


def append_spread(s, J, inverse_mass, lam, y):  # type: ignore[no-untyped-def]
    """y += M⁻¹ Aᵀ lam, type after type."""
    before(s, J, inverse_mass, lam, y)
    order, start, point = s.rows, s.start, s.point
    for p in range(start[TYPE], start[TYPE + 1]):
        k = order[p]
        for e in range(ENDS):
            i = point[k, e]
            f = inverse_mass[i] * lam[k]
            for c in range(DIM):
                y[i, c] += f * J[k, e * DIM + c]


def oppose_rows(s, J, g, x, r):  # type: ignore[no-untyped-def]
    """r = g − A x, for rows of any number of ends: for the places where speed does not matter."""
    ends, point = s.ends, s.point
    for k in range(r.shape[0]):
        along = 0.0
        for e in range(ends[k]):
            i = point[k, e]
            for c in range(DIM):
                along += J[k, e * DIM + c] * x[i, c]
        r[k] = g[k] - along


def affine_row(k, s, w, t, q, v):  # type: ignore[no-untyped-def]
    """One coordinate c of three points on a straight bar: Φ = α qa[c] + β qp[c] + γ qb[c] − k; b = 0."""
    coordinate = int(s.par[k, 4])
    phi = -s.par[k, 3]
    for e in range(3):
        for c in range(DIM):
            w.J[k, e * DIM + c] = 0.0
        w.J[k, e * DIM + coordinate] = s.par[k, e]
        phi += s.par[k, e] * q[s.point[k, e], coordinate]
    w.phi[k] = phi
    w.b[k] = 0.0


def gravity(table, t, q, v, a):  # type: ignore[no-untyped-def]
    """The acceleration that each point would have without constraints; 0 for anchors."""
    for i in range(a.shape[0]):
        for c in range(DIM):
            a[i, c] = table[i, c]
