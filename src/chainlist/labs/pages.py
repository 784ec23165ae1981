"""From what was measured to a page: results as JSON, and the page rendered from the words of a claim and that JSON."""

from __future__ import annotations

import dataclasses
import re
from importlib import import_module, resources
from typing import Any

from chainlist.labs.base import Claim, Figure, Judgement, Measured, Table

CLAIMS = range(1, 13)
WRITTEN = "<!-- Written by `make labs`: do not edit. -->"


def claim(number: int) -> Claim:
    """The claim with this number, from 1 to 12."""
    found = import_module(f"chainlist.labs.claim_{number:02d}").CLAIM
    assert isinstance(found, Claim)
    return found


def as_data(measured: Measured, pictures: dict[str, list[str]] | None = None) -> dict[str, Any]:
    """What JSON keeps of a measurement; `pictures` are the files of its drawings."""
    return {
        "verdict": measured.verdict,
        "parts": [dataclasses.asdict(part) for part in measured.parts],
        "figures": {name: _figure_data(figure) for name, figure in measured.figures.items()},
        "tables": [
            {
                "title": table.title,
                "head": list(table.head),
                "rows": [[c if isinstance(c, str) else _figure_data(c) for c in row] for row in table.rows],
            }
            for table in measured.tables
        ],
        "drawings": [
            {
                "caption": drawing.caption,
                "titles": [title for title, _ in drawing.motions],
                "files": (pictures or {}).get(name, []),
            }
            for name, drawing in measured.drawings.items()
        ],
    }


def from_data(data: dict[str, Any]) -> Measured:
    """A measurement as JSON kept it, without its drawings."""
    tables = tuple(
        Table(
            table["title"],
            tuple(table["head"]),
            tuple(tuple(c if isinstance(c, str) else _figure(c) for c in row) for row in table["rows"]),
        )
        for table in data["tables"]
    )
    figures = {name: _figure(entry) for name, entry in data["figures"].items()}
    return Measured(figures, tables, tuple(Judgement(**part) for part in data["parts"]))


def _figure_data(figure: Figure) -> dict[str, Any]:
    """Only what differs from the defaults, so that the file can be read by people."""
    fields = dataclasses.fields(Figure)
    data = {f.name: getattr(figure, f.name) for f in fields if getattr(figure, f.name) != f.default}
    return {**data, "value": figure.value, **({"within": list(figure.within)} if figure.within else {})}


def _figure(data: dict[str, Any]) -> Figure:
    within = data.get("within")
    return Figure(**{**data, "within": None if within is None else (within[0], within[1])})


def disagreements(stored: Measured, fresh: Measured) -> list[str]:
    """Where a fresh run says something else than a stored one; empty if they agree."""
    found = []
    if [(p.statement, p.verdict, p.under) for p in stored.parts] != [
        (p.statement, p.verdict, p.under) for p in fresh.parts
    ]:
        found.append(f"verdicts: {[p.verdict for p in stored.parts]} stored, {[p.verdict for p in fresh.parts]} now")
    if [(p.why, p.statement, p.ours) for p in stored.parts] != [(p.why, p.statement, p.ours) for p in fresh.parts]:
        found.append("the words of a verdict were changed: make labs")
    for one, other in zip(stored.tables, fresh.tables, strict=True):
        if (one.title, one.head) != (other.title, other.head):
            found.append(f"{one.title} {one.head} stored, {other.title} {other.head} now")
    if stored.figures.keys() != fresh.figures.keys():
        found.append(f"figures: {sorted(stored.figures)} stored, {sorted(fresh.figures)} now")
    for name in stored.figures.keys() & fresh.figures.keys():
        found += _compare(name, stored.figures[name], fresh.figures[name])
    for one, other in zip(stored.tables, fresh.tables, strict=True):
        for line, (old, new) in enumerate(zip(one.rows, other.rows, strict=True), start=1):
            for head, a, b in zip(one.head, old, new, strict=True):
                found += _compare(f"{one.title}, line {line}, {head}", a, b)
    return found


def _compare(name: str, stored: str | Figure, fresh: str | Figure) -> list[str]:
    if isinstance(stored, str) or isinstance(fresh, str):
        return [] if stored == fresh else [f"{name}: {stored} stored, {fresh} now"]
    now = dataclasses.replace(stored, value=fresh.value)
    return [] if stored.agrees(fresh) else [f"{name}: {stored} stored, {now} now"]


def fill(text: str, figures: dict[str, Figure]) -> str:
    """The text with every `{name}` replaced by that figure."""
    return re.sub(r"\{(\w+)\}", lambda found: str(figures[found[1]]), text)


def page(subject: Claim, data: dict[str, Any]) -> str:
    """The page of a claim for the documentation: what it says, and a warning to those who would edit it."""
    heading, text = report(subject, data).split("\n\n", 1)
    return f"{heading}\n\n{WRITTEN}\n\n{text}"


def report(subject: Claim, data: dict[str, Any]) -> str:
    """What is said of a claim in Markdown, from its words and the stored results."""
    measured = from_data(data)
    template = resources.files("chainlist.labs").joinpath("claim.md").read_text(encoding="utf-8")
    lesson = fill(subject.lesson, measured.figures)
    blocks = {
        "number": str(subject.number),
        "title": subject.title,
        "words": subject.words.strip(),
        "settings": subject.settings.strip(),
        "listings": ", ".join(f"`{name}`" for name in subject.listings),
        "verdict": measured.verdict,
        "parts": "\n".join(_part(part, measured.figures) for part in measured.parts),
        "tables": "\n\n".join(_table(table) for table in measured.tables),
        "drawings": "\n\n".join(_drawing(entry, measured.figures) for entry in data["drawings"] if entry["files"]),
        "lesson": f"## What one learns\n\n{lesson.strip()}\n\n" if lesson else "",
    }
    return re.sub(r"<(\w+)>", lambda found: blocks[found[1]], template)


def _part(part: Judgement, figures: dict[str, Figure]) -> str:
    verdict = f"{part.verdict[0].upper()}{part.verdict[1:]}" + (f": {part.under}" if part.under else "")
    whose = " (a statement of ours)" if part.ours else ""
    return f"- *{part.statement}*{whose} **{verdict}.** {fill(part.why, figures)}"


def _table(table: Table) -> str:
    lines = [f"**{table.title}**", "", _line(table.head), _line(["---"] * len(table.head))]
    return "\n".join([*lines, *(_line([str(cell) for cell in row]) for row in table.rows)])


def _line(cells: Any) -> str:
    return f"| {' | '.join(cells)} |"


def _drawing(entry: dict[str, Any], figures: dict[str, Figure]) -> str:
    caption = fill(entry["caption"], figures)
    titles = entry["titles"] or [""] * len(entry["files"])
    pictures = [
        f"![{title or caption}]({file})" + (f"\n\n*{title}*" if title else "")
        for title, file in zip(titles, entry["files"], strict=True)
    ]
    return "\n\n".join([*pictures, f"*{caption}*"])
