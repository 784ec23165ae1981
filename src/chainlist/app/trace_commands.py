"""`chainlist plot`, `play`, `animate`: pictures and pages of a stored trace, or of a fresh run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chainlist.app.browser import show_page
from chainlist.app.guard import BROKE_DOWN, INTERRUPTED, guarded
from chainlist.app.plugins import Plugins
from chainlist.app.progress import interruptible, progress_bar
from chainlist.app.terminal import complain, console
from chainlist.compile.read import load
from chainlist.model.ask import ask
from chainlist.model.mechanism import Plot
from chainlist.output.figures import figures, notes
from chainlist.output.files import replace_file
from chainlist.output.gif import FORMATS as MOVING
from chainlist.output.gif import write_animation
from chainlist.output.page import page
from chainlist.output.panels import scene_of
from chainlist.output.plots import FORMATS as STILL
from chainlist.output.plots import draw_figure, save_figure
from chainlist.output.traces import read_trace
from chainlist.run.simulate import simulate
from chainlist.run.trajectory import Trajectory

Trace = Annotated[Path, typer.Argument(metavar="TRACE", help="A trace: text, .nc, .npz, .csv or .raw.")]
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
    app.command(epilog="Example: chainlist plot pendulum.npz Q(B1) Etotal -o pendulum.png")(plot)
    app.command(epilog="Example: chainlist play pendulum.npz --no-show")(play)
    app.command(epilog="Example: chainlist animate pendulum.chain -o pendulum.html")(animate)


def plot(
    trace: Trace,
    items: Annotated[
        list[str] | None, typer.Argument(metavar="ITEM…", help="Items as in .plot; else those of the trace.")
    ] = None,
    output: Output = None,
    of: Of = None,
    plugins: Plugins = None,
) -> None:
    """Draw items of a trace, without simulating again; PNG, SVG or PDF by the suffix of the output."""

    def draw() -> int:
        trajectory = _trajectory(trace, of)
        asked = tuple((ask(trajectory.mechanism, text),) for text in items or [])
        plots = [Plot(asked)] if asked else list(trajectory.mechanism.plots)
        base = output or trace.with_suffix(".png")
        _check_suffix(base, STILL)
        for number, one in enumerate(plots, start=1):
            path = base if len(plots) == 1 else base.with_name(f"{base.stem}{number}{base.suffix}")
            save_figure(draw_figure(trajectory, one), path)
            console().print(str(path), markup=False)
        return 0

    raise typer.Exit(guarded(draw))


def play(
    trace: Trace,
    output: Output = None,
    of: Of = None,
    show_it: Annotated[bool, typer.Option("--show/--no-show", help="Open the page in the browser.")] = True,
    plugins: Plugins = None,
) -> None:
    """Show a trace in motion: write a page for any browser, and open it."""

    def build() -> int:
        path = output or trace.with_suffix(".html")
        _write_page(_trajectory(trace, of), path)
        if show_it:
            show_page(path)
        return 0

    raise typer.Exit(guarded(build))


def animate(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A chainlist.")],
    output: Output = None,
    plugins: Plugins = None,
) -> None:
    """Simulate a chainlist and write its motion: a page (.html), .gif or .mp4 by the suffix of the output."""

    def build() -> int:
        path = output or file.with_suffix(".html")
        _check_suffix(path, ("html", *MOVING))
        mechanism = load(file)
        with interruptible() as cancel, progress_bar(str(file), quiet=False) as tell:
            trajectory = simulate(mechanism, progress=tell, cancel=cancel)
        if path.suffix.lower() == ".html":
            _write_page(trajectory, path)
        else:
            write_animation(trajectory, path)
            console().print(str(path), markup=False)
        if not trajectory.status.ok:
            complain(str(trajectory.status))
            return INTERRUPTED if trajectory.status.cancelled else BROKE_DOWN
        return 0

    raise typer.Exit(guarded(build))


def _trajectory(trace: Path, of: Path | None) -> Trajectory:
    return read_trace(trace, None if of is None else load(of))


def _write_page(trajectory: Trajectory, path: Path) -> None:
    replace_file(path, page(scene_of(trajectory, figures(trajectory), notes(trajectory))).encode("utf-8"))
    console().print(str(path), markup=False)


def _check_suffix(path: Path, known: tuple[str, ...]) -> None:
    if path.suffix.lower().lstrip(".") not in known:
        raise typer.BadParameter(
            f"the output must end in {', '.join('.' + kind for kind in known)}", param_hint="--output"
        )
