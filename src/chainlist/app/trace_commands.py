"""`chainlist plot`, `play`, `animate`: pictures and pages of a stored trace, or of a fresh run. What they do: `tracing.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chainlist.app.look import Dpi, Fps, Names, Size, Speed, look_of
from chainlist.app.plugins import Plugins
from chainlist.app.settings import OneExample, OneFile, Parameters, Settings

Trace = Annotated[Path, typer.Argument(metavar="TRACE", help="A trace: text, .nc, .npz, .mat, .csv or .raw.")]
Of = Annotated[
    Path | None,
    typer.Option(
        "--chainlist", metavar="FILE", help="The chainlist of a .csv or .raw trace, which holds only numbers."
    ),
]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="Where to write.", show_default=False)
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(epilog='Example: chainlist plot pendulum.npz "Q(B1)" Etotal -o pendulum.png')(plot)
    app.command(epilog="Example: chainlist play pendulum.npz --no-show")(play)
    app.command(epilog="Example: chainlist animate pendulum.chain -o pendulum.html")(animate)


def plot(
    trace: Trace,
    items: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ITEM…",
            help="Items as in .plot, several in quotes in one panel; else what its chainlist plots, or what a text trace holds.",
        ),
    ] = None,
    output: Output = None,
    of: Of = None,
    settings: Settings = None,
    parameters: Parameters = None,
    size: Size = None,
    dpi: Dpi = None,
    names: Names = False,
    plugins: Plugins = None,
) -> None:
    """Draw items of a trace, without simulating again; PNG, SVG or PDF by the suffix of the output."""
    from chainlist.app import tracing

    look = look_of(size, dpi, None, names=names)
    raise typer.Exit(tracing.plot(trace, items, output, of, settings, parameters, look))


def play(
    trace: Trace,
    output: Output = None,
    of: Of = None,
    settings: Settings = None,
    parameters: Parameters = None,
    show_it: Annotated[bool, typer.Option("--show/--no-show", help="Open the page in the browser.")] = True,
    plugins: Plugins = None,
) -> None:
    """Show a trace in motion: write a page for any browser, and open it."""
    from chainlist.app import tracing

    raise typer.Exit(tracing.play(trace, output, of, settings, parameters, show=show_it))


def animate(
    file: OneFile = None,
    output: Output = None,
    example: OneExample = None,
    settings: Settings = None,
    parameters: Parameters = None,
    size: Size = None,
    fps: Fps = None,
    speed: Speed = None,
    names: Names = False,
    plugins: Plugins = None,
) -> None:
    """Simulate a chainlist and write its motion: a page (.html), .gif or .mp4 by the suffix of the output."""
    from chainlist.app import tracing

    kinds = () if output is None else (output.suffix.lower().lstrip("."),)
    look = look_of(size, None, fps, names=names, speed=speed, kinds=kinds)
    raise typer.Exit(tracing.animate(file, output, example, settings, parameters, look))
