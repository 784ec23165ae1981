"""Files named on the command line: read whole, written so that nothing half-written is ever left."""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from chainlist.compile.read import decode
from chainlist.syntax.errors import ChainlistError
from chainlist.syntax.source import Source


@dataclass(frozen=True)
class Input:
    """A chainlist as it was given: its name, its path (None for standard input), where includes are looked for."""

    name: str
    path: Path | None
    base: Path | None
    source: Source | ChainlistError


def take(name: str) -> Input:
    """Read a file, or standard input for `-`; raises `OSError` where that fails."""
    if name == "-":
        return Input("<stdin>", None, Path.cwd(), _source(sys.stdin.buffer.read(), "<stdin>", None))
    path = Path(name)
    return Input(name, path, path.parent, _source(path.read_bytes(), name, path))


def _source(data: bytes, name: str, path: Path | None) -> Source | ChainlistError:
    try:
        return decode(data, name, path)
    except ChainlistError as error:
        return error


def replace_file(path: Path, data: bytes) -> None:
    """Write beside the file and rename: the old text or the new one, never a part. Follows a symbolic link."""
    target = path.resolve()
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        if target.exists():
            os.chmod(temporary, target.stat().st_mode)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
