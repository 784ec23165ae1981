"""Parameters: names for numbers, evaluated when first asked for, in any order of definition.

A scope belongs to the chainlist or to one instance of a submachine; an inner scope sees the outer one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from chainlist.formula.functions import FUNCTIONS
from chainlist.model.chance import DISTRIBUTIONS, Draw, astray, drawn
from chainlist.model.degrees import note_angle, note_in_function
from chainlist.model.desk import Desk, Problem
from chainlist.model.dotted import is_dotted, item_meant
from chainlist.model.evaluate import (
    ALIASES,
    CONSTANTS,
    RESERVED,
    arithmetic,
    calls_in,
    names_in,
    not_a_number,
    single_number,
)
from chainlist.model.functions import Evaluator, UserFunctions
from chainlist.model.observables import OBSERVABLES
from chainlist.model.places import NO_MOTION, check_place
from chainlist.model.slips import how_a_point_is_written, is_part_of_unit, power_of_unit
from chainlist.model.suggest import same_name
from chainlist.model.units import RPM, UNITS, value
from chainlist.model.weight import gravity_meant, note_gravity
from chainlist.syntax.diagnostics import Related
from chainlist.syntax.letters import COMPOUND
from chainlist.syntax.tree import Argument, Call, Equality, Expr, Name, Number, Point, Setting, Text, Together

_SHOWN = 8  # names of a cycle that a message lists


@dataclass(eq=False)
class _Cell:
    """One parameter: its expression, the scope in which that is read, and its value once it is known."""

    name: Name
    expression: Expr | None
    scope: Scope
    value: float | None = None
    failed: bool = field(default=False)
    used: bool = False  # something asked for its value
    is_angle: bool = False  # something took its sine, or wanted an angle

    @property
    def settled(self) -> bool:
        return self.failed or self.value is not None

    @property
    def is_random(self) -> bool:
        calls = calls_in(self.expression) if self.expression is not None else ()
        return any(call.function.key in DISTRIBUTIONS for call in calls)

    def unit(self) -> str:
        """In which its numbers are written: deg of `30deg`, of `gauss(30deg,1deg)`, and of the name of such a parameter."""
        given = self.expression
        drawn_from = given.arguments if isinstance(given, Call) and given.function.key in DISTRIBUTIONS else (given,)
        unit = next(filter(None, (_written_unit(part, self.scope) for part in drawn_from)), "")
        return unit if unit in UNITS else ""

    def needs(self) -> Iterator[_Cell]:
        if self.expression is None:
            return
        for name in names_in(self.expression):
            cell = self.scope.find(name.key)
            if cell is not None:
                yield cell
        for name in self.scope.functions.names_needed(self.expression):
            cell = self.scope.outermost.find(name.key)
            if cell is not None:
                yield cell


def _written_unit(expression: Expr | None, scope: Scope) -> str:
    """Of one number, or of a name that leads to one."""
    while isinstance(expression, Name) and (cell := scope.find(expression.key)) is not None:
        expression, scope = cell.expression, cell.scope
    number = None if expression is None else single_number(expression)
    return "" if number is None else number.unit


class _Numbers(Evaluator[float]):
    """Reads expressions of numbers, parameters and functions."""

    def __init__(self, scope: Scope):
        super().__init__(scope.functions)
        self.scope = scope
        self.drawing: str | None = None  # the parameter that is worked out: distributions draw for it
        self.draws = 0

    def is_value(self, key: str) -> bool:
        return super().is_value(key) or (self.scope.outermost if self.in_function else self.scope).find(key) is not None

    def leaf(self, node: Expr) -> float | None:
        if isinstance(node, Number):
            return self.scope.read(node)
        if isinstance(node, Name):
            return (self.scope.outermost if self.in_function else self.scope).named(node)
        if isinstance(node, Call) and node.function.key in DISTRIBUTIONS:
            if self.drawing is None or self.in_function:
                raise astray(node)
            return None
        if isinstance(node, Call):
            if node.function.key not in FUNCTIONS:
                raise self.scope.unknown_function(node)
            note_in_function(node, self.scope.outermost if self.in_function else self.scope, self._bound)
        return None

    def join(self, node: Expr, parts: list[float]) -> float:
        if isinstance(node, Call) and node.function.key in DISTRIBUTIONS:
            assert self.drawing is not None
            self.draws += 1
            self.scope.outermost.draws = True
            return drawn(node, parts, self.drawing, self.draws - 1, self.scope.outermost.draw)
        return arithmetic(node, parts)

    def truth(self, value: float) -> bool:
        return value != 0.0


class Scope:
    """The parameters of a chainlist, or of one instance; `where` says of which."""

    def __init__(self, desk: Desk, outer: Scope | None = None, where: Related | None = None):
        self.desk = desk
        self.outer = outer
        self.where = where
        self.outermost: Scope = outer.outermost if outer else self
        self.functions: UserFunctions = outer.functions if outer else UserFunctions()
        self._cells: dict[str, _Cell] = {}
        self._numbers = _Numbers(self)
        self.draw: Draw | None = None  # of the outermost scope: which member of a sample this is
        self.draws = False  # of the outermost scope: a distribution was met, here or in an instance
        self._varied: list[
            tuple[_Cell, Problem]
        ] = []  # what is varied from run to run, and what is said if nothing uses it

    def define(self, name: Name, expression: Expr, scope: Scope | None = None) -> None:
        """Add a parameter whose expression is read in `scope` (by default here); a second one of its name is a problem."""
        check_parameter_name(name)
        if name.key in self._cells:
            first = self._cells[name.key].name
            raise Problem(
                "E211",
                f"the parameter {name.text} is defined twice",
                name.span,
                label="defined again",
                help=f"{same_name(first.text, name.text)}remove one of the two, or choose another name",
                also=[Related(first.span, "first defined here")],
            )
        self._cells[name.key] = _Cell(name, expression, scope or self)

    def set(self, name: Name, number: float) -> None:
        """Give a parameter its value, whatever was defined before."""
        self._cells[name.key] = _Cell(name, None, self, number)

    def give_up(self, name: Name) -> None:
        """A parameter whose definition is broken: what uses it stays silent."""
        self._cells.setdefault(name.key, _Cell(name, None, self, failed=True))

    def find(self, key: str) -> _Cell | None:
        scope: Scope | None = self
        while scope is not None:
            if key in scope._cells:
                return scope._cells[key]
            scope = scope.outer
        return None

    def keys(self) -> list[str]:
        """The names that can be used here."""
        outer = self.outer.keys() if self.outer else []
        return [*self._cells, *outer]

    def values(self) -> dict[str, float]:
        """The parameters of this scope that have a value."""
        return {cell.name.text: cell.value for cell in self._cells.values() if cell.value is not None}

    def units(self) -> dict[str, str]:
        """Of those parameters of this scope that are numbers with a unit, or drawn from such: the unit as it is written."""
        units = {cell.name.text: cell.unit() for cell in self._cells.values() if cell.value is not None}
        return {name: unit for name, unit in units.items() if unit}

    def vary(self, key: str, problem: Problem) -> None:
        """A parameter is given other values in other runs: once everything is read, the problem is told if nothing uses it."""
        cell = self.find(key)
        if cell is not None:
            self._varied.append((cell, problem))

    def random(self) -> list[Name]:
        """The parameters of this scope that are drawn."""
        return [cell.name for cell in self._cells.values() if cell.is_random]

    def tell_unused(self) -> None:
        """Everything is read: tell of parameters that are varied in vain."""
        for cell, problem in self._varied:
            if not cell.used:
                self.desk.tell(problem)
        g = self._cells.get("g")
        if g is not None and not g.used and g.expression is not None:
            note_gravity(g.name, g.expression, self.desk, any(cell is g for cell, _ in self._varied))

    def evaluate_all(self) -> None:
        """Evaluate every parameter of this scope, so that each problem is told."""
        for cell in self._cells.values():
            if not cell.settled:
                self._resolve(cell)

    def number(self, expression: Argument, want: str | None = None) -> float:
        """The value of an expression. `want` is the dimension of the place, which a single number must have."""
        if isinstance(expression, Text | Together | Setting | Equality):
            raise not_a_number(expression)
        self.check_unit(expression, want)
        return self._numbers.evaluate(expression)

    def check_unit(self, expression: Expr, want: str | None) -> None:
        """A single number must have the dimension of its place."""
        single = single_number(expression) if want else None
        if want == "number":  # where no unit can stand, this is no difference
            single = single or power_of_unit(expression)
        if single is not None:
            self.read(single, want)
        if want == "angle":
            note_angle(expression, self, expression.span)

    def point(self, argument: Argument, want: str = "length") -> tuple[float, ...]:
        """The coordinates of a point."""
        return tuple(self.number(coordinate, want) for coordinate in self.coordinates(argument))

    def coordinates(self, argument: Argument) -> tuple[Expr, ...]:
        """The expressions of the coordinates of a point."""
        if not isinstance(argument, Point):
            raise Problem(
                "E223",
                "a point is wanted here",
                argument.span,
                label="not a point",
                help=how_a_point_is_written(argument, self.desk.space.dimension),
            )
        self.desk.space.take(argument)
        return argument.coordinates

    def read(self, number: Number, want: str | None = None, formals: Collection[str] = ()) -> float:
        """The value of a number; `2L` is no unit, but may be a product. `formals` are those of the function around it."""
        try:
            return value(number, want)
        except Problem as problem:
            if number.unit not in UNITS and number.unit.lower() != RPM and self._is_value(number.unit.lower(), formals):
                problem.help = f"a product needs its sign: write {number.text}*{number.unit}"
            raise

    def _is_value(self, key: str, formals: Collection[str]) -> bool:
        return key in CONSTANTS or key in formals or key == "time" or self.find(key) is not None

    def named(self, name: Name) -> float:
        """The value of a parameter or of pi."""
        if name.key in CONSTANTS:
            return CONSTANTS[name.key]
        cell = self.find(name.key)
        if cell is None:
            if name.key == "time":
                check_place("time", name.text, name.span, "number")
            raise self.unknown(name)
        cell.used = True
        if not cell.settled:
            self._resolve(cell)
        if cell.value is None:
            raise Problem()
        return cell.value

    def _resolve(self, wanted: _Cell) -> None:
        """Evaluate a parameter after all that it needs, however long the chain."""
        path = {id(wanted): wanted}
        pending = [(wanted, wanted.needs())]
        while pending:
            cell, needs = pending[-1]
            needed = next((n for n in needs if not n.settled), None)
            if needed is None:
                pending.pop()
                del path[id(cell)]
                self._evaluate(cell)
            elif id(needed) in path:
                cells = list(path.values())
                self._cycle(cells[cells.index(needed) :])
            else:
                path[id(needed)] = needed
                pending.append((needed, needed.needs()))

    def _evaluate(self, cell: _Cell) -> None:
        if cell.settled or cell.expression is None:
            return
        try:
            cell.value = cell.scope._of_parameter(cell)
        except Problem as problem:
            cell.failed = True
            self.desk.tell(problem, cell.scope.where)

    def _of_parameter(self, cell: _Cell) -> float:
        """The value of a parameter, for which distributions draw."""
        assert cell.expression is not None
        where = f"{self.where.span.text.split()[0]}." if self.where is not None else ""
        self._numbers.drawing, self._numbers.draws = f"{where}{cell.name.key}", 0
        try:
            return self.number(cell.expression)
        finally:
            self._numbers.drawing = None

    def _cycle(self, cells: list[_Cell]) -> None:
        for cell in cells:
            cell.failed = True
        names = [cell.name.text for cell in cells]
        if len(names) > _SHOWN:
            names[_SHOWN - 1 : -1] = ["…"]
        chain = " → ".join((*names, names[0]))
        self.desk.tell(
            Problem(
                "E213",
                f"the parameter {names[0]} is defined by itself: {chain}",
                cells[0].name.span,
                label="part of a circle",
                help="give one of them a number" if len(cells) > 1 else "give it a number, or choose another name",
                also=[Related(cell.name.span, "needs the next one") for cell in cells[1:_SHOWN]],
            ),
            self.where,
        )

    def unknown(self, name: Name, formals: Mapping[str, Name] | None = None) -> Problem:
        """A problem for a name that means nothing; `formals` are those of the function in which it stands."""
        known = {key: cell.name.text for key in self.keys() if (cell := self.find(key))}
        known.update((key, formal.text) for key, formal in (formals or {}).items())
        if name.key in FUNCTIONS or name.key in self.functions.known:
            help = f"{name.text} is a function: write {name.text}(…)"
        elif is_dotted(name):
            help = NO_MOTION if formals is None else item_meant(name, lambda *_: True) or NO_MOTION
        elif name.key in ("g", "gravity"):
            help = f"gravity is a setting, which has no name here: {gravity_meant(name, self.desk.gravity)}"
        elif name.key == RPM:
            help = "turns a minute are radians a second: define it, .param rpm=2*pi/60"
        elif name.text in UNITS or is_part_of_unit(name):
            help = COMPOUND
        elif lost := self.desk.lost_in_title(name.text):
            help = lost
        elif (meant := self.desk.meant(name.key, known)) is not None:
            help = f"did you mean {known[meant]}?"
        elif name.key in ("nan", "inf", "infinity"):
            help = "every number is finite: write one, up to 1.8E308"
        elif name.key == "o":
            help = "did you mean the digit 0?"
        else:
            help = f"define it: .param {name.text}=1"
        return Problem("E206", f"unknown parameter {name.text}", name.span, label="not defined", help=help)

    def unknown_function(self, call: Call) -> Problem:
        """A problem for a call of what is no function; also where an item stands in place of a number."""
        if call.function.key in OBSERVABLES:
            check_place(call.function.key, call.span.text, call.span, "number")
        known = {**dict.fromkeys(FUNCTIONS, ""), **{key: f.name.text for key, f in self.functions.known.items()}}
        last = call.function.key.split(".")[-1]  # np.sin, math.sqrt
        meant = ALIASES.get(last) or (last if last in FUNCTIONS else self.desk.meant(last, known))
        listed = " ".join((*FUNCTIONS, *DISTRIBUTIONS, *(f.usage for f in self.functions.known.values())))
        help = f"did you mean {known.get(meant) or meant}?" if meant else f"functions are {listed}"
        return Problem(
            "E207",
            f"there is no function {call.function.text}",
            call.function.span,
            label="unknown function",
            help=help,
        )


def check_parameter_name(name: Name) -> None:
    """A parameter may not be called like a function, or like something that .plot shows."""
    if name.key in RESERVED:
        raise Problem(
            "E212",
            f"a parameter cannot be called {name.text}",
            name.span,
            label="this name has a meaning already",
            help=f"choose another one, such as {name.text}0",
        )
    if "." in name.text:
        raise Problem(
            "E212",
            f"a parameter cannot be called {name.text}",
            name.span,
            label="a dot stands only in names of what is inside an instance",
            help=f"choose another one, such as {name.text.replace('.', '_')}",
        )
