"""Scratch for a run: `Work`, made, borrowed and reset. What its arrays are: `kernels/bundles.py`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from chainlist.equations.layout import empty_acting, empty_rows, empty_switch_work
from chainlist.kernels.bundles import Dense, Factor, Floats, Pattern, System, Work
from chainlist.kernels.gauges import Count, Gauge


def _empty_factor(pattern: Pattern) -> Factor:
    m = len(pattern.row_start) - 1
    return Factor(np.zeros(len(pattern.column)), np.zeros(m), np.zeros(m), np.empty(m, np.uint8))


EVENTS = 1024
LARGEST_SELECTION = 2000  # rows


def make_work(s: System, *, stages: int, named: bool) -> Work:
    """Scratch for one run of `s`; `named` for a dense pseudoinverse."""
    n, d = s.gravity.shape
    m, ends = s.table.point.shape
    bodies = int(np.count_nonzero(s.inverse_mass))
    shape = (m, bodies * d) if named else (1, 1)
    k = max(shape)
    start = s.components.start
    rows = start[1:] - start[:-1]
    sizes = (rows * s.components.bodies * d)[rows <= LARGEST_SELECTION]

    def vector() -> Floats:
        return np.zeros(m)

    def state() -> Floats:
        return np.zeros((n, d))

    fields: dict[str, Any] = {name: state() for name in ("qt", "vt", "qn", "vn", "qdn", "vdn")}
    work = Work(
        **fields,
        rows=empty_rows(s.table, d),
        acting=None if s.forces is None else empty_acting(s.forces, d, m),
        switch=None if s.switch is None else empty_switch_work(s.switch, n, d, m),
        factor=_empty_factor(s.pattern),
        stiff_rows=None if s.stiff is None else empty_rows(s.stiff.table, d),
        stiff_factor=None if s.stiff is None else _empty_factor(s.stiff.pattern),
        dense=Dense(np.zeros(shape), np.zeros(shape[::-1]), np.zeros((3, k, k))) if named else None,
        energies=np.zeros(len(s.groups.size)),
        g=vector(),
        first=vector(),
        kept=np.empty(m, np.uint8),
        mobility=s.inverse_mass.copy(),
        inverse_size=np.ones(m),
        share=np.zeros((len(s.groups.size), 3)),
        kq=np.zeros((stages, n, d)),
        kv=np.zeros((stages, n, d)),
        old=np.zeros((m, ends * d)),
        choice=np.empty(int(sizes.max(initial=0)) if not named else 0),
        gauge=Gauge(),
        count=Count(),
        log=np.empty((EVENTS, 4)),  # count.logged says how much of it is written
    )
    reset_work(work)
    return work


def survey_work(s: System) -> Work:
    """Scratch for evaluating rows and energies alone: what only a march needs is there for its type, and small."""
    d = s.gravity.shape[1]
    m = len(s.table.scale)
    number, state, stages = np.zeros(1), np.zeros((1, d)), np.zeros((1, 1, d))
    nothing = Factor(number, number, number, np.zeros(1, np.uint8))
    fields: dict[str, Any] = dict.fromkeys(("qt", "vt", "qn", "vn", "qdn", "vdn"), state)
    return Work(
        **fields,
        rows=empty_rows(s.table, d),
        acting=None if s.forces is None else empty_acting(s.forces, d),
        switch=None,
        factor=nothing,
        stiff_rows=None if s.stiff is None else empty_rows(s.stiff.table, d),
        stiff_factor=None if s.stiff is None else nothing,
        dense=None,
        energies=np.zeros(len(s.groups.size)),
        g=np.zeros(m),
        first=np.zeros(m),
        kept=nothing.active,
        mobility=s.inverse_mass,
        inverse_size=number,
        share=state,
        kq=stages,
        kv=stages,
        old=state,
        choice=number,
        gauge=Gauge(),
        count=Count(),
        log=state,
    )


@contextlib.contextmanager
def borrowed(work: Work) -> Iterator[None]:
    """Inside, the scratch of a run that is over serves others; its counters, gauges and choices of rows come back."""
    own: tuple[Any, ...] = (work.gauge.numbers, work.count.numbers, work.log, work.kept, work.factor.active)
    before = [array.copy() for array in own]
    try:
        yield
    finally:
        for array, old in zip(own, before, strict=True):
            array[...] = old


def reset_work(work: Work) -> None:
    """Nothing has happened yet, and all rows count."""
    work.gauge.numbers.fill(0.0)
    work.count.numbers.fill(0)
    work.factor.active.fill(1)
    work.kept.fill(1)
    if work.stiff_factor is not None:
        work.stiff_factor.active.fill(1)
    work.gauge.least = work.gauge.step_least = work.gauge.pass_least = 1.0
    work.gauge.smallest = np.inf
