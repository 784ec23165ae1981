"""The questions that editors ask about a document: positions are offsets of characters into its text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from chainlist.language.completion import Proposals, complete
from chainlist.language.document import Document, in_main_text
from chainlist.language.fixes import Fix, fixes
from chainlist.language.names import Defined, Index, included_file
from chainlist.language.vocabulary import vocabulary
from chainlist.syntax.diagnostics import Diagnostic
from chainlist.syntax.limits import Limits
from chainlist.syntax.source import Source, Span
from chainlist.syntax.tree import Command, Entity, Submachine

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_WORDS = re.compile(r"\.?[A-Za-z_][\w]*")


class CannotRename(ValueError):
    """Why a name cannot be changed, in words."""


@dataclass(frozen=True)
class PlacedDiagnostic:
    """A diagnostic where the main text shows it, with what can be done about it."""

    diagnostic: Diagnostic
    span: Span
    inside: str  # the included file that it is about, or ""
    fixes: tuple[Fix, ...]


@dataclass(frozen=True)
class Hover:
    """What is said of the characters of a span: how it is written (with everything computed), and what it means."""

    span: Span
    code: str
    text: str

    @property
    def markdown(self) -> str:
        return f"```chain\n{self.code}\n```\n{self.text}" if self.code else self.text


@dataclass(frozen=True)
class OutlineEntry:
    """A line of the outline."""

    name: str
    detail: str
    kind: str
    whole: Span
    span: Span
    children: tuple[OutlineEntry, ...] = field(default=())


class Service:
    """All that is known of one version of a text."""

    def __init__(
        self, text: str, path: Path | None = None, folder: Path | None = None, limits: Limits | None = None
    ) -> None:
        self.document = Document(text, path, folder, limits)

    @cached_property
    def index(self) -> Index:
        return Index(self.document)

    @cached_property
    def messages(self) -> tuple[PlacedDiagnostic, ...]:
        """All diagnostics; those without a place stand at the title."""
        found = []
        for diagnostic in self.document.checked.diagnostics:
            span = diagnostic.span
            place = in_main_text(span) if span is not None else _first_line(self.document.source)
            inside = span.source.name if span is not None and span.source.included_from is not None else ""
            found.append(PlacedDiagnostic(diagnostic, place, inside, tuple(fixes(self.document, diagnostic))))
        return tuple(found)

    def complete(self, offset: int) -> Proposals:
        """What may stand here."""
        return complete(self.document, self.index, offset)

    def hover(self, offset: int) -> Hover | None:
        """What a name is, with its effective values; else what a word of the language means."""
        found = self.index.at(offset)
        if found is not None:
            span, defined = found
            return Hover(span, *self._about(defined))
        word = _word_at(self.document.source, offset)
        meaning = vocabulary().meaning_of(word.text) if word is not None else None
        return Hover(word, *meaning) if word is not None and meaning else None

    def _about(self, defined: Defined) -> tuple[str, str]:
        """How a thing is written, with its effective values where the text is right, and what it is."""
        kind = vocabulary().letter(defined.kind) if len(defined.kind) == 1 else None
        mechanism = self.document.checked.mechanism
        code = self.document.effective.get(defined.name.lower(), kind.usage if kind else "")
        if defined.kind == "parameter" and mechanism is not None:
            values = {name.lower(): value for name, value in mechanism.parameters.items()}
            value = values.get(defined.name.lower())
            code = f"{defined.name} = {value:.9g}" if value is not None else ""
        return code, f"{defined.name}: {kind.meaning if kind else defined.kind}"

    def definition(self, offset: int) -> Span | Path | None:
        """Where the name at an offset is defined, or the file that is included there."""
        found = self.index.at(offset)
        if found is not None:
            return found[1].span
        return included_file(self.document, self.index, offset)

    def references(self, offset: int) -> list[Span]:
        """Every place of the name at an offset, its definition first."""
        found = self.index.at(offset)
        return [found[1].span, *found[1].uses] if found is not None else []

    def rename(self, offset: int, name: str) -> list[Fix]:
        """The edits that change a name everywhere; raises `CannotRename` where the text would say something else."""
        found = self.index.at(offset)
        if found is None:
            raise CannotRename("here is no name of this text")
        defined = found[1]
        if not _NAME.fullmatch(name):
            raise CannotRename(f"{name} cannot be a name: letters, digits and _, a letter first")
        if len(defined.kind) == 1 and name[:1].upper() != defined.kind:
            raise CannotRename(f"the name of {defined.name} must begin with {defined.kind}: it says what it is")
        if defined.beside_ellipsis:
            raise CannotRename(f"{defined.name} stands beside an ellipsis, which counts its names")
        edits = [Fix(f"Rename to {name}", span, name) for span in self.references(offset)]
        before = {(d.code, d.message) for d in self.document.checked.diagnostics if d.is_error}
        again = Document(applied(self.document.text, edits), self.document.source.path, self.document.folder)
        new = [d for d in again.checked.diagnostics if d.is_error and (d.code, d.message) not in before]
        if new and not before:
            raise CannotRename(f"that would be wrong: {new[0].message}")
        if not _means_the_same(Index(again), edits):
            raise CannotRename(f"{name} has another meaning where {defined.name} stands, or stands elsewhere already")
        return edits

    def outline(self) -> tuple[OutlineEntry, ...]:
        """Entities, commands and submachines in their order."""
        return tuple(_symbols(self.document.tree.statements))

    def runs(self) -> list[Span]:
        """Where an editor may offer to run the text: at its title, if it can be run."""
        return [_first_line(self.document.source)] if self.document.checked.mechanism is not None else []


def _means_the_same(after: Index, edits: list[Fix]) -> bool:
    """Whether all places that were renamed, and no others, still are one name."""
    starts = sorted(edit.span.start for edit in edits)
    longer = len(edits[0].text) - len(edits[0].span.text)  # alike in all of them
    moved = {start + number * longer for number, start in enumerate(starts)}
    definition = edits[0].span.start + starts.index(edits[0].span.start) * longer
    found = after.at(definition)
    return found is not None and moved == {span.start for span in (found[1].span, *found[1].uses)}


def applied(text: str, edits: list[Fix]) -> str:
    """The text after edits that do not overlap."""
    for edit in sorted(edits, key=lambda edit: -edit.span.start):
        text = text[: edit.span.start] + edit.text + text[edit.span.stop :]
    return text


def _symbols(statements: tuple[object, ...]) -> list[OutlineEntry]:
    found = []
    for statement in statements:
        if isinstance(statement, Entity):
            words = statement.span.text[len(statement.name.text) :].strip().splitlines()
            detail = words[0] if words else ""
            found.append(
                OutlineEntry(
                    statement.name.text, detail, statement.name.key[:1].upper(), statement.span, statement.name.span
                )
            )
        elif isinstance(statement, Submachine):
            name = statement.head.arguments[0].span if statement.head.arguments else statement.head.keyword.span
            inner = tuple(_symbols(statement.body))
            found.append(OutlineEntry(name.text, "submachine", "submachine", statement.span, name, inner))
        elif isinstance(statement, Command):
            keyword = statement.keyword
            detail = " ".join(statement.span.text.split()[1:])
            found.append(OutlineEntry(f".{keyword.text.lstrip('.')}", detail, "command", statement.span, keyword.span))
    return found


def _first_line(source: Source) -> Span:
    return Span(source, 0, len(source.line(1)))


def _word_at(source: Source, offset: int) -> Span | None:
    """The word around an offset, with the dot of a command."""
    line = source.position(offset)[0]
    start = source.line_starts[line - 1]
    for found in _WORDS.finditer(source.line(line)):
        if start + found.start() <= offset <= start + found.end():
            return Span(source, start + found.start(), start + found.end())
    return None
