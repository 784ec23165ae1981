"""Files of the workspace folder: listed, opened and saved by name, and never anything outside it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from chainlist.output.files import replace_file

SUFFIX = ".chain"
MOST_LISTED = 500
_SKIPPED = frozenset({"node_modules", "__pycache__"})


class Outside(Exception):
    """A name that is not one of a chainlist inside the workspace."""


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
        return self.path(name).read_bytes().decode("utf-8-sig", errors="replace").replace("\r\n", "\n")

    def save(self, name: str, text: str) -> None:
        """Write a file: beside it, then renamed. The line ends of a file that exists are kept."""
        if not self.writable:
            raise Outside("files of this workspace cannot be changed from here")
        path = self.path(name)
        if not path.parent.is_dir():
            raise Outside(f"there is no folder for {name}")
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
