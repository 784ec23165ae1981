"""The words of one entity: which is next, which named ones there are, and what is wrong where they do not fit."""

from __future__ import annotations

import re
from typing import NoReturn

from chainlist.model.desk import Problem
from chainlist.model.expressions import Surroundings
from chainlist.model.slips import is_unit, meant_as_one, meant_as_unit
from chainlist.model.synonyms import called, meant_otherwise
from chainlist.syntax.diagnostics import Related
from chainlist.syntax.source import Span
from chainlist.syntax.tree import (
    Argument,
    Call,
    Entity,
    Equality,
    Name,
    Number,
    Point,
    Setting,
    Signed,
    Text,
    Together,
)


def _is_in_ellipsis(entity: Entity) -> bool:
    return entity.span.text in ("...", "…")


def named_in_ellipsis(problem: Problem, entity: Entity) -> Problem:
    """Where the text shows only dots, the message says which of the statements between them is wrong."""
    if problem.code and problem.span == entity.span and _is_in_ellipsis(entity):
        if problem.help.startswith("did you mean"):  # what nobody wrote was not misspelled
            problem.help = f"define what is missing, or let the ellipsis end before {entity.name.text}"
        problem.message += f" (in {entity.name.text}, for which this ellipsis stands)"
    return problem


def _names(message: str, key: str) -> bool:
    """Whether a message speaks of a named parameter: in capitals, since `from` is a word of its own."""
    return re.search(rf"\b{re.escape(key.upper())}\b", message) is not None


_NEWLINE = "\n"


