"""Check of exercise 1: which system made this motion?"""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import numpy as np

from chainlist.labs.bench import listing, motion, values
from chainlist.labs.exercises.finding import Mark, function
from chainlist.run.trajectory import Trajectory

SYSTEMS = ("INDEX1", "INDEX1_2_DAMPED", "PROJECTED")
LARGER = 2.5  # times: a pendulum of this length under this gravity moves alike, and all its errors are larger


def check(solution: ModuleType) -> Iterator[Mark]:
    measure = function(solution, "measure", "measure(t, q, v, length, gravity)")
    identify = function(solution, "identify", "identify(t, q, v, length, gravity)")
    runs = {
        (system, integrator): motion(listing(7), (0.0, 100.0, 0.1), tiny=True, daesystem=system, integrator=integrator)
        for system in SYSTEMS
        for integrator in ("MIDPOINT", "RK4")
    }
    yield from _measured(measure, runs["INDEX1", "MIDPOINT"], 1.0)
    yield from _measured(measure, runs["INDEX1", "MIDPOINT"], LARGER)
    for (system, integrator), run in runs.items():
        for size in (1.0, LARGER):
            said = identify(*_arguments(run, size))
            ok = said == system
            tail = "" if ok else f": {_hint(system)}"
            name = f"a motion made by {system} with {integrator}, length {size:g} m,"
            yield Mark(ok, f"{name} is called {said}{tail}")


def _arguments(run: Trajectory, size: float) -> tuple[object, ...]:
    """Of a pendulum `size` times as long under `size` times the gravity: places and velocities are as many times larger."""
    assert run.v is not None
    return run.t.copy(), size * run.q[:, 0], size * run.v[:, 0], size, size


def _measured(measure, run: Trajectory, size: float) -> Iterator[Mark]:  # type: ignore[no-untyped-def]
    said = measure(*_arguments(run, size))
    if not isinstance(said, dict) or not {"position", "velocity", "energy"} <= said.keys():
        yield Mark(False, 'measure must return {"position": …, "velocity": …, "energy": …}')
        return
    truth = {
        "position": np.abs(values(run, "PHI(C1)")).max(),
        "velocity": np.abs(values(run, "DERIVATIVE(C1)")).max(),
        "energy": np.abs(run.energy - run.energy[0]).max(),
    }
    for name, at_one in truth.items():
        number = size**2 * at_one
        ok = bool(np.isclose(float(said[name]), number, rtol=1e-6))
        factor = float(said[name]) / number
        tail = "" if ok else f" instead of {number:.4g} ({factor:.3g} times as much)"
        yield Mark(ok, f"length {size:g} m: the largest error of the {name} is {float(said[name]):.4g}{tail}")


def _hint(system: str) -> str:
    return {
        "INDEX1": "there the length drifts on and on: its error at the end is far beyond that of the first swing",
        "INDEX1_2_DAMPED": "there the length is wrong by a little, but no more at the end than at the beginning",
        "PROJECTED": "there the length is right to the last digits of a double, about 1e-15",
    }[system]
