"""Items of .plot and columns of .print: expressions over observables → formulas."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from chainlist.kernels.slots import DIM
from chainlist.model.desk import Desk, Problem
from chainlist.model.evaluate import (
    CONSTANTS,
    FUNCTIONS,
    arithmetic,
    fold,
    function_of,
    names_in,
    negated,
    not_a_number,
)
from chainlist.model.formula import formula_text, quantity_arguments
from chainlist.model.mechanism import Constant, End, Formula, Item, Operation, Quantity
from chainlist.model.observables import BODIES_OF, OBSERVABLES, Observable
from chainlist.model.parameters import Scope
from chainlist.model.units import value
from chainlist.syntax.source import Span
from chainlist.syntax.tree import (
    Argument,
    Braces,
    Call,
    Expr,
    Group,
    Name,
    Number,
    Point,
    Power,
    Product,
    Setting,
    Signed,
    Sum,
    Text,
    Together,
)

GIVE_CHAINLIST = "give its chainlist: --chainlist FILE, or in Python read_trace(path, mechanism=load(…))"
DEEPEST = 100  # operations inside operations: what walks a formula may recurse


@dataclass(frozen=True)
class Names:
    """The names that items may use: lower case → full name. `broken` says which were reported already."""

    bodies: Mapping[str, str]
    constraints: Mapping[str, str]
    links: Collection[str]  # keys of the constraints that are links
    broken: Callable[[str], bool]
    formals: Mapping[str, str] = field(
        default_factory=dict
    )  # what a formal body of an instance is called outside: x1.ba → B1
    of_a_table: bool = False  # names from a file that holds bodies and numbers, and no constraints


# What others call an item.
_ALIASES = {
    "energy": "Etotal",
    "ekin": "T",
    "epot": "U",
    "force": "TENSION(C1)",
    "pos": "Q(B1)",
    "position": "Q(B1)",
    "vel": "V(B1)",
    "velocity": "V(B1)",
    "theta": "ANGLE(C1)",
    "vs": "PATH(B1), which is y over x",
    "xy": "PATH(B1)",
}


@dataclass(frozen=True)
class _Piece:
    """A part of an item: its formula, how many curves of how many components it has, and how deep it is."""

    formula: Formula
    curves: int = 1
    components: int = 1
    depth: int = 0
    picture: Span | None = None


class ItemReader:
    """Reads the items of one chainlist."""

    def __init__(self, desk: Desk, scope: Scope, names: Names):
        self.desk = desk
        self.scope = scope
        self.names = names

    def item(self, argument: Argument, *, pictures: bool) -> Item:
        """One item. Pictures are for .plot only."""
        if isinstance(argument, Setting | Text | Together):
            raise Problem(
                "E278",
                "an item is wanted here",
                argument.span,
                label="not an item",
                help="items are Q(B1), Etotal, CONSTRAINTS(ALL) …; settings belong to .options",
            )
        piece = fold(argument, self._leaf, self._join)
        if piece.picture is not None and not pictures:
            raise Problem(
                "E275",
                f"{argument.span.text} is a picture and cannot be printed",
                argument.span,
                label="no number over time",
                help="print the numbers it is drawn from: Q(B1), V(B1)",
            )
        return Item(self._text(argument, piece.formula), piece.formula, argument.span)

    def _text(self, argument: Expr, formula: Formula) -> str:
        """The item as it was written, without spaces."""
        inner = argument.inner if isinstance(argument, Braces) else argument
        if "\n" in inner.span.text:
            return formula_text(formula, lambda quantity: quantity_arguments(quantity, {}, ()))
        return "".join(inner.span.text.split())

    # Leaves: numbers, parameters, observables

    def _leaf(self, node: Expr) -> _Piece | None:
        match node:
            case Number():
                return _Piece(Constant(value(node)))
            case Name():
                return self._name(node)
            case Point():
                raise not_a_number(node)
            case Call() if node.function.key in OBSERVABLES:
                return self._observable(node, OBSERVABLES[node.function.key])
            case Call() if node.function.key not in FUNCTIONS:
                raise self._unknown(node.function)
            case _:
                return None

    def _name(self, name: Name) -> _Piece:
        observable = OBSERVABLES.get(name.key)
        if observable is not None and observable.takes == "nothing":
            return _Piece(Quantity(observable.name))
        if name.key in CONSTANTS or self.scope.find(name.key) is not None:
            return _Piece(Constant(self.scope.named(name)))
        if observable is not None:
            raise self._wrong_arguments(observable, name.span, f"{name.text} needs arguments")
        raise self._unknown(name)

    def _unknown(self, name: Name) -> Problem:
        if name.key in self.names.bodies:
            help = f"{name.text} is a body: write Q({name.text}) for its position"
        elif name.key in self.names.constraints:
            help = f"{name.text} is a constraint: write TENSION({name.text}) for its force"
        elif name.key in FUNCTIONS:
            help = f"{name.text} is a function: write {name.text}(…)"
        elif name.key in _ALIASES:
            help = f"did you mean {_ALIASES[name.key]}?"
        elif (meant := self.desk.meant(name.key, [*OBSERVABLES, *self.scope.keys()])) is not None:
            known = OBSERVABLES.get(meant)
            help = f"did you mean {known.name if known else meant}?"
        else:
            help = f"items are {', '.join(o.name for o in OBSERVABLES.values())}"
        return Problem("E270", f"there is no item {name.text}", name.span, label="unknown", help=help)

    def _observable(self, call: Call, observable: Observable) -> _Piece:
        arguments = self._arguments(call, observable)
        if not arguments and not observable.picture:
            if self.desk.report.errors:  # what was meant may be among the cards that could not be read
                raise Problem()
            what = f"there is nothing that {observable.name}(ALL) could be asked of"
            if self.names.of_a_table:
                help = f"this file holds no constraints; {GIVE_CHAINLIST}"
                raise Problem("E271", what, call.span, label="no constraints", help=help)
            raise self._wrong_arguments(observable, call.span, what)
        name = observable.name
        if observable.takes == "POS, VEL or ACC":
            name = BODIES_OF[call.arguments[0].key]  # type: ignore[union-attr]
        pair = observable.takes == "two points" or (
            observable.takes == "two points, or links" and not self._are_links(call)
        )
        return _Piece(
            Quantity(name, arguments),
            curves=1 if pair else len(arguments),
            components=DIM if observable.vector else 1,
            picture=call.span if observable.picture else None,
        )

    def _arguments(self, call: Call, observable: Observable) -> tuple[End, ...]:
        match observable.takes:
            case "nothing":
                raise self._wrong_arguments(observable, call.span, f"{observable.name} takes no arguments")
            case "bodies":
                return self._several(call, observable, self.names.bodies, "body")
            case "constraints":
                return self._several(call, observable, self.names.constraints, "constraint")
            case "links":
                return self._links(call, observable)
            case "two points":
                return self._two_points(call, observable)
            case "two points, or links":
                return self._links(call, observable) if self._are_links(call) else self._two_points(call, observable)
            case "POS, VEL or ACC":
                which = call.arguments[0] if len(call.arguments) == 1 else None
                if not isinstance(which, Name) or which.key not in BODIES_OF:
                    raise self._wrong_arguments(observable, call.span, "Bodies takes one of POS, VEL, ACC")
                return tuple(self.names.bodies.values())

    def _several(self, call: Call, observable: Observable, known: Mapping[str, str], what: str) -> tuple[End, ...]:
        """One name or more, or ALL."""
        if not call.arguments:
            raise self._wrong_arguments(observable, call.span, f"{observable.name} needs arguments")
        if _is_all(call):
            return tuple(known.values())
        return tuple(self._known(argument, observable, known, what) for argument in call.arguments)

    def _known(self, argument: Expr, observable: Observable, known: Mapping[str, str], what: str) -> str:
        if not isinstance(argument, Name) or argument.key == "all":
            if any(self.names.broken(name.key) for name in names_in(argument)):
                raise Problem()
            raise self._wrong_arguments(observable, argument.span, f"{observable.name} takes names, or ALL alone")
        if argument.key in known:
            return known[argument.key]
        if self.names.broken(argument.key):
            raise Problem()
        other = self.names.constraints if what == "body" else self.names.bodies
        if argument.key in other:
            actual = "a constraint" if what == "body" else "a body"
            message = f"{observable.name} is asked of a {what}, and {argument.text} is {actual}"
            raise self._wrong_arguments(observable, argument.span, message)
        raise Problem(
            "E226" if what == "body" else "E273",
            f"unknown {what} {argument.text}",
            argument.span,
            label="not defined",
            help=self._cure(argument, observable, known, what),
        )

    def _cure(self, wrong: Name, observable: Observable, known: Mapping[str, str], what: str) -> str:
        """What may have been meant by a name that does not exist."""
        if wrong.key in self.names.formals:
            return f"outside its instance it is called {self.names.formals[wrong.key]}"
        if what == "constraint" and self.names.of_a_table:
            return f"this file holds no constraints; {GIVE_CHAINLIST}"
        if lost := self.desk.lost_in_title(wrong.text):
            return lost
        if meant := self.desk.meant(wrong.key, known):
            return f"did you mean {known[meant]}?"
        return f"define it: {wrong.text} (0,0) 1" if what == "body" else f"write {observable.usage}"

    def _are_links(self, call: Call) -> bool:
        """True where the names of an ANGLE are those of constraints."""
        names = [a for a in call.arguments if isinstance(a, Name)]
        return (
            len(names) == len(call.arguments)
            and bool(names)
            and names[0].key not in self.names.bodies
            and (_is_all(call) or names[0].text.split(".")[-1][0].upper() != "B")
        )

    def _links(self, call: Call, observable: Observable) -> tuple[End, ...]:
        if _is_all(call):
            return tuple(self.names.constraints[key] for key in self.names.links)
        found = self._several(call, observable, self.names.constraints, "constraint")
        for argument, name in zip(call.arguments, found, strict=True):
            if isinstance(name, str) and name.lower() not in self.names.links:
                raise self._wrong_arguments(observable, argument.span, f"{observable.name} is asked of a link")
        return found

    def _two_points(self, call: Call, observable: Observable) -> tuple[End, ...]:
        if len(call.arguments) != 2:
            raise self._wrong_arguments(observable, call.span, f"{observable.name} takes two bodies or points")
        return tuple(
            self.scope.point(a) if isinstance(a, Point) else self._known(a, observable, self.names.bodies, "body")
            for a in call.arguments
        )

    def _wrong_arguments(self, observable: Observable, at: Span, message: str) -> Problem:
        return Problem("E271", message, at, label=f"takes {observable.takes}", help=f"write {observable.usage}")

    # Arithmetic

    def _join(self, node: Expr, pieces: list[_Piece]) -> _Piece:
        if isinstance(node, Call):
            function_of(node)
        if isinstance(node, Group | Braces):
            return pieces[0]
        picture = next((piece.picture for piece in pieces if piece.picture is not None), None)
        if picture is not None:
            raise Problem(
                "E274",
                f"{picture.text} is a picture: there is no arithmetic with it",
                picture,
                label="not a number over time",
                help="compute with Q, V, X, Y … instead",
            )
        constants = [piece.formula.value for piece in pieces if isinstance(piece.formula, Constant)]
        if len(constants) == len(pieces):
            return _Piece(Constant(arithmetic(node, constants)))
        formula, levels = _operation(node, [piece.formula for piece in pieces])
        depth = max(piece.depth for piece in pieces) + levels
        if depth > DEEPEST:
            help = "compute parts of it with .param, or plot it in pieces"
            raise Problem("E277", "this item is nested too deep", node.span, label="too deep", help=help)
        curves = self._common(node, [piece.curves for piece in pieces], "curves")
        components = self._common(node, [piece.components for piece in pieces], "components")
        return _Piece(formula, curves, components, depth)

    def _common(self, node: Expr, counts: list[int], what: str) -> int:
        """Arithmetic is by component: one value goes with any number of others, else the numbers must agree."""
        several = sorted({count for count in counts if count != 1})
        if len(several) > 1:
            raise Problem(
                "E276",
                f"these have {several[0]} and {several[1]} {what}: arithmetic is by component",
                node.span,
                label="they do not match",
                help="use the same number of names on both sides",
            )
        return several[0] if several else 1


def _is_all(call: Call) -> bool:
    return len(call.arguments) == 1 and isinstance(call.arguments[0], Name) and call.arguments[0].key == "all"


def _operation(node: Expr, parts: list[Formula]) -> tuple[Formula, int]:
    """The operation of a node, and how many levels of depth it adds."""
    match node:
        case Signed():
            odd = node.signs.count("-") % 2
            return (Operation("neg", (parts[0],)), 1) if odd else (parts[0], 0)
        case Sum():
            return _sum(node, parts)
        case Product():
            return _product(node, parts)
        case Power():
            minus = negated(node)
            formula = _negative(parts[-1]) if minus[-1] else parts[-1]
            for base, sign in zip(reversed(parts[:-1]), reversed(minus[:-1]), strict=True):
                formula = Operation("**", (base, formula))
                formula = _negative(formula) if sign else formula
            return formula, len(parts) - 1 + sum(minus)
        case Call():
            return Operation(node.function.key, tuple(parts)), 1
        case _:
            raise not_a_number(node)


def _negative(formula: Formula) -> Formula:
    return Constant(-formula.value) if isinstance(formula, Constant) else Operation("neg", (formula,))


def _sum(node: Sum, parts: list[Formula]) -> tuple[Formula, int]:
    """One operation, however long: a-b+c is a+(-b)+c, which gives the same bits."""
    if len(set(node.signs)) == 1:
        return Operation(node.signs[0], tuple(parts)), 1
    signed = [
        Operation("neg", (part,)) if sign == "-" else part for sign, part in zip(node.signs, parts[1:], strict=True)
    ]
    return Operation("+", (parts[0], *signed)), 2


def _product(node: Product, parts: list[Formula]) -> tuple[Formula, int]:
    """From left to right; what follows one another with the same sign is one operation."""
    formula = parts[0]
    levels = 0
    at = 0
    while at < len(node.operators):
        sign = node.operators[at]
        run = [parts[at + 1]]
        at += 1
        while at < len(node.operators) and node.operators[at] == sign:
            run.append(parts[at + 1])
            at += 1
        if sign == "/" and any(isinstance(part, Constant) and part.value == 0 for part in run):
            raise Problem(
                "E205", "a division by zero", node.span, label="has no finite value", help="divide by another number"
            )
        formula = Operation(sign, (formula, *run))
        levels += 1
    return formula, levels
