"""Check of exercise 7: the energy corrector, and a run that shows its weakness."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import numpy as np

from chainlist.compile.read import changed, parse
from chainlist.kernels.bundles import Floats
from chainlist.labs.bench import INTERPRETED, distance, motion
from chainlist.labs.exercises.finding import Mark, as_array, function, text, wanted
from chainlist.model.mechanism import Changes, Mechanism

WORDS = 30
APART = 0.1  # of the size of the mechanism
KEPT = 1e-6  # of the energy scale


def check(solution: ModuleType) -> Iterator[Mark]:
    yield from _formula(solution)
    yield from _weakness(parse(text(solution, "CHAINLIST")))
    explanation = wanted(solution, "EXPLANATION", 'a text EXPLANATION = """…"""')
    words = len(str(explanation).split())
    yield Mark(
        words >= WORDS, f"EXPLANATION has {words} words" + ("" if words >= WORDS else f"; say it in at least {WORDS}")
    )


def _formula(solution: ModuleType) -> Iterator[Mark]:
    corrected = function(solution, "corrected", "corrected(v, masses, E, U)")
    v, masses = np.array([[3.0, 4.0], [0.0, -2.0]]), np.array([2.0, 0.5])
    result = as_array(corrected(v.copy(), masses, 10.0, 4.0), v.shape)
    if result is None:
        yield Mark(False, "corrected must return velocities in the shape of v")
        return
    kinetic = 0.5 * float(masses @ (result**2).sum(axis=1))
    ok = bool(np.isclose(kinetic, 6.0))
    hint = _factor_hint(v, masses, result)
    yield Mark(
        ok, f"with E = 10 and U = 4 the kinetic energy becomes {kinetic:.4g}" + ("" if ok else f" instead of 6{hint}")
    )
    parallel = bool(np.isclose(result[0, 0] * v[0, 1], result[0, 1] * v[0, 0]) and result[0] @ v[0] > 0)
    yield Mark(
        parallel, "all velocities keep their directions" if parallel else "the velocities change their directions"
    )
    rest = as_array(corrected(np.zeros((2, 2)), masses, 10.0, 4.0), v.shape)
    calm = rest is not None and np.array_equal(rest, np.zeros((2, 2)))
    yield Mark(
        calm, "a mechanism at rest stays at rest" if calm else "at rest there is a division of zero by zero: guard it"
    )
    with np.errstate(all="ignore"):
        low = as_array(corrected(v.copy(), masses, 1.0, 4.0), v.shape)
    kept = low is not None and np.array_equal(low, v)
    yield Mark(
        kept,
        "where E < U nothing is changed"
        if kept
        else "where E < U there is the root of a negative number: leave v as it is",
    )


def _factor_hint(v: Floats, masses: Floats, result: Floats) -> str:
    before = 0.5 * float(masses @ (v**2).sum(axis=1))
    if np.allclose(result, v * 6.0 / before):
        return ": the energy goes with the square of the velocities"
    return ""


def _weakness(mechanism: Mechanism) -> Iterator[Mark]:
    if mechanism.options.energycorrector != "ON":
        yield Mark(False, "CHAINLIST must have .options ENERGYCORRECTOR=ON")
        return
    times = mechanism.transient
    tiny = (times.stop / times.step) * len(mechanism.bodies) <= INTERPRETED
    run = motion(mechanism, tiny=tiny)
    settings = {
        "daesystem": "PROJECTED",
        "integrator": "DOP853",
        "mpi_algo": "AUTO",
        "mpitol": None,
        "energycorrector": "OFF",
        "reltol": 1e-10,
    }
    true = motion(changed(mechanism, Changes({}, settings, None)))
    if not run.status.ok or not true.status.ok:
        yield Mark(False, f"the run must go through: {run.status if not run.status.ok else true.status}")
        return
    assert run.report is not None
    lost = run.report.energy_error_relative
    yield Mark(lost < KEPT, f"the energy is kept: it is off by {lost:.2g} of the largest kinetic energy")
    size = float(np.ptp(true.q.reshape(-1, true.q.shape[-1]), axis=0).max())
    apart = float(distance(run, true)[1].max()) / size
    ok = apart > APART
    tail = "" if ok else ": no weakness to be seen here; try a longer step, or a longer run"
    yield Mark(ok, f"the motion gets {100 * apart:.2g} % of the size of the mechanism away from the true one{tail}")
