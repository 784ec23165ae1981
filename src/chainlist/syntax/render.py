"""Diagnostics as text with the user's own line and a caret, and as data for programs.

The text comes as styled parts, so that a terminal can colour them and everything else can join them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from chainlist.syntax.diagnostics import Diagnostic
from chainlist.syntax.source import Span

Part = tuple[str, str]  # text and style: "", "error", "warning", "note", "frame", "help", "strong"
_MOST_SHOWN = 100  # messages; the rest is counted
_WIDTH = 110  # of a source line; a longer one is cut around the caret


def plain_text(diagnostics: Sequence[Diagnostic], name: str = "") -> str:
    """All messages, without colours."""
    return "\n".join("".join(text for text, _ in line) for line in styled_lines(diagnostics, name))


def styled_lines(diagnostics: Sequence[Diagnostic], name: str = "") -> list[list[Part]]:
    """The lines of all messages, each a list of styled parts; errors are shown before the count is cut.

    `name` says what a message without a place is about.
    """
    shown = diagnostics
    if len(diagnostics) > _MOST_SHOWN:
        shown = sorted(diagnostics, key=lambda d: not d.is_error)[:_MOST_SHOWN]
    lines = [line for diagnostic in shown for line in _message(diagnostic, name)]
    if len(shown) < len(diagnostics):
        lines.append([(f"… and {len(diagnostics) - len(shown):,} more messages", "strong")])
    return lines


def _message(d: Diagnostic, name: str) -> list[list[Part]]:
    places = [(d.span, d.label, "^", d.severity)] if d.span else []
    places += [(related.span, related.label, "-", "frame") for related in d.also]
    margin = max((len(str(span.line)) for span, *_ in places), default=1)
    lines: list[list[Part]] = [[(f"{d.severity}[{d.code}]", d.severity), (f": {_printable(d.message)}", "strong")]]
    if not places and name:
        lines.append([(" " * margin + "--> ", "frame"), (_printable(name), "")])
    previous = None
    for span, label, mark, style in places:
        if span.source is not previous:
            lines.append([(" " * margin + "--> ", "frame"), (_place(span), "")])
            lines += [[(" " * margin + " included from ", "frame"), (str(up), "")] for up in _includers(span)]
            previous = span.source
        lines.append([(" " * margin + " |", "frame")])
        lines += _excerpt(span, label, mark, style, margin)
    if d.help:
        lines.append([(" " * margin + " = ", "frame"), ("help: ", "help"), (_printable(d.help), "")])
    lines.append([])
    return lines


def _place(span: Span) -> str:
    return _printable(str(span))


def _includers(span: Span) -> Iterable[Span]:
    above = span.source.included_from
    while above is not None:
        yield above
        above = above.source.included_from


def _excerpt(span: Span, label: str, mark: str, style: str, margin: int) -> list[list[Part]]:
    """The line of the span, and the carets under it. A span over several lines is marked to the end of its first."""
    line, column = span.line, span.column
    text = span.source.line(line)
    start = column - 1
    end_line, end_column = span.end
    stop = end_column - 1 if end_line == line else len(text)
    if len(text) > _WIDTH:
        cut = max(0, min(start - 30, len(text) - _WIDTH))
        text = ("…" if cut else "") + text[cut + bool(cut) : cut + _WIDTH]
        start, stop = start - cut, min(stop - cut, _WIDTH)
    shown = _printable(text)
    carets = mark * max(1, _cells(shown[start:stop]))
    under = " " * _cells(shown[:start]) + carets
    return [
        [(f"{line:>{margin}} | ", "frame"), (shown, "")],
        [(" " * margin + " | ", "frame"), (under, style), (f" {_printable(label)}" if label else "", style)],
    ]


def _printable(text: str) -> str:
    """No control characters reach a terminal: a tab becomes a space, others a dot."""
    return "".join(c if c.isprintable() else " " if c in "\t\n" else "·" for c in text)


def _cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def as_data(d: Diagnostic) -> dict[str, Any]:
    """A message as plain data: lines and columns count from 1, the end is exclusive."""
    data: dict[str, Any] = {"code": d.code, "severity": d.severity, "message": d.message}
    if d.span is not None:
        data |= _span_data(d.span)
    data |= {"label": d.label, "help": d.help}
    data["also"] = [{**_span_data(related.span), "label": related.label} for related in d.also]
    return data


def _span_data(span: Span) -> dict[str, Any]:
    end_line, end_column = span.end
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": end_line,
        "end_column": end_column,
    }
