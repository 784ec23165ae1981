"""Frames: what cards are read in. The chainlist is one, each instance of a submachine is another."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from chainlist.model.desk import Desk, Problem
from chainlist.model.entities import BODY, INSTANCE, Path, PlacedBody, letter_of
from chainlist.model.evaluate import not_a_number
from chainlist.model.mechanism import Point as Coordinates
from chainlist.model.parameters import Scope
from chainlist.model.slips import meant_as_one
from chainlist.syntax.diagnostics import Related
from chainlist.syntax.tree import Argument, Broken, Command, Entity, Name, Point, Setting, Submachine, Text

Statements = Iterable[Entity | Command | Submachine | Broken]
ANY_INDEX = "#"  # behind a stem in the names that failed: all names with this stem and an index
_DIGITS = "0123456789"


class Standing:
    """The bodies that stand in one system of coordinates, by their full name in lower case."""

    def __init__(self) -> None:
        self.bodies: dict[str, PlacedBody] = {}
        self.broken: set[str] = set()  # names whose definition was reported: what refers to them stays silent

    def is_broken(self, key: str) -> bool:
        """True for a name that failed, or that is inside an instance that failed."""
        if key in self.broken or key.rstrip(_DIGITS) + ANY_INDEX in self.broken:
            return True
        inside = key.split(".")
        return any(".".join(inside[:n]) in self.broken for n in range(1, len(inside)))


@dataclass(frozen=True)
class Identity:
    """What makes the frame of an instance differ from the chainlist: its name, and what its formal bodies stand for."""

    prefix: str = ""  # "X1."
    path: Path = ()
    submachine: str = ""
    actuals: Mapping[str, str] = field(default_factory=dict)  # key of a formal body → full name of the actual one


class Frame:
    """The cards of the chainlist, or of one instance, with the names and parameters that hold there."""

    def __init__(
        self,
        desk: Desk,
        scope: Scope,
        statements: Statements,
        identity: Identity | None = None,
        left_out: Iterable[int] = (),
    ):
        self.desk = desk
        self.scope = scope
        self.identity = identity or Identity()
        self.standing = Standing()  # replaced by the world in which the frame is built
        self.body_cards: list[tuple[int, Entity]] = []
        self.instance_cards: list[tuple[int, Entity]] = []
        self.constraint_cards: list[tuple[int, Entity]] = []
        self._broken: list[Broken] = []
        self._spelling: dict[str, str] = {}
        self._sort(statements, set(left_out))

    def _sort(self, statements: Statements, left_out: set[int]) -> None:
        cards = {BODY: self.body_cards, INSTANCE: self.instance_cards}
        spell = self._spelling.setdefault  # a name is shown as it was spelled where it was used first
        for place, statement in enumerate(statements):
            if isinstance(statement, Broken):
                self._broken.append(statement)
            if not isinstance(statement, Entity):
                continue
            name = statement.name
            spell(name.key, name.text)
            for word in statement.arguments:
                if type(word) is Name:
                    spell(word.key, word.text)
            if place not in left_out:
                cards.get(letter_of(statement), self.constraint_cards).append((place, statement))

    @property
    def where(self) -> Related | None:
        """The instance that is being built, for messages."""
        return self.scope.where

    def path(self, place: int) -> Path:
        return (*self.identity.path, place)

    def full_name(self, name: Name) -> str:
        """The name in the whole mechanism: the actual body of a formal one, X1.C5 for what is inside X1."""
        actual = self.identity.actuals.get(name.key)
        return actual if actual is not None else self.identity.prefix + self._spelling.get(name.key, name.text)

    def body(self, name: Name, but: Collection[str] = ()) -> str:
        """The full name of an existing body. The actual body of a formal one is looked for when all is built.

        Where it does not exist, none of `but` can have been meant: the other ends of the same card.
        """
        if name.key in self.identity.actuals:
            return self.identity.actuals[name.key]
        key = self.full_name(name).lower()
        if key in self.standing.bodies:
            return self.standing.bodies[key].name
        if self.standing.is_broken(key):
            raise Problem()
        raise self._unknown_body(name, but)

    def _unknown_body(self, name: Name, but: Collection[str]) -> Problem:
        if name.text.split(".")[-1][0].upper() != BODY:
            return Problem(
                "E226",
                f"{name.text} is not a body",
                name.span,
                label="bodies begin with B",
                help=f"put the name of a body here, or a point: {self.desk.space.origin}",
            )
        inside = self.identity.submachine
        if inside and name.key in self.standing.bodies:
            help = f"names inside a submachine are local: make {name.text} a formal of {inside}, and give it to each instance"
        elif not inside and (lost := self.desk.lost_in_title(name.text)):
            help = lost
        elif (meant := self._meant(name, but)) is not None:
            help = f"did you mean {meant}?"
        elif inside:
            help = f"names inside a submachine are local: define {name.text} here, or make it a formal"
        elif "." in name.text:
            instance, _, own = name.text.rpartition(".")
            help = (
                f"{instance} makes no body {own} of its own; a formal body goes by the name that the instance was given"
            )
        else:
            help = f"define it: {name.text} {self.desk.space.origin} 1"
        where = f" in {inside}" if inside else ""
        return Problem("E226", f"unknown body {name.text}{where}", name.span, label="not defined", help=help)

    def _meant(self, name: Name, but: Collection[str]) -> str | None:
        """The body that may have been meant, as it is spelled here."""
        if not self.identity.submachine:
            key = self.desk.meant(name.key, self.standing.bodies, but)
            return self.standing.bodies[key].name if key else None
        local = [*self.identity.actuals, *(entity.name.key for _, entity in self.body_cards)]
        key = self.desk.meant(name.key, local, but)
        return self._spelling.get(key, key.upper()) if key else None

    def anchors(self) -> list[Coordinates]:
        """The fixed points on the cards of an instance: they count for its size."""
        found = []
        for _, entity in self.constraint_cards if self.identity.submachine else ():
            for word in entity.arguments:
                if isinstance(word, Point):
                    try:
                        found.append(self.scope.point(word))
                    except Problem:
                        continue  # told when the card itself is read
        return found

    def broken_names(self) -> Iterable[str]:
        """Full names of what would be defined by cards that could not be read."""
        for statement in self._broken:
            for stem in statement.stems:
                yield f"{self.identity.prefix.lower()}{stem}{ANY_INDEX}"
            if statement.name is None:
                continue
            yield self.full_name(statement.name).lower()
            if statement.name.text[0].upper() == INSTANCE:
                for word in re.findall(r"\b[Bb]\w*", statement.span.text):
                    yield self.full_name(Name(word, statement.span)).lower()

    def names_given_up(self, instance: Entity) -> Iterable[str]:
        """What an instance that cannot be built would have brought."""
        yield self.full_name(instance.name).lower()
        for word in instance.arguments:
            if isinstance(word, Name):
                yield self.full_name(word).lower()


def define_parameters(statements: Statements, scope: Scope) -> None:
    """Enter the .param cards into a scope. A card that could not be read still defines its names."""
    for statement in statements:
        if isinstance(statement, Broken):
            _give_up(statement, scope)
        if not isinstance(statement, Command) or statement.keyword.key != "param":
            continue
        if not statement.arguments:
            help = "write .param L=0.2"
            scope.desk.tell(
                Problem("E210", ".param defines nothing", statement.span, label="nothing follows", help=help)
            )
        before: Argument | None = None
        for argument, behind in zip(statement.arguments, (*statement.arguments[1:], None), strict=False):
            try:
                _define(argument, before, behind, scope)
            except Problem as problem:
                scope.desk.tell(problem)
                if isinstance(argument, Setting):
                    scope.give_up(argument.key)
            before = argument


def _give_up(broken: Broken, scope: Scope) -> None:
    """The names that a card would have set if it could have been read: `.param L=…`, or `L=…` as if that were a statement."""
    text = broken.span.text
    if re.match(r"\.param\b", text, re.IGNORECASE) or re.match(r"\w+\s*=", text):
        for word in re.findall(r"([A-Za-z]\w*)\s*=", text):
            scope.give_up(Name(word, broken.span))


def _define(argument: Argument, before: Argument | None, behind: Argument | None, scope: Scope) -> None:
    """Enter one word of a .param card; `before` and `behind` are its neighbours."""
    if isinstance(argument, Setting):
        if behind is not None and meant_as_one(argument, behind):
            scope.give_up(argument.key)  # told with the word behind it
        elif isinstance(argument.value, Text):
            raise not_a_number(argument.value)
        else:
            scope.define(argument.key, argument.value)
        return
    if isinstance(before, Name) and scope.find(before.key) is not None:
        return  # the value of a name without `=`, which was told
    help = "write .param L=0.2"
    if cure := meant_as_one(before, argument):
        help = cure
    elif isinstance(argument, Name):
        scope.give_up(argument)
        if behind is not None and not isinstance(behind, Setting):
            help = f"write .param {argument.text}={behind.span.text}"
    raise Problem("E210", "a parameter is written name=value", argument.span, label="no `=`", help=help)
