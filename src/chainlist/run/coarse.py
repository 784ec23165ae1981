"""Is the step too coarse for the motion? A step is compared with two halves, at the start and at the fastest moments."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from chainlist import formulations, integrators
from chainlist.compile.layout import make_work, reset_work
from chainlist.compile.plan import plan
from chainlist.equations.layout import Floats
from chainlist.kernels import slots
from chainlist.run.runner import Runner

MOST_MOMENTS = 9


@dataclass(frozen=True)
class _Differences:
    """Of each body, the largest at all moments: how far apart one step and two halves end, and how it moved there."""

    position: Floats  # m
    velocity: Floats  # m/s
    speed: Floats  # m/s
    acceleration: Floats  # m/s²


def half_step_error(runner: Runner, kinetic: Floats, energy: Floats) -> tuple[float, float] | None:
    """The position error that such a difference means over the whole run; None where it has no meaning.

    Of the body that is worst off for its size: in metres, and relative to the longest link of what it belongs to.
    `kinetic` and `energy` are those of the groups, (samples, groups).
    """
    if runner.plan.adaptive or not len(kinetic) or not (runner.status.ok or runner.status.cancelled):
        return None
    kinetic = np.where(np.isfinite(kinetic), kinetic, 0.0)
    of_body = runner.system.groups.of_point[: runner.assembly.bodies]
    drift = _drift(kinetic, energy)[of_body if kinetic.shape[1] == len(runner.system.groups.size) else 0]
    found = _compared(runner, {0, *map(int, kinetic.argmax(axis=0)[: MOST_MOMENTS - 1])})
    reached = runner.part * runner.grid.stop
    # An error of the velocity counts with the time for which a velocity lasts, speed over acceleration; that of the speed
    # itself, which the error of the energy tells, lasts on: in the mean for half the run.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        lasts = np.nan_to_num(found.speed / found.acceleration, nan=np.inf, posinf=np.inf)
        each = found.position + np.minimum(lasts, 0.5 * reached) * found.velocity
        worst = np.nan_to_num(_steps_of_error(runner) * each + drift * found.speed * 0.5 * reached, nan=np.inf)
    size = runner.system.groups.size[of_body]
    body = int(np.argmax(worst / size))
    return float(worst[body]), float(worst[body] / size[body])


def _drift(kinetic: Floats, energy: Floats) -> Floats:
    """(groups,): how much too fast or too slow its bodies became at most, as a part of their speed."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        error = np.nan_to_num(np.abs(energy - energy[0]), nan=0.0).max(axis=0)
        share = np.nan_to_num(0.5 * error / kinetic.max(axis=0), nan=0.0)
    return np.asarray(np.minimum(share, 1.0))  # what rests has only noise to be compared with


def _steps_of_error(runner: Runner) -> float:
    """How many steps add their errors, and how much larger an error is than the difference to half steps."""
    choice = runner.plan.choice
    order = min(integrators.REGISTRY[choice.integrator].order, formulations.REGISTRY[choice.formulation].highest_order)
    return float(max(runner.done, 1) / (1.0 - 0.5**order))


def _compared(runner: Runner, moments: set[int]) -> _Differences:
    """One step and two halves from each of these samples."""
    bodies = runner.assembly.bodies
    found = np.zeros((4, bodies))
    stepper = _Stepper(runner)
    for at in sorted(moments):
        q, v = runner.assembly.q.copy(), np.zeros_like(runner.v)
        q[:bodies], v[:bodies] = runner.Q[at], runner.V[at]
        (q1, v1), (q2, v2) = stepper.advance(at, q, v, 1), stepper.advance(at, q, v, 2)
        with np.errstate(over="ignore", invalid="ignore"):
            here = (q1 - q2, v1 - v2, v, (v1 - v) / _step(runner))
        found = np.maximum(found, [_longest(each[:bodies]) for each in here])
    return _Differences(*found)


def _longest(vectors: Floats) -> Floats:
    """The largest component of each; nan counts as inf."""
    longest: Floats = np.abs(vectors).max(axis=1)
    longest[np.isnan(longest)] = np.inf
    return longest


def _step(runner: Runner) -> float:
    """The step of the grid; a run may be shorter than that."""
    return min(runner.grid.step, runner.grid.stop)


class _Stepper:
    """Takes single steps of the grid from samples, with scratch of its own."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.system = runner.system._replace(guard=0, goes_on=1, corrects=0)
        self.use(runner.plan.choice.careful)

    def use(self, careful: bool) -> None:
        self.plan = plan(replace(self.runner.plan.choice, careful=careful))
        self.work = make_work(self.system, stages=self.plan.stages, named=self.plan.named)

    def advance(self, at: int, q: Floats, v: Floats, parts: int) -> tuple[Floats, Floats]:
        """Positions and velocities after one step of the grid from sample `at`, taken in `parts`."""
        runner, size = self.runner, _step(self.runner) / parts
        grid, times = (1 << 60, 1 << 60, 1), (size, size, float(runner.times[at]))
        nothing, no_memory = np.empty(0), np.empty((0, runner.assembly.memory))
        none = np.empty((0, runner.assembly.bodies, q.shape[1]))
        while True:
            moved, faster = q.copy(), v.copy()
            reset_work(self.work)
            if self.work.rows.tape is not None:
                self.work.rows.tape.turn[:] = runner.X[at, 1:]
            rest = (moved, faster, none, none, nothing, no_memory)
            if self.plan.march(self.system, self.work, -1, parts, grid, times, *rest) != slots.ASKS:
                return moved, faster
            self.use(True)
