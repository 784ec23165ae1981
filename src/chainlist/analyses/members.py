"""Members of an ensemble, run one after another by the single-run engine."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.analyses.axes import Plan
from chainlist.analyses.columns import Varied
from chainlist.analyses.measure import measures_of, values_of
from chainlist.analyses.plugins import Plugin
from chainlist.compile.read import read
from chainlist.kernels.bundles import Floats
from chainlist.model.chance import Draw
from chainlist.model.mechanism import Body, Changes, Mechanism
from chainlist.run.grid import RunRefused
from chainlist.run.simulate import simulate
from chainlist.run.trajectory import Trajectory
from chainlist.syntax.errors import ChainlistError
from chainlist.syntax.source import Source

CAREFUL = "careful"  # the column of a batch that says which members the single-run engine computed
DRAWN = "drawn "  # before the names of columns that hold parameters
# What became of a member; doubtful: its energy is wrong; went on: a .stop was waited for, and none came.
WELL, BROKE_DOWN, REFUSED, DOUBTFUL, WENT_ON = 0, 1, 2, 3, 4
NOT_COMPUTED = 7


@dataclass(frozen=True)
class Given:
    """Numbers from Python, one row for each member: parameters and options by name, masses and starts by body."""

    params: Mapping[str, Floats] = field(default_factory=dict)
    options: Mapping[str, Floats] = field(default_factory=dict)
    masses: Mapping[str, Floats] = field(default_factory=dict)
    q0: Mapping[str, Floats] = field(default_factory=dict)  # (members, dimension) each
    v0: Mapping[str, Floats] = field(default_factory=dict)
    seed: int | None = None  # of random parameters: member i draws as member i

    def part(self, first: int, count: int) -> Given:
        """The same for some members."""
        cut = {
            key: {name: rows[first : first + count] for name, rows in getattr(self, key).items()}
            for key in ("params", "options", "masses", "q0", "v0")
        }
        return Given(**cut, seed=self.seed)

    def varied(self, first: int, count: int) -> Varied:
        """What these members change of the text; the first of them has the number `first`."""
        draws = () if self.seed is None else tuple(Draw(self.seed, first + k) for k in range(count))
        return Varied(count, self.params, self.options, draws)

    def changes(self, row: int, member: int) -> Changes:
        params = {name: float(rows[row]) for name, rows in self.params.items()}
        options = {name: float(rows[row]) for name, rows in self.options.items()}
        return Changes(params, options, None, None if self.seed is None else Draw(self.seed, member))


@dataclass(frozen=True)
class Task:
    """Everything that a worker needs to know; plain data."""

    text: str
    name: str
    changes: Changes
    measures: tuple[tuple[str, str], ...]  # names and texts, beside those of the chainlist
    keep: str  # "measures", "end" or "samples"
    plan: Plan | None
    given: Given | None
    batch: bool = False  # members may be run as one batch of straight code
    device: str = "cpu"  # where batches run: "cpu" or "gpu"
    plugins: tuple[Plugin, ...] = ()  # files that a worker runs first
    patient: bool = False  # so much work that the best code is worth its time to compile

    @property
    def changes_key(self) -> Any:
        """What all members change of the text, as a value that can be looked up."""
        changes = self.changes
        tran = None if changes.tran is None else tuple(changes.tran)
        return tuple(sorted(changes.params.items())), tuple(sorted(changes.options.items())), tran

    @property
    def draws(self) -> bool:
        """Whether there is a sample: then the table shows what was drawn."""
        return self.plan is not None and self.plan.sample is not None

    @property
    def changes_text(self) -> bool:
        """Whether members differ by parameters or options, which may stand anywhere in a text."""
        given = self.given
        return self.plan is not None or (
            given is not None and bool(given.params or given.options or given.seed is not None)
        )

    def varied(self, first: int, count: int) -> Varied:
        """What the text changes by for these members; the task is that of a chunk that begins with them."""
        if self.plan is not None:
            return self.plan.varied(first, count)
        return Varied(count) if self.given is None else self.given.varied(first, count)

    def part(self, first: int, count: int) -> Task:
        """The same with the numbers of some members only."""
        return self if self.given is None else dataclasses.replace(self, given=self.given.part(first, count))


Columns = dict[str, NDArray[Any]]


def run_members(task: Task, first: int, places: Iterable[int]) -> Columns:
    """The columns of the table for members first + place, one row for each. `task` is that of a chunk that begins at `first`."""
    rows = [_Member(task, place, first + place).row() for place in places]
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: _stacked([row.get(name) for row in rows]) for name in names}


def member_of(task: Task, place: int, number: int) -> Mechanism:
    """One member, read and checked; raises `ChainlistError`."""
    return _Member(task, place, number).mechanism()


def _stacked(values: list[Any]) -> NDArray[Any]:
    """One array; what a member does not have is nan."""
    known = next(np.asarray(value) for value in values if value is not None)
    missing = np.full(known.shape, np.nan)
    return np.array([missing if value is None else value for value in values])


@dataclass(frozen=True)
class _Member:
    task: Task
    place: int  # in the chunk
    number: int  # in the whole

    def row(self) -> dict[str, Any]:
        task = self.task
        try:
            mechanism = self.mechanism()
            measures = measures_of(mechanism, task.measures)
            run = simulate(mechanism)
        except (ChainlistError, RunRefused):
            return {"status": np.int8(REFUSED)}
        found: dict[str, Any] = {"status": np.int8(_status(run))}
        values = values_of(run, measures)
        found.update(values if run.status.ok else dict.fromkeys(values, math.nan))  # up to where it is no motion
        if task.draws:
            found.update({f"{DRAWN}{name}": value for name, value in mechanism.parameters.items()})
        found.update(self._kept(run))
        return found

    def _kept(self, run: Trajectory) -> Iterator[tuple[str, Any]]:
        shown = [run.mechanism.body_index[body.name] for body in run.mechanism.points]
        assert run.v is not None
        if self.task.keep == "end" and len(run):
            yield from (("q", run.q[-1, shown]), ("v", run.v[-1, shown]), ("t", run.t[-1]))
        if self.task.keep == "samples":
            whole = _samples(run.mechanism)
            for name, values in (("q", run.q[:, shown]), ("v", run.v[:, shown])):
                filled = np.full((whole, *values.shape[1:]), np.nan)
                filled[: len(values)] = values
                yield name, filled

    def mechanism(self) -> Mechanism:
        task = self.task
        own = task.plan.changes(self.number) if task.plan is not None else Changes()
        if task.given is not None:
            own = own.and_then(task.given.changes(self.place, self.number))
        path = Path(task.name)
        checked = read(Source(task.name, task.text), path.parent, changes=task.changes.and_then(own))
        if checked.mechanism is None:
            raise ChainlistError(checked.diagnostics)
        return checked.mechanism if task.given is None else self._started(checked.mechanism, task.given)

    def _started(self, mechanism: Mechanism, given: Given) -> Mechanism:
        """With masses and starts that were given."""
        if not (given.masses or given.q0 or given.v0):
            return mechanism
        bodies = tuple(self._body(body, given) for body in mechanism.bodies)
        return dataclasses.replace(mechanism, bodies=bodies)

    def _body(self, body: Body, given: Given) -> Body:
        changed: dict[str, Any] = {}
        if body.name in given.masses:
            changed["mass"] = float(given.masses[body.name][self.place])
        if body.name in given.q0:
            changed["start"] = tuple(map(float, given.q0[body.name][self.place]))
        if body.name in given.v0:
            changed["velocity"] = tuple(map(float, given.v0[body.name][self.place]))
            changed["velocity_given"] = True
        return dataclasses.replace(body, **changed) if changed else body


def _status(run: Trajectory) -> int:
    if not run.status.ok:
        return BROKE_DOWN
    if run.report is not None and not run.report.keeps_energy:
        return DOUBTFUL
    return WENT_ON if run.mechanism.stops and not run.stopped else WELL


def _samples(mechanism: Mechanism) -> int:
    """How many samples a run has that goes through."""
    from chainlist.run.simulate import grid_of

    return grid_of(mechanism).samples
