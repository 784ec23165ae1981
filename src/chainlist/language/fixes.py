"""Cures as edits: where a message says in so many words what to write, an editor can write it.

Every kind of cure here is held against all collected mistakes: what is offered must make its message go away.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from chainlist.language.document import Document
from chainlist.syntax.diagnostics import Diagnostic
from chainlist.syntax.source import Span

_MEANT = re.compile(r"^did you mean (?P<text>[^\s?]+)\?")
_WRITE = re.compile(r"^write `(?P<text>[^`]+)`$")
_REMOVE = re.compile(r"^remove (this line|this instance|it)($|;)")


@dataclass(frozen=True)
class Fix:
    """Put `text` in place of the characters of `span`."""

    title: str
    span: Span
    text: str


def fixes(document: Document, diagnostic: Diagnostic) -> list[Fix]:
    """What can be done about a message of the main text; nothing where the user must decide."""
    span = diagnostic.span
    if span is None or span.source is not document.source:
        return []
    meant = _MEANT.match(diagnostic.help)
    if meant:
        return [Fix(f"Write {meant['text']}", _word(span, meant["text"]), meant["text"])]
    written = _WRITE.match(diagnostic.help)
    if written:
        return [Fix(f"Write {written['text']}", span, written["text"])]
    if _REMOVE.match(diagnostic.help):
        return [Fix("Remove this line", _lines(span), "")]
    return []


def _word(span: Span, meant: str) -> Span:
    """The word that was misspelled: the span may hold what follows it too, or lack a dot before it."""
    word = re.match(r"\.?[\w.]+", span.text)
    stop = span.start + word.end() if word else span.stop
    start = span.start
    if meant.startswith(".") and not span.text.startswith(".") and span.source.text[start - 1 : start] == ".":
        start -= 1
    return Span(span.source, start, stop)


def _lines(span: Span) -> Span:
    """All lines that a span touches, with their ends."""
    text = span.source.text
    start = text.rfind("\n", 0, span.start) + 1
    stop = text.find("\n", max(span.stop - 1, span.start))
    return Span(span.source, start, len(text) if stop < 0 else stop + 1)
