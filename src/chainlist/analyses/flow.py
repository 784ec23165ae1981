"""The motion as a map from state to state: from any positions and velocities, some steps on."""

from __future__ import annotations

import dataclasses

import numpy as np

from chainlist.analyses.resting import PLAIN, refuse_switches
from chainlist.compile.plan import Choice, plan
from chainlist.compile.system import assemble
from chainlist.kernels import slots
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Mechanism
from chainlist.run.grid import RunRefused, make_grid
from chainlist.run.runner import Runner

_NO_SAMPLES = (1 << 60, 1 << 60, 1)


class Flow:
    """RK4 with the step of `.tran`, on the constraints. States are (points, dimension), with anchors behind the bodies."""

    def __init__(self, mechanism: Mechanism) -> None:
        refuse_switches(mechanism, "Lyapunov exponents")
        options = dataclasses.replace(mechanism.options, **PLAIN)
        self.mechanism = dataclasses.replace(mechanism, options=options, stops=())
        self.step = mechanism.transient.step
        assembly = assemble(self.mechanism).by_rows
        choice = Choice("PROJECTED", "RK4", "AUTO", mechanism.dimension)
        self._runner = Runner(assembly, choice, make_grid(0.0, self.step, self.step, None))
        self._runner.start()
        if not self._runner.status.ok:
            raise RunRefused(str(self._runner.status))
        apart = len(assembly.system.groups.size) > 1
        self._march = plan(dataclasses.replace(choice, apart=apart, acts=assembly.acts)).march
        self.system = assembly.system
        self.bodies = assembly.bodies
        self._nothing = np.empty((0, assembly.memory))

    @property
    def start(self) -> tuple[Floats, Floats]:
        return self._runner.q.copy(), self._runner.v.copy()

    def on(self, q: Floats, v: Floats, time: float, steps: int) -> tuple[Floats, Floats]:
        """`steps` steps from a state, which is first put onto the constraints; 0 only does that."""
        q, v, work = q.copy(), v.copy(), self._runner.work
        work.count.numbers.fill(0)
        work.factor.active[:] = 1
        empty = np.empty((0, self.bodies, q.shape[1]))
        kept = empty, empty, np.empty(0), self._nothing
        code = self._march(self.system, work, -1, steps, _NO_SAMPLES, (self.step, self.step, time), q, v, *kept)
        if code != slots.DONE:
            raise RunRefused(f"the motion breaks down near t = {time:.6g} s: try a smaller step")
        return q, v
