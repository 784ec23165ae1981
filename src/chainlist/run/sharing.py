"""Where more contacts stick than a body has freedoms: which of them takes how much.

Rigid mechanics tells the sum of their friction alone. What is told here is told to the march: the friction of most is a fixed part of their
normal force, and the few others, which stop all motion, take what is left. The parts are in proportion to what each could take, so that
all reach their limits together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, islice

import numpy as np

from chainlist.kernels.bundles import Floats
from chainlist.kernels.switches import DEPENDENT
from chainlist.run.impacts import RANK, Contacts, Flags

NEARLY = 0.9  # of what all of them can take: beyond, those that are told take their whole, and the last one rings at the limit of all
LIMIT = 1.0 - 1e-9
WEAKLY = 1e-9  # how much forces of normals count beside friction: where they are many too, the smallest
TRIED = 6  # choices of those that take what is left

Spread = Callable[[list[int]], Floats]


def shares(
    c: Contacts, pull: Floats, holds: Flags, sticks: set[int], spread: Spread
) -> tuple[dict[int, Floats], Floats] | None:
    """Of some that stick their friction over their normal force, and the forces of all rows; None where nothing is to be shared.

    `spread` gives the forces of all rows, friction of what slips included, for one newton in each of some rows. None also where no
    parts keep all below their limits.
    """
    if not (np.isfinite(c.D).all() and np.isfinite(pull).all()):
        return None  # the motion is lost, and is told so elsewhere
    gripping = [k for k in sorted(sticks) if holds[k] and c.tangents_of(k)]
    able = [k for k in gripping if not c.free[k] and not c.is_told(k)]
    normals = [int(k) for k in np.flatnonzero(holds)]
    rows = normals + [t for k in gripping for t in c.tangents_of(k)]
    rank = _rank(c, rows)
    if not able or rank == len(rows):
        return None
    for left in islice(_choices(c, pull, able, rows, spread), TRIED):
        solved = normals + [t for k in gripping if k in left or k not in able for t in c.tangents_of(k)]
        if _rank(c, solved) < rank:
            continue
        told = [k for k in able if k not in left]
        kept = _kept(c, solved, spread)
        taken = kept + [t for k in told if k in kept for t in c.tangents_of(k)]  # what does not press holds nothing
        force = _in_proportion(c, pull, rows, taken, spread, gripping)
        if force is not None and _within(c, force, normals, gripping):
            return _parts(c, force, told, gripping), force
    return None


def _choices(c: Contacts, pull: Floats, able: list[int], rows: list[int], spread: Spread) -> Iterator[tuple[int, ...]]:
    """Those that take what is left: as few as stop the motion, first those that can take most."""
    kept = _kept(c, rows, spread)
    force = np.zeros(len(pull))
    force[kept] = np.linalg.lstsq(c.D[rows] @ spread(kept), -pull[rows], rcond=RANK)[0]
    most = sorted((k for k in able if k in kept), key=lambda k: -c.holding(force, k))
    for count in range(len(most) + 1):
        yield from combinations(most, count)


def _kept(c: Contacts, rows: list[int], spread: Spread) -> list[int]:
    """The rows that the march keeps: in their order, without those that depend on others before them (see `factor`)."""
    F = c.D[rows] @ spread(rows)
    kept = []
    for k, row in enumerate(rows):
        if abs(F[k, k]) > DEPENDENT * c.alone[row]:
            kept.append(row)
            F[k + 1 :] -= np.outer(F[k + 1 :, k] / F[k, k], F[k])
    return kept


def _rank(c: Contacts, rows: list[int]) -> int:
    return int(np.linalg.matrix_rank(c.D[np.ix_(rows, rows)], tol=RANK * float(c.D.max())))


def _in_proportion(
    c: Contacts, pull: Floats, rows: list[int], taken: list[int], spread: Spread, gripping: list[int]
) -> Floats | None:
    """Forces of some rows that stop all, of these the ones with the least Σ T²/(μN): frictions in proportion to their limits."""
    whole = spread(taken)
    system = c.D[rows] @ whole
    least = np.linalg.lstsq(system, -pull[rows], rcond=RANK)[0]
    if np.abs(system @ least + pull[rows]).max() > 1e-9 * np.abs(pull).max():
        return None
    free = np.linalg.svd(system)[2][np.linalg.matrix_rank(system, tol=RANK * float(c.D.max())) :].T
    found = least
    for _ in range(4):  # limits depend on the normal forces
        force: Floats = whole @ found
        limits = {k: c.holding(force, k) for k in gripping}
        most = max(limits.values())
        if most <= 0.0:
            return None
        weight = np.full(len(taken), WEAKLY / most)
        for n, row in enumerate(taken):
            if row >= c.gaps:
                weight[n] = 1.0 / max(limits.get(c.under[row - c.gaps], most), WEAKLY * most)
        root = np.sqrt(weight)[:, None]
        found = least + free @ np.linalg.lstsq(root * free, -root[:, 0] * least, rcond=None)[0]
    return np.asarray(whole @ found, np.float64)


def _within(c: Contacts, force: Floats, normals: list[int], gripping: list[int]) -> bool:
    """Whether nothing pulls, and nothing takes more than it can."""
    few = WEAKLY * float(np.abs(force).max())
    pushes = all(c.free[k] or force[k] >= -few for k in normals)
    return pushes and all(c.rubbing(force, k) <= LIMIT * c.holding(force, k) + few * 1e-3 for k in gripping)


def _parts(c: Contacts, force: Floats, told: list[int], gripping: list[int]) -> dict[int, Floats]:
    """The friction of those that are told over their normal force: where little is left for all, as much as they can."""
    nearly = any(c.rubbing(force, k) > NEARLY * c.holding(force, k) > 0.0 for k in gripping)
    parts = {}
    for k in told:
        size, along = c.rubbing(force, k), force[c.tangents_of(k)]
        part = 0.0 if size == 0.0 or force[k] == 0.0 else c.sticking[k] if nearly else size / abs(force[k])
        parts[k] = part * along / size if part else np.zeros(len(along))
    return parts
