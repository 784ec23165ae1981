"""March over the grid of a fixed step: attempts, the guard against leaps, samples.

Steps are counted in integers. A step that leaps is redone in halves inside: positions within it are counted in parts
of 1/1024, so that samples stay exactly where they are.
"""

import math

from chainlist.kernels.slots import (
    ACCEL2,
    ASKED,
    ASKS,
    BREAK_TIME,
    BROKEN,
    DIM,
    DONE,
    DROPPED,
    ETA,
    ETA2,
    EVENT_PASSAGE,
    EVENT_RANK,
    EVENT_REFINED,
    EVENT_UNCURED,
    FAILED,
    FREE2,
    LAST_DROPPED,
    LEAPS,
    LEAST,
    LEVEL,
    MAX_ETA,
    NEXT,
    NOT_CONVERGED,
    NOT_FINITE,
    PARTS,
    PASS_LEAST,
    PASS_ROW,
    PASS_TIME,
    PREDICTED,
    PROJECTS,
    REDONE,
    REFINE,
    RESIDUAL,
    RUNAWAY,
    SAMPLE,
    SOLVER_FAILED,
    SPEED2,
    STEP_LEAST,
    STEP_LEAST_ROW,
    STEPS,
    TIME,
    UNCURED,
    advance,
    copy,
    diagnose,
    keep,
    land,
    leap,
    measure,
    norm2,
    note,
    watch,
    widths,
)


def copy_state(q, v, to_q, to_v):  # type: ignore[no-untyped-def]
    for i in range(q.shape[0]):
        for c in range(DIM):
            to_q[i, c] = q[i, c]
            to_v[i, c] = v[i, c]


def betrays_leap(gauge, h):  # type: ignore[no-untyped-def]
    """1 if the velocity correction is too large for a step that followed the motion; η is left in the gauge.

    η² is the part of the energy (of motion, and of what acts during the step) that the projection took out.
    """
    whole = gauge[SPEED2] + h * h * (gauge[FREE2] + gauge[ACCEL2])
    eta = math.sqrt(max(gauge[ETA2], 0.0) / whole) if whole > 0.0 else 0.0
    gauge[ETA] = eta
    limit = 1e-5 if gauge[STEP_LEAST] < REFINE else 1e-3
    if eta <= limit and gauge[RESIDUAL] <= 1e-12 and whole < math.inf:
        return 0
    return 1


def watch_rank(log, gauge, count, t, h):  # type: ignore[no-untyped-def]
    """Log a singular passage when it is over, and every change of rank; the step led from t to t + h.

    A passage is dated to the end of the step, or to its middle where a stage inside came closest.
    """
    if gauge[STEP_LEAST] < REFINE:
        if gauge[STEP_LEAST] < gauge[PASS_LEAST]:
            gauge[PASS_LEAST] = gauge[STEP_LEAST]
            gauge[PASS_TIME] = t + h if gauge[LEAST] <= gauge[STEP_LEAST] else t + 0.5 * h
            count[PASS_ROW] = count[STEP_LEAST_ROW]
    elif gauge[PASS_LEAST] < REFINE:
        note(log, count, EVENT_PASSAGE, gauge[PASS_TIME], count[PASS_ROW], gauge[PASS_LEAST])
        gauge[PASS_LEAST] = 1.0
    if count[DROPPED] != count[LAST_DROPPED]:
        note(log, count, EVENT_RANK, t + h, count[LAST_DROPPED], 1.0 * count[DROPPED])
        count[LAST_DROPPED] = count[DROPPED]


def diagnose_step(gauge, count, T, guard, scale):  # type: ignore[no-untyped-def]
    """The status of the step just taken: 0, or how the run broke down."""
    if count[FAILED] != 0:
        return SOLVER_FAILED if count[FAILED] > 0 else NOT_CONVERGED
    if not T < math.inf:
        return NOT_FINITE
    if T > 1e6 * scale:
        return RUNAWAY
    if PROJECTS == 1:
        if gauge[RESIDUAL] > 1e-6:
            return NOT_CONVERGED
        if guard != 0 and count[UNCURED] > 100:
            return LEAPS
    return DONE


