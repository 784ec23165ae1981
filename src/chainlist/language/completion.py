"""What may stand where the cursor is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from chainlist.language.document import Document
from chainlist.language.names import Index
from chainlist.language.vocabulary import SETTINGS, vocabulary

MOST = 200  # proposals; nobody reads more
_DOTTED = re.compile(r"^\s*(\.[A-Za-z]*)$")
_VALUE = re.compile(r"(?<!\w)([A-Za-z_]\w*)\s*=\s*(\w*)$")  # looked for where words begin: lines may be long
_WORD = re.compile(r"(?<![\w.])[A-Za-z_][\w.]*$")
_CONTINUES = re.compile(r"^\s*(\*?\+|\*|$)")
_COMMAND = re.compile(r"^\s*(\.[A-Za-z]+)")
Kind = Literal["command", "option", "value", "item", "body", "element", "parameter", "setting", "function", "letter"]


@dataclass(frozen=True)
class Completion:
    """One proposal: `label` in the list, `text` in place of the word before the cursor."""

    label: str
    text: str
    kind: Kind
    detail: str = ""
    info: str = ""


@dataclass(frozen=True)
class Proposals:
    """What may replace the characters from `start` to the cursor. `more`: there are others, for who types on."""

    start: int
    found: tuple[Completion, ...]
    more: bool = False


def complete(document: Document, index: Index, offset: int) -> Proposals:
    """Proposals at an offset that begin as the word there does; none in titles and comments."""
    every = _complete(document, index, offset)
    begun = document.text[every.start : offset].lower()
    fitting = tuple(found for found in every.found if found.label.lower().startswith(begun))
    return Proposals(every.start, fitting[:MOST], more=len(fitting) > MOST)


def _complete(document: Document, index: Index, offset: int) -> Proposals:
    line = document.source.position(offset)[0]
    before = document.text[document.source.line_starts[line - 1] : offset]
    nothing = Proposals(offset, ())
    if line == 1 or re.match(r"^\s*\*(?!\+)", before) or ";" in before:
        return nothing
    words = vocabulary()
    dotted = _DOTTED.match(before)
    if dotted:
        commands = (Completion(c.name, c.name, "command", c.usage, c.meaning) for c in words.commands)
        return Proposals(offset - len(dotted[1]), tuple(commands))
    value = _VALUE.search(before)
    if value:
        option = next((o for o in words.options if o.name.lower() == value[1].lower()), None)
        choices = option.choices if option is not None else ()
        return Proposals(offset - len(value[2]), tuple(Completion(c, c, "value") for c in choices))
    word = _WORD.search(before)
    start = offset - (len(word[0]) if word else 0)
    command = _command(document, line) if before.strip() else ""
    if command == ".options":
        settings = (
            Completion(o.name, f"{o.name}=", "option", o.default, f"{o.meaning} ({o.range})") for o in words.options
        )
        return Proposals(start, tuple(settings))
    if not command and not re.match(r"^\s*\S+\s", before):
        letters = (Completion(w.name, w.name, "letter", w.usage, w.meaning) for w in words.letters)
        return Proposals(start, tuple(letters))
    return Proposals(start, _names(document, index, command, before))


def _names(document: Document, index: Index, command: str, before: str) -> tuple[Completion, ...]:
    """Names of the text, with items in commands that show something and functions between braces."""
    found: list[Completion] = []
    words = vocabulary()
    in_formula = before.count("{") > before.count("}")
    if command and command not in (".param", ".func", ".tran", ".include", ".title"):
        found += [
            Completion(o.name, f"{o.name}(" if o.takes else o.name, "item", o.unit, o.meaning)
            for o in words.observables
        ]
    for defined in index.top.names.values():
        if defined.kind == "parameter":
            found.append(Completion(defined.name, defined.name, "parameter"))
        elif defined.kind == "B":
            found.append(Completion(defined.name, defined.name, "body"))
        elif len(defined.kind) == 1:
            found.append(Completion(defined.name, defined.name, "element"))
        elif defined.kind in ("function", "submachine"):
            found.append(Completion(defined.name, defined.name, "function"))
    if in_formula or command in (".param", ".func"):
        found += [Completion(f.name, f"{f.name}(", "function", f.usage, f.meaning) for f in words.functions]
    elif not command:
        found += [Completion(name, f"{name}=", "setting") for name in SETTINGS]
    return tuple(found)


def _command(document: Document, line: int) -> str:
    """The command that a line belongs to, through its continuation lines; "" for an entity."""
    while line > 1:
        text = document.source.line(line)
        if not _CONTINUES.match(text):
            found = _COMMAND.match(text)
            return found[1].lower() if found else ""
        line -= 1
    return ""
