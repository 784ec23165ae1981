"""One mechanism, many settings: every combination run, and each held against a reference."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainlist import integrators
from chainlist.analyses.pendulum import Floats, exact_positions
from chainlist.model.combinations import clashes
from chainlist.model.mechanism import Mechanism, Transient
from chainlist.model.options import OPTIONS, Options
from chainlist.run.simulate import Progress, simulate
from chainlist.run.trajectory import Trajectory

REFERENCE: dict[str, Any] = {
    "integrator": "DOP853",
    "daesystem": "PROJECTED",
    "mpi_algo": "AUTO",
    "energycorrector": "OFF",
    "reltol": 1e-13,
    "abstol": 1e-15,
    "breakdown": "STOP",
}
STEPS = (8, 4, 2, 1, 0.5, 0.25)  # of the work-precision plot, in units of the chainlist's own step
TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10, 1e-12)
_SHORT = 0.2  # s: such a run is timed again
_LONGEST = 20.0  # s: no further refinement once a run took longer

Reference = Callable[[Floats], Floats]  # times (n,) → positions (n, bodies, dim)


@dataclass(frozen=True)
class Trial:
    """One combination: what it was, and how it fared. Errors are over the samples up to its end; nan where these show no motion."""

    settings: Mapping[str, Any]
    size: float  # the step [s], or the relative tolerance of an adaptive integrator
    error: float  # m, largest distance of a body from the reference
    energy_error: float  # J
    residual: float  # largest |Φ|
    seconds: float
    ended: str

    @property
    def name(self) -> str:
        return label(self.settings)


def label(settings: Mapping[str, Any]) -> str:
    """Settings in a few words: `RK4 PROJECTED`, `DOP853 RELTOL=1e-06`."""
    return " ".join(
        value if isinstance(value, str) else f"{OPTIONS[key.lower()].name}={value:g}" for key, value in settings.items()
    )


def with_settings(options: Options, settings: Mapping[str, Any]) -> Options:
    return dataclasses.replace(options, **{key.lower(): value for key, value in settings.items()})


def combinations(mechanism: Mechanism, over: Mapping[str, Sequence[Any]]) -> tuple[list[dict[str, Any]], list[str]]:
    """The combinations that go together, and a line about each that does not."""
    good, bad = [], []
    for values in itertools.product(*over.values()):
        settings = dict(zip(over, values, strict=True))
        found = clashes(with_settings(mechanism.options, settings))
        if found:
            words = " ".join(f"{OPTIONS[key.lower()].name}={value}" for key, value in settings.items())
            bad.append(f"{words}: {found[0].why}")
        else:
            good.append(settings)
    return good, bad


def tight_reference(mechanism: Mechanism, progress: Progress | None = None) -> Reference:
    """DOP853 at 1e-13, sampled where it is asked for."""

    def at(times: Floats) -> Floats:
        step = float(times[1] - times[0]) if len(times) > 1 else mechanism.transient.step
        transient = Transient(float(times[0]), float(times[-1]), step)
        options = dataclasses.replace(mechanism.options, **REFERENCE, save=None)
        run = simulate(dataclasses.replace(mechanism, options=options, transient=transient), progress=progress)
        assert run.report is not None
        if not run.report.moved:
            return np.full((len(times), *run.q.shape[1:]), np.nan)  # no motion to compare with
        return _on(run.t, run.q, times)

    return at


def exact_reference(mechanism: Mechanism) -> Reference:
    """The elliptic solution of a single pendulum; raises `NotAPendulum` for anything else."""
    exact_positions(mechanism, np.zeros(1))
    return lambda times: exact_positions(mechanism, times)


def stored_reference(trace: Trajectory) -> Reference:
    """A trace; compared where both have samples."""
    return lambda times: _on(trace.t, trace.q, times)


def _on(t: Floats, q: Floats, times: Floats) -> Floats:
    """The samples of q at the given times; nan where there is none."""
    place = np.clip(np.searchsorted(t, times), 0, len(t) - 1)
    before = np.maximum(place - 1, 0)
    nearest = np.where(np.abs(t[before] - times) < np.abs(t[place] - times), before, place)
    out: Floats = q[nearest].copy()
    out[np.abs(t[nearest] - times) > 1e-9 * (1.0 + np.abs(times))] = np.nan
    return out


def run_trial(
    mechanism: Mechanism,
    settings: Mapping[str, Any],
    reference: Reference,
    size: float | None = None,
    progress: Progress | None = None,
) -> Trial:
    """Run one combination; `size` replaces the step, or the relative tolerance of an adaptive integrator."""
    options, transient = with_settings(mechanism.options, settings), mechanism.transient
    if integrators.REGISTRY[options.integrator].adaptive:
        size = size or options.reltol
        options = dataclasses.replace(options, reltol=size, abstol=min(options.abstol, 1e-3 * size))
    else:
        size = size or transient.step
        transient = dataclasses.replace(transient, step=size)
        options = dataclasses.replace(options, save=None)
    chosen = dataclasses.replace(mechanism, options=options, transient=transient)
    run = simulate(chosen, progress=progress)
    assert run.report is not None
    moved = run.report.moved
    return Trial(
        settings=settings,
        size=size,
        error=_largest_distance(run.q, reference(run.t)) if moved else math.nan,
        energy_error=run.report.energy_error if moved else math.nan,
        residual=(run.report.residual.value if run.report.residual else 0.0) if moved else math.nan,
        seconds=_fastest(chosen, run.report.seconds_run) if moved else math.nan,
        ended="well" if run.status.ok else f"broke down at {run.status.time:.4g} s",
    )


def _fastest(mechanism: Mechanism, seconds: float) -> float:
    """The time of a short run, the best of three: the first one often pays for things that are done once."""
    for _ in range(2):
        if seconds < _SHORT:
            report = simulate(mechanism).report
            seconds = min(seconds, report.seconds_run if report else seconds)
    return seconds


def _largest_distance(q: Floats, reference: Floats) -> float:
    with np.errstate(all="ignore"):  # a run that broke down may hold anything
        distance = np.sqrt(np.sum((q - reference) ** 2, axis=-1))
    known = distance[np.isfinite(distance)]
    return float(known.max()) if known.size else math.nan


def work_precision(
    mechanism: Mechanism, settings: Mapping[str, Any], reference: Reference, progress: Progress | None = None
) -> Iterator[Trial]:
    """The same combination with coarser and finer steps (or tolerances): error against time of computing."""
    adaptive = integrators.REGISTRY[with_settings(mechanism.options, settings).integrator].adaptive
    step = mechanism.transient.step
    for size in TOLERANCES if adaptive else [step * factor for factor in STEPS]:
        trial = run_trial(mechanism, settings, reference, size, progress)
        yield trial
        if trial.seconds > _LONGEST:
            return
