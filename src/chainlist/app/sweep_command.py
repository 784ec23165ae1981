"""`chainlist sweep`: every run that .step and .mc ask for, on all cores or on a cluster."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from chainlist.app.files import take_or_complain
from chainlist.app.guard import WORLD
from chainlist.app.plugins import Plugins
from chainlist.app.settings import (
    OneExample,
    OneFile,
    Parameters,
    Settings,
    changes,
    check_folder,
    check_one,
    example_input,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog='Example: chainlist sweep pendulum.chain --step "gravity 5 10 1"')(sweep)


def sweep(
    file: OneFile = None,
    example: OneExample = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="DIR", help="Folder for all files.")] = None,
    settings: Settings = None,
    parameters: Parameters = None,
    step: Annotated[
        list[str] | None, typer.Option("--step", metavar="CARD", help='One more .step: "L 0.5 1.5 0.1".')
    ] = None,
    workers: Annotated[int, typer.Option("--workers", metavar="N", help="Processes; by default one a core.")] = 0,
    scheduler: Annotated[
        str, typer.Option("--scheduler", metavar="ADDRESS", help="A Dask scheduler: tcp://host:8786.")
    ] = "",
    device: Annotated[
        str, typer.Option("--device", metavar="cpu|gpu", help="gpu: batches run on an NVIDIA card.")
    ] = "cpu",
    store: Annotated[
        Path | None, typer.Option("--store", metavar="PATH", help="Results go to this Zarr store as they come.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where the store was left.")] = False,
    no_plots: Annotated[bool, typer.Option("--no-plots", help="Write no pictures.")] = False,
    confirm: Annotated[bool, typer.Option("--confirm", help="Begin a sweep of absurd size all the same.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")] = False,
    plugins: Plugins = None,
) -> None:
    """Run every member of .step and .mc of FILE: a table, curves, heat maps, histograms.

    The table goes to sweep.csv and sweep.nc in FILE.out/, or in DIR. A sweep that was stopped, by Ctrl-C or by a machine
    that failed, goes on with --resume where its store was left, and gives the same numbers. Exit status as of
    `chainlist run`.
    """
    from chainlist.app.sweeping import Sweeping, sweep_chainlist

    if resume and store is None:
        raise typer.BadParameter("--resume needs the store that was left: --store PATH", param_hint="--resume")
    if device not in ("cpu", "gpu"):
        raise typer.BadParameter(f"a device is cpu or gpu, not {device}", param_hint="--device")
    check_one(file, example)
    check_folder(output)
    given = example_input(example) if example is not None else take_or_complain(file or "")
    if given is None:
        raise typer.Exit(WORLD)
    wishes = Sweeping(
        changes(settings, parameters),
        workers or None,
        scheduler,
        device,
        store,
        resume,
        not no_plots,
        quiet,
        tuple(step or ()),
        confirm,
        shlex.quote(file or "") if example is None else f"--example {example}",
    )
    raise typer.Exit(sweep_chainlist(given, output, wishes))
