"""Gauges and counters: single numbers of a run that its kernels write, and that kernels and the run read.

They are declared here, and only here: a line in a class is a field, `gauge.eta`, `count.steps`. Compiled kernels read and write it
where it lies (`address.py`); interpreted ones, and Python, see a property of the same name over the same memory.
"""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

_KINDS: dict[type[Any], type[Any]] = {float: np.float64, int: np.int64}
NO_OTHERS: tuple[str, ...] = ()  # beside the fields: a name that is none of them is refused


class Numbers:
    """Numbers of one kind, which lie one behind the other in the order in which a class declares them.

    A field is read as a number of NumPy, which divides by 0 and mixes with other integers as machine code does.
    """

    __slots__ = ("numbers",)
    kind: ClassVar[type[Any]]
    fields: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls) -> None:
        declared = inspect.get_annotations(cls, eval_str=True)
        (kind,) = set(declared.values())
        cls.kind, cls.fields = _KINDS[kind], tuple(declared)
        for at, name in enumerate(cls.fields):
            setattr(cls, name, _field(at))

    def __init__(self, numbers: NDArray[Any] | None = None) -> None:
        """All 0, or over numbers that are there; these stay where they are as long as this lives."""
        self.numbers: NDArray[Any] = np.zeros(len(self.fields), self.kind) if numbers is None else numbers


def _field(at: int) -> property:
    def read(self: Numbers) -> Any:
        return self.numbers[at]

    def write(self: Numbers, value: Any) -> None:
        self.numbers[at] = value

    return property(read, write)


class Gauge(Numbers):
    """What is measured along the way: `w.gauge`."""

    __slots__ = NO_OTHERS

    least: float  # smallest pivot ratio of the present factor
    step_least: float  # … of all factors in this step
    eta2: float  # squared M-norm of the velocity correction
    residual: float  # largest |Φ|/size after landing
    speed2: float  # squared M-norm of v after landing
    free2: float  # squared M-norm of the free acceleration
    accel2: float  # squared M-norm of the acceleration
    eta: float  # relative velocity correction of the last step
    max_eta: float  # the largest so far
    pass_least: float  # smallest pivot ratio of the singular passage under way
    pass_time: float  # s, when it was that small
    energy: float  # J, of the first state, for the corrector
    predicted: float  # J, energy before the corrector
    break_time: float  # s, time of the first breakdown
    step: float  # s, present step of an adaptive integrator
    time: float  # s, present time of an adaptive integrator
    error: float  # scaled error estimate of the last adaptive step
    smallest: float  # s, smallest adaptive step taken
    largest: float  # s, largest adaptive step taken
    power: float  # W, of forces at the last call of `free`
    last_power: float  # W, of the step before (RATTLE)
    left: float  # s, where the present piece of a step begins
    weight2: float  # squared M-norm of gravity, which does not change; 0: not known yet
    span: float  # s, size of the step behind which an alarm rang
    aim: float  # s, size of the step that leads to an event
    far: float  # m, how far points may move before a gap could close; 0: look in every step
    moved: float  # m, how far they moved at most in a step that was passed by; 0: gaps were looked at
    chosen: float  # smallest pivot ratio of the rows that were selected last, with all masses 1


class Count(Numbers):
    """What is counted, and where the run stands: `w.count`."""

    __slots__ = NO_OTHERS

    dropped: int  # rows dropped by the present factor
    least_row: int  # row of the smallest pivot ratio
    evaluations: int  # of the right-hand side, landings included
    factors: int  # factorizations
    steps: int  # steps taken, inner ones included
    redone: int  # steps thrown away
    uncured: int  # steps that leap even at the smallest size
    level: int  # halvings under way
    logged: int  # events, those included for which w.log has no room
    pass_row: int  # row of the smallest pivot ratio of the singular passage under way
    last_dropped: int  # rows dropped at the end of the step before
    broken: int  # status of the first breakdown, 0 if none
    sample: int  # samples written by this call
    selections: int  # of rows that count
    failed: int  # status of the last solve: 0, or where it failed; −1: not converged; −2 − row: a point without mass
    step_least_row: int  # row of the smallest pivot ratio in this step
    projections: int  # corrections of q
    rejected_in_a_row: int  # tries of an adaptive step
    asked: int  # 1: the careful kernels are needed
    next: int  # step of the grid at which they are asked for
    parts: int  # 1/1024 of this piece of a step that are done
    piece: int  # breakpoints passed
    crossing: int  # 1: at a breakpoint, and the landing behind it is due
    inside: int  # 1: going on inside a step
    engaged: int  # rows of switches that are solved for
    shown: int  # and behind them tangents that are only evaluated
    tilted: int  # 1: friction jams, accelerations are not unique
    aimed: int  # the next step has the size gauge.aim: 1: it leads to an event, 2: it is a trial, 3: only a landing
    keeps: int  # landings for which the last selection of rows may still serve
    steady: int  # selections in a row with as many dropped rows as at the landing before
