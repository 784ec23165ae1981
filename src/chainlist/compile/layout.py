"""The arrays that kernels see: `System` is constant during a run, `Work` is scratch. Rows and forces: `equations/layout.py`.

n points (bodies in the order of the text, then anchors …), of which nb are bodies; d coordinates; m rows (one for each
equation; with AUTO in elimination order, else in the order of the text); p pairs of rows that share a body; z entries
of L below the diagonal. Row k of a link is multiplied by scale[k] = 1/(2l), which makes its multiplier a force.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from chainlist.equations.layout import (
    Acting,
    Bytes,
    Floats,
    ForceTable,
    Indices,
    Integers,
    Rows,
    RowTable,
    SwitchTable,
    SwitchWork,
    Tree,
    TreeWork,
    empty_acting,
    empty_rows,
    empty_switch_work,
)
from chainlist.kernels import slots


class Pattern(NamedTuple):
    """Where S and L have entries (AUTO)."""

    pair_start: Indices  # (m + 1,) where the pairs of a row begin
    pair: Indices  # (p, 4) the other row (an earlier one), the place of the shared point in J of both, the point
    row_start: Indices  # (m + 1,) where a row of L begins in `column` and `place`
    column: Indices  # (z,) columns of L, row after row
    place: Indices  # (z,) where that entry stands in L, which is kept column after column
    column_start: Indices  # (m + 1,) where a column of L begins
    row_of: Indices  # (z,) rows of L, column after column


class Stiff(NamedTuple):
    """Constraints with springs and dampers as soft rows (implicit methods): see compile/stiff.py."""

    table: RowTable
    pattern: Pattern
    hard: Indices  # (m,) where each row of the run stands here
    soft: Indices  # rows of springs and dampers
    number: Floats  # (soft, 2) N/m and N s/m, or N m and N m s


class Components(NamedTuple):
    """Connected components: rows that reach one another through moving bodies."""

    start: Integers  # (components + 1,) where one begins in `row`
    row: Integers  # (m,) rows, component after component
    bodies: Integers  # (components,) how many bodies it has
    local: Integers  # (n,) number of a body in its component


class Groups(NamedTuple):
    """Parts of the text that do not feel one another: each component, and all bodies that no row holds as one more.

    What is large or small is judged in each by itself: a heavy or long neighbour must not blunt a tolerance.
    """

    of_point: Integers  # (n,) group of a body; 0 for anchors
    of_row: Integers  # (m,)
    size: Floats  # (groups,) m, its longest link
    speed: Floats  # (groups,) m/s, √(g·size) or its largest initial speed


class _System(NamedTuple):
    mass: Floats  # (n,) kg; 0 for anchors
    inverse_mass: Floats  # (n,) 1/kg; 0 for anchors
    gravity: Floats  # (n, d) m/s², the free acceleration; 0 for anchors
    table: RowTable
    forces: ForceTable | None  # None in the lean plan
    switch: SwitchTable | None  # None where all rows always hold
    breaks: Floats  # s, breakpoints of the time
    pattern: Pattern
    stiff: Stiff | None  # None for explicit methods
    components: Components
    groups: Groups
    tau: float  # pivot ratio at which a row counts as dependent (AUTO)
    mpitol: float  # tolerance of a named pseudoinverse; negative: automatic
    alpha: float  # 1/s, damping of (10)
    beta: float  # 1/s
    reltol: float  # of adaptive integrators
    abstol: float
    size: float  # m, the longest link of all
    energy_scale: float  # J
    guard: int  # 1: redo steps that leap
    goes_on: int  # 1: integrate on after a breakdown
    corrects: int  # 1: the energy corrector is on
    tree: Tree | None = None  # of a run that goes from hinge to hinge


class System(_System):
    """What a mechanism and its settings say, as arrays and numbers; a class of its own, which can keep its address."""

    def but(self, **switches: int) -> System:
        """The same with other switches; kept with its address, since every run asks for it."""
        kept: dict[tuple[tuple[str, int], ...], System] = self.__dict__.setdefault("variants", {})
        key = tuple(switches.items())
        if key not in kept:
            kept[key] = self._replace(**switches)  # type: ignore[arg-type]
        return kept[key]

    def followed_by(self, tree: Tree | None) -> System:
        """The same for a march from hinge to hinge, or (None) for all others; kept likewise."""
        kept: dict[int, System] = self.__dict__.setdefault("followed", {})
        if id(tree) not in kept:
            kept[id(tree)] = self._replace(tree=tree)
        return kept[id(tree)]

    def __getstate__(self) -> None:
        """A copy has an address of its own."""


class Factor(NamedTuple):
    """S = L D Lᵀ (AUTO)."""

    L: Floats  # (z,) column after column
    inverse: Floats  # (m,) inverse pivots; 0 for dropped rows
    y: Floats  # (m,) one row of S being eliminated; 0 in between
    active: Bytes  # (m,) 1 for rows that count


class Dense(NamedTuple):
    """Scratch of a named pseudoinverse."""

    B: Floats  # (m, nb·d) A M^(-1/2)
    X: Floats  # (nb·d, m) its pseudoinverse
    spare: Floats  # (3, k, k), k the larger of m and nb·d


class _Work(NamedTuple):
    rows: Rows
    acting: Acting | None
    switch: SwitchWork | None
    factor: Factor
    stiff_rows: Rows | None  # of implicit methods
    stiff_factor: Factor | None
    dense: Dense | None  # of a named pseudoinverse
    g: Floats  # (m,) spare of the system of equations
    first: Floats  # (m,) spare of the linear algebra
    kept: Bytes  # (m,) rows that counted at the beginning of the step
    mobility: Floats  # (n,) inverse masses, or 1 while the rank is judged
    inverse_size: Floats  # (m,) 1/m
    energies: Floats  # (groups,) J
    share: Floats  # (groups, 3) of each group: ETA2, SPEED2, FREE2 + ACCEL2
    kq: Floats  # (stages, n, d) m/s, derivatives of q
    kv: Floats  # (stages, n, d) m/s²
    qt: Floats  # (n, d) state of a stage
    vt: Floats
    qn: Floats  # (n, d) state at the end of the step
    vn: Floats
    qdn: Floats  # (n, d) its derivatives
    vdn: Floats
    old: Floats  # (m, ends·d) A at the beginning of the step (RATTLE)
    choice: Floats  # selection of rows: rows × coordinates of the largest component, flat
    gauge: Floats  # numbers named in kernels/slots.py
    count: Integers  # type: ignore[assignment]  # counters named there
    log: Floats  # (events, 4) what, time, row, value
    tree: TreeWork | None = None


class Work(_Work):
    """Scratch of one run."""

    def __getstate__(self) -> None:
        """As above."""


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
        gauge=np.empty(32),
        count=np.empty(32, np.int64),
        log=np.empty((EVENTS, 4)),  # count[LOGGED] says how much of it is written
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
        gauge=np.zeros(32),
        count=np.zeros(32, np.int64),
        log=state,
    )


@contextlib.contextmanager
def borrowed(work: Work) -> Iterator[None]:
    """Inside, the scratch of a run that is over serves others; its counters, gauges and choices of rows come back."""
    own: tuple[Any, ...] = (work.gauge, work.count, work.log, work.kept, work.factor.active)
    before = [array.copy() for array in own]
    try:
        yield
    finally:
        for array, old in zip(own, before, strict=True):
            array[...] = old


def reset_work(work: Work) -> None:
    """Nothing has happened yet, and all rows count."""
    work.gauge.fill(0.0)
    work.count.fill(0)
    work.factor.active.fill(1)
    work.kept.fill(1)
    if work.stiff_factor is not None:
        work.stiff_factor.active.fill(1)
    work.gauge[slots.LEAST] = work.gauge[slots.STEP_LEAST] = work.gauge[slots.PASS_LEAST] = 1.0
    work.gauge[slots.SMALLEST] = np.inf
