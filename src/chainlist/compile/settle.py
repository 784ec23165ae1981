"""From a start that does not fit to the nearest position that does: damped Newton, group by group.

Each step solves the linearised constraints with the smallest movement, q ← q − step·Aᵀ S⁻¹ Φ, and is halved until the
residual falls. Where it cannot fall any more although it is not 0, the lengths and lines of the group contradict one
another, or the start was too strange: other starts are tried. Where none leads to a position that fits, that is no proof
that there is none: constraints contradict one another where their residuals are in balance (`strain.py`), and those under
strain, taken by themselves, fit from no other side either.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.factor import DENSE, Block, BlockFactor, TooDense
from chainlist.compile.placing import mirrored, one_after_another
from chainlist.compile.rank import DEPENDENT, connected
from chainlist.compile.strain import STEPS, Rest, come_to_rest
from chainlist.equations.rowset import FIXED, RowSet, RowValues
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
RINGS = 3  # around a row that is off
NUDGE = 1e-4  # of the size: off a position in which residuals are in balance only as a pencil on its point is
STRAINED = 1e-4  # rows with less than this part of the largest residual have no part in a balance
INVOLVED = 0.05  # rows with at least this part of the largest residual are named where they contradict one another
FARTHEST = 0.5  # and these where that is not shown: the others may well fit

Groups = list[list[int]]  # rows that hang together; different groups share no moving body


def cost(count: int) -> float:
    """Of a step with so many rows, in rows that are evaluated."""
    return PER_STEP + count + count**2 / SOLVED


class _Descent:
    """Newton's method on several groups at once; each has its own step, and stops on its own."""

    def __init__(self, rows: RowSet, q: Floats, groups: Groups, damping: float):
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
        self.rows = rows.some(self.members)
        self.q, self.here = q, self._look(q)

    def _look(self, q: Floats) -> RowValues:
        with np.errstate(all="ignore"):
            return self.rows.at(q)

    @property
    def residual(self) -> Floats:
        """Of each member, relative to its size."""
        return self._relative(self.here)

    def _relative(self, values: RowValues) -> Floats:
        with np.errstate(all="ignore"):
            return values.phi / self.size

    def _square(self, relative: Floats) -> Floats:
        """The sum of squares of each group."""
        with np.errstate(all="ignore"):
            return np.asarray(np.bincount(self.group_of_row, relative**2, self.count), float)

    def worst(self) -> Floats:
        """The largest residual of each group."""
        largest = np.zeros(self.count)
        np.maximum.at(largest, self.group_of_row, np.abs(self.residual))
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

    def step(self) -> None:
        """Move to the next position. Where a trial was good, nothing has to be evaluated again."""
        with np.errstate(all="ignore"):
            toward = -self._smallest(self.here.J, self.here.phi)
        toward[~np.isfinite(toward)] = 0.0
        before = self._square(self.residual)
        step = np.where(self.done, 0.0, 1.0)
        searching = ~self.done
        while True:
            trial = self.q.copy()
            trial[self.block.bodies] += step[self.group_of_body][:, None] * toward
            there = self._look(trial)
            searching &= ~(self._square(self._relative(there)) <= (1 - 0.2 * step) * before)
            if not searching.any():
                self.q, self.here = trial, there
                return
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
    descent = _Descent(rows, q, groups, damping)
    steps = 0
    for _ in range(min(ITERATIONS, max(FEWEST, int(WORK / cost(descent.block.rows))))):
        descent.done |= ~(descent.worst() > ROUNDOFF)  # not a number: nothing can be made of it
        if descent.done.all():
            break
        descent.step()
        steps += 1
    residual = np.zeros(rows.count)
    residual[descent.members] = descent.residual
    return Landing(descent.q, residual, descent.worst() <= FITS, steps * cost(descent.block.rows))


