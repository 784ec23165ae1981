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
    doubtful,
    factor,
    note,
    oppose,
    select,
    solve,
    spread,
)


def ldl(s, w, limit):  # type: ignore[no-untyped-def]
    """Assemble and factor. limit < 0: the rows of `w.active` count; else rows with a ratio not above `limit` drop.

    A dropped row has inverse pivot 0, which removes it from L, from the solution and from the multipliers. Returns the
    smallest ratio of the rows that count.
    """
    least = 1.0
    least_row = 0
    dropped = 0
    floor = limit
    for i in range(w.diagonal.shape[0]):
        for p in range(s.pair_start[i], s.pair_start[i + 1]):
            l = s.pair[p, 0]
            mine = s.pair[p, 1]
            theirs = s.pair[p, 2]
            dot = 0.0
            for c in range(DIM):
                dot += w.J[i, mine + c] * w.J[l, theirs + c]
            w.y[l] += w.mobility[s.pair[p, 3]] * dot
        d = w.diagonal[i]
        for e in range(s.row_start[i], s.row_start[i + 1]):
            j = s.column[e]
            u = w.y[j]
            w.y[j] = 0.0
            end = s.place[e]
            for p in range(s.column_start[j], end):
                w.y[s.row_of[p]] -= w.L[p] * u
            l_ij = u * w.inverse[j]
            w.L[end] = l_ij
            d -= u * l_ij
        if limit >= 0.0:
            w.active[i] = 1 if d > floor * w.diagonal[i] else 0
        if w.active[i] != 0:
            w.inverse[i] = 1.0 / d
            if d < least * w.diagonal[i]:
                least = d / w.diagonal[i]
                least_row = i
                floor = max(limit, 64.0 * EPS / least)
        else:
            w.inverse[i] = 0.0
            dropped += 1
    w.gauge[LEAST] = least
    w.count[LEAST_ROW] = least_row
    w.count[DROPPED] = dropped
    w.count[FACTORS] += 1
    return least


def substitute(column_start, row_of, L, inverse, x):  # type: ignore[no-untyped-def]
    """x ← S⁻¹ x with the present factor; 0 for dropped rows."""
    m = x.shape[0]
    for j in range(m):
        u = x[j]
        for p in range(column_start[j], column_start[j + 1]):
            x[row_of[p]] -= L[p] * u
    for back in range(m):
        j = m - 1 - back
        u = x[j] * inverse[j]
        for p in range(column_start[j], column_start[j + 1]):
            u -= L[p] * x[row_of[p]]
        x[j] = u


def prepare_sparse(s, w, judge):  # type: ignore[no-untyped-def]
    """Factor; with `judge` also decide which rows count, and look closer where that is in doubt."""
    least = factor(s, w, NOISE if judge != 0 else -1.0)
    if judge != 0 and (least < s.tau or (w.count[DROPPED] > 0 and least < GREY)):
        least = doubtful(s, w)
    if least < w.gauge[STEP_LEAST]:
        w.gauge[STEP_LEAST] = least
        w.count[STEP_LEAST_ROW] = w.count[LEAST_ROW]
    return least


def correct_sparse(s, w, y):  # type: ignore[no-untyped-def]
    """y += M⁻¹ Aᵀ S⁻¹ r. The multipliers are left in r."""
    solve(s.column_start, s.row_of, w.L, w.inverse, w.r)
    spread(s, w, w.r, y)


def polish_sparse(s, w, y):  # type: ignore[no-untyped-def]
    """One corrected semi-normal step: what A y = g still lacks, formed through A, is solved for again."""
    for k in range(w.r.shape[0]):
        w.first[k] = w.r[k]
    oppose(s, w, w.g, y)
    solve(s.column_start, s.row_of, w.L, w.inverse, w.r)
    spread(s, w, w.r, y)
    for k in range(w.r.shape[0]):
        w.r[k] += w.first[k]


