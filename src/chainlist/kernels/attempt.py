"""One step, as every march takes it: advance, land, and the question whether it followed the motion."""

from __future__ import annotations

import math

from chainlist.kernels.bundles import SwitchWork, System, Tape, TapeWork, Work
from chainlist.kernels.gauges import Count, Gauge
from chainlist.kernels.slots import (
    ADAPTIVE,
    DIM,
    DONE,
    EVENT_PASSAGE,
    EVENT_RANK,
    EVENT_UNCURED,
    LEAPS,
    LOOSE,
    METHOD_ORDER,
    NOT_CONVERGED,
    NOT_FINITE,
    PROJECTS,
    REFINE,
    RUNAWAY,
    SOLVER_FAILED,
    STUCK,
    advance,
    apart,
    early,
    estimate,
    land,
)
from chainlist.kernels.state import note
from chainlist.kernels.tape import forward

# What became of an attempt.
GOOD = 0
LEAPT = 1  # the state lies on the constraints, but not where the motion led
CARE = 2  # the careful kernels are needed; nothing has landed
TOO_LARGE = 3  # the error estimate is above the tolerance; nothing has landed


def copy_state(q, v, to_q, to_v):  # type: ignore[no-untyped-def]
    for i in range(q.shape[0]):
        for c in range(DIM):
            to_q[i, c] = q[i, c]
            to_v[i, c] = v[i, c]


@early
def attempt(s: System, w: Work, gauge: Gauge, count: Count, qn, vn, t, h, q, v):  # type: ignore[no-untyped-def]
    """From q, v at t to qn, vn at t + h, with the derivatives there in w.qdn, w.vdn. h = 0: only a landing.

    gauge, count, qn and vn are those of w: every mention of w costs time to compile.
    """
    gauge.step_least = 1.0
    if h == 0.0:
        copy_state(q, v, qn, vn)
    else:
        advance(s, w, t, h, q, v)
        count.steps += 1
        if ADAPTIVE == 1:
            if count.asked != 0:
                return CARE
            error = estimate(s, w, h)
            gauge.error = error
            if not error <= 1.0:
                return TOO_LARGE
    land(s, w, t + h, h, qn, vn)
    if count.asked != 0:
        return CARE
    if PROJECTS == 1 and h > 0.0:
        if betrays_leap(gauge, h) == 1 and count.broken == 0:
            return LEAPT
        if gauge.eta > gauge.max_eta:
            gauge.max_eta = gauge.eta
    return GOOD


@early
def accept(active, kept, qn, vn, qdn, vdn, q, v, kq, kv):  # type: ignore[no-untyped-def]
    """The step counts: its end is the state, its derivatives begin the next step, its rows are those that count."""
    copy_state(qn, vn, q, v)
    copy_state(qdn, vdn, kq, kv)
    for i in range(active.shape[0]):
        kept[i] = active[i]


def forget(active, kept):  # type: ignore[no-untyped-def]
    """The step does not count: the rows that counted before it do again."""
    for i in range(active.shape[0]):
        active[i] = kept[i]


@early
def betrays_leap(gauge: Gauge, h):  # type: ignore[no-untyped-def]
    """1 if the velocity correction is too large for a step that followed the motion; η is left in the gauge.

    η² is the part of the energy (of motion, and of what acts during the step) that the projection took out. It is a local
    error: away from singular configurations a coarse step of order p may have η up to about σ^(p+1), where σ is how much the
    velocity changes in the step. Near one, where branches meet, far less is allowed.
    """
    forced = h * h * (gauge.free2 + gauge.accel2)
    whole = gauge.speed2 + forced
    eta = math.sqrt(max(gauge.eta2, 0.0) / whole) if whole > 0.0 else 0.0
    gauge.eta = eta
    limit = 1e-5 if gauge.step_least < REFINE else 1e-3
    if eta <= limit and gauge.residual <= 1e-12 and whole < math.inf:
        return 0
    if gauge.step_least >= REFINE and gauge.residual <= 1e-12 and whole < math.inf:
        if eta <= 0.3 * math.pow(forced / whole, 0.5 * (METHOD_ORDER + 1.0)):
            return 0
    return 1


