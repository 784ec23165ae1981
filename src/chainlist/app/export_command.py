"""`chainlist export`: a mechanism for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chainlist.app.files import take_or_complain
from chainlist.app.guard import TEXT, WORLD, guarded
from chainlist.app.plugins import Plugins
from chainlist.app.terminal import complain, say, write_out


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: chainlist export pendulum.chain --to mjcf")(export)


def export(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A chainlist; `-` is standard input.", show_default=False)
    ],
    target: Annotated[
        str, typer.Option("--to", metavar="FORMAT", help="mjcf, urdf, sympy or exudyn.", show_default=False)
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write it; else to standard output.")
    ] = None,
    plugins: Plugins = None,
) -> None:
    """Write a mechanism for MuJoCo, ROS, SymPy or Exudyn; what a format cannot carry is an error that says so."""
    from chainlist.exports import REGISTRY, CannotExport
    from chainlist.model.mechanism import Changes
    from chainlist.output.files import replace_file, writable_folder

    known = REGISTRY.get(target.lower())
    if known is None:
        complain(f"there is no format {target}; there are {', '.join(REGISTRY)}")
        raise typer.Exit(TEXT)
    given = take_or_complain(file)
    if given is None:
        raise typer.Exit(WORLD)

    def work() -> int:
        if output is not None:
            writable_folder(output.parent)
        try:
            text = known.write(given.mechanism(Changes()))
        except CannotExport as problem:
            complain(f"{given.name}: {problem}; it carries {known.carries}")
            return TEXT
        if output is None:
            write_out(text)
        else:
            replace_file(output, text.encode("utf-8"))
            say(str(output))
        return 0

    raise typer.Exit(guarded(work, given.name))
