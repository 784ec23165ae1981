"""Compound units, which there are not: 100N/m, 9.81m/s2, 2N*s/m. Their parts are units, whatever parameters there are."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from chainlist.elements.base import shortest
from chainlist.model.desk import Problem
from chainlist.model.units import UNITS, value
from chainlist.syntax.source import Span
from chainlist.syntax.tree import Expr, Name, Number, Power, Product

_NO_PRODUCT = ("mass", "time")  # 2kg*g is arithmetic with a parameter g: no unit has a mass times a mass


@dataclass(frozen=True)
class _Part:
    """`/s2` behind `9.81m`: the sign, the name, the unit in it, and to which power."""

    sign: str
    name: Name
    unit: str
    power: int
    text: str

    @property
    def scale(self) -> float:
        whole = UNITS[self.unit].factor * 10.0 ** UNITS[self.unit].power
        return float(whole ** (self.power if self.sign == "*" else -self.power))


def check_compound(product: Product, is_value: Callable[[str], bool]) -> None:
    """A number with a unit, and names of units behind it, is a problem: silently, 100N/m would be 100 over a parameter m.

    `is_value` says of a name in lower case whether it is that of a parameter, too.
    """
    for place, number in enumerate(product.factors):
        if isinstance(number, Number) and number.unit in UNITS and (parts := _parts_behind(product, place, number)):
            raise _compound(number, parts, is_value)


def _parts_behind(product: Product, place: int, number: Number) -> list[_Part]:
    found: list[_Part] = []
    own = UNITS[number.unit].dimension
    for sign, factor in zip(product.operators[place:], product.factors[place + 1 :], strict=True):
        part = _part(sign, factor)
        if part is None or (sign == "*" and own in _NO_PRODUCT and UNITS[part.unit].dimension == own):
            break
        found.append(part)
    return found


def _part(sign: str, factor: Expr) -> _Part | None:
    """`s`, `s2` and `s**2`; None for what is no unit."""
    power = 1
    if isinstance(factor, Power):
        factor, *rest = factor.parts
        if len(rest) != 1 or not isinstance(rest[0], Number) or rest[0].text not in ("1", "2", "3", "4"):
            return None
        power = int(rest[0].text)
    found = re.fullmatch(r"([A-Za-z]+)([2-4]?)", factor.text) if isinstance(factor, Name) else None
    if found is None or found[1] not in UNITS:
        return None
    assert isinstance(factor, Name)
    text = f"{sign}{factor.text}" + (f"**{power}" if power > 1 else "")
    return _Part(sign, factor, found[1], power * int(found[2] or 1), text)


def _compound(number: Number, parts: list[_Part], is_value: Callable[[str], bool]) -> Problem:
    behind = "".join(part.text for part in parts)
    scale = 1.0
    for part in parts:
        scale *= part.scale
    degrees = number.unit == "deg" and scale == 1.0
    bare = f"{number.text}*pi/180" if degrees else shortest(float(f"{value(number) * scale:.12g}"))
    help = f"there are no compound units: write {bare}, the bare SI number"
    named = dict.fromkeys(part.name.text for part in parts if is_value(part.name.key))
    if named:
        plural = "s" if len(named) > 1 else ""
        number_alone = shortest(float(f"{value(number):.12g}"))
        help += f"; with the parameter{plural} {' and '.join(named)}, write {number_alone}{behind}"
    span = Span(number.span.source, number.span.start, max(number.span.stop, parts[-1].name.span.stop))
    what = f"there is no unit {number.unit}{behind}"
    return Problem("E201", what, span, label="a compound unit", help=help)