def keep_sample(at, q, v, Q, V):  # type: ignore[no-untyped-def]
    for i in range(Q.shape[1]):
        for c in range(DIM):
            Q[at, i, c] = q[i, c]
            V[at, i, c] = v[i, c]


def march(s, w, first, last, grid, times, q, v, Q, V, E):  # type: ignore[no-untyped-def]
    """Steps `first` … `last` − 1 of the grid; step −1 is the landing at the start.

    grid: (steps of the run, first sample, steps between samples); times: (step, last step). Samples go to Q, V (and E,
    the predictor's energy) from 0 on. Returns the status of the first breakdown, 0 if there was none; or ASKS, with the
    state as it was before the attempt: the careful kernels shall go on at step count[NEXT].
    """
    widths(s, w, q, v)
    count, gauge, log, inverse_size = w.count, w.gauge, w.log, w.inverse_size
    qn, vn, qdn, vdn, active, kept = w.qn, w.vn, w.qdn, w.vdn, w.factor.active, w.kept
    k1q, k1v = w.kq[0], w.kv[0]
    count[SAMPLE] = 0
    due = grid[1]  # the next sample; counted, since a division in each step would be felt
    if first + 1 > due:
        due += (first - grid[1]) // grid[2] * grid[2] + grid[2]
    for k in range(first, last):
        h = times[0]
        if k + 1 == grid[0]:
            h = times[1]
        start = k * times[0]
        if k < 0:
            h = 0.0
            start = 0.0
        if k < 0 or k % 32 == 0:
            measure(s.table, inverse_size, q)
        done = count[PARTS]
        count[PARTS] = 0
        while done < 1024:
            level = count[LEVEL]
            part = 1024 >> level
            size = h * (part / 1024)
            t = start + h * (done / 1024)
            gauge[TIME] = t
            gauge[STEP_LEAST] = 1.0
            if k < 0:
                copy(q, v, qn, vn)
                part = 1024
            else:
                advance(s, w, t, size, q, v)
                count[STEPS] += 1
            land(s, w, t + size, size, qn, vn)
            if count[ASKED] != 0:
                count[ASKED] = 0
                count[NEXT] = k
                count[STEPS] -= 1 if k >= 0 else 0
                count[PARTS] = done
                for i in range(active.shape[0]):
                    active[i] = kept[i]
                return ASKS
            calm = 1
            if PROJECTS == 1 and k >= 0:
                if leap(gauge, size) == 1 and count[BROKEN] == 0:
                    calm = 0
                    if s.guard != 0 and level < 10:
                        if level == 0:
                            note(log, count, EVENT_REFINED, t, count[STEP_LEAST_ROW], gauge[ETA])
                        count[LEVEL] += 1
                        count[REDONE] += 1
                        for i in range(active.shape[0]):
                            active[i] = kept[i]
                        continue
                    count[UNCURED] += 1
                    note(log, count, EVENT_UNCURED, t, count[STEP_LEAST_ROW], gauge[ETA])
                if gauge[ETA] > gauge[MAX_ETA]:
                    gauge[MAX_ETA] = gauge[ETA]
                if gauge[ETA] > (1e-6 if gauge[STEP_LEAST] < REFINE else 1e-4):
                    calm = 0
            copy(qn, vn, q, v)
            copy(qdn, vdn, k1q, k1v)
            for i in range(active.shape[0]):
                kept[i] = active[i]
            watch(log, gauge, count, t, size)
            done += part
            if level > 0 and calm == 1 and done % (2 * part) == 0:
                count[LEVEL] -= 1
        if count[BROKEN] == 0:
            status = diagnose(gauge, count, 0.5 * norm2(s.mass, v), s.guard, s.energy_scale)
            if status != DONE:
                count[BROKEN] = status
                gauge[BREAK_TIME] = start + h
        if count[BROKEN] != 0 and s.goes_on == 0:
            break
        if k + 1 == due or (k + 1 == grid[0] and k + 1 >= grid[1]):
            at = count[SAMPLE]
            keep(at, q, v, Q, V)
            if s.corrects != 0:
                E[at] = gauge[PREDICTED]
            count[SAMPLE] += 1
        if k + 1 == due:
            due += grid[2]
    return count[BROKEN]