def rediagonal(s, w):  # type: ignore[no-untyped-def]
    """The diagonal of S anew, after the mobilities changed."""
    for k in range(w.diagonal.shape[0]):
        diagonal = 0.0
        for e in range(s.ends[k]):
            squares = 0.0
            for c in range(DIM):
                a = w.J[k, e * DIM + c]
                squares += a * a
            diagonal += w.mobility[s.point[k, e]] * squares
        w.diagonal[k] = diagonal


def judge_by_geometry(s, w):  # type: ignore[no-untyped-def]
    """Rank is geometry: mass ratios must not decide it. Judge with all masses 1, then factor what counts."""
    for i in range(s.inverse_mass.shape[0]):
        w.mobility[i] = 1.0 if s.inverse_mass[i] > 0.0 else 0.0
    rediagonal(s, w)
    factor(s, w, s.tau)
    if w.count[DROPPED] > 0:
        select(s, w)
        w.count[SELECTIONS] += 1
    for i in range(s.inverse_mass.shape[0]):
        w.mobility[i] = s.inverse_mass[i]
    rediagonal(s, w)
    return factor(s, w, -1.0)


def select_rows(s, w):  # type: ignore[no-untyped-def]
    """Which rows count, in each connected component that lost one: always the row that is least like those chosen.

    Gram–Schmidt on rows of length 1, each chosen row orthogonalised twice, until what remains of every other row is
    below √τ. No solve uses it. A component that is too large keeps the rows that the factorisation chose.
    """
    for component in range(s.component_start.shape[0] - 1):
        first = s.component_start[component]
        last = s.component_start[component + 1]
        lost = 0
        for p in range(first, last):
            if w.active[s.component_row[p]] == 0:
                lost += 1
        if lost == 0:
            continue
        size = last - first
        width = DIM * s.component_bodies[component]
        if size * width > w.dense.shape[0]:
            note(w.log, w.count, EVENT_TOO_LARGE, w.gauge[TIME], s.component_row[first], 1.0 * size)
            continue
        choose_rows(s, w, first, size, width)


def choose_rows(s, w, first, size, width):  # type: ignore[no-untyped-def]
    """The selection in one component: `size` rows from `first` on, over `width` coordinates, in w.dense."""
    for p in range(size):
        k = s.component_row[first + p]
        w.active[k] = 0
        squares = 0.0
        for c in range(width):
            w.dense[p * width + c] = 0.0
        for e in range(s.ends[k]):
            i = s.point[k, e]
            if s.inverse_mass[i] > 0.0:
                for c in range(DIM):
                    a = w.J[k, e * DIM + c]
                    w.dense[p * width + DIM * s.local[i] + c] += a
                    squares += a * a
        w.first[p] = 1.0 if squares > 0.0 else 0.0
        if squares > 0.0:
            f = 1.0 / math.sqrt(squares)
            for c in range(width):
                w.dense[p * width + c] *= f
    for _ in range(size):
        best = 0
        for p in range(size):
            if w.first[p] > w.first[best]:
                best = p
        if w.first[best] <= s.tau:
            break
        w.active[s.component_row[first + best]] = 1
        w.first[best] = -1.0  # chosen: its row in w.dense becomes a vector of the basis
        for p in range(size):
            if w.first[p] == -1.0 and p != best:
                dot = 0.0
                for c in range(width):
                    dot += w.dense[p * width + c] * w.dense[best * width + c]
                for c in range(width):
                    w.dense[best * width + c] -= dot * w.dense[p * width + c]
        squares = 0.0
        for c in range(width):
            squares += w.dense[best * width + c] * w.dense[best * width + c]
        f = 1.0 / math.sqrt(squares)
        for c in range(width):
            w.dense[best * width + c] *= f
        for p in range(size):
            if w.first[p] >= 0.0:
                dot = 0.0
                for c in range(width):
                    dot += w.dense[p * width + c] * w.dense[best * width + c]
                remains = 0.0
                for c in range(width):
                    a = w.dense[p * width + c] - dot * w.dense[best * width + c]
                    w.dense[p * width + c] = a
                    remains += a * a
                w.first[p] = remains
