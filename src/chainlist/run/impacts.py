"""Laws of impact and contact over small dense systems: who pushes, by how much, who lets go, who slips.

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
JAM = 1e-9
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


@dataclass
class Grip:
    """Who holds, and how: over the gaps and tangents of `Contacts`."""

    holds: Flags  # (gaps,)
    slips: dict[int, Floats]  # gap → direction of the slip
    sticks: set[int]
    force: Floats  # of all rows
    jams: int = -1  # the gap at which friction leaves no unique motion


def decide(
    c: Contacts,
    pull: Floats,
    slip: dict[int, Floats],
    candidates: Flags,
    slow: float,
    let_go: frozenset[int] = frozenset(),
) -> Grip:
    """Which of the candidates hold from now on, and which of them slip or stick. `pull` is the acceleration of all rows as if none held.

    `slip`: the rates of the tangents of gaps with friction. A gap that does not slip sticks if its friction can hold it, and
    else begins to slip the way it is pulled; those in `let_go` reached the limit of their friction, and slip. One whose slip is
    told passes 0 and goes on.
    """
    gaps = slice(c.gaps)
    which = np.flatnonzero(candidates | c.free[gaps])
    force = np.zeros(len(pull))
    force[which] = pushes(c.D[np.ix_(which, which)], pull[which], c.free[which])
    holds = c.free[gaps].copy()
    holds[which] |= force[which] > 0.0
    grip = Grip(holds, {}, set(), force)
    for k in map(int, which):
        if c.sticking[k] > 0.0 or c.friction[k] > 0.0:
            speed = float(np.linalg.norm(slip[k]))
            turn = pull[c.tangents_of(k)]
            if speed > slow:
                grip.slips[k] = slip[k] / speed
            elif c.is_told(k) and np.linalg.norm(turn) > EQUAL * np.abs(pull).max():
                grip.slips[k] = turn / np.linalg.norm(turn)
            else:
                grip.sticks.add(k)
    for k in let_go & grip.sticks:
        _begin_to_slip(c, grip, k, _forces(c, pull, grip))
    return _settle(c, pull, candidates, grip, float(np.abs(pull).max(initial=0.0)))


def _begin_to_slip(c: Contacts, grip: Grip, k: int, force: Floats) -> None:
    """The way it is pulled: against the force that held it."""
    held = force[c.tangents_of(k)]
    size = float(np.linalg.norm(held))
    if size > 0.0:
        grip.sticks.remove(k)
        grip.slips[k] = -held / size


def _settle(c: Contacts, pull: Floats, candidates: Flags, grip: Grip, scale: float) -> Grip:
    """Change one thing at a time until every row is content: no gap pulls or closes, no friction exceeds its limit."""
    began = set(grip.slips)
    for _ in range(20 * (len(pull) + 1)):
        force = grip.force = _forces(c, pull, grip)
        if grip.jams >= 0:
            return grip
        most = float(np.abs(force).max(initial=0.0))
        rate = pull + c.D @ force
        pulling = [k for k in range(c.gaps) if grip.holds[k] and not c.free[k] and force[k] < -EQUAL * most]
        if pulling:
            grip.holds[min(pulling, key=lambda k: force[k])] = False
            continue
        over = [k for k in grip.sticks if grip.holds[k] and _excess(c, force, k) > EQUAL * most]
        if over:
            k = max(over, key=lambda k: _excess(c, force, k))
            _begin_to_slip(c, grip, k, force)
            began.add(k)
            continue
        closing = [k for k in range(c.gaps) if candidates[k] and not grip.holds[k] and rate[k] < -1e-9 * scale]
        if closing:
            grip.holds[min(closing, key=lambda k: rate[k])] = True
            continue
        back = [k for k, way in grip.slips.items() if k not in began and float(rate[c.tangents_of(k)] @ way) < 0.0]
        if back:
            grip.sticks.add(back[0])
            del grip.slips[back[0]]
            continue
        break
    return grip


def _excess(c: Contacts, force: Floats, k: int) -> float:
    return float(np.linalg.norm(force[c.tangents_of(k)]) - c.sticking[k] * abs(force[k]))


def _forces(c: Contacts, pull: Floats, grip: Grip) -> Floats:
    """Forces of all that holds, with friction where it slips."""
    solved = [k for k in range(c.gaps) if grip.holds[k]]
    solved += [t for k in sorted(grip.sticks) if grip.holds[k] for t in c.tangents_of(k)]
    force = np.zeros(len(pull))
    if not solved:
        return force
    spread = np.zeros((len(pull), len(solved)))  # the force of each row, friction included
    for n, row in enumerate(solved):
        spread[row, n] = 1.0
        if row in grip.slips:
            sign = -1.0 if c.free[row] and grip.force[row] < 0.0 else 1.0
            spread[c.tangents_of(row), n] = -sign * c.friction[row] * grip.slips[row]
    system = c.D[solved] @ spread
    for n, row in enumerate(solved):
        if row in grip.slips and system[n, n] <= JAM * c.D[row, row]:
            grip.jams = row
            return force
    found = np.linalg.lstsq(system, -pull[solved], rcond=RANK)[0]
    answer: Floats = spread @ found
    return answer
