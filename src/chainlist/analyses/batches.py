"""A chunk of an ensemble as one batch of straight code; what needs care goes to the single-run engine afterwards, and is counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.analyses.columns import Columns as Columned
from chainlist.analyses.columns import columns_of
from chainlist.analyses.gathering import ask_of_places, cannot_gather, gather
from chainlist.analyses.measure import Measure, measures_of
from chainlist.analyses.members import (
    CAREFUL,
    DOUBTFUL,
    DRAWN,
    WELL,
    Columns,
    Task,
    member_of,
    run_members,
)
from chainlist.analyses.plugins import run_plugins
from chainlist.compile.plan import Choice
from chainlist.compile.read import changed
from chainlist.compile.straight import ONLY, can_be_straight
from chainlist.compile.system import Assembly, assemble
from chainlist.compile.velocities import needs_following
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Changes, Mechanism
from chainlist.run.abreast import Abreast, Turns, crew_of
from chainlist.run.batch import Batch, numbers_of, same_structure, samples_of
from chainlist.run.grid import Grid
from chainlist.run.report import AT_REST, ENERGY_OFF
from chainlist.run.runner import Runner
from chainlist.run.simulate import grid_of
from chainlist.syntax.errors import ChainlistError

LARGEST_CHUNK = 20_000  # members of a batch


def run_chunk(task: Task, first: int, count: int) -> Columns:
    """Members `first` … `first + count − 1`, in whatever way is fastest. This is what workers execute."""
    run_plugins(task.plugins)
    nominal = _nominal(task.text, task.name, task.changes_key, task.device, task.patient) if task.batch else None
    if nominal is None:
        return run_members(task, first, range(count))
    inputs = _inputs(task, first, count, nominal.assembly)
    measures = measures_of(nominal.mechanism, task.measures)
    if inputs.moves_anchors(nominal.assembly) and ask_of_places(measures):
        return run_members(task, first, range(count))
    columns, healthy = nominal.run(task, inputs, count, measures)
    careful = np.flatnonzero(~healthy | inputs.left_out)
    columns |= {f"{DRAWN}{name}": np.broadcast_to(x, count).copy() for name, x in inputs.params.items() if task.draws}
    columns[CAREFUL] = np.zeros(count, np.int8)
    columns[CAREFUL][careful] = 1
    if len(careful):
        again = run_members(task, first, careful.tolist())
        for name in set(columns) - {CAREFUL}:
            columns[name] = columns[name].copy()  # some are views of what several columns share
            columns[name][careful] = again.get(name, np.nan)
    return columns


@dataclass(frozen=True)
class _Nominal:
    """The member that the text itself describes, and the code of all that have its structure."""

    assembly: Assembly
    batch: Batch

    @property
    def mechanism(self) -> Mechanism:
        return self.assembly.mechanism

    def run(
        self, task: Task, inputs: _Inputs, count: int, measures: list[Measure]
    ) -> tuple[Columns, NDArray[np.bool_]]:
        """The columns of all members, and which of them need no care."""
        grid, crew = grid_of(self.mechanism), crew_of(self.assembly, inputs.numbers, count)
        healthy, kept = np.ones(count, bool), _Kept(task, self.mechanism, grid)
        whole = bool(measures) or task.keep == "samples"
        times = dict(zip(samples_of(grid), grid.times.tolist(), strict=True)) if whole else {grid.steps: grid.stop}
        steps = sorted({0, *times} if whole else {*np.linspace(0, grid.steps, _Balance.FEW, dtype=int).tolist()})
        balance = _Balance(len(steps))

        def moments() -> Iterator[Abreast]:
            kept.begin()
            turns = Turns()
            states = self.batch.states(inputs.numbers, count, grid, steps, healthy)
            for number, (step, state) in enumerate(zip(steps, states, strict=True)):
                q, v, a = (x.copy() for x in state)
                moment = Abreast(crew, np.full(count, times.get(step, step * grid.step)), q, v, a, turns)
                balance.see(number, moment)
                if step in times:
                    yield moment
                    turns = moment.turns
                    kept.see(moment)

        found, odd = gather(measures, crew, moments)
        status = np.where(balance.is_off, DOUBTFUL, WELL).astype(np.int8)
        return {"status": status, **found, **kept.columns()}, healthy & ~odd


class _Balance:
    """Whether members keep their energy, as the report of a run says it, but at some of the moments only: it must cost little."""

    MOMENTS = 64
    FEW = 17  # where the end is all that is kept, and each moment has to be fetched for this alone

    def __init__(self, moments: int) -> None:
        self._every, self._last = max(1, moments // self.MOMENTS), moments - 1
        self.is_off: NDArray[np.bool_] = np.zeros(1, bool)

    def see(self, number: int, moment: Abreast) -> None:
        if number % self._every and number != self._last:
            return
        kinetic, potential = moment.energies
        energy, crew = kinetic + potential, moment.crew
        if number == 0:
            weight = crew.mass.sum(axis=0) * np.linalg.norm(crew.gravity, axis=0)
            self._noise = AT_REST * weight * np.ptp(moment.q, axis=0).max(axis=0)
            self._first, self._largest, self._off = energy, kinetic, np.zeros_like(energy)
        self._largest = np.fmax(self._largest, kinetic)
        self._off = np.fmax(self._off, np.abs(energy - self._first))
        self.is_off = self._off > np.fmax(ENERGY_OFF * self._largest, self._noise)


class _Kept:
    """The last state, or samples: as the single-run engine gives them, members first, bodies in the order of the text."""

    def __init__(self, task: Task, mechanism: Mechanism, grid: Grid) -> None:
        self._keep, self._stop = task.keep, grid.stop
        self._shown = [mechanism.body_index[body.name] for body in mechanism.points]
        self.begin()

    def begin(self) -> None:
        """The members run, perhaps once more."""
        self._q: list[Floats] = []
        self._v: list[Floats] = []

    def see(self, moment: Abreast) -> None:
        if self._keep == "measures":
            return
        if self._keep == "end":
            self.begin()  # only the last one counts
        self._q.append(np.moveaxis(moment.q[self._shown], 2, 0))
        self._v.append(np.moveaxis(moment.v[self._shown], 2, 0))

    def columns(self) -> Columns:
        if self._keep == "samples":
            return {"q": np.stack(self._q, axis=1), "v": np.stack(self._v, axis=1)}
        if self._keep == "end":
            q, v = self._q[-1].copy(), self._v[-1].copy()
            return {"q": q, "v": v, "t": np.full(len(q), self._stop)}
        return {}


@lru_cache(maxsize=8)
def _nominal(text: str, name: str, key: Any, device: str, patient: bool) -> _Nominal | None:
    """The nominal member and its code, once in each process."""
    params, options, tran = key
    mechanism = changed(text, Changes(dict(params), dict(options), tran))
    if why_not_batch(mechanism, []):
        return None
    assembly = assemble(mechanism)
    return _Nominal(assembly, Batch(assembly, device, patient=patient))


def forget_batches() -> None:
    """The next batch is compiled anew."""
    _nominal.cache_clear()


def why_not_batch(mechanism: Mechanism, measures: Sequence[Measure]) -> str:
    """Why members of a mechanism cannot be run as a batch; "" where they can."""
    if mechanism.rigid:
        return ONLY
    return can_be_straight(assemble(mechanism)) or cannot_gather(measures, grid_of(mechanism).times)


def reads_each(task: Task, mechanism: Mechanism) -> bool:
    """Whether a batch has the text read for each of its members: what varies stands where columns cannot follow."""
    return task.changes_text and _columns(task.part(0, 1), 0, 1, assemble(mechanism)) is None


@dataclass(frozen=True)
class _Inputs:
    """Of all members: what the batch takes, which of them cannot be taken along, and their parameters."""

    numbers: dict[str, Any]
    left_out: NDArray[np.bool_]
    params: Mapping[str, Any] = field(default_factory=dict)

    def moves_anchors(self, nominal: Assembly) -> bool:
        """Whether an anchor of any member stands elsewhere than the text has it, be it the same place for all of a chunk."""
        places = numbers_of(nominal, nominal.mechanism.transient.step)
        return any(np.any(x != places[name]) for name, x in self.numbers.items() if name.startswith("anchor"))


def _inputs(task: Task, first: int, count: int, nominal: Assembly) -> _Inputs:
    found: dict[str, Any] = dict(numbers_of(nominal, nominal.mechanism.transient.step))
    if not task.changes_text:
        return _Inputs(found | _given_bodies(task, nominal), np.zeros(count, bool))
    columns = _columns(task, first, count, nominal)
    if columns is None:
        return _read_each(task, first, count, nominal)
    left_out = np.zeros(count, bool)
    for name, values in columns.numbers.items():
        left_out |= ~np.isfinite(np.broadcast_to(values, count))
        if found[name] == 0.0 and not name.startswith("q "):  # folded away, where it is nothing by structure
            left_out |= np.broadcast_to(values, count) != 0.0
        if name.startswith(("mass", "par")):
            left_out |= ~(np.broadcast_to(values, count) > 0.0)
    safe = {
        name: np.where(left_out, found[name], np.broadcast_to(values, count))
        for name, values in columns.numbers.items()
    }
    return _Inputs(found | safe, left_out, columns.params)


def _columns(task: Task, first: int, count: int, nominal: Assembly) -> Columned | None:
    given = task.given
    if given is not None and (given.masses or given.q0 or given.v0):
        return None
    return columns_of(nominal, task.changes.params, task.varied(first, count))


def _given_bodies(task: Task, nominal: Assembly) -> dict[str, Any]:
    """Masses and starts from Python."""
    found: dict[str, Any] = {}
    if task.given is not None:
        index = {body.name: i for i, body in enumerate(nominal.mechanism.vectors)}
        for name, masses in task.given.masses.items():
            found[f"mass {index[name]}"], found[f"inverse_mass {index[name]}"] = masses, 1.0 / masses
        for letter, states in (("q", task.given.q0), ("v", task.given.v0)):
            for name, values in states.items():
                for c in range(values.shape[1]):
                    found[f"{letter} {index[name]} {c}"] = values[:, c]
    return found


def _read_each(task: Task, first: int, count: int, nominal: Assembly) -> _Inputs:
    """The text, read for each member."""
    left_out, rows, params = np.zeros(count, bool), [], []
    step, measures = nominal.mechanism.transient.step, measures_of(nominal.mechanism, task.measures)
    for k in range(count):
        own = _own(task, k, first + k, nominal, measures)
        left_out[k] = own is None
        rows.append(_at_start(own or nominal, step))
        params.append((own or nominal).mechanism.parameters)
    found = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return _Inputs(found, left_out, {name: np.array([row[name] for row in params]) for name in params[0]})


def _at_start(assembly: Assembly, step: float) -> dict[str, float]:
    """The inputs of one member; velocities that follow from given ones are found as a run finds them."""
    numbers = numbers_of(assembly, step)
    if needs_following(assembly.mechanism):
        choice = Choice("PROJECTED", assembly.mechanism.options.integrator, "AUTO", assembly.mechanism.dimension)
        runner = Runner(assembly, choice, grid_of(assembly.mechanism))
        runner.start()
        for i in range(assembly.bodies):
            for c in range(runner.q.shape[1]):
                numbers[f"q {i} {c}"], numbers[f"v {i} {c}"] = float(runner.q[i, c]), float(runner.v[i, c])
    return numbers


def _own(task: Task, place: int, number: int, nominal: Assembly, measures: list[Measure]) -> Assembly | None:
    """One member, if it has the structure of the nominal one and asks for the same measures."""
    try:
        own = assemble(member_of(task, place, number))
        same = measures_of(own.mechanism, task.measures) == measures
    except ChainlistError:
        return None
    return own if same and not can_be_straight(own) and same_structure(nominal, own) else None
