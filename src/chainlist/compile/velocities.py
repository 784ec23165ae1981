"""Velocities at the start: bodies with IC_VEL keep theirs, the others follow with the least kinetic energy that fits.

Only where the given ones do not fit together is the whole projected: the nearest velocities, in the norm of energy.

In a singular position, where branches of the motion cross, more velocities fit than lead anywhere: there the others follow
with velocities of a branch, if one is near.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.factor import Block, BlockFactor, TooDense
from chainlist.compile.rank import DEPENDENT, connected, find_rank
from chainlist.compile.settle import FITS
from chainlist.equations.primitive import linear_form
from chainlist.equations.rowset import FIXED, RowSet
from chainlist.kernels.bundles import Floats
from chainlist.model.combinations import drives
from chainlist.model.mechanism import Mechanism

CONTRADICTING = 1000  # coordinates for which given velocities that do not fit are weighed against each other


CROSSING = 200  # coordinates for which velocities of a branch are looked for
NEWTON = 12  # steps towards them
LEADS = 1e-12  # of what cancels where a velocity leads on
NOWHERE = 1e-6  # of the same where it leads nowhere for certain


HARDLY = 1e-7  # of what a point without mass is lent: here it is not taken back


@dataclass(frozen=True, eq=False)
class StartVelocities:
    """Velocities of all bodies, (bodies, dimension), and whether the given ones are among them unchanged."""

    velocity: Floats
    fits: bool
    nowhere: tuple[
        int, ...
    ] = ()  # rows that depend on one another, and of whose motions none goes on with these velocities


def needs_following(mechanism: Mechanism) -> bool:
    """Some velocities are given, or driven: the others depend on them."""
    if not mechanism.constraints:
        return False
    return any(body.keeps_velocity for body in mechanism.bodies) or any(map(drives, mechanism.constraints))


@np.errstate(all="ignore")
def start_velocities(mechanism: Mechanism, rows: RowSet, q: Floats) -> StartVelocities:
    """The velocities with which a motion at positions q begins."""
    given = np.array([body.velocity for body in mechanism.vectors], float).reshape(q.shape)
    keeps = np.array([body.keeps_velocity for body in mechanism.vectors], bool)
    masses = np.array(mechanism.inertias)
    masses[[body.mass == 0.0 for body in mechanism.vectors]] *= HARDLY
    state = rows.at(q, given)
    constraints = VelocityConditions(rows.body, state.J, state.c)
    wanted = _with_points(mechanism, constraints)
    followed = nearest_velocities(wanted, given, masses, held=keeps)
    if followed is not None and _fits(wanted, followed):
        velocity, nowhere = _of_a_branch(rows, q, wanted, followed, masses, keeps)
        return StartVelocities(velocity, True, nowhere)
    if wanted is not constraints:
        rest = slice(len(constraints.c), None)
        points = VelocityConditions(wanted.body[rest], wanted.J[rest], wanted.c[rest])
        projected = _nearest_to_given(constraints, points, given, keeps, masses)
        if projected is not None:
            return StartVelocities(projected, False)
    whole = nearest_velocities(constraints, given, masses, held=np.zeros_like(keeps))
    return StartVelocities(given if whole is None else whole, False)


class VelocityConditions(NamedTuple):
    """Conditions A v = c, row by row: the vectors of each, its derivatives by them, and c."""

    body: NDArray[np.int64]  # (rows, ends): a vector, or FIXED
    J: Floats  # (rows, ends, dimension)
    c: Floats


def _with_points(mechanism: Mechanism, rates: VelocityConditions) -> VelocityConditions:
    """The same with a condition for each velocity that was given to a point of a rigid body."""
    points = [body for body in mechanism.bodies if body.role == "held" and body.keeps_velocity]
    if not points:
        return rates
    d, index = mechanism.dimension, mechanism.vector_index
    width = max([rates.body.shape[1], *(len(point.weights) for point in points)])
    count = len(rates.c) + d * len(points)
    found = VelocityConditions(np.full((count, width), FIXED), np.zeros((count, width, d)), np.zeros(count))
    ends = rates.body.shape[1]
    found.body[: len(rates.c), :ends], found.J[: len(rates.c), :ends] = rates.body, rates.J
    found.c[: len(rates.c)] = rates.c
    for k, (point, c) in enumerate(((p, c) for p in points for c in range(d)), start=len(rates.c)):
        found.c[k] = point.velocity[c]
        for e, (vector, alpha, beta) in enumerate(point.weights):
            found.body[k, e] = index[vector]
            found.J[k, e] = linear_form(c, alpha, beta, d)
    return found


def nearest_velocities(
    rows: VelocityConditions, v: Floats, masses: Floats, *, held: NDArray[np.bool_]
) -> Floats | None:
    """v changed as little as possible (Σ m |dv|²), bodies in `held` not at all, so that A v = c; None: too dense to say."""
    found = v.copy()
    J = rows.J
    body = np.where((rows.body != FIXED) & ~held[rows.body], rows.body, FIXED)
    free = np.flatnonzero((body != FIXED).any(axis=1)).tolist()
    lightness = 1.0 / np.sqrt(masses)
    lacking = rows.c - _along(rows, v)
    for group in connected(body, free):
        if not np.abs(lacking[group]).max() > 0.0:
            continue
        weighted = J[group] * np.where(body[group] != FIXED, lightness[body[group]], 0.0)[:, :, None]
        block = Block(body[group])
        try:
            factor = BlockFactor(block, weighted, DEPENDENT)
        except TooDense:
            return None
        change = block.transposed(weighted, factor.solve(lacking[group]))
        found[block.bodies] += lightness[block.bodies][:, None] * change
    return found


def _of_a_branch(
    rows: RowSet, q: Floats, wanted: VelocityConditions, v: Floats, masses: Floats, held: NDArray[np.bool_]
) -> tuple[Floats, tuple[int, ...]]:
    """v, changed so that rows which depend on one another ask for accelerations that do so too; or, where none is found, v and
    the rows for which it leads nowhere.

    Where Σ y A = 0 a motion needs Σ y b(v) = 0, which is quadratic in v; v is often a root already, and else one of Newton's
    method, within what A v = c and the given velocities leave.
    """
    J = rows.at(q).J
    if not 0 < v.size <= CROSSING or not (np.isfinite(J).all() and np.isfinite(v).all()):
        return v, ()
    dependent = find_rank(rows.body, J).dependent
    involved = sorted({k for dependence in dependent for k in dependence.rows})
    if not involved:
        return v, ()
    few, place = rows.some(involved), {k: n for n, k in enumerate(involved)}
    y = np.zeros((len(dependent), len(involved)))
    for j, dependence in enumerate(dependent):
        y[j, [place[k] for k in dependence.rows]] = dependence.y

    def lacks(velocity: Floats) -> tuple[Floats, Floats]:
        """What is missing of accelerations that fit, and what of it is roundoff at most; of each set."""
        b = few.at(q, velocity).b
        return y @ b, np.abs(y) @ np.abs(b)

    missing, all_of_it = lacks(v)
    if not np.isfinite(missing).all() or (np.abs(missing) <= LEADS * all_of_it).all():
        return v, ()
    nowhere = np.flatnonzero(np.abs(missing) > NOWHERE * all_of_it)
    free, found = _free(wanted, v, masses, held, few.body), v
    for _ in range(NEWTON if len(free) else 0):
        slope = np.stack([0.5 * (lacks(found + z)[0] - lacks(found - z)[0]) for z in free], axis=1)
        change = np.tensordot(np.linalg.lstsq(slope, missing, rcond=DEPENDENT)[0], free, axes=1)
        if not np.abs(change).max() > DEPENDENT * np.abs(found).max():
            break
        found = found - change
        missing, all_of_it = lacks(found)
        if (np.abs(missing) <= LEADS * all_of_it).all():
            return found, ()
    return v, tuple(sorted({k for j in nowhere for k in dependent[j].rows}))


def _free(
    wanted: VelocityConditions, v: Floats, masses: Floats, held: NDArray[np.bool_], body: NDArray[np.int64]
) -> Floats:
    """Velocities that could be added: those that the conditions and the given ones leave, as far as they move some bodies."""
    root = np.repeat(np.sqrt(masses), v.shape[1])
    a = np.vstack([_matrix(wanted, v), np.eye(v.size)[np.repeat(held, v.shape[1])]]) / root
    _, sizes, directions = np.linalg.svd(a)
    free = directions[np.count_nonzero(sizes > DEPENDENT * sizes.max(initial=0.0)) :]
    moved = np.isin(np.repeat(np.arange(len(v)), v.shape[1]), body)
    ways, sizes, _ = np.linalg.svd(free[:, moved], full_matrices=False)
    found: Floats = (ways[:, sizes > DEPENDENT].T @ free / root).reshape(-1, *v.shape)
    return found


def _nearest_to_given(
    constraints: VelocityConditions, points: VelocityConditions, v: Floats, keeps: NDArray[np.bool_], masses: Floats
) -> Floats | None:
    """Of all velocities that fit, those with the least squares of what given ones lack; None where there are too many.

    A point of a rigid body has no mass by which a change of its velocity could be weighed. The matrices are dense: this
    is asked for once, and only where velocities contradict.
    """
    if v.size > CONTRADICTING:
        return None
    root = np.repeat(np.sqrt(masses), v.shape[1])
    a = _matrix(constraints, v) / root
    wanted = np.vstack([_matrix(points, v), np.eye(v.size)[np.repeat(keeps, v.shape[1])]]) / root
    goal = np.concatenate([points.c, v[keeps].ravel()])
    found = root * v.ravel()
    found += np.linalg.lstsq(a, constraints.c - a @ found, rcond=DEPENDENT)[0]
    _, sizes, directions = np.linalg.svd(a)
    free = directions[np.count_nonzero(sizes > DEPENDENT * sizes.max(initial=0.0)) :]
    found += free.T @ np.linalg.lstsq(wanted @ free.T, goal - wanted @ found, rcond=DEPENDENT)[0]
    changed: Floats = (found / root).reshape(v.shape)
    return changed


def _matrix(rows: VelocityConditions, v: Floats) -> Floats:
    """The rows as a dense matrix over all coordinates."""
    found = np.zeros((len(rows.c), *v.shape))
    row, end = np.nonzero(rows.body != FIXED)
    np.add.at(found, (row, rows.body[row, end]), rows.J[row, end])
    return found.reshape(len(rows.c), v.size)


def _along(rows: VelocityConditions, v: Floats) -> Floats:
    ends = np.where((rows.body != FIXED)[:, :, None], v[rows.body], 0.0)
    along: Floats = np.einsum("kec,kec->k", rows.J, ends)
    return along


def _fits(rows: VelocityConditions, v: Floats) -> bool:
    ends = np.where((rows.body != FIXED)[:, :, None], v[rows.body], 0.0)
    # by lengths, not by products: a body that moves along its rail has none across it but roundoff
    speeds = (np.linalg.norm(rows.J, axis=2) * np.linalg.norm(ends, axis=2)).sum(axis=1) + np.abs(rows.c)
    # an axis that does not turn has nothing but the roundoff of the others, which is measured by their speeds and adds up
    roundoff = 16 * len(speeds) * np.finfo(float).eps * speeds.max(initial=0.0)
    return bool((np.abs(_along(rows, v) - rows.c) <= FITS * speeds + roundoff).all())
