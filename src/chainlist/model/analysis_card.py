"""The words of an analysis' card, taken from left to right; whatever is wrong is told, and reading goes on where it can."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from chainlist.elements.base import shortest
from chainlist.model.asked import Asked, Word
from chainlist.model.building import Piece
from chainlist.model.desk import Desk, Problem
from chainlist.model.evaluate import names_in
from chainlist.model.forms import meant_card
from chainlist.model.items import ItemReader
from chainlist.model.mechanism import Constant, Formula, Item, Operation
from chainlist.model.observables import OBSERVABLES
from chainlist.syntax.source import Span
from chainlist.syntax.tree import (
    Argument,
    Braces,
    Call,
    Command,
    Comparison,
    Equality,
    Expr,
    Logic,
    Name,
    Not,
    Setting,
    Text,
    Together,
)

MOST = 1_000_000_000  # runs, exponents or whatever else is counted


class AnalysisCard:
    """Each method takes the next word, or a setting `key=value` wherever it stands."""

    def __init__(
        self,
        command: Command,
        analysis: str,
        syntax: str,
        reader: ItemReader,
        earlier: Sequence[Asked] = (),
        commands: Sequence[Command] = (),
    ):
        self.commands = tuple(commands)  # of the whole chainlist
        self.command, self.analysis, self.syntax = command, analysis, syntax
        self.reader, self.earlier = reader, tuple(earlier)
        self._words = [a for a in command.arguments if not isinstance(a, Setting)]
        self._settings = [a for a in command.arguments if isinstance(a, Setting)]  # that nobody took yet
        self._next = 0
        self._known: list[str] = []  # keys of settings that were asked for
        self.words: list[Word] = []
        self.broken = False

    @property
    def desk(self) -> Desk:
        return self.reader.desk

    # Words

    @property
    def more(self) -> bool:
        """Whether words are left."""
        return self._next < len(self._words)

    @property
    def place(self) -> Span:
        """Of the next word; of the whole card where none is left."""
        return self._words[self._next].span if self.more else self.command.span

    @property
    def at_call(self) -> bool:
        """Whether the next word is one with brackets, such as Y(B1)."""
        return self.more and isinstance(self._words[self._next], Call)

    def peek(self, *choices: str) -> bool:
        """Whether the next word is one of these."""
        word = self._words[self._next] if self.more else None
        return isinstance(word, Name) and word.key in {choice.lower() for choice in choices}

    def keyword(self, *choices: str) -> str | None:
        """The next word if it is one of these, which is then taken."""
        if not self.peek(*choices):
            return None
        word = self._take("")
        assert isinstance(word, Name)
        found = next(choice for choice in choices if choice.lower() == word.key)
        self.words.append(found)
        return found

    def one_of(self, *choices: str) -> str:
        """The next word, which must be one of these."""
        found = self.keyword(*choices)
        if found is not None:
            return found
        word = self._take(f"one of {', '.join(choices)}")
        meant = self.desk.meant(word.key, [choice.lower() for choice in choices]) if isinstance(word, Name) else None
        help = f"did you mean {meant.upper()}?" if meant else f"write {self.syntax}"
        name = self._words[0] if isinstance(self._words[0], Name) else None
        behind = " ".join(word.span.source.text[word.span.stop : self.command.span.stop].split())
        help = meant_card(word, choices, name, behind) or help
        first = self._words[0]
        if self._next == 2 and isinstance(first, Name) and first.key in ("tran", "dc", "ac") and self.peek(*choices):
            rest = self.command.span.source.text[word.span.start : self.command.span.stop]
            help = f"leave out the word {first.text}: .{self.analysis} {rest}"
        raise Problem("E501", f"one of {', '.join(choices)} is wanted here", word.span, label="none of them", help=help)

    def name(self, what: str) -> Name:
        """The next word, a name that the user chose."""
        word = self._take(what)
        if not isinstance(word, Name):
            raise self._wrong(word, f"{what} is wanted here")
        self.words.append(word.text)
        return word

    def number(self, want: str | None = "number") -> float:
        """The next word; `want` is the unit it may have, None any."""
        return self._number(self._take("a number"), want)

    def whole(self, what: str, *, least: int = 1) -> int:
        """A whole number."""
        word = self._take(what)
        return self._whole(word, what, least)

    def item(self) -> Item:
        """The next word, an item with one number at each time."""
        return self._item(self._take("an item, such as Y(B1)"))

    def condition(self) -> tuple[Formula, bool]:
        """`item=value`, `{expr}={expr}` (what passes through zero, False) or `{comparison}` (what becomes true, True)."""
        word = self._bare_equation() or self._take("a condition, such as Y(B1)=0")
        if isinstance(word, Equality | Setting):
            sides = (word.left, word.right) if isinstance(word, Equality) else (word.key, word.value)
            left, right = (self._item(side).formula for side in sides)
            apart = left if right == Constant(0.0) else Operation("-", (left, right))
            self.words[-2:] = [("{", apart, "}=0")]
            return apart, False
        if isinstance(word, Braces) and isinstance(word.inner, Comparison | Logic | Not):
            return self._item(word).formula, True
        help = "write Y(B1)=0 for the moments at which an item has a value, {Y(B1)<0 and VX(B1)>0} for a condition"
        raise Problem("E501", "a condition is wanted here", word.span, label="no condition", help=help)

    def _bare_equation(self) -> Setting | None:
        """`T=1` where a condition is due: an item without brackets reads like a setting."""
        since = self._words[self._next - 1].span.stop if self._next else self.command.span.start
        until = self._words[self._next].span.start if self.more else self.command.span.stop
        for setting in self._settings:
            if since <= setting.span.start < until and _is_bare_item(setting.key.key):
                self._settings.remove(setting)
                return setting
        return None

    def expression_word(self) -> Expr:
        """The next word, an expression that somebody else reads."""
        word = self._take("an expression")
        if isinstance(word, Setting | Text | Together | Equality):
            raise self._wrong(word, "an expression is wanted here")
        return word

    # Settings

    def named(self, key: str, want: str = "number") -> float | None:
        setting = self._setting(key)
        return None if setting is None else self._number_of(setting, key, want)

    def names_in(self, key: str) -> list[Name]:
        """The names in the value of a setting, which stays where it is."""
        values = (setting.value for setting in self._settings if setting.key.key == key.lower())
        return [name for value in values if not isinstance(value, Text) for name in names_in(value)]

    def named_or_word(self, key: str, word: str, meaning: float, want: str = "number") -> float | None:
        """`key=2s`, or `key=WORD`, which stands for a number."""
        setting = self._setting(key)
        if setting is None:
            return None
        return meaning if self._is_word(setting, key, word) else self._number_of(setting, key, want)

    def named_whole(self, key: str, *, least: int = 1) -> int | None:
        setting = self._setting(key)
        if setting is None:
            return None
        number = self._whole(setting.value, "a whole number", least)
        self.words[-1] = f"{key}={self.words[-1]}"
        return number

    def named_whole_or_last(self, key: str) -> int | None:
        """`key=3`, or `key=LAST`, which is 0."""
        setting = self._setting(key)
        if setting is None:
            return None
        if self._is_word(setting, key, "LAST"):
            return 0
        number = self._whole(setting.value, "a whole number, or LAST,", 1)
        self.words[-1] = f"{key}={self.words[-1]}"
        return number

    def named_word(self, key: str, *choices: str) -> str | None:
        """`key=WORD`, one of these."""
        setting = self._setting(key)
        if setting is None:
            return None
        value = setting.value
        found = next((c for c in choices if isinstance(value, Name) and c.lower() == value.key), None)
        if found is None:
            raise self._wrong(value, f"{key} is one of {', '.join(choices)}")
        self.words.append(f"{key}={found}")
        return found

    def fail(self, message: str, help: str = "", at: Span | None = None) -> NoReturn:
        """Tell what is wrong and give the card up."""
        raise Problem("E501", message, at or self.command.span, label="", help=help or f"write {self.syntax}")

    def apart(self) -> str:
        """The cure of `FROM 1 TO 2`, a key and its value with a space in place of `=`; "" of anything else."""
        rest, found = self._words[self._next :], []
        while len(rest) > 1 and isinstance(rest[0], Name) and rest[0].key in self._known:
            found.append(f"{rest[0].text}={rest[1].span.text}")
            rest = rest[2:]
        return f"write {' '.join(found)}" if found and not rest else ""

    # What the model calls

    def finish(self) -> None:
        """Tell of words and settings that nobody took."""
        if self.more:
            word = self._words[self._next]
            problem = self._wrong(word, f".{self.analysis} takes nothing more here")
            problem.help = self.apart() or problem.help
            self.desk.tell(problem)
            self.broken = True
        for setting in self._settings:
            key = setting.key.key
            if key in self._known:
                message, help = f"{setting.key.text} is given twice, or too late", f"write {self.syntax}"
                self.desk.tell(Problem("E501", message, setting.span, label="not here", help=help))
                self.broken = True
                continue
            meant = self.desk.meant(key, self._known)
            known = ", ".join(k.upper() for k in self._known)
            help = f"did you mean {meant.upper()}?" if meant else f"settings here: {known}" if known else ""
            message = f".{self.analysis} has no setting {setting.key.text} here"
            help = help or f"write {self.syntax}"
            self.desk.tell(Problem("E501", message, setting.key.span, label="unknown", help=help))
            self.broken = True

    # How

    def _setting(self, key: str) -> Setting | None:
        """The first one of this key; where words follow that were not taken yet, only one that stands before them."""
        self._known.append(key.lower())
        until = self._words[self._next].span.start if self.more else self.command.span.stop
        for setting in self._settings:
            if setting.key.key == key.lower() and setting.span.start < until:
                self._settings.remove(setting)
                return setting
        return None

    def _is_word(self, setting: Setting, key: str, word: str) -> bool:
        """Whether the value of a setting is this word, which is then kept."""
        found = isinstance(setting.value, Name) and setting.value.key == word.lower()
        if found:
            self.words.append(f"{key}={word}")
        return found

    def _number_of(self, setting: Setting, key: str, want: str) -> float:
        number = self._number(setting.value, want)
        self.words[-1] = f"{key}={self.words[-1]}"
        return number

    def _take(self, wanted: str) -> Argument:
        if not self.more:
            last = self.command.span
            at = Span(last.source, max(last.start, last.stop - 1), last.stop)
            message = f".{self.analysis}: {wanted} is missing"
            raise Problem("E501", message, at, label="the card ends here", help=f"write {self.syntax}")
        self._next += 1
        return self._words[self._next - 1]

    def _wrong(self, word: Argument, message: str) -> Problem:
        return Problem("E501", message, word.span, label="not here", help=f"write {self.syntax}")

    def _number(self, word: Argument, want: str | None) -> float:
        try:
            found = self.reader.scope.number(word, want)
        except Problem as problem:
            self.desk.tell(problem)
            self.broken, found = True, 1.0
        self.words.append(shortest(found))
        return found

    def _whole(self, word: Argument, what: str, least: int) -> int:
        found = self._number(word, "number")
        if not self.broken and (found != int(found) or found < least):
            raise self._wrong(word, f"{what} is wanted here, {least} or more")
        if not self.broken and found > MOST:
            raise self._wrong(word, f"{what} is wanted here, {MOST:,} at most")
        return int(found)

    def _item(self, word: Argument) -> Item:
        formula: Formula = Constant(1.0)
        try:
            if isinstance(word, Setting | Text | Together | Equality):
                raise self._wrong(word, "an item is wanted here")
            use = "measured" if self.analysis == "meas" else f"used by .{self.analysis}"
            item = self.reader.item(word, pictures=False, use=use)
            piece = self.reader.evaluate(word)
            if piece.curves * piece.components > 1:
                raise _several(word, piece)
            formula = item.formula
        except Problem as problem:
            problem.help = self._of_a_measure(problem) or problem.help
            self.desk.tell(problem)
            self.broken, item = True, Item(word.span.text, formula)
        self.words.append(("", formula, ""))
        return item

    def _of_a_measure(self, problem: Problem) -> str:
        """The cure of `WHEN SPEED(B1)=fastest`, where fastest is a measure; "" of anything else."""
        asked = problem.span.text.lower() if problem.code == "E270" and problem.span else ""
        for before in self.earlier:
            if before.command == "meas" and before.what.name.lower() == asked:
                name = before.what.name
                return (
                    f"{name} is a measure, known after the run only: write a number here; in PARAM measures can be used"
                )
        return ""


def _several(word: Expr, piece: Piece) -> Problem:
    """The cure of what has several numbers: one body of several, or one number of a vector."""
    inner = word.inner if isinstance(word, Braces) else word
    if isinstance(inner, Call) and inner.function.key in ("angle", "omega") and len(inner.arguments) == 2:
        function, (one, two) = inner.function.text, (argument.span.text for argument in inner.arguments)
        help = (
            f"a list in brackets asks for each of them; of one against the other: {function}({one})-{function}({two})"
        )
    elif piece.curves > 1:
        help = "ask for one component of one body: X(B1), VY(B2), SPEED(B1)"
    else:
        text = inner.span.text
        help = f"ask for one component, or for the length: X({text}), Y({text}), NORM({text})"
    return Problem("E501", "one number is wanted here, not several", word.span, label="several", help=help)


def _is_bare_item(key: str) -> bool:
    """Whether this is an item that takes nothing in brackets."""
    return key in OBSERVABLES and OBSERVABLES[key].takes == "nothing"
