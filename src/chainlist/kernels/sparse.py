"""AUTO: S = A M⁻¹ Aᵀ on its fixed sparse pattern, factored as L D Lᵀ, with a rank that is judged by pivot ratios.

Rows are stored in elimination order. Row i of L is computed from the rows above it (up-looking): the inner loop runs
over that part of each column which is already filled. The ratio d_i / S_ii is sin² of the angle between row i of
A M^(-1/2) and the rows before it: free of units, lengths and row scaling.
"""

import math

from chainlist.kernels.slots import (
    DIM,
    DROPPED,
    EPS,
    EVENT_TOO_LARGE,
    FACTORS,
    GREY,
    LEAST,
    LEAST_ROW,
    NOISE,
    SELECTIONS,
    STEP_LEAST,
    STEP_LEAST_ROW,
    TIME,
    choose,
    doubtful,
    factor,
    note,
    oppose,
    select,
    solve,
    spread,
    unit_rows,
)


def ldl(s, w, mobility, f, limit, gauge, count):  # type: ignore[no-untyped-def]
    """Assemble and factor. limit < 0: the rows of `f.active` count; else rows with a ratio not above `limit` drop.

    A dropped row has inverse pivot 0, which removes it from L, from the solution and from the multipliers. Returns the
    smallest ratio of the rows that count.
    """
    least = 1.0
    least_row = 0
    dropped = 0
    floor = limit
    for i in range(w.diagonal.shape[0]):
        for p in range(s.pair_start[i], s.pair_start[i + 1]):
            other = s.pair[p, 0]
            mine = s.pair[p, 1]
            theirs = s.pair[p, 2]
            dot = 0.0
            for c in range(DIM):
                dot += w.J[i, mine + c] * w.J[other, theirs + c]
            f.y[other] += mobility[s.pair[p, 3]] * dot
        d = w.diagonal[i]
        for e in range(s.row_start[i], s.row_start[i + 1]):
            j = s.column[e]
            u = f.y[j]
            f.y[j] = 0.0
            end = s.place[e]
            for p in range(s.column_start[j], end):
                f.y[s.row_of[p]] -= f.L[p] * u
            ratio = u * f.inverse[j]
            f.L[end] = ratio
            d -= u * ratio
        if limit >= 0.0:
            f.active[i] = 1 if d > floor * w.diagonal[i] else 0
        if f.active[i] != 0:
            f.inverse[i] = 1.0 / d
            if d < least * w.diagonal[i]:
                least = d / w.diagonal[i]
                least_row = i
                floor = max(limit, 64.0 * EPS / least)
        else:
            f.inverse[i] = 0.0
            dropped += 1
    gauge[LEAST] = least
    count[LEAST_ROW] = least_row
    count[DROPPED] = dropped
    count[FACTORS] += 1
    return least


def substitute(s, f, x):  # type: ignore[no-untyped-def]
    """x ← S⁻¹ x with the present factor; 0 for dropped rows."""
    m = x.shape[0]
    for j in range(m):
        u = x[j]
        for p in range(s.column_start[j], s.column_start[j + 1]):
            x[s.row_of[p]] -= f.L[p] * u
    for back in range(m):
        j = m - 1 - back
        u = x[j] * f.inverse[j]
        for p in range(s.column_start[j], s.column_start[j + 1]):
            u -= f.L[p] * x[s.row_of[p]]
        x[j] = u


def prepare_sparse(s, w, judge):  # type: ignore[no-untyped-def]
    """Factor; with `judge` also decide which rows count, and look closer where that is in doubt."""
    gauge, count = w.gauge, w.count
    least = factor(s.pattern, w.rows, w.mobility, w.factor, NOISE if judge > 0.0 else -1.0, gauge, count)
    if judge > 0.0 and (least < s.tau or (count[DROPPED] > 0 and least < GREY)):
        least = doubtful(s, w)
    if least < gauge[STEP_LEAST]:
        gauge[STEP_LEAST] = least
        count[STEP_LEAST_ROW] = count[LEAST_ROW]


def correct_sparse(s, w, y):  # type: ignore[no-untyped-def]
    """y += M⁻¹ Aᵀ S⁻¹ r. The multipliers are left in r."""
    solve(s.pattern, w.factor, w.rows.r)
    spread(s.table, w.rows.J, s.inverse_mass, w.rows.r, y)


def polish_sparse(s, w, y):  # type: ignore[no-untyped-def]
    """One corrected semi-normal step: what A y = g still lacks, formed through A, is solved for again."""
    r = w.rows.r
    for k in range(r.shape[0]):
        w.first[k] = r[k]
    oppose(s.table, w.rows, w.g, y)
    solve(s.pattern, w.factor, r)
    spread(s.table, w.rows.J, s.inverse_mass, r, y)
    for k in range(r.shape[0]):
        r[k] += w.first[k]


