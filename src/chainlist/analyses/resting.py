"""A machine held still: brought onto its constraints, and the accelerations with which it would begin to move.

Everything is asked of the kernels that a run uses, so a linearisation is one of the very equations that are integrated. The
time stands: what moves as told is held where it is at `time`.
"""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import Any

import numpy as np

from chainlist.compile.layout import make_work
from chainlist.compile.plan import Choice, plan, reactor
from chainlist.compile.system import assemble
from chainlist.equations.rowset import RowSet, row_set
from chainlist.kernels import slots
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Mechanism
from chainlist.run.grid import RunRefused, make_grid
from chainlist.run.runner import Runner

PLAIN: dict[str, Any] = {
    "daesystem": "PROJECTED",
    "mpi_algo": "AUTO",
    "integrator": "RK4",
    "energycorrector": "OFF",
    "breakdown": "STOP",
    "mpitol": None,
    "save": None,
}  # with these settings the constraints hold exactly, whatever the chainlist studies
LANDED = 1e-9  # of the size of each row: residuals of a state that was brought onto the constraints
DEPENDENT = 1e-8  # smallest singular value of unit rows that counts
_NOWHERE = (1 << 60, 1 << 60, 1)  # a grid without samples


def refuse_switches(mechanism: Mechanism, what: str) -> None:
    """What holds only at times has no derivative where it begins to hold."""
    for element in mechanism.switched[:1]:
        message = f"{what} are of machines that always hold, and {element.name} holds only at times"
        raise RunRefused(f"{message}: leave it out, or let it hold always")


class Resting:
    """States are positions (vectors, dimension) of what moves by itself: points of rigid bodies follow."""

    def __init__(self, mechanism: Mechanism, time: float = 0.0) -> None:
        refuse_switches(mechanism, "equilibria and small motions")
        options = dataclasses.replace(mechanism.options, **PLAIN)
        self.mechanism = dataclasses.replace(mechanism, options=options, stops=())
        self.time = time
        self.assembly = assemble(self.mechanism).by_rows
        self.system = self.assembly.system.but(corrects=0)
        self.count, self.dimension = self.assembly.bodies, mechanism.dimension
        choice = Choice("PROJECTED", "RK4", "AUTO", self.dimension)
        step = mechanism.transient.step
        self._runner = Runner(self.assembly, choice, make_grid(0.0, step, step, None))
        self._runner.start()
        if not self._runner.status.ok:
            raise RunRefused(str(self._runner.status))
        apart = len(self.system.groups.size) > 1
        self._march = plan(dataclasses.replace(choice, apart=apart, acts=self.assembly.acts)).march
        self._react = reactor(dataclasses.replace(choice, integrator="", acts=self.assembly.acts))
        self._work = make_work(self.assembly.system, stages=1, named=False)
        for work in (self._runner.work, self._work):
            if work.rows.tape is not None:
                work.rows.tape.rate[0] = 0.0

    @property
    def start(self) -> Floats:
        """Where the machine begins, put right where it did not fit."""
        return self._runner.q[: self.count].copy()

    @cached_property
    def masses(self) -> Floats:
        """Of each coordinate [kg]."""
        return np.repeat([body.mass for body in self.mechanism.vectors], self.dimension)

    def landed(self, q: Floats) -> Floats | None:
        """The place on the constraints nearest to q in the metric of the masses; None where there is none near."""
        runner = self._runner
        places, speeds = runner.q.copy(), np.zeros_like(runner.q)
        places[: self.count] = q
        runner.work.count.numbers.fill(0)
        runner.work.factor.active[:] = 1
        times = (1.0, 1.0, self.time)
        nothing = np.empty((0, *runner.Q.shape[1:]))
        kept = nothing, nothing, np.empty(0), np.empty((0, self.assembly.memory))
        code = self._march(self.system, runner.work, -1, 0, _NOWHERE, times, places, speeds, *kept)
        if code != slots.DONE or not runner.work.gauge.residual <= LANDED:
            return None
        return places[: self.count]

    def accelerations(self, Q: Floats, V: Floats | None = None) -> Floats:
        """(states, vectors, dimension) m/s², at positions Q and velocities V (at rest, if not given)."""
        system, assembly = self.system, self.assembly
        Q = np.array(Q, float, order="C")  # copies, for arrays that are read-only would have kernels of their own
        V = np.zeros_like(Q) if V is None else np.array(V, float, order="C")
        a, lam = np.empty_like(Q), np.empty((len(Q), len(assembly.equations)))
        pull = np.empty((len(Q), len(assembly.forces)))
        grasp = np.empty((len(Q), 0))  # nothing switches
        rates = np.empty_like(lam), np.empty_like(lam)
        out = a, lam, np.empty(lam.shape, np.uint8), *rates, pull, np.empty_like(pull), grasp, np.empty_like(grasp)
        places, memory = assembly.q.copy(), np.empty((0, assembly.memory))
        self._react(system, self._work, places, np.zeros_like(places), np.full(len(Q), self.time), Q, V, memory, *out)
        return a

    @cached_property
    def _rows(self) -> RowSet:
        mechanism = self.mechanism
        names = [body.name for body in mechanism.vectors]
        return row_set(
            names, self.assembly.q[: self.count], mechanism.constraints, self.assembly.bars, held=mechanism.held
        )

    def gradient(self, q: Floats) -> Floats:
        """A (rows, coordinates) of the rows that a run has: straight bars as one."""
        rows = self._rows
        state = rows.at(q, t=self.time, time_stands=True)
        A = np.zeros((rows.count, self.count, self.dimension))
        for end in range(state.J.shape[1]):
            moving = np.flatnonzero(rows.body[:, end] >= 0)
            np.add.at(A, (moving, rows.body[moving, end]), state.J[moving, end])
        return A.reshape(rows.count, self.count * self.dimension)

    def tangents(self, q: Floats) -> tuple[Floats, Floats]:
        """Orthonormal bases (coordinates, freedoms) of the ways in which positions, and velocities, can change at q."""
        A = self.gradient(q)
        length = np.linalg.norm(A, axis=1)
        A = A / np.where(length > 0.0, length, 1.0)[:, None]
        of_velocities = np.array([equation.of_velocities for equation in self._rows.equations], bool)
        both = _null_space(A)
        return (both if not of_velocities.any() else _null_space(A[~of_velocities])), both


def _null_space(A: Floats) -> Floats:
    """Orthonormal columns Z with A Z = 0; rows that depend on one another count once."""
    if not len(A):
        return np.eye(A.shape[1])
    _, sigma, right = np.linalg.svd(A)
    found: Floats = right[int((sigma > DEPENDENT).sum()) :].T
    return found
