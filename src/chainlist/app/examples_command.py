"""`chainlist examples`: list the gallery, print one of its chainlists, or copy them to a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chainlist.app.guard import TEXT, WORLD, guarded
from chainlist.app.terminal import complain, say, write_out
from chainlist.examples import SUFFIX, Example, UnknownExample, find, gallery
from chainlist.output.files import replace_file, writable_folder


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: chainlist examples peaucellier-lipkin")(examples)


def examples(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="One example; all of them if left out.")] = "",
    copy: Annotated[
        Path | None,
        typer.Option("--copy", metavar="DIR", help="Write the example, or all, as files.", show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="With --copy: overwrite files that are there.")] = False,
) -> None:
    """List the gallery, or print the chainlist of one example."""
    try:
        chosen = [find(name)] if name else gallery()
    except UnknownExample as unknown:
        complain(str(unknown))
        raise typer.Exit(TEXT) from None
    if copy is not None:
        raise typer.Exit(guarded(lambda: _copy(chosen, copy, force=force), str(copy)))
    write_out(chosen[0].text if name else _table(chosen))


def _table(chosen: list[Example]) -> str:
    width = max(len(example.name) for example in chosen)
    return "".join(f"{example.name:<{width}}  {example.summary}\n" for example in chosen)


def _copy(chosen: list[Example], folder: Path, *, force: bool) -> int:
    """Write all of them, or none where a file would be lost."""
    targets = {folder / f"{example.name}{SUFFIX}": example.text for example in chosen}
    there = [path for path in targets if path.exists()]
    if there and not force:
        others = f" and {len(there) - 1} more" if len(there) > 1 else ""
        complain(f"{there[0]}{others}: the file exists; --force overwrites it")
        return WORLD
    writable_folder(folder)
    for path, text in targets.items():
        replace_file(path, text.encode("utf-8"))
        say(str(path))
    return 0
