"""Formulas as text: what a chainlist would say to ask for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from chainlist.elements.base import shortest
from chainlist.formula import Constant, End, Formula, Moving, Operation, Quantity
from chainlist.formula.functions import COMPARISONS, LOGIC
from chainlist.model.observables import OBSERVABLES

_STRENGTH = {
    "or": 1,
    "and": 2,
    "not": 3,
    **dict.fromkeys(COMPARISONS, 4),
    "+": 5,
    "-": 5,
    "*": 6,
    "/": 6,
    "neg": 7,
    "**": 8,
}
_OF_ALL = ("bodies", "constraints", "constraints but no motors", "links")  # what ALL means is told by names alone
_COMPARISON, _SUM, _POWER, _ATOM = 4, 5, 8, 9


def point_text(point: tuple[float, ...]) -> str:
    return f"({','.join(shortest(c) for c in point)})"


def formula_text(formula: Formula, names: Callable[[Quantity], str]) -> str:
    """`names` writes the arguments of a quantity."""
    return _text(formula, names)[0]


def item_text(formula: Formula, names: Callable[[Quantity], str]) -> str:
    """The same where a space would end it: conditions stand between braces."""
    text, strength = _text(formula, names)
    return f"{{{text}}}" if strength < _SUM else text


def local_text(formula: Formula, names: Mapping[str, str] | None = None) -> str:
    """The formula with its names as they are, or renamed."""
    return formula_text(formula, lambda quantity: quantity_arguments(quantity, names or {}, ()))


def end_text(end: End, names: Mapping[str, str]) -> str:
    """A body by its name, a point by its coordinates; those that move between braces."""
    if isinstance(end, str):
        return names.get(end, end)
    if isinstance(end, Moving):
        return f"({','.join(expression_text(coordinate, names) for coordinate in end.coordinates)})"
    return point_text(end)


def expression_text(formula: Formula, names: Mapping[str, str] | None = None) -> str:
    """What an entity's card says for a formula: a number as it is, all else between braces."""
    return shortest(formula.value) if isinstance(formula, Constant) else f"{{{local_text(formula, names)}}}"


class Spelled(str):
    """A word of a card that holds formulas or numbers: its text, which can be written again once these were carried elsewhere."""

    parts: tuple[str | float | Formula, ...]

    def __new__(cls, *parts: str | float | Formula) -> Spelled:
        word = super().__new__(cls, "".join(map(_part, parts)))
        word.parts = parts
        return word

    @classmethod
    def listed(cls, before: str, inside: Iterable[float | Formula], behind: str) -> Spelled:
        """`before`, what is inside with commas between, `behind`."""
        between = [part for one in inside for part in (",", one)]
        return cls(before, *between[1:], behind)

    def anew(self, new: Mapping[int, Any]) -> Spelled:
        """The same with others in place of its formulas and numbers, which `new` names by their id."""
        return Spelled(*(part if isinstance(part, str) else new[id(part)] for part in self.parts))


def _part(part: str | float | Formula) -> str:
    if isinstance(part, str):
        return part
    return shortest(part) if isinstance(part, int | float) else expression_text(part)


def spelled_anew(
    words: tuple[str | None, ...], before: Sequence[object], carried: Sequence[Any]
) -> tuple[str | None, ...]:
    """The words with carried formulas and numbers in place of those before; nothing where these words do not say them all."""
    new = {id(old): one for old, one in zip(before, carried, strict=True) if old is not None}
    said = [id(part) for word in words if isinstance(word, Spelled) for part in word.parts if not isinstance(part, str)]
    moved = [id(old) for old, one in zip(before, carried, strict=True) if old != one]
    if any(said.count(one) != 1 for one in moved) or any(one not in new for one in said) or len(set(said)) < len(said):
        return ()
    return tuple(word.anew(new) if isinstance(word, Spelled) else word for word in words)


def quantity_arguments(quantity: Quantity, names: Mapping[str, str], everything: tuple[tuple[str, ...], ...]) -> str:
    """The arguments, renamed; ALL where they are one of `everything`."""
    if not quantity.arguments:
        return "" if OBSERVABLES[quantity.function.lower()].takes == "nothing" else "ALL"
    known = OBSERVABLES.get(quantity.function.lower())
    if len(quantity.arguments) > 1 and quantity.arguments in everything and known and known.takes in _OF_ALL:
        return "ALL"
    return ",".join(end_text(argument, names) for argument in quantity.arguments)


def _text(formula: Formula, names: Callable[[Quantity], str]) -> tuple[str, int]:
    """The text, and how strongly its outermost operator binds."""
    match formula:
        case Constant():
            text = shortest(formula.value) + formula.unit
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
        return f"-{_bracket(parts[0], _POWER)}", strength
    if formula.operator == "not":
        return f"not {_bracket(parts[0], _COMPARISON)}", strength
    if formula.operator in LOGIC or formula.operator in COMPARISONS:
        sign = f" {formula.operator} " if formula.operator in LOGIC else formula.operator
        return sign.join(_bracket(part, strength + 1) for part in parts), strength
    if formula.operator == "**":
        return f"{_bracket(parts[0], _ATOM)}**{_bracket(parts[1], _ATOM)}", strength
    others = list(zip(formula.operands, parts, strict=True))[1:]
    first = _bracket(parts[0], strength + (strength == _SUM or _is(formula.operands[0], formula.operator)))
    rest = [_bracket(part, _POWER) if _is(operand, "neg") else _bracket(part, strength + 1) for operand, part in others]
    return formula.operator.join((first, *rest)), strength


def _is(formula: Formula, operator: str) -> bool:
    """True for an operation of this kind: (a*b)*c is another one than a*b*c, and is written so."""
    return isinstance(formula, Operation) and formula.operator == operator


def _bracket(part: tuple[str, int], needed: int) -> str:
    text, strength = part
    return text if strength >= needed else f"({text})"
