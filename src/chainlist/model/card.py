"""The words of one entity, taken from left to right: what a type of constraint reads its card with."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from chainlist.formula import Constant, Formula, Moving
from chainlist.formula.analysis import Place
from chainlist.model.desk import Problem
from chainlist.model.evaluate import names_in
from chainlist.model.expressions import Surroundings, read_expression
from chainlist.model.formula import Spelled
from chainlist.model.mechanism import End
from chainlist.model.slips import how_a_point_is_written
from chainlist.model.words import Words, is_body, named_in_ellipsis
from chainlist.syntax.source import Span
from chainlist.syntax.tree import (
    Argument,
    Call,
    Entity,
    Equality,
    Expr,
    Group,
    Name,
    Number,
    Point,
    Setting,
    Signed,
    Sum,
)

__all__ = ["EntityCard", "Surroundings", "named_in_ellipsis"]


class EntityCard(Words):
    """Implements `elements.base.Card`.

    A word that is wrong by itself is told, and something else stands in for it, so that the rest of the card is read as
    well; `finish` then gives the card up. Where it is not clear what the words are, `Problem` is raised at once.
    """

    def __init__(self, entity: Entity, around: Surroundings, what: str, syntax: str):
        super().__init__(entity, around, what, syntax)
        self._ends: list[End] = []
        self._end_spans: list[Span] = []

    # What a type of constraint calls

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""
        return self.around.desk.space.dimension

    def body(self) -> End:
        word = self._take("a body")
        if isinstance(word, Point):
            raise self._wrong_kind(
                word, f"a {self.what} holds a body, not a fixed point", "put the name of a body here"
            )
        return self._end(self._body(word), word)

    def end(self) -> End:
        word = self._take("a body or a point")
        return self._end(self._anchor(word) if isinstance(word, Point) else self._body(word), word)

    def ends(self, least: int = 2, most: int | None = None, but: Collection[str] = ()) -> tuple[End, ...]:
        """All bodies and points that follow; a name in `but` is a keyword and no body."""
        found: list[End] = []
        keywords = {word.lower() for word in but}
        while most is None or len(found) < most:
            word = self._peek()
            named = isinstance(word, Name) and is_body(word) and word.key not in keywords
            if len(found) >= least and not named and not isinstance(word, Point):
                break
            found.append(self.end())
        return tuple(found)

    def link(self) -> str:
        """The full name of a link or a rigid body; whether it exists is known when all is built."""
        word = self._take("the name of a link or of a rigid body")
        if not isinstance(word, Name) or is_body(word):
            help = f"a {self.what} is written {self.syntax}"
            if isinstance(word, Name):
                help = f"{word.text} is a body: write the link, or the rigid body, that leads to it; {help}"
            raise self._wrong_kind(word, "the name of a link or of a rigid body is wanted here", help)
        name = self.around.full_name(word)
        self.words.append(name)
        return name

    def expression(self, place: Place = "motion", want: str = "number") -> Formula:
        word = self._take("a number, or an expression between braces")
        formula = self._expression(word, place, want)
        self.words.append(Spelled(formula))
        return formula

    def named_expression(self, key: str, place: Place = "motion", want: str = "number") -> Formula | None:
        setting = self._setting(key)
        self._numeric[key] = want
        if setting is None:
            return None
        formula = self._expression(setting.value, place, want)
        self.words.append(Spelled(f"{key}=", formula))
        return formula

    def equation(self, place: Place = "positions", want: str = "number") -> Formula:
        """`{expr}`, or `{expr}={expr}`: what is to be zero."""
        word = self._take("an expression between braces")
        if isinstance(word, Equality):
            formula = self._expression(word.left, place, want) - self._expression(word.right, place, want)
        else:
            formula = self._expression(word, place, want)
        self.words.append(Spelled(formula))
        return formula

    def vector(self, place: Place = "motion", want: str = "number") -> tuple[Formula, ...]:
        """The next word `({fx},{fy})`."""
        word = self._take("a vector: ({x},{y})")
        if not isinstance(word, Point):
            raise self._wrong_kind(word, "a vector is wanted here", "write its components in brackets: ({x},{y})")
        formulas = self._formulas(word, place, want)
        self.words.append(Spelled.listed("(", formulas, ")"))
        return formulas

    def word(self, *choices: str) -> str | None:
        """The next word if it is one of these keywords, which is then taken; else None."""
        self._choices.update((choice.lower(), choice) for choice in choices)
        word = self._peek()
        if not isinstance(word, Name):
            return None
        found = next((choice for choice in choices if choice.lower() == word.key), None)
        if found is not None:
            self._take(found)
            self.words.append(found)
        return found

    @contextmanager
    def inside(self, name: str) -> Iterator[None]:
        """Read the arguments of the next word `NAME(…)` with the methods of the card; all of them must be taken."""
        word = self._take(f"{name}(…)")
        if not isinstance(word, Call) or word.function.key != name.lower():
            raise self._wrong_kind(word, f"{name}(…) is wanted here", f"a {self.what} is written {self.syntax}")
        outside = self._words, self._next, self._call
        self._words, self._next, self._call = list(word.arguments), 0, word
        self.words.append(f"{name}(")
        try:
            yield
            if not self.all_taken:
                raise self._too_many_inside(word)
        finally:
            self._words, self._next, self._call = outside
        self.words.append(")")

    def points_of(self, name: str, lowest: int, highest: int | None = None) -> tuple[End, ...]:
        """The next word `NAME(P,P,…)`: bodies and points."""
        count = self.count_inside()
        with self.inside(name):
            return tuple(self.end() for _ in range(max(lowest, min(count, highest or lowest))))

    def number(self, want: str = "number") -> float:
        number = self._number(self._take("a number" if want == "number" else f"a {want}"), want)
        self.words.append(Spelled(number))
        return number

    def numbers(self, function: str, *wants: str) -> tuple[float, ...]:
        words = self._bracketed(function, len(wants))
        numbers = tuple(self._number(word, want) for word, want in zip(words, wants, strict=True))
        self.words.append(Spelled.listed(f"{function}(", numbers, ")"))
        return numbers

    def expressions(self, function: str, place: Place, *wants: str) -> tuple[Formula, ...]:
        """The same for expressions."""
        words = self._bracketed(function, len(wants))
        formulas = tuple(self._expression(word, place, want) for word, want in zip(words, wants, strict=True))
        self.words.append(Spelled.listed(f"{function}(", formulas, ")"))
        return formulas

    def at_end(self) -> bool:
        """Whether the next word is a body or a point, and not the last one; it is not taken."""
        word = self._peek()
        return self._next + 1 < len(self._words) and (
            isinstance(word, Point) or (isinstance(word, Name) and is_body(word))
        )

    def at_vector(self) -> bool:
        """Whether the next word is the last one, and a point; it is not taken."""
        return self._next + 1 == len(self._words) and isinstance(self._peek(), Point)

    def named(self, key: str, want: str = "number") -> float | None:
        setting = self._setting(key)
        self._numeric[key] = want
        if setting is None:
            return None
        number = self._number(setting.value, want)
        self.words.append(Spelled(f"{key}=", number))
        return number

    def named_numbers(self, key: str, want: str = "number") -> tuple[float, ...] | None:
        """`key=(a,b,…)` or `key=a`."""
        setting = self._setting(key)
        if setting is None:
            return None
        word = setting.value
        inside = word.coordinates if isinstance(word, Point) else (word,)
        numbers = tuple(self._number(number, want) for number in inside)
        before, behind = (f"{key}=(", ")") if len(numbers) > 1 else (f"{key}=", "")
        self.words.append(Spelled.listed(before, numbers, behind))
        return numbers

    # What the model calls

    def point(self, want: str = "length") -> tuple[float, ...]:
        """The next word, which must be a point."""
        word = self._take("a point")
        if not isinstance(word, Point):
            bracket = word.span.text.startswith("(")
            help = (
                how_a_point_is_written(word, self.dimension) if bracket else f"a {self.what} is written {self.syntax}"
            )
            raise self._wrong_kind(word, "a point is wanted here", help)
        return self._point(word, want)

    def named_point(self, key: str, want: str = "length") -> tuple[float, ...] | None:
        setting = self._setting(key)
        if setting is not None and (parts := self._without_brackets(setting)):
            help = f"write its coordinates in brackets: {key}=({','.join(part.span.text for part in parts)})"
            problem = Problem(
                "E223", "a point is wanted here", parts[0].span.to(parts[-1].span), label="not a point", help=help
            )
            return (self._stand_in(problem, setting.value),) * self.dimension
        return None if setting is None else self._point(setting.value, want)

    def _without_brackets(self, setting: Setting) -> list[Argument]:
        """The coordinates in IC_VEL=0,1, of which all but the first are taken for words of their own; else nothing."""
        place = next(i for i, argument in enumerate(self.entity.arguments) if argument is setting)
        behind = self.entity.arguments[place + 1 : place + self.dimension]
        free = {id(word) for word in self._words[self._next :]}
        if isinstance(setting.value, Point) or len(behind) < self.dimension - 1:
            return []
        if not all(isinstance(word, Number | Signed) and id(word) in free for word in behind):
            return []
        self._words = [word for word in self._words if all(word is not part for part in behind)]
        return [setting.value, *behind]

    def words_of(self, ends: tuple[End, ...]) -> tuple[str | None, ...]:
        """What was read, if these are the ends in the order in which they were read; else nothing."""
        return tuple(self.words) if ends == tuple(self._ends) else ()

    def spans_of(self, ends: tuple[End, ...]) -> tuple[Span, ...]:
        """Where they stand, if these are the ends in the order in which they were read; else nothing."""
        return tuple(self._end_spans) if ends == tuple(self._ends) else ()

    def _bracketed(self, function: str, wanted: int) -> Sequence[Argument]:
        """The words of `FUNCTION(a,b,…)`, or so many bare ones."""
        word = self._peek()
        if isinstance(word, Name) and word.key == function.lower() and self.around.scope.find(word.key) is None:
            raise self._bracket_apart(word, function, wanted)
        if not isinstance(word, Call) or word.function.key != function.lower():
            if isinstance(word, Point) or (isinstance(word, Call) and len(word.arguments) == wanted):
                inside = word.coordinates if isinstance(word, Point) else word.arguments
                help = f"a {self.what} is written {self.syntax}"
                if len(inside) == wanted:
                    help = f"write {function}({','.join(a.span.text for a in inside)})"
                raise self._wrong_kind(word, f"{function}(…) is wanted here", help)
            return [self._take("a number") for _ in range(wanted)]
        self._next += 1
        if len(word.arguments) != wanted:
            raise Problem(
                "E222",
                f"{function} takes {wanted} numbers, not {len(word.arguments)}",
                word.span,
                label="too many" if len(word.arguments) > wanted else "too few",
                help=f"{self.entity.name.text} is written {self.syntax}",
            )
        return word.arguments

    def _end(self, end: End, word: Argument) -> End:
        self.words.append(None)
        self._ends.append(end)
        self._end_spans.append(word.span)
        return end

    def _body(self, word: Argument) -> str:
        if isinstance(word, Name):
            return self._known_body(word)
        help = self._instead_of_a_number(word) or "bodies are called B1, B2 …"
        if isinstance(word, Group) and isinstance(word.inner, Number):
            help = how_a_point_is_written(word, self.dimension)
        if isinstance(word, Sum) and all(isinstance(term, Name) for term in word.terms):
            for name in names_in(word):
                self.around.body(name)  # silent, or complains, if one of them does not exist
            help = f"put a space between two bodies: {' '.join(term.span.text for term in word.terms)}"
        raise self._wrong_kind(word, "the name of a body is wanted here", help)

    def _instead_of_a_number(self, word: Argument) -> str:
        """What is to be written where a number stands for an end: SPICE's ground 0, an end left out, a centre without brackets."""
        if not isinstance(word, Number):
            return ""
        arguments, origin = [one.span.text for one in self.entity.arguments], self.around.desk.space.origin
        if self._call is not None:
            inside = [one.span.text for one in self._call.arguments]
            centre, rest = inside[: self.dimension], inside[self.dimension :]
            fits = self._next == 1 and len(rest) == 1
            return f"write {self._call.function.text}(({','.join(centre)}),{rest[0]})" if fits else ""
        place = next(i for i, one in enumerate(self.entity.arguments) if one is word)
        if not isinstance(self.entity.arguments[0], Name):
            return ""  # no end stands before it, and perhaps this is no card of this type
        if word.text == "0" and place == len(arguments) - 1 and not word.unit:
            return f"a fixed point is written {origin}: {' '.join([self.name, *arguments[:place], origin])}"
        whole = " ".join([self.name, *arguments[:place], origin, *arguments[place:]])
        return f"an end is missing before {word.span.text}, a body or a fixed point: {whole}"

    def _known_body(self, name: Name) -> str:
        try:
            return self.around.body(name, self._others(name))
        except Problem as problem:
            problem.help += self.first_letter()
            if problem.code and name.text.split(".")[-1][0].upper() != "B":
                raise  # perhaps this is prose, and no word of it is what it is taken for
            self.tell(problem)
            return name.text

    def _others(self, name: Name) -> set[str]:
        """What else the card names: an end that it has already was not meant a second time."""
        words = (*self.entity.arguments, *self._words)
        return {word.key for word in words if isinstance(word, Name) and word.key != name.key}

    def _number(self, word: Argument, want: str) -> float:
        self._wanted[id(word)] = want
        try:
            return self.around.scope.number(word, want)
        except Problem as problem:
            if problem.code == "E206" and isinstance(word, Name) and word.text[0].upper() == "B":
                help = f"a {self.what} is written {self.syntax}"
                raise self._wrong_kind(word, "a number is wanted here, not a body", help) from None
            return self._stand_in(problem, word)

    def _point(self, word: Argument, want: str) -> tuple[float, ...]:
        try:
            coordinates = self.around.scope.coordinates(word)
        except Problem as problem:
            return (self._stand_in(problem, word),) * self.dimension
        return tuple(self._coordinate(coordinate, want) for coordinate in coordinates)

    def _expression(self, word: Argument, place: Place, want: str) -> Formula:
        self._wanted[id(word)] = want
        try:
            return read_expression(word, self.around, place, want)
        except Problem as problem:
            if problem.code == "E206" and isinstance(word, Name) and is_body(word):
                help = f"a {self.what} is written {self.syntax}"
                raise self._wrong_kind(word, "a number is wanted here, not a body", help) from None
            return Constant(self._stand_in(problem, word))

    def _formulas(self, word: Argument, place: Place, want: str) -> tuple[Formula, ...]:
        try:
            coordinates = self.around.scope.coordinates(word)
        except Problem as problem:
            return (Constant(self._stand_in(problem, word)),) * self.dimension
        return tuple(self._expression(coordinate, place, want) for coordinate in coordinates)

    def _anchor(self, word: Point) -> End:
        """A fixed point, or one whose coordinates are expressions in time."""
        formulas = self._formulas(word, "time", "length")
        numbers = tuple(formula.value for formula in formulas if isinstance(formula, Constant))
        return numbers if len(numbers) == len(formulas) else Moving(formulas)

    def _coordinate(self, word: Expr, want: str) -> float:
        try:
            return self.around.scope.number(word, want)
        except Problem as problem:
            return self._stand_in(problem, word)

    def _stand_in(self, problem: Problem, word: Argument) -> float:
        """Tell what is wrong with a number; 1 goes on in its place, which no type of constraint stumbles over."""
        self.tell(problem)
        self._unread.append(word)
        return 1.0

    def _bracket_apart(self, word: Name, function: str, wanted: int) -> Problem:
        """`LINE 1 0 1` and `LINE (1,0,1)`."""
        behind = self._words[self._next + 1 :]
        inside = behind[0].coordinates if behind and isinstance(behind[0], Point) else behind
        help = f"a {self.what} is written {self.syntax}"
        if len(inside) == wanted:
            help = f"write {function}({','.join(argument.span.text for argument in inside)})"
        return self._wrong_kind(word, f"{function} needs its bracket directly behind it", help)
