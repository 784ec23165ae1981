"""Is the step too coarse for the motion? A step is compared with two halves, at the start and at the fastest moment."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from chainlist import formulations, integrators
from chainlist.compile.layout import Floats, make_work
from chainlist.compile.plan import plan
from chainlist.kernels import slots
from chainlist.run.runner import Runner


def half_step_error(runner: Runner, kinetic: Floats) -> tuple[float, float] | None:
    """The position error that such a difference means over the whole run; None where it has no meaning.

    Of the body that is worst off for its size: in metres, and relative to the longest link of what it belongs to. An
    error of the velocity counts with half the duration, over which it moves the body.
    """
    usable = np.isfinite(kinetic)
    if runner.plan.adaptive or not usable.any() or not (runner.status.ok or runner.status.cancelled):
        return None
    fastest = int(np.argmax(np.where(usable, kinetic, -1.0)))
    bodies = runner.assembly.bodies
    size = runner.system.groups.size[runner.system.groups.of_point[:bodies]]
    worst = np.zeros(bodies)
    for at in {0, fastest}:
        q, v = runner.assembly.q.copy(), np.zeros_like(runner.v)
        q[: runner.assembly.bodies], v[: runner.assembly.bodies] = runner.Q[at], runner.V[at]
        (q1, v1), (q2, v2) = _advance(runner, q, v, 1), _advance(runner, q, v, 2)
        with np.errstate(over="ignore", invalid="ignore"):
            off = np.abs(q1 - q2) + 0.5 * runner.grid.stop * np.abs(v1 - v2)
        worst = np.maximum(worst, np.nan_to_num(off[:bodies], nan=np.inf).max(axis=1))
    choice = runner.plan.choice
    order = min(integrators.REGISTRY[choice.integrator].order, formulations.REGISTRY[choice.formulation].highest_order)
    worst = worst * (runner.grid.steps / (1.0 - 0.5**order))
    body = int(np.argmax(worst / size))
    return float(worst[body]), float(worst[body] / size[body])


def _advance(runner: Runner, q: Floats, v: Floats, parts: int) -> tuple[Floats, Floats]:
    """Positions and velocities after one step of the grid, taken in `parts`."""
    system = runner.system._replace(guard=0, goes_on=1, corrects=0)
    size = min(runner.grid.step, runner.grid.stop) / parts  # a run may be shorter than its step
    grid, times = (1 << 60, 1 << 60, 1), (size, size)
    none, nothing = np.empty((0, runner.assembly.bodies, q.shape[1])), np.empty(0)
    for careful in (runner.plan.choice.careful, True):
        chosen = plan(replace(runner.plan.choice, careful=careful))
        work = make_work(system, stages=chosen.stages, named=chosen.named)
        moved, faster = q.copy(), v.copy()
        if chosen.march(system, work, -1, parts, grid, times, moved, faster, none, none, nothing) != slots.ASKS:
            break
    return moved, faster
