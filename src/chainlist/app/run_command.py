"""`chainlist run`: simulate chainlists and write every output that they ask for."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated

import typer

from chainlist.app.browser import show_page
from chainlist.app.files import Input, take_or_complain
from chainlist.app.guard import INTERRUPTED, WORLD
from chainlist.app.plugins import Plugins
from chainlist.app.running import Wishes, run_chainlist
from chainlist.app.settings import Parameters, Settings, changes, example_input
from chainlist.app.terminal import complain, console, write_out
from chainlist.output.writing import FORMATS, Wanted

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
        str, typer.Option("--format", metavar="LIST", help=f"Formats of plots: {','.join(FORMATS)}.")
    ] = "",
    html: Annotated[
        bool, typer.Option("--html", help="Write a page with animation and plots, for any browser.")
    ] = False,
    no_plots: Annotated[bool, typer.Option("--no-plots", help="Write no plots and animations.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Open the page in the browser.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Run again each time a file is saved.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the reports as JSON; CONSOLE traces go to console.txt.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")] = False,
    allow_outside: Annotated[
        bool, typer.Option("--allow-outside", help="Let traces go to paths outside the output folder.")
    ] = False,
    confirm: Annotated[bool, typer.Option("--confirm", help="Begin a run of absurd size all the same.")] = False,
    plugins: Plugins = None,
) -> None:
    """Simulate chainlists: report, traces, plots, animations.

    Files go to FILE.out/ beside each file, or to DIR (several files: one subfolder each). Standard output carries only
    data: CONSOLE traces, or with --json the reports alone. Exit status: 0; 1 for the world outside; 2 for errors in the
    text or on the command line; 3 when a run broke down; 130 after Ctrl-C. In the last two cases everything up to there
    is written (but a second Ctrl-C, or one while pictures are drawn, ends these).
    """
    if not files and not example:
        raise typer.BadParameter("give a chainlist, `-` for standard input, or --example NAME", param_hint="FILE…")
    wanted = Wanted(not no_plots, _formats(formats), html or show)
    wishes = Wishes(changes(settings, parameters), wanted, quiet, allow_outside, confirm, as_json)
    given = [take_or_complain(name) for name in files or []] + [example_input(name) for name in example or []]
    status = _run_all(given, output, wishes, as_json=as_json, show=show)
    if watch and status != INTERRUPTED:
        _watch(files or [], output, wishes, as_json=as_json)
    raise typer.Exit(status)


def _run_all(chainlists: list[Input | None], output: Path | None, wishes: Wishes, *, as_json: bool, show: bool) -> int:
    """Run each; None stands for one that could not be read and was reported. Returns the largest status."""
    status = 0
    reports = []
    folders: set[Path] = set()
    for given in chainlists:
        if given is None:
            status = max(status, WORLD)
            continue
        folder = _folder(given, output, alone=len(chainlists) == 1, taken=folders)
        outcome = run_chainlist(given, folder, wishes)
        status = max(status, outcome.status)
        if outcome.data is not None:
            reports.append(outcome.data)
        if show and outcome.page is not None:
            show_page(outcome.page)
        if outcome.status == INTERRUPTED:
            if given is not chainlists[-1]:
                complain("the chainlists behind it were not run")
            break
    if as_json:
        write_out(json.dumps(reports, indent=2, ensure_ascii=False) + "\n")
    return status


def _folder(given: Input, output: Path | None, *, alone: bool, taken: set[Path]) -> Path:
    """Where the files of one chainlist go; two chainlists never share a folder."""
    stem = "stdin" if given.path is None else given.path.stem
    if output is not None:
        folder = output if alone else output / stem
    else:
        folder = (Path() if given.path is None else given.path.parent) / f"{stem}.out"
    number = 2
    unique = folder
    while unique in taken:
        unique = folder.with_name(f"{folder.name}-{number}")
        number += 1
    taken.add(unique)
    return unique


def _watch(names: list[str], output: Path | None, wishes: Wishes, *, as_json: bool) -> None:
    """Run again whatever was saved, until Ctrl-C."""
    paths = [Path(name) for name in names if name != "-"]
    console().print("watching; Ctrl-C ends it", markup=False)
    seen = {path: _stamp(path) for path in paths}
    while True:
        time.sleep(0.3)
        for path in paths:
            stamp = _stamp(path)
            if stamp is not None and stamp != seen[path]:
                seen[path] = stamp
                folder = output / path.stem if output is not None and len(names) > 1 else output
                if _run_all([take_or_complain(str(path))], folder, wishes, as_json=as_json, show=False) == INTERRUPTED:
                    raise KeyboardInterrupt


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _formats(text: str) -> tuple[str, ...] | None:
    names = tuple(name.strip().lower() for name in text.split(",") if name.strip())
    unknown = [name for name in names if name not in FORMATS]
    if unknown:
        raise typer.BadParameter(f"unknown format {unknown[0]}; there are {', '.join(FORMATS)}", param_hint="--format")
    return names or None
