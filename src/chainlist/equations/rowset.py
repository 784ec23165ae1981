"""The rows of a mechanism over NumPy arrays, evaluated where one likes: what checks, observables and students ask."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chainlist.equations.equation import AnyBar, AnyElement, Equation, equations_of, is_plain, longest_length, points_in
from chainlist.equations.interpret import by_kind, evaluate
from chainlist.equations.layout import empty_rows
from chainlist.equations.primitive import NOTHING_HELD, HeldPoints
from chainlist.equations.tables import Points, Tables, number_points
from chainlist.formula import End
from chainlist.kernels.bundles import Floats, RowTable

FIXED = -1  # stands for a body at ends that are anchors, or that a row does not have


@dataclass(frozen=True, eq=False)
class RowValues:
    """The rows at one state."""

    phi: Floats  # (rows,)
    J: Floats  # (rows, ends, dimension): derivatives; what belongs to no moving body is 0
    b: Floats  # (rows,)
    c: Floats  # (rows,)


@dataclass(frozen=True, eq=False)
class RowSet:
    """Rows in the order of the text, then those of bars. With AUTO's scaling every residual is a length."""

    equations: tuple[Equation, ...]
    points: Points
    table: RowTable
    names: tuple[tuple[str, ...], ...]  # of each row: the elements of the chainlist behind it
    body: NDArray[np.int64]  # (rows, ends): moving body of each end, or FIXED
    size: Floats  # (rows,): what residuals are compared with [m]

    @property
    def count(self) -> int:
        return len(self.equations)

    @property
    def dimension(self) -> int:
        return int(self.points.q.shape[1])

    def at(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        only: Iterable[int] | None = None,
        *,
        t: float = 0.0,
        time_stands: bool = False,
    ) -> RowValues:
        """The rows at positions q and velocities v (0 if not given), (bodies, dimension); rows not in `only` stay 0.

        With `time_stands`, b is that of the motion with the time held fast.
        """
        rows = empty_rows(self.table, self.dimension)
        places, speeds = self.points.q.copy(), np.zeros_like(self.points.q)
        places[: self.points.bodies] = q
        if v is not None:
            speeds[: self.points.bodies] = v
        if rows.tape is not None:
            rows.tape.rate[:] = 0.0 if time_stands else 1.0, 1.0  # branches as they hold at t
        members = self._by_kind if only is None else by_kind(self._kinds, only)
        evaluate(self.table, rows, members, t, places, speeds)
        J = rows.J.reshape(self.count, self.table.point.shape[1], self.dimension).copy()
        told = self.table.told
        if not time_stands and told is not None and len(told.moving):
            # what points that move as told bring along belongs to the right-hand sides
            rows.c[:] -= self._along(J, speeds)
            carried = np.zeros_like(speeds)
            carried[told.moving] = rows.carried
            rows.b[:] -= self._along(J, carried)
        J[self.body == FIXED] = 0.0
        return RowValues(rows.phi, J, rows.b, rows.c)

    def some(self, which: list[int]) -> RowSet:
        """These rows alone, in this order, over the same points: to evaluate a few of many often."""
        table, place = self.table, np.empty(self.count, np.int64)
        place[table.rows] = np.arange(self.count)
        sorted_as = place[which]
        told = table.told and table.told._replace(
            driven=np.flatnonzero(np.isin(which, table.told.driven)).astype(np.uint32)
        )
        few = table._replace(
            point=table.point[which],
            par=table.par[which],
            scale=table.scale[which],
            rows=np.argsort(sorted_as).astype(table.rows.dtype),
            start=np.searchsorted(np.sort(sorted_as), table.start).astype(table.start.dtype),
            ends=table.ends[which],
            length=table.length[which],
            told=told,
        )
        equations, names = tuple(self.equations[k] for k in which), tuple(self.names[k] for k in which)
        return RowSet(equations, self.points, few, names, self.body[which], self.size[which])

    @cached_property
    def _kinds(self) -> list[str]:
        return [equation.kind for equation in self.equations]

    @cached_property
    def _by_kind(self) -> dict[str, list[int]]:
        return by_kind(self._kinds)

    def _along(self, J: Floats, x: Floats) -> Floats:
        """A x over the points that are no bodies."""
        fixed = x.copy()
        fixed[: self.points.bodies] = 0.0
        along: Floats = np.einsum("kec,kec->k", J, fixed[self.table.point])
        return along if fixed.any() else np.zeros(self.count)


def row_set(
    names: Sequence[str],
    start: Floats,
    elements: Sequence[AnyElement],
    bars: Sequence[AnyBar] = (),
    *,
    held: HeldPoints = NOTHING_HELD,
    as_written: bool = False,
) -> RowSet:
    """The rows of elements over bodies that start at `start`; `as_written`: in the paper's scaling."""
    equations = equations_of(elements, start.shape[1], bars, held)
    ends = [(*equation.ends, *_read(equation)) for equation in equations]
    points = number_points(names, start, np.zeros_like(start), ends, acts=False)
    tables = Tables(points, equations, (), plain=is_plain(equations, ()))
    extent = float(np.ptp(points.q, axis=0).max()) if len(points.q) else 0.0
    table = tables.rows(longest_length(equations, extent), as_written=as_written)
    # bodies have the first numbers; places that a row does not use repeat its first point
    moving = (table.point < points.bodies) & (np.arange(table.point.shape[1]) < table.ends[:, None])
    body = np.where(moving, table.point.astype(np.int64), FIXED)
    behind = tuple(
        bars[equation.bar].links if equation.bar >= 0 else (elements[equation.constraint].name,)
        for equation in equations
    )
    reach = np.abs(points.q).sum(axis=1)
    size = table.length.copy()
    for e in range(table.point.shape[1]):
        used = e < table.ends
        size[used] += reach[table.point[used, e]]
    return RowSet(tuple(equations), points, table, behind, body, size)


def _read(equation: Equation) -> tuple[End, ...]:
    """Points that a formula of velocities reads without touching their velocity."""
    return () if equation.formula is None else points_in(equation.formula)