class Words:
    """The words of one entity, taken from left to right. What reads them is in `EntityCard`."""

    def __init__(self, entity: Entity, around: Surroundings, what: str, syntax: str):
        self.entity = entity
        self.around = around
        self.what = what  # "link"
        self.syntax = syntax
        self.instead: dict[str, str] = {}  # for named parameters that another kind of entity has
        self._words: list[Argument] = [word for word in entity.arguments if not isinstance(word, Setting)]
        self._next = 0
        self._call: Call | None = None  # the word whose arguments are being read, with its bracket
        self._told = False  # something on it has been complained of
        self._unread: list[Argument] = []  # what could not be read: some number stands in for it
        self._settings = self._named_once()
        self._asked: dict[str, str] = {}  # key → spelling of the named parameters there are
        self._numeric: dict[str, str] = {}  # those that are numbers, and which unit each may have
        self._wanted: dict[int, str] = {}  # which unit a number may have, by its id
        self._choices: dict[str, str] = {}  # words that may stand alone, by their lower case
        self.words: list[str | None] = []  # what was read, with all numbers computed; None: the next end

    @property
    def name(self) -> str:
        return self.entity.name.text

    def refuse(self, message: str, help: str = "", *, lacking: bool = False) -> None:
        blamed = [setting for setting in self._settings.values() if _names(message, setting.key.key)]
        if any(self._unread_in(word.span) for word in blamed or (self.entity,)):
            self._told = True  # what was found wanting is not what was written
        elif lacking and self._unknown():
            self._told = True  # what is wanting may be what was misspelled, which `finish` tells
        else:
            what, at = f"{self.entity.name.text}: {message}", (blamed[0] if blamed else self.entity).span
            self.tell(Problem("E228", what, at, label="has no meaning", help=help))

    def fail(self, message: str, help: str = "", *, lacking: bool = False) -> NoReturn:
        self.refuse(message, help, lacking=lacking)
        if lacking:
            self._tell_unknown()
        raise Problem()

    def tell(self, problem: Problem) -> None:
        """Report a problem and go on reading; the card is given up when it is finished."""
        self.around.desk.tell(named_in_ellipsis(problem, self.entity), self.around.scope.where)
        self._told = True

    @property
    def all_taken(self) -> bool:
        """True when no unnamed word is left."""
        return self._next >= len(self._words)

    def span_of(self, word: int) -> Span:
        """The place of an unnamed word."""
        return self._words[word].span

    def finish(self) -> None:
        """Every word must have been taken, and every named parameter asked for."""
        if not self._tell_unknown() and not self.all_taken:
            raise self._left_over(self._words[self._next])
        if self._told:
            raise Problem()

    def _peek(self) -> Argument | None:
        return self._words[self._next] if self._next < len(self._words) else None

    def peek_name(self) -> str | None:
        """The next word if it is a name, as it is written; it is not taken."""
        word = self._peek()
        return word.text if isinstance(word, Name) else None

    @property
    def read_so_far(self) -> str:
        """The name and the unnamed words that were taken, as they are written."""
        return " ".join([self.name, *(word.span.text for word in self._words[: self._next])])

    def peek_text(self) -> str:
        """The next word as it is written, with a unit behind a space, "" where none is left; it is not taken."""
        words = self._words[self._next : self._next + 2]
        if len(words) == 2 and not is_unit(words[1]):
            words.pop()
        text = "".join(word.span.text for word in words)
        return "" if _NEWLINE in text else text

    def peek_call(self) -> str | None:
        """The name of the next word in lower case if it is a call such as `LINE(…)`; it is not taken."""
        word = self._peek()
        return word.function.key if isinstance(word, Call) else None

    def peek_point(self) -> bool:
        """Whether the next word is a point; it is not taken."""
        return isinstance(self._peek(), Point)

    def count_inside(self) -> int:
        """How many arguments the next word has if it is a call, else 0."""
        word = self._peek()
        return len(word.arguments) if isinstance(word, Call) else 0

    def points_inside(self) -> bool:
        """Whether the next word is a call whose arguments are bodies and points alone; it is not taken."""
        word = self._peek()
        return isinstance(word, Call) and all(
            isinstance(a, Point) or (isinstance(a, Name) and is_body(a)) for a in word.arguments
        )

    def links_inside(self) -> bool:
        """Whether the next word is a call whose arguments are names of links or rigid bodies; it is not taken."""
        word = self._peek()
        return isinstance(word, Call) and all(isinstance(a, Name) and not is_body(a) for a in word.arguments)

    def _take(self, wanted: str) -> Argument:
        word = self._peek()
        if word is None:
            for setting in self._unknown():
                if setting.key.key in self.instead:
                    raise self._unknown_setting(setting)
            raise Problem(
                "E222",
                f"{self.entity.name.text} lacks {wanted}",
                self._behind(),
                label=f"{wanted} is missing",
                help=self.named_in_vain or f"a {self.what} is written {self.syntax}{self.first_letter()}",
            )
        if isinstance(word, Name) and self._is_unit_behind(word):
            raise self._left_over(word)
        if self._call is not None and self._next:
            self.words.append(",")
        self._next += 1
        return word

    @property
    def named_in_vain(self) -> str:
        """The cure where the next argument is a value with a name, `k=100`, which would have to stand alone; else ""."""
        taken = self._words[self._next - 1] if self._next else None
        place = next((i + 1 for i, word in enumerate(self.entity.arguments) if word is taken), 0)
        given = self.entity.arguments[place] if place < len(self.entity.arguments) else None
        if self._call is not None or not isinstance(given, Setting) or isinstance(given.value, Text | Together | Point):
            return ""
        known = re.findall(r"(\w+)=", self.syntax)
        lower = [key.lower() for key in known]
        if given.key.key in lower or called(self.what, given, known) or self.around.desk.meant(given.key.key, lower):
            return ""
        before = self.entity.span.text[: given.span.start - self.entity.span.start]
        behind = (
            (isinstance(word, Setting) and called(self.what, word, known)) or word.span.text
            for word in self.entity.arguments[place + 1 :]
        )
        whole = " ".join([before.rstrip(), given.value.span.text, *behind])
        return f"it stands without a name: write {given.value.span.text if _NEWLINE in whole else whole}"

    def _behind(self) -> Span:
        """The last word that is there: what is missing belongs behind it."""
        if self._next:
            return self._words[self._next - 1].span
        return self._call.span if self._call is not None else self.entity.name.span

    def _too_many_inside(self, call: Call) -> Problem:
        return Problem(
            "E222",
            f"{self.entity.name.text}: {call.function.text} takes fewer arguments",
            self._words[self._next].span,
            label="not expected",
            help=f"a {self.what} is written {self.syntax}",
        )

    def _wrong_kind(self, word: Argument, message: str, help: str) -> Problem:
        label = {
            Number: "a number",
            Name: "a name",
            Signed: "a number",
            Point: "a point",
            Text: "a text",
            Together: "a text",
            Equality: "an equation",
        }
        found = label.get(type(word), "an expression")
        return Problem(
            "E223", f"{self.entity.name.text}: {message}", word.span, label=found, help=help + self.first_letter()
        )

    def first_letter(self) -> str:
        """`Crank` is a link: said where the name does not look as if its writer knew."""
        name = self.entity.name.text
        if len(name) > 1 and name[1].isalpha():
            prose = " (a comment starts with *)" if all(isinstance(word, Name) for word in self._words) else ""
            return f"; the first letter decides: {name} is a {self.what}, because it begins with {name[0]}{prose}"
        return ""

    def _named_once(self) -> dict[str, Setting]:
        found: dict[str, Setting] = {}
        for setting in self.entity.arguments:
            if not isinstance(setting, Setting):
                continue
            first = found.setdefault(setting.key.key, setting)
            if first is not setting:
                self.tell(
                    Problem(
                        "E225",
                        f"{setting.key.text} is given twice",
                        setting.span,
                        label="given again",
                        help="remove one of the two",
                        also=[Related(first.span, "first given here")],
                    )
                )
        return found

    def _setting(self, key: str) -> Setting | None:
        self._asked[key.lower()] = key
        return self._settings.get(key.lower())

    def _unread_in(self, within: Span) -> bool:
        """Whether a number there could not be read."""
        return any(within.start <= w.span.start and w.span.stop <= within.stop for w in self._unread)

    def _unknown(self) -> list[Setting]:
        """What was given and nobody has asked for, up to now."""
        return [setting for key, setting in self._settings.items() if key not in self._asked]

    def _tell_unknown(self) -> bool:
        """Once all that there are have been asked for: whether something else is given."""
        unknown = self._unknown()
        for setting in unknown:
            self.tell(self._unknown_setting(setting))
        return bool(unknown)

    def _unknown_setting(self, setting: Setting) -> Problem:
        known = {**self._choices, **self._asked}
        meant = setting.key.key if setting.key.key in known else self.around.desk.meant(setting.key.key, list(known))
        if setting.key.key in self.instead:
            help = self.instead[setting.key.key]
        elif other := meant_otherwise(
            setting, self.what, self._asked.values(), self._settings, self.around.desk.space.dimension
        ):
            help = other
        elif meant in self._choices:
            help = f"{known[meant]} stands alone, without a value: write {known[meant]}"
        elif meant:
            help = f"did you mean {known[meant]}?"
        elif self._asked:
            help = f"a {self.what} knows {', '.join(self._asked.values())}{self.first_letter()}"
        else:
            help = f"a {self.what} is written {self.syntax}{self.first_letter()}"
        return Problem(
            "E225",
            f"{self.entity.name.text}: a {self.what} has no parameter {setting.key.text}",
            setting.key.span,
            label="unknown",
            help=help,
        )

    def _meant(self, word: Name) -> str:
        """The word, or the parameter with its `=`, that was misspelled; "" if none is near."""
        known = {**self._choices, **{key: f"{name}=" for key, name in self._asked.items()}}
        meant = self.around.desk.meant(word.key, list(known))
        return known[meant] if meant else ""

    def _names_nothing(self, before: Argument | None) -> bool:
        """What a number too many is cannot be known: somebody's B1 1 2 3 1, or one behind a named parameter."""
        first = self.entity.arguments[0]
        return isinstance(before, Setting) or (isinstance(first, Point) and not first.span.text.startswith("("))

    def _wrong_unit(self, number: Number, want: str) -> str:
        """The cure of a number with a unit that cannot stand there; nothing if it can."""
        try:
            self.around.scope.number(number, want)
        except Problem as problem:
            return problem.help
        return ""

    def _is_unit_behind(self, word: Name) -> bool:
        """`60 rpm`, where a name is wanted: unless it is that of a parameter."""
        if self._call is not None or not is_unit(word) or self.around.scope.find(word.key) is not None:
            return False
        return meant_as_one(self._before(word), word) != ""

    def _before(self, word: Argument) -> Argument | None:
        place = next(i for i, argument in enumerate(self.entity.arguments) if argument is word)
        return self.entity.arguments[place - 1] if place else None

    def _left_over(self, word: Argument) -> Problem:
        open_keys = [key for key in self._numeric if key.lower() not in self._settings]
        text = word.span.text if "\n" not in word.span.text else "…"
        before = self._before(word)
        number = before.value if isinstance(before, Setting) else before
        if slip := meant_as_one(before, word, self._wanted.get(id(number))):
            help = slip
        elif open_keys and not isinstance(word, Name | Point | Text | Together) and not self._names_nothing(before):
            help = f"write {open_keys[0]}={text}"
            if isinstance(word, Number) and (cure := self._wrong_unit(word, self._numeric[open_keys[0]])):
                help = cure.replace("write ", f"write {open_keys[0]}=", 1)
        elif isinstance(word, Name) and (known := self._meant(word)) and known.upper() != text.upper():
            help = f"did you mean {known}?"
        else:
            unit = meant_as_unit(before, word, self._wanted.get(id(number)))
            help = f"{unit}a {self.what} is written {self.syntax}"
        return Problem(
            "E224",
            f"{self.entity.name.text}: one word too many",
            word.span,
            label="not expected",
            help=help + self.first_letter(),
        )


def is_body(name: Name) -> bool:
    return name.text.split(".")[-1][0].upper() == "B"
