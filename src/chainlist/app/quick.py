"""Plain command lines: `chainlist check FILE…`, `run FILE…` and their like, with switches but without values or help.

They are what one types most, and understood here in no time: the library that reads all other command lines (`cli.py`)
takes longer to load than a small mechanism to run. A test holds both against one another.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from chainlist.app.terminal import complain, stop_writing_out

_SWITCHES = {
    "check": {"--json": "as_json"},
    "fmt": {"--check": "only_check"},
    "dump": {},
    "run": {"--no-plots": "no_plots", "--json": "as_json", "--quiet": "quiet", "-q": "quiet", "--html": "html"},
}


def quick(words: Sequence[str]) -> int | None:
    """Do what a plain command line says and return its exit status; None for any other command line."""
    command = words[0] if words else ""
    switches = _SWITCHES.get(command)
    if switches is None:
        return None
    files = [word for word in words[1:] if word == "-" or not word.startswith("-")]
    said = {switches.get(word, "") for word in words[1:] if word not in files}
    if not files or "" in said or (command == "dump" and len(files) > 1) or any("=" in word for word in files):
        return None  # L=2 seldom is a file
    _start_lightly()
    try:
        return _do(command, files, said)
    except OSError as error:
        if error.errno == errno.EPIPE:  # `… | head`: nobody reads on
            stop_writing_out()
        else:
            complain(f"{error.filename or 'standard output'}: {error.strerror or error}")
        return 1


def _start_lightly() -> None:
    """Half a million objects are made at the start and none is garbage: looking for some takes a tenth of the time."""
    gc.set_threshold(200_000, 10, 100)


def leave(status: int) -> NoReturn:
    """End the process. All is written: taking the compiler apart piece by piece would take as long as starting Python.

    What draws pictures may have files of its own to remove: then the end is an ordinary one.
    """
    if "numba" in sys.modules and "matplotlib" not in sys.modules:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except OSError:
            status = status or 1  # nobody reads on
        os._exit(status)
    sys.exit(status)


def _do(command: str, files: list[str], said: set[str]) -> int:
    if command == "run":
        return _run(files, said)
    from chainlist.app import texts

    if command == "check":
        return texts.check_files(files, as_json="as_json" in said)
    if command == "fmt":
        return texts.format_files(files, only_check="only_check" in said)
    return texts.dump_file(files[0])


def _run(files: list[str], said: set[str]) -> int:
    from chainlist.app.batch import run_all
    from chainlist.app.files import take_or_complain
    from chainlist.app.running import Wishes
    from chainlist.model.mechanism import Changes
    from chainlist.output.writing import Wanted

    as_json = "as_json" in said
    wanted = Wanted(plots="no_plots" not in said, page="html" in said)
    wishes = Wishes(Changes(), wanted, quiet="quiet" in said, console_to_file=as_json)
    return run_all([take_or_complain(name) for name in files], None, wishes, as_json=as_json, show=False)
