"""`chainlist run`: simulate chainlists and write every output that they ask for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chainlist.app.files import take_or_complain
from chainlist.app.guard import INTERRUPTED
from chainlist.app.look import Dpi, Fps, Names, Size, Speed, look_of
from chainlist.app.plugins import Plugins
from chainlist.app.settings import Parameters, Settings, changes, check_folder, example_input
from chainlist.output.formats import PICTURES

Files = Annotated[
    list[str] | None, typer.Argument(metavar="FILE…", help="Chainlists; `-` is standard input.", show_default=False)
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: chainlist run pendulum.chain")(run)


def run(
    files: Files = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="DIR", help="Folder for all files.")] = None,
    settings: Settings = None,
    parameters: Parameters = None,
    example: Annotated[
        list[str] | None,
        typer.Option("--example", metavar="NAME", help="One from the gallery; see `chainlist examples`."),
    ] = None,
    formats: Annotated[
        str, typer.Option("--format", metavar="LIST", help=f"Formats of plots: {','.join(PICTURES)}.")
    ] = "",
    html: Annotated[
        bool, typer.Option("--html", help="Write a page with animation and plots, for any browser.")
    ] = False,
    no_plots: Annotated[bool, typer.Option("--no-plots", help="Write no plots and animations.")] = False,
    show: Annotated[bool, typer.Option("--show/--no-show", help="Open the page in the browser.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Run again each time a file is saved.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the reports as JSON; CONSOLE traces go to console.txt.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")] = False,
    allow_outside: Annotated[
        bool, typer.Option("--allow-outside", help="Let traces go to paths outside the output folder.")
    ] = False,
    size: Size = None,
    dpi: Dpi = None,
    fps: Fps = None,
    speed: Speed = None,
    names: Names = False,
    confirm: Annotated[bool, typer.Option("--confirm", help="Begin a run of absurd size all the same.")] = False,
    plugins: Plugins = None,
) -> None:
    """Simulate chainlists: report, traces, plots, animations.

    Files go to FILE.out/ beside each file, or to DIR (several files: one subfolder each). Standard output carries only
    data: CONSOLE traces, or with --json the reports alone. Exit status: 0; 1 when a file is missing or cannot be written;
    2 for errors in the text or on the command line; 3 when a run broke down; 130 after Ctrl-C. In the last two cases everything up to there
    is written (but a second Ctrl-C, or one while pictures are drawn, ends these).
    """
    from chainlist.app.batch import run_all, run_when_saved
    from chainlist.app.running import Wishes
    from chainlist.output.writing import Wanted

    if not files and not example:
        raise typer.BadParameter("give a chainlist, `-` for standard input, or --example NAME", param_hint="FILE…")
    check_folder(output)
    chosen = _formats(formats)
    look = look_of(size, dpi, fps, names=names, speed=speed, kinds=chosen or ("gif",))
    wanted = Wanted(not no_plots, chosen, html or show, look)
    wishes = Wishes(changes(settings, parameters), wanted, quiet, allow_outside, confirm, as_json)
    given = [take_or_complain(name) for name in files or []] + [example_input(name) for name in example or []]
    status = run_all(given, output, wishes, as_json=as_json, show=show)
    if watch and status != INTERRUPTED:
        run_when_saved(files or [], output, wishes, as_json=as_json)
    raise typer.Exit(status)


def _formats(text: str) -> tuple[str, ...] | None:
    names = tuple(name.strip().lower() for name in text.split(",") if name.strip())
    unknown = [name for name in names if name not in PICTURES]
    if unknown:
        raise typer.BadParameter(f"unknown format {unknown[0]}; there are {', '.join(PICTURES)}", param_hint="--format")
    return names or None
