"""`chainlist compare`: one mechanism with many settings, held against a reference. What it does: `comparing.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chainlist.app.plugins import Plugins
from chainlist.app.settings import OneExample, OneFile, Parameters, Settings


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: chainlist compare pendulum.chain --over INTEGRATOR=RK4,MIDPOINT --no-plot")(compare)


def compare(
    over: Annotated[
        list[str], typer.Option("--over", metavar="OPTION=A,B,…", help="An option and the values to try; may repeat.")
    ],
    file: OneFile = None,
    against: Annotated[
        str, typer.Option("--against", metavar="TRACE|exact", help="The reference; else DOP853 at 1e-13.")
    ] = "",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="The work-precision plot.")
    ] = None,
    no_plot: Annotated[bool, typer.Option("--no-plot", help="Only the table.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the table as JSON.")] = False,
    example: OneExample = None,
    settings: Settings = None,
    parameters: Parameters = None,
    plugins: Plugins = None,
) -> None:
    """Run every combination of settings that goes together, and compare accuracy and cost."""
    from chainlist.app import comparing

    status = comparing.compare(
        over, file, example, against, output, settings, parameters, plot=not no_plot, as_json=as_json
    )
    raise typer.Exit(status)