@dataclass(frozen=True, eq=False)
class Stuck:
    """Rows that remained off together, and Φ of each at the best position [m]."""

    rows: tuple[int, ...]
    phi: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Fit:
    """A position that fits, as near to the start as was found, and what fits nowhere."""

    q: Floats
    lost: tuple[
        int, ...
    ] = ()  # a row of each group that fits, but has no direction at the start: its ends are in one place
    conflicts: tuple[Stuck, ...] = ()  # rows that contradict one another
    unfound: tuple[Stuck, ...] = ()  # rows for which no position was found, though they may well fit somewhere
    unjudged: tuple[int, ...] = ()  # all rows that hang together with these: they do not fit where they are now
    elsewhere: tuple[int, ...] = ()  # a row of each group that fits, though no way leads there from the start


class _Search:
    """The best position so far, of groups that could not be settled from the start."""

    def __init__(self, rows: RowSet, landing: Landing, failed: Groups):
        self.rows, self.q, self.residual, self.failed = rows, landing.q.copy(), landing.residual, failed
        self.found: Groups = []
        self.work = 0.0

    def look_from(self, start: Floats) -> None:
        landing = settle(self.rows, start, self.failed)
        self.work += landing.work
        still: Groups = []
        for group, fits in zip(self.failed, landing.fits, strict=True):
            if fits or not np.abs(self.residual[group]).max() <= np.abs(landing.residual[group]).max():
                self._keep(group, landing.q, landing.residual[group])
            (self.found if fits else still).append(group)
        self.failed = still

    def _keep(self, group: list[int], q: Floats, residual: Floats) -> None:
        bodies = _bodies(self.rows, group)
        self.q[bodies], self.residual[group] = q[bodies], residual

    def verdicts(self, shake: Floats) -> tuple[list[Stuck], list[Stuck]]:
        """Of the groups that no start has led to a position: those that contradict themselves, and the others."""
        conflicts, unfound, self.work = [], [], 0.0
        for group in sorted(self.failed):
            if not np.isfinite(self.residual[group]).all():
                conflicts.append(self._stuck(group))
                continue
            strained = self._strained(group, shake)
            if np.abs(self.residual[group]).max() <= FITS:
                self.found.append(group)
            elif strained:
                conflicts.append(self._stuck(strained))
            else:
                unfound.append(self._stuck(group, FARTHEST))
        return conflicts, unfound

    def _strained(self, group: list[int], shake: Floats) -> list[int]:
        """Rows of a group whose residuals are in balance: all, or those around the one that is farthest off.

        In a large group these are sooner at rest.
        """
        rows, fits = self.rows, FITS / 10
        near = _around(rows, group, int(np.argmax(np.abs(self.residual[group]))))
        for around in (group, *near) if len(group) < SMALL_GROUP else (*near, group):
            steps = int(min(STEPS, (WORK - self.work) / cost(len(around))))
            if steps < 1:
                break
            rest = come_to_rest(rows, self.q + NUDGE * float(np.median(rows.size)) * shake, around, fits, steps)
            self.work += rest.steps * cost(len(around))
            fits_now = bool(np.abs(rest.residual).max() <= FITS)
            if (rest.balanced and self._never_fit(around, rest, shake)) or (fits_now and around is group):
                self._keep(around, rest.q, rest.residual)
                return [] if fits_now else around
        return []

    def _never_fit(self, around: list[int], rest: Rest, shake: Floats) -> bool:
        """Whether the rows that are under strain fit nowhere, as far as starts all around them say; of formulas nobody knows.

        In balance they may be at one of several places of rest only, as a body that is held on the wrong side of its rods.
        """
        rows, strain = self.rows, np.abs(rest.residual)
        alone = [k for k, amount in zip(around, strain, strict=True) if amount >= STRAINED * strain.max()]
        if any(rows.equations[k].formula is not None for k in alone):
            return False
        for n, side in ((n, side) for n in range(SCATTERS) for side in mirrored(rows, rest.q, alone)):
            away = 0.05 * 2.0**n * float(np.median(rows.size[alone]))
            landing = settle(rows, side + away * np.roll(shake, n, axis=0), [alone])
            self.work += landing.work
            if landing.fits.all() or self.work > WORK:
                return False
        return True

    def _stuck(self, group: list[int], part: float = INVOLVED) -> Stuck:
        relative = np.nan_to_num(np.abs(self.residual[group]), nan=np.inf)
        named = [k for k, amount in zip(group, relative, strict=True) if amount >= part * relative.max()]
        return Stuck(tuple(named), tuple((self.residual[named] * self.rows.size[named]).tolist()))


