"""`chainlist.ensemble`: one mechanism, many members, one table."""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.analyses import workers as who
from chainlist.analyses.axes import MEMBER, Axis, axes_of, check_given, plan_of
from chainlist.analyses.batches import LARGEST_CHUNK as LARGEST_BATCH
from chainlist.analyses.batches import reads_each, why_not_batch
from chainlist.analyses.measure import measures_of
from chainlist.analyses.members import CAREFUL, DRAWN, NOT_COMPUTED, WELL, WENT_ON, Given, Task
from chainlist.analyses.plugins import plugins_here, run_plugin
from chainlist.analyses.tables import MemberTable, Memory, Store
from chainlist.analyses.worth import SOONER, Amount, amount_of
from chainlist.compile.read import changed
from chainlist.kernels.bundles import Floats
from chainlist.kernels.print_cuda import look_for_card
from chainlist.model.desk import Problem
from chainlist.model.mechanism import Changes, Mechanism
from chainlist.model.options import OPTIONS
from chainlist.model.outside import given_name, outside_parameters, refused
from chainlist.model.suggest import nearest
from chainlist.model.units import si_unit
from chainlist.run.grid import RunRefused
from chainlist.run.simulate import grid_of
from chainlist.syntax.extras import extra, want

LARGEST_CHUNK = 1000  # members that one worker computes before it shows anything
PATIENCE = 200_000_000  # steps of all members together: some minutes of the longest machines
KEPT = ("q", "v", "t", "body", "axis", "time")  # columns and coordinates of states that are kept
FEW = 4  # members of a chunk that one process may try while others wait
PIECES = 8  # chunks for each worker, as a rule: else one of them waits for the others

Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class PreparedEnsemble:
    """An ensemble ready to be run: what each member is, and how many there are."""

    mechanism: Mechanism
    task: Task
    dims: tuple[str, ...]
    shape: tuple[int, ...]
    coordinates: Mapping[str, tuple[tuple[str, ...], Floats]]  # name → dimensions and values
    amount: Amount  # of work that this is likely to be
    one_by_one: str = ""  # why members are no batch; "" where they are one
    times: Floats | None = None  # of samples that are kept

    @property
    def way(self) -> str:
        """How members are run, in words."""
        return f"one by one: {self.one_by_one}" if self.one_by_one else "as a batch"

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def mark(self) -> str:
        """Tells whether a store belongs to this ensemble."""
        told = hashlib.blake2b(digest_size=16)
        told.update(
            repr((self.task.text, self.task.changes, self.task.measures, self.task.keep, self.task.plan)).encode()
        )
        for plugin in self.task.plugins:
            told.update(repr(plugin).encode())
        if self.task.given is not None:
            for kind in ("params", "options", "masses", "q0", "v0"):
                for name, rows in sorted(getattr(self.task.given, kind).items()):
                    told.update(f"{kind} {name} {self.task.given.seed}".encode())
                    told.update(np.ascontiguousarray(rows).tobytes())
        return told.hexdigest()


_TABLES = "tables of many runs"


def ensemble(
    source: Mechanism | str | Path,
    *,
    params: Mapping[str, Any] | None = None,
    masses: Mapping[str, Any] | None = None,
    q0: Mapping[str, Any] | None = None,
    v0: Mapping[str, Any] | None = None,
    product: bool = False,
    seed: int | None = None,
    tran: Any = None,
    measure: Sequence[str] | Mapping[str, str] = (),
    keep: str | float = "measures",
    device: str = "cpu",
    workers: int | None = None,
    client: Any = None,
    store: str | Path | None = None,
    resume: bool = False,
    chunk: int | None = None,
    progress: Progress | None = None,
    cancel: Callable[[], bool] | None = None,
    plugins: Sequence[str | Path] = (),
    **options: Any,
) -> Any:
    """Run many members of a mechanism; an `xarray.Dataset` with a row for each.

    `params={"L": lengths}` gives each member its values of parameters, or of numbers of `.options` such as gravity: arrays of one length
    are members, with `product=True` every combination is one; texts with units do as well: `["10cm", "20cm"]`.
    `masses={"B1": m}`, `q0={"B1": places}` and `v0` give bodies other masses and starts. Without any of them, the members are those of
    `.step` and `.mc`. `seed` lets random parameters draw for each member.

    `measure=["MAX Y(B2)"]`, or `{"top": "MAX Y(B2)"}`, adds to the `.meas` of the chainlist. `keep="end"` keeps the last state too,
    `keep=0.1` a sample every 0.1 s. `workers` processes share the work (by default one for each core), or the workers of a Dask
    `client`; `device="gpu"` takes an NVIDIA card for batches.

    With `store="out.zarr"` results go there as they come; `resume=True` goes on where a store was left. `plugins` are Python files that
    register elements, integrators or analyses: they are run here, and by every worker.
    """
    for path in plugins:
        run_plugin(Path(path))
    work = prepare(source, params, masses, q0, v0, product, seed, tran, measure, keep, options, device)
    if work.task.plan is not None:
        check_given(work.mechanism)
    table = run_work(work, workers, client, store, resume, chunk, progress, cancel)
    return dataset(work, table)


