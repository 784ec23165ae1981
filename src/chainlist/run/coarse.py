"""Is the step too coarse for the motion? A step is compared with two halves, at the start and at the fastest moment."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from chainlist import formulations, integrators
from chainlist.compile.layout import Floats, make_work
from chainlist.compile.plan import plan
from chainlist.kernels import slots
from chainlist.run.runner import Runner


def half_step_error(runner: Runner, kinetic: Floats) -> float | None:
    """The position error [m] that such a difference means over the whole run; None where it has no meaning."""
    usable = np.isfinite(kinetic)
    if runner.plan.adaptive or not usable.any() or not (runner.status.ok or runner.status.cancelled):
        return None
    fastest = int(np.argmax(np.where(usable, kinetic, -1.0)))
    worst = 0.0
    for at in {0, fastest}:
        q, v = runner.assembly.q.copy(), np.zeros_like(runner.v)
        q[: runner.assembly.bodies], v[: runner.assembly.bodies] = runner.Q[at], runner.V[at]
        whole, halves = _advance(runner, q, v, 1), _advance(runner, q, v, 2)
        difference = float(np.abs(whole - halves).max(initial=0.0))
        worst = max(worst, difference if np.isfinite(difference) else np.inf)
    choice = runner.plan.choice
    order = min(integrators.REGISTRY[choice.integrator].order, formulations.REGISTRY[choice.formulation].highest_order)
    return worst * runner.grid.steps / (1.0 - 0.5**order)


def _advance(runner: Runner, q: Floats, v: Floats, parts: int) -> Floats:
    """Positions after one step of the grid, taken in `parts`."""
    system = runner.system._replace(guard=0, goes_on=1, corrects=0)
    size = min(runner.grid.step, runner.grid.stop) / parts  # a run may be shorter than its step
    grid, times = (1 << 60, 1 << 60, 1), (size, size)
    none, nothing = np.empty((0, runner.assembly.bodies, q.shape[1])), np.empty(0)
    for careful in (runner.plan.choice.careful, True):
        chosen = plan(replace(runner.plan.choice, careful=careful))
        work = make_work(system, stages=chosen.stages, named=chosen.named)
        moved = q.copy()
        if chosen.march(system, work, -1, parts, grid, times, moved, v.copy(), none, none, nothing) != slots.ASKS:
            break
    return moved
