"""A chunk of an ensemble as one batch of straight code; what needs care goes to the single-run engine afterwards, and is counted."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from chainlist.analyses.members import WELL, Columns, Task, member_of, run_members
from chainlist.compile.plan import Choice
from chainlist.compile.read import changed
from chainlist.compile.straight import can_be_straight
from chainlist.compile.system import Assembly, assemble
from chainlist.compile.velocities import needs_following
from chainlist.equations.layout import Floats
from chainlist.model.mechanism import Changes, Mechanism
from chainlist.run.batch import Batch, numbers_of, same_structure
from chainlist.run.grid import Grid
from chainlist.run.runner import Runner
from chainlist.run.simulate import grid_of
from chainlist.syntax.errors import ChainlistError

LARGEST_CHUNK = 20_000  # members of a batch
CAREFUL = "careful"  # the column that says which members the single-run engine computed


def run_chunk(task: Task, first: int, count: int) -> Columns:
    """Members `first` … `first + count − 1`, in whatever way is fastest. This is what workers execute."""
    nominal = _nominal(task.text, task.name, task.changes_key, task.device) if task.batch else None
    if nominal is None:
        return run_members(task, first, range(count))
    assembly, batch = nominal
    numbers, left_out = _numbers(task, first, count, assembly)
    grid = grid_of(assembly.mechanism)
    found = batch.run(numbers, count, grid, samples=task.keep == "samples")
    careful = np.flatnonzero(~found.healthy | left_out)
    columns = _columns(task, assembly.mechanism, grid, found.q, found.v)
    columns[CAREFUL] = np.zeros(count, np.int8)
    columns[CAREFUL][careful] = 1
    if len(careful):
        again = run_members(task, first, careful.tolist())
        for name, values in columns.items():
            if name in again:
                values[careful] = again[name]
            elif name != CAREFUL:
                values[careful] = np.nan
    return columns


@lru_cache(maxsize=8)
def _nominal(text: str, name: str, key: Any, device: str) -> tuple[Assembly, Batch] | None:
    """The nominal member and its code, once in each process."""
    mechanism = _read(text, name, key)
    if can_be_straight(assemble(mechanism)) or mechanism.rigid:
        return None
    return assemble(mechanism), Batch(assemble(mechanism), device)


def _read(text: str, name: str, key: Any) -> Mechanism:
    params, options, tran = key
    return changed(text, Changes(dict(params), dict(options), tran))


def is_straight(mechanism: Mechanism) -> bool:
    """Whether members of a mechanism can be run as a batch."""
    return not mechanism.rigid and not can_be_straight(assemble(mechanism))


def _numbers(task: Task, first: int, count: int, nominal: Assembly) -> tuple[dict[str, Any], Any]:
    """The inputs of all members, and which of them cannot be taken along."""
    left_out = np.zeros(count, bool)
    step = nominal.mechanism.transient.step
    found: dict[str, Any] = dict(numbers_of(nominal, step))
    if task.reads_each:
        rows = []
        for k in range(count):
            own = _own(task, k, first + k, nominal)
            left_out[k] = own is None
            rows.append(_at_start(own or nominal, step))
        found = {name: np.array([row[name] for row in rows]) for name in found}
    given = task.given
    if given is not None and not task.reads_each:
        index = {body.name: i for i, body in enumerate(nominal.mechanism.vectors)}
        for name, masses in given.masses.items():
            found[f"mass {index[name]}"], found[f"inverse_mass {index[name]}"] = masses, 1.0 / masses
        for letter, states in (("q", given.q0), ("v", given.v0)):
            for name, values in states.items():
                for c in range(values.shape[1]):
                    found[f"{letter} {index[name]} {c}"] = values[:, c]
    return found, left_out


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


def _own(task: Task, place: int, number: int, nominal: Assembly) -> Assembly | None:
    try:
        own = assemble(member_of(task, place, number))
    except ChainlistError:
        return None
    return own if not can_be_straight(own) and same_structure(nominal, own) else None


def _columns(task: Task, mechanism: Mechanism, grid: Grid, q: Floats, v: Floats) -> Columns:
    """As the single-run engine gives them: members first, bodies in the order of the text."""
    shown = [mechanism.body_index[body.name] for body in mechanism.points]
    places, speeds = (np.moveaxis(x[:, shown], 3, 0) for x in (q, v))
    columns: Columns = {"status": np.full(len(places), WELL, np.int8)}
    if task.keep == "samples":
        return {**columns, "q": places.copy(), "v": speeds.copy()}
    return {**columns, "q": places[:, -1].copy(), "v": speeds[:, -1].copy(), "t": np.full(len(places), grid.stop)}
