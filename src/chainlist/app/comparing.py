"""One mechanism with many settings, held against a reference: what `chainlist compare` does."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from chainlist.analyses.compare import (
    Reference,
    Trial,
    combinations,
    exact_reference,
    label,
    run_trial,
    stored_reference,
    tight_reference,
    work_precision,
)
from chainlist.analyses.fitting import difference
from chainlist.analyses.pendulum import NotAPendulum
from chainlist.app.guard import guarded
from chainlist.app.progress import progress_bar
from chainlist.app.settings import changes, check_one, check_suffix, one_input
from chainlist.app.terminal import say, write_out
from chainlist.model.desk import Problem
from chainlist.model.mechanism import Mechanism
from chainlist.model.options import OPTIONS
from chainlist.model.outside import outside_number
from chainlist.model.suggest import nearest
from chainlist.output.files import writable_folder
from chainlist.output.formats import STILL
from chainlist.output.precision_plot import save_precision
from chainlist.output.traces import read_trace
from chainlist.run.simulate import PREPARING, Progress
from chainlist.run.trajectory import Trajectory

# Options that say nothing about how a motion is computed: there is nothing to compare.
_NOT_HOW = {
    "gravity": "changes the motion itself: each value has a reference of its own; compare with --set gravity=…",
    "plotmode": "changes only pictures",
    "frame": "changes only pictures",
    "view": "changes only pictures",
    "window": "changes only pictures",
    "save": "changes only which samples are kept",
}


def compare(
    over: list[str],
    file: str | None,
    example: str | None,
    against: str,
    output: Path | None,
    settings: list[str] | None,
    parameters: list[str] | None,
    *,
    plot: bool,
    as_json: bool,
) -> int:
    """Print the table and draw the plot; returns the exit status."""
    check_one(file, example)
    wanted = changes(settings, parameters)

    def work() -> int:
        given = one_input(file, example)
        mechanism = given.mechanism(wanted)
        choices = dict(_values(text, mechanism) for text in over)
        beside = given.path or Path("stdin")
        path = output or beside.with_name(f"{beside.stem}-compare.png")
        if plot:
            check_suffix(path, STILL)
            writable_folder(path.parent)
        talk = _Talk()
        reference = _reference(mechanism, against, talk)
        good, bad = combinations(mechanism, choices)
        rows = _rows(mechanism, good, reference, talk)
        if as_json:
            write_out(json.dumps([_data(row) for row in rows], indent=2) + "\n")
        else:
            _print_table(rows)
        for line in bad:
            say(f"left out: {line}")
        if plot:
            save_precision(_curves(mechanism, good, reference, talk), mechanism.title, path)
            say(str(path))
        return 0

    return guarded(work)


def _values(text: str, mechanism: Mechanism) -> tuple[str, list[Any]]:
    """`INTEGRATOR=RK4,HEUN` as an option and its values, checked against the table of options."""
    name, equals, values = text.partition("=")
    option = OPTIONS.get(name.strip().lower())
    words = [word.strip() for word in values.split(",") if word.strip()]
    if not equals or not words:
        raise typer.BadParameter(f"`{text}` is not of the form OPTION=A,B,…", param_hint="--over")
    if option is None:
        raise typer.BadParameter(_no_option(name.strip(), mechanism), param_hint="--over")
    if option.key in _NOT_HOW:
        raise typer.BadParameter(f"{option.name} {_NOT_HOW[option.key]}", param_hint="--over")
    if option.kind == "number":
        try:
            return option.key, [outside_number(word, option.want) for word in words]
        except Problem as problem:
            raise typer.BadParameter(f"{option.name}: {problem}", param_hint="--over") from None
    known = {choice.lower(): choice for choice in option.choices}
    for word in words:
        if word.lower() not in known:
            raise typer.BadParameter(f"{option.name} is one of {option.range}, not {word}", param_hint="--over")
    return option.key, [known[word.lower()] for word in words]


def _no_option(name: str, mechanism: Mechanism) -> str:
    """Why there is nothing to vary under this name, and what to do instead."""
    if name.lower() in ("tran", "step"):
        return "the plot varies the step itself; --set tran=start,stop,step chooses the one of the table"
    if name.lower() in {parameter.lower() for parameter in mechanism.parameters}:
        return f"{name} is a parameter and changes the motion itself: use --param {name}=…"
    meant = nearest(name, OPTIONS)
    cure = f"did you mean {OPTIONS[meant].name}?" if meant else "see `chainlist options`"
    return f"there is no option {name}: {cure}"


def _reference(mechanism: Mechanism, against: str, talk: _Talk) -> Reference:
    if not against:
        return tight_reference(mechanism, talk)
    if against.lower() != "exact":
        return _stored(read_trace(against), mechanism, against)
    try:
        return exact_reference(mechanism)
    except NotAPendulum as error:
        raise typer.BadParameter(str(error), param_hint="--against") from None


def _stored(trace: Trajectory, mechanism: Mechanism, name: str) -> Reference:
    theirs, ours = trace.bodies, tuple(body.name for body in mechanism.bodies)
    if theirs != ours:
        raise typer.BadParameter(
            f"{name} is the trace of another mechanism: its bodies are {', '.join(theirs[:6])}, not "
            f"{', '.join(ours[:6])}",
            param_hint="--against",
        )
    found = difference(trace, mechanism)
    if found is not None:
        cure = f"; give {found.cure}" if found.cure else ""
        raise typer.BadParameter(f"{name} {found.what}{cure}", param_hint="--against")
    return stored_reference(trace)


def _rows(mechanism: Mechanism, good: list[dict[str, Any]], reference: Reference, talk: _Talk) -> list[Trial]:
    rows = []
    with progress_bar("comparing", quiet=False) as talk.tell:
        for number, settings in enumerate(good):
            talk.begin(number / len(good), label(settings))
            rows.append(run_trial(mechanism, settings, reference, progress=talk))
    return rows


def _curves(
    mechanism: Mechanism, good: list[dict[str, Any]], reference: Reference, talk: _Talk
) -> dict[str, list[Trial]]:
    curves = {}
    with progress_bar("work and precision", quiet=False) as talk.tell:
        for number, settings in enumerate(good):
            name = label(settings)
            talk.begin(number / len(good), name)
            curves[name] = list(work_precision(mechanism, settings, reference, talk))
    return curves


class _Talk:
    """The progress of each run, told as that of all; `tell` is what shows it."""

    def __init__(self) -> None:
        self.tell: Progress = lambda part, what: None
        self.part, self.name = 0.0, ""

    def begin(self, part: float, name: str) -> None:
        self.part, self.name = part, name
        self.tell(part, name)

    def __call__(self, part: float, what: str) -> None:
        self.tell(self.part, f"{self.name}: {what}" if what == PREPARING else self.name)


def _print_table(rows: list[Trial]) -> None:
    """The table is the data of this command: it goes to standard output as plain text."""
    head = ["settings", "step or tolerance", "error [m]", "energy error [J]", "largest |Φ|", "time [s]", "ended"]
    table = Table(*(escape(words) for words in head), box=None, padding=(0, 2, 0, 0))
    for row in rows:
        numbers = [row.error, row.energy_error, row.residual, row.seconds]
        table.add_row(row.name, f"{row.size:g}", *(f"{number:.2e}" for number in numbers), row.ended)
    out = Console(width=200, no_color=True, highlight=False)
    with out.capture() as capture:
        out.print(table)
    write_out("\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n")


def _data(row: Trial) -> dict[str, Any]:
    data = dataclasses.asdict(row)
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in data.items()
    }