def prepare(
    source: Mechanism | str | Path,
    params: Mapping[str, Any] | None,
    masses: Mapping[str, Any] | None,
    q0: Mapping[str, Any] | None,
    v0: Mapping[str, Any] | None,
    product: bool,
    seed: int | None,
    tran: Any,
    measure: str | Sequence[str] | Mapping[str, str],
    keep: str | float,
    options: Mapping[str, Any],
    device: str = "cpu",
) -> PreparedEnsemble:
    """Everything but the running; mistakes are found here."""
    want("xarray", "data", _TABLES)
    times: Any = tran.replace(",", " ").split() if isinstance(tran, str) else tran
    _check_keywords(options)
    given_numbers = {**(params or {}), **(masses or {}), **(q0 or {}), **(v0 or {})}
    saved = {} if isinstance(keep, str) else {"save": keep}
    mechanism = changed(source, Changes(outside_parameters({}), {**options, **saved}, times))
    texts = [measure] if isinstance(measure, str) else measure
    measures = texts if isinstance(texts, Mapping) else {text: text for text in texts}
    named = _named(measures)
    wanted = measures_of(mechanism, named)
    plan, given = None, None
    if given_numbers or seed is not None:
        given, dims, shape, coordinates = _given(
            mechanism, params or {}, masses or {}, q0 or {}, v0 or {}, product, seed
        )
    else:
        plan = plan_of(mechanism)
        dims, shape = plan.dims, plan.shape
        coordinates = {name: ((name,), values) for name, values in plan.coordinates.items()}
    kind = keep if isinstance(keep, str) else "samples"
    if kind not in ("measures", "end", "samples"):
        raise ValueError(f"keep is 'measures', 'end' or a time in seconds, not {keep!r}")
    _check_names([one.name for one in wanted], {*dims, *coordinates, *(() if kind == "measures" else KEPT)})
    name = mechanism.source.name if mechanism.source is not None else "<text>"
    why_not = why_not_batch(mechanism, wanted)
    members = math.prod(shape)
    patient = members * grid_of(mechanism).steps > PATIENCE
    _check_device(device, why_not)
    task = Task(
        mechanism.text, name, mechanism.changes, named, kind, plan, given, not why_not, device, plugins_here(), patient
    )
    reads = not why_not and reads_each(task, mechanism)
    amount = amount_of(mechanism, members, wanted, reads=reads)
    if task.batch and device == "cpu" and amount.alone < amount.batch:
        task, why_not = dataclasses.replace(task, batch=False), SOONER
    sampled = grid_of(mechanism).times if kind == "samples" else None
    return PreparedEnsemble(mechanism, task, dims, shape, coordinates, amount, why_not, sampled)


def _check_names(measures: Sequence[str], others: set[str]) -> None:
    """Raise `RunRefused` where a measure is called as another column of the table, which would hold both."""
    for name in measures:
        if name in {"status", CAREFUL, *others}:
            raise RunRefused(f"a measure of many runs cannot be called {name}: their table has another column {name}")


def _check_keywords(options: Mapping[str, Any]) -> None:
    """Raise `ChainlistError` for a setting that is none, where `measure` or another keyword was meant."""
    known = inspect.signature(ensemble).parameters
    wrong = []
    for key, value in options.items():
        meant = nearest(key, list(known)) if key.lower() not in OPTIONS else None
        if meant is not None and nearest(key, OPTIONS) is None:
            at = given_name(key, value, "<settings>").span
            wrong.append(
                Problem("E256", f"there is no option {key}", at, label="unknown", help=f"did you mean {meant}=?")
            )
    if wrong:
        raise refused(wrong)


def _check_device(device: str, why_not: str) -> None:
    if device not in ("cpu", "gpu"):
        raise ValueError(f"device is 'cpu' or 'gpu', not {device!r}")
    if device == "gpu" and why_not:
        raise RunRefused(f"this ensemble cannot be run on a graphics card: {why_not}")


