"""Files of the workspace folder: listed, opened and saved by name, and never anything outside it."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from chainlist.output.files import replace_file

SUFFIX = ".chain"
MOST_LISTED = 500
_SKIPPED = frozenset({"node_modules", "__pycache__"})


class Outside(Exception):
    """A name that is not one of a chainlist inside the workspace."""


class WouldOverwrite(Exception):
    """Saving would destroy a text that the user has not seen."""


def plain_lines(text: str) -> str:
    """A text with its lines ended by \\n alone, as the editor has them."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def stamp_of(text: str) -> str:
    """Tells texts apart without keeping them."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Workspace:
    """A folder of chainlists."""

    folder: Path
    writable: bool

    def names(self) -> list[str]:
        """Chainlists of the folder, sorted, as paths relative to it."""
        found: list[str] = []
        for here, folders, files in os.walk(self.folder):
            folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in _SKIPPED)
            relative = Path(here).relative_to(self.folder)
            found += [name for file in sorted(files) if self._has(name := str(relative / file))]
            if len(found) >= MOST_LISTED:
                break
        return found[:MOST_LISTED]

    def path(self, name: str) -> Path:
        """The path behind a name; raises `Outside` for names that leave the folder, by whatever trick."""
        if not self._has(name):
            raise Outside(f"{name} is not a chainlist of this folder")
        return (self.folder / name).resolve()

    def _has(self, name: str) -> bool:
        if "\0" in name or not name.endswith(SUFFIX) or Path(name).name.startswith("."):
            return False
        root = self.folder.resolve()
        return (root / name).resolve().is_relative_to(root)

    def read(self, name: str) -> str:
        """The text of a file, its lines ended by \\n alone; raises `Outside` or `OSError`."""
        return plain_lines(self.path(name).read_bytes().decode("utf-8-sig", errors="replace"))

    def save(self, name: str, text: str, known: str | None) -> None:
        """Write a file: beside it, then renamed. The line ends of a file that exists are kept.

        `known` is the stamp of what the user believes to be in the file, "" for nothing; where that is wrong, this
        raises `WouldOverwrite`. With None the file is replaced whatever is in it.
        """
        if not self.writable:
            raise Outside("files of this workspace cannot be changed from here")
        path = self.path(name)
        if not path.parent.is_dir():
            raise Outside(f"there is no folder for {name}")
        if known is not None and path.exists() and (there := self.read(name)) != text and stamp_of(there) != known:
            raise WouldOverwrite(
                "The file has changed since it was opened." if known else "There is a file of this name."
            )
        data = text.encode("utf-8")
        if path.exists() and b"\r\n" in path.read_bytes():
            data = data.replace(b"\n", b"\r\n")
        replace_file(path, data)


def download_name(title: str, suffix: str) -> str:
    """A harmless file name made from a title."""
    words = "".join(c if c.isascii() and c.isalnum() else "-" for c in title.strip("* ")).strip("-").lower()
    while "--" in words:
        words = words.replace("--", "-")
    return (words[:60] or "chainlist") + suffix
