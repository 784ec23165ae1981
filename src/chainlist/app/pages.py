"""The texts of `chainlist options`, `chainlist items` and `chainlist explain`."""

from __future__ import annotations

import difflib
import itertools
from dataclasses import dataclass
from importlib import resources

from chainlist.model.observables import OBSERVABLES
from chainlist.model.options import OPTIONS, Option
from chainlist.run.dimension import dimension


@dataclass(frozen=True)
class NoSuchPage:
    """There is no such page; `message` says what there is instead."""

    message: str


def options_page(name: str) -> str | NoSuchPage:
    """One option, or a table of all: name, default, meaning with the values."""
    if not name:
        return _table([(o.name, o.default_text, f"{o.meaning} [{o.range}]") for o in OPTIONS.values()])
    option = OPTIONS.get(name.lower())
    if option is None:
        return NoSuchPage(f"there is no option {name}{_nearest(name.lower(), list(OPTIONS))}")
    return _one_option(option)


def _one_option(option: Option) -> str:
    lines = [f"{option.name}: {option.meaning}", f"  values   {option.range}", f"  default  {option.default_text}"]
    if option.unit:
        lines.append(f"  unit     {option.unit}")
    lines.append(f"  write    .options {option.name}={option.example}")
    return "\n".join(lines) + "\n"


def items_page(name: str = "") -> str | NoSuchPage:
    """Every item of .plot and .print; those of one name, or about it."""
    word = name.strip().lower()
    known = list(OBSERVABLES.values())
    found = [o for o in known if o.name.lower() == word] or [
        o for o in known if word in o.usage.lower() or word in o.meaning.lower()
    ]
    if not found:
        return NoSuchPage(f"there is no item {name}{_nearest(word, list(OBSERVABLES))}")
    rows = [(o.usage, str(dimension(o.unit)), o.meaning) for o in found]
    return _table(rows) + "Items can be combined with + - * / and numbers: DERIVATIVE(C1)*10\n"


def _table(rows: list[tuple[str, str, str]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(2)]
    return "".join(f"{a:<{widths[0]}}  {b:<{widths[1]}}  {c}\n" for a, b, c in rows)


def codes_page() -> str:
    """Every code of a message with the title of its page."""
    pages = resources.files("chainlist.syntax").joinpath("explain")
    titles = (pages.joinpath(f"{code}.md").read_text(encoding="utf-8").split("\n", 1)[0] for code in _codes())
    return "".join(f"{title.lstrip('# ').replace(': ', '  ', 1)}\n" for title in titles)


def _codes() -> list[str]:
    pages = resources.files("chainlist.syntax").joinpath("explain")
    return sorted(page.name.removesuffix(".md") for page in pages.iterdir() if page.name.endswith(".md"))


def explain_page(code: str) -> str | NoSuchPage:
    """The page of a diagnostic code."""
    known = _codes()
    code = code.strip().upper().strip("[]")
    if code not in known:
        return NoSuchPage(
            f"there is no message with the code {code}; there are {_ranges(known)}{_nearest(code, known)}"
        )
    return resources.files("chainlist.syntax").joinpath("explain", f"{code}.md").read_text(encoding="utf-8")


def _ranges(codes: list[str]) -> str:
    """E101 to E501, N201 to N302, W101 to W311: each letter has numbers of its own."""
    letters = [list(group) for _, group in itertools.groupby(codes, key=lambda code: code[0])]
    return ", ".join(f"{group[0]} to {group[-1]}" if len(group) > 1 else group[0] for group in letters)


def _nearest(word: str, known: list[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    return f": did you mean {OPTIONS[near[0]].name if near[0] in OPTIONS else near[0]}?" if near else ""
