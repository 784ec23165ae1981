"""What parameters do to members, for all of them at once: places and masses of bodies, anchors and lengths of links as columns.

A parameter may stand anywhere in a text, which is then read anew for each member. Here it stands where most stand: every other card must
be free of what varies, else there are no columns. Expressions are worked out by the same functions as when a text is read, so that a
member has the same bits either way.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from chainlist.compile.system import Assembly
from chainlist.compile.velocities import needs_following
from chainlist.elements import REGISTRY
from chainlist.kernels.bundles import Floats
from chainlist.model.chance import DISTRIBUTIONS, Draw, drawn
from chainlist.model.definitions import define_functions
from chainlist.model.desk import Desk, Problem
from chainlist.model.entities import BODY, letter_of
from chainlist.model.evaluate import arithmetic, calls_in, names_in
from chainlist.model.frame import define_parameters
from chainlist.model.functions import Evaluator
from chainlist.model.mechanism import Mechanism
from chainlist.model.parameters import Scope
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.expand import expand
from chainlist.syntax.limits import Limits
from chainlist.syntax.parser import parse as parse_tree
from chainlist.syntax.source import Source
from chainlist.syntax.tree import Call, Command, Entity, Expr, Name, Number, Point, Product, Setting, Submachine, Sum

ABOUT_MEMBERS = ("param", "func", "step", "mc")  # cards that may name what varies
Column = Any  # a number, or (members,) numbers: nan where an expression has no value


@dataclass(frozen=True)
class Varied:
    """What differs between some members: parameters and options by name, and for a sample its seed and their numbers in it."""

    count: int
    params: Mapping[str, Floats] = field(default_factory=dict)
    options: Mapping[str, Floats] = field(default_factory=dict)
    draws: tuple[Draw, ...] = ()


@dataclass(frozen=True)
class Columns:
    """Inputs of the batch by their names, and every parameter that varies."""

    numbers: Mapping[str, Column]
    params: Mapping[str, Column]


def columns_of(nominal: Assembly, fixed: Mapping[str, float], varied: Varied) -> Columns | None:
    """None where a text has to be read for each member. `fixed` are parameters that all members have changed."""
    mechanism = nominal.mechanism
    plain = all(REGISTRY[e.kind].is_link for e in nominal.equations if e.kind in REGISTRY)
    if set(varied.options) - {"gravity"} or needs_following(mechanism) or not plain:
        return None
    reader = _Reader(mechanism, fixed, varied)
    if not reader.stands_in_cards():
        return None
    numbers = _Numbers(nominal, reader).found()
    if numbers is not None and "gravity" in varied.options:
        numbers |= {f"gravity {c}": 0.0 for c in range(mechanism.dimension)}
        numbers["gravity 1"] = -varied.options["gravity"]
    return None if numbers is None else Columns(numbers, reader.parameters())


class _Expressions(Evaluator[Column]):
    """Expressions over columns; those of a parameter draw for it."""

    def __init__(self, reader: _Reader, parameter: str = "") -> None:
        super().__init__(reader.scope.functions)
        self._reader, self._parameter, self._draws = reader, parameter, 0

    def leaf(self, node: Expr) -> Column | None:
        if isinstance(node, Number):
            return self._reader.scope.read(node)
        return self._reader.parameter(node) if isinstance(node, Name) else None

    def join(self, node: Expr, parts: list[Column]) -> Column:
        if isinstance(node, Call) and node.function.key in DISTRIBUTIONS:
            self._draws += 1
            number, draws = self._draws - 1, self._reader.varied.draws
            draw = draws.__getitem__ if draws else lambda k: None
            return self._each(
                parts, lambda k, values: drawn(node, values, self._parameter, number, draw(k)), every=True
            )
        if isinstance(node, Sum | Product):
            return _in_order(parts, node.signs if isinstance(node, Sum) else node.operators)
        return self._each(parts, lambda k, values: arithmetic(node, values))

    def truth(self, value: Column) -> bool | None:
        return bool(value) if isinstance(value, float) else None

    def _each(self, parts: list[Column], work: Callable[[int, list[float]], float], *, every: bool = False) -> Column:
        """Member by member, by the functions that read a text; of numbers alone it is a number."""
        if not every and all(isinstance(part, float) for part in parts):
            return work(0, parts)
        count = self._reader.varied.count
        found = np.full(count, np.nan)
        rows = zip(*(np.broadcast_to(part, count).tolist() for part in parts), strict=True)
        for k, values in enumerate(rows):
            try:
                found[k] = work(k, list(values)) if all(map(math.isfinite, values)) else np.nan
            except Problem:
                continue  # has no value: the careful way says why
        return found


def _in_order(parts: list[Column], operators: tuple[str, ...]) -> Column:
    result = parts[0]
    with np.errstate(all="ignore"):
        for operator, part in zip(operators, parts[1:], strict=True):
            match operator:
                case "+":
                    result = result + part
                case "-":
                    result = result - part
                case "*":
                    result = result * part
                case _:
                    result = np.divide(result, part)
    return float(result) if np.ndim(result) == 0 else np.where(np.isfinite(result), result, np.nan)


class _Reader:
    """The cards of a text, and the parameters that vary."""

    def __init__(self, mechanism: Mechanism, fixed: Mapping[str, float], varied: Varied) -> None:
        report, limits = Diagnostics(), Limits()
        tree = parse_tree(Source("<members>", mechanism.text), report, limits)
        self.statements = expand(tree, report, limits, None).statements
        self.scope, self.varied = Scope(Desk(report, limits)), varied
        others = [s for s in self.statements if not isinstance(s, Entity)]
        define_parameters(others, self.scope)
        define_functions(others, self.scope)
        for name, value in fixed.items():
            cell = self.scope.find(name.lower())
            assert cell is not None  # the nominal member was read with it
            self.scope.set(cell.name, value)
        self._known: dict[str, Column] = {name.lower(): values for name, values in varied.params.items()}
        self._varying = {key for key in self.scope.keys() if self._varies(key, ())}

    def _varies(self, key: str, path: tuple[str, ...]) -> bool:
        """Whether a parameter depends on what varies, directly or by others, or is drawn."""
        cell = self.scope.find(key)
        if key in self._known or cell is None or cell.expression is None or key in path:
            return key in self._known
        if self.varied.draws and any(call.function.key in DISTRIBUTIONS for call in calls_in(cell.expression)):
            return True
        return any(self._varies(need.name.key, (*path, key)) for need in cell.needs())

    def parameter(self, name: Name) -> Column:
        key = name.key
        if key not in self._varying:
            return self.scope.named(name)
        if key not in self._known:
            cell = self.scope.find(key)
            assert cell is not None and cell.expression is not None
            self._known[key] = _Expressions(self, key).evaluate(cell.expression)
        return self._known[key]

    def parameters(self) -> dict[str, Column]:
        """All that vary, as they are spelled."""
        cells = [cell for key in sorted(self._varying) if (cell := self.scope.find(key))]
        return {cell.name.text: self.parameter(cell.name) for cell in cells}

    def stands_in_cards(self) -> bool:
        """Whether what varies stands only where columns know it."""
        if any(isinstance(statement, Submachine) for statement in self.statements):
            return False
        if any(self._draws_by_choice(key) for key in self._varying):
            return False
        for statement in self.statements:
            if isinstance(statement, Command) and statement.keyword.key in ABOUT_MEMBERS:
                continue
            if isinstance(statement, Entity) and (_is_body(statement) or _is_link(statement)):
                free = [
                    argument
                    for argument in statement.arguments
                    if isinstance(argument, Setting) and (argument.key.key != "length" or _is_body(statement))
                ]
                if not any(self._names_varying(argument.span.text) for argument in free):
                    continue
                return False
            if self._names_varying(statement.span.text):
                return False
        return True

    def _draws_by_choice(self, key: str) -> bool:
        """Whether a parameter draws beside an `if`: draws are counted, and which branch counts first differs from member to member."""
        cell = self.scope.find(key)
        if cell is None or cell.expression is None:
            return False
        called = {call.function.key for call in calls_in(cell.expression)}
        return "if" in called and not called.isdisjoint(DISTRIBUTIONS)

    def _names_varying(self, text: str) -> bool:
        words = {word.lower() for word in re.findall(r"[A-Za-z_]\w*", text)}
        called = {f.name.key for key, f in self.scope.functions.known.items() if self._function_varies(key)}
        return bool(words & (self._varying | called))

    def _function_varies(self, key: str) -> bool:
        body = self.scope.functions.known[key].body
        if body is None:
            return False
        needed = {n.key for n in names_in(body)} | {n.key for n in self.scope.functions.names_needed(body)}
        return bool(needed & self._varying)

    def value(self, expression: Any) -> Column:
        return _Expressions(self).evaluate(expression)

    def point(self, point: Point) -> list[Column]:
        return [self.value(coordinate) for coordinate in point.coordinates]

    def entities(self, kind: Callable[[Entity], bool]) -> list[Entity]:
        return [s for s in self.statements if isinstance(s, Entity) and kind(s)]


def _is_body(card: Entity) -> bool:
    return letter_of(card) == BODY


def _is_link(card: Entity) -> bool:
    kind = REGISTRY.get(letter_of(card))
    return kind is not None and kind.is_link


class _Numbers:
    """From cards to inputs of the batch."""

    def __init__(self, nominal: Assembly, reader: _Reader) -> None:
        self.nominal, self.reader = nominal, reader
        self.places: dict[Any, list[Column]] = {}  # bodies by name in lower case, anchors by where they are nominally

    def found(self) -> dict[str, Column] | None:
        numbers: dict[str, Column] = {}
        index = {body.name.lower(): i for i, body in enumerate(self.nominal.mechanism.vectors)}
        for card in self.reader.entities(_is_body):
            if len(card.arguments) < 2 or not isinstance(card.arguments[0], Point):
                return None
            i, places = index[card.name.key], self.reader.point(card.arguments[0])
            if any(isinstance(a, Setting) and a.key.key == "ic_pos" for a in card.arguments):
                return None  # where it starts is another place than where it is measured
            mass = self.reader.value(card.arguments[1])
            self.places[card.name.key] = places
            numbers |= {f"q {i} {c}": place for c, place in enumerate(places)}
            numbers |= {f"mass {i}": mass, f"inverse_mass {i}": np.divide(1.0, mass)}
        return numbers if self._links(numbers) else None

    def _links(self, numbers: dict[str, Column]) -> bool:
        rows = {}
        for k, equation in enumerate(self.nominal.equations):
            rows[self.nominal.mechanism.constraints[equation.constraint].name.lower()] = k
        allowed: Column = 0.0
        for card in self.reader.entities(_is_link):
            constraint = self.nominal.mechanism.constraints[self.nominal.equations[rows[card.name.key]].constraint]
            ends: list[list[Column]] = []
            for word, end in zip(card.arguments, constraint.ends, strict=False):
                if isinstance(word, Point) and isinstance(end, tuple):
                    ends += self._anchor(end, self.reader.point(word), numbers)
                elif isinstance(end, str):
                    ends.append(self.places[end.lower()])
            if len(ends) != 2:
                return False
            squared, length = self._length(card, ends)
            k = rows[card.name.key]
            numbers[f"par {k} 0"], numbers[f"par {k} 1"] = squared, length
            reach = sum(abs(x) for end in ends for x in end)
            allowed = allowed + (1e-12 * (length + reach) * length) ** 2
        numbers["phi2"] = allowed
        return True

    def _anchor(self, nominal: Any, place: list[Column], numbers: dict[str, Column]) -> list[list[Column]]:
        """Links at one anchor share it: two expressions for one nominal place are two anchors for some members, and none here."""
        known = self.places.setdefault(nominal, place)
        if any(not np.array_equal(a, b) for a, b in zip(known, place, strict=True)):
            return []
        i = self.nominal.number[nominal]
        numbers.update({f"anchor {i} {c}": x for c, x in enumerate(place)})
        return [place]

    def _length(self, card: Entity, ends: list[list[Column]]) -> tuple[Column, Column]:
        """As the element has it: from LENGTH, or from where the ends are, the square first."""
        for argument in card.arguments:
            if isinstance(argument, Setting) and argument.key.key == "length":
                length = self.reader.value(argument.value)
                return length * length, length
        squared: Column = 0.0
        for a, b in zip(*ends, strict=True):
            squared = squared + (a - b) * (a - b)
        return squared, np.sqrt(squared)


__all__ = ["Columns", "Varied", "columns_of"]
