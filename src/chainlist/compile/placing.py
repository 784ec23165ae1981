"""One body after another to where its rows fit: a position for every open chain and every tree, however far its lengths are
from its positions. Of rings it gives a start that is nearer.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from math import inf

import numpy as np

from chainlist.compile.reach import WorkExceeded
from chainlist.equations.rowset import FIXED, RowSet
from chainlist.kernels.bundles import Floats

STEPS = 30
SMALLEST_STEP = 1e-3
NEAR = 1e-12  # residual, relative to the size of a row: what is left is for the search that begins here
FLAT = 1e-6  # of the largest singular value: directions in which rows move a body less do not count
PER_LOOK = 6  # what a look at one body costs beside its rows, in rows that are evaluated among many
NO_DIRECTION = 1e-9  # derivatives as small as this part of a row's largest: two ends in one place


class _Work:
    """What is left of the rows that may be evaluated."""

    def __init__(self, limit: float):
        self.limit, self.done = limit, 0.0

    def spend(self, count: int) -> None:
        self.done += PER_LOOK + count
        if self.done > self.limit:
            raise WorkExceeded


def one_after_another(rows: RowSet, q: Floats, groups: list[list[int]], limit: float = inf) -> tuple[Floats, float]:
    """Positions in which each body is moved until it fits those that were placed before it, as near as it can.

    And how many rows were evaluated for them; at the limit the other bodies stay where they are.
    """
    given, q, work = q, q.copy(), _Work(limit)
    try:
        for group in groups:
            for body, held in _order(rows, group):
                before = np.setdiff1d(rows.body[held], (body, FIXED))
                if len(before):  # they carry it along
                    q[body] += (q[before] - given[before]).mean(axis=0)
                if held:
                    _place(rows.some(held), q, body, work)
    except WorkExceeded:
        pass
    return q, work.done


def mirrored(rows: RowSet, q: Floats, group: list[int]) -> list[Floats]:
    """Positions of the bodies of a group: as they are, and on the other side of what holds them, along each of its axes."""
    moving = np.setdiff1d(rows.body[group], FIXED)
    numbers = np.unique(rows.table.point[group])
    still = rows.points.q[np.setdiff1d(numbers, moving)]
    around = still if len(still) > 1 else np.vstack([still, q[moving]])
    middle = around.mean(axis=0)
    found = [q]
    for axis in np.linalg.svd(around - middle)[2]:
        other = q.copy()
        other[moving] -= 2 * np.outer((q[moving] - middle) @ axis, axis)
        found.append(other)
    return found


def _order(rows: RowSet, group: list[int]) -> list[tuple[int, list[int]]]:
    """Each body with the rows that hold it to those before it: taken from the end, always one that the fewest rows hold."""
    ends = {k: {b for b in rows.body[k].tolist() if b >= 0} for k in group}
    left: dict[int, set[int]] = {}
    for k, bodies in ends.items():
        for b in bodies:
            left.setdefault(b, set()).add(k)
    waiting = [(len(held), b) for b, held in left.items()]
    heapify(waiting)
    order: list[tuple[int, list[int]]] = []
    while waiting:
        count, b = heappop(waiting)
        if b not in left or count != len(left[b]):
            continue
        held = left.pop(b)
        order.append((b, sorted(held)))
        for other in {other for k in held for other in ends[k]} - {b}:
            if other in left:
                left[other] -= held
                heappush(waiting, (len(left[other]), other))
    return order[::-1]


def _place(rows: RowSet, q: Floats, body: int, work: _Work) -> None:
    """Move one body until all of some rows fit, or cannot be improved: Newton, with halved steps."""
    r, A = _seen_by(rows, q, body, work)
    for _ in range(STEPS):
        if not np.abs(r).max() > NEAR:
            return
        here, step = q[body].copy(), 1.0
        toward = _toward(A, r, float(rows.size.max()))
        while step >= SMALLEST_STEP:
            q[body] = here - step * toward
            new, new_A = _seen_by(rows, q, body, work)
            if new @ new <= (1 - 0.2 * step) * (r @ r):  # not where it is no number
                break
            step /= 2
        else:
            q[body] = here
            return
        r, A = new, new_A


def _toward(A: Floats, r: Floats, size: float) -> Floats:
    """The smallest movement that puts linearised rows right; where they give no direction, any."""
    if not np.abs(A).max() > NO_DIRECTION / size or not np.isfinite(A).all():
        any_way = np.cos(1.0 + np.arange(A.shape[1]))
        longest: Floats = any_way / np.linalg.norm(any_way) * np.abs(r).max() * size
        return longest
    found: Floats = np.asarray(np.linalg.lstsq(A, r, rcond=FLAT)[0], dtype=float)
    return found


def _seen_by(rows: RowSet, q: Floats, body: int, work: _Work) -> tuple[Floats, Floats]:
    """Residuals of rows relative to their sizes, and their derivatives by the place of one body.

    Of links they are those of the distance itself: one step is then enough, however far it is.
    """
    work.spend(rows.count)
    state = rows.at(q)
    phi = state.phi
    A = np.where((rows.body == body)[:, :, None], state.J, 0.0).sum(axis=1)
    for n, equation in enumerate(rows.equations):
        if equation.is_link:
            length = equation.parameters[1]
            distance = np.sqrt(max(0.0, length * length + 2 * length * phi[n]))
            phi[n] = distance - length
            A[n] *= length / distance if distance else 0.0
    return phi / rows.size, A / rows.size[:, None]
