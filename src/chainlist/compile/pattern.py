"""Where S = A M⁻¹ Aᵀ and its factor have entries, and in which order rows are eliminated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chainlist.compile.ordering import minimum_degree, neighbours_of_rows, pattern_of_factor
from chainlist.equations.equation import LINEAR, Equation
from chainlist.formula import End
from chainlist.kernels.bundles import Indices, Pattern


class Elimination:
    """The order in which equations are eliminated; with their points in hand, the pattern."""

    def __init__(self, equations: Sequence[Equation], index: Mapping[str, int]) -> None:
        around = neighbours(equations, index)
        self.order = minimum_degree(around)
        self._factor = _factor_pattern(*pattern_of_factor(around, self.order))
        self.equations = [equations[k] for k in self.order]
        self._bodies = len(index)

    def pattern(self, point: Indices, dimension: int) -> Pattern:
        """`point[k, e]`: the point at end e of row k, rows in this order."""
        return Pattern(**_pairs(self.equations, point, dimension, self._bodies), **self._factor)


def no_pattern(rows: int) -> Pattern:
    """For a named pseudoinverse, which is dense."""
    none, nowhere = np.zeros(0, np.uint32), np.zeros(rows + 1, np.uint32)
    return Pattern(nowhere, none.reshape(-1, 4), nowhere, none, none, nowhere, none)


def neighbours(equations: Sequence[Equation], index: Mapping[str, int]) -> list[set[int]]:
    """Rows that share a body; linear rows with nothing in common at it, such as those of x and y, do not feel one another."""
    found = neighbours_of_rows([index[name] for name in equation.moving()] for equation in equations)
    for equation, others in zip(equations, found, strict=True):
        if equation.kind == LINEAR:
            place: dict[End, int] = {end: e for e, end in enumerate(equation.ends) if isinstance(end, str)}
            linear = [other for other in others if equations[other].kind == LINEAR]
            others.difference_update([other for other in linear if not _meet(equation, place, equations[other])])
    return found


def _meet(one: Equation, place: Mapping[End, int], two: Equation) -> bool:
    """`place`: where each moving end of the first row stands in it."""
    return any(one.meets(place[end], two, f) for f, end in enumerate(two.ends) if end in place)


def _pairs(equations: Sequence[Equation], point: Indices, dimension: int, bodies: int) -> dict[str, Any]:
    """For each row the earlier rows that share a moving point, and where this point stands in the two rows of J."""
    d = dimension
    holders: dict[int, list[tuple[int, int]]] = {}
    start, pairs = [0], []
    table = point.tolist()
    for k, equation in enumerate(equations):
        mine = []
        for e in range(len(equation.ends)):
            i = table[k][e]
            if i >= bodies:
                continue
            for other, theirs in holders.get(i, ()):
                if equation.meets(e, equations[other], theirs):
                    pairs.append((other, e * d, theirs * d, i))
            mine.append((i, e))
        for i, e in mine:
            holders.setdefault(i, []).append((k, e))
        start.append(len(pairs))
    return {"pair_start": np.array(start, np.uint32), "pair": np.array(pairs, np.uint32).reshape(-1, 4)}


def _factor_pattern(row_start: Indices, column: Indices) -> dict[str, Any]:
    """The pattern of L by rows, and the same entries column after column."""
    m = len(row_start) - 1
    row_of_entry = np.repeat(np.arange(m), row_start[1:] - row_start[:-1])
    by_column = np.lexsort((row_of_entry, column))
    place = np.empty(len(column), np.uint32)
    place[by_column] = np.arange(len(column))
    return {
        "row_start": row_start,
        "column": column,
        "place": place,
        "column_start": np.searchsorted(column[by_column], np.arange(m + 1)).astype(np.uint32),
        "row_of": row_of_entry[by_column].astype(np.uint32),
    }