@apart
def drives(c):  # type: ignore[no-untyped-def]
    """How many rows of constraints move as they are told to."""
    told = 0
    for k in range(c.shape[0]):
        if c[k] != 0.0:
            told += 1
    return told


@apart
def drives_of_switches(a: SwitchWork, n):  # type: ignore[no-untyped-def]
    """How many of the engaged rows move as they are told to."""
    told = 0
    for p in range(n):
        if a.rows.c[a.list[p]] != 0.0:
            told += 1
    return told


@apart
def note_leap(log, guard, told, gauge: Gauge, count: Count, t):  # type: ignore[no-untyped-def]
    """The smallest step leaps too; without the guard, any. With drives (`told` of them) there may be no motion to follow: where
    so small a step changes velocities by more than they are, they grew beyond all bounds, as at a dead point.
    """
    if not gauge.speed2 + gauge.free2 + gauge.accel2 < math.inf:
        return  # what is lost has not leapt
    count.uncured += 1
    note(log, count, EVENT_UNCURED, t, count.step_least_row, gauge.eta)
    gauge.max_eta = max(gauge.max_eta, gauge.eta)
    if told > 0 and guard != 0 and gauge.eta > 1.0 and count.broken == 0:
        count.broken = STUCK
        gauge.break_time = t


@early
def watch_rank(log, gauge: Gauge, count: Count, t, h):  # type: ignore[no-untyped-def]
    """Log a singular passage when it is over, and every change of rank; the step led from t to t + h.

    A passage is dated to the end of the step, or to its middle where a stage inside came closest.
    """
    if gauge.step_least < REFINE:
        if gauge.step_least < gauge.pass_least:
            gauge.pass_least = gauge.step_least
            gauge.pass_time = t + h if gauge.least <= gauge.step_least else t + 0.5 * h
            count.pass_row = count.step_least_row
    elif gauge.pass_least < REFINE:
        note(log, count, EVENT_PASSAGE, gauge.pass_time, count.pass_row, gauge.pass_least)
        gauge.pass_least = 1.0
    if count.dropped != count.last_dropped:
        note(log, count, EVENT_RANK, t + h, count.last_dropped, 1.0 * count.dropped)
        count.last_dropped = count.dropped


@early
def diagnose(gauge: Gauge, count: Count, T, guard, scale, now):  # type: ignore[no-untyped-def]
    """Note how the run broke down at the time `now`, if it did for the first time. T is the kinetic energy there."""
    if count.broken != 0:
        return
    status = DONE
    if count.failed != 0:
        status = SOLVER_FAILED if count.failed > 0 else NOT_CONVERGED if count.failed == -1 else LOOSE
    elif not T < math.inf:
        status = NOT_FINITE
    elif T > 1e6 * scale:
        status = RUNAWAY
    elif PROJECTS == 1:
        if gauge.residual > 1e-6:
            status = NOT_CONVERGED
        elif guard != 0 and count.uncured > 100:
            status = LEAPS
    if status != DONE:
        count.broken = status
        gauge.break_time = now


@early
def keep_sample(at, q, v, Q, V):  # type: ignore[no-untyped-def]
    for i in range(Q.shape[1]):
        for c in range(DIM):
            Q[at, i, c] = q[i, c]
            V[at, i, c] = v[i, c]


def keep_memory(at, q, turn, X):  # type: ignore[no-untyped-def]
    """Work, and the angles that go on from landing to landing."""
    X[at, 0] = q[q.shape[0] - 1, 0]
    for m in range(turn.shape[0]):
        X[at, m + 1] = turn[m]


@apart
def begin_piece(breaks, count: Count, tape: Tape, scratch: TapeWork, t, q, v):  # type: ignore[no-untyped-def]
    """Functions of the time alone take the branches that hold until the next breakpoint: those in the middle of it."""
    following = count.piece
    middle = t + 1.0
    if following < breaks.shape[0]:
        middle = 0.5 * (t + breaks[following])
    scratch.rate[1] = 1.0
    forward(tape, scratch, 0, tape.op.shape[0], middle, q, v)
    scratch.rate[1] = 0.0