def rediagonal(s, w, mobility):  # type: ignore[no-untyped-def]
    """The diagonal of S anew, after the mobilities changed."""
    for k in range(w.diagonal.shape[0]):
        diagonal = 0.0
        for e in range(s.ends[k]):
            squares = 0.0
            for c in range(DIM):
                a = w.J[k, e * DIM + c]
                squares += a * a
            diagonal += mobility[s.point[k, e]] * squares
        w.diagonal[k] = diagonal


def judge_by_geometry(s, w):  # type: ignore[no-untyped-def]
    """Rank is geometry: mass ratios must not decide it. Judge with all masses 1, then factor what counts."""
    for i in range(s.inverse_mass.shape[0]):
        w.mobility[i] = 1.0 if s.inverse_mass[i] > 0.0 else 0.0
    rediagonal(s.table, w.rows, w.mobility)
    factor(s.pattern, w.rows, w.mobility, w.factor, s.tau, w.gauge, w.count)
    if w.count[DROPPED] > 0:
        select(s, w)
        w.count[SELECTIONS] += 1
    for i in range(s.inverse_mass.shape[0]):
        w.mobility[i] = s.inverse_mass[i]
    rediagonal(s.table, w.rows, w.mobility)
    return factor(s.pattern, w.rows, w.mobility, w.factor, -1.0, w.gauge, w.count)


def select_rows(s, w):  # type: ignore[no-untyped-def]
    """Which rows count, in each connected component that lost one: always the row that is least like those chosen.

    Gram–Schmidt on rows of length 1, each chosen row orthogonalised twice, until what remains of every other row is
    below √τ. No solve uses it. A component that is too large keeps the rows that the factorisation chose.
    """
    parts = s.components
    for component in range(parts.bodies.shape[0]):
        first = parts.start[component]
        size = parts.start[component + 1] - first
        lost = 0
        for p in range(first, first + size):
            if w.factor.active[parts.row[p]] == 0:
                lost += 1
        width = DIM * parts.bodies[component]
        if lost > 0 and size * width > w.choice.shape[0]:
            note(w.log, w.count, EVENT_TOO_LARGE, w.gauge[TIME], parts.row[first], 1.0 * size)
        elif lost > 0:
            row = parts.row[first : first + size]
            unit_rows(s.table, row, parts.local, s.inverse_mass, w.rows.J, width, w.choice, w.first)
            choose(row, width, s.tau, w.choice, w.first, w.factor.active)


def scatter_unit_rows(s, row, local, inverse_mass, J, width, G, remains):  # type: ignore[no-untyped-def]
    """Rows of J scaled to length 1, one after the other in G; remains: 1, or 0 for a row that vanishes."""
    for p in range(row.shape[0]):
        k = row[p]
        at = p * width
        squares = 0.0
        for c in range(width):
            G[at + c] = 0.0
        for e in range(s.ends[k]):
            i = s.point[k, e]
            if inverse_mass[i] > 0.0:
                for c in range(DIM):
                    a = J[k, e * DIM + c]
                    G[at + DIM * local[i] + c] += a
                    squares += a * a
        remains[p] = 0.0
        if squares > 0.0:
            remains[p] = 1.0
            f = 1.0 / math.sqrt(squares)
            for c in range(width):
                G[at + c] *= f


def choose_rows(row, width, tau, G, remains, active):  # type: ignore[no-untyped-def]
    """Mark the rows that count; rows of G that were chosen become an orthonormal basis."""
    size = row.shape[0]
    for p in range(size):
        active[row[p]] = 0
    for _ in range(size):
        best = 0
        for p in range(size):
            if remains[p] > remains[best]:
                best = p
        if remains[best] <= tau:
            break
        active[row[best]] = 1
        remains[best] = -1.0
        new = best * width
        for p in range(size):
            if remains[p] == -1.0 and p != best:
                dot = 0.0
                for c in range(width):
                    dot += G[p * width + c] * G[new + c]
                for c in range(width):
                    G[new + c] -= dot * G[p * width + c]
        squares = 0.0
        for c in range(width):
            squares += G[new + c] * G[new + c]
        f = 1.0 / math.sqrt(squares)
        for c in range(width):
            G[new + c] *= f
        for p in range(size):
            if remains[p] >= 0.0:
                dot = 0.0
                for c in range(width):
                    dot += G[p * width + c] * G[new + c]
                squares = 0.0
                for c in range(width):
                    a = G[p * width + c] - dot * G[new + c]
                    G[p * width + c] = a
                    squares += a * a
                remains[p] = squares
