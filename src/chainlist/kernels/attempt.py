"""One step, as every march takes it: advance, land, and the question whether it followed the motion."""

from __future__ import annotations

import math

from chainlist.kernels.bundles import System, Tape, TapeWork, Work
from chainlist.kernels.slots import (
    ACCEL2,
    ADAPTIVE,
    ASKED,
    BREAK_TIME,
    BROKEN,
    DIM,
    DONE,
    DROPPED,
    ERROR,
    ETA,
    ETA2,
    EVENT_PASSAGE,
    EVENT_RANK,
    FAILED,
    FREE2,
    LAST_DROPPED,
    LEAPS,
    LEAST,
    LOOSE,
    MAX_ETA,
    METHOD_ORDER,
    NOT_CONVERGED,
    NOT_FINITE,
    PASS_LEAST,
    PASS_ROW,
    PASS_TIME,
    PIECE,
    PROJECTS,
    REFINE,
    RESIDUAL,
    RUNAWAY,
    SOLVER_FAILED,
    SPEED2,
    STEP_LEAST,
    STEP_LEAST_ROW,
    STEPS,
    UNCURED,
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
def attempt(s: System, w: Work, gauge, count, qn, vn, t, h, q, v):  # type: ignore[no-untyped-def]
    """From q, v at t to qn, vn at t + h, with the derivatives there in w.qdn, w.vdn. h = 0: only a landing.

    gauge, count, qn and vn are those of w: every mention of w costs time to compile.
    """
    gauge[STEP_LEAST] = 1.0
    if h == 0.0:
        copy_state(q, v, qn, vn)
    else:
        advance(s, w, t, h, q, v)
        count[STEPS] += 1
        if ADAPTIVE == 1:
            if count[ASKED] != 0:
                return CARE
            error = estimate(s, w, h)
            gauge[ERROR] = error
            if not error <= 1.0:
                return TOO_LARGE
    land(s, w, t + h, h, qn, vn)
    if count[ASKED] != 0:
        return CARE
    if PROJECTS == 1 and h > 0.0:
        if betrays_leap(gauge, h) == 1 and count[BROKEN] == 0:
            return LEAPT
        if gauge[ETA] > gauge[MAX_ETA]:
            gauge[MAX_ETA] = gauge[ETA]
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
def betrays_leap(gauge, h):  # type: ignore[no-untyped-def]
    """1 if the velocity correction is too large for a step that followed the motion; η is left in the gauge.

    η² is the part of the energy (of motion, and of what acts during the step) that the projection took out. It is a local
    error: away from singular configurations a coarse step of order p may have η up to about σ^(p+1), where σ is how much the
    velocity changes in the step. Near one, where branches meet, far less is allowed.
    """
    forced = h * h * (gauge[FREE2] + gauge[ACCEL2])
    whole = gauge[SPEED2] + forced
    eta = math.sqrt(max(gauge[ETA2], 0.0) / whole) if whole > 0.0 else 0.0
    gauge[ETA] = eta
    limit = 1e-5 if gauge[STEP_LEAST] < REFINE else 1e-3
    if eta <= limit and gauge[RESIDUAL] <= 1e-12 and whole < math.inf:
        return 0
    if gauge[STEP_LEAST] >= REFINE and gauge[RESIDUAL] <= 1e-12 and whole < math.inf:
        if eta <= 0.3 * math.pow(forced / whole, 0.5 * (METHOD_ORDER + 1.0)):
            return 0
    return 1


@early
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


@early
def diagnose(gauge, count, T, guard, scale, now):  # type: ignore[no-untyped-def]
    """Note how the run broke down at the time `now`, if it did for the first time. T is the kinetic energy there."""
    if count[BROKEN] != 0:
        return
    status = DONE
    if count[FAILED] != 0:
        status = SOLVER_FAILED if count[FAILED] > 0 else NOT_CONVERGED if count[FAILED] == -1 else LOOSE
    elif not T < math.inf:
        status = NOT_FINITE
    elif T > 1e6 * scale:
        status = RUNAWAY
    elif PROJECTS == 1:
        if gauge[RESIDUAL] > 1e-6:
            status = NOT_CONVERGED
        elif guard != 0 and count[UNCURED] > 100:
            status = LEAPS
    if status != DONE:
        count[BROKEN] = status
        gauge[BREAK_TIME] = now


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
def begin_piece(breaks, count, tape: Tape, scratch: TapeWork, t, q, v):  # type: ignore[no-untyped-def]
    """Functions of the time alone take the branches that hold until the next breakpoint: those in the middle of it."""
    following = count[PIECE]
    middle = t + 1.0
    if following < breaks.shape[0]:
        middle = 0.5 * (t + breaks[following])
    scratch.rate[1] = 1.0
    forward(tape, scratch, 0, tape.op.shape[0], middle, q, v)
    scratch.rate[1] = 0.0
