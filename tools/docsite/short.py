"""What the site shows at length, as short tables for those who read the pages in the repository: messages, commands, Python, gallery."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import typer

import chainlist
from chainlist.app.cli import app
from chainlist.examples import SUFFIX, gallery
from docsite import peers


def messages() -> list[list[str]]:
    """Each code with its heading; it leads to its page, which has the examples."""
    pages = resources.files("chainlist.syntax").joinpath("explain")
    rows = []
    for name in sorted((page.name for page in pages.iterdir()), key=lambda name: ("EWN".index(name[0]), name)):
        head = pages.joinpath(name).read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        code, _, words = head.partition(": ")
        anchor = f'<a id="{code.lower()}"></a>'
        rows.append([f"{anchor}[{code}](../../src/chainlist/syntax/explain/{name})", words])
    return [["code", "what it says"], *rows]


def commands() -> list[list[str]]:
    """Each command with the first sentence of its help, and its example."""
    group: Any = typer.main.get_command(app)
    rows = []
    for name, command in sorted(group.commands.items()):
        example = re.search(r"Example: (.*)", command.epilog or "")
        rows.append([f"`{name}`", _first_sentence(command.help), f"`{example[1]}`" if example else ""])
    return [["command", "what it does", "for example"], *rows]


def python() -> list[list[str]]:
    """Each name of the package with the first sentence of its docstring."""
    names = [name for name in chainlist.__all__ if not isinstance(getattr(chainlist, name), str)]
    rows = [[f"`{name}`", _first_sentence(inspect.getdoc(getattr(chainlist, name)))] for name in names]
    return [["name", "what it is"], *rows]


def examples() -> list[list[str]]:
    """Each example, which leads to its text."""
    rows = []
    for example in gallery():
        folder = "paper/" if Path(str(example.path)).parent.name == "paper" else ""
        file = f"../src/chainlist/examples/{folder}{example.name}{SUFFIX}"
        rows.append([f"[`{example.name}`]({file})", example.title, example.summary])
    return [["name", "title", "what it shows"], *rows]


def _first_sentence(text: str | None) -> str:
    words = " ".join(inspect.cleandoc(text or "").partition("\n\n")[0].split())
    return re.split(r"(?<=[.:;]) (?=[A-Z])", words)[0].rstrip(".:;")


def _table(rows: list[list[str]]) -> str:
    head, *others = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *others))


SHORT: dict[str, Callable[[], str]] = {
    "messages": lambda: _table(messages()),
    "commands": lambda: _table(commands()),
    "python": lambda: _table(python()),
    "gallery": lambda: _table(examples()),
    "peers-machine": lambda: f"- {peers.machine()}",
}
