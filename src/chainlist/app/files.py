"""Files named on the command line, read whole."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from chainlist.app.terminal import complain
from chainlist.syntax.errors import ChainlistError
from chainlist.syntax.source import Source

if TYPE_CHECKING:
    from chainlist.model.mechanism import Changes, Mechanism


_TEXTS = (".chain", ".txt", ".cir", ".net", "")  # what a chainlist may be called


@dataclass(frozen=True)
class Input:
    """A chainlist as it was given: its name, its path (None for standard input), where includes are looked for."""

    name: str
    path: Path | None
    base: Path | None
    source: Source | ChainlistError

    def mechanism(self, changes: Changes) -> Mechanism:
        """What it describes, with changes to what it says; raises `ChainlistError`."""
        from chainlist.compile.read import read

        if isinstance(self.source, ChainlistError):
            raise self.source
        checked = read(self.source, self.base, changes=changes)
        if checked.mechanism is None:
            raise ChainlistError(checked.diagnostics)
        return checked.mechanism


def take(name: str) -> Input:
    """Read a file, or standard input for `-`; raises `OSError` where that fails."""
    if name == "-":
        return Input("<stdin>", None, Path.cwd(), _source(sys.stdin.buffer.read(), "<stdin>", None))
    path = Path(name)
    return Input(name, path, path.parent, _source(path.read_bytes(), name, path))


def take_or_complain(name: str) -> Input | None:
    """The text behind a name on the command line; None after saying why there is none."""
    try:
        return take(name)
    except OSError as error:
        complain(f"{name}: {error.strerror or error}{_near(name) if isinstance(error, FileNotFoundError) else ''}")
        return None


def _near(name: str) -> str:
    """The file of that folder that may have been meant."""
    from chainlist.model.suggest import nearest

    path = Path(name)
    try:
        files = {file.name.lower(): file for file in path.parent.iterdir() if file.is_file()}
    except OSError:
        return ""
    texts = {key: file for key, file in files.items() if file.suffix.lower() in _TEXTS}
    known = {key: file for key, file in texts.items() if file.suffix.lower() == path.suffix.lower()} or texts
    same_stem = (file for file in texts.values() if file.stem.lower() in (path.name.lower(), path.stem.lower()))
    meant = nearest(path.name, known)
    found = known[meant] if meant else next(same_stem, None)
    return "" if found is None else f"; did you mean {found}?"


def _source(data: bytes, name: str, path: Path | None) -> Source | ChainlistError:
    from chainlist.compile.read import decode

    try:
        return decode(data, name, path)
    except ChainlistError as error:
        return error
