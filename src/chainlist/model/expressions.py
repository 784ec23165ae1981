"""Expressions of entities: `{-3*X(B1)}`, `{0.2*sin(3*time)}` → formulas of the time and of items of the moving machine."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from chainlist.elements.base import is_rigid, kind_of
from chainlist.formula import TIME, Constant, End, Formula, Quantity
from chainlist.formula.analysis import FAMILY, Place
from chainlist.formula.functions import FUNCTIONS
from chainlist.model.building import FormulaReader, Piece
from chainlist.model.desk import Desk, Problem
from chainlist.model.dotted import is_dotted, item_meant
from chainlist.model.evaluate import ALIASES, CONSTANTS, not_a_number
from chainlist.model.observables import OBSERVABLES
from chainlist.model.parameters import Scope
from chainlist.model.places import ALLOWED, check_place, check_place_name, check_world, what_may_stand
from chainlist.syntax.source import Span
from chainlist.syntax.tree import Argument, Call, Equality, Name, Point, Setting, Text, Together


class Surroundings(Protocol):
    """What a card is read in: the chainlist, or an instance of a submachine."""

    desk: Desk
    scope: Scope

    def body(self, name: Name, but: Collection[str] = ()) -> str:
        """The full name of an existing body; raises `Problem`, whose help suggests none of `but`."""

    def full_name(self, name: Name) -> str:
        """The name in the whole mechanism, of what need not exist."""


_USAGE = {
    "dist": "DIST(B1,B2) or DIST(B1,(0,0))",
    "angle": "ANGLE(B1,B2), ANGLE(B1,B2,B3), ANGLE(C1), ANGLE(R1) or ANGLE(R1,R2)",
    "omega": "OMEGA(C1), OMEGA(B1,B2), OMEGA(R1) or OMEGA(R1,R2)",
    "tension": "TENSION(C1)",
}  # of all others: X(B1)
_MOST_POINTS = {"dist": 2, "angle": 3, "omega": 2}
_OF_ELEMENT = ("angle", "omega", "tension")  # may be asked of a link or a rigid body


def read_expression(node: Argument, around: Surroundings, place: Place, want: str = "number") -> Formula:
    """The formula of an expression; a `Constant` where neither the time nor an item is in it. Raises `Problem`.

    `place` says what may be used, `want` which unit a single number may have.
    """
    check_place_name(place)
    if isinstance(node, Text | Together | Setting | Equality):
        raise not_a_number(node)
    if place == "number":
        return Constant(around.scope.number(node, want))
    around.scope.check_unit(node, want)
    return ExpressionReader(around, place).evaluate(node).formula


class ExpressionReader(FormulaReader):
    """Reads the expressions of one place."""

    def __init__(self, around: Surroundings, place: Place):
        super().__init__(around.scope)
        self.around = around
        self.place = place

    def named(self, name: Name) -> Piece:
        if name.key == "time":
            check_place("time", name.text, name.span, self.place)
            return Piece(TIME)
        if name.key in CONSTANTS or self.parameters.find(name.key) is not None:
            return Piece(Constant(self.parameters.named(name)))
        item = OBSERVABLES.get(name.key)
        if item is not None and item.takes == "nothing":
            check_place(name.key, name.text, name.span, self.place)
        if name.key in FAMILY:
            raise self._wrong_arguments(name.key, name.span, f"{name.text} needs arguments")
        raise self._unknown_name(name)

    def _unknown_name(self, name: Name) -> Problem:
        problem = self.parameters.unknown(name)
        if self._is_body(name):
            problem.help = f"{name.text} is a body: write X({name.text}) or another of its numbers"
        elif is_dotted(name):
            problem.help = item_meant(name, self._may_stand) or what_may_stand(self.place)
        elif problem.help.startswith("define it") and name.key in ("t", "u", "etotal"):
            problem.help = "the time is written `time`"
        return problem

    def _may_stand(self, item: str, of: Name) -> bool:
        """Whether an item may be asked of something here; what is known of elements is their letter."""
        kind = kind_of(of.text)
        if item in ("TENSION", "ANGLE", "OMEGA") and not (kind is not None and (kind.is_link or kind.rigid)):
            return False
        try:
            self.item_of(Call(Name(item, of.span), (of,), of.span))
        except Problem:
            return False
        return True

    def _is_body(self, name: Name) -> bool:
        try:
            self.around.body(name)
        except Problem:
            return False
        return True

    def item_of(self, call: Call) -> Piece:
        key = call.function.key
        if key not in FAMILY and key not in OBSERVABLES:
            raise self._unknown_item(call)
        check_place(key, call.span.text, call.span, self.place)
        if key == "time":
            raise self._wrong_arguments(key, call.span, f"{call.function.text} takes no arguments")
        arguments = self._arguments(call, key)
        check_world(call, len(arguments), self.around.desk.space.dimension)
        return Piece(Quantity(key.upper(), arguments))

    def _unknown_item(self, call: Call) -> Problem:
        items = [key for key in FAMILY if FAMILY[key] in ALLOWED[self.place]]
        known = {**{key: key for key in FUNCTIONS}, **{key: f.name.text for key, f in self.functions.known.items()}}
        known.update((key, key.upper()) for key in items)
        last = call.function.key.split(".")[-1]  # np.sin
        meant = ALIASES.get(last) or known.get(last)
        if meant is None and (near := self.around.desk.meant(last, known)) is not None:
            meant = known[near]
        listed = " ".join(key.upper() for key in items if key != "time") or "time"
        help = f"did you mean {meant}?" if meant else f"here may stand {listed}, and functions such as sin"
        return Problem(
            "E270",
            f"there is no item or function {call.function.text}",
            call.function.span,
            label="unknown",
            help=help,
        )

    def _arguments(self, call: Call, key: str) -> tuple[End, ...]:
        given = call.arguments
        if key in _OF_ELEMENT and len(given) == 1 and isinstance(given[0], Name):
            return (self._element(given[0], key),)
        most = _MOST_POINTS.get(key)
        if key == "tension":
            raise self._wrong_arguments(key, call.span, f"{call.function.text} is asked of one link")
        if most is None:
            if len(given) != 1 or not isinstance(given[0], Name):
                raise self._wrong_arguments(key, call.span, f"{call.function.text} is asked of one body")
            return (self._body(given[0]),)
        if not 2 <= len(given) <= most:
            raise self._wrong_arguments(key, call.span, f"{call.function.text} cannot be asked of this")
        if key in _OF_ELEMENT and len(given) == 2:
            self._check_two(call, [a.text for a in given if isinstance(a, Name) and _turns(a.text)])
        return tuple(self._point(argument, key) for argument in given)

    def _check_two(self, call: Call, names: list[str]) -> None:
        """One body against another has an angle here; of links it is a difference."""
        key, function = call.function.key, call.function.text
        if len(names) == 2 and not all(map(is_rigid, names)):
            problem = self._wrong_arguments(key, call.span, f"{function} of two is asked of points or rigid bodies")
            problem.help = f"write {function}({names[0]})-{function}({names[1]})"
            raise problem
        if len(names) == 2 and names[0].lower() == names[1].lower():
            raise self._wrong_arguments(key, call.span, f"{names[0]} does not turn against itself")

    def _point(self, argument: object, key: str) -> End:
        if isinstance(argument, Point):
            return self.point(argument)
        if isinstance(argument, Name):
            return self._body(argument)
        raise self._wrong_arguments(key, argument.span, "a body or a point is wanted here")  # type: ignore[attr-defined]

    def _body(self, name: Name) -> str:
        if self.in_function and self.scope.outer is not None:
            return name.text  # a body of the chainlist, seen from an instance: looked for when all is built
        if is_rigid(name.text):
            return self.around.full_name(name)  # its centre: looked for when all is built
        return self.around.body(name)

    def _element(self, name: Name, key: str) -> str:
        if name.text.split(".")[-1][0].upper() == "B":
            raise self._wrong_arguments(key, name.span, f"{name.text} is a body")
        if self.in_function and self.scope.outer is not None:
            return name.text
        return self.around.full_name(name)

    def _wrong_arguments(self, key: str, at: Span, message: str) -> Problem:
        usage = _USAGE.get(key, "`time`" if key == "time" else f"{key.upper()}(B1)")
        return Problem("E271", message, at, label="wrong arguments", help=f"write {usage}")


def _turns(name: str) -> bool:
    """Whether a name is that of a link or a rigid body, by its letter."""
    kind = kind_of(name)
    return kind is not None and (kind.is_link or kind.rigid)
