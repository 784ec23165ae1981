"""The words of one entity, taken from left to right: what a type of constraint reads its card with."""

from __future__ import annotations

from typing import NoReturn, Protocol

from chainlist.elements.base import shortest
from chainlist.kernels.slots import DIM
from chainlist.model.desk import Desk, Problem
from chainlist.model.evaluate import names_in
from chainlist.model.mechanism import End
from chainlist.model.parameters import Scope
from chainlist.model.slips import meant_as_one
from chainlist.syntax.diagnostics import Related
from chainlist.syntax.source import Span
from chainlist.syntax.tree import (
    Argument,
    Call,
    Entity,
    Expr,
    Name,
    Number,
    Point,
    Setting,
    Signed,
    Sum,
    Text,
    Together,
)


def named_in_ellipsis(problem: Problem, entity: Entity) -> Problem:
    """Where the text shows only dots, the message says which of the statements between them is wrong."""
    if problem.code and problem.span == entity.span and entity.span.text in ("...", "…"):
        problem.message += f" (in {entity.name.text}, for which this ellipsis stands)"
    return problem


class Surroundings(Protocol):
    """What a card is read in: the chainlist, or an instance of a submachine."""

    desk: Desk
    scope: Scope

    def body(self, name: Name) -> str:
        """The full name of an existing body; raises `Problem`."""


