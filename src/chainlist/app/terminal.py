"""What the command says on standard error: diagnostics in colour. Standard output carries only data.

Rich is loaded where there are colours to be seen, and not before: it takes longer than checking a small chainlist.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

from chainlist.syntax.diagnostics import Diagnostic
from chainlist.syntax.render import Part, styled_lines

if TYPE_CHECKING:
    from rich.console import Console

_STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "note": "bold cyan",
    "frame": "blue",
    "help": "bold green",
    "strong": "bold",
    "": "",
}
_CONTROL = dict.fromkeys([7, 8, 11, 12, 13])  # bell, backspace and their like, which would disturb a log too


def console() -> Console:
    """Standard error in colour; made anew each time, so that it follows a redirection."""
    from rich.console import Console

    return Console(stderr=True, soft_wrap=True, highlight=False)


def is_terminal() -> bool:
    """Whether standard error shows colours, by itself or because the user says so (as Rich decides it)."""
    if os.environ.get("TTY_COMPATIBLE") in ("0", "1"):
        return os.environ["TTY_COMPATIBLE"] == "1"
    return bool(os.environ.get("FORCE_COLOR")) or sys.stderr.isatty()


def _print(lines: Iterable[Sequence[Part]]) -> None:
    """Where the reader of standard error has gone away (`… 2>&1 | head`), the work goes on in silence: files are written."""
    try:
        _print_lines(lines)
    except BrokenPipeError:
        _point_at_nothing(sys.stderr)


def _print_lines(lines: Iterable[Sequence[Part]]) -> None:
    if not is_terminal():
        for line in lines:
            sys.stderr.write("".join(text for text, _ in line).translate(_CONTROL) + "\n")
        sys.stderr.flush()
        return
    from rich.text import Text

    out = console()
    for line in lines:
        out.print(Text.assemble(*((text, _STYLES[style]) for text, style in line)))


def show(diagnostics: Sequence[Diagnostic], name: str = "") -> None:
    """Print messages with their lines and carets; `name` is the chainlist that they are about."""
    if diagnostics:
        _print(styled_lines(diagnostics, name))


def say(*lines: str) -> None:
    """Lines without colour: files that were written, figures of a run."""
    _print([(line, "")] for line in lines)


def complain(message: str) -> None:
    """One line about the world outside: a file that is missing, a folder that cannot be written."""
    _print([[("error", "error"), (f": {message}", "strong")]])


def warn(message: str) -> None:
    """One line about something that is probably not meant."""
    _print([[("warning", "warning"), (f": {message}", "strong")]])


def write_out(text: str) -> None:
    """Data for standard output, as UTF-8 whatever the terminal's locale says."""
    sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.buffer.flush()


def stop_writing_out() -> None:
    """Point standard output at nothing, once its reader has gone away (`… | head`): what is still buffered goes there too."""
    _point_at_nothing(sys.stdout)


def _point_at_nothing(stream: TextIO) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
