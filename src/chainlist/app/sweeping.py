"""A sweep from the command line: members, table, pictures."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chainlist.analyses.axes import check_given, plan_of, sweeps
from chainlist.analyses.base import Finding
from chainlist.analyses.ensemble import PreparedEnsemble, dataset, prepare, run_work
from chainlist.analyses.members import NOT_COMPUTED
from chainlist.analyses.sweep import Sweep, kept_of_runs
from chainlist.app.files import Input
from chainlist.app.guard import BROKE_DOWN, INTERRUPTED, TEXT, guarded
from chainlist.app.progress import interruptible, progress_bar
from chainlist.app.terminal import complain, say, show
from chainlist.compile.read import changed, read
from chainlist.model.ask import ask_card
from chainlist.model.asked import Asked
from chainlist.model.mechanism import Changes, Mechanism
from chainlist.output.charts import write_charts
from chainlist.output.files import replace_file, writable_folder
from chainlist.output.writing import Wanted, Written
from chainlist.run.grid import RunRefused
from chainlist.run.simulate import PREPARING
from chainlist.run.size import LARGEST, LONGEST
from chainlist.syntax.errors import ChainlistError
from chainlist.syntax.extras import extra, want


@dataclass(frozen=True)
class Sweeping:
    """What the command line asks of a sweep."""

    changes: Changes
    workers: int | None = None
    scheduler: str = ""
    device: str = "cpu"
    store: Path | None = None
    resume: bool = False
    plots: bool = True
    quiet: bool = False
    steps: tuple[str, ...] = ()  # cards of .step beside those of the chainlist
    confirm: bool = False  # begin however long it will take
    again: str = ""  # how the command line names the chainlist


def sweep_chainlist(given: Input, output: Path | None, wishes: Sweeping) -> int:
    """Read, run all members and write; whatever goes wrong is said on standard error and shows in the status."""
    if isinstance(given.source, ChainlistError):
        show(given.source.diagnostics)
        return TEXT
    checked = read(given.source, given.base, changes=wishes.changes)
    if not wishes.quiet or checked.mechanism is None:
        show([d for d in checked.diagnostics if d.code != "N202"], given.name)  # a sweep shows its table
    if checked.mechanism is None:
        return TEXT
    mechanism = checked.mechanism
    stem = "stdin" if given.path is None else given.path.stem
    folder = output or (Path() if given.path is None else given.path.parent) / f"{stem}.out"
    return guarded(lambda: _sweep(mechanism, given.name, folder, wishes), given.name)


def _sweep(mechanism: Mechanism, name: str, folder: Path, wishes: Sweeping) -> int:
    more = ask_card(mechanism, [f".step {card}" for card in wishes.steps], given_as="--step")
    mechanism = dataclasses.replace(mechanism, analyses=(*mechanism.analyses, *more))
    if not sweeps(mechanism):
        raise RunRefused("this chainlist asks for one run: add a line such as .step L 0.5 1.5 0.1, or .mc 100")
    writable_folder(folder)
    if wishes.store is not None:
        writable_folder(wishes.store.parent)
    written = Written()
    with _cluster(wishes.scheduler) as client, interruptible() as cancel:
        result, stopped = run_sweep(mechanism, name, wishes, cancel, client)
    if not wishes.quiet:
        lines = result.figures()
        width = max(len(label) for label, _ in lines)
        say(*(f"{label:<{width}}  {value}" for label, value in lines))
    write_table(result, folder, written)
    write_charts([Finding(Asked("step", None), result)], folder, Wanted(wishes.plots), written)
    if not wishes.quiet:
        say(*(str(path) for path in written.paths))
    if stopped:
        later = (
            f"go on with --store {wishes.store} --resume" if wishes.store else "with --store a sweep can go on later"
        )
        complain(f"interrupted; what was computed is written; {later}")
    unwell = result.first_unwell
    if unwell is not None:
        complain(f"not all runs went well: {_why(mechanism, wishes.again or name, unwell, result.place_of(unwell))}")
    return INTERRUPTED if stopped else 0 if unwell is None else BROKE_DOWN


def _why(mechanism: Mechanism, again: str, number: int, place: str) -> str:
    """Show what is wrong with one run; where only running tells, the command that repeats it alone."""
    own = plan_of(mechanism).changes(number)
    try:
        one = changed(mechanism, own)
    except ChainlistError as error:
        show(error.diagnostics)
        return f"this is wrong at {place}"
    given = mechanism.changes.and_then(own)
    params = {name: value for name, value in one.parameters.items() if value != mechanism.parameters.get(name)}
    words = [f"--param {name}={value!r}" for name, value in {**given.params, **params}.items()]
    words += [f"--set {name}={value}" for name, value in given.options.items()]
    return f"`{' '.join(['chainlist run', again, *words])}` says why"


def run_sweep(
    mechanism: Mechanism, name: str, wishes: Sweeping, cancel: Callable[[], bool], client: Any = None
) -> tuple[Sweep, bool]:
    """The result of all members, and whether it was stopped before they were done."""
    want("h5netcdf", "data", "tables of sweeps")  # `write_table` would miss it when all is computed
    with progress_bar(name, quiet=wishes.quiet) as tell:
        tell(0.0, PREPARING)
        check_given(mechanism)
        kept = kept_of_runs(mechanism)
        work = prepare(mechanism, None, None, None, None, False, None, None, (), kept, {}, wishes.device)
        _check_size(work, wishes)
        table = run_work(work, wishes.workers, client, wishes.store, wishes.resume, None, tell, cancel)
        stopped = cancel()
    result = Sweep.of(mechanism, dataset(work, table))
    return result, stopped and bool((result.dataset["status"].values == NOT_COMPUTED).any())


def _check_size(work: PreparedEnsemble, wishes: Sweeping) -> None:
    """Refuse a sweep that nobody can mean, unless it is confirmed; how fast clusters and cards are, nobody can tell."""
    if wishes.confirm or wishes.resume:
        return
    amount = work.amount
    seconds = (amount.batch if work.task.batch else amount.alone) / (wishes.workers or os.cpu_count() or 1)
    if wishes.scheduler or wishes.device == "gpu":
        seconds = 0.0
    size = 0.0 if wishes.store else 8.0 * work.size * (2 + len(work.dims) + len(amount.forms))
    if seconds > LONGEST or size > LARGEST:
        days = f"{seconds / 86400:.3g} days" if seconds > 172800 else f"{seconds / 3600:.3g} hours"
        taken = " and ".join([days] * (seconds > LONGEST) + [f"{size / 1e9:.3g} GB"] * (size > LARGEST))
        raise RunRefused(f"{work.size:,} runs would take about {taken}. Ask for fewer, or confirm it: --confirm")


def write_table(result: Sweep, folder: Path, written: Written) -> None:
    """All runs as CSV and as NetCDF."""
    with written.file(folder / "sweep.csv") as path:
        replace_file(path, result.table().encode("utf-8"))
    with written.file(folder / "sweep.nc") as path:
        result.dataset.to_netcdf(path, engine="h5netcdf")


def _cluster(address: str) -> AbstractContextManager[Any]:
    """A client of a Dask cluster; None where no scheduler is named."""
    if not address:
        return nullcontext()
    client: AbstractContextManager[Any] = extra("distributed", "sweep", "clusters").Client(address, timeout=30)
    return client
