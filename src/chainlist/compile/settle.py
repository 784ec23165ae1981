"""From a start that does not fit to the nearest position that does: damped Newton, group by group.

Each step solves the linearised constraints with the smallest movement, q ← q − step·Aᵀ S⁻¹ Φ, and is halved until the
residual falls. Where it cannot fall any more although it is not 0, the lengths and lines of the group contradict one
another, or the start was too strange: other starts decide which.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.factor import DENSE, Block, BlockFactor, TooDense
from chainlist.compile.rank import DEPENDENT, connected
from chainlist.equations.rowset import FIXED, RowSet
from chainlist.kernels.bundles import Floats

FITS = 1e-9  # residual, relative to the size of the row, that counts as none
ROUNDOFF = 4 * float(np.finfo(float).eps)
SHARP = 1e-14  # damping of the last steps of a start
ITERATIONS = 40
SMALLEST_STEP = 1e-3
TRIES = 6  # other starts of a large group, each shaken twice as much as the one before
SMALL_GROUP = 100  # rows: below this one more start costs little
TRIES_SMALL = 40  # other starts of a small group, whose rough positions may be far off
SCATTERS = 6  # then the shaking begins anew: with even more of it, every start is a strange one
WORK = 16_000  # rows evaluated for the start, and again for all others together: about a third of a second
PER_STEP, SOLVED = 10, 300  # what the rest of a step costs, and its linear equations, in such rows
FEWEST = 15  # steps of a descent, whatever they cost
INVOLVED = 0.05  # rows with at least this part of the largest residual are named

Groups = list[list[int]]  # rows that hang together; different groups share no moving body


class _Descent:
    """Newton's method on several groups at once; each has its own step, and stops on its own."""

    def __init__(self, rows: RowSet, groups: Groups, damping: float):
        self.rows = rows
        self.damping = damping
        self.members = [k for group in groups for k in group]
        self.count = len(groups)
        self.block = Block(rows.body[self.members])
        self.size = rows.size[self.members]
        self.group_of_row = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
        held = self.block.body >= 0
        self.group_of_body = np.zeros(len(self.block.bodies), dtype=np.int64)
        self.group_of_body[self.block.body[held]] = np.broadcast_to(self.group_of_row[:, None], held.shape)[held]
        self.done = np.zeros(self.count, dtype=bool)

    def residual(self, q: Floats) -> Floats:
        """Of each member, relative to its size."""
        with np.errstate(all="ignore"):
            return self.rows.at(q, only=self.members).phi[self.members] / self.size

    def square(self, relative: Floats) -> Floats:
        """The sum of squares of each group."""
        sums = np.zeros(self.count)
        with np.errstate(all="ignore"):
            np.add.at(sums, self.group_of_row, relative**2)
        return sums

    def worst(self, relative: Floats) -> Floats:
        """The largest residual of each group."""
        largest = np.zeros(self.count)
        np.maximum.at(largest, self.group_of_row, np.abs(relative))
        return largest

    def _smallest(self, J: Floats, phi: Floats) -> Floats:
        """The smallest movement x with A x = Φ, (bodies, dimension)."""
        coordinates = len(self.block.bodies) * J.shape[2]
        if min(self.block.rows, coordinates) > DENSE:
            return self.block.transposed(J, BlockFactor(self.block, J, DEPENDENT).solve(phi))
        A = self.block.dense(J)
        length = np.sqrt(np.einsum("kc,kc->k", A, A))
        A, r = A / length[:, None], phi / length
        A[~np.isfinite(A).all(axis=1)], r[~np.isfinite(r)] = 0.0, 0.0
        # What depends on other rows moves nothing. Both forms give the same, the smaller matrix sooner.
        if self.block.rows <= coordinates:
            x = A.T @ np.linalg.solve(A @ A.T + self.damping * np.eye(len(A)), r)
        else:
            x = np.linalg.solve(A.T @ A + self.damping * np.eye(coordinates), A.T @ r)
        movement: Floats = x.reshape(-1, J.shape[2])
        return movement

    @property
    def cost(self) -> float:
        """Of a step, in rows that are evaluated."""
        return PER_STEP + self.block.rows + self.block.rows**2 / SOLVED

    def step(self, q: Floats) -> Floats:
        """The next position."""
        state = self.rows.at(q, only=self.members)
        J = state.J[self.members]
        with np.errstate(all="ignore"):
            toward = -self._smallest(J, state.phi[self.members])
        toward[~np.isfinite(toward)] = 0.0
        before = self.square(self.residual(q))
        step = np.where(self.done, 0.0, 1.0)
        searching = ~self.done
        while True:
            trial = q.copy()
            trial[self.block.bodies] += step[self.group_of_body][:, None] * toward
            searching &= ~(self.square(self.residual(trial)) <= (1 - 0.2 * step) * before)
            if not searching.any():
                return trial
            step[searching] /= 2
            stuck = searching & (step < SMALLEST_STEP)
            step[stuck] = 0.0
            self.done |= stuck


