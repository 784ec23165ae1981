"""Formulas as text: what a chainlist would say to ask for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from chainlist.elements.base import shortest
from chainlist.model.mechanism import Constant, End, Formula, Operation, Quantity
from chainlist.model.observables import OBSERVABLES

_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3, "**": 4}
_ATOM = 5


def point_text(point: tuple[float, ...]) -> str:
    return f"({','.join(shortest(c) for c in point)})"


def formula_text(formula: Formula, names: Callable[[Quantity], str]) -> str:
    """`names` writes the arguments of a quantity."""
    return _text(formula, names)[0]


def quantity_arguments(quantity: Quantity, names: Mapping[str, str], everything: tuple[tuple[str, ...], ...]) -> str:
    """The arguments, renamed; ALL where they are one of `everything`."""
    if not quantity.arguments:
        return "" if OBSERVABLES[quantity.function.lower()].takes == "nothing" else "ALL"
    if len(quantity.arguments) > 1 and quantity.arguments in everything and quantity.function not in ("DIST", "ANGLE"):
        return "ALL"
    return ",".join(_argument(argument, names) for argument in quantity.arguments)


def _argument(argument: End, names: Mapping[str, str]) -> str:
    return names.get(argument, argument) if isinstance(argument, str) else point_text(argument)


def _text(formula: Formula, names: Callable[[Quantity], str]) -> tuple[str, int]:
    """The text, and how strongly its outermost operator binds."""
    match formula:
        case Constant():
            text = shortest(formula.value)
            return (f"({text})", _ATOM) if text.startswith("-") else (text, _ATOM)
        case Quantity():
            arguments = names(formula)
            return (f"{formula.function}({arguments})" if arguments else formula.function), _ATOM
        case Operation():
            return _operation(formula, names)


def _operation(formula: Operation, names: Callable[[Quantity], str]) -> tuple[str, int]:
    parts = [_text(operand, names) for operand in formula.operands]
    strength = _STRENGTH.get(formula.operator)
    if strength is None:
        return f"{formula.operator}({','.join(text for text, _ in parts)})", _ATOM
    if formula.operator == "neg":
        return f"-{_bracket(parts[0], 4)}", 3
    if formula.operator == "**":
        return f"{_bracket(parts[0], _ATOM)}**{_bracket(parts[1], _ATOM)}", strength
    others = list(zip(formula.operands, parts, strict=True))[1:]
    first = _bracket(parts[0], strength + (strength == 1 or _is(formula.operands[0], formula.operator)))
    rest = [_bracket(part, 4) if _is(operand, "neg") else _bracket(part, strength + 1) for operand, part in others]
    return formula.operator.join((first, *rest)), strength


def _is(formula: Formula, operator: str) -> bool:
    """True for an operation of this kind: (a*b)*c is another one than a*b*c, and is written so."""
    return isinstance(formula, Operation) and formula.operator == operator


def _bracket(part: tuple[str, int], needed: int) -> str:
    text, strength = part
    return text if strength >= needed else f"({text})"
