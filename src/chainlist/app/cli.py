"""The command line: `chainlist check`, `fmt`, `dump`, `options`, `items`, `explain`.

Exit status: 0; 1 for the world outside (a file that is missing, `fmt --check` that would change something);
2 for errors in the text or on the command line; 130 after Ctrl-C.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

import chainlist
from chainlist.app import (
    claim_command,
    compare_command,
    examples_command,
    exercise_command,
    gui_command,
    pages,
    run_command,
    trace_commands,
    warm_command,
)
from chainlist.app.files import Input, take_or_complain
from chainlist.app.guard import TEXT, WORLD
from chainlist.app.plugins import Plugins, mistake_in_plugin
from chainlist.app.terminal import complain, show, write_out
from chainlist.compile.read import Checked, read
from chainlist.model.dump import CannotWrite
from chainlist.model.dump import dump as dump_mechanism
from chainlist.output.files import replace_file
from chainlist.syntax.diagnostics import Report
from chainlist.syntax.errors import ChainlistError
from chainlist.syntax.limits import Limits
from chainlist.syntax.parser import parse as parse_tree
from chainlist.syntax.printer import print_chainlist
from chainlist.syntax.render import as_data

app = typer.Typer(
    name="chainlist",
    help="A netlist for mechanisms: a few lines of text, and their constrained motion is solved and shown.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

Files = Annotated[
    list[str], typer.Argument(metavar="FILE…", help="Chainlists; `-` is standard input.", show_default=False)
]
OneFile = Annotated[str, typer.Argument(metavar="FILE", help="A chainlist; `-` is standard input.", show_default=False)]


for command in (
    run_command,
    trace_commands,
    compare_command,
    examples_command,
    claim_command,
    exercise_command,
    gui_command,
    warm_command,
):
    command.register(app)


def _version(wanted: bool) -> None:
    if wanted:
        write_out(f"chainlist {chainlist.__version__}\n")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    pass


@app.command(epilog="Example: chainlist check pendulum.chain")
def check(
    files: Files,
    as_json: Annotated[bool, typer.Option("--json", help="Print findings and messages as JSON.")] = False,
    plugins: Plugins = None,
) -> None:
    """Read chainlists and say what is wrong or remarkable, without running them."""
    status = 0
    results = []
    for name in files:
        given = take_or_complain(name)
        if given is None:
            status = max(status, WORLD)
            continue
        checked = _read(given)
        if checked.mechanism is None:
            status = TEXT
        if as_json:
            results.append(_check_data(given, checked))
        else:
            show(checked.diagnostics, given.name)
            if checked.mechanism is not None and checked.findings is not None:
                write_out(f"{given.name}: {checked.mechanism}; {checked.findings.freedom}\n")
    if as_json:
        write_out(json.dumps(results, indent=2, ensure_ascii=False) + "\n")
    raise typer.Exit(status)


@app.command(epilog="Example: chainlist fmt --check pendulum.chain")
def fmt(
    files: Files,
    only_check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 if something would change.")
    ] = False,
    plugins: Plugins = None,
) -> None:
    """Rewrite chainlists in place in canonical form; comments and blank lines are kept."""
    status = 0
    for name in files:
        given = take_or_complain(name)
        status = max(status, WORLD if given is None else _format(given, only_check))
    raise typer.Exit(status)


def _format(given: Input, only_check: bool) -> int:
    if isinstance(given.source, ChainlistError):
        show(given.source.diagnostics)
        return TEXT
    report = Report()
    tree = parse_tree(given.source, report, Limits())
    if report.errors:
        show(report.errors)
        return TEXT
    text = print_chainlist(tree)
    if "\r\n" in given.source.text:
        text = text.replace("\n", "\r\n")
    if only_check:
        if text == given.source.text:
            return 0
        complain(f"{given.name} would be rewritten")
        return WORLD
    if given.path is None:
        write_out(text)
    elif text != given.source.text:
        return _write(given.path, text)
    return 0


def _write(path: Path, text: str) -> int:
    try:
        replace_file(path, text.encode("utf-8"))
    except OSError as error:
        complain(f"{path} cannot be written: {error.strerror}")
        return WORLD
    return 0


@app.command(epilog="Example: chainlist dump pendulum.chain")
def dump(file: OneFile, plugins: Plugins = None) -> None:
    """Print a chainlist with everything expanded and every default written out."""
    given = take_or_complain(file)
    if given is None:
        raise typer.Exit(WORLD)
    checked = _read(given)
    show([d for d in checked.diagnostics if d.is_error])
    if checked.mechanism is None:
        raise typer.Exit(TEXT)
    try:
        text = dump_mechanism(checked.mechanism)
    except CannotWrite as problem:
        complain(str(problem))
        raise typer.Exit(TEXT) from None
    write_out(text)


@app.command(epilog="Example: chainlist options INTEGRATOR")
def options(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="One option; all of them if left out.")] = "",
) -> None:
    """List the settings of .options: default, meaning, values."""
    text = pages.options_page(name)
    if isinstance(text, pages.Unknown):
        complain(text.message)
        raise typer.Exit(TEXT)
    write_out(text)


@app.command(epilog="Example: chainlist items")
def items() -> None:
    """List what .plot and .print can show: how it is written, unit, meaning."""
    write_out(pages.items_page())


@app.command(epilog="Example: chainlist explain E131")
def explain(
    code: Annotated[
        str, typer.Argument(metavar="[CODE]", help="The code of a message, such as E131; all if left out.")
    ] = "",
) -> None:
    """Explain a message: what it means, an example that is wrong, and one that is right."""
    text = pages.explain_page(code) if code else pages.codes_page()
    if isinstance(text, pages.Unknown):
        complain(text.message)
        raise typer.Exit(TEXT)
    write_out(text)


def _read(given: Input) -> Checked:
    if isinstance(given.source, ChainlistError):
        return Checked(None, None, given.source.diagnostics)
    return read(given.source, given.base)


def _check_data(given: Input, checked: Checked) -> dict[str, object]:
    data: dict[str, object] = {
        "file": given.name,
        "ok": checked.mechanism is not None,
        "diagnostics": [as_data(d) for d in checked.diagnostics],
    }
    if checked.mechanism is not None and checked.findings is not None:
        data["bodies"] = len(checked.mechanism.bodies)
        data |= {name.replace(" ", "_"): number for name, number in checked.mechanism.counts.items()}
        data["freedom"] = checked.findings.freedom.as_data()
    return data


def main() -> None:
    """Run the command and leave with its status. Usage errors, Ctrl-C (130) and closed pipes are typer's business."""
    try:
        app()
    except OSError as error:  # standard output that takes no more: a full disk behind it
        complain(f"{error.filename or 'standard output'}: {error.strerror or error}")
        sys.exit(WORLD)
    except Exception as error:
        mistake = mistake_in_plugin(error)
        if not mistake:
            raise
        complain(mistake)
        sys.exit(TEXT)
