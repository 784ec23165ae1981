"""Items of .plot and columns of .print: expressions over observables → formulas."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from chainlist.formula import end_name
from chainlist.formula.functions import FUNCTIONS
from chainlist.model.building import FormulaReader, Piece
from chainlist.model.desk import Desk, Problem
from chainlist.model.dotted import item_meant
from chainlist.model.evaluate import ALIASES, CONSTANTS, calls_in, names_in
from chainlist.model.mechanism import Constant, End, Item, Operation, Quantity
from chainlist.model.nobody import nobody
from chainlist.model.observables import (
    BODIES_OF,
    COMPONENTS,
    NORM,
    OBSERVABLES,
    SPECTRUM,
    VERSUS,
    ObservableType,
)
from chainlist.model.parameters import Scope
from chainlist.model.places import check_world
from chainlist.model.weight import gravity_meant
from chainlist.syntax.printer import expression
from chainlist.syntax.source import Span
from chainlist.syntax.tree import (
    Argument,
    Braces,
    Call,
    Comparison,
    Equality,
    Expr,
    Logic,
    Name,
    Not,
    Point,
    Setting,
    Text,
    Together,
)

GIVE_CHAINLIST = "give its chainlist: --chainlist FILE, or in Python read_trace(path, mechanism=load(…))"


@dataclass(frozen=True)
class Names:
    """The names that items may use: lower case → full name. `broken` says which were reported already."""

    bodies: Mapping[str, str]
    constraints: Mapping[str, str]
    links: Collection[str]  # keys of the constraints that are links
    forces: Mapping[str, str]  # springs, dampers, forces and torques
    turning: Collection[str]  # keys of motors and torques
    no_force: Collection[str]  # keys of all that give no newtons, motors too: ALL of TENSION and FORCE is without them
    broken: Callable[[str], bool]
    # what a formal body of an instance is called outside: x1.ba → B1
    formals: Mapping[str, str] = field(default_factory=dict)
    rigid: Mapping[str, str] = field(default_factory=dict)
    held: Mapping[str, tuple[End, ...]] = field(default_factory=dict)  # the points of rigid bodies, by their names
    inner: Collection[str] = ()  # keys of the bodies that are vectors of rigid bodies: not among ALL
    of_a_table: bool = False  # names from a file that holds bodies and numbers, and no constraints


# What others call an item.
_ALIASES = {
    "e": "Etotal",
    "energy": "Etotal",
    "ekin": "T",
    "epot": "U",
    "pos": "Q(B1)",
    "position": "Q(B1)",
    "vel": "V(B1)",
    "velocity": "V(B1)",
    "theta": "ANGLE(C1)",
    "deg": "{ANGLE(C1)/1deg}, an angle in degrees",
    "xy": "PATH(B1)",
}


class ItemReader(FormulaReader):
    """Reads the items of one chainlist."""

    def __init__(self, desk: Desk, scope: Scope, names: Names):
        super().__init__(scope)
        self.desk = desk
        self.names = names
        self._one_number = False

    def item(self, argument: Argument, *, pictures: bool, use: str = "printed") -> Item:
        """One item. Pictures are for .plot only; `use` is what else is done with items here."""
        if isinstance(argument, Setting | Text | Together | Equality):
            raise Problem(
                "E278",
                "an item is wanted here",
                argument.span,
                label="not an item",
                help="items are Q(B1), Etotal, CONSTRAINTS(ALL) …; settings belong to .options",
            )
        self._one_number = use != "printed"
        piece = self.evaluate(argument)
        if piece.picture is not None and not pictures:
            raise Problem(
                "E275",
                f"{argument.span.text} is a picture and cannot be {use}",
                argument.span,
                label="no number over time",
                help="print the numbers it is drawn from: Q(B1), V(B1)"
                if use == "printed"
                else "take a number that it is drawn from, such as X(B1) or SPEED(B1)",
            )
        inner = argument.inner if isinstance(argument, Braces) else argument
        if isinstance(inner, Comparison | Logic | Not):  # outside braces it could not be read again
            inner = argument
        return Item(expression(inner), piece.formula, argument.span)

    def item_of(self, call: Call) -> Piece:
        if call.function.key in OBSERVABLES:
            return self._observable(call, OBSERVABLES[call.function.key])
        raise self._unknown(call.function)

    def named(self, name: Name) -> Piece:
        observable = OBSERVABLES.get(name.key)
        if observable is not None and observable.takes == "nothing":
            return Piece(Quantity(observable.name))
        if name.key in CONSTANTS or self.parameters.find(name.key) is not None:
            return Piece(Constant(self.parameters.named(name), unsure=True))
        if observable is not None:
            raise self._wrong_arguments(observable, name.span, f"{name.text} needs arguments")
        raise self._unknown(name)

    def _unknown(self, name: Name) -> Problem:
        if name.key in self.names.bodies:
            help = f"{name.text} is a body: write Q({name.text}) for its position"
        elif name.key in self.names.constraints:
            help = f"{name.text} is a constraint: write TENSION({name.text}) for its force"
        elif name.key in self.names.forces:
            help = f"{name.text} is a force: write FORCE({name.text})"
        elif name.key in FUNCTIONS or name.key in self.functions.known:
            help = f"{name.text} is a function: write {name.text}(…)"
        elif dotted := item_meant(name, self._may_stand):
            help = dotted
        elif name.key in ("g", "gravity"):
            help = f"gravity is a setting, and no item: {gravity_meant(name, self.desk.gravity)}"
        elif name.key in _ALIASES:
            alias = _ALIASES[name.key]
            help = f"did you mean {alias}{'' if '?' in alias else '?'}"
        elif name.key in ALIASES:
            help = f"did you mean {ALIASES[name.key]}?"
        elif (meant := self.desk.meant(name.key, self._everything())) is not None:
            known = OBSERVABLES.get(meant)
            help = f"did you mean {known.name if known else meant}?"
        else:
            help = f"items are {', '.join(o.name for o in OBSERVABLES.values())}"
        return Problem("E270", f"there is no item {name.text}", name.span, label="unknown", help=help)

    def _may_stand(self, item: str, of: Name) -> bool:
        try:
            piece = self.item_of(Call(Name(item, of.span), (of,), of.span))
        except Problem:
            return False
        return not self._one_number or piece.components == 1

    def _everything(self) -> list[str]:
        return [*OBSERVABLES, *self.scope.keys(), *FUNCTIONS, *self.functions.known]

    def _spectrum(self, call: Call, observable: ObservableType) -> Piece:
        """Of another item, which has numbers over time."""
        if len(call.arguments) != 1:
            raise self._wrong_arguments(observable, call.span, f"{observable.name} takes one item")
        inner = self.evaluate(call.arguments[0])
        if inner.picture is not None:
            raise self._wrong_arguments(observable, inner.picture, f"{inner.picture.text} has no numbers over time")
        formula = Operation(SPECTRUM, (inner.formula,))
        return Piece(formula, curves=inner.curves, components=inner.components, picture=call.span)

    def _versus(self, call: Call, observable: ObservableType) -> Piece:
        """Of two other items; what is across is one number at a time."""
        if len(call.arguments) != 2:
            raise self._wrong_arguments(observable, call.span, f"{observable.name} takes two items")
        pieces = up, across = [self.evaluate(argument) for argument in call.arguments]
        for piece in pieces:
            if piece.picture is not None:
                raise self._wrong_arguments(observable, piece.picture, f"{piece.picture.text} has no numbers over time")
        if across.components > 1:
            at = call.arguments[1].span
            raise self._wrong_arguments(observable, at, f"{at.text} is several numbers: what is across is one")
        if min(up.curves, across.curves) > 1 and up.curves != across.curves:
            words = f"{up.curves} curves cannot be drawn over {across.curves}"
            raise self._wrong_arguments(observable, call.span, words)
        formula = Operation(VERSUS, (up.formula, across.formula))
        curves = max(up.curves, across.curves)
        return Piece(formula, curves=curves, components=up.components, picture=call.span)

    def _number_of_a_vector(self, call: Call, observable: ObservableType) -> Piece:
        """A component of another item, or its length."""
        if len(call.arguments) != 1:
            raise self._wrong_arguments(observable, call.span, f"{observable.name} takes one vector")
        check_world(call, 1, self.desk.space.dimension)
        inner = self.evaluate(call.arguments[0])
        if inner.picture is not None:
            raise self._wrong_arguments(observable, inner.picture, f"{inner.picture.text} has no numbers over time")
        if inner.components == 1:
            at = call.arguments[0].span
            help = f"write {at.text} itself; vectors are Q(B1), V(B1), A(B1), CG(R1), JOINT(R1,B1)"
            message = f"{at.text} is one number, and {observable.name} is asked of a vector"
            raise Problem("E271", message, at, label="no components", help=help)
        formula = Operation(observable.name, (inner.formula,))
        return Piece(formula, curves=inner.curves, depth=inner.depth + 1, size=inner.size + 1)

    def _observable(self, call: Call, observable: ObservableType) -> Piece:
        if observable.name == SPECTRUM:
            return self._spectrum(call, observable)
        if observable.name == VERSUS:
            return self._versus(call, observable)
        if observable.name == NORM or (observable.name in COMPONENTS and any(map(_is_item, call.arguments))):
            return self._number_of_a_vector(call, observable)
        arguments = self._arguments(call, observable)
        if not arguments and not observable.picture:
            if self.desk.report.errors:  # what was meant may be among the cards that could not be read
                raise Problem()
            what, help = nobody(observable, self.names)
            if self.names.of_a_table:
                help = f"this file holds no constraints; {GIVE_CHAINLIST}"
                raise Problem("E271", what, call.span, label="no constraints", help=help)
            raise Problem("E271", what, call.span, label=f"takes {observable.takes}", help=help)
        name = observable.name
        points = 1 if self._are_links(call) else len(arguments)
        check_world(call, points, self.desk.space.dimension)
        if observable.takes == "POS, VEL or ACC":
            name = BODIES_OF[call.arguments[0].key]  # type: ignore[union-attr]
        pair = observable.points > 0 and not (observable.or_links and self._are_links(call))
        return Piece(
            Quantity(name, arguments),
            curves=1 if pair else len(arguments),
            components=observable.components(self.desk.space.dimension),
            picture=call.span if observable.picture else None,
        )

    def _arguments(self, call: Call, observable: ObservableType) -> tuple[End, ...]:
        match observable.takes:
            case "nothing":
                raise self._wrong_arguments(observable, call.span, f"{observable.name} takes no arguments")
            case "bodies":
                return self._several(call, observable, self.names.bodies, "body")
            case "constraints":
                return self._several(call, observable, self.names.constraints, "constraint")
            case "constraints but no motors":
                return self._several(call, observable, self._unturned(call, self.names.constraints), "constraint")
            case "links":
                return self._links(call, observable)
            case "forces":
                return self._several(call, observable, self._unturned(call, self.names.forces), "force")
            case "motors and torques":
                everything = {**self.names.constraints, **self.names.forces}
                known = {key: everything[key] for key in self.names.turning}
                return self._several(call, observable, known, "motor or torque")
            case "constraints and forces":
                return self._several(call, observable, {**self.names.constraints, **self.names.forces}, "element")
            case "two points" | "two points, or links" | "two or three points, or links":
                if observable.or_links and self._are_links(call):
                    return self._links(call, observable)
                return self._points(call, observable)
            case "rigid bodies":
                return self._several(call, observable, self.names.rigid, "rigid body")
            case "a rigid body and its point":
                return self._joint(call, observable)
            case "an item" | "two items" | "a vector":
                raise AssertionError("read by _spectrum, _versus and _number_of_a_vector")
            case "POS, VEL or ACC":
                which = call.arguments[0] if len(call.arguments) == 1 else None
                if not isinstance(which, Name) or which.key not in BODIES_OF:
                    raise self._wrong_arguments(observable, call.span, "Bodies takes one of POS, VEL, ACC")
                return tuple(name for key, name in self.names.bodies.items() if key not in self.names.inner)

    def _joint(self, call: Call, observable: ObservableType) -> tuple[End, ...]:
        if len(call.arguments) != 2:
            message = f"{observable.name} takes a rigid body and one of its points"
            raise self._wrong_arguments(observable, call.span, message)
        body, point = call.arguments
        name = self._known(body, observable, self.names.rigid, "rigid body")
        at = (
            self.point(point) if isinstance(point, Point) else self._known(point, observable, self.names.bodies, "body")
        )
        if at not in self.names.held[name]:
            problem = self._wrong_arguments(observable, point.span, f"{end_name(at)} is no point of {name}")
            problem.help = f"{name} holds {', '.join(map(end_name, self.names.held[name]))}"
            raise problem
        return name, at

    def _several(self, call: Call, observable: ObservableType, known: Mapping[str, str], what: str) -> tuple[End, ...]:
        """One name or more, or ALL."""
        if not call.arguments:
            raise self._wrong_arguments(observable, call.span, f"{observable.name} needs arguments")
        if _is_all(call):
            hidden = () if known is self.names.rigid else self.names.inner
            return tuple(name for key, name in known.items() if key not in hidden)
        return tuple(self._known(argument, observable, known, what) for argument in call.arguments)

    def _unturned(self, call: Call, known: Mapping[str, str]) -> Mapping[str, str]:
        """Without motors and torques, which have an item of their own; as ALL without whatever else is no force."""
        but = self.names.no_force if _is_all(call) else self.names.turning
        return {key: name for key, name in known.items() if key not in but}

    def _known(self, argument: Expr, observable: ObservableType, known: Mapping[str, str], what: str) -> str:
        if not isinstance(argument, Name) or argument.key == "all":
            if any(self.names.broken(name.key) for name in names_in(argument)):
                raise Problem()
            raise self._wrong_arguments(observable, argument.span, f"{observable.name} takes names, or ALL alone")
        if argument.key in known:
            return known[argument.key]
        if self.names.broken(argument.key):
            raise Problem()
        if argument.key in self.names.turning and what in ("constraint", "force"):
            is_motor = argument.key in self.names.constraints
            word = "motor, which gives a torque" if is_motor else "torque"
            message = f"{observable.name} is asked of forces, and {argument.text} is a {word}"
            problem = self._wrong_arguments(observable, argument.span, message)
            problem.help = f"write TORQUE({argument.text}), in N m"
            raise problem
        kinds = (
            (self.names.bodies, "a body"),
            (self.names.constraints, "a constraint"),
            (self.names.forces, "a force"),
        )
        for other, actual in kinds:
            if argument.key in other:
                message = f"{observable.name} is asked of a {what}, and {argument.text} is {actual}"
                problem = self._wrong_arguments(observable, argument.span, message)
                if observable.takes == "forces" and other is self.names.constraints:
                    problem.help = f"did you mean TENSION({argument.text})?"
                if observable.name == "TENSION" and other is self.names.forces:
                    problem.help = f"did you mean FORCE({argument.text})?"
                raise problem
        raise Problem(
            "E226" if what == "body" else "E273",
            f"unknown {what} {argument.text}",
            argument.span,
            label="not defined",
            help=self._cure(argument, observable, known, what),
        )

    def _cure(self, wrong: Name, observable: ObservableType, known: Mapping[str, str], what: str) -> str:
        """What may have been meant by a name that does not exist."""
        if wrong.key in self.names.formals:
            return f"outside its instance it is called {self.names.formals[wrong.key]}"
        if what == "constraint" and self.names.of_a_table:
            return f"this file holds no constraints; {GIVE_CHAINLIST}"
        if lost := self.desk.lost_in_title(wrong.text):
            return lost
        if meant := self.desk.meant(wrong.key, known):
            return f"did you mean {known[meant]}?"
        origin = self.desk.space.origin
        return f"define it: {wrong.text} {origin} 1" if what == "body" else f"write {observable.usage}"

    def _are_links(self, call: Call) -> bool:
        """True where the names of an ANGLE are those of constraints."""
        names = [a for a in call.arguments if isinstance(a, Name)]
        return (
            len(names) == len(call.arguments)
            and bool(names)
            and (names[0].key not in self.names.bodies or names[0].key in self.names.inner)
            and (_is_all(call) or names[0].text.split(".")[-1][0].upper() != "B")
        )

    def _links(self, call: Call, observable: ObservableType) -> tuple[End, ...]:
        if _is_all(call):
            return tuple(self.names.constraints[key] for key in self.names.links)
        found = self._several(call, observable, self.names.constraints, "constraint")
        for argument, name in zip(call.arguments, found, strict=True):
            turns = name in self.names.rigid.values()
            if isinstance(name, str) and name.lower() not in self.names.links and not turns:
                raise self._wrong_arguments(observable, argument.span, f"{observable.name} is asked of a link")
        return found

    def _points(self, call: Call, observable: ObservableType) -> tuple[End, ...]:
        if not 2 <= len(call.arguments) <= observable.points:
            many = "two bodies or points" if observable.points == 2 else "two or three bodies or points"
            raise self._wrong_arguments(observable, call.span, f"{observable.name} takes {many}")
        return tuple(
            self.point(a) if isinstance(a, Point) else self._known(a, observable, self.names.bodies, "body")
            for a in call.arguments
        )

    def _wrong_arguments(self, observable: ObservableType, at: Span, message: str) -> Problem:
        return Problem("E271", message, at, label=f"takes {observable.takes}", help=f"write {observable.usage}")


def _is_item(argument: Expr) -> bool:
    """Whether this is an item, or arithmetic with some: no name, and no point."""
    return not isinstance(argument, Name | Point) and any(c.function.key in OBSERVABLES for c in calls_in(argument))


def _is_all(call: Call) -> bool:
    return len(call.arguments) == 1 and isinstance(call.arguments[0], Name) and call.arguments[0].key == "all"
