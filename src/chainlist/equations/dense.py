"""A, b, Φ, M and F of a mechanism at one state, as dense NumPy arrays to experiment with.

The motion is M a + Aᵀλ = F with A a = b, where the rows of A and b are the constraints, differentiated twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from chainlist.elements import REGISTRY
from chainlist.equations.equation import AnyElement, forces_of, points_in
from chainlist.equations.interpret import interpreted
from chainlist.equations.layout import empty_acting, empty_rows
from chainlist.equations.primitive import NOTHING_HELD, HeldPoints
from chainlist.equations.rowset import row_set
from chainlist.equations.tables import Tables, force_kinds, number_points
from chainlist.kernels import forces as force_kernels
from chainlist.kernels.bind import Workshop
from chainlist.kernels.bundles import Floats
from chainlist.kernels.gauges import Gauge


class _Five(NamedTuple):
    A: Floats  # (rows, coordinates)
    b: Floats  # (rows,)
    phi: Floats  # (rows,)
    M: Floats  # (coordinates, coordinates), diagonal [kg]
    F: Floats  # (coordinates,): all forces but those of constraints [N]


class Equations(_Five):
    """Coordinates count body by body: x of the first, y of the first, x of the second, …

    `c` is what A v must be: 0, but for constraints that depend on the time.
    """

    c: Floats


def dense_equations(
    names: Sequence[str],
    masses: Floats,
    gravity: Floats,
    constraints: Sequence[AnyElement],
    forces: Sequence[AnyElement],
    q: Floats,
    v: Floats,
    t: float,
    held: HeldPoints = NOTHING_HELD,
) -> Equations:
    """The equations of elements over bodies at positions q and velocities v, (bodies, dimension) each.

    `gravity` is one vector for all, or one for each body.
    """
    bodies, dimension = q.shape
    rows = row_set(names, q, constraints, held=held, as_written=True)
    state = rows.at(q, v, t=t)
    A = np.zeros((rows.count, bodies, dimension))
    for end in range(state.J.shape[1]):
        moving = np.flatnonzero(rows.body[:, end] >= 0)
        np.add.at(A, (moving, rows.body[moving, end]), state.J[moving, end])
    F = masses[:, None] * gravity + acting(names, [*constraints, *forces], q, v, t, held)
    M = np.diag(np.repeat(masses, dimension))
    found = Equations(A.reshape(rows.count, bodies * dimension), state.b, state.phi, M, F.reshape(-1))
    found.c = state.c
    return found


def acting(
    names: Sequence[str], elements: Sequence[AnyElement], q: Floats, v: Floats, t: float, held: HeldPoints
) -> Floats:
    """(bodies, dimension) N: what springs, dampers and other forces do at one state, by the kernels of a run."""
    forces = forces_of(elements, q.shape[1], held)
    if not forces:
        return np.zeros_like(q)
    read = [points_in(force.law.force) for force in forces if force.law and force.law.force]
    points = number_points(names, q, v, [*(force.ends for force in forces), *read], acts=True)
    tables = Tables(points, (), forces, plain=False)
    d = q.shape[1]
    table, native = tables.rows(1.0, as_written=True), tables.forces([0] * len(points.q))
    inverse_mass = np.zeros(len(points.q))
    inverse_mass[: points.bodies] = 1.0  # with unit masses accelerations are forces
    system: Any = _Only(table=table, forces=native, inverse_mass=inverse_mass, gravity=np.zeros_like(points.q))
    work: Any = _Only(rows=empty_rows(table, d), acting=empty_acting(native, d), gauge=Gauge())
    work.rows.tape.rate[1] = 1.0  # branches as they hold at t
    found = np.zeros_like(points.q)
    with np.errstate(all="ignore"):
        _all_forces(d)(system, work, t, points.q.copy(), points.v.copy(), found)
    return found[: points.bodies]


def _all_forces(dimension: int) -> Any:
    shop = Workshop("python", DIM=dimension, ACTS=1)
    shop.put("acting", force_kernels.no_forces)
    for number, letter in enumerate(force_kinds()):
        kind = REGISTRY[letter]
        assert kind.force is not None
        more: dict[str, Any] = {"TYPE": number, "ENDS": kind.ends, "POTENTIAL": int(kind.energy is not None)}
        before = shop.parts["acting"]
        shop.put("acting", force_kernels.append_forces, before=before, force=interpreted(kind.force, dimension), **more)
    return shop.make(force_kernels.all_forces)


class _Only:
    """Some fields of a system or of its scratch."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)
