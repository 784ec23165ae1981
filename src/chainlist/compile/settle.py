"""From a start that does not fit to the nearest position that does: damped Newton, group by group.

Each step solves the linearised constraints with the smallest movement, q ← q − step·Aᵀ S⁻¹ Φ, and is halved until the
residual falls. Where it cannot fall any more although it is not 0, the lengths and lines of the group contradict one
another, or the start was too strange: other starts decide which.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.factor import Block, Factor
from chainlist.compile.rank import DEPENDENT
from chainlist.compile.rows import ScaledRows
from chainlist.model.equations import Floats

FITS = 1e-9  # residual, relative to the size of the row, that counts as none
ROUNDOFF = 4 * float(np.finfo(float).eps)
ITERATIONS = 80
SMALLEST_STEP = 1e-3
TRIES = 6  # other starts, each shaken a little more
INVOLVED = 0.05  # rows with at least this part of the largest residual are named

Groups = list[list[int]]  # rows that hang together


@dataclass(frozen=True, eq=False)
class Landing:
    """Where each group came to rest."""

    q: Floats
    residual: Floats  # of each row, relative to its size
    fits: NDArray[np.bool_]  # of each group


def settle(rows: ScaledRows, q: Floats, groups: Groups) -> Landing:
    """Move the bodies of each group until its rows fit or cannot be improved; groups share no moving body.

    Raises `TooDense` where a group cannot be factored.
    """
    members = [k for group in groups for k in group]
    group_of_row = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    block = Block(rows.body[members])
    group_of_body = np.zeros(len(block.bodies), dtype=np.int64)
    held = block.body >= 0
    group_of_body[block.body[held]] = np.broadcast_to(group_of_row[:, None], held.shape)[held]
    size = rows.size[members]
    done = np.zeros(len(groups), dtype=bool)

    def residual(at: Floats) -> tuple[Floats, Floats]:
        state = rows.at(at, only=members)
        with np.errstate(all="ignore"):
            relative = state.phi[members] / size
            return relative, np.bincount(group_of_row, relative**2, minlength=len(groups))

    for _ in range(ITERATIONS):
        state = rows.at(q, only=members)
        relative, square = residual(q)
        worst = np.zeros(len(groups))
        np.maximum.at(worst, group_of_row, np.abs(relative))
        done |= ~(worst > ROUNDOFF)  # a residual that is not a number is done as well: nothing can be made of it
        if done.all():
            break
        J = state.J[members]
        with np.errstate(all="ignore"):
            factor = Factor(block, J, DEPENDENT)
            toward = -block.transposed(J, factor.solve(state.phi[members]))
        step = np.where(done, 0.0, 1.0)
        searching = ~done
        while searching.any():
            trial = q.copy()
            trial[block.bodies] += step[group_of_body][:, None] * toward
            searching &= ~(residual(trial)[1] <= (1 - 0.2 * step) * square)
            step[searching] /= 2
            stuck = searching & (step < SMALLEST_STEP)
            step[stuck] = 0.0
            done |= stuck
            searching &= ~stuck
        q = q.copy()
        q[block.bodies] += np.where(step[group_of_body] > 0, step[group_of_body], 0.0)[:, None] * np.nan_to_num(toward)
    relative, _ = residual(q)
    worst = np.zeros(len(groups))
    np.maximum.at(worst, group_of_row, np.abs(relative))
    all_rows = np.zeros(rows.count)
    all_rows[members] = relative
    return Landing(q, all_rows, worst <= FITS)


@dataclass(frozen=True, eq=False)
class Fit:
    """A position that fits, as near to the start as was found, and what does not fit anywhere."""

    q: Floats
    lost: tuple[int, ...]  # a row of each group that fits, but could not be reached from the start
    conflicts: tuple[tuple[int, ...], ...]  # rows that contradict one another


def fit(rows: ScaledRows, start: Floats, design: Floats, groups: Groups) -> Fit:
    """Settle the groups from the start; where that fails, from the positions that gave the lengths, and from others."""
    landing = settle(rows, start, groups)
    q, best = landing.q.copy(), landing.residual
    failed = [group for group, fits in zip(groups, landing.fits, strict=True) if not fits]
    lost = []
    shake = np.random.default_rng(0)
    for attempt in range(TRIES):
        if not failed:
            break
        away = 0.0 if attempt == 0 else 0.1 * 2.0**attempt * float(np.median(rows.size))
        landing = settle(rows, design + away * shake.normal(size=design.shape), failed)
        still = []
        for group, fits in zip(failed, landing.fits, strict=True):
            bodies = np.unique(rows.body[group])
            bodies = bodies[bodies >= 0]
            if fits:
                q[bodies] = landing.q[bodies]
                lost.append(group[0])
                continue
            still.append(group)
            if not np.abs(best[group]).max() <= np.abs(landing.residual[group]).max():
                best[group] = landing.residual[group]
        failed = still
    conflicts = []
    for group in failed:
        off = np.nan_to_num(np.abs(best[group]), nan=np.inf)
        conflicts.append(tuple(k for k, how_much in zip(group, off, strict=True) if how_much >= INVOLVED * off.max()))
        bodies = np.unique(rows.body[group])
        q[bodies[bodies >= 0]] = start[bodies[bodies >= 0]]
    return Fit(q, tuple(lost), tuple(conflicts))
