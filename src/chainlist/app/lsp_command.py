"""`chainlist lsp`: a language server on standard input and output."""

from __future__ import annotations

import typer

from chainlist.app.guard import WORLD
from chainlist.app.terminal import complain


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: chainlist lsp")(lsp)


def lsp() -> None:
    """Serve an editor: messages while typing, completion, hover, renaming … It speaks on standard input and output."""
    try:
        from chainlist.app.lsp.server import make_server
    except ModuleNotFoundError as error:
        complain(f"the language server needs more packages ({error.name}): pip install 'chainlist[lsp]'")
        raise typer.Exit(WORLD) from None
    make_server().start_io()
