"""The text of a card → tokens. Here it is decided where a space separates and where it is free.

Outside brackets a space or a comma separates arguments; inside, spaces are free and commas are tokens. Around `=` spaces
are free. In .plot and .print a name may stand apart from the bracket of its arguments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from chainlist.syntax.cards import Card
from chainlist.syntax.diagnostics import Report
from chainlist.syntax.source import Span

_TOKEN = re.compile(
    r"""
    (?P<SPACE>\s+)
  | (?P<NUMBER>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?P<UNIT>[^\W\d_]\w*)?
  | (?P<NAME>[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*)
  | (?P<POWER>\*\*)
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
_CLOSES = {")": "(", "}": "{"}
TEXT_KEYS = {"texttracefile", "bintracefile", "format"}  # their values are texts, with or without quotes
_RAW_WORD = re.compile(r"[^\s\"]+")
_HELP = {
    "^": "a power is written `**`: 2**3",
    "−": "this is a typographic minus sign: write `-`",
    "–": "this is a dash: write `-`",
    "—": "this is a dash: write `-`",
    "×": "multiplication is written `*`",
    "·": "multiplication is written `*`",
    "“": 'this is a typographic quotation mark: write `"`',
    "”": 'this is a typographic quotation mark: write `"`',
    "«": 'write the quotation mark `"`',
    "»": 'write the quotation mark `"`',
    "'": 'texts stand between double quotation marks: `"`',
    "#": "a comment line starts with `*`, a comment behind a statement with `;`",
    "[": "points and arguments stand between round brackets: (0,0)",
    "]": "points and arguments stand between round brackets: (0,0)",
    "°": "degrees are written `deg`: 30deg",
    "…": "an ellipsis stands on a line of its own",
}
# Letters of other alphabets that look like ours.
_LOOKALIKE = str.maketrans("АВСЕНКМОРТХУаеорсхуΑΒΕΗΚΜΟΡΤΧ", "ABCEHKMOPTXYaeopcxyABEHKMOPTX")


@dataclass(slots=True)
class Token:
    """What the parser reads. The positions that Lark would keep are not used: `span` has them."""

    type: str
    text: str
    span: Span
    start: int  # in the text of the card
    unit: str = ""
    start_pos = line = column = end_line = end_column = end_pos = 0


class BadCard(Exception):
    """The card was reported and is given up."""


class Tokenizer:
    """The tokens of one card, from `start` on. `items` is True where names may stand apart from their brackets."""

    def __init__(self, card: Card, report: Report, nesting: int, *, items: bool):
        self.card = card
        self.text = card.text
        self.report = report
        self.nesting = nesting
        self.items = items
        self.tokens: list[Token] = []
        self.brackets: list[Token] = []
        self.comma: Token | None = None  # the last comma outside brackets, until an argument follows
        self.space = False  # a space was passed since the last token
        self.quoted = False

    def read(self, start: int) -> list[Token]:
        at = start
        while at < len(self.text):
            at = self._next(at)
        if self.quoted:
            self._fail("E112", "a quotation is not closed", self.tokens[-1].span, 'put `"` behind its last item')
        if self.brackets:
            opened = self.brackets[-1]
            self._fail("E111", f"`{opened.text}` is not closed", opened.span, f"add `{_partner(opened.text)}`")
        if self.comma:
            self._fail("E113", "nothing follows this comma", self.comma.span, "remove it, or add what is missing")
        return self.tokens

    def check_letter(self, at: int) -> None:
        """Report the letter at `at` if it can begin no token."""
        if _TOKEN.match(self.text, at) is None:
            self._bad_letter(at)

    def _next(self, at: int) -> int:
        """Take the token at `at`; return where the next one begins."""
        found = _TOKEN.match(self.text, at)
        if found is None:
            self._bad_letter(at)
        stop = found.end()
        if found["SPACE"] is not None:
            self.space = True
            return stop
        if found["NUMBER"] is not None:
            self._operand(Token("NUMBER", found["NUMBER"], self.card.span(at, stop), at, found["UNIT"] or ""))
        elif found["NAME"] is not None:
            self._check_letters(stop)
            self._operand(Token("NAME", found["NAME"], self.card.span(at, stop), at))
        elif found["POWER"] is not None:
            self._operator(Token("POWER", "**", self.card.span(at, stop), at))
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
        if last.type == "QUOTE" and self.quoted and token.type != "QUOTE":
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
            right = _partner(opened.text)
            self._fail("E111", f"`{opened.text}` is closed by `{token.text}`", token.span, f"write `{right}` here")
        self.tokens.append(token)

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
        if not self.quoted:
            self._separate(token)
        self.quoted = not self.quoted
        self.comma = None
        self.tokens.append(token)
        self.space = False
        return at + 1

    def _text(self, at: int) -> int:
        stop = self.text.find('"', at + 1)
        if stop < 0:
            self._fail(
                "E112", "a quotation is not closed", self.card.span(at, at + 1), 'put `"` behind its last letter'
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
        letter = self.text[at]
        twin = letter.translate(_LOOKALIKE)
        help = _HELP.get(letter, "")
        if twin != letter:
            help = f"this letter of another alphabet only looks like `{twin}`: type it anew"
        elif not help and letter.isalpha():
            help = "names are made of the letters A to Z, digits and `_`"
        shown = letter if letter.isprintable() else f"U+{ord(letter):04X}"
        self._fail("E110", f"`{shown}` has no meaning here", self.card.span(at, at + 1), help or "remove it")

    def _fail(self, code: str, message: str, at: Span, help: str, label: str = "") -> NoReturn:
        self.report.add(code, message, at, label=label, help=help)
        raise BadCard


def _partner(bracket: str) -> str:
    return {"(": ")", "{": "}"}[bracket]
