"""`chainlist compare`: one mechanism with many settings, held against a reference."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from chainlist.analyses.compare import (
    Reference,
    Row,
    combinations,
    exact_reference,
    run_row,
    stored_reference,
    tight_reference,
    work_precision,
)
from chainlist.analyses.pendulum import NotAPendulum
from chainlist.app.guard import guarded
from chainlist.app.plugins import Plugins
from chainlist.app.progress import progress_bar
from chainlist.app.terminal import console, write_out
from chainlist.compile.read import load
from chainlist.model.mechanism import Mechanism
from chainlist.model.options import OPTIONS
from chainlist.output.precision_plot import save_precision
from chainlist.output.traces import read_trace


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: chainlist compare pendulum.chain --over INTEGRATOR=RK4,MIDPOINT --no-plot")(compare)


def compare(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A chainlist.")],
    over: Annotated[
        list[str], typer.Option("--over", metavar="OPTION=A,B,…", help="An option and the values to try; may repeat.")
    ],
    against: Annotated[
        str, typer.Option("--against", metavar="TRACE|exact", help="The reference; else DOP853 at 1e-13.")
    ] = "",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="The work-precision plot.")
    ] = None,
    no_plot: Annotated[bool, typer.Option("--no-plot", help="Only the table.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the table as JSON.")] = False,
    plugins: Plugins = None,
) -> None:
    """Run every combination of settings that goes together, and compare accuracy and cost."""
    choices = dict(_values(text) for text in over)

    def work() -> int:
        mechanism = load(file)
        reference = _reference(mechanism, against)
        good, bad = combinations(mechanism, choices)
        rows = _rows(mechanism, good, reference)
        if as_json:
            write_out(json.dumps([_data(row) for row in rows], indent=2) + "\n")
        else:
            _print_table(rows)
        for line in bad:
            console().print(f"left out: {line}", markup=False)
        if not no_plot:
            path = output or file.with_name(f"{file.stem}-compare.png")
            save_precision(_curves(mechanism, good, reference), mechanism.title, path)
            console().print(str(path), markup=False)
        return 0

    raise typer.Exit(guarded(work))


def _values(text: str) -> tuple[str, list[Any]]:
    """`INTEGRATOR=RK4,HEUN` as an option and its values, checked against the table of options."""
    name, equals, values = text.partition("=")
    option = OPTIONS.get(name.strip().lower())
    words = [word.strip() for word in values.split(",") if word.strip()]
    if option is None or not equals or not words:
        raise typer.BadParameter(f"`{text}` is not of the form OPTION=A,B,…", param_hint="--over")
    if option.kind == "number":
        try:
            return option.key, [float(word) for word in words]
        except ValueError:
            raise typer.BadParameter(f"{option.name} takes numbers", param_hint="--over") from None
    known = {choice.lower(): choice for choice in option.choices}
    for word in words:
        if word.lower() not in known:
            raise typer.BadParameter(f"{option.name} is one of {option.range}, not {word}", param_hint="--over")
    return option.key, [known[word.lower()] for word in words]


def _reference(mechanism: Mechanism, against: str) -> Reference:
    if not against:
        return tight_reference(mechanism)
    if against.lower() != "exact":
        return stored_reference(read_trace(against, mechanism))
    try:
        return exact_reference(mechanism)
    except NotAPendulum as error:
        raise typer.BadParameter(str(error), param_hint="--against") from None


def _rows(mechanism: Mechanism, good: list[dict[str, Any]], reference: Reference) -> list[Row]:
    rows = []
    with progress_bar("comparing", quiet=False) as tell:
        for number, settings in enumerate(good):
            tell(number / len(good), " ".join(str(value) for value in settings.values()))
            rows.append(run_row(mechanism, settings, reference))
    return rows


def _curves(mechanism: Mechanism, good: list[dict[str, Any]], reference: Reference) -> dict[str, list[Row]]:
    curves = {}
    with progress_bar("work and precision", quiet=False) as tell:
        for number, settings in enumerate(good):
            name = " ".join(str(value) for value in settings.values())
            tell(number / len(good), name)
            curves[name] = list(work_precision(mechanism, settings, reference))
    return curves


def _print_table(rows: list[Row]) -> None:
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


def _data(row: Row) -> dict[str, Any]:
    data = dataclasses.asdict(row)
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in data.items()
    }
