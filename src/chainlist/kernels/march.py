"""March over the grid of a fixed step: attempts, the guard against leaps, breakpoints, samples.

Steps are counted in integers. A step that leaps is redone in halves inside: positions within it are counted in parts
of 1/1024, so that samples stay exactly where they are. A breakpoint of the time parts a step into pieces.
"""

from chainlist.kernels.attempt import (
    CARE,
    LEAPT,
    accept,
    attempt,
    begin_piece,
    diagnose,
    forget,
    keep_sample,
)
from chainlist.kernels.slots import (
    ACTS,
    ASKED,
    ASKS,
    BROKEN,
    ETA,
    EVENT_REFINED,
    EVENT_UNCURED,
    LEVEL,
    NEXT,
    PARTS,
    PIECE,
    PREDICTED,
    PROJECTS,
    REDONE,
    REFINE,
    SAMPLE,
    STEP_LEAST,
    STEP_LEAST_ROW,
    STEPS,
    TIME,
    UNCURED,
)
from chainlist.kernels.state import measure, note
from chainlist.kernels.widths import promise_widths

NEAR = 1e-9  # of a step: a breakpoint this near to a grid point stands on it


def march(s, w, first, last, grid, times, q, v, Q, V, E, X):  # type: ignore[no-untyped-def]
    """Steps `first` … `last` − 1 of the grid; step −1 is the landing at the start.

    grid: (steps of the run, first sample, steps between samples); times: (step, last step, origin). Samples go to Q, V
    (E, the predictor's energy, and X) from 0 on. Returns the status of the first breakdown, 0 if there was none; or ASKS,
    with the state as it was before the attempt: the careful kernels shall go on at step count[NEXT].
    """
    promise_widths(s, w, q, v)
    count, gauge, inverse_size = w.count, w.gauge, w.inverse_size
    count[SAMPLE] = 0
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
                count[PIECE] = 0
                while count[PIECE] < s.breaks.shape[0] and s.breaks[count[PIECE]] <= start:
                    count[PIECE] += 1
                begin_piece(s, w, start, q, v)
        if k < 0 or k % 32 == 0:
            measure(s.table, inverse_size, q)
        if ACTS == 1 and s.breaks.shape[0] > 0 and k >= 0:
            status = step_with_breaks(s, w, start, h, q, v)
        else:
            status = whole_step(s, w, start, h, q, v)
        if status == CARE:
            count[NEXT] = k
            return ASKS
        diagnose(s, w, start + h, q, v)
        if count[BROKEN] != 0 and s.goes_on == 0:
            break
        if k + 1 == due or (k + 1 == grid[0] and k + 1 >= grid[1]):
            at = count[SAMPLE]
            keep_sample(w, at, q, v, Q, V, X)
            if s.corrects != 0:
                E[at] = gauge[PREDICTED]
            count[SAMPLE] += 1
        if k + 1 == due:
            due += grid[2]
    return count[BROKEN]


def step_with_breaks(s, w, start, h, q, v):  # type: ignore[no-untyped-def]
    """A step of the grid in pieces: each ends at a breakpoint, where functions of the time change their branch."""
    count, breaks = w.count, s.breaks
    end = start + h
    left = start
    if count[PIECE] > 0 and breaks[count[PIECE] - 1] > start:  # going on inside the step
        left = breaks[count[PIECE] - 1]
    while left < end:
        following = count[PIECE]
        near = following < breaks.shape[0] and breaks[following] <= end + NEAR * h
        right = end
        if near and breaks[following] < end - NEAR * h:
            right = max(breaks[following], left)
        if right > left + NEAR * h:
            if whole_step(s, w, left, right - left, q, v) == CARE:
                return CARE
        if near:
            count[PIECE] += 1
            begin_piece(s, w, right, q, v)
            if whole_step(s, w, right, 0.0, q, v) == CARE:
                count[PIECE] -= 1
                count[PARTS] = 1024 if right > left + NEAR * h else 0  # the piece itself is done
                return CARE
        left = right
    return 0


def whole_step(s, w, start, h, q, v):  # type: ignore[no-untyped-def]
    """From `start` over h, with the guard: a step that leaps is redone in halves."""
    count, gauge = w.count, w.gauge
    done = count[PARTS]
    count[PARTS] = 0
    while done < 1024:
        level = count[LEVEL]
        part = 1024 >> level
        if h == 0.0:
            part = 1024
        size = h * (part / 1024)
        t = start + h * (done / 1024)
        gauge[TIME] = t
        status = attempt(s, w, t, size, q, v)
        if status == CARE:
            count[ASKED] = 0
            count[STEPS] -= 1 if h > 0.0 else 0
            count[PARTS] = done
            forget(w)
            return CARE
        calm = 1
        if status == LEAPT:
            calm = 0
            if s.guard != 0 and level < 10:
                if level == 0:
                    note(w.log, count, EVENT_REFINED, t, count[STEP_LEAST_ROW], gauge[ETA])
                count[LEVEL] += 1
                count[REDONE] += 1
                forget(w)
                continue
            count[UNCURED] += 1
            note(w.log, count, EVENT_UNCURED, t, count[STEP_LEAST_ROW], gauge[ETA])
        if PROJECTS == 1 and h > 0.0 and gauge[ETA] > (1e-6 if gauge[STEP_LEAST] < REFINE else 1e-4):
            calm = 0
        accept(s, w, t, size, q, v)
        done += part
        if level > 0 and calm == 1 and done % (2 * part) == 0:
            count[LEVEL] -= 1
    return 0
