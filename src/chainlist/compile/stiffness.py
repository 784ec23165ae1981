"""How long an explicit step may be for the springs and dampers of a mechanism, under its constraints.

A spring swings with ω² = k μ̃, a damper decays with c μ̃, where μ̃ is the mobility along it that the constraints leave: links take
much of it away. Without them the bound would be many times too strict.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chainlist import integrators
from chainlist.compile.stiff import soft_equations
from chainlist.equations.equation import forces_of
from chainlist.equations.interpret import by_kind, evaluate
from chainlist.equations.layout import empty_rows
from chainlist.equations.rowset import RowSet
from chainlist.equations.tables import Tables, number_points
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Mechanism

LARGEST = 240  # coordinates: beyond, the run itself has to show it


@dataclass(frozen=True)
class StepLimit:
    """The longest stable step [s] at the start, and the element that sets it."""

    step: float
    element: str
    is_damper: bool


@np.errstate(all="ignore")
def step_limit(mechanism: Mechanism, rows: RowSet, q: Floats) -> StepLimit | None:
    """None where nothing bounds the step: an adaptive or implicit method, no springs, or too many coordinates to say."""
    decay, swing = integrators.REGISTRY[mechanism.options.integrator].stable
    forces = forces_of(mechanism.forces, mechanism.dimension, mechanism.held)
    soft, numbers = soft_equations(forces, mechanism.dimension)
    if not soft or q.size > LARGEST or not math.isfinite(min(decay, swing)):
        return None
    names = [mechanism.forces[force.element].name for force in forces if force.is_soft]
    points = number_points([b.name for b in mechanism.vectors], q, np.zeros_like(q), [e.ends for e in soft], acts=True)
    table = Tables(points, soft, (), plain=False).rows(1.0, as_written=True)
    found, d = empty_rows(table, q.shape[1]), q.shape[1]
    members = by_kind([e.kind for e in soft])
    evaluate(table, found, members, 0.0, points.q.copy(), np.zeros_like(points.q))
    lightness = np.repeat(1.0 / np.sqrt(mechanism.inertias), d)
    if not np.isfinite(found.J).all():  # an arm of no length has no direction
        return None
    along = _dense(found.J.reshape(len(soft), -1, d), table.point.astype(np.int64), len(q)) * lightness
    held = _dense(rows.at(q).J, rows.body, len(q)) * lightness
    along = along - along @ np.linalg.pinv(held, rcond=1e-9) @ held if len(held) else along
    limits = []
    for column, reach in ((0, swing), (1, decay)):
        weights = np.array([pair[column] for pair in numbers])
        rates, shapes = np.linalg.eigh((along.T * weights) @ along)
        rate = math.sqrt(max(rates[-1], 0.0)) if column == 0 else rates[-1]
        if rate > 0.0 and math.isfinite(rate):
            share = weights * (along @ shapes[:, -1]) ** 2
            limits.append(StepLimit(reach / rate, names[int(np.argmax(share))], column == 1))
    return min(limits, key=lambda limit: limit.step, default=None)


def _dense(J: Floats, body: NDArray[np.int64], bodies: int) -> Floats:
    """Rows over all coordinates of bodies; points that are no bodies do not count."""
    dense = np.zeros((len(J), bodies, J.shape[2]))
    for end in range(J.shape[1]):
        held = np.flatnonzero((body[:, end] >= 0) & (body[:, end] < bodies))
        np.add.at(dense, (held, body[held, end]), J[held, end])
    return dense.reshape(len(J), bodies * J.shape[2])
