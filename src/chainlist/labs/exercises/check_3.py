"""Check of exercise 3: a step that leaps to another branch."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import numpy as np

from chainlist.compile.read import changed, parse
from chainlist.labs.bench import distance, motion
from chainlist.labs.exercises.finding import Mark, text, wanted
from chainlist.model.mechanism import Changes, Mechanism
from chainlist.run.trajectory import Trajectory

APART = 0.1  # of the size of the mechanism
ON = 1e-6  # of the squared size: constraints that hold
SAME = 0.05  # of the energy scale


def check(solution: ModuleType) -> Iterator[Mark]:
    mechanism = parse(text(solution, "CHAINLIST"))
    step = wanted(solution, "STEP", "a number STEP, the step that leaps [s]")
    if not isinstance(step, (int, float)) or not 0 < step < mechanism.transient.stop:
        yield Mark(False, "STEP must be a positive number of seconds, shorter than the run")
        return
    leaping = _run(mechanism, float(step), guard="OFF", integrator="RK4")
    guarded = _run(mechanism, float(step), guard="ON", integrator="RK4")
    true = _run(mechanism, float(step), integrator="DOP853", reltol=1e-10)
    yield Mark(leaping.status.ok and true.status.ok, "both runs go through, with your step and with an adaptive one")
    if not (leaping.status.ok and true.status.ok):
        return
    yield from _unnoticed(leaping)
    yield from _apart(leaping, guarded, true)


def _run(mechanism: Mechanism, step: float, **options: object) -> Trajectory:
    settings = {"daesystem": "PROJECTED", "mpi_algo": "AUTO", "mpitol": None, "energycorrector": "OFF", **options}
    return motion(changed(mechanism, Changes({}, settings, (0.0, mechanism.transient.stop, step))))


def _size(run: Trajectory) -> float:
    return float(np.ptp(run.q.reshape(-1, run.q.shape[-1]), axis=0).max())


def _unnoticed(run: Trajectory) -> Iterator[Mark]:
    assert run.report is not None
    residual = run.report.residual.value if run.report.residual else 0.0
    yield Mark(residual < ON * _size(run) ** 2, f"the constraints hold all the time: |Φ| is at most {residual:.2g}")
    lost = run.report.energy_error_relative
    tail = "" if lost < SAME else ". That would be noticed: look for a step that leaps without"
    yield Mark(lost < SAME, f"the energy is off by {100 * lost:.2g} % of the largest kinetic energy{tail}")


def _apart(run: Trajectory, guarded: Trajectory, true: Trajectory) -> Iterator[Mark]:
    """A leap is what the guard refuses, and what is cured if nothing but the refused steps is cut."""
    apart = _far(run, true)
    if apart < APART:
        yield Mark(False, f"the motion stays within {100 * apart:.2g} % of the true one: no shortcut was taken")
        return
    yield Mark(True, f"the motion ends up {100 * apart:.0f} % of the size of the mechanism away from the true one")
    assert guarded.report is not None
    refused = guarded.report.redone
    if refused == 0:
        yield Mark(False, "the guard refuses no step: that is inaccuracy that piles up, or chaos, but no leap")
        return
    cured = _far(guarded, true) if guarded.status.ok else float("inf")
    if cured < APART:
        yield Mark(True, f"with the guard, which cuts {refused} steps, it follows the true one: it was a leap")
    else:
        yield Mark(False, "cutting the steps that the guard refuses does not cure it: the whole run is too coarse")


def _far(run: Trajectory, true: Trajectory) -> float:
    """The largest distance, relative to the size of the mechanism."""
    _, off = distance(run, true)
    return float(off.max()) / _size(true)
