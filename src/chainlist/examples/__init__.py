"""The gallery: chainlists that come with the package, each with one line of explanation, and each a test.

The paper's listings stand in `paper/` as they were printed; their explanations are the table of `paper/README.md`.
In all others the second line, a comment, is the explanation.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field
from importlib import resources
from importlib.resources.abc import Traversable

SUFFIX = ".chain"


@dataclass(frozen=True)
class Example:
    """One chainlist of the gallery: what it is called, its title, one line about it, where it is, what it says."""

    name: str
    title: str
    summary: str
    path: Traversable = field(repr=False)
    text: str = field(repr=False)


class UnknownExample(LookupError):
    """There is no example of this name; the message offers those that are near."""


def gallery() -> list[Example]:
    """All examples: the listings of the paper first, then the others by name."""
    folder = resources.files(__name__)
    paper = folder.joinpath("paper")
    summaries = dict(re.findall(r"^\| `([^`]+)` \| (.+?) \|$", _text(paper.joinpath("README.md")), re.MULTILINE))
    listings = [_example(path, summaries[_name(path)]) for path in _chainlists(paper)]
    return listings + [_example(path) for path in _chainlists(folder)]


def find(name: str) -> Example:
    """The example of this name (capitals and the suffix do not matter); raises `UnknownExample`."""
    wanted = name.strip().lower().removesuffix(SUFFIX)
    examples = {example.name: example for example in gallery()}
    if wanted in examples:
        return examples[wanted]
    near = [known for known in examples if len(wanted) > 2 and wanted in known]
    near = near or difflib.get_close_matches(wanted, list(examples), n=1)
    advice = f"did you mean {' or '.join(near)}?" if near else "`chainlist examples` lists all"
    raise UnknownExample(f"there is no example {name}: {advice}")


def _chainlists(folder: Traversable) -> list[Traversable]:
    found = [path for path in folder.iterdir() if path.name.endswith(SUFFIX)]
    return sorted(found, key=lambda path: path.name)


def _example(path: Traversable, summary: str | None = None) -> Example:
    text = _text(path)
    first, second = text.splitlines()[:2]
    return Example(_name(path), first.strip("* "), summary or second.strip("* "), path, text)


def _name(path: Traversable) -> str:
    return path.name.removesuffix(SUFFIX)


def _text(path: Traversable) -> str:
    return path.read_text(encoding="utf-8")
