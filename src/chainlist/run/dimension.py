"""Units of what is shown: `m/s` times a number stays `m/s`, `m` times `m` is `m²`, joule per metre is newton."""

from __future__ import annotations

import re
from dataclasses import dataclass

from chainlist.model.units import UNITS

_BASES = ("kg", "m", "s", "rad")
_NAMED: dict[str, tuple[float, ...]] = {
    "N": (1, 1, -2, 0),
    "J": (1, 2, -2, 0),
    "N/m": (1, 0, -2, 0),
    "W": (1, 2, -3, 0),
    "N m": (1, 2, -2, -1),
    "N m s": (1, 2, -1, -1),
    "N m/rad": (1, 2, -2, -2),
}
IN_A_UNIT = re.compile(
    r"\{?(?P<item>(?P<function>\w+)\((?:[^()]|\([^()]*\))*\))/1(?P<unit>\w+)\}?"
)  # one item, not a sum of them
_FACTOR = re.compile(r"(?P<name>[a-zA-Z]+)(?P<power>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]*)")
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def unit_asked(text: str) -> str:
    """The unit of `ANGLE(C1)/1deg`, "" of any other text."""
    quotient = IN_A_UNIT.fullmatch(text)
    return quotient["unit"] if quotient is not None and quotient["unit"] in UNITS else ""


@dataclass(frozen=True)
class Dimension:
    """A product of powers of kg, m, s and rad."""

    powers: tuple[float, ...] = (0, 0, 0, 0)
    doubt: str = ""  # why there is none to be written

    def __mul__(self, other: Dimension) -> Dimension:
        return Dimension(tuple(a + b for a, b in zip(self.powers, other.powers, strict=True)))

    def __truediv__(self, other: Dimension) -> Dimension:
        return self * other**-1

    def __pow__(self, exponent: float) -> Dimension:
        return Dimension(tuple(a * exponent for a in self.powers))

    def __str__(self) -> str:
        """As it is written at an axis: "m/s²", "N", "N/m", "kg m"; "" for a pure number."""
        for name, powers in _NAMED.items():
            if self.powers == powers:
                return name
        kg, m, s, rad = self.powers
        if rad and (kg or m):  # an arm times a rate of turning is a velocity: radians are left where they stand alone
            return str(Dimension((kg, m, s, 0)))
        above = " ".join(_power(base, p) for base, p in zip(_BASES, self.powers, strict=True) if p > 0)
        below = " ".join(_power(base, -p) for base, p in zip(_BASES, self.powers, strict=True) if p < 0)
        if not below:
            return above
        return f"{above or '1'}/({below})" if " " in below else f"{above or '1'}/{below}"


NUMBER = Dimension()
ANYTHING = Dimension(doubt="a formula may keep anything at zero")
PARAMETER = Dimension(doubt="a parameter, and a bare number that may convert, can stand for anything")
LOST = Dimension(doubt="metres were added to seconds, or multiplied with such a number")


def dimension(text: str) -> Dimension:
    """The dimension that a unit such as "m²/s" or "N/m" stands for."""
    above, _, below = text.partition("/")
    result = NUMBER
    for part, sign in ((above, 1), (below, -1)):
        for factor in _FACTOR.finditer(part):
            power = float(factor["power"].translate(_LOWERED) or 1)
            result = result * _base(factor["name"]) ** (sign * power)
    return result


def _base(name: str) -> Dimension:
    if name in _NAMED:
        return Dimension(_NAMED[name])
    if name == "Hz":
        return Dimension((0, 0, -1, 0))
    return Dimension(tuple(float(base == name) for base in _BASES))


def _power(base: str, power: float) -> str:
    if power == 1:
        return base
    return base + f"{power:g}".translate(_RAISED) if power == int(power) else f"{base}^{power:g}"
