"""How many constraints are independent at one position, and which sets depend on one another.

First everything is peeled off that is independent for certain. A body that is held by no more rows than it has
coordinates, in clearly different directions, can follow whatever the rest does: a combination of rows that cancels
must leave these rows out. Without them its neighbours may be peeled, and so on; of chains, trees and plain frames
nothing remains. What does remain is factored, block by block, and judged by its pivots (`factor.py`).
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.circuits import circuits
from chainlist.compile.factor import Block, BlockFactor, DenseFactor, TooDense
from chainlist.kernels.bundles import Floats

NOISE = 1e-13  # a pivot ratio that is only roundoff
DEPENDENT = 1e-10  # τ: pivot ratio (sin²) below which a row depends on the others
GREY = 1e-3  # smallest active ratio that, beside dropped rows, asks for a careful selection
CLEAR = 1e-3  # sin² above which directions at one body count as different without further ado
SELECT_ROWS = 2_000  # the careful selection is dense: not for larger blocks
NAMED = 1e-6  # entries of a null vector below this do not belong to the set
SETS = 500  # null vectors worked out at most
DEAD = 1e-10  # a scaled row shorter than this has no direction: its ends are in one place


@dataclass(frozen=True, eq=False)
class Dependence:
    """Rows with coefficients (of the rows as given) that cancel: Σ y_k A_k = 0."""

    block: Block
    factor: BlockFactor | DenseFactor
    rows: tuple[int, ...]
    y: Floats


@dataclass(frozen=True, eq=False)
class Rank:
    """The rank, the dependent sets, and what could not be judged (the rows concerned, and why)."""

    rank: int
    dependent: tuple[Dependence, ...] = ()
    more_dependent: int = 0  # sets that were counted, but not worked out
    doubtful: tuple[tuple[tuple[int, ...], str], ...] = ()


def find_rank(body: NDArray[np.int64], J: Floats) -> Rank:
    """Rank and dependent sets of rows; `body[k, e]` is the moving body at end e or −1, J[k, e] the derivatives."""
    with np.errstate(all="ignore"):
        length = np.sqrt(np.einsum("kec,kec->k", J, J))
        alive = np.isfinite(length) & (length > DEAD)
        unit = J / np.where(alive, length, 1.0)[:, None, None]
    core = _peel(body, unit, alive)
    rank = int(alive.sum()) - len(core)
    dependent: list[Dependence] = []
    doubtful: list[tuple[tuple[int, ...], str]] = []
    more = 0
    for rows in connected(body, core):
        block = Block(body[rows])
        try:
            factor, doubt = _judged(block, unit[rows])
        except TooDense:
            rank += len(rows)
            doubtful.append((tuple(rows), "too many constraints share bodies"))
            continue
        dropped = factor.dropped
        rank += len(rows) - len(dropped)
        if doubt:
            doubtful.append((tuple(rows), doubt))
        room = max(0, SETS - len(dependent))
        more += len(dropped[room:])
        for y in circuits(factor, dropped[:room]):
            largest = max(abs(value) for value in y.values())
            members = sorted(k for k, value in y.items() if abs(value) > NAMED * largest)
            coefficients = np.array([y[k] for k in members]) / length[[rows[k] for k in members]]
            dependent.append(Dependence(block, factor, tuple(rows[k] for k in members), coefficients))
    return Rank(rank, tuple(dependent), more, tuple(doubtful))


def connected(body: NDArray[np.int64], rows: list[int]) -> list[list[int]]:
    """The rows in groups that share moving bodies, each in ascending order, by their first rows."""
    if not rows:
        return []
    rows = sorted(rows)
    touched = body[rows]
    parent = list(range(1 + int(touched.max())))
    speaks = []  # for each row, one of its bodies
    for bodies in touched.tolist():
        first = -1
        for b in bodies:
            if b < 0:
                continue
            while parent[b] != b:
                parent[b] = parent[parent[b]]
                b = parent[b]
            if first < 0:
                first = b
            else:
                parent[b] = first
        speaks.append(first)
    groups: dict[int, list[int]] = {}
    for k, b in zip(rows, speaks, strict=True):
        while parent[b] != b:
            parent[b] = parent[parent[b]]
            b = parent[b]
        groups.setdefault(b, []).append(k)
    return list(groups.values())


def _peel(body: NDArray[np.int64], unit: Floats, alive: NDArray[np.bool_]) -> list[int]:
    """The rows that remain when all that are independent for certain are taken away."""
    dimension = unit.shape[2]
    rows_at: dict[int, dict[int, int]] = {}  # body → row → the end at which it holds the body
    bodies = body.tolist()
    direction, square = unit.tolist(), np.einsum("kec,kec->ke", unit, unit).tolist()
    left = set(np.flatnonzero(alive).tolist())
    for k in sorted(left):
        for end, b in enumerate(bodies[k]):
            if b >= 0:
                if b in rows_at:
                    rows_at[b][k] = end
                else:
                    rows_at[b] = {k: end}
    waiting = deque(b for b, held in rows_at.items() if len(held) <= dimension)
    while waiting:
        b = waiting.popleft()
        held = rows_at[b]
        if not held or len(held) > dimension:
            continue
        if len(held) == 1:  # nearly all, and no list is needed
            ((k, end),) = held.items()
            if not square[k][end] > CLEAR:
                continue
        elif not _different([(direction[k][end], square[k][end]) for k, end in held.items()]):
            continue
        for k in list(held):
            left.discard(k)
            for other in bodies[k]:
                if other >= 0:
                    del rows_at[other][k]
                    if other != b and len(rows_at[other]) <= dimension:
                        waiting.append(other)
    return sorted(left)


def _different(directions: list[tuple[list[float], float]]) -> bool:
    """Whether directions, given with their squares, are clearly independent, and none of them clearly weak.

    That is, whether the smallest eigenvalue of the matrix of their products is clearly not 0.
    """
    if len(directions) == 2:
        (one, a), (two, c) = directions
        b = 0.0
        for x, y in zip(one, two, strict=True):
            b += x * y
        return (a + c) / 2 - math.hypot((a - c) / 2, b) > CLEAR
    at = np.array([direction for direction, _ in directions])
    return bool(np.linalg.eigvalsh(at @ at.T)[0] > CLEAR)


def _judged(block: Block, unit: Floats) -> tuple[BlockFactor | DenseFactor, str]:
    """The factor with the right rows dropped, and why that may be wrong ("" if it is beyond doubt)."""
    if block.is_dense(unit):
        return DenseFactor(block, unit, _select(block, unit)), ""
    factor = BlockFactor(block, unit, NOISE)
    if factor.smallest >= DEPENDENT and (not factor.dropped or factor.smallest >= GREY):
        return factor, ""
    factor = BlockFactor(block, unit, DEPENDENT)
    if not factor.dropped:
        return factor, ""
    if block.rows > SELECT_ROWS:
        return factor, "near a singular position, and too large to look closer"
    return BlockFactor(block, unit, DEPENDENT, active=_select(block, unit)), ""


def _select(block: Block, unit: Floats) -> list[int]:
    """Independent rows, the clearest first: Gram–Schmidt, each time with the row that has the largest remainder."""
    A = block.dense(unit)
    basis = np.zeros((min(A.shape), A.shape[1]))
    remainder = np.einsum("kc,kc->k", A, A)
    chosen: list[int] = []
    for n in range(len(basis)):
        best = int(np.argmax(remainder))
        if remainder[best] <= DEPENDENT:
            break
        chosen.append(best)
        direction = A[best]
        for _ in range(2):  # the second time removes what roundoff has left
            direction = direction - (basis[:n] @ direction) @ basis[:n]
        basis[n] = direction / np.linalg.norm(direction)
        remainder -= (A @ basis[n]) ** 2
        remainder[best] = 0.0
    return chosen