class EntityCard:
    """Implements `constraints.base.Card`.

    A word that is wrong by itself is told, and something else stands in for it, so that the rest of the card is read as
    well; `finish` then gives the card up. Where it is not clear what the words are, `Problem` is raised at once.
    """

    def __init__(self, entity: Entity, around: Surroundings, what: str, syntax: str):
        self.entity = entity
        self.around = around
        self.what = what  # "link"
        self.syntax = syntax
        self._words = [word for word in entity.arguments if not isinstance(word, Setting)]
        self._next = 0
        self._told = False  # something on it has been complained of
        self._invented = False  # one of its numbers stands in for what could not be read
        self._settings = self._named_once()
        self._asked: dict[str, str] = {}  # key → spelling of the named parameters there are
        self._numeric: list[str] = []  # those that are numbers
        self.words: list[str | None] = []  # what was read, with all numbers computed; None: the next end
        self.ends: list[End] = []

    # What a type of constraint calls

    def body(self) -> End:
        word = self._take("a body")
        if isinstance(word, Point):
            raise self._wrong_kind(
                word, f"a {self.what} holds a body, not a fixed point", "put the name of a body here"
            )
        return self._end(self._body(word))

    def end(self) -> End:
        word = self._take("a body or a point")
        return self._end(self._point(word, "length") if isinstance(word, Point) else self._body(word))

    def number(self, want: str = "number") -> float:
        number = self._number(self._take("a number" if want == "number" else f"a {want}"), want)
        self.words.append(shortest(number))
        return number

    def numbers(self, function: str, *wants: str) -> tuple[float, ...]:
        numbers = self._numbers(function, wants)
        self.words.append(f"{function}({','.join(shortest(number) for number in numbers)})")
        return numbers

    def named(self, key: str, want: str = "number") -> float | None:
        setting = self._setting(key)
        self._numeric.append(key)
        if setting is None:
            return None
        number = self._number(setting.value, want)
        self.words.append(f"{key}={shortest(number)}")
        return number

    def fail(self, message: str, help: str = "") -> NoReturn:
        if self._invented:
            raise Problem()  # what was found wanting is not what was written
        blamed = next((s.span for key, s in self._settings.items() if key in message.lower()), self.entity.span)
        raise Problem("E228", f"{self.entity.name.text}: {message}", blamed, label="has no meaning", help=help)

    # What the model calls

    def point(self, want: str = "length") -> tuple[float, ...]:
        """The next word, which must be a point."""
        word = self._take("a point")
        if not isinstance(word, Point):
            raise self._wrong_kind(word, "a point is wanted here", f"a {self.what} is written {self.syntax}")
        return self._point(word, want)

    def named_point(self, key: str, want: str = "length") -> tuple[float, ...] | None:
        setting = self._setting(key)
        return None if setting is None else self._point(setting.value, want)

    def tell(self, problem: Problem) -> None:
        """Report a problem and go on reading; the card is given up when it is finished."""
        self.around.desk.tell(named_in_ellipsis(problem, self.entity), self.around.scope.where)
        self._told = True

    def words_of(self, ends: tuple[End, ...]) -> tuple[str | None, ...]:
        """What was read, if these are the ends in the order in which they were read; else nothing."""
        return tuple(self.words) if ends == tuple(self.ends) else ()

    @property
    def all_taken(self) -> bool:
        """True when no unnamed word is left."""
        return self._next >= len(self._words)

    def span_of(self, word: int) -> Span:
        """The place of an unnamed word."""
        return self._words[word].span

    def finish(self) -> None:
        """Every word must have been taken, and every named parameter asked for."""
        unknown = [setting for key, setting in self._settings.items() if key not in self._asked]
        for setting in unknown:
            self.tell(self._unknown_setting(setting))
        if not self.all_taken and not unknown:
            raise self._left_over(self._words[self._next])
        if self._told:
            raise Problem()

    def _numbers(self, function: str, wants: tuple[str, ...]) -> tuple[float, ...]:
        word = self._peek()
        if isinstance(word, Name) and word.key == function.lower() and self.around.scope.find(word.key) is None:
            raise self._bracket_apart(word, function, len(wants))
        if not isinstance(word, Call) or word.function.key != function.lower():
            if isinstance(word, Point) or (isinstance(word, Call) and len(word.arguments) == len(wants)):
                inside = word.coordinates if isinstance(word, Point) else word.arguments
                help = f"a {self.what} is written {self.syntax}"
                if len(inside) == len(wants):
                    help = f"write {function}({','.join(a.span.text for a in inside)})"
                raise self._wrong_kind(word, f"{function}(…) is wanted here", help)
            return tuple(self._number(self._take("a number"), want) for want in wants)
        self._next += 1
        if len(word.arguments) != len(wants):
            raise Problem(
                "E222",
                f"{function} takes {len(wants)} numbers, not {len(word.arguments)}",
                word.span,
                label="too many" if len(word.arguments) > len(wants) else "too few",
                help=f"{self.entity.name.text} is written {self.syntax}",
            )
        return tuple(self._number(a, want) for a, want in zip(word.arguments, wants, strict=True))

    def _peek(self) -> Argument | None:
        return self._words[self._next] if self._next < len(self._words) else None

    def _take(self, wanted: str) -> Argument:
        word = self._peek()
        if word is None:
            raise Problem(
                "E222",
                f"{self.entity.name.text} lacks {wanted}",
                self._behind(),
                label=f"{wanted} is missing",
                help=f"a {self.what} is written {self.syntax}{self._first_letter()}",
            )
        self._next += 1
        return word

    def _behind(self) -> Span:
        """The last word that is there: what is missing belongs behind it."""
        return self._words[self._next - 1].span if self._next else self.entity.name.span

    def _end(self, end: End) -> End:
        self.words.append(None)
        self.ends.append(end)
        return end

    def _body(self, word: Argument) -> str:
        if isinstance(word, Name):
            return self._known_body(word)
        help = "bodies are called B1, B2 …"
        if isinstance(word, Sum) and all(isinstance(term, Name) for term in word.terms):
            for name in names_in(word):
                self.around.body(name)  # silent, or complains, if one of them does not exist
            help = f"put a space between two bodies: {' '.join(term.span.text for term in word.terms)}"
        raise self._wrong_kind(word, "the name of a body is wanted here", help)

    def _known_body(self, name: Name) -> str:
        try:
            return self.around.body(name)
        except Problem as problem:
            problem.help += self._first_letter()
            if problem.code and name.text.split(".")[-1][0].upper() != "B":
                raise  # perhaps this is prose, and no word of it is what it is taken for
            self.tell(problem)
            return name.text

    def _number(self, word: Argument, want: str) -> float:
        try:
            return self.around.scope.number(word, want)
        except Problem as problem:
            if problem.code == "E206" and isinstance(word, Name) and word.text[0].upper() == "B":
                help = f"a {self.what} is written {self.syntax}"
                raise self._wrong_kind(word, "a number is wanted here, not a body", help) from None
            return self._stand_in(problem)

    def _point(self, word: Argument, want: str) -> tuple[float, ...]:
        try:
            coordinates = self.around.scope.coordinates(word)
        except Problem as problem:
            return (self._stand_in(problem),) * DIM
        return tuple(self._coordinate(coordinate, want) for coordinate in coordinates)

    def _coordinate(self, word: Expr, want: str) -> float:
        try:
            return self.around.scope.number(word, want)
        except Problem as problem:
            return self._stand_in(problem)

    def _stand_in(self, problem: Problem) -> float:
        """Tell what is wrong with a number; 1 goes on in its place, which no type of constraint stumbles over."""
        self.tell(problem)
        self._invented = True
        return 1.0

    def _bracket_apart(self, word: Name, function: str, wanted: int) -> Problem:
        """`LINE 1 0 1` and `LINE (1,0,1)`."""
        behind = self._words[self._next + 1 :]
        inside = behind[0].coordinates if behind and isinstance(behind[0], Point) else behind
        help = f"a {self.what} is written {self.syntax}"
        if len(inside) == wanted:
            help = f"write {function}({','.join(argument.span.text for argument in inside)})"
        return self._wrong_kind(word, f"{function} needs its bracket directly behind it", help)

    def _wrong_kind(self, word: Argument, message: str, help: str) -> Problem:
        label = {
            Number: "a number",
            Name: "a name",
            Signed: "a number",
            Point: "a point",
            Text: "a text",
            Together: "a text",
        }
        found = label.get(type(word), "an expression")
        return Problem(
            "E223", f"{self.entity.name.text}: {message}", word.span, label=found, help=help + self._first_letter()
        )

    def _first_letter(self) -> str:
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

    def _unknown_setting(self, setting: Setting) -> Problem:
        meant = self.around.desk.meant(setting.key.key, list(self._asked))
        if meant:
            help = f"did you mean {self._asked[meant]}?"
        elif self._asked:
            help = f"a {self.what} knows {', '.join(self._asked.values())}{self._first_letter()}"
        else:
            help = f"a {self.what} is written {self.syntax}{self._first_letter()}"
        return Problem(
            "E225",
            f"{self.entity.name.text}: a {self.what} has no parameter {setting.key.text}",
            setting.key.span,
            label="unknown",
            help=help,
        )

    def _left_over(self, word: Argument) -> Problem:
        open_keys = [key for key in self._numeric if key.lower() not in self._settings]
        text = word.span.text if "\n" not in word.span.text else "…"
        place = next(i for i, argument in enumerate(self.entity.arguments) if argument is word)
        if slip := meant_as_one(self.entity.arguments[place - 1] if place else None, word):
            help = slip
        elif open_keys and not isinstance(word, Name | Point | Text | Together):
            help = f"write {open_keys[0]}={text}"
        else:
            help = f"a {self.what} is written {self.syntax}"
        return Problem(
            "E224",
            f"{self.entity.name.text}: one word too many",
            word.span,
            label="not expected",
            help=help + self._first_letter(),
        )
