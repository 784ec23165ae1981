"""March with a step that follows the error, and dense output at the sampling times.

Only accepted steps land. The error estimate is not projected: its part across the constraints is a warning worth having.
"""

from __future__ import annotations

import math

from chainlist.kernels.attempt import (
    CARE,
    LEAPT,
    TOO_LARGE,
    accept,
    attempt,
    begin_piece,
    diagnose,
    drives,
    drives_of_switches,
    forget,
    keep_memory,
    keep_sample,
    note_leap,
    watch_rank,
)
from chainlist.kernels.bundles import System, Work
from chainlist.kernels.far import passes_by, reach
from chainlist.kernels.gauges import Count, Gauge
from chainlist.kernels.slots import (
    ACTS,
    ALARM,
    ASKS,
    DIM,
    EVENT_REFINED,
    ORDER,
    REACHED,
    REFINE,
    REJECTED,
    STEP_TOO_SMALL,
    SWITCHES,
    apart,
    interpolate,
    more_stages,
    prepare,
    push,
    rows,
    tidy,
)
from chainlist.kernels.state import measure, norm2, note
from chainlist.kernels.switches import keep_watch, watch
from chainlist.kernels.tape import remember_turns
from chainlist.kernels.widths import promise_widths


def stay_as_it_is(s: System, w: Work, t, q, v):  # type: ignore[no-untyped-def]
    """Dense output of a system that does not project is taken as it comes."""
    return 0


def put_onto_constraints(s: System, w: Work, t, q, v):  # type: ignore[no-untyped-def]
    """A state from dense output is off by about the tolerance: two steps of Newton's method with one factor.

    Near a singular configuration dense output is left as it is, since there this error would be magnified; and where the
    correction is much larger than the tolerance (or no number), the state is spoilt, and 1 says so.
    """
    r, phi, asked = w.rows.r, w.rows.phi, w.g
    rows(s.table, w.rows, w.mobility, t, q, v, v)
    prepare(s, w, 0.0)
    if w.gauge.least < REFINE:
        return 0
    for _ in range(2):
        for k in range(r.shape[0]):
            r[k] = -phi[k]
            asked[k] = r[k]
        push(s, w, q)
        if exceeds_tolerance(asked, r, s, s.groups.size) == 1:
            return 1
        rows(s.table, w.rows, w.mobility, t, q, v, v)
    for k in range(r.shape[0]):
        if ACTS == 1:
            r[k] += w.rows.c[k]
        asked[k] = r[k]
    push(s, w, v)
    return exceeds_tolerance(asked, r, s, s.groups.speed)


@apart
def exceeds_tolerance(asked, multipliers, s, scale):  # type: ignore[no-untyped-def]
    """1 if a correction is a thousand times what the tolerances allow. Its squared M-norm is Σ asked·multipliers."""
    moved = 0.0
    for k in range(asked.shape[0]):
        moved += asked[k] * multipliers[k]
    allowed = 0.0
    for i in range(s.mass.shape[0]):
        tolerance = s.abstol + s.reltol * scale[s.groups.of_point[i]]
        allowed += s.mass[i] * tolerance * tolerance
    return 0 if moved <= 1e6 * allowed else 1


def factor_of_step(error, rejected):  # type: ignore[no-untyped-def]
    """The factor for the next step: a tenth below what the error allows, no growth after a rejection."""
    if not error < math.inf:
        return 0.2
    if error <= 0.0:
        return 1.0 if rejected > 0 else 5.0
    most = 1.0 if rejected > 0 else 5.0
    return min(most, max(0.2, 0.9 * math.exp(-math.log(error) / ORDER)))


@apart
def give_up(goes_on, t, stop, T, Q, V, gauge: Gauge, count: Count):  # type: ignore[no-untyped-def]
    """No step leads on. Where the run shall go on all the same, the samples that are left are nan."""
    if count.broken == 0:
        count.broken = STEP_TOO_SMALL
        gauge.break_time = t
    if goes_on == 0:
        return
    for at in range(count.sample, T.shape[0]):
        for i in range(Q.shape[1]):
            for c in range(DIM):
                Q[at, i, c] = math.nan
                V[at, i, c] = math.nan
    count.sample = T.shape[0]
    gauge.time = stop


