"""March over the grid of a fixed step: attempts, the guard against leaps, samples.

Steps are counted in integers. A step that leaps is redone in halves inside: positions within it are counted in parts
of 1/1024, so that samples stay exactly where they are.
"""

import math

from chainlist.kernels.slots import (
    ACCEL2,
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
    LEVEL,
    MAX_ETA,
    NOT_CONVERGED,
    NOT_FINITE,
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
    accept,
    advance,
    attempt,
    begin_run,
    cross,
    diagnose,
    keep,
    kinetic,
    land,
    leap,
    measure,
    note,
    watch,
)


def begin(s, w, t, q, v):  # type: ignore[no-untyped-def]
    """Land at the start: what PROJECTED puts right, and the first derivative of the first step."""
    measure(s, w, q)
    w.gauge[TIME] = t
    w.gauge[STEP_LEAST] = 1.0
    for i in range(q.shape[0]):
        for c in range(DIM):
            w.qn[i, c] = q[i, c]
            w.vn[i, c] = v[i, c]
    land(s, w, t, 0.0, w.qn, w.vn)
    accept(s, w, q, v)
    watch(w)


def try_step(s, w, t, h, q, v):  # type: ignore[no-untyped-def]
    """One step from q, v (left as they are) to w.qn, w.vn, landed."""
    w.gauge[STEP_LEAST] = 1.0
    advance(s, w, t, h, q, v)
    land(s, w, t + h, h, w.qn, w.vn)


def accept_step(s, w, q, v):  # type: ignore[no-untyped-def]
    """The new state becomes the present one, with its first derivative and its set of active rows."""
    for i in range(q.shape[0]):
        for c in range(DIM):
            q[i, c] = w.qn[i, c]
            v[i, c] = w.vn[i, c]
            w.kq[0, i, c] = w.qdn[i, c]
            w.kv[0, i, c] = w.vdn[i, c]
    for k in range(w.active.shape[0]):
        w.kept[k] = w.active[k]


def betrays_leap(s, w, h):  # type: ignore[no-untyped-def]
    """1 if the velocity correction is too large for a step that followed the motion; η is left in w.gauge.

    η² is the part of the energy (of motion, and of what acts during the step) that the projection took out.
    """
    whole = w.gauge[SPEED2] + h * h * (w.gauge[FREE2] + w.gauge[ACCEL2])
    eta = math.sqrt(max(w.gauge[ETA2], 0.0) / whole) if whole > 0.0 else 0.0
    w.gauge[ETA] = eta
    limit = 1e-5 if w.gauge[STEP_LEAST] < REFINE else 1e-3
    if eta <= limit and w.gauge[RESIDUAL] <= 1e-12 and whole < math.inf:
        return 0
    return 1


def watch_rank(w):  # type: ignore[no-untyped-def]
    """Log a singular passage when it is over, and every change of rank."""
    if w.gauge[STEP_LEAST] < REFINE:
        if w.gauge[STEP_LEAST] < w.gauge[PASS_LEAST]:
            w.gauge[PASS_LEAST] = w.gauge[STEP_LEAST]
            w.gauge[PASS_TIME] = w.gauge[TIME]
            w.count[PASS_ROW] = w.count[STEP_LEAST_ROW]
    elif w.gauge[PASS_LEAST] < REFINE:
        now = w.gauge[TIME]
        w.gauge[TIME] = w.gauge[PASS_TIME]
        note(w, EVENT_PASSAGE, w.count[PASS_ROW], w.gauge[PASS_LEAST])
        w.gauge[TIME] = now
        w.gauge[PASS_LEAST] = 1.0
    if w.count[DROPPED] != w.count[LAST_DROPPED]:
        note(w, EVENT_RANK, w.count[LAST_DROPPED], w.count[DROPPED])
        w.count[LAST_DROPPED] = w.count[DROPPED]


def cross_step(s, w, t, h, q, v):  # type: ignore[no-untyped-def]
    """One step of the grid, in as many halves as the guard asks for."""
    done = 0
    while done < 1024:
        level = w.count[LEVEL]
        part = 1024 >> level
        size = h * (part / 1024)
        w.gauge[TIME] = t + h * (done / 1024)
        attempt(s, w, w.gauge[TIME], size, q, v)
        w.count[STEPS] += 1
        calm = 1
        if PROJECTS == 1:
            if leap(s, w, size) == 1 and w.count[BROKEN] == 0:
                calm = 0
                if s.guard != 0 and level < 10:
                    if level == 0:
                        note(w, EVENT_REFINED, w.count[STEP_LEAST_ROW], w.gauge[ETA])
                    w.count[LEVEL] += 1
                    w.count[REDONE] += 1
                    for k in range(w.active.shape[0]):
                        w.active[k] = w.kept[k]
                    continue
                w.count[UNCURED] += 1
                note(w, EVENT_UNCURED, w.count[STEP_LEAST_ROW], w.gauge[ETA])
            if w.gauge[ETA] > w.gauge[MAX_ETA]:
                w.gauge[MAX_ETA] = w.gauge[ETA]
            if w.gauge[ETA] > (1e-6 if w.gauge[STEP_LEAST] < REFINE else 1e-4):
                calm = 0
        accept(s, w, q, v)
        watch(w)
        done += part
        if level > 0 and calm == 1 and done % (2 * part) == 0:
            w.count[LEVEL] -= 1


def diagnose_step(s, w, v):  # type: ignore[no-untyped-def]
    """The status of the step just taken: 0, or how the run broke down."""
    if w.count[FAILED] != 0:
        return SOLVER_FAILED
    T = kinetic(s, v)
    if not T < math.inf:
        return NOT_FINITE
    if T > 1e6 * s.energy_scale:
        return RUNAWAY
    if PROJECTS == 1:
        if w.gauge[RESIDUAL] > 1e-6:
            return NOT_CONVERGED
        if s.guard != 0 and w.count[UNCURED] > 100:
            return LEAPS
    return DONE


def keep_sample(s, w, q, v, Q, V, E):  # type: ignore[no-untyped-def]
    at = w.count[SAMPLE]
    for i in range(Q.shape[1]):
        for c in range(DIM):
            Q[at, i, c] = q[i, c]
            V[at, i, c] = v[i, c]
    if s.corrects != 0:
        E[at] = w.gauge[PREDICTED]
    w.count[SAMPLE] += 1


def march(s, w, first, last, grid, times, q, v, Q, V, E):  # type: ignore[no-untyped-def]
    """Steps `first` … `last` − 1. grid: (steps of the run, first sample, steps between samples); times: (step, last step).

    first < 0: only the landing at the start. Samples go to Q, V (and E, the predictor's energy) from 0 on.
    """
    w.count[SAMPLE] = 0
    if first < 0:
        begin_run(s, w, 0.0, q, v)
        if grid[1] == 0:
            keep(s, w, q, v, Q, V, E)
        return diagnose(s, w, v)
    for k in range(first, last):
        if k % 32 == 0:
            measure(s, w, q)
        h = times[1] if k + 1 == grid[0] else times[0]
        cross(s, w, k * times[0], h, q, v)
        status = diagnose(s, w, v)
        if status != DONE and w.count[BROKEN] == 0:
            w.count[BROKEN] = status
            w.gauge[BREAK_TIME] = k * times[0] + h
        if k + 1 >= grid[1] and ((k + 1 - grid[1]) % grid[2] == 0 or k + 1 == grid[0]):
            keep(s, w, q, v, Q, V, E)
        if w.count[BROKEN] != 0 and s.goes_on == 0:
            return w.count[BROKEN]
    return w.count[BROKEN]
