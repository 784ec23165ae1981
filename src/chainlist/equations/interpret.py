"""The kernels of rows and forces as they stand, in plain Python: for checks, for tests, and for students."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from chainlist.elements import REGISTRY
from chainlist.equations.alike import run_alike
from chainlist.equations.equation import FORMULA, LINEAR, QUADRATIC
from chainlist.kernels import rows as row_kernels
from chainlist.kernels import tape as tape_kernels
from chainlist.kernels.bind import Workshop
from chainlist.kernels.bundles import Floats, Rows, RowTable

MANY = 8  # rows of one kind from which on it pays to evaluate them together


@functools.lru_cache(maxsize=256)
def interpreted(kernel: Callable[..., Any], dimension: int) -> Callable[..., Any]:
    """A kernel with its fixed helpers, in so many coordinates."""
    bound: Callable[..., Any] = Workshop("python", DIM=dimension, ACTS=1).make(kernel)
    return bound


def kernel_of(kind: str, dimension: int) -> Callable[..., Any]:
    if kind == FORMULA:
        return interpreted(row_kernels.formula_row, dimension)
    own = {LINEAR: row_kernels.linear_row, QUADRATIC: row_kernels.quadratic_row}
    kernel = own[kind] if kind in own else REGISTRY[kind].row
    assert kernel is not None
    return interpreted(kernel, dimension)


def by_kind(kinds: list[str], only: Iterable[int] | None = None) -> dict[str, list[int]]:
    """The numbers of rows, of all or of some, by what they are."""
    found: dict[str, list[int]] = {}
    for k in range(len(kinds)) if only is None else only:
        found.setdefault(kinds[k], []).append(k)
    return found


def evaluate(table: RowTable, rows: Rows, members: Mapping[str, list[int]], t: float, q: Floats, v: Floats) -> None:
    """Fill `rows` at the state q, v (all points) and the time t; scaled as the table says. Only `members` of each kind are."""
    d = q.shape[1]
    with np.errstate(all="ignore"):  # a state beyond all numbers shows in the result
        if table.told is not None:
            interpreted(row_kernels.carry_points, d)(table, rows, t, q, v)
        for kind, which in members.items():
            if kind == FORMULA and len(which) > MANY:
                forward, backward = (interpreted(k, d) for k in (tape_kernels.forward, tape_kernels.backward))
                run_alike(forward, backward, which, table, rows, t, q, v)
            else:
                run(kernel_of(kind, d), which, table, rows, t, q, v)
            scale = table.scale[which]
            for values in (rows.phi, rows.b, rows.c):
                values[which] *= scale
            rows.J[which] *= scale[:, None]


def run(kernel: Callable[..., Any], which: list[int], s: Any, w: Any, t: float, q: Floats, v: Floats) -> None:
    """Run a row kernel for some rows: for many at once if it has no branches, else for one after the other.

    A kernel without branches does the same with an array of row numbers as with each of them, if all of them have as many
    ends; one with branches refuses arrays with an exception.
    """
    if len(which) > MANY:
        rows = np.array(which)
        try:
            for ends in np.unique(s.ends[rows]).tolist():
                kernel(rows[s.ends[rows] == ends], s._replace(ends=_Same(ends)), w, t, q, v)
            return
        except (TypeError, ValueError):
            pass
    for k in which:
        kernel(k, s, w, t, q, v)


class _Same:
    """A table of one number."""

    def __init__(self, number: int):
        self._number = number

    def __getitem__(self, rows: object) -> int:
        return self._number
