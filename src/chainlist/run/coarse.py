"""Is the step too coarse for the motion? A step is compared with two halves, at the start and at the fastest moments."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from chainlist import formulations, integrators
from chainlist.compile.layout import borrowed, reset_work
from chainlist.compile.plan import plan
from chainlist.kernels import slots
from chainlist.kernels.bundles import Floats
from chainlist.run.engaging import open_at
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
    """The position error that such differences would make over the whole run if they added up; None where they have no meaning.

    It is no more than that: what vibrates fast, as a mass on a stiff spring, has errors that turn round with it and do not add up.
    Of the body that is worst off for its size, in metres, and that size: the longest link of what it belongs to, if there is one.
    `kinetic` and `energy` are those of the groups, (samples, groups).
    """
    if runner.plan.adaptive or not len(kinetic) or not (runner.status.ok or runner.status.cancelled):
        return None
    finite = np.isfinite(kinetic)
    kinetic = kinetic if finite.all() else np.where(finite, kinetic, 0.0)
    of_body = runner.system.groups.of_point[: runner.assembly.bodies]
    drift = _drift(kinetic, energy)[of_body if kinetic.shape[1] == len(runner.system.groups.size) else 0]
    found = _compared(runner, {0, *map(int, kinetic.argmax(axis=0)[: MOST_MOMENTS - 1])})
    reached = runner.part * runner.grid.stop
    # An error of the velocity counts with the time for which a velocity lasts, speed over acceleration; that of the speed
    # itself, which the error of the energy tells, lasts on: in the mean for half the run.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        lasts = found.speed / found.acceleration
        lasts[np.isnan(lasts)] = np.inf
        each = found.position + np.minimum(lasts, 0.5 * reached) * found.velocity
        worst = _steps_of_error(runner) * each + drift * found.speed * 0.5 * reached
        worst = np.minimum(worst, np.finfo(float).max)
        worst[np.isnan(worst)] = np.inf
    size = runner.system.groups.size[of_body]
    body = int(np.argmax(worst / size))
    return float(worst[body]), float(size[body])


def _drift(kinetic: Floats, energy: Floats) -> Floats:
    """(groups,): how much too fast or too slow its bodies became at most, as a part of their speed."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        apart = np.abs(energy - energy[0])
        apart[np.isnan(apart)] = 0.0
        error = np.minimum(apart.max(axis=0), np.finfo(float).max)
        share = 0.5 * error / kinetic.max(axis=0)
    share[np.isnan(share)] = 0.0
    return np.asarray(np.minimum(share, 1.0))  # what rests has only noise to be compared with


def _steps_of_error(runner: Runner) -> float:
    """How many steps add their errors, and how much larger an error is than the difference to half steps."""
    choice = runner.plan.choice
    order = min(integrators.REGISTRY[choice.integrator].order, formulations.REGISTRY[choice.formulation].highest_order)
    return float(max(runner.done, 1) / (1.0 - 0.5**order))


def _compared(runner: Runner, moments: set[int]) -> _Differences:
    """One step and two halves from each of these samples."""
    bodies = runner.assembly.bodies
    stepper = _Stepper(runner)
    samples = sorted(moments)
    found = np.zeros((4, len(samples), bodies, runner.q.shape[1]))
    q, v = runner.assembly.q.copy(), np.zeros_like(runner.v)
    with np.errstate(over="ignore", invalid="ignore"), borrowed(runner.work):
        for n, at in enumerate(samples):
            q[:bodies], v[:bodies] = runner.Q[at], runner.V[at]
            whole, halves = stepper.advance(at, q, v, 1), stepper.advance(at, q, v, 2)
            if whole is None or halves is None:
                continue  # something switches there, and a step says nothing
            (q1, v1), (q2, v2) = whole, halves
            found[:, n] = (q1 - q2)[:bodies], (v1 - v2)[:bodies], v[:bodies], ((v1 - v) / stepper.step)[:bodies]
    found = np.abs(found)
    found[np.isnan(found)] = np.inf
    return _Differences(*found.max(axis=(1, 3)))


class _Stepper:
    """Takes single steps of the grid from samples, in the scratch of a run that is over."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.system = runner.system.but(guard=0, goes_on=1, corrects=0)
        self.plan = runner.plan
        self.work = runner.work
        self.step = min(runner.grid.step, runner.grid.stop)  # a run may be shorter than a step of the grid
        none = np.empty((0, runner.assembly.bodies, runner.q.shape[1]))
        self._nothing = none, none, np.empty(0), np.empty((0, runner.assembly.memory))

    def advance(self, at: int, q: Floats, v: Floats, parts: int) -> tuple[Floats, Floats] | None:
        """Positions and velocities after one step of the grid from sample `at`, taken in `parts`; None if something switches."""
        runner, size = self.runner, self.step / parts
        grid, times = (1 << 60, 1 << 60, 1), (size, size, float(runner.times[at]))
        while True:
            moved, faster = q.copy(), v.copy()
            reset_work(self.work)
            if self.work.rows.tape is not None:
                self.work.rows.tape.turn[:] = runner.X[at, 1:]
            self._hold(float(runner.times[at]), moved)
            rest = (moved, faster, *self._nothing)
            code = self.plan.march(self.system, self.work, -1, parts, grid, times, *rest)
            if code == slots.ALARM:
                return None
            if code != slots.ASKS:
                return moved, faster
            self.plan = plan(replace(self.plan.choice, careful=True))

    def _hold(self, time: float, q: Floats) -> None:
        """What held then holds."""
        board = self.runner.board
        if board is not None:
            chapter = [found for found in board.chapters if found.time <= time][-1]
            bodies = self.runner.assembly.bodies
            self.work = open_at(chapter, board.switches, self.system, self.work, q, bodies)
