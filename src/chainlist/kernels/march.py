"""March over the grid of a fixed step: attempts, the guard against leaps, breakpoints, samples.

Steps are counted in integers. A step that leaps is redone in halves inside: positions within it are counted in parts
of 1/1024, so that samples stay exactly where they are. A breakpoint of the time parts a step into pieces.
"""

from __future__ import annotations

from chainlist.kernels.attempt import (
    CARE,
    LEAPT,
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
from chainlist.kernels.bundles import System, Tape, TapeWork, Work
from chainlist.kernels.far import passes_by, reach
from chainlist.kernels.gauges import Count, Gauge
from chainlist.kernels.slots import (
    ACTS,
    ALARM,
    ASKS,
    EVENT_REFINED,
    PROJECTS,
    REACHED,
    REFINE,
    SWITCHES,
    apart,
)
from chainlist.kernels.state import measure, norm2, note
from chainlist.kernels.switches import keep_watch, watch
from chainlist.kernels.tape import remember_turns
from chainlist.kernels.widths import promise_widths

NEAR = 1e-9  # of a step: a breakpoint this near to a grid point stands on it


def march(s: System, w: Work, first, last, grid, times, q, v, Q, V, E, X):  # type: ignore[no-untyped-def]
    """Steps `first` … `last` − 1 of the grid; step −1 is the landing at the start.

    grid: (steps of the run, first sample, steps between samples); times: (step, last step, origin). Samples go to Q, V
    (E, the predictor's energy, and X) from 0 on. Returns the status of the first breakdown, 0 if there was none; or ASKS,
    with the state as it was before the attempt: the careful kernels shall go on at step count.next. With switches also
    ALARM, likewise: something switches within the step that was tried; or REACHED, behind the step that leads there.
    """
    promise_widths(s, w, q, v)
    count, gauge, log, inverse_size = w.count, w.gauge, w.log, w.inverse_size
    qn, vn, qdn, vdn, active, kept = w.qn, w.vn, w.qdn, w.vdn, w.factor.active, w.kept
    k1q, k1v, mass, breaks, guard, goes_on = w.kq[0], w.kv[0], s.mass, s.breaks, s.guard, s.goes_on
    table, corrects, energy_scale = s.table, s.corrects, s.energy_scale
    rows = w.rows
    count.sample = 0
    due = grid[1]  # the next sample; counted, since a division in each step would be felt
    if first + 1 > due:
        due += (first - grid[1]) // grid[2] * grid[2] + grid[2]
    for k in range(first, last):
        h = times[0]
        if k + 1 == grid[0]:
            h = times[1]
        start = times[2] + k * times[0]
        if k < 0:
            h = 0.0
            start = times[2]
            if ACTS == 1:
                begin_at(breaks, count, table.told.tape, rows.tape, start, q, v)
        if k < 0 or k % 32 == 0:
            measure(table, inverse_size, q)
        left = start
        piece = h
        if ACTS == 1:
            if count.inside == 0:
                gauge.left = start
                count.crossing = 0
            count.inside = 0
        going = 1
        while going == 1:  # once, but where a breakpoint parts the step
            if ACTS == 1:
                left = gauge.left
                piece = size_of_piece(breaks, gauge, count, start, h)
            done = count.parts
            count.parts = 0
            while done < 1024:  # once, but where the guard redoes a step in halves
                level = count.level
                part = 1024 >> level
                if piece == 0.0:
                    part = 1024
                size = piece * (part / 1024)
                if SWITCHES == 1:
                    if count.aimed != 0:
                        size = gauge.aim
                t = left + piece * (done / 1024)
                gauge.time = t
                status = attempt(s, w, gauge, count, qn, vn, t, size, q, v)
                if status == CARE:
                    count.asked = 0
                    stop_inside(count, k, done, size)
                    forget(active, kept)
                    return ASKS
                calm = 1
                if status == LEAPT and count.aimed != 2:
                    calm = 0
                    if guard != 0 and level < 10:
                        if level == 0:
                            note(log, count, EVENT_REFINED, t, count.step_least_row, gauge.eta)
                        count.level += 1
                        count.redone += 1
                        count.aimed = 0
                        forget(active, kept)
                        continue
                    told = 0
                    if ACTS == 1:
                        told = drives(rows.c)
                    if SWITCHES == 1:
                        told += drives_of_switches(w.switch, count.engaged)
                    note_leap(log, guard, told, gauge, count, t)
                    if count.broken != 0 and goes_on == 0:
                        return count.broken  # where there is no motion to follow nothing rings
                if PROJECTS == 1 and size > 0.0 and gauge.eta > (1e-6 if gauge.step_least < REFINE else 1e-4):
                    calm = 0
                if SWITCHES == 1:
                    rings = 0
                    if passes_by(s.switch, w.switch, gauge, count, w.mobility, t, size, q, v, vn) == 0:
                        rings = watch(s.switch, w.switch, w.mobility, count.broken, t + size, size, qn, vn)
                    if count.aimed == 2 or (rings == 1 and count.aimed == 0 and size > 0.0):
                        gauge.span = size
                        count.aimed = 0
                        stop_inside(count, k, done, size)
                        forget(active, kept)
                        return ALARM
                accept(active, kept, qn, vn, qdn, vdn, q, v, k1q, k1v)
                if ACTS == 1:
                    if table.told.tape.turning.shape[0] > 0:
                        remember_turns(table.told.tape, rows.tape)
                watch_rank(log, gauge, count, t, size)
                if SWITCHES == 1:
                    gauge.far -= gauge.moved
                    if gauge.moved == 0.0:
                        keep_watch(s.switch, w.switch, v)
                        gauge.far = reach(s.switch, w.switch, count.shown)
                    if count.aimed != 0:
                        if count.aimed == 1:
                            gauge.left = t + size
                            done = 0
                        count.aimed = 0
                        stop_inside(count, k, done, 0.0)
                        return REACHED
                done += part
                if level > 0 and calm == 1 and done % (2 * part) == 0:
                    count.level -= 1
            going = 0
            if ACTS == 1:
                going = end_piece(breaks, gauge, count, start, h, piece)
                if count.crossing == 1:
                    begin_piece(breaks, count, table.told.tape, rows.tape, gauge.left, q, v)
        scale = energy_scale
        if ACTS == 1:
            scale += max(q[q.shape[0] - 1, 0], 0.0)  # Work may have been put in
        diagnose(gauge, count, 0.5 * norm2(mass, v), guard, scale, start + h)
        if count.broken != 0 and goes_on == 0:
            break
        if k + 1 == due or (k + 1 == grid[0] and k + 1 >= grid[1]):
            at = count.sample
            keep_sample(at, q, v, Q, V)
            if ACTS == 1:
                keep_memory(at, q, rows.tape.turn, X)
            if corrects != 0:
                E[at] = gauge.predicted
            count.sample += 1
        if k + 1 == due:
            due += grid[2]
    return count.broken


def stop_inside(count: Count, k, done, size):  # type: ignore[no-untyped-def]
    """The march returns within step k: the next call goes on behind the parts that are done. The step of this size is not."""
    count.next = k
    count.inside = 1
    count.steps -= 1 if size > 0.0 else 0
    count.parts = done


@apart
def begin_at(breaks, count: Count, tape: Tape, scratch: TapeWork, start, q, v):  # type: ignore[no-untyped-def]
    """A march begins: breakpoints up to its start are behind it."""
    count.piece = 0
    while count.piece < breaks.shape[0] and breaks[count.piece] <= start:
        count.piece += 1
    begin_piece(breaks, count, tape, scratch, start, q, v)


def size_of_piece(breaks, gauge: Gauge, count: Count, start, h):  # type: ignore[no-untyped-def]
    """How far the next piece of a step leads: to its end or to a breakpoint; 0 for the landing behind one."""
    left, following = gauge.left, count.piece
    if h == 0.0 or count.crossing == 1:
        return 0.0
    if following < breaks.shape[0] and breaks[following] < start + h - NEAR * h:
        return max(breaks[following] - left, 0.0)
    return h if left == start else max(start + h - left, 0.0)


def end_piece(breaks, gauge: Gauge, count: Count, start, h, size):  # type: ignore[no-untyped-def]
    """Behind a piece: 1 if the step goes on. count.crossing is 1 where a breakpoint was reached."""
    end = start + h
    if h == 0.0:
        return 0
    if count.crossing == 1:
        count.crossing = 0
    elif size == h or gauge.left + size >= end - NEAR * h:
        gauge.left = end
    else:
        gauge.left = breaks[count.piece]
    if count.piece < breaks.shape[0] and breaks[count.piece] <= gauge.left + NEAR * h:
        count.piece += 1
        count.crossing = 1
        return 1
    return 1 if gauge.left < end else 0
