"""Laws of impact over small dense systems: who pushes, and by how much.

All rows here count a gap: u is the rate at which it opens, p ≥ 0 an impulse that opens it, D the mobility between rows.
Some rows are `free`: they hold both sides, their impulse has any sign, and their u stays 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chainlist.kernels.bundles import Floats

Flags = NDArray[np.bool_]

ROUNDS = 200  # of one impact, before restitution is given up
SPENT = 1e-9  # of the first speed: what is left of an impact that goes back and forth
EQUAL = 1e-12  # of the largest number of a problem: what counts as 0
TOLD = 1e-9  # of the mobility: what is left of it counts as 0
RANK = 1e-11  # of the largest: a pivot or singular value that counts as 0


def pushes(D: Floats, w: Floats, free: Flags) -> Floats:
    """p with D p + w ≥ 0 and p ≥ 0, one of them 0 in each row; D p + w = 0 in free rows.

    All rows that are wrong change sides at once (block pivoting, Júdice and Pires), which takes a few rounds where contacts are
    many. It may go in circles; then rows are taken in one after the other, which ends.
    """
    scale = float(np.abs(w).max(initial=0.0))
    if scale == 0.0:
        return np.zeros(len(w))
    active = free | (w < 0.0)
    fewest, patience = len(w) + 1, 3
    while patience:
        p = _within(D, w, active)
        rest = D @ p + w
        pulls = active & ~free & (p < -EQUAL * np.abs(p).max(initial=0.0))
        wrong = pulls | (~active & (rest < -EQUAL * scale))
        count = int(wrong.sum())
        if count == 0:
            p[~free & (p < 0.0)] = 0.0
            return p
        fewest, patience = (count, 3) if count < fewest else (fewest, patience - 1)
        active = active ^ wrong
    return _one_by_one(D, w, free, scale)


def _one_by_one(D: Floats, w: Floats, free: Flags, scale: float) -> Floats:
    """The active-set method of Lawson and Hanson: when a row would pull, the way there is cut short where it lets go.

    D is positive semidefinite, so it ends.
    """
    n = len(w)
    active = free.copy()
    p = _within(D, w, active)
    for _ in range(20 * n + 20):
        rest = D @ p + w
        rest[active] = 0.0
        worst = int(np.argmin(rest))
        if rest[worst] >= -EQUAL * scale:
            break
        active[worst] = True
        for _ in range(n + 1):
            wanted = _within(D, w, active)
            negative = active & ~free & (wanted < 0.0)
            if not negative.any():
                p = wanted
                break
            drop = p[negative] - wanted[negative]
            part = float(np.min(p[negative] / drop))
            p = p + part * (wanted - p)
            lets_go = negative & (p <= EQUAL * np.abs(p).max(initial=0.0))
            p[lets_go] = 0.0
            active[lets_go] = False
        else:
            break
    return p


def _within(D: Floats, w: Floats, active: Flags) -> Floats:
    """The impulses of active rows alone that bring their D p + w to 0; of least norm where rows depend on one another."""
    p = np.zeros(len(w))
    which = np.flatnonzero(active)
    if len(which):
        p[which] = _solved(D[which[:, None], which], -w[which])
    return p


def _solved(D: Floats, w: Floats) -> Floats:
    """D⁻¹ w of a symmetric D ≥ 0; of least norm where it has no inverse."""
    try:
        pivots = np.linalg.cholesky(D).diagonal()
        if float(pivots.min()) ** 2 > RANK * float(D.diagonal().max()):
            return np.asarray(np.linalg.solve(D, w), np.float64)
    except np.linalg.LinAlgError:
        pass
    return np.asarray(np.linalg.lstsq(D, w, rcond=RANK)[0], np.float64)


@dataclass(frozen=True)
class Contacts:
    """Rows that touch: gaps first, then tangents; of each tangent the gap it belongs to."""

    D: Floats
    free: Flags  # holds both sides
    gaps: int
    restitution: Floats  # (gaps,)
    friction: Floats  # (gaps,)
    sticking: Floats  # (gaps,)
    under: tuple[int, ...]  # of each row behind the gaps
    alone: Floats  # mobility of each row if nothing else held

    def is_told(self, k: int) -> bool:
        """What always holds leaves gap k no slip of its own: a drive tells it, and friction cannot stop it."""
        which = self.tangents_of(k)
        return bool((self.D[which, which] <= TOLD * self.alone[which]).all())

    def tangents_of(self, k: int) -> list[int]:
        return [self.gaps + n for n, gap in enumerate(self.under) if gap == k]

    def rubbing(self, force: Floats, k: int) -> float:
        """The size of the friction of gap k."""
        return float(np.linalg.norm(force[self.tangents_of(k)]))

    def holding(self, force: Floats, k: int) -> float:
        """The friction that gap k can hold while it sticks."""
        return float(self.sticking[k] * abs(force[k]))


def impact(c: Contacts, u: Floats) -> tuple[Floats, Floats, Floats]:
    """Impulses of all rows, rates after them, and the energy that each gap lost with its friction: in rounds, as long as a gap closes.

    In each round the gaps that close push together, and each opens afterwards at e times its speed or faster; others that
    touch do not take part, so that a blow wanders through a row of balls. Friction then takes what it can of the slip, at most
    μ times what was pushed. Whatever is left after many rounds ends without restitution, all that touches taking part.
    """
    gaps, total, lost = slice(c.gaps), np.zeros(len(u)), np.zeros(c.gaps)
    first = float(-np.minimum(u[gaps][~c.free[gaps]], 0.0).min(initial=0.0))
    for n in range(ROUNDS):
        closing = ~c.free[gaps] & (u[gaps] < -EQUAL * max(first, 1e-300))
        if not closing.any():
            break
        spent = float(-u[gaps][closing].min()) < SPENT * first or n == ROUNDS - 1
        takes_part = ~c.free[gaps] if spent else closing
        bounce = 1.0 if spent else 1.0 + c.restitution
        w = np.where(takes_part & (u[gaps] < 0.0), u[gaps] * bounce, u[gaps])
        p = np.zeros(len(u))
        which = np.flatnonzero(takes_part | c.free[gaps])
        p[which] = pushes(c.D[np.ix_(which, which)], w[which], c.free[which])
        after = u + c.D @ p
        rubbed = _rub(c, p, after)
        end = after + c.D @ rubbed
        lost -= 0.5 * (p * (u + after))[gaps]  # an impulse works at the mean of the rates before and after it
        for n, gap in enumerate(c.under, start=c.gaps):
            lost[gap] -= 0.5 * rubbed[n] * (after[n] + end[n])
        u = end
        total += p + rubbed
        if spent:
            break
    return total, u, lost


def _rub(c: Contacts, p: Floats, u: Floats) -> Floats:
    """Impulses of friction: those that leave least energy, each at most μ times what its gap was pushed with."""
    limit = {k: c.friction[k] * p[k] for k in range(c.gaps) if c.friction[k] > 0.0 and p[k] > 0.0}
    found = np.zeros(len(u))
    if not limit:
        return found
    free = [k for k in range(c.gaps) if c.free[k]]
    rate = u.copy()
    for _ in range(400):
        change = 0.0
        for k in free:
            change = max(change, _move(c, found, rate, k, -rate[k] / c.D[k, k]))
        for k, most in limit.items():
            which = c.tangents_of(k)
            wanted = [found[t] - rate[t] / c.D[t, t] for t in which]
            size = float(np.linalg.norm(wanted))
            if size > most:
                wanted = [x * most / size for x in wanted]
            for t, x in zip(which, wanted, strict=True):
                change = max(change, _move(c, found, rate, t, x - found[t]))
        if change <= 1e-15 * max(limit.values()):
            break
    return found


def _move(c: Contacts, found: Floats, rate: Floats, k: int, step: float) -> float:
    found[k] += step
    rate += c.D[:, k] * step
    return abs(step)
