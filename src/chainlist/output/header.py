"""The header of a text trace: the chainlist as it was read, then as comments what else the run depended on."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from chainlist.model.dump import dump
from chainlist.model.mechanism import Changes, Item, Mechanism
from chainlist.model.options import OPTIONS
from chainlist.output.number_format import number_format

HEADER = "HEADER"
DATA = "DATA SECTION"
_AUTOMATIC = "automatic"
_VERSION = re.compile(r"\* chainlist (?P<version>\S+), columns: (?P<columns>.*)")
_SETTINGS = re.compile(r"\* \.(?P<command>options|param|tran) (?P<settings>.*)")


@dataclass(frozen=True)
class Header:
    """What a header says. `columns` is None in a trace that another program wrote."""

    text: str
    columns: str | None = None
    changes: Changes = field(default_factory=Changes)


def header_text(mechanism: Mechanism, columns: tuple[Item, ...]) -> str:
    """Everything above the first row of a text trace."""
    return "\n".join((HEADER, provenance(mechanism, " ".join(item.text for item in columns)), DATA, ""))


def provenance(mechanism: Mechanism, columns: str) -> str:
    """The chainlist, then as comments the version with the columns and all options: what a run came from.

    Parameters and times that were given beside the text follow on lines of their own.
    """
    from importlib.metadata import version  # it takes a while to load, and only traces ask for it

    shortest = number_format().text
    changes = mechanism.changes
    options = " ".join(f"{o.name}={_option_text(getattr(mechanism.options, key))}" for key, o in OPTIONS.items())
    lines = [
        (mechanism.text or dump(mechanism)).rstrip("\n"),
        f"* chainlist {version('chainlist')}, columns: {columns}",
        f"* .options {options}",
    ]
    if changes.params:
        lines.append("* .param " + " ".join(f"{name}={shortest(v)}" for name, v in changes.params.items()))
    if changes.tran is not None:
        times = mechanism.transient
        lines.append("* .tran " + " ".join(shortest(x) for x in (times.start, times.stop, times.step)))
    return "\n".join(lines)


def _option_text(value: float | str | tuple[float, ...] | None) -> str:
    if value is None:
        return _AUTOMATIC
    if isinstance(value, tuple):
        return f"({','.join(number_format().text(x) for x in value)})"
    return value if isinstance(value, str) else number_format().text(value)


def split_trace(text: str) -> tuple[str, str] | None:
    """Header and data of a trace, None if the text is none. No row can look like the line between them: the last one counts."""
    lines = text.split("\n", 1)
    if lines[0].strip().lstrip("\ufeff") != HEADER:
        return None
    found = [(line.start(), line.end()) for line in re.finditer(rf"^{DATA}[ \t]*\r?\n", text, re.MULTILINE)]
    return (text[len(lines[0]) + 1 : found[-1][0]], text[found[-1][1] :]) if found else None


def read_header(header: str) -> Header:
    """Take a header apart; what the comments at its end say is left out of the chainlist."""
    lines = header.splitlines()
    at = next((i for i in reversed(range(len(lines))) if _VERSION.match(lines[i])), None)
    if at is None:
        return Header(header)
    said = {found["command"]: found["settings"].split() for line in lines[at:] if (found := _SETTINGS.match(line))}
    changes = Changes(
        params={key: float(value) for key, value in _pairs(said.get("param", []))},
        options=dict(_pairs(said.get("options", []))),
        tran=[float(word) for word in said["tran"]] if "tran" in said else None,
    )
    version_line = _VERSION.match(lines[at])
    assert version_line is not None
    return Header("\n".join((*lines[:at], "")), version_line["columns"], changes)


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    """key=value; what the program chose by itself is left to it again."""
    pairs = [word.partition("=") for word in words]
    return [(key, value) for key, _, value in pairs if value != _AUTOMATIC]
