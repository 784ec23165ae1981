"""AUTO: S = A M⁻¹ Aᵀ on its fixed sparse pattern, factored as L D Lᵀ, with a rank that is judged by pivot ratios.

Rows are stored in elimination order. Row i of L is computed from the rows above it (up-looking): the inner loop runs
over that part of each column which is already filled. The ratio d_i / S_ii is sin² of the angle between row i of
A M^(-1/2) and the rows before it: free of units, lengths and row scaling.
"""

from __future__ import annotations

import math

from chainlist.kernels.bundles import Components, Factor, Pattern, RowTable, System, Work
from chainlist.kernels.gauges import Count, Gauge
from chainlist.kernels.rows import oppose
from chainlist.kernels.slots import (
    DIM,
    EPS,
    EVENT_TOO_LARGE,
    GREY,
    KEEP,
    LASTING,
    NOISE,
    REFINE,
    apart,
    doubtful,
    polish,
    push,
    spread,
)
from chainlist.kernels.state import note


def ldl(s: Pattern, J, diagonal, mobility, f: Factor, limit, gauge: Gauge, count: Count):  # type: ignore[no-untyped-def]
    """Assemble and factor. limit < 0: the rows of `f.active` count; else rows with a ratio not above `limit` drop.

    A dropped row has inverse pivot 0, which removes it from L, from the solution and from the multipliers. Returns the
    smallest ratio of the rows that count.
    """
    pair_start, pair, row_start, column = s.pair_start, s.pair, s.row_start, s.column
    place, column_start, row_of = s.place, s.column_start, s.row_of
    L, inverse, y, active = f.L, f.inverse, f.y, f.active
    least = 1.0
    least_row = 0
    dropped = 0
    floor = limit
    for i in range(diagonal.shape[0]):
        for p in range(pair_start[i], pair_start[i + 1]):
            other = pair[p, 0]
            mine = pair[p, 1]
            theirs = pair[p, 2]
            dot = -0.0  # −0.0 + x is x: see rows.py
            for c in range(DIM):
                dot += J[i, mine + c] * J[other, theirs + c]
            y[other] += mobility[pair[p, 3]] * dot
        d = diagonal[i]
        for e in range(row_start[i], row_start[i + 1]):
            j = column[e]
            u = y[j]
            y[j] = 0.0
            end = place[e]
            for p in range(column_start[j], end):
                y[row_of[p]] -= L[p] * u
            ratio = u * inverse[j]
            L[end] = ratio
            d -= u * ratio
        if limit >= 0.0:
            active[i] = 1 if d > floor * diagonal[i] else 0
        if active[i] != 0:
            inverse[i] = 1.0 / d
            if d < least * diagonal[i]:
                least = d / diagonal[i]
                least_row = i
                floor = max(limit, 64.0 * EPS / least)
        else:
            inverse[i] = 0.0
            dropped += 1
    gauge.least = least
    count.least_row = least_row
    count.dropped = dropped
    count.factors += 1
    return least


@apart
def ldl_again(s: Pattern, J, diagonal, mobility, f: Factor, limit, gauge: Gauge, count: Count):  # type: ignore[no-untyped-def]
    """The same, apart: for the rare places, which must not be compiled into every step."""
    return ldl(s, J, diagonal, mobility, f, limit, gauge, count)


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


def prepare_sparse(s: System, w: Work, judge):  # type: ignore[no-untyped-def]
    """Factor; with `judge` also decide which rows count, and look closer where that is in doubt."""
    gauge, count = w.gauge, w.count
    least = ldl(
        s.pattern, w.rows.J, w.rows.diagonal, w.mobility, w.factor, NOISE if judge > 0.0 else -1.0, gauge, count
    )
    if judge > 0.0 and (least < s.tau or (count.dropped > 0 and least < GREY)):
        least = doubtful(s, w)
    if least < gauge.step_least:
        gauge.step_least = least
        count.step_least_row = count.least_row


def push_sparse(s: System, w: Work, y):  # type: ignore[no-untyped-def]
    """y += M⁻¹ Aᵀ S⁻¹ r. The multipliers are left in r."""
    r = w.rows.r
    substitute(s.pattern.column_start, s.pattern.row_of, w.factor.L, w.factor.inverse, r)
    spread(s.table, w.rows.J, s.inverse_mass, r, y)


def correct_sparse(s: System, w: Work, g, y):  # type: ignore[no-untyped-def]
    """The same for r = g − A y; near a singular configuration followed by a second correction."""
    push(s, w, y)
    if w.gauge.least < REFINE:
        polish(s, w, g, y)


def polish_sparse(s: System, w: Work, g, y):  # type: ignore[no-untyped-def]
    """One corrected semi-normal step: what A y = g still lacks, formed through A, is solved for again."""
    r, first = w.rows.r, w.first
    for k in range(r.shape[0]):
        first[k] = r[k]
    oppose(s.table, w.rows.J, g, y, r)
    push(s, w, y)
    for k in range(r.shape[0]):
        r[k] += first[k]


