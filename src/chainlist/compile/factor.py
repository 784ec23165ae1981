"""Sparse LDLᵀ of S = A Aᵀ with unit masses, in interpreted Python: rank is geometry, masses must not decide it.

A pivot divided by the diagonal entry is sin² of the angle between its row and the rows before it: free of units and of
the scaling of rows. A row that depends on those before it shows as a pivot of nearly 0 and is dropped: it takes no part
in the factor, and solutions are 0 there. The elimination is done front by front: a small dense matrix for each row
and its later neighbours, handed on to the next of them.
"""

from __future__ import annotations

from collections.abc import Collection
from heapq import heapify, heappop, heappush
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.ordering import minimum_degree, neighbours_of_rows, pattern_of_factor
from chainlist.kernels.bundles import Floats

PAIRS = 3_000_000  # entries of S
FILL = 20_000_000  # entries of L
WORK = 5e9  # multiplications
EPSILON = float(np.finfo(float).eps)
NOTHING = 1e-12  # entries of a null vector below this are roundoff
DENSE = 600  # independent rows up to which a full matrix is quicker than fronts in interpreted Python
DENSE_SIZE = 4_000_000  # entries of such a matrix of all rows


class TooDense(Exception):
    """So many constraints share bodies that the factor would cost too much here."""


