"""Velocities at the start: bodies with IC_VEL keep theirs, the others follow with the least kinetic energy that fits.

Only where the given ones do not fit together is the whole projected: the nearest velocities, in the norm of energy.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.factor import Block, Factor, TooDense
from chainlist.compile.rank import DEPENDENT, connected
from chainlist.compile.settle import FITS
from chainlist.equations.layout import Floats
from chainlist.equations.rowset import FIXED, RowSet
from chainlist.model.mechanism import Mechanism


@dataclass(frozen=True, eq=False)
class Start:
    """Velocities of all bodies, (bodies, dimension), and whether the given ones are among them unchanged."""

    velocity: Floats
    fits: bool


def needs_following(mechanism: Mechanism) -> bool:
    """Some velocities are given, or driven: the others depend on them."""
    if not mechanism.constraints:
        return False
    return any(body.keeps_velocity for body in mechanism.bodies) or mechanism.is_driven


@np.errstate(all="ignore")
def start_velocities(mechanism: Mechanism, rows: RowSet, q: Floats) -> Start:
    """The velocities with which a motion at positions q begins."""
    given = np.array([body.velocity for body in mechanism.bodies], float).reshape(q.shape)
    keeps = np.array([body.keeps_velocity for body in mechanism.bodies], bool)
    masses = np.array([body.mass for body in mechanism.bodies], float)
    state = rows.at(q, given)
    followed = _nearest(rows, state.J, state.c, given, masses, held=keeps)
    if followed is not None and _fits(rows, state.J, state.c, followed):
        return Start(followed, True)
    whole = _nearest(rows, state.J, state.c, given, masses, held=np.zeros_like(keeps))
    return Start(given if whole is None else whole, False)


def _nearest(
    rows: RowSet, J: Floats, c: Floats, v: Floats, masses: Floats, *, held: NDArray[np.bool_]
) -> Floats | None:
    """v changed as little as possible (Σ m |dv|²), bodies in `held` not at all, so that A v = c; None: too dense to say."""
    found = v.copy()
    body = np.where((rows.body != FIXED) & ~held[rows.body], rows.body, FIXED)
    free = np.flatnonzero((body != FIXED).any(axis=1)).tolist()
    lightness = 1.0 / np.sqrt(masses)
    lacking = c - _along(rows, J, v)
    for group in connected(body, free):
        if not np.abs(lacking[group]).max() > 0.0:
            continue
        weighted = J[group] * np.where(body[group] != FIXED, lightness[body[group]], 0.0)[:, :, None]
        try:
            block = Block(body[group])
        except TooDense:
            return None
        factor = Factor(block, weighted, DEPENDENT)
        change = block.transposed(weighted, factor.solve(lacking[group]))
        found[block.bodies] += lightness[block.bodies][:, None] * change
    return found


def _along(rows: RowSet, J: Floats, v: Floats) -> Floats:
    ends = np.where((rows.body != FIXED)[:, :, None], v[rows.body], 0.0)
    along: Floats = np.einsum("kec,kec->k", J, ends)
    return along


def _fits(rows: RowSet, J: Floats, c: Floats, v: Floats) -> bool:
    ends = np.where((rows.body != FIXED)[:, :, None], v[rows.body], 0.0)
    # by lengths, not by products: a body that moves along its rail has none across it but roundoff
    speeds = (np.linalg.norm(J, axis=2) * np.linalg.norm(ends, axis=2)).sum(axis=1) + np.abs(c)
    return bool((np.abs(_along(rows, J, v) - c) <= FITS * speeds).all())
