"""In which order to eliminate: minimum degree, and the pattern of L that follows from an order.

The matrix is S = A M⁻¹ Aᵀ, one row and column for each constraint. It has an entry only where two constraints share a
moving body, so it is described by the neighbours of each row. Eliminating a row makes all its neighbours neighbours of
one another ("fill"); taking always a row with the fewest neighbours keeps L sparse: a chain has no fill at all, a tree
next to none, and a net little. Nothing here looks at numbers, and the result depends on the pattern alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.uint32]


def neighbours_of_rows(bodies_of_rows: Iterable[Iterable[int]]) -> list[set[int]]:
    """For each row the other rows that hold one of its moving bodies, where each row is given by its moving bodies."""
    held = [tuple(bodies) for bodies in bodies_of_rows]
    rows_of_body: dict[int, list[int]] = {}
    for row, bodies in enumerate(held):
        for body in bodies:
            rows_of_body.setdefault(body, []).append(row)
    neighbours = []
    for row, bodies in enumerate(held):
        around = set().union(*(rows_of_body[body] for body in bodies))
        around.discard(row)
        neighbours.append(around)
    return neighbours


def minimum_degree(neighbours: Sequence[Collection[int]]) -> Indices:
    """An elimination order, position → row: always a row with the fewest neighbours, of equal ones the first.

    Rows that are left with the same neighbours as the one just taken follow at once: they cause no further fill. This
    is what keeps a body with a thousand links affordable.
    """
    around = [set(others) for others in neighbours]
    for row, others in enumerate(around):
        others.discard(row)
    waiting = [(len(others), row) for row, others in enumerate(around)]
    heapify(waiting)
    taken = [False] * len(around)
    order: list[int] = []
    while waiting:
        degree, row = heappop(waiting)
        if taken[row] or degree != len(around[row]):
            continue  # an old entry: the row was entered again when its neighbours changed
        clique = around[row]
        together = [row, *_merge(row, clique, around)]
        for eliminated in together:
            taken[eliminated] = True
            order.append(eliminated)
            clique.discard(eliminated)
        for other in clique:
            around[other].difference_update(together)
            heappush(waiting, (len(around[other]), other))
        for eliminated in together:
            around[eliminated] = set()
    return np.array(order, dtype=np.uint32)


def _merge(row: int, clique: set[int], around: list[set[int]]) -> list[int]:
    """Make the neighbours of `row` neighbours of one another; return those that have no others left."""
    nothing_else = []
    for other in clique:
        others = around[other]
        others |= clique
        others.discard(other)
        if len(others) == len(clique):  # the clique without `other`, and `row` itself
            nothing_else.append(other)
    return sorted(nothing_else)


def pattern_of_factor(neighbours: Sequence[Collection[int]], order: Indices) -> tuple[Indices, Indices]:
    """Rows of the strictly lower triangle of L, both counted in elimination order: where each begins, and its columns.

    Row i holds `columns[start[i]:start[i + 1]]`, ascending. Entry (i, j) is there if a path leads from row i to row j
    through rows eliminated before j; walking up the elimination tree from the entries of S finds just these.
    """
    rows = len(order)
    position = np.empty(rows, dtype=np.int64)
    position[order] = np.arange(rows)
    place = position.tolist()
    parent = [-1] * rows  # the elimination tree: the first row that column j of L reaches
    seen = [-1] * rows
    start = np.zeros(rows + 1, dtype=np.uint32)
    columns: list[int] = []
    for i, row in enumerate(order.tolist()):
        seen[i] = i
        found = []
        for other in neighbours[row]:
            j = place[other]
            while j < i and seen[j] != i:
                seen[j] = i
                found.append(j)
                if parent[j] < 0:
                    parent[j] = i
                j = parent[j]
        found.sort()
        columns += found
        start[i + 1] = len(columns)
    return start, np.array(columns, dtype=np.uint32)
