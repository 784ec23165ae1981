"""What the command says on standard error: diagnostics in colour. Standard output carries only data."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from chainlist.syntax.diagnostics import Diagnostic
from chainlist.syntax.render import styled_lines

_STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "note": "bold cyan",
    "frame": "blue",
    "help": "bold green",
    "strong": "bold",
    "": "",
}


def console() -> Console:
    """Standard error; made anew each time, so that it follows a redirection."""
    return Console(stderr=True, soft_wrap=True, highlight=False)


def show(diagnostics: Sequence[Diagnostic], name: str = "") -> None:
    """Print messages with their lines and carets; `name` is the chainlist that they are about."""
    out = console()
    for line in styled_lines(diagnostics, name):
        out.print(Text.assemble(*((text, _STYLES[style]) for text, style in line)))


def complain(message: str) -> None:
    """One line about the world outside: a file that is missing, a folder that cannot be written."""
    console().print(Text.assemble(("error", _STYLES["error"]), (f": {message}", "bold")))


def warn(message: str) -> None:
    """One line about something that is probably not meant."""
    console().print(Text.assemble(("warning", _STYLES["warning"]), (f": {message}", "bold")))


def write_out(text: str) -> None:
    """Data for standard output, as UTF-8 whatever the terminal's locale says."""
    sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.buffer.flush()


def stop_writing_out() -> None:
    """Point standard output at nothing, once its reader has gone away (`… | head`): what is still buffered goes there too."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
