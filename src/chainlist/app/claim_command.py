"""`chainlist claim`: what the paper claims, measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chainlist.app.guard import TEXT, guarded
from chainlist.app.progress import progress_bar
from chainlist.app.terminal import complain, say, write_out


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: chainlist claim 10")(claim)


def claim(
    number: Annotated[
        int | None,
        typer.Argument(metavar="[N]", help="The claim, 1 to 12; without it, all are listed.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FOLDER", help="Write the page there, with its pictures."),
    ] = None,
) -> None:
    """Repeat a claim of the paper: run it, print the figures, and say whether it holds."""
    from chainlist.labs.book import write_claim
    from chainlist.labs.pages import CLAIMS, as_data, report
    from chainlist.labs.pages import claim as find
    from chainlist.output.files import writable_folder

    if number is None:
        write_out("".join(f"{n:>2}  {find(n).title}\n" for n in CLAIMS))
        return
    if number not in CLAIMS:
        complain(f"there is no claim {number}; there are {CLAIMS[0]} to {CLAIMS[-1]}")
        raise typer.Exit(TEXT)

    def work() -> int:
        if output is not None:
            writable_folder(output)
        subject = find(number)
        with progress_bar(f"claim {number}", quiet=False) as tell:
            tell(0.0, "running (kernels are compiled once)")
            measured = subject.measure()
        write_out(report(subject, as_data(measured)))
        if output is not None:
            say(str(write_claim(subject, measured, output)))
        return 0

    raise typer.Exit(guarded(work))
