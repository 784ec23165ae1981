"""The examples of the package, with a line about each and a small picture of its start."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.abc import Traversable

from chainlist.app.workbench.checking import read_text
from chainlist.app.workbench.settings import RunLimits
from chainlist.app.workbench.thumbnail import thumbnail

_GROUPS = {"": "Classics", "paper": "From the paper"}


@dataclass(frozen=True)
class Example:
    """One chainlist of the gallery. `name` is its path below `examples`, without the suffix; `about` its second line."""

    name: str
    group: str
    title: str
    about: str
    text: str


@cache
def examples() -> dict[str, Example]:
    """All examples by name, in the order in which they are shown."""
    found = [_example(file, folder) for folder, file in _files(resources.files("chainlist") / "examples", "")]
    return {example.name: example for example in sorted(found, key=lambda e: (e.group != _GROUPS[""], e.name))}


@cache
def picture(name: str) -> str:
    """The thumbnail of an example as SVG."""
    mechanism = read_text(examples()[name].text, RunLimits(), None).checked.mechanism
    return thumbnail(mechanism) if mechanism is not None else ""


def _files(folder: Traversable, path: str) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _files(entry, f"{path}{entry.name}/")
        elif entry.name.endswith(".chain"):
            found.append((path, entry))
    return found


def _example(file: Traversable, path: str) -> Example:
    text = file.read_text(encoding="utf-8")
    folder = path.rstrip("/")
    lines = text.splitlines()
    title = lines[0].strip("* ").strip() if lines else ""
    about = lines[1].strip("* ").strip() if len(lines) > 1 and lines[1].startswith("* ") else ""
    return Example(path + file.name.removesuffix(".chain"), _GROUPS.get(folder, folder), title, about, text)
