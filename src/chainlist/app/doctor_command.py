"""`chainlist doctor`: what is installed, what is missing for what, where compiled kernels are kept."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from chainlist.app.terminal import write_out


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: chainlist doctor")(doctor)


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Say what is installed and what is missing for what: versions, compiler, kernels, graphics card, browser, extras."""
    from chainlist.app.surroundings import look_around

    found = look_around()
    if as_json:
        write_out(json.dumps(found.as_data(), indent=2, ensure_ascii=False) + "\n")
    else:
        write_out(found.text())
    raise typer.Exit(0 if found.can_run else 1)