def ask_to_polish(s: System, w: Work, g, y):  # type: ignore[no-untyped-def]
    """Most runs never come near a singular configuration, and need not wait until `polish_sparse` is compiled."""
    w.count.asked = 1


def ask_to_judge(s: System, w: Work):  # type: ignore[no-untyped-def]
    """The same for `judge_by_geometry`."""
    w.count.asked = 1
    return 1.0


@apart
def rediagonal(s: RowTable, J, mobility, diagonal):  # type: ignore[no-untyped-def]
    """The diagonal of S anew, after the mobilities changed."""
    for k in range(diagonal.shape[0]):
        total = 0.0
        for e in range(s.ends[k]):
            squares = 0.0
            for c in range(DIM):
                a = J[k, e * DIM + c]
                squares += a * a
            total += mobility[s.point[k, e]] * squares
        diagonal[k] = total


def judge_by_geometry(s: System, w: Work):  # type: ignore[no-untyped-def]
    """Rank is geometry: mass ratios must not decide it. Judge with all masses 1, then factor what counts."""
    noise = w.count.dropped  # rows that the factor at hand has dropped: these depend on others to rounding
    J, diagonal, inverse_mass, mobility = w.rows.J, w.rows.diagonal, s.inverse_mass, w.mobility
    for i in range(inverse_mass.shape[0]):
        mobility[i] = 1.0 if inverse_mass[i] > 0.0 else 0.0
    rediagonal(s.table, J, mobility, diagonal)
    ldl_again(s.pattern, J, diagonal, mobility, w.factor, s.tau, w.gauge, w.count)
    if w.count.dropped > 0 and still_serves(s, w, noise) == 0:
        select(
            s.table, s.components, inverse_mass, s.tau, J, w.choice, w.first, w.factor.active, w.log, w.gauge, w.count
        )
        w.count.selections += 1
        w.count.keeps = KEEP
        w.gauge.chosen = ldl_again(s.pattern, J, diagonal, mobility, w.factor, -1.0, w.gauge, w.count)
    for i in range(inverse_mass.shape[0]):
        mobility[i] = inverse_mass[i]
    rediagonal(s.table, J, mobility, diagonal)
    return ldl_again(s.pattern, J, diagonal, mobility, w.factor, -1.0, w.gauge, w.count)


@apart
def still_serves(s: System, w: Work, noise):  # type: ignore[no-untyped-def]
    """1 if the rows of the last accepted step count here too: as many as are independent, and nearly as well as when selected.

    A selection is a full matrix orthogonalised, a hundred times the work of a sparse factor. In a singular configuration and
    near it, where branches meet, it is made anew at every landing: there rows are dropped that were not before, or that
    depend on others less than to rounding.
    """
    lost = w.count.dropped
    w.count.steady = w.count.steady + 1 if lost == w.count.last_dropped else 0
    if w.count.keeps == 0 or w.count.steady < LASTING or lost != noise:
        return 0
    w.count.keeps -= 1
    for k in range(w.kept.shape[0]):
        w.factor.active[k] = w.kept[k]
    least = ldl_again(s.pattern, w.rows.J, w.rows.diagonal, w.mobility, w.factor, -1.0, w.gauge, w.count)
    return 1 if w.count.dropped == lost and least >= max(REFINE, 0.5 * w.gauge.chosen) else 0


@apart
def select(s: RowTable, parts: Components, inverse_mass, tau, J, G, remains, active, log, gauge: Gauge, count: Count):  # type: ignore[no-untyped-def]
    """Which rows count, in each connected component that lost one: always the row that is least like those chosen.

    Gram–Schmidt on rows of length 1, each chosen row orthogonalised twice, until what remains of every other row is
    below √τ. No solve uses it. A component that is too large keeps the rows that the factorisation chose.
    """
    for component in range(parts.bodies.shape[0]):
        first = parts.start[component]
        size = parts.start[component + 1] - first
        lost = 0
        for p in range(first, first + size):
            if active[parts.row[p]] == 0:
                lost += 1
        width = DIM * parts.bodies[component]
        if lost > 0 and size * width > G.shape[0]:
            note(log, count, EVENT_TOO_LARGE, gauge.time, parts.row[first], 1.0 * size)
        elif lost > 0:
            row = parts.row[first : first + size]
            unit_rows(s, row, parts.local, inverse_mass, J, width, G, remains)
            choose(row, width, tau, G, remains, active)


@apart
def unit_rows(s: RowTable, row, local, inverse_mass, J, width, G, remains):  # type: ignore[no-untyped-def]
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


@apart
def choose(row, width, tau, G, remains, active):  # type: ignore[no-untyped-def]
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
