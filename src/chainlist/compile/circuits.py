"""Small sets of rows that depend on one another, one for each row that the factor dropped.

The factor alone would express a dropped row by all rows before it, in a long frame by hundreds. A user wants to hear
of the six links of one braced square. So the rows around a dropped row are added one by one, the nearest first, until
they contain it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.factor import Block, Factor
from chainlist.equations.layout import Floats

CLOSE, AROUND = 30, 200  # rows looked at around a dropped one, first and then
WIDE = 40  # dropped rows around which so many are looked at: of more sets, nobody reads each one
REST = 1e-5  # what is left of a unit row that depends on others

Circuit = dict[int, float]  # row of the block → coefficient; the combination is 0


def circuits(factor: Factor, dropped: list[int]) -> list[Circuit]:
    """For each dropped row a dependent set that holds it and none of the dropped rows after it.

    So no set can be combined from the others: they are as many as there are dependences.
    """
    rows_at = _rows_at(factor.block)
    found: dict[int, Circuit] = {}
    for number, row in enumerate(dropped):
        later = set(dropped[number + 1 :])
        near = [row, *_nearest(factor.block, rows_at, row, later)]
        for rows in (near[:CLOSE], near)[: 1 + (number < WIDE)]:  # mostly the set is small, and found at once
            circuit = _circuit(_dense(factor.block, factor.J, rows), rows)
            if circuit is not None:
                found[row] = circuit
                break
    far = [row for row in dropped if row not in found]
    if far:
        found.update(zip(far, factor.null_vectors(far), strict=True))
    return [found[row] for row in dropped]


def _rows_at(block: Block) -> list[list[int]]:
    rows_at: list[list[int]] = [[] for _ in block.bodies]
    for row, ends in enumerate(block.ends()):
        for body in ends:
            if body >= 0:
                rows_at[body].append(row)
    return rows_at


def _nearest(block: Block, rows_at: list[list[int]], row: int, without: set[int]) -> list[int]:
    """The rows around one, those that share a body with it first, then those that share one with these, and so on."""
    seen = {row}
    ring, near = [row], list[int]()
    while ring and len(near) < AROUND:
        bodies = dict.fromkeys(b for k in ring for b in block.body[k].tolist() if b >= 0)
        ring = [k for k in dict.fromkeys(k for b in bodies for k in rows_at[b]) if k not in seen and k not in without]
        seen.update(ring)
        near += ring
    return near[:AROUND]


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


def _circuit(A: Floats, rows: list[int]) -> Circuit | None:
    """The first row as a combination of as few of the first others as possible; None if they do not contain it."""
    rest = A[0].copy()
    # All of them at once, which is quick. Rows that depend on one another leave spurious directions in Q, never fewer.
    all_of_them = np.linalg.qr(A[1:].T)[0]
    if np.linalg.norm(rest - all_of_them @ (all_of_them.T @ rest)) > REST:
        return None
    basis = np.zeros((min(A.shape), A.shape[1]))
    chosen: list[int] = []
    for k in range(1, len(A)):
        if len(chosen) == len(basis):
            break
        direction = A[k]
        for _ in range(2):
            direction = direction - (basis[: len(chosen)] @ direction) @ basis[: len(chosen)]
        length = float(np.linalg.norm(direction))
        if length <= REST:
            continue
        basis[len(chosen)] = direction / length
        rest -= (basis[len(chosen)] @ rest) * basis[len(chosen)]
        chosen.append(k)
        if np.linalg.norm(rest) <= REST:
            coefficients = np.linalg.lstsq(A[chosen].T, A[0], rcond=None)[0]
            return {rows[0]: 1.0} | {rows[k]: -float(c) for k, c in zip(chosen, coefficients, strict=True)}
    return None
