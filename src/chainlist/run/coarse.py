"""Is the step too coarse for the motion? A step is compared with two halves, at the start and at the fastest moment."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from chainlist import formulations, integrators
from chainlist.compile.layout import Floats, make_work
from chainlist.compile.plan import plan
from chainlist.kernels import slots
from chainlist.run.runner import Runner


def half_step_error(runner: Runner, kinetic: Floats, drift: float) -> tuple[float, float] | None:
    """The position error that such a difference means over the whole run; None where it has no meaning.

    Of the body that is worst off for its size: in metres, and relative to the longest link of what it belongs to. An
    error of the velocity counts with the time for which a velocity lasts (speed over acceleration), at most half the run.
    What lasts longer is the speed: `drift`, the error of the energy relative to the largest kinetic energy, makes a body
    too fast or too slow by half of it, in the mean for half the run.
    """
    usable = np.isfinite(kinetic)
    if runner.plan.adaptive or not usable.any() or not (runner.status.ok or runner.status.cancelled):
        return None
    fastest = int(np.argmax(np.where(usable, kinetic, -1.0)))
    bodies = runner.assembly.bodies
    size = runner.system.groups.size[runner.system.groups.of_point[:bodies]]
    displaced, faster, speed, force = np.zeros((4, bodies))
    for at in {0, fastest}:
        q, v = runner.assembly.q.copy(), np.zeros_like(runner.v)
        q[:bodies], v[:bodies] = runner.Q[at], runner.V[at]
        (q1, v1), (q2, v2) = _advance(runner, q, v, 1), _advance(runner, q, v, 2)
        with np.errstate(over="ignore", invalid="ignore"):
            displaced = np.maximum(displaced, _largest(q1 - q2, bodies))
            faster = np.maximum(faster, _largest(v1 - v2, bodies))
            speed = np.maximum(speed, _largest(v, bodies))
            force = np.maximum(force, _largest(v1 - v, bodies) / _step(runner))
    with np.errstate(divide="ignore", invalid="ignore"):
        lasts = np.nan_to_num(speed / force, nan=np.inf, posinf=np.inf)
    reached = runner.part * runner.grid.stop
    worst = np.nan_to_num(displaced + np.minimum(lasts, 0.5 * reached) * faster, nan=np.inf)
    choice = runner.plan.choice
    order = min(integrators.REGISTRY[choice.integrator].order, formulations.REGISTRY[choice.formulation].highest_order)
    worst = worst * (max(runner.done, 1) / (1.0 - 0.5**order)) + 0.5 * drift * speed * 0.5 * reached
    body = int(np.argmax(worst / size))
    return float(worst[body]), float(worst[body] / size[body])


def _largest(a: Floats, bodies: int) -> Floats:
    """The largest coordinate of each body; nan counts as inf."""
    return np.asarray(np.nan_to_num(np.abs(a[:bodies]), nan=np.inf, posinf=np.inf).max(axis=1))


def _step(runner: Runner) -> float:
    """The step of the grid; a run may be shorter than that."""
    return min(runner.grid.step, runner.grid.stop)


def _advance(runner: Runner, q: Floats, v: Floats, parts: int) -> tuple[Floats, Floats]:
    """Positions and velocities after one step of the grid, taken in `parts`."""
    system = runner.system._replace(guard=0, goes_on=1, corrects=0)
    size = _step(runner) / parts
    grid, times = (1 << 60, 1 << 60, 1), (size, size)
    none, nothing = np.empty((0, runner.assembly.bodies, q.shape[1])), np.empty(0)
    for careful in (runner.plan.choice.careful, True):
        chosen = plan(replace(runner.plan.choice, careful=careful))
        work = make_work(system, stages=chosen.stages, named=chosen.named)
        moved, faster = q.copy(), v.copy()
        if chosen.march(system, work, -1, parts, grid, times, moved, faster, none, none, nothing) != slots.ASKS:
            break
    return moved, faster
