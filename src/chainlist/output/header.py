"""The header of a text trace: the chainlist as it was read, then as comments what else the run depended on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.metadata import version

from chainlist.model.dump import dump
from chainlist.model.mechanism import Item, Mechanism
from chainlist.model.options import OPTIONS
from chainlist.output.number_format import number_format

HEADER = "HEADER"
DATA = "DATA SECTION"
_AUTOMATIC = "automatic"
_VERSION = re.compile(r"\* chainlist (?P<version>\S+), columns: (?P<columns>.*)")
_SETTINGS = re.compile(r"\* \.(?P<command>options|param) (?P<settings>.*)")


@dataclass(frozen=True)
class Header:
    """What a header says. `columns` is None in a trace that another program wrote."""

    text: str
    columns: str | None
    options: dict[str, str]
    parameters: dict[str, float]


def header_text(mechanism: Mechanism, columns: tuple[Item, ...]) -> str:
    """Everything above the first row of a text trace."""
    return "\n".join((HEADER, provenance(mechanism, " ".join(item.text for item in columns)), DATA, ""))


def provenance(mechanism: Mechanism, columns: str) -> str:
    """The chainlist, then as comments the version with the columns, all options, all parameters: what a run came from."""
    shortest = number_format().text
    options = " ".join(f"{o.name}={_option_text(getattr(mechanism.options, key))}" for key, o in OPTIONS.items())
    lines = [
        (mechanism.text or dump(mechanism)).rstrip("\n"),
        f"* chainlist {version('chainlist')}, columns: {columns}",
        f"* .options {options}",
    ]
    if mechanism.parameters:
        lines.append("* .param " + " ".join(f"{name}={shortest(v)}" for name, v in mechanism.parameters.items()))
    return "\n".join(lines)


def _option_text(value: float | str | None) -> str:
    if value is None:
        return _AUTOMATIC
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
        return Header(header, None, {}, {})
    said: dict[str, dict[str, str]] = {"options": {}, "param": {}}
    for line in lines[at + 1 :]:
        found = _SETTINGS.match(line)
        if found:
            pairs = (word.partition("=") for word in found["settings"].split())
            said[found["command"]] = {key: value for key, _, value in pairs if value != _AUTOMATIC}
    said_by = _VERSION.match(lines[at])
    assert said_by is not None
    parameters = {name: float(value) for name, value in said["param"].items()}
    return Header("\n".join((*lines[:at], "")), said_by["columns"], said["options"], parameters)
