"""Whether constraints contradict one another: their residuals are then in balance, like the tensions of a frame under strain.

Levenberg and Marquardt's method moves the bodies of a group until the sum of the squares of its residuals is smallest. If it
is not 0 there, the linearised rows contradict one another: Aᵀ r = 0 says that no small movement makes all of them smaller. A
large one may, to another place of rest: whoever asks has to look there too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chainlist.compile.factor import DENSE, Block
from chainlist.equations.rowset import RowSet
from chainlist.kernels.bundles import Floats

STEPS = 200
BALANCED = 1e-6  # what is left of the largest forces at a body, where residuals are taken for tensions
FIRST_DAMPING, STIFFEST = 1e-3, 1e12
SOFTEST = 1e-9  # of the first damping: with less, rows that say the same leave a matrix that cannot be solved
GAIN = 1e-3  # of what was promised: a step that gives less is not taken


@dataclass(frozen=True, eq=False)
class Rest:
    """Where a group came to rest."""

    q: Floats
    residual: Floats  # of each of its rows, relative to its size
    balanced: bool  # no small movement makes all of them smaller
    steps: int


def come_to_rest(rows: RowSet, q: Floats, group: list[int], fits: float, steps: int = STEPS) -> Rest:
    """From a position near by; groups that are too large for it stay where they are."""
    block, size, q = Block(rows.body[group]), rows.size[group], q.copy()
    few = rows.some(group)

    def look(q: Floats) -> tuple[Floats, Floats]:
        with np.errstate(all="ignore"):
            state = few.at(q)
            return state.phi / size, block.dense(state.J) / size[:, None]

    r, A = look(q)
    if min(A.shape) > DENSE or not (np.isfinite(r).all() and np.isfinite(A).all()):
        return Rest(q, r, False, 0)
    damping, stiffer = FIRST_DAMPING * float(np.einsum("kc,kc->c", A, A).max(initial=0.0)), 2.0
    unit = damping
    for step in range(steps):
        if np.abs(r).max() <= fits or _balanced(A, r):
            return Rest(q, r, bool(np.abs(r).max() > fits), step)
        x = _damped(A, r, damping)
        less = A @ x
        promised = float(less @ (2 * r - less))  # of the sum of squares; not positive: all is roundoff
        trial = q.copy()
        trial[block.bodies] -= x.reshape(-1, q.shape[1])
        new, new_A = look(trial)
        gain = min(1.0, float(r @ r - new @ new) / promised) if promised > 0.0 else 0.0
        if gain > GAIN and np.isfinite(new_A).all():
            q, r, A = trial, new, new_A
            damping, stiffer = max(SOFTEST * unit, damping * max(0.1, 1 - (2 * gain - 1) ** 3)), 2.0
        else:
            damping, stiffer = damping * stiffer, stiffer * 2
        if not damping < STIFFEST * unit:
            break
    return Rest(q, r, False, step + 1)


def _balanced(A: Floats, r: Floats) -> bool:
    return bool(np.abs(A.T @ r).max() <= BALANCED * (np.abs(A).T @ np.abs(r)).max())


def _damped(A: Floats, r: Floats, damping: float) -> Floats:
    """x with (Aᵀ A + damping) x = Aᵀ r, by the smaller matrix."""
    if len(A) <= A.shape[1]:
        short: Floats = A.T @ np.linalg.solve(A @ A.T + damping * np.eye(len(A)), r)
        return short
    x: Floats = np.asarray(np.linalg.solve(A.T @ A + damping * np.eye(A.shape[1]), A.T @ r), dtype=float)
    return x
