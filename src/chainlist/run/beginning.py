"""Questions to a start: the equations that hold there, and how far it lies from the one that was given."""

from __future__ import annotations

import numpy as np

from chainlist.compile.held import with_held
from chainlist.compile.system import Assembly
from chainlist.equations.rowset import RowSet, row_set
from chainlist.kernels.bundles import Floats


def rows_of(assembly: Assembly, q: Floats) -> RowSet:
    """The constraints of the bodies, as the checks of a text see them."""
    mechanism = assembly.mechanism
    names = [body.name for body in mechanism.vectors]
    return row_set(names, q[: len(names)], mechanism.constraints, assembly.bars, held=mechanism.held)


def how_far(assembly: Assembly, given: tuple[Floats, Floats], start: tuple[Floats, Floats]) -> tuple[float, float]:
    """How far a start lies from the one that was given: m, and m/s of the bodies whose velocity was."""
    mechanism, bodies = assembly.mechanism, slice(assembly.bodies)
    (given_q, given_v), (q, v) = given, start
    points = mechanism.bodies[assembly.bodies :]
    if not points and np.array_equal(q, given_q) and np.array_equal(v, given_v):
        return 0.0, 0.0
    keeps = [body.keeps_velocity for body in mechanism.bodies]
    of_points = np.array([body.velocity for body in points], float).reshape(-1, mechanism.dimension)
    wanted = np.vstack([given_v[bodies], of_points])
    off_q, off_v = (q - given_q)[bodies], (with_held(mechanism, v[None, bodies])[0] - wanted)[keeps]
    return _longest(off_q), _longest(off_v)


def _longest(arrows: Floats) -> float:
    """Length of the longest of these vectors."""
    return float(np.linalg.norm(arrows, axis=-1).max(initial=0.0))
