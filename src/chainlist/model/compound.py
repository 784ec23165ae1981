"""Compound units, which there are not: 100N/m, 9.81m/s2, 2N*s/m. What is a usual unit is one, whatever parameters there are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from chainlist.elements.base import shortest
from chainlist.model.desk import Problem
from chainlist.model.units import UNITS, value
from chainlist.syntax.source import Span
from chainlist.syntax.tree import Expr, Name, Number, Power, Product

# Units that are usual in mechanics: what they begin with, and what stands behind it, in any order.
_USUAL: dict[str, tuple[dict[str, int], ...]] = {
    "length": ({"time": -1}, {"time": -2}),  # m/s, m/s2
    "angle": ({"time": -1}, {"time": -2}),  # rad/s, deg/s2
    "frequency": ({"time": -1},),  # Hz/s
    "mass": (
        *({"length": power} for power in (2, -1, -2, -3)),  # kg*m2, kg/m, kg/m2, kg/m3
        *({"time": power} for power in (-1, -2)),  # kg/s, kg/s2
        *({"length": power, "time": -1} for power in (1, 2)),  # kg*m/s, kg*m2/s
        *({"length": power, "time": -2} for power in (1, 2)),  # kg*m/s2, kg*m2/s2
    ),
    "force": (
        *({"length": power} for power in (1, -1, -2)),  # N*m, N/m, N/m2
        *({"time": power} for power in (1, -1)),  # N*s, N/s
        *({"time": power, "length": -power} for power in (1, 2, -1)),  # N*s/m, N*s2/m2, N*m/s
        {"mass": -1},  # N/kg
        *({"length": 1, "angle": -power} for power in (1, 2)),  # N*m/rad
        *({"length": 1, "time": power} for power in (1, 2)),  # N*m*s, N*m*s2
        *({"length": 1, "time": power, "angle": -power} for power in (1, 2)),  # N*m*s/rad, N*m*s2/rad2
    ),
    "energy": ({"time": -1}, {"angle": -1}, {"mass": -1}),  # J/s, J/rad, J/kg
}
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

    `is_value` says of a name in lower case whether it is that of a parameter, too. Then it is one, 90deg/N, unless what
    stands there begins with a usual unit.
    """
    for place, number in enumerate(product.factors):
        if isinstance(number, Number) and number.unit in UNITS and (parts := _parts_behind(product, place, number)):
            usual = _usual_unit(number.unit, parts)
            if usual or not all(is_value(part.name.key) for part in parts):
                raise _compound(number, usual or parts, is_value)


def _usual_unit(unit: str, parts: list[_Part]) -> list[_Part]:
    """As many parts as make up a usual unit together with what stands in front of them."""
    found, powers = 0, Counter[str]()
    for number, part in enumerate(parts, 1):
        powers[UNITS[part.unit].dimension] += part.power if part.sign == "*" else -part.power
        if {key: power for key, power in powers.items() if power} in _USUAL.get(UNITS[unit].dimension, ()):
            found = number
    return parts[:found]


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
