"""The examples of the package as the workbench shows them: in groups, with a small picture of each at its start."""

from __future__ import annotations

from functools import cache

from chainlist.app.workbench.checking import read_text
from chainlist.app.workbench.settings import RunLimits
from chainlist.examples import Example, gallery
from chainlist.output.thumbnail import thumbnail

CLASSICS, PAPER = "Classics", "From the paper"


@cache
def examples() -> dict[str, Example]:
    """All examples by name."""
    return {example.name: example for example in gallery()}


def groups() -> dict[str, list[Example]]:
    """The classics first, then the listings of the paper."""
    found: dict[str, list[Example]] = {CLASSICS: [], PAPER: []}
    for example in examples().values():
        found[PAPER if example.name[:2].isdigit() else CLASSICS].append(example)
    return {name: members for name, members in found.items() if members}


@cache
def picture(name: str) -> str:
    """The thumbnail of an example as SVG."""
    mechanism = read_text(examples()[name].text, RunLimits(), None).document.checked.mechanism
    return thumbnail(mechanism) if mechanism is not None else ""
