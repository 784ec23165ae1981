"""The command line: `chainlist check`, `fmt`, `dump`, `options`, `items`, `explain`.

Exit status: 0; 1 for the world outside (a file that is missing, `fmt --check` that would change something);
2 for errors in the text or on the command line; 130 after Ctrl-C.
A command loads what it works with when it is called: the help pages need none of it.
"""

from __future__ import annotations

import shlex
import sys
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer
import typer.core
import typer.main

from chainlist.app import (
    claim_command,
    compare_command,
    doctor_command,
    examples_command,
    exercise_command,
    export_command,
    gui_command,
    lsp_command,
    run_command,
    sweep_command,
    trace_commands,
    warm_command,
)
from chainlist.app.guard import TEXT, WORLD
from chainlist.app.plugins import Plugins, mistake_in_plugin
from chainlist.app.stray import check_words
from chainlist.app.terminal import complain, write_out

_MEANT = {"simulate": "run", "start": "run", "sim": "run", "format": "fmt", "lint": "check", "validate": "check"}


class _Commands(typer.core.TyperGroup):
    """Answers a file where a command is wanted, and words that other programs have for ours."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        word = args[0] if args else ""
        if word and not word.startswith("-") and self.get_command(ctx, word) is None:
            if word.lower() in _MEANT:
                ctx.fail(f"No such command '{word}'. Did you mean '{_MEANT[word.lower()]}'?")
            if Path(word).suffix.lower() in (".chain", ".txt", ".cir", ".net") or Path(word).is_file():
                ctx.fail(f"'{word}' is a file, and a command is wanted before it: chainlist run {shlex.join(args)}")
        found = super().resolve_command(ctx, args)
        if found[1] is not None:
            check_words(found[1], word, ctx, found[2])
        return found


app = typer.Typer(
    name="chainlist",
    cls=_Commands,
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
    sweep_command,
    trace_commands,
    compare_command,
    examples_command,
    claim_command,
    exercise_command,
    export_command,
    gui_command,
    lsp_command,
    warm_command,
    doctor_command,
):
    command.register(app)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # it takes a while to load

        write_out(f"chainlist {version('chainlist')}\n")
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
    from chainlist.app.texts import check_files

    raise typer.Exit(check_files(files, as_json=as_json))


@app.command(epilog="Example: chainlist fmt --check pendulum.chain")
def fmt(
    files: Files,
    only_check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 if something would change.")
    ] = False,
    plugins: Plugins = None,
) -> None:
    """Rewrite chainlists in place in canonical form; comments and blank lines are kept."""
    from chainlist.app.texts import format_files

    raise typer.Exit(format_files(files, only_check=only_check))


@app.command(epilog="Example: chainlist dump pendulum.chain")
def dump(file: OneFile, plugins: Plugins = None) -> None:
    """Print a chainlist with everything expanded and every default written out."""
    from chainlist.app.texts import dump_file

    raise typer.Exit(dump_file(file))


@app.command(epilog="Example: chainlist options INTEGRATOR")
def options(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="One option; all of them if left out.")] = "",
) -> None:
    """List the settings of .options: default, meaning, values."""
    from chainlist.app import pages

    text = pages.options_page(name)
    if isinstance(text, pages.NoSuchPage):
        complain(text.message)
        raise typer.Exit(TEXT)
    write_out(text)


@app.command(epilog="Example: chainlist items torque")
def items(
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="Only items of this name, or about it; all of them if left out.")
    ] = "",
) -> None:
    """List what .plot and .print can show: how it is written, unit, meaning."""
    from chainlist.app import pages

    text = pages.items_page(name)
    if isinstance(text, pages.NoSuchPage):
        complain(text.message)
        raise typer.Exit(TEXT)
    write_out(text)


@app.command(epilog="Example: chainlist explain E131")
def explain(
    code: Annotated[
        str, typer.Argument(metavar="[CODE]", help="The code of a message, such as E131; all if left out.")
    ] = "",
) -> None:
    """Explain a message: what it means, an example that is wrong, and one that is right."""
    from chainlist.app import pages

    text = pages.explain_page(code) if code else pages.codes_page()
    if isinstance(text, pages.NoSuchPage):
        complain(text.message)
        raise typer.Exit(TEXT)
    write_out(text)


@cache
def whole() -> Any:
    """The command with all of its own, put together once for a process that calls it often, as the tests do."""
    return typer.main.get_command(app)


def main() -> None:
    """Run the command and leave with its status. Usage errors, Ctrl-C (130) and closed pipes are typer's business."""
    try:
        whole()()
    except OSError as error:  # standard output that takes no more: a full disk behind it
        complain(f"{error.filename or 'standard output'}: {error.strerror or error}")
        sys.exit(WORLD)
    except Exception as error:
        mistake = mistake_in_plugin(error)
        if not mistake:
            raise
        complain(mistake)
        sys.exit(TEXT)