def _named(measures: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Names that a card can have; a measure without a name is called by its text in the table."""
    return tuple((name if name.isidentifier() else f"m{k}", text) for k, (name, text) in enumerate(measures.items(), 1))


def _given(
    mechanism: Mechanism,
    params: Mapping[str, Any],
    masses: Mapping[str, Any],
    q0: Mapping[str, Any],
    v0: Mapping[str, Any],
    product: bool,
    seed: int | None,
) -> tuple[Given, tuple[str, ...], tuple[int, ...], dict[str, tuple[tuple[str, ...], Floats]]]:
    spelled = axes_of(params, mechanism)
    columns = {name: np.atleast_1d(_numbers(name, values)) for name, values in params.items()}
    dims: tuple[str, ...] = (MEMBER,)
    coordinates: dict[str, tuple[tuple[str, ...], Floats]] = {}
    if product:
        if masses or q0 or v0:
            raise ValueError("product=True combines params alone: give masses and starts as members of equal length")
        grids = np.meshgrid(*columns.values(), indexing="ij")
        dims, shape = tuple(columns), tuple(len(values) for values in columns.values())
        coordinates = {name: ((name,), values) for name, values in columns.items()}
        columns = {name: grid.ravel() for name, grid in zip(columns, grids, strict=True)}
    starts = {
        kind: {body: _numbers(body, rows, want) for body, rows in given.items()}
        for kind, given, want in (("masses", masses, "mass"), ("q0", q0, "length"), ("v0", v0, "number"))
    }
    lengths = {len(rows) for rows in (*columns.values(), *(r for kind in starts.values() for r in kind.values()))}
    if len(lengths) > 1:
        raise ValueError(f"members need arrays of one length, and these have {sorted(lengths)}; product=True combines")
    _check_bodies(mechanism, starts)
    if not product:
        shape = (lengths.pop() if lengths else 1,)
        coordinates = {name: ((MEMBER,), values) for name, values in columns.items()}
    by_kind: dict[str, dict[str, Floats]] = {"params": {}, "options": {}}
    for name, values in columns.items():
        key, is_option = spelled[name]
        by_kind["options" if is_option else "params"][key] = values
    return Given(**by_kind, **starts, seed=seed), dims, shape, coordinates


def _numbers(name: str, values: Any, want: str | None = None) -> Floats:
    """An array of numbers; texts such as "10cm" are read as `simulate` reads them, those with a unit that cannot be meant refused."""
    array = np.asarray(values)
    if array.dtype.kind in "USO":  # columns of pandas hold texts as objects
        texts = [outside_parameters({name: text}, want)[name] for text in array.astype(str).ravel()]
        array = np.reshape(texts, array.shape)
    return np.asarray(array, float)


def _check_bodies(mechanism: Mechanism, starts: Mapping[str, Mapping[str, Floats]]) -> None:
    free = {body.name for body in mechanism.bodies if body.role == "point"}
    for kind, given in starts.items():
        for body, rows in given.items():
            if body not in free:
                meant = nearest(body, {name.lower(): name for name in free})
                known = next((name for name in free if name.lower() == meant), None)
                help = f"did you mean {known}?" if known else f"point masses here: {', '.join(sorted(free)) or 'none'}"
                message = f"{kind}: {body} is no point mass of this chainlist"
                at = given_name(body, rows.tolist(), f"<{kind}>").span
                raise refused([Problem("E226", message, at, label="unknown", help=help)])
            wanted = (len(rows),) if kind == "masses" else (len(rows), mechanism.dimension)
            if rows.shape != wanted:
                raise ValueError(f"{kind} of {body} has the shape {rows.shape}, and {wanted} is wanted")


def run_work(
    work: PreparedEnsemble,
    workers: int | None = None,
    client: Any = None,
    store: str | Path | None = None,
    resume: bool = False,
    chunk: int | None = None,
    progress: Progress | None = None,
    cancel: Callable[[], bool] | None = None,
) -> MemberTable:
    """Run all members that the table does not hold yet."""
    if work.task.device == "gpu" and client is None:  # a cluster has cards of its own
        look_for_card()
    count = workers or _workers(work, client)
    largest = LARGEST_BATCH if work.task.batch else LARGEST_CHUNK
    pieces = work.amount.pieces(count, PIECES) if work.task.batch else PIECES
    size = chunk or max(1, min(largest, -(-work.size // (pieces * count))))
    table: MemberTable = Memory(work.size) if store is None else Store(store, work.size, size, work.mark, resume=resume)
    if isinstance(table, Store):
        size = table.chunk
    chunks = list(_chunks(table.missing(), size))
    tell, stop = progress or (lambda part, what: None), cancel or (lambda: False)
    done = work.size - sum(length for _, length in chunks)
    for (first, length), columns in _engine(work.task, chunks, count, client, at_once=workers is not None):
        table.write(first, columns)
        done += length
        tell(done / work.size, f"{done:,} of {work.size:,} runs, {'one by one' if work.one_by_one else work.way}")
        if stop():
            break
    return table


def _workers(work: PreparedEnsemble, client: Any) -> int:
    """How many there are, where nobody says how many to take."""
    if client is not None:
        return sum(client.nthreads().values()) or 1
    cores = os.cpu_count() or 1
    known = work.task.batch or work.one_by_one == SOONER  # what other machines cost, nobody can tell
    return work.amount.workers(cores, batch=work.task.batch) if known else cores


def _engine(
    task: Task, chunks: list[who.Chunk], count: int, client: Any, *, at_once: bool
) -> Iterator[tuple[who.Chunk, Any]]:
    if client is not None:
        return who.on_dask(task, chunks, client)
    if count > 1 and len(chunks) > 1:
        way = who.in_processes if at_once or chunks[0][1] > FEW else who.here_at_first
        return way(task, chunks, min(count, len(chunks)))
    return who.here(task, chunks)


def _chunks(missing: NDArray[np.bool_], size: int) -> Iterator[who.Chunk]:
    """Chunks in which something is missing."""
    for first in range(0, len(missing), size):
        if missing[first : first + size].any():
            yield first, min(size, len(missing) - first)


def dataset(work: PreparedEnsemble, table: MemberTable) -> Any:
    """The table over the axes of the ensemble."""
    xarray = extra("xarray", "data", _TABLES)
    columns = table.columns()
    names = {f"m{k}": text for k, (name, text) in enumerate(work.task.measures, 1) if name == f"m{k}"}
    bodies = [body.name for body in work.mechanism.points]
    kept = work.task.keep != "measures"  # else q and v may be names of measures
    units = {one.name: one.unit(work.mechanism) for one in measures_of(work.mechanism, work.task.measures)}
    taken = {"status", CAREFUL, MEMBER, *columns, *names.values(), *(KEPT if kept else ())}
    found = {}
    for name, values in columns.items():
        rest: tuple[str, ...] = ()
        if kept and name in ("q", "v"):
            rest = (*(("time",) if work.times is not None else ()), "body", "axis")
        shown = names.get(name) or name.removeprefix(DRAWN)
        is_drawn = name.startswith(DRAWN)
        if shown in work.coordinates or (is_drawn and _never_changes(np.asarray(values))):
            continue
        about = _about(units.get(name, ""), work.mechanism.parameter_units.get(shown, "") if is_drawn else "")
        if is_drawn and shown in taken:
            shown = name  # else it would replace a measure, or the status
        found[shown] = ((*work.dims, *rest), np.asarray(values).reshape((*work.shape, *values.shape[1:])), about)
    coordinates: dict[str, Any] = dict(work.coordinates)
    for axis in () if work.task.plan is None else work.task.plan.axes:
        coordinates[axis.name] = (*coordinates[axis.name], axis.units)
    if kept and "q" in found:
        coordinates |= {"body": bodies, "axis": list("xyz"[: work.mechanism.dimension])}
        coordinates |= {} if work.times is None else {"time": work.times}
    status = np.asarray(columns["status"])
    attributes = {
        "title": work.mechanism.title,
        "chainlist": work.task.text,
        "runs": int((status != NOT_COMPUTED).sum()),
        "well": int(np.isin(status, (WELL, WENT_ON)).sum()),
        "way": work.way,
    }
    if CAREFUL in columns:
        attributes["careful"] = int(np.nansum(columns[CAREFUL]))
    return xarray.Dataset(found, coordinates, attributes)


def _about(unit: str, written: str) -> dict[str, str]:
    """What the table says of a column: its unit, and the one in which the text writes it."""
    said = (("units", si_unit(written) if written else unit), ("written_in", written))
    return {key: word for key, word in said if word}


def _never_changes(values: Floats) -> bool:
    """Of a parameter: it is no random one."""
    known = values[np.isfinite(values)]
    return bool(known.size > 0 and known.min() == known.max())


__all__ = ["Axis", "PreparedEnsemble", "dataset", "ensemble", "prepare", "run_work"]