class Block:
    """Some rows that hang together. Rows and bodies are numbered from 0.

    `body[k, e]` is the moving body at end e of row k, or −1; the numbers may be any.
    """

    def __init__(self, body: NDArray[np.int64]):
        self.bodies, local = np.unique(body[body >= 0], return_inverse=True)
        self.body: NDArray[np.int64] = np.full(body.shape, -1, dtype=np.int64)
        self.body[body >= 0] = local
        self.rows = len(body)
        self._eliminated = False

    def eliminate(self) -> None:
        """Find the elimination order of S, once; raises `TooDense`."""
        if self._eliminated:
            return
        self._find_pairs()
        neighbours = neighbours_of_rows([b for b in ends if b >= 0] for ends in self.ends())
        order = minimum_degree(neighbours)
        start, columns = pattern_of_factor(neighbours, order)
        if len(columns) > FILL:
            raise TooDense
        self.order = order.astype(np.int64)
        self.place = np.empty(self.rows, dtype=np.int64)
        self.place[self.order] = np.arange(self.rows)
        rows = np.repeat(np.arange(self.rows), start[1:] - start[:-1])
        self._find_fronts(rows, columns.astype(np.int64))
        self._eliminated = True

    def ends(self) -> list[list[int]]:
        """The bodies of each row, −1 where an end does not move."""
        ends: list[list[int]] = self.body.tolist()
        return ends

    def _find_pairs(self) -> None:
        """Every pair of rows that share a body, with the ends at which they do: what S is summed from."""
        at: dict[int, list[tuple[int, int]]] = {}
        for row, ends in enumerate(self.ends()):
            for end, body in enumerate(ends):
                if body >= 0:
                    at.setdefault(body, []).append((row, end))
        if sum(len(held) ** 2 for held in at.values()) // 2 > PAIRS:
            raise TooDense
        pairs = [(*one, *two) for held in at.values() for one, two in combinations(held, 2) if one[0] != two[0]]
        self.pairs = np.array(pairs, dtype=np.int64).reshape(-1, 4)

    def _find_fronts(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> None:
        """For each row, in elimination order: the later rows that its column of L reaches, and the entries of S there."""
        by_column = np.lexsort((rows, columns))
        begin = np.searchsorted(columns[by_column], np.arange(self.rows + 1))
        below = rows[by_column]
        self.below = [below[begin[i] : begin[i + 1]] for i in range(self.rows)]
        if sum(float(len(later)) ** 2 for later in self.below) > WORK:
            raise TooDense
        one, two = self.place[self.pairs[:, 0]], self.place[self.pairs[:, 2]]
        first, second = np.minimum(one, two), np.maximum(one, two)
        by_first = np.argsort(first, kind="stable")
        self._entry_order = by_first
        self._entry_begin = np.searchsorted(first[by_first], np.arange(self.rows + 1))
        self._entry_at = second[by_first]

    def entries(self, J: Floats) -> tuple[Floats, list[tuple[NDArray[np.int64], Floats]]]:
        """The diagonal of S, and for each position in the order its entries with later ones (some may be in parts)."""
        k, e, m, f = self.pairs.T
        values = np.einsum("pc,pc->p", J[k, e], J[m, f])[self._entry_order]
        begin = self._entry_begin
        parts = [(self._entry_at[begin[i] : begin[i + 1]], values[begin[i] : begin[i + 1]]) for i in range(self.rows)]
        return np.einsum("kec,kec->k", J, J)[self.order], parts

    def dense(self, J: Floats) -> Floats:
        """A as a full matrix, (rows, bodies · dimension)."""
        full = np.zeros((self.rows, len(self.bodies), J.shape[2]))
        for end in range(self.body.shape[1]):
            held = np.flatnonzero(self.body[:, end] >= 0)
            full[held, self.body[held, end]] += J[held, end]
        return full.reshape(self.rows, -1)

    def size(self, J: Floats) -> int:
        """Entries of this matrix."""
        return self.rows * len(self.bodies) * int(J.shape[2])

    def is_dense(self, J: Floats) -> bool:
        """Whether there are so many more rows than can be independent that fronts would be full matrices."""
        columns = len(self.bodies) * J.shape[2]
        return self.rows > 2 * columns and columns <= DENSE and self.size(J) <= DENSE_SIZE

    def times(self, J: Floats, x: Floats) -> Floats:
        """A x, with x of shape (bodies, dimension)."""
        ends = np.where((self.body >= 0)[:, :, None], x[self.body], 0.0)
        product: Floats = np.einsum("kec,kec->k", J, ends)
        return product

    def transposed(self, J: Floats, y: Floats) -> Floats:
        """Aᵀ y, of shape (bodies, dimension)."""
        x = np.zeros((len(self.bodies), J.shape[2]))
        held = self.body >= 0
        np.add.at(x, self.body[held], (y[:, None, None] * J)[held])
        return x


class BlockFactor:
    """L D Lᵀ of one block. Without `active` rows are dropped by their pivots, with it just the others."""

    def __init__(self, block: Block, J: Floats, floor: float, active: Collection[int] | None = None):
        self.block, self.J = block, J
        block.eliminate()
        rows = block.rows
        self.inverse = np.zeros(rows)  # of the pivots, 0 for dropped rows; in elimination order, like all here
        self.column: list[Floats] = []
        self.smallest = 1.0  # of the ratios of active rows
        wanted = None if active is None else {int(block.place[k]) for k in active}
        diagonal, parts = block.entries(J)
        waiting: list[list[tuple[NDArray[np.int64], Floats]]] = [[] for _ in range(rows)]
        for i in range(rows):
            later = block.below[i]
            front = np.zeros((len(later) + 1, len(later) + 1))
            front[0, 0] = diagonal[i]
            at, values = parts[i]
            for p, value in zip(np.searchsorted(later, at).tolist(), values.tolist(), strict=True):
                front[0, p + 1] += value
            for reaches, update in waiting[i]:
                if len(reaches) == len(front):  # they reach the same rows
                    front += update
                    continue
                front[0, 0] += update[0, 0]
                if len(reaches) > 1:
                    where = np.searchsorted(later, reaches[1:]) + 1
                    front[0, where] += update[0, 1:]
                    front[where[:, None], where] += update[1:, 1:]
            waiting[i] = []
            keep = self._judge(front[0, 0], diagonal[i], floor) if wanted is None else i in wanted
            update = front[1:, 1:]
            if keep and front[0, 0] > 0:
                self.inverse[i] = 1.0 / front[0, 0]
                column = front[0, 1:] * self.inverse[i]
                update = update - np.multiply.outer(column, front[0, 1:])
            else:
                column = np.zeros(len(later))
            self.column.append(column)
            if len(later):
                waiting[later[0]].append((later, update))

    def _judge(self, pivot: float, diagonal: float, floor: float) -> bool:
        ratio = pivot / diagonal if diagonal > 0 else 0.0
        if not ratio > max(floor, 64 * EPSILON / self.smallest):
            return False
        self.smallest = min(self.smallest, ratio)
        return True

    @property
    def dropped(self) -> list[int]:
        """The rows of the block that depend on the others, by their numbers in it."""
        return sorted(self.block.order[self.inverse == 0].tolist())

    def solve(self, r: Floats) -> Floats:
        """x with S x = r on the active rows, 0 on the dropped ones; corrected once through A."""
        x = self._solve_once(r)
        residual = r - self.block.times(self.J, self.block.transposed(self.J, x))
        return x + self._solve_once(residual)

    def _solve_once(self, r: Floats) -> Floats:
        x = r[self.block.order]
        below = self.block.below
        for i in range(len(x)):
            if x[i] and self.inverse[i] and len(below[i]):
                x[below[i]] -= self.column[i] * x[i]
        x *= self.inverse
        for i in range(len(x) - 1, -1, -1):
            if self.inverse[i] and len(below[i]):
                x[i] -= self.column[i] @ x[below[i]]
        result = np.zeros_like(r)
        result[self.block.order] = x
        return result

    def projected(self, w: Floats) -> Floats:
        """The part of the velocities w, of shape (bodies, dimension), that no row resists: w − Aᵀ S⁺ A w.

        Done twice: the second time removes what roundoff has left.
        """
        for _ in range(2):
            w = w - self.block.transposed(self.J, self._solve_once(self.block.times(self.J, w)))
        return w

    def null_vectors(self, rows: Collection[int]) -> list[dict[int, float]]:
        """For each dropped row k the combination y of rows, y[k] = 1, with Aᵀ y = 0: row → coefficient."""
        active = np.sort(self.block.order[self.inverse != 0])
        if len(active) <= DENSE and self.block.size(self.J) <= DENSE_SIZE:
            return dense_null_vectors(self.block.dense(self.J), active, sorted(rows))
        by_row: list[list[tuple[int, float]]] = [[] for _ in range(self.block.rows)]
        for i, (later, column) in enumerate(zip(self.block.below, self.column, strict=True)):
            if self.inverse[i]:
                for p, value in zip(later.tolist(), column.tolist(), strict=True):
                    by_row[p].append((i, value))
        _, parts = self.block.entries(self.J)
        entries: list[dict[int, float]] = [{} for _ in range(self.block.rows)]
        for i, (at, values) in enumerate(parts):
            for p, value in zip(at.tolist(), values.tolist(), strict=True):
                entries[i][p] = entries[p][i] = entries[i].get(p, 0.0) + value
        found = []
        for row in rows:
            k = int(self.block.place[row])
            x = self._solve_sparse(dict(entries[k]), by_row)
            y = {int(self.block.order[i]): -value for i, value in x.items()}
            found.append({row: 1.0} | y)
        return found

    def _solve_sparse(self, x: dict[int, float], by_row: list[list[tuple[int, float]]]) -> dict[int, float]:
        """As `solve`, for a right-hand side with few entries: only what they reach is touched."""
        waiting = list(x)
        heapify(waiting)
        while waiting:
            i = heappop(waiting)
            if abs(x[i] * self.inverse[i]) > NOTHING:
                for p, value in zip(self.block.below[i].tolist(), self.column[i].tolist(), strict=True):
                    if p not in x:
                        x[p] = 0.0
                        heappush(waiting, p)
                    x[p] -= value * x[i]
        x = {i: float(value * self.inverse[i]) for i, value in x.items()}
        waiting = [-i for i in x]
        heapify(waiting)
        while waiting:
            p = -heappop(waiting)
            if abs(x[p]) > NOTHING:
                for i, value in by_row[p]:
                    if i not in x:
                        x[i] = 0.0
                        heappush(waiting, -i)
                    x[i] -= value * x[p]
        return {i: value for i, value in x.items() if abs(value) > NOTHING}


class DenseFactor:
    """What a `BlockFactor` knows, of a block that is as good as full: its active rows, as directions at right angles."""

    def __init__(self, block: Block, J: Floats, active: Collection[int]):
        self.block, self.J = block, J
        self._A, self._active = block.dense(J), np.sort(np.array(list(active), dtype=np.int64))
        self._directions = np.linalg.qr(self._A[self._active].T)[0]

    @property
    def dropped(self) -> list[int]:
        """The rows of the block that depend on the others, by their numbers in it."""
        dropped: list[int] = np.setdiff1d(np.arange(self.block.rows), self._active).tolist()
        return dropped

    def projected(self, w: Floats) -> Floats:
        """The part of the velocities w, of shape (bodies, dimension), that no row resists."""
        flat = w.reshape(-1)
        for _ in range(2):
            flat = flat - self._directions @ (self._directions.T @ flat)
        return flat.reshape(w.shape)

    def null_vectors(self, rows: Collection[int]) -> list[dict[int, float]]:
        """For each dropped row k the combination y of rows, y[k] = 1, with Aᵀ y = 0: row → coefficient."""
        return dense_null_vectors(self._A, self._active, list(rows))


def dense_null_vectors(A: Floats, active: NDArray[np.int64], rows: list[int]) -> list[dict[int, float]]:
    """The combinations of active rows and each of some others that cancel, in which the coefficient of the other is 1."""
    kept, rest = A[active], A[rows]
    S = kept @ kept.T
    y = np.zeros((len(active), len(rows)))
    for _ in range(2):  # the second time corrects the first, through A
        y -= np.linalg.solve(S, kept @ rest.T)
        rest = A[rows] + y.T @ kept
    found = []
    for number, row in enumerate(rows):
        large = np.flatnonzero(np.abs(y[:, number]) > NOTHING)
        found.append({row: 1.0} | {int(active[i]): float(y[i, number]) for i in large})
    return found