@dataclass(frozen=True, eq=False)
class Landing:
    """Where each group came to rest."""

    q: Floats
    residual: Floats  # of each row, relative to its size
    fits: NDArray[np.bool_]  # of each group
    work: float


def settle(rows: RowSet, q: Floats, groups: Groups, damping: float = DEPENDENT) -> Landing:
    """Move the bodies of each group until its rows fit or cannot be improved.

    Raises `TooDense` where a group cannot be factored.
    """
    descent = _Descent(rows, groups, damping)
    steps = 0
    for _ in range(min(ITERATIONS, max(FEWEST, int(WORK / descent.cost)))):
        descent.done |= ~(descent.worst(descent.residual(q)) > ROUNDOFF)  # not a number: nothing can be made of it
        if descent.done.all():
            break
        q = descent.step(q)
        steps += 1
    relative = descent.residual(q)
    residual = np.zeros(rows.count)
    residual[descent.members] = relative
    return Landing(q, residual, descent.worst(relative) <= FITS, steps * descent.cost)


def settled(rows: RowSet, start: Floats) -> Floats | None:
    """Where all rows fit, reached from this start; None where there is no way, or too much to look at."""
    groups = connected(rows.body, np.flatnonzero((rows.body != FIXED).any(axis=1)).tolist())
    try:
        landing = settle(rows, start, groups)
        if not landing.fits.all():
            return None
        # what depends on other rows but for a little has its part in the last steps
        return settle(rows, landing.q, groups, SHARP).q
    except TooDense:
        return None


@dataclass(frozen=True, eq=False)
class Fit:
    """A position that fits, as near to the start as was found, and what fits nowhere."""

    q: Floats
    lost: tuple[int, ...] = ()  # a row of each group that fits, but could not be reached from the start
    conflicts: tuple[tuple[int, ...], ...] = ()  # rows that contradict one another
    residuals: tuple[tuple[float, ...], ...] = ()  # of each conflict: Φ of its rows at the best position [m]


def fit(rows: RowSet, start: Floats, design: Floats, groups: Groups) -> Fit:
    """Settle the groups from the start; where that fails, from the positions that gave the lengths, and from others."""
    landing = settle(rows, start, groups)
    q, best = landing.q.copy(), landing.residual
    failed = [group for group, fits in zip(groups, landing.fits, strict=True) if not fits]
    lost = []
    shake = np.random.default_rng(0)
    conflicting: Groups = []
    work = 0.0
    for attempt in range(TRIES_SMALL):
        if attempt == TRIES:
            conflicting = [group for group in failed if len(group) >= SMALL_GROUP]
            failed = [group for group in failed if len(group) < SMALL_GROUP]
        if not failed or work > WORK:
            break
        away = 0.05 * 2.0 ** (attempt % SCATTERS) * float(np.median(rows.size)) if attempt else 0.0
        landing = settle(rows, design + away * shake.normal(size=design.shape), failed)
        work += landing.work
        still = []
        for group, fits in zip(failed, landing.fits, strict=True):
            if fits:
                bodies = _bodies(rows, group)
                q[bodies] = landing.q[bodies]
                lost.append(group[0])
                continue
            still.append(group)
            if not np.abs(best[group]).max() <= np.abs(landing.residual[group]).max():
                best[group] = landing.residual[group]
        failed = still
    conflicts, residuals = [], []
    for group in sorted((*conflicting, *failed)):
        bodies = _bodies(rows, group)
        q[bodies] = start[bodies]
        relative = np.nan_to_num(np.abs(best[group]), nan=np.inf)
        named = [k for k, amount in zip(group, relative, strict=True) if amount >= INVOLVED * relative.max()]
        conflicts.append(tuple(named))
        residuals.append(tuple((best[named] * rows.size[named]).tolist()))
    return Fit(q, tuple(lost), tuple(conflicts), tuple(residuals))


def _bodies(rows: RowSet, group: list[int]) -> NDArray[np.int64]:
    bodies = np.unique(rows.body[group])
    return bodies[bodies >= 0]
