"""The text of a card → tokens. Here it is decided where a space separates and where it is free.

Outside brackets a space or a comma separates arguments; inside, spaces are free and commas are tokens. Around `=` spaces
are free. In .plot and .print a name may stand apart from the bracket of its arguments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import NoReturn

from chainlist.syntax.cards import CardText
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.letters import COMMENT, GOES_ON, cure, shown
from chainlist.syntax.source import Span
from chainlist.syntax.vocabulary import FUNCTIONS_OF_ONE

_TOKEN = re.compile(
    r"""
    (?P<SPACE>\s+)
  | (?P<NUMBER>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?P<UNIT>[^\W\d_]\w*)?
  | (?P<NAME>[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*)
  | (?P<POWER>\*\*)
  | (?P<COMPARE>[<>]=?)
  | (?P<SINGLE>[-+*/(){},="])
    """,
    re.VERBOSE,
)
_SINGLE = {
    "+": "PLUS",
    "-": "MINUS",
    "*": "STAR",
    "/": "SLASH",
    "(": "LPAR",
    ")": "RPAR",
    "{": "LBRACE",
    "}": "RBRACE",
    ",": "COMMA",
    "=": "EQUAL",
}
_WORDS = {"and": "AND", "or": "OR", "not": "NOT"}  # operators inside brackets; outside they are names
_CLOSES = {")": "(", "}": "{"}
TEXT_KEYS = {"texttracefile", "bintracefile", "format"}  # their values are texts, with or without quotes
_RAW_WORD = re.compile(r"[^\s\"]+")


@dataclass(slots=True)
class Token:
    """What the parser reads."""

    type: str
    text: str
    span: Span
    start: int  # in the text of the card
    unit: str = ""


_ENDS_VALUE = {"NUMBER", "NAME", "RPAR", "RBRACE"}
_OPERATORS = {"PLUS", "MINUS", "STAR", "SLASH", "POWER"}
_BEGINS_VALUE = {"NUMBER", "NAME", "TEXT", "QUOTE", "LPAR", "LBRACE"}


def _apart(token: Token, behind: Token) -> bool:
    return token.span.stop < behind.span.start


class BadCard(Exception):
    """The card was reported and is given up."""


class Tokenizer:
    """The tokens of one card, from `start` on. `items` is True where names may stand apart from their brackets."""

    def __init__(self, card: CardText, report: Diagnostics, nesting: int, *, items: bool):
        self.card = card
        self.text = card.text
        self.report = report
        self.nesting = nesting
        self.items = items
        self.tokens: list[Token] = []
        self.brackets: list[Token] = []
        self.comma: Token | None = None  # the last comma outside brackets, until an argument follows
        self.space = False  # a space was passed since the last token
        self.quote: Token | None = None  # the mark that opened a quotation, until it is closed

    def read(self, start: int) -> list[Token]:
        at = start
        while at < len(self.text):
            at = self._next(at)
        if self.quote:
            self._fail("E112", "a quotation is not closed", self.quote.span, 'put `"` behind its last item', _OPENED)
        if self.brackets:
            self._not_closed(self.brackets[-1])
        if self.comma:
            self._fail("E113", "nothing follows this comma", self.comma.span, "remove it, or add what is missing")
        return self.tokens

    def _not_closed(self, opened: Token) -> NoReturn:
        help = self._where_to_close(opened)
        line = self.card.lines[self.card.line_of(opened.start)]
        if _partner(opened.text) in line.comment:
            help = (
                "a semicolon begins a comment, so this is never closed: separate the values by a comma, as in (0.5,1)"
            )
        self._fail("E111", f"`{opened.text}` is not closed", opened.span, help, _OPENED)

    def _where_to_close(self, opened: Token) -> str:
        """Behind the first value that another one follows without a comma, else at the end."""
        right = _partner(opened.text)
        if (comma := self._comma_in_a_product(opened)) is not None:
            stop = next(token.start for token in reversed(self.tokens) if token.type == "RPAR") + 1
            first, rest = self.card.text[opened.start : comma.start], self.card.text[comma.start : stop]
            return f"add `)` before the comma: `{first.rstrip()}){rest}`"
        inside = self.tokens[next(i for i, token in enumerate(self.tokens) if token is opened) + 1 :]
        depth = 0
        for token, behind in pairwise(inside):
            depth += (token.type in ("LPAR", "LBRACE")) - (token.type in ("RPAR", "RBRACE"))
            if depth == 0 and token.type in _ENDS_VALUE and behind.type in _BEGINS_VALUE and _apart(token, behind):
                whole = self.card.text[opened.start : token.start + len(token.span.text)]
                return f"add `{right}` behind `{token.span.text}`: `{whole}{right}`"
        return f"add `{right}` at the end: `{self.card.text[opened.start :].rstrip()}{right}`"

    def _comma_in_a_product(self, opened: Token) -> Token | None:
        """The comma in `(2*(time+1,0)` and `(sin(time,0)`: what holds one value was to be closed there."""
        if len(self.brackets) > 1 or opened.text != "(":
            return None
        at = next(i for i, token in enumerate(self.tokens) if token is opened)
        groups: list[bool] = []  # of the brackets inside that are open: whether one value stands there
        for before, token in pairwise(self.tokens[at:]):
            if token.type == "COMMA" and groups and groups[-1]:
                return token
            if token.type in ("LPAR", "LBRACE"):
                groups.append(before.type in _OPERATORS or before.text.lower() in FUNCTIONS_OF_ONE)
            elif token.type in ("RPAR", "RBRACE") and groups:
                groups.pop()
        return None

    def check_letter(self, at: int) -> None:
        """Report the letter at `at` if it can begin no token."""
        if _TOKEN.match(self.text, at) is None:
            self._bad_letter(at)
        self._check_comment(at)

    def _check_comment(self, at: int) -> None:
        """`//` and `/*` begin comments elsewhere."""
        if self.text.startswith(("//", "/*"), at) and not self.brackets:
            what = self.text[at : at + 2]
            self._fail("E110", f"`{what}` has no meaning here", self.card.span(at, at + 2), COMMENT)

    def _next(self, at: int) -> int:
        """Take the token at `at`; return where the next one begins."""
        found = _TOKEN.match(self.text, at)
        if found is None:
            self._bad_letter(at)
        self._check_comment(at)
        stop = found.end()
        if found["SPACE"] is not None:
            self.space = True
            return stop
        if found["NUMBER"] is not None:
            self._operand(Token("NUMBER", found["NUMBER"], self.card.span(at, stop), at, found["UNIT"] or ""))
        elif found["NAME"] is not None:
            self._check_letters(stop)
            self._word(Token("NAME", found["NAME"], self.card.span(at, stop), at))
        elif found["POWER"] is not None:
            self._operator(Token("POWER", "**", self.card.span(at, stop), at))
        elif found["COMPARE"] is not None:
            self._compare(Token("COMPARE", found["COMPARE"], self.card.span(at, stop), at))
        elif found["SINGLE"] == '"':
            return self._quote(at)
        else:
            self._single(found["SINGLE"], at)
        self.space = False
        return self._text_value(stop) if self._wants_text() else stop

    def _wants_text(self) -> bool:
        """True just behind `TEXTTRACEFILE=` and its like."""
        last = self.tokens[-2:]
        return len(last) == 2 and last[1].type == "EQUAL" and last[0].text.lower() in TEXT_KEYS

    def _separate(self, token: Token) -> None:
        """Put a separator before an argument that begins outside brackets."""
        if self.brackets or not self.tokens or self.tokens[-1].type in ("SEP", "EQUAL"):
            return
        last = self.tokens[-1]
        if last.type == "QUOTE" and self.quote and token.type != "QUOTE":
            return  # just behind the opening quotation mark
        if self.space or self.comma or last.type == "QUOTE":
            self.tokens.append(
                Token("SEP", " ", Span(token.span.source, last.span.stop, token.span.start), token.start)
            )
        self.comma = None

    def _operand(self, token: Token) -> None:
        self._separate(token)
        self.comma = None
        self.tokens.append(token)

    def _word(self, token: Token) -> None:
        kind = _WORDS.get(token.text.lower()) if self.brackets else None
        if kind is None:
            self._operand(token)
        else:
            token.type = kind
            self.tokens.append(token)

    def _compare(self, token: Token) -> None:
        if not self.brackets:
            help = f"a comparison stands between braces: {{a{token.text}b}}"
            self._fail("E110", f"`{token.text}` has no meaning here", token.span, help)
        self.tokens.append(token)

    def _operator(self, token: Token) -> None:
        sign = token.type in ("PLUS", "MINUS")
        follows = token.start + len(token.text) < len(self.text) and self.text[token.start + len(token.text)].isspace()
        if (
            self.brackets
            and self.brackets[-1].text == "("
            and sign
            and self.space
            and not follows
            and self._after_value()
        ):
            left = self.tokens[-1].span
            self._fail(
                "E114",
                "between brackets a comma is required",
                token.span,
                f"write a comma between two values, or no space around `{token.text}`",
                label=f"is this `{left.text},{token.text}…` or `{left.text}{token.text}…`?",
            )
        self._separate(token)
        self.tokens.append(token)

    def _after_value(self) -> bool:
        return self.tokens[-1].type in ("NUMBER", "NAME", "RPAR", "RBRACE")

    def _single(self, letter: str, at: int) -> None:
        token = Token(_SINGLE[letter], letter, self.card.span(at, at + 1), at)
        if letter in "({":
            named = letter == "(" and self.items and self.tokens and self.tokens[-1].type == "NAME"
            apart = self.space and not named
            if apart or not self.tokens or self.tokens[-1].type in ("QUOTE", "SEP") or self.comma:
                self._separate(token)
            self.brackets.append(token)
            self.comma = None
            if len(self.brackets) > self.nesting:
                self._fail("E101", f"more than {self.nesting} brackets inside one another", token.span, "")
            self.tokens.append(token)
        elif letter in ")}":
            self._close(token)
        elif letter == "," and not self.brackets:
            self._outer_comma(token)
        elif letter == "=":
            self.tokens.append(token)
        elif letter == ",":
            self.tokens.append(token)
        else:
            self._operator(token)

    def _close(self, token: Token) -> None:
        if not self.brackets:
            self._fail("E111", f"`{token.text}` closes nothing", token.span, "remove it, or open a bracket before it")
        opened = self.brackets.pop()
        if opened.text != _CLOSES[token.text]:
            help = self._how_to_close(opened, token)
            self._fail("E111", f"`{opened.text}` is closed by `{token.text}`", token.span, help)
        self.tokens.append(token)

    def _how_to_close(self, opened: Token, token: Token) -> str:
        """Another bracket stands here: in braces is one value, so a comma ends it; else what lies around may want it."""
        right = _partner(opened.text)
        at = next(i for i, one in enumerate(self.tokens) if one is opened)
        depth = 0
        for one in self.tokens[at + 1 :]:
            depth += (one.type in ("LPAR", "LBRACE")) - (one.type in ("RPAR", "RBRACE"))
            if opened.text == "{" and depth == 0 and one.type == "COMMA":
                value = self.text[opened.start : one.start].rstrip()
                return f"add `{right}` before the comma: `{value}{right},`"
        behind = self.text[token.start + 1 :]
        around = sum(bracket.text == _CLOSES[token.text] for bracket in self.brackets)
        if around > behind.count(token.text) - behind.count(_CLOSES[token.text]):
            whole = self.text[opened.start : token.start].rstrip()
            return f"add `{right}` before it: `{whole}{right}{token.text}`"
        return f"write `{right}` here"

    def _outer_comma(self, token: Token) -> None:
        if (
            self.comma
            or not self.tokens
            or self.tokens[-1].type in ("EQUAL", "PLUS", "MINUS", "STAR", "SLASH", "POWER")
        ):
            self._fail("E113", "nothing stands before this comma", token.span, "remove it, or add what is missing")
        self.comma = token

    def _quote(self, at: int) -> int:
        """A quotation mark: in .plot it opens and closes a group of items, elsewhere it encloses a text."""
        token = Token("QUOTE", '"', self.card.span(at, at + 1), at)
        if self.brackets:
            self._fail("E115", "a quotation mark inside brackets", token.span, "close the bracket first")
        if not self.items:
            return self._text(at)
        if not self.quote:
            self._separate(token)
        self.quote = None if self.quote else token
        self.comma = None
        self.tokens.append(token)
        self.space = False
        return at + 1

    def _text(self, at: int) -> int:
        stop = self.text.find('"', at + 1)
        if stop < 0:
            self._fail(
                "E112",
                "a quotation is not closed",
                self.card.span(at, at + 1),
                'put `"` behind its last letter',
                _OPENED,
            )
        self._operand(Token("TEXT", self.text[at + 1 : stop], self.card.span(at, stop + 1), at))
        self.space = False
        return stop + 1

    def _text_value(self, at: int) -> int:
        """The text behind `TEXTTRACEFILE=`: quoted, or up to the next space."""
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        if at < len(self.text) and self.text[at] == '"':
            return self._text(at)
        word = _RAW_WORD.match(self.text, at)
        if word is None:
            return at
        self._operand(Token("TEXT", word[0], self.card.span(at, word.end()), at))
        return word.end()

    def _check_letters(self, stop: int) -> None:
        """A name must end where it ends: a letter of another alphabet behind it is a slip."""
        if stop < len(self.text) and self.text[stop].isalpha():
            self._bad_letter(stop)

    def _bad_letter(self, at: int) -> NoReturn:
        if self.text.startswith("..", at):
            dots = len(self.text) - at - len(self.text[at:].lstrip("."))
            help = f"an ellipsis `...` stands on a line of its own; {GOES_ON}"
            self._fail("E121", "an ellipsis stands alone on its line", self.card.span(at, at + dots), help)
        letter = self.text[at]
        self._fail("E110", f"`{shown(letter)}` has no meaning here", self.card.span(at, at + 1), cure(self.text, at))

    def _fail(self, code: str, message: str, at: Span, help: str, label: str = "") -> NoReturn:
        self.report.add(code, message, at, label=label, help=help)
        raise BadCard


_OPENED = "opened here"


def _partner(bracket: str) -> str:
    return {"(": ")", "{": "}"}[bracket]
