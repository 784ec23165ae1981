"""A motion that goes on for as long as somebody watches it, and that can be pulled meanwhile.

To the kernels a pull is a part of the free acceleration of the bodies, as gravity is: they are the same as in a run, and as long as
nothing pulls the motion is that of the run to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from chainlist import integrators
from chainlist.compile.held import with_held
from chainlist.compile.plan import Choice
from chainlist.compile.system import assemble
from chainlist.kernels.bundles import Floats
from chainlist.model.combinations import clashes, misfits
from chainlist.model.mechanism import Mechanism
from chainlist.run.grid import Grid, RunRefused
from chainlist.run.runner import Runner
from chainlist.run.status import NO_START

_ENDLESS = 1 << 60  # steps
_LOOK = 0.02  # s of computing between two looks at `cancel`


class Live:
    """A mechanism in motion, from its start on."""

    def __init__(self, mechanism: Mechanism, *, announce: Callable[[], None] = lambda: None) -> None:
        options = mechanism.options
        for clash in clashes(options):
            raise RunRefused(f"{clash.text(options)}: {clash.why}")
        for misfit in misfits(options, mechanism.elements):
            raise RunRefused(f"{misfit.text(options)}: {misfit.why}")
        if options.energycorrector == "ON":
            raise RunRefused("ENERGYCORRECTOR=ON holds the energy, and a pull changes it: take it out to pull")
        self.mechanism = mechanism
        self._step = mechanism.transient.step
        self._adaptive = integrators.REGISTRY[options.integrator].adaptive
        grid = Grid(self._step, mechanism.transient.stop, _ENDLESS, _ENDLESS, 1)
        choice = Choice(options.daesystem, options.integrator, options.mpi_algo, mechanism.dimension)
        self.runner = Runner(assemble(mechanism), choice, grid)
        self.runner.announce = announce
        self.runner.times = np.empty(0)  # no samples are kept: whoever watches takes the states
        self._gravity = self.runner.system.gravity
        self._free = self._gravity.copy()
        self.runner.system = self.runner.system._replace(gravity=self._free)
        self._pace = 64  # steps between two looks
        self.runner.start()

    @property
    def time(self) -> float:
        """Where the motion is."""
        gauge = self.runner.work.gauge
        return float(gauge.time) if self._adaptive else self.runner.done * self._step

    @property
    def ended(self) -> str:
        """Why the motion does not go on; empty while it does."""
        runner = self.runner
        if not runner.status.ok and (runner.status.code == NO_START or not runner.system.goes_on):
            return str(runner.status)
        return f"stopped by {runner.board.stopped}" if runner.board is not None and runner.board.stopped else ""

    def state(self) -> tuple[Floats, Floats]:
        """Positions and velocities of all bodies."""
        count = self.runner.assembly.bodies
        q, v = (with_held(self.mechanism, x[None, :count])[0] for x in (self.runner.q, self.runner.v))
        return q.copy(), v.copy()

    def resistance(self, body: str) -> float:
        """kg that a pull at a body moves at first, were nothing joined to it; 0 for one without mass."""
        system, index = self.runner.system, self.mechanism.body_index
        parts = self.mechanism.held.get(body) or ((body, 1.0, 0.0),)
        if any(system.mass[index[name]] == 0.0 for name, _, _ in parts):
            return 0.0
        return float(1.0 / sum((a * a + b * b) * system.inverse_mass[index[name]] for name, a, b in parts))

    def pull(self, body: str, force: Sequence[float]) -> None:
        """From now on this force [N] pulls at a body, in place of the one before; an empty name lets go."""
        self._free[:] = self._gravity
        f = np.asarray(force, dtype=float)
        for name, alpha, beta in (self.mechanism.held.get(body) or ((body, 1.0, 0.0),)) if body else ():
            i = self.mechanism.body_index[name]
            push = alpha * f
            if beta:
                push = push + beta * np.array([f[1], -f[0]])
            self._free[i] += push * self.runner.system.inverse_mass[i]
        self.runner.work.gauge.weight2 = 0.0
        self.runner.feel_anew()

    def go_to(self, time: float, cancel: Callable[[], bool] = lambda: False) -> None:
        """Let the motion go on up to a time, or the step next to it; it stays behind if `cancel()` becomes true or it cannot go on."""
        runner = self.runner
        if self._adaptive:
            runner.grid = replace(runner.grid, stop=time)
        goal = round(time / self._step)
        while not self.ended and not cancel():
            left = goal - runner.done
            if (self.time >= time) if self._adaptive else left <= 0:
                return
            self._pace = runner.run_for(_LOOK, self._pace if self._adaptive else min(self._pace, left))
