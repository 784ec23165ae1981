"""Physical lines → cards: one card is one statement, its continuations joined, its comments set aside.

A card's text is a copy, but every character of it knows where it stood (`CardText.span`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum

from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.letters import GOES_ON
from chainlist.syntax.limits import Limits
from chainlist.syntax.source import Source, Span, value
from chainlist.syntax.tree import Remark


class Kind(Enum):
    TITLE = "title"
    ENTITY = "entity"
    COMMAND = "command"
    ELLIPSIS = "ellipsis"


@value
class CardLine:
    """One physical line of a card: its text without `+` and comment, where that text begins in the card and in the source."""

    text: str
    card_start: int
    source_start: int
    comment: str = ""
    before: tuple[str, ...] = ()


@dataclass(slots=True)
class CardText:
    """A statement as text. `remarks` are the comment and blank lines above it."""

    kind: Kind
    source: Source
    lines: list[CardLine]
    remarks: list[Remark] = field(default_factory=list)
    told: bool = False  # what is wrong with it was reported: it only keeps its place

    @property
    def text(self) -> str:
        """The lines, joined as if a space stood between two of them."""
        if len(self.lines) == 1:
            return self.lines[0].text
        return " ".join(line.text for line in self.lines)

    def line_of(self, offset: int) -> int:
        """The number of the line on which a character of the text stands."""
        return max(0, bisect_right(self.lines, offset, key=lambda line: line.card_start) - 1)

    def _place(self, offset: int) -> int:
        line = self.lines[self.line_of(offset)]
        return line.source_start + min(offset - line.card_start, len(line.text))

    def span(self, start: int, stop: int) -> Span:
        """The place in the source of `text[start:stop]`."""
        if len(self.lines) == 1:
            origin = self.lines[0].source_start
            return Span(self.source, origin + start, origin + stop)
        first = self._place(start)
        return Span(self.source, first, max(first, self._place(stop - 1) + 1) if stop > start else first)

    @property
    def whole(self) -> Span:
        last = self.lines[-1]
        return Span(self.source, self.lines[0].source_start, last.source_start + len(last.text))


_ELLIPSIS = re.compile(r"\.\.|…|\.(?:\s+\.)+\s*$")  # also one with too few or too many dots, or with spaces between
_GOES_ON = re.compile(r"\s*(\\|\.\.\.)$")  # how other languages say that a statement goes on
_SPECIAL = "*+;"  # what a line begins with that begins no card
_PLAIN = re.compile(r"[A-Za-z][\w (),.+-]*[\w)]$")  # a whole card in one line, without comment and quotation
STARRED_CONTINUATION = re.compile(r"\*\+(?![-+*=])")


def read_cards(
    source: Source, report: Diagnostics, limits: Limits, *, title: bool
) -> tuple[list[CardText], list[Remark]]:
    """All cards of a source, and the remarks behind the last one. Only lines that cannot belong anywhere are errors here."""
    return _Reader(source, report, limits).read(title)


def _is_title(kind: Kind, text: str) -> bool:
    """True for the card of a title, in which a semicolon is text."""
    return kind is Kind.COMMAND and re.match(r"\.title\b", text, re.IGNORECASE) is not None


def split_comment(text: str, quoted: bool = False) -> tuple[str, str, bool]:
    """The text before `;`, the comment behind it, and whether a quotation is still open at the end."""
    if ";" not in text and '"' not in text:
        return text, "", quoted
    for at, letter in enumerate(text):
        if letter == '"':
            quoted = not quoted
        elif letter == ";" and not quoted:
            return text[:at], text[at + 1 :].strip(), False
    return text, "", quoted


class _Reader:
    """Goes through the lines once; `waiting` are remarks whose place (before a continuation or a new card) is still open."""

    def __init__(self, source: Source, report: Diagnostics, limits: Limits):
        self.source = source
        self.report = report
        self.limits = limits
        self.cards: list[CardText] = []
        self.waiting: list[Remark] = []
        self.quoted = False  # a quotation is open at the end of the last line

    def read(self, title: bool) -> tuple[list[CardText], list[Remark]]:
        if len(self.source.text) > self.limits.characters:
            at = Span(self.source, 0, 0)
            self.report.add("E101", f"the text has more than {self.limits.characters:,} characters", at)
            return [], []
        for start, line in self._lines():
            if title:
                self.cards.append(CardText(Kind.TITLE, self.source, [CardLine(line.rstrip(), 0, start)]))
                title = False
            elif _PLAIN.match(line) and self._follows_plain_card():
                self.cards.append(CardText(Kind.ENTITY, self.source, [CardLine(line, 0, start)], self.waiting))
                self.waiting = []
                self.quoted = False
            elif not self._take(start, line):
                break
        return self.cards, self.waiting

    def _follows_plain_card(self) -> bool:
        """Whether a plain line begins a new card: there is room for it, and the line above does not go on in it."""
        if not self.cards or len(self.cards) >= self.limits.cards:
            return False
        return not self.cards[-1].lines[-1].text.endswith(("\\", "..."))

    def _lines(self) -> Iterator[tuple[int, str]]:
        start = 0
        lines = self.source.text.split("\n")
        if len(lines) > 1 and not lines[-1]:
            lines.pop()  # the text ended with a line feed: no line follows
        for line in lines:
            mark = start == 0 and line.startswith("\ufeff")
            yield start + mark, line[mark:].rstrip("\r")
            start += len(line) + 1

    def _take(self, start: int, line: str) -> bool:
        """Take one line; False when there are too many cards to go on."""
        body = line.lstrip()
        start += len(line) - len(body)
        body = body.rstrip()
        above = self.cards[-1] if self.cards and self.cards[-1].kind is not Kind.TITLE else None
        if body and body[0] not in _SPECIAL and not (above is not None and self._goes_on(above, body)):
            return self._begin(start, body)
        continues = above is not None and above.kind is not Kind.ELLIPSIS
        if not body:
            self.waiting.append(Remark("", Span(self.source, start, start)))
        elif continues and STARRED_CONTINUATION.match(body):
            self._continue(start + 2, body[2:])
        elif body.startswith("*"):
            self.waiting.append(Remark(body, Span(self.source, start, start + len(body))))
        elif body.startswith("+"):
            if continues:
                self._continue(start + 1, body[1:])
            else:
                self._stray_continuation(start, body, above)
        elif body.startswith(";"):
            self.waiting.append(Remark(f"* {body[1:].strip()}".rstrip(), Span(self.source, start, start + len(body))))
        else:
            self._continue(start, body)
        return True

    def _stray_continuation(self, start: int, body: str, above: CardText | None) -> None:
        what = "there is no statement above it" if above is None else "an ellipsis stands above it"
        self.report.add(
            "E102",
            f"`+` continues the statement above, but {what}",
            Span(self.source, start, start + 1),
            label="continues nothing",
            help="remove the `+`, or put it below the statement that it continues",
        )
        text = body[1:].lstrip()
        line = CardLine(split_comment(text)[0], 0, start + len(body) - len(text))
        self.cards.append(CardText(Kind.ENTITY, self.source, [line], self.waiting, told=True))
        self.waiting = []

    def _goes_on(self, above: CardText, body: str) -> bool:
        """A backslash or dots at the end of the line above, as in Python and MATLAB: said, and then read as it was meant."""
        last = above.lines[-1]
        mark = _GOES_ON.search(last.text) if last.text.endswith(("\\", "...")) else None
        if mark is None or above.kind is Kind.ELLIPSIS or mark.start() == 0 or (mark[1] == "..." and body[0].isalpha()):
            return False
        at = last.source_start + mark.start(1)
        self.report.add(
            "E110", f"`{mark[1]}` has no meaning here", Span(self.source, at, at + len(mark[1])), help=GOES_ON
        )
        above.lines[-1] = replace(last, text=last.text[: mark.start()])
        return True

    def _begin(self, start: int, body: str) -> bool:
        if len(self.cards) >= self.limits.cards:
            at = Span(self.source, start, start + len(body))
            self.report.add("E101", f"more than {self.limits.cards:,} statements", at, label="reading stops here")
            return False
        kind = Kind.ENTITY
        if body[0] in ".…":
            kind = Kind.ELLIPSIS if _ELLIPSIS.match(body) else Kind.COMMAND if body[0] == "." else Kind.ENTITY
        text, comment, self.quoted = (body, "", False) if _is_title(kind, body) else split_comment(body)
        self.cards.append(CardText(kind, self.source, [CardLine(text.rstrip(), 0, start, comment)], self.waiting))
        self.waiting = []
        return True

    def _continue(self, start: int, body: str) -> None:
        card = self.cards[-1]
        text, comment = body, ""
        if not _is_title(card.kind, card.lines[0].text):
            text, comment, self.quoted = split_comment(body, self.quoted)
        start += len(text) - len(text.lstrip())
        last = card.lines[-1]
        before = tuple(remark.text for remark in self.waiting)
        self.waiting = []
        card.lines.append(CardLine(text.strip(), last.card_start + len(last.text) + 1, start, comment, before))
