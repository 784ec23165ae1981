"""What a dependent set of rows means: harmless redundancy, a degenerate pattern, or a start in a singular position.

For a dependent set, Σ y_k A_k = 0 with coefficients y. Along a velocity v that every row allows, the constraints bend
away from it by Q(v) = Σ y_k vᵀ∇²Φ_k v, which the row kernels give: vᵀ∇²Φ_k v is −b_k. The velocities that a path on
the constraints can have are those with Q(v) = 0, so

    Q = 0             nothing is demanded beyond the other rows: the set is redundant;
    Q of one sign     only some of the velocities are real: degenerate, here and in every position near by;
    Q of both signs   branches of the motion cross here: a singular position.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chainlist.compile.rank import Dependence
from chainlist.equations.rowset import RowSet
from chainlist.kernels.bundles import Floats

REDUNDANT, DEGENERATE, SINGULAR = "redundant", "degenerate", "singular"

SAMPLES = 8  # random velocities tried on every set
NO_BEND = 1e-7  # relative size of Q that counts as 0
AT_REST = 1e-6  # part of a velocity that is left when a set cannot move at all
EXACT_COORDINATES = 60  # sets that touch no more are looked at exactly …
EXACT_SETS = 20  # … the first of them


def kinds(rows: RowSet, q: Floats, sets: Sequence[Dependence]) -> list[str]:
    """The kind of each dependent set at the position q."""
    bends = _sampled(rows, q, sets)
    found = []
    exact = 0
    for dependence, bend in zip(sets, bends, strict=True):
        kind = _kind(bend)
        if kind != REDUNDANT and exact < EXACT_SETS:
            bodies = _bodies(rows, dependence)
            if len(bodies) * rows.dimension <= EXACT_COORDINATES:
                exact += 1
                kind = _kind(_eigenvalues(rows, q, dependence, bodies))
        found.append(kind)
    return found


def _bend(rows: RowSet, q: Floats, v: Floats, only: list[int]) -> Floats:
    """−vᵀ∇²Φ v of some rows, with the time held fast."""
    return rows.at(q, v, only=only, time_stands=True).b


def _kind(bend: Floats) -> str:
    """From values of Q, relative to what it would be if nothing cancelled."""
    up, down = bool((bend > NO_BEND).any()), bool((bend < -NO_BEND).any())
    return SINGULAR if up and down else DEGENERATE if up or down else REDUNDANT


def _bodies(rows: RowSet, dependence: Dependence) -> list[int]:
    held = np.unique(rows.body[list(dependence.rows)])
    return [int(b) for b in held if b >= 0]


def _sampled(rows: RowSet, q: Floats, sets: Sequence[Dependence]) -> list[Floats]:
    """Q of each set along random velocities, which all sets share."""
    wanted = sorted({k for dependence in sets for k in dependence.rows})
    blocks = {id(dependence.block): dependence for dependence in sets}
    random = np.random.default_rng(0)
    bends = np.zeros((len(sets), SAMPLES))
    # All sets one behind the other, and where each begins: sums over each are taken at once.
    members = np.concatenate([dependence.rows for dependence in sets])
    begin = np.cumsum([0, *(len(dependence.rows) for dependence in sets[:-1])])
    y = np.concatenate([dependence.y for dependence in sets])
    bodies = [_bodies(rows, dependence) for dependence in sets]
    touched = np.concatenate(bodies)
    begin_bodies = np.cumsum([0, *map(len, bodies[:-1])])

    def size(velocity: Floats) -> Floats:
        squares: Floats = (velocity**2).sum(axis=1)
        return np.sqrt(np.add.reduceat(squares[touched], begin_bodies))

    for sample in range(SAMPLES):
        any_velocity = np.zeros_like(q)
        allowed = np.zeros_like(q)
        for dependence in blocks.values():
            w = random.normal(size=(len(dependence.block.bodies), q.shape[1]))
            any_velocity[dependence.block.bodies] = w
            allowed[dependence.block.bodies] = dependence.factor.projected(w)
        free, bound = _bend(rows, q, any_velocity, wanted), _bend(rows, q, allowed, wanted)
        all_of_it, rest = size(any_velocity), size(allowed)
        scale = np.add.reduceat(np.abs(y * free[members]), begin)
        bend = -np.add.reduceat(y * bound[members], begin) / scale * (all_of_it / rest) ** 2
        bends[:, sample] = np.where((rest > AT_REST * all_of_it) & (scale > 0), bend, 0.0)
    return list(bends)


def _eigenvalues(rows: RowSet, q: Floats, dependence: Dependence, bodies: list[int]) -> Floats:
    """The eigenvalues of Q on the velocities of these bodies that all rows allow, relative to its uncancelled size."""
    block, factor = dependence.block, dependence.factor
    dimension = q.shape[1]
    place = {int(b): i for i, b in enumerate(block.bodies)}
    touched = [place[b] for b in bodies]
    projector = []
    for body in touched:
        for c in range(dimension):
            w = np.zeros((len(block.bodies), dimension))
            w[body, c] = 1.0
            projector.append(factor.projected(w)[touched].reshape(-1))
    values, vectors = np.linalg.eigh(np.array(projector))
    Z = vectors[:, values > AT_REST**2]
    hessian, scale = _hessian(rows, q, dependence, bodies)
    if Z.shape[1] == 0 or scale == 0 or not np.isfinite(hessian).all():
        return np.zeros(1)
    eigenvalues: Floats = np.linalg.eigvalsh(Z.T @ hessian @ Z) / scale
    return eigenvalues


def _hessian(rows: RowSet, q: Floats, dependence: Dependence, bodies: list[int]) -> tuple[Floats, float]:
    """Σ y_k ∇²Φ_k over the coordinates of these bodies, from b by polarisation; and the sum of the sizes of its parts."""
    dimension = q.shape[1]
    place = {body: i * dimension for i, body in enumerate(bodies)}
    hessian = np.zeros((len(bodies) * dimension,) * 2)
    scale = 0.0
    for k, y in zip(dependence.rows, dependence.y, strict=True):
        coordinates = [(int(b), c) for b in rows.body[k] if b >= 0 for c in range(dimension)]
        one = np.zeros((len(coordinates),) * 2)

        def bend(*which: int, row: int = k, of: list[tuple[int, int]] = coordinates) -> float:
            v = np.zeros_like(q)
            for n in which:
                v[of[n]] += 1.0
            return float(-_bend(rows, q, v, [row])[row])

        for i in range(len(coordinates)):
            one[i, i] = bend(i)
        for i in range(len(coordinates)):
            for j in range(i):
                one[i, j] = one[j, i] = 0.5 * (bend(i, j) - one[i, i] - one[j, j])
        where = [place[b] + c for b, c in coordinates]
        hessian[np.ix_(where, where)] += y * one
        scale += abs(y) * float(np.linalg.norm(one))
    return hessian, scale
