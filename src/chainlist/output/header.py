"""The header of a text trace: the chainlist as it was read, then as comments what else the run depended on."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from chainlist.model.mechanism import Changes, Item, Mechanism
from chainlist.run.observables import chainlist_text, has_components, split
from chainlist.run.provenance import AUTOMATIC, provenance

HEADER = "HEADER"
DATA = "DATA SECTION"
_VERSION = re.compile(r"\* chainlist (?P<version>\S+), columns: (?P<columns>.*)")
_SETTINGS = re.compile(r"\* \.(?P<command>options|param|tran) (?P<settings>.*)")


@dataclass(frozen=True)
class TraceHeader:
    """What a header says. `columns` is None in a trace that another program wrote."""

    text: str
    columns: str | None = None
    changes: Changes = field(default_factory=Changes)


def header_text(mechanism: Mechanism, columns: tuple[Item, ...]) -> str:
    """Everything above the first row of a text trace."""
    lines = [HEADER, provenance(mechanism, " ".join(item.text for item in columns))]
    names = _names_of_numbers(mechanism, columns)
    return "\n".join((*lines, *([f"* row: {' '.join(names)}"] if len(names) > len(columns) else []), DATA, ""))


def _names_of_numbers(mechanism: Mechanism, columns: tuple[Item, ...]) -> list[str]:
    """What each column of a row is where one item gives several bare numbers: TENSION(C1) TENSION(C2) …"""
    constraints = dict.fromkeys((constraint.name for constraint in mechanism.constraints), True)
    names: list[str] = []
    for item in columns:
        several = not has_components(item.formula, mechanism.dimension)
        names += [chainlist_text(one) for one in split(item.formula, constraints)] if several else [item.text]
    return names


def split_trace(text: str) -> tuple[str, str] | None:
    """Header and data of a trace, None if the text is none. No row can look like the line between them: the last one counts."""
    lines = text.split("\n", 1)
    if lines[0].strip().lstrip("\ufeff") != HEADER:
        return None
    found = [(line.start(), line.end()) for line in re.finditer(rf"^{DATA}[ \t]*\r?\n", text, re.MULTILINE)]
    return (text[len(lines[0]) + 1 : found[-1][0]], text[found[-1][1] :]) if found else None


def read_header(header: str) -> TraceHeader:
    """Take a header apart; what the comments at its end say is left out of the chainlist."""
    lines = header.splitlines()
    at = next((i for i in reversed(range(len(lines))) if _VERSION.match(lines[i])), None)
    if at is None:
        return TraceHeader(header)
    said = {found["command"]: found["settings"].split() for line in lines[at:] if (found := _SETTINGS.match(line))}
    changes = Changes(
        params={key: float(value) for key, value in _pairs(said.get("param", []))},
        options=dict(_pairs(said.get("options", []))),
        tran=[float(word) for word in said["tran"]] if "tran" in said else None,
    )
    version_line = _VERSION.match(lines[at])
    assert version_line is not None
    return TraceHeader("\n".join((*lines[:at], "")), version_line["columns"], changes)


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    """key=value; what the program chose by itself is left to it again."""
    pairs = [word.partition("=") for word in words]
    return [(key, value) for key, _, value in pairs if value != AUTOMATIC]