def adapt(s: System, w: Work, budget, stop, T, q, v, Q, V, E, X):  # type: ignore[no-untyped-def]
    """At most `budget` attempts towards `stop`; budget 0: only the landing at the start.

    T: times of the samples still to be written; they go to Q, V (E and X) from 0 on. The present time and step are kept
    in w.gauge. Returns the status of the first breakdown, 0 if there was none. Where the step becomes too small a run that
    goes on leaves its other samples nan.
    """
    promise_widths(s, w, q, v)
    count, gauge, log, qn, vn = w.count, w.gauge, w.log, w.qn, w.vn
    count.sample = 0
    if ACTS == 1 and budget == 0:
        begin_piece(s.breaks, count, s.table.told.tape, w.rows.tape, gauge.time, q, v)
    for _ in range(max(budget, 1)):
        t = gauge.time
        if budget > 0 and t >= stop:
            break
        measure(s.table, w.inverse_size, q)
        crossing = 0
        if ACTS == 1 and budget > 0:
            crossing = crosses_break(s.breaks, count, t)
            if crossing == 1:
                begin_piece(s.breaks, count, s.table.told.tape, w.rows.tape, t, q, v)
        h = 0.0
        limit = stop  # a step ends at the next breakpoint at the latest
        if ACTS == 1 and count.piece < s.breaks.shape[0]:
            limit = min(stop, s.breaks[count.piece])
        if budget > 0 and crossing == 0:
            h = gauge.step
            if t + 1.01 * h >= limit:
                h = limit - t
            if SWITCHES == 1:
                if count.aimed != 0:
                    h = gauge.aim
        status = attempt(s, w, gauge, count, qn, vn, t, h, q, v)
        if status == CARE:
            count.piece -= crossing
            break
        if crossing == 1:
            accept(w.factor.active, w.kept, qn, vn, w.qdn, w.vdn, q, v, w.kq[0], w.kv[0])
            continue
        if status == TOO_LARGE:
            if SWITCHES == 1:
                if count.aimed == 2:
                    count.aimed = 0
                    forget(w.factor.active, w.kept)
                    return REJECTED
            count.aimed = 0
            gauge.step = h * factor_of_step(gauge.error, 1 + count.rejected_in_a_row)
            count.redone += 1
            count.rejected_in_a_row += 1
            if h < 1e-13 * stop:
                give_up(s.goes_on, t, stop, T, Q, V, gauge, count)
                break
            continue
        if status == LEAPT and count.aimed != 2:
            if s.guard != 0 and count.rejected_in_a_row < 10:
                note(log, count, EVENT_REFINED, t, count.step_least_row, gauge.eta)
                count.redone += 1
                count.rejected_in_a_row += 1
                count.aimed = 0
                gauge.step = 0.5 * h
                forget(w.factor.active, w.kept)
                if h < 1e-13 * stop:
                    give_up(s.goes_on, t, stop, T, Q, V, gauge, count)
                    break
                continue
            told = 0
            if ACTS == 1:
                told = drives(w.rows.c)
            if SWITCHES == 1:
                told += drives_of_switches(w.switch, count.engaged)
            note_leap(log, s.guard, told, gauge, count, t)
            if count.broken != 0 and s.goes_on == 0:
                break  # where there is no motion to follow nothing rings
        if SWITCHES == 1:
            rings = 0
            if passes_by(s.switch, w.switch, gauge, count, w.mobility, t, h, q, v, vn) == 0:
                rings = watch(s.switch, w.switch, w.mobility, count.broken, t + h, h, qn, vn)
            if count.aimed == 2 or (rings == 1 and count.aimed == 0 and h > 0.0):
                gauge.span = h
                count.aimed = 0
                forget(w.factor.active, w.kept)
                return ALARM
        now = t + h
        if budget > 0 and now >= limit:
            now = limit
        scale = s.energy_scale
        if ACTS == 1:
            scale += max(qn[qn.shape[0] - 1, 0], 0.0)  # Work may have been put in
        diagnose(gauge, count, 0.5 * norm2(s.mass, vn), s.guard, scale, now)
        if count.broken != 0 and s.goes_on == 0:
            break
        samples_within(s, w, t, h, now, T, q, v, Q, V, E, X)
        accept(w.factor.active, w.kept, qn, vn, w.qdn, w.vdn, q, v, w.kq[0], w.kv[0])
        if ACTS == 1:
            remember_turns(s.table.told.tape, w.rows.tape)
        watch_rank(log, gauge, count, t, h)
        if SWITCHES == 1:
            gauge.far -= gauge.moved
            if gauge.moved == 0.0:
                keep_watch(s.switch, w.switch, v)
                gauge.far = reach(s.switch, w.switch, count.shown)
            if count.aimed != 0:
                count.aimed = 0
                count.rejected_in_a_row = 0
                gauge.time = now
                return REACHED
        if budget > 0:
            gauge.step = h * factor_of_step(gauge.error, count.rejected_in_a_row)
            gauge.smallest = min(gauge.smallest, h)
            gauge.largest = max(gauge.largest, h)
            count.rejected_in_a_row = 0
            gauge.time = now
    if count.asked != 0:
        count.asked = 0
        forget(w.factor.active, w.kept)
        return ASKS
    return count.broken


def crosses_break(breaks, count: Count, t):  # type: ignore[no-untyped-def]
    """1 at a breakpoint: functions of the time change their branch, and a landing is due."""
    if count.piece < breaks.shape[0] and t >= breaks[count.piece]:
        count.piece += 1
        return 1
    return 0


@apart
def samples_within(s: System, w: Work, t, h, now, T, q, v, Q, V, E, X):  # type: ignore[no-untyped-def]
    """The samples that are due up to the end of this step: its end itself, or dense output."""
    count = w.count
    ready = 0
    while count.sample < T.shape[0] and T[count.sample] <= now:
        at = count.sample
        if T[at] == now:
            keep_sample(at, w.qn, w.vn, Q, V)
            if ACTS == 1:
                keep_memory(at, w.qn, w.rows.tape.turn, X)
        else:
            if ready == 0:
                more_stages(s, w, t, h, q, v)
                ready = 1
            interpolate(w, h, (T[at] - t) / h, q, v)
            if tidy(s, w, T[at], w.qt, w.vt) == 1:
                interpolate(w, h, (T[at] - t) / h, q, v)
            keep_sample(at, w.qt, w.vt, Q, V)
            if ACTS == 1:
                keep_memory(at, w.qt, w.rows.tape.turn, X)
        if s.corrects != 0:
            E[at] = w.gauge.predicted
        count.sample += 1
