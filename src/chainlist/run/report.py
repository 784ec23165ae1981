"""The report of a run: what it cost, how well energy and constraints were kept, and what happened on the way."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainlist.compile.system import Assembly
from chainlist.formula import end_name
from chainlist.kernels import slots
from chainlist.kernels.bundles import Floats
from chainlist.run.coarse import half_step_error
from chainlist.run.happenings import Happening
from chainlist.run.runner import Runner
from chainlist.run.status import NO_START
from chainlist.run.waiting import hasty, in_vain

NAMED_PASSAGES = 10  # whose constraints are named
NAMED_EVENTS = 20  # that are listed one by one
FAR_AT_A_STEP, FAR_BETWEEN_SAMPLES = 0.1, 0.4  # smallest singular value of unit rows: no passage near this sample
AT_REST = 1e-12  # of the energy scale: what moves with less does not move
BLOCK = 4096  # samples surveyed at a time
COARSE = (
    1e-3  # of the longest link (without links of the machine), over the whole run: beyond it the step may be too coarse
)
ENERGY_OFF = 1e-3  # of the largest energy: beyond it speeds are wrong in their third digit


@dataclass(frozen=True)
class Extreme:
    """The largest absolute value of something over the samples: whose, and when."""

    value: float
    constraint: str
    time: float


@dataclass(frozen=True)
class Passage:
    """A singular configuration passed: when, the constraints that depend on one another there, the smallest pivot ratio."""

    time: float
    constraints: tuple[str, ...]
    ratio: float

    @property
    def constraint(self) -> str:
        """Their names in one text."""
        return ", ".join(self.constraints)


@dataclass(frozen=True)
class RankChange:
    time: float
    dropped_before: int
    dropped_after: int


@dataclass(frozen=True)
class Report:
    """All numbers in SI. Energies and residuals are over the samples kept."""

    steps: int  # taken, those inside a refined step included
    samples: int
    evaluations: int
    factorizations: int
    redone: int  # steps thrown away: by the guard, or by the error estimate
    seconds_prepare: float
    seconds_run: float
    energy_error: float  # J, largest |T + U − Work − its start|; nan where no sample shows a motion
    energy_error_relative: float  # to the largest kinetic energy, or to the largest of what `_balance` says
    keeps_energy: bool  # no energy came or went beyond what the method's error explains
    at_rest: bool  # it is relative to the weight of the machine times its size then
    work: float | None  # J, put in up to the last sample; None where only gravity acts
    predictor_energy_error: float | None  # J, before the energy corrector
    residual: Extreme | None  # largest |Φ| (as PHI)
    velocity_residual: Extreme | None  # largest |dΦ/dt| (as DERIVATIVE)
    passages: tuple[Passage, ...]
    refined: tuple[float, ...]  # times of steps redone in halves
    leaps: tuple[float, ...]  # times of steps that may have changed branch
    rank_changes: tuple[RankChange, ...]
    replaced: tuple[str, ...]  # what AUTO replaced, in words
    dropped: tuple[str, ...]  # constraints that depended on others at the end
    start_moved: tuple[float, float]  # m and m/s by which the start was put right
    largest_eta: float  # relative velocity correction of PROJECTED
    adaptive_steps: tuple[float, float] | None  # s, smallest and largest
    step_error: (
        float | None
    )  # m, how far off the run were at most, if every step were as far from two half steps as the worst
    warnings: tuple[str, ...]
    events: tuple[Happening, ...] = ()  # impacts, ropes that come taut, links that break …
    in_vain: tuple[str, ...] = ()  # what the text waits for and did not come, in words

    def __str__(self) -> str:
        return "\n".join(self.lines())

    @property
    def moved(self) -> bool:
        """Whether samples show a motion: there is one behind the start. Else nothing can be said of energies and errors."""
        return not math.isnan(self.energy_error)

    def energy_words(self) -> str:
        """The energy error, and what it is compared with."""
        if self.at_rest:
            return f"{self.energy_error:.2g} J, at rest"
        of = "kinetic energy" if self.work is None else "energy"
        return f"{self.energy_error:.2g} J, {self.energy_error_relative:.2g} of the largest {of}"

    def lines(self) -> list[str]:
        """The report as text, one finding a line."""
        inner = f", {self.redone} of them thrown away" if self.redone else ""
        out = [
            f"{self.steps} steps{inner}, {self.evaluations} evaluations, {self.samples} samples",
            f"{self.seconds_run:.3g} s of motion, {self.seconds_prepare:.3g} s to prepare",
        ]
        if self.moved:
            out.append(f"energy error {self.energy_words()}")
        if self.work:
            out.append(f"work put in by forces and drives {self.work:.6g} J")
        if self.predictor_energy_error is not None:
            out.append(f"energy error before the corrector {self.predictor_energy_error:.3g} J")
        for extreme, what in ((self.residual, "|Φ|"), (self.velocity_residual, "|dΦ/dt|")):
            if extreme is not None:
                out.append(f"largest {what} {extreme.value:.3g} ({extreme.constraint}, t = {extreme.time:.6g} s)")
        if self.adaptive_steps is not None:
            out.append(f"steps from {self.adaptive_steps[0]:.3g} to {self.adaptive_steps[1]:.3g} s")
        out += self.replaced
        if (max(self.start_moved) > 0.0 and self.start_moved[0] > 1e-12) or self.start_moved[1] > 1e-12:
            out.append(f"start put onto the constraints: {self.start_moved[0]:.3g} m, {self.start_moved[1]:.3g} m/s")
        out += [
            f"passes a singular configuration at t = {p.time:.6g} s ({p.constraint})"
            for p in self.passages[:NAMED_PASSAGES]
        ]
        if len(self.passages) > NAMED_PASSAGES:
            out.append(f"… {len(self.passages)} singular configurations in all")
        if self.refined:
            out.append(f"steps refined from t = {self.refined[0]:.6g} s on, {len(self.refined)} times")
        out += [f"event at {event}" for event in self.events[:NAMED_EVENTS]]
        if len(self.events) > NAMED_EVENTS:
            lost = sum(event.lost for event in self.events)
            out.append(f"… {len(self.events)} events in all, which took {lost:.6g} J")
        out += self.in_vain
        if self.dropped:
            why = "rigid mechanics does not determine the forces there: the smallest that fit are shown"
            out.append(f"redundant: {', '.join(self.dropped)} ({why})")
        return out + [f"warning: {text}" for text in self.warnings]


@dataclass(frozen=True)
class _Balance:
    """Energies over the samples."""

    kinetic: Floats  # (samples, groups) J
    energy: Floats  # (samples, groups) T + U − Work; where Work is not known by groups, of all together
    largest: float  # J, what errors are compared with
    work: float | None

    @property
    def total(self) -> Floats:
        summed: Floats = self.energy.sum(axis=1)
        return summed


def make_report(runner: Runner, seconds_prepare: float, seconds_run: float) -> Report:
    count, gauge, kept = runner.work.count, runner.work.gauge, runner.written
    balance, residual, velocity = _surveyed(runner)
    first = float(gauge.energy)
    # of a run that found no start, or broke down before any other sample, there is but a start: nothing that moves or rests
    moved = kept > 0 and (runner.status.ok or float(runner.times[kept - 1]) > 0.0)
    error = _largest(balance.total - first) if moved else math.nan
    at_rest = moved and balance.largest <= _noise(runner)
    compared = runner.system.energy_scale if at_rest else balance.largest
    relative = error / compared if compared > 0.0 else 0.0 * error
    coarse = half_step_error(runner, balance.kinetic, balance.energy)
    leaps = tuple(e.time for e in runner.events if e.what == slots.EVENT_UNCURED)
    wrong_energy = _energy_warning(runner, error, relative)
    return Report(
        steps=int(count.steps),
        samples=kept,
        evaluations=int(count.evaluations),
        factorizations=int(count.factors),
        redone=int(count.redone),
        seconds_prepare=seconds_prepare,
        seconds_run=seconds_run,
        energy_error=error,
        energy_error_relative=relative,
        keeps_energy=not wrong_energy,
        at_rest=at_rest,
        work=balance.work,
        predictor_energy_error=_largest(runner.E[:kept] - first) if runner.system.corrects else None,
        residual=residual,
        velocity_residual=velocity,
        passages=_passages(runner),
        refined=tuple(e.time for e in runner.events if e.what == slots.EVENT_REFINED),
        leaps=leaps,
        rank_changes=tuple(
            RankChange(e.time, e.row, int(e.value)) for e in runner.events if e.what == slots.EVENT_RANK
        ),
        replaced=_replaced(runner.assembly),
        dropped=_dropped(runner),
        start_moved=runner.moved,
        largest_eta=float(gauge.max_eta),
        adaptive_steps=(float(gauge.smallest), float(gauge.largest)) if runner.plan.adaptive else None,
        step_error=None if coarse is None else coarse[0],
        warnings=wrong_energy
        + (() if runner.board is None else hasty(runner.board))
        + _warnings(runner, leaps, coarse),
        events=runner.story[1],
        in_vain=in_vain(runner.board) if runner.board is not None and runner.status.ok else (),
    )


def _largest(values: Floats) -> float:
    largest = float(np.abs(values).max(initial=0.0))
    if math.isfinite(largest):  # nearly always, and no copies are needed
        return largest
    return float(np.abs(values[np.isfinite(values)]).max(initial=0.0))


def _surveyed(runner: Runner) -> tuple[_Balance, Extreme | None, Extreme | None]:
    """Energies over the samples; largest |Φ| and |dΦ/dt| of the constraints as they are written."""
    kept, survey = runner.written, runner.survey
    kinetic = np.zeros((kept, len(survey.system.groups.size)))
    energy = np.zeros_like(kinetic)
    worst: list[Any] = [(-1.0, 0, 0), (-1.0, 0, 0)]
    for start in range(0, kept, BLOCK):
        block = slice(start, min(start + BLOCK, kept))
        X = runner.X[block] if runner.assembly.acts else None
        found = survey(runner.times[block], runner.Q[block], runner.V[block], X)
        kinetic[block] = found.kinetic
        with np.errstate(over="ignore", invalid="ignore"):
            energy[block] = found.kinetic + found.potential
        for n, values in enumerate((found.phi, found.speed)):
            if not values.size:
                continue
            size = np.abs(values)
            at, k = divmod(int(size.argmax()), size.shape[1])  # of what is no number, if there is any
            if not math.isfinite(size[at, k]):
                size = np.nan_to_num(size, nan=-1.0, posinf=np.finfo(float).max)
                at, k = divmod(int(size.argmax()), size.shape[1])
            if size[at, k] > worst[n][0]:
                worst[n] = (float(size[at, k]), k, start + at)
    extremes = [
        Extreme(value, survey.names[k], float(runner.times[at])) if value >= 0.0 else None for value, k, at in worst
    ]
    return _balance(runner, kinetic, energy), extremes[0], extremes[1]


def _balance(runner: Runner, kinetic: Floats, energy: Floats) -> _Balance:
    kept = runner.written
    fastest = float(np.fmax.reduce(kinetic.sum(axis=1), initial=0.0))  # of those that are numbers
    if not runner.assembly.acts:
        return _Balance(kinetic, energy, fastest, None)
    work = runner.X[:kept, 0]
    kinetic, energy = kinetic.sum(axis=1, keepdims=True), energy.sum(axis=1, keepdims=True)
    first = float(runner.work.gauge.energy)
    largest = max(fastest, _largest(work), _largest(energy - kinetic - first))
    return _Balance(kinetic, energy - work[:, None], largest, float(work[-1]) if kept else 0.0)


def _passages(runner: Runner) -> tuple[Passage, ...]:
    """Singular configurations passed; the constraints of the first few are looked up at the nearest sample."""
    found = [(e.time, e.row, e.value) for e in runner.events if e.what == slots.EVENT_PASSAGE]
    gauge, count = runner.work.gauge, runner.work.count
    if gauge.pass_least < slots.REFINE:  # one is still under way
        found.append((float(gauge.pass_time), int(count.pass_row), float(gauge.pass_least)))
    passages = []
    far = FAR_BETWEEN_SAMPLES if runner.plan.adaptive else FAR_AT_A_STEP
    times = runner.times[: runner.written]
    for n, (time, row, ratio) in enumerate(found):
        names: tuple[str, ...] = ()
        if len(times) and n < NAMED_PASSAGES:
            at = int(np.argmin(np.abs(times - time)))
            names, least = runner.survey.dependent(float(times[at]), runner.Q[at], runner.V[at])
            if least > far and abs(times[at] - time) <= 2.0 * runner.grid.step:
                continue  # a pivot is small, but only since one body is much lighter than its neighbour
        passages.append(Passage(time, names or (runner.assembly.name_of_row(row),), ratio))
    return tuple(passages)


def _replaced(assembly: Assembly) -> tuple[str, ...]:
    """What became of straight bars, and of a tree on hinges."""
    found = []
    if assembly.tree is not None:
        found.append(f"{len(assembly.tree.parent) - 1} bodies in a tree: followed from hinge to hinge")
    for bar in assembly.bars:
        points = "–".join(end_name(point) for point in bar.points)
        found.append(f"{', '.join(bar.links)} lie on one line: treated as one bar {points}")
    return tuple(found)


def _dropped(runner: Runner) -> tuple[str, ...]:
    if runner.plan.named or runner.status.code == NO_START or not np.isfinite(runner.q).all():
        return ()
    rows = np.flatnonzero(runner.work.factor.active == 0)
    return tuple(dict.fromkeys(runner.assembly.name_of_row(int(k)) for k in rows))


def _energy_warning(runner: Runner, error: float, relative: float) -> tuple[str, ...]:
    """Whether energy came or went that no force explains: by how much, and what to try that is not yet tried."""
    noise = _noise(runner)
    if not relative > ENERGY_OFF or error <= noise or not (runner.status.ok or runner.status.cancelled):
        return ()
    if runner.plan.adaptive:
        cure = "a smaller RELTOL"
    elif runner.plan.choice.formulation != "PROJECTED":
        cure = "DAESYSTEM=PROJECTED, or a smaller step"
    else:
        cure = "a smaller step, or INTEGRATOR=DOP853"
    return (
        f"the energy is wrong by {error:.2g} J, {relative:.2g} of the largest: do not trust this motion, try {cure}",
    )


def _noise(runner: Runner) -> float:
    """J: an error below it is none, since what moves slowly is compared with little.

    Where nothing says what is much, neither gravity nor a speed: what moves by rounding in each step.
    """
    scale = runner.system.energy_scale
    if scale < math.inf:
        return AT_REST * scale
    speed = 64 * slots.EPS * runner.system.size / runner.grid.step
    return float(runner.system.mass.sum()) * speed**2


def _warnings(runner: Runner, leaps: tuple[float, ...], coarse: tuple[float, float] | None) -> tuple[str, ...]:
    found = []
    finite = np.isfinite(runner.Q[: runner.written])
    empty = 0 if finite.all() else int((~finite).any(axis=(1, 2)).sum())
    if empty and runner.status.ok:
        found.append(f"{empty} samples are not numbers")
    if leaps:
        found.append(
            f"may have changed branch at t = {leaps[0]:.6g} s"
            + (f", and {len(leaps) - 1} times more" if len(leaps) > 1 else "")
        )
    if coarse is not None and coarse[0] > COARSE * coarse[1]:
        off, size = coarse
        by = f"about {off:.2g} m" if off < size else f"more than {size:.2g} m"
        found.append(
            "the step may be too coarse: were every step as far from two half steps as the worst one, "
            f"the motion would be off by {by} in the end"
        )
    large = [e for e in runner.events if e.what == slots.EVENT_TOO_LARGE]
    if large:
        found.append(f"{large[0].value:g} rows near a singular configuration are too many to select from with care")
    if runner.missed_events:
        found.append(f"{runner.missed_events} further events were not logged")
    return tuple(found)
