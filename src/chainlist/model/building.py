"""From the nodes of an expression to those of a formula: what items of .plot and expressions of entities share."""

from __future__ import annotations

import math
from dataclasses import dataclass

from chainlist.formula import Constant, Formula, Moving, Operation
from chainlist.formula.analysis import uses
from chainlist.formula.functions import FUNCTIONS
from chainlist.model.degrees import note_in_function
from chainlist.model.desk import Problem
from chainlist.model.evaluate import arithmetic, check_points, function_of, negated, not_a_number
from chainlist.model.functions import Evaluator
from chainlist.model.parameters import Scope
from chainlist.model.units import si_unit
from chainlist.syntax.source import Span
from chainlist.syntax.tree import (
    Braces,
    Call,
    Comparison,
    Expr,
    Group,
    Logic,
    Name,
    Not,
    Number,
    Point,
    Power,
    Product,
    Signed,
    Sum,
)

DEEPEST = 100  # operations inside operations: what walks a formula may recurse
LARGEST = 100_000  # nodes of one formula; functions of the user make large ones of short texts


@dataclass(frozen=True)
class Piece:
    """A part of an expression: its formula, how many curves of how many components it has, how deep and large it is."""

    formula: Formula
    curves: int = 1
    components: int = 1
    depth: int = 0
    size: int = 1
    picture: Span | None = None


class FormulaReader(Evaluator[Piece]):
    """Reads expressions into formulas. What has no time and no item in it becomes a number, as everywhere."""

    def __init__(self, scope: Scope):
        super().__init__(scope.functions)
        self.scope = scope

    @property
    def parameters(self) -> Scope:
        """Where names of parameters are looked for: those in a function are the chainlist's own."""
        return self.scope.outermost if self.in_function else self.scope

    def is_value(self, key: str) -> bool:
        return super().is_value(key) or self.parameters.find(key) is not None

    def leaf(self, node: Expr) -> Piece | None:
        match node:
            case Number():
                number, unit = self.scope.read(node), si_unit(node.unit)
                return Piece(Constant(number, unit, not unit and may_convert(number)))
            case Name():
                return self.named(node)
            case Point():
                raise not_a_number(node)
            case Call() if node.function.key not in FUNCTIONS:
                return self.item_of(node)
            case Call():
                note_in_function(node, self.parameters, self._bound)
                return None
            case _:
                return None

    def named(self, name: Name) -> Piece:
        """The value of a name: a parameter, or the time."""
        raise NotImplementedError

    def item_of(self, call: Call) -> Piece:
        """The value of a call of what is no function."""
        raise NotImplementedError

    def truth(self, value: Piece) -> bool | None:
        return value.formula.value != 0.0 if isinstance(value.formula, Constant) else None

    def join(self, node: Expr, pieces: list[Piece]) -> Piece:
        if isinstance(node, Call):
            function = function_of(node)
            values = [p.formula.value if isinstance(p.formula, Constant) else None for p in pieces[1:]]
            check_points(node, function, values)
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
            return Piece(_folded(node, arithmetic(node, constants), [piece.formula for piece in pieces]))
        formula, levels = operation(node, [piece.formula for piece in pieces])
        depth = max(piece.depth for piece in pieces) + levels
        size = sum(piece.size for piece in pieces) + levels
        if depth > DEEPEST or size > LARGEST:
            what = "nested too deep" if depth > DEEPEST else f"made of more than {LARGEST:,} parts"
            help = "compute parts of it with .param, or plot it in pieces"
            raise Problem("E277", f"this item is {what}", node.span, label="too deep", help=help)
        curves = _common(node, [piece.curves for piece in pieces], "curves")
        components = _common(node, [piece.components for piece in pieces], "components")
        return Piece(formula, curves, components, depth, size)

    def point(self, node: Point) -> tuple[float, ...] | Moving:
        """A point inside an item: fixed, or moving as the time tells."""
        formulas = tuple(self._coordinate(coordinate) for coordinate in self.scope.coordinates(node))
        numbers = tuple(formula.value for formula in formulas if isinstance(formula, Constant))
        return numbers if len(numbers) == len(formulas) else Moving(formulas)

    def _coordinate(self, node: Expr) -> Formula:
        self.scope.check_unit(node, "length")
        formula = self.evaluate(node).formula
        for family in uses(formula) - {"time"}:
            what = "only the time may be used in the coordinates of a point"
            label, help = f"made of {family}", "write it with `time`, numbers and parameters; or name a body"
            raise Problem("E219", what, node.span, label=label, help=help)
        return formula


def _common(node: Expr, counts: list[int], what: str) -> int:
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


def operation(node: Expr, parts: list[Formula]) -> tuple[Formula, int]:
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
                formula = _power(base, formula)
                formula = _negative(formula) if sign else formula
            return formula, len(parts) - 1 + sum(minus)
        case Call():
            return Operation(node.function.key, tuple(parts)), 1
        case Comparison() | Logic():
            return Operation(node.operator, tuple(parts)), 1
        case Not():
            return Operation("not", tuple(parts)), 1
        case _:
            raise not_a_number(node)


def may_convert(number: float) -> bool:
    """Whether a bare number as a factor may turn one unit into another (3.6, 1000, 57.3); 2 and 1/2 count how often."""
    whole = abs(number) if abs(number) >= 1.0 else 1.0 / (abs(number) or 1.0)
    return whole > 10.0 or whole != math.floor(whole)


def _folded(node: Expr, value: float, parts: list[Formula]) -> Constant:
    """The number that numbers make, with its unit where that is plain; where it is not, the number is unsure of it."""
    numbers = [part for part in parts if isinstance(part, Constant)]
    units = [number.unit for number in numbers if number.unit]
    unsure = any(number.unsure for number in numbers)
    kind = FUNCTIONS[node.function.key].unit if isinstance(node, Call) else ""
    if isinstance(node, Signed):
        return Constant(value, numbers[0].unit, numbers[0].unsure)
    if isinstance(node, Sum) or kind == "same":
        one = units[0] if len(set(units)) == 1 else ""
        return Constant(value, one, not one and (unsure or bool(units)))
    if isinstance(node, Product):
        plain = len(units) == 1 and "/" not in node.operators
        return Constant(value, units[0] if plain else "", unsure or len(units) > 1 or (bool(units) and not plain))
    if isinstance(node, Power) or kind == "root":
        return Constant(value, "", unsure or bool(units))
    return Constant(value)


def _negative(formula: Formula) -> Formula:
    if isinstance(formula, Constant):
        return Constant(-formula.value, formula.unit, formula.unsure)
    return Operation("neg", (formula,))


def _power(base: Formula, exponent: Formula) -> Formula:
    """A power of numbers is a number, as it is where nothing else stands beside it."""
    if isinstance(base, Constant) and isinstance(exponent, Constant):
        try:
            value = base.value**exponent.value
        except ArithmeticError:
            value = math.inf
        if isinstance(value, float) and math.isfinite(value):
            return Constant(value, "", base.unsure or bool(base.unit))
    return Operation("**", (base, exponent))


def _sum(node: Sum, parts: list[Formula]) -> tuple[Formula, int]:
    """One operation, however long: a-b+c is a+(-b)+c, which gives the same bits."""
    if len(set(node.signs)) == 1:
        return Operation(node.signs[0], tuple(parts)), 1
    signed = [_negative(part) if sign == "-" else part for sign, part in zip(node.signs, parts[1:], strict=True)]
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
