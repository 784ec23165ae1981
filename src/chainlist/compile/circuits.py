"""Small sets of rows that depend on one another, one for each row that the factor dropped.

The factor alone would express a dropped row by all rows before it, in a long frame by hundreds. A user wants to hear
of the six links of one braced square. So the rows around a dropped row are added one by one, the nearest first, until
they contain it.
"""

from __future__ import annotations

from itertools import chain

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.factor import Block, BlockFactor, DenseFactor
from chainlist.kernels.bundles import Floats

CLOSE, AROUND = 30, 201  # rows looked at, a dropped one and those around it, first and then
WIDE = 10  # dropped rows around which so many are looked at: a message names six sets
REST = 1e-5  # what is left of a unit row that depends on others

Circuit = dict[int, float]  # row of the block → coefficient; the combination is 0


def circuits(factor: BlockFactor | DenseFactor, dropped: list[int]) -> list[Circuit]:
    """For each dropped row a dependent set that holds it and none of the dropped rows after it.

    So no set can be combined from the others: they are as many as there are dependences.
    """
    ends, rows_at = factor.block.ends(), _rows_at(factor.block)

    def look(number: int, most: int) -> list[int]:
        row, later = dropped[number], set(dropped[number + 1 :])
        return [row, *_nearest(ends, rows_at, row, later, most - 1)]

    close = [look(number, CLOSE) for number in range(len(dropped))]
    # mostly the sets are small, and found at once
    found = dict(zip(dropped, _all_circuits(factor, close), strict=True))
    for number, row in enumerate(dropped[:WIDE]):
        if found[row] is None:
            (found[row],) = _all_circuits(factor, [look(number, AROUND)])
    far = [row for row in dropped if found[row] is None]
    found.update(zip(far, factor.null_vectors(far) if far else (), strict=True))
    return [circuit for row in dropped if (circuit := found[row]) is not None]


def _rows_at(block: Block) -> list[list[int]]:
    rows_at: list[list[int]] = [[] for _ in block.bodies]
    for row, ends in enumerate(block.ends()):
        for body in ends:
            if body >= 0:
                rows_at[body].append(row)
    return rows_at


def _nearest(ends: list[list[int]], rows_at: list[list[int]], row: int, without: set[int], most: int) -> list[int]:
    """The rows around one, those that share a body with it first, then those that share one with these, and so on."""
    seen, known = {row}, set[int]()
    ring, near = [row], list[int]()
    while ring and len(near) < most:
        bodies = dict.fromkeys(b for k in ring for b in ends[k] if b >= 0 and b not in known)
        known.update(bodies)
        ring = []
        for k in chain.from_iterable(rows_at[b] for b in bodies):
            if k not in seen and k not in without:
                seen.add(k)
                ring.append(k)
                if len(near) + len(ring) == most:
                    break
        near += ring
    return near


def _dense(block: Block, J: Floats, rows: list[int]) -> Floats:
    """The named rows of A over the bodies that they touch."""
    ends: NDArray[np.int64] = block.body[rows]
    bodies, place = np.unique(ends[ends >= 0], return_inverse=True)
    column = np.full(ends.shape, -1, dtype=np.int64)
    column[ends >= 0] = place
    dense = np.zeros((len(rows), len(bodies), J.shape[2]))
    for end in range(ends.shape[1]):
        held = np.flatnonzero(column[:, end] >= 0)
        dense[held, column[held, end]] += J[np.array(rows)[held], end]
    return dense.reshape(len(rows), -1)


def _all_circuits(factor: BlockFactor | DenseFactor, looks: list[list[int]]) -> list[Circuit | None]:
    """The first row of each list as a combination of as few of the first others as possible; None where they do not contain it.

    Gram–Schmidt on all lists at once.
    """
    parts = [_dense(factor.block, factor.J, rows) for rows in looks]
    most, width = (max((part.shape[axis] for part in parts), default=0) for axis in (0, 1))
    A = np.zeros((len(parts), most, width))
    for n, part in enumerate(parts):
        A[n, : part.shape[0], : part.shape[1]] = part
    rest = A[:, :1].copy()
    basis = np.zeros((len(parts), most, width))  # row k: what is new in row k, of length 1; or nothing
    found: list[Circuit | None] = [None] * len(parts)
    left = np.arange(len(parts))  # those not found yet
    for k in range(1, most):
        before, direction = basis[left, 1:k], A[left, k : k + 1]
        for _ in range(2):
            direction = direction - (direction @ before.transpose(0, 2, 1)) @ before
        length = np.linalg.norm(direction, axis=2, keepdims=True)
        new = np.where(length > REST, direction / np.where(length > REST, length, 1.0), 0.0)
        basis[left, k] = new[:, 0]
        rest = rest - (rest @ new.transpose(0, 2, 1)) @ new
        contained = np.linalg.norm(rest[:, 0], axis=1) <= REST
        for n in left[contained].tolist():
            found[n] = _combined(parts[n], looks[n], np.flatnonzero(basis[n, : k + 1].any(axis=1)))
        left, rest = left[~contained], rest[~contained]
    return found


def _combined(A: Floats, rows: list[int], chosen: NDArray[np.int64]) -> Circuit:
    """The first row by independent others that contain it."""
    coefficients = np.linalg.lstsq(A[chosen].T, A[0], rcond=None)[0]
    return {rows[0]: 1.0} | {rows[k]: -float(c) for k, c in zip(chosen, coefficients, strict=True)}