def fit(rows: RowSet, start: Floats, design: Floats, groups: Groups) -> Fit:
    """Settle the groups from the start; where that fails, from the positions that gave the lengths, and from others."""
    landing = settle(rows, start, groups)
    search = _Search(rows, landing, [group for group, fits in zip(groups, landing.fits, strict=True) if not fits])
    shake = np.random.default_rng(0)
    large: Groups = []
    for attempt in range(TRIES_SMALL):
        if attempt == TRIES:
            large = [group for group in search.failed if len(group) >= SMALL_GROUP]
            search.failed = [group for group in search.failed if len(group) < SMALL_GROUP]
        if not search.failed or search.work > WORK:
            break
        away = 0.05 * 2.0 ** (attempt % SCATTERS) * float(np.median(rows.size)) if attempt else 0.0
        other = design + away * shake.normal(size=design.shape)
        if not np.array_equal(other, start):  # from there it has been tried
            search.look_from(other)
        if attempt == 0 and search.failed:
            placed, work = one_after_another(rows, design, search.failed, WORK)
            search.look_from(placed)
            search.work += work
    search.failed += large
    conflicts, unfound = search.verdicts(shake.normal(size=design.shape))
    q = search.q
    of_row = {k: group for group in groups for k in group}
    for stuck in (*conflicts, *unfound):
        bodies = _bodies(rows, of_row[stuck.rows[0]])
        q[bodies] = start[bodies]
    unjudged = tuple(k for stuck in unfound for k in of_row[stuck.rows[0]])
    found: dict[bool, list[int]] = {True: [], False: []}
    for group in search.found:
        found[_has_directions(rows, start, group)].append(group[0])
    lost, elsewhere = tuple(found[False]), tuple(found[True])
    return Fit(q, lost, tuple(conflicts), tuple(unfound), unjudged, elsewhere)


def off(rows: RowSet, start: Floats) -> Groups:
    """The groups with rows that do not fit."""
    which = ~(np.abs(rows.at(start).phi) <= FITS * rows.size)
    if not which.any():
        return []
    moving = np.flatnonzero((rows.body != FIXED).any(axis=1)).tolist()
    return [group for group in connected(rows.body, moving) if which[group].any()]


def settled(rows: RowSet, start: Floats, design: Floats) -> Floats | None:
    """Where all rows fit, as checks find it; None where there is no way, where the start says of none which, or too much to look at."""
    try:
        found = fit(rows, start, design, off(rows, start))
        if found.lost or found.conflicts or found.unfound:
            return None
        # what depends on other rows but for a little has its part in the last steps
        groups = connected(rows.body, np.flatnonzero((rows.body != FIXED).any(axis=1)).tolist())
        return settle(rows, found.q, groups, SHARP).q
    except TooDense:
        return None


def _has_directions(rows: RowSet, q: Floats, group: list[int]) -> bool:
    J = rows.at(q, only=group).J[group]
    return bool((np.abs(J).max(axis=(1, 2)) > 0.0).all())


def _around(rows: RowSet, group: list[int], worst: int) -> Groups:
    """The row of a group that is farthest off with those that share bodies with it, and with those that share bodies with these."""
    found, bodies = [], _bodies(rows, [group[worst]])
    for _ in range(RINGS):
        ring = [k for k in group if np.isin(rows.body[k], bodies).any()]
        found.append(ring)
        bodies = _bodies(rows, ring)
    return found


def _bodies(rows: RowSet, group: list[int]) -> NDArray[np.int64]:
    bodies = np.unique(rows.body[group])
    return bodies[bodies >= 0]
