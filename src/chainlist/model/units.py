"""Units: the table, and what a number means at a place that wants a length, a time, a mass …"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

from chainlist.model.desk import Problem
from chainlist.syntax.tree import Number

# Of a length, a mass, a speed, a setting: their squares and products, and the inverse of these, are still numbers.
LARGEST, SMALLEST = 1e100, 1e-100


@dataclass(frozen=True)
class Unit:
    """One unit: 10**power times `factor` of the SI unit of its dimension."""

    name: str
    dimension: str
    meaning: str
    power: int = 0
    factor: float = 1.0


UNITS: dict[str, Unit] = {
    unit.name: unit
    for unit in (
        Unit("s", "time", "second"),
        Unit("ms", "time", "millisecond", -3),
        Unit("us", "time", "microsecond", -6),
        Unit("min", "time", "minute", factor=60.0),
        Unit("m", "length", "metre"),
        Unit("cm", "length", "centimetre", -2),
        Unit("mm", "length", "millimetre", -3),
        Unit("km", "length", "kilometre", 3),
        Unit("kg", "mass", "kilogram"),
        Unit("g", "mass", "gram", -3),
        Unit("t", "mass", "tonne", 3),
        Unit("rad", "angle", "radian"),
        Unit("deg", "angle", "degree", factor=math.pi / 180.0),
        Unit("N", "force", "newton"),
        Unit("kN", "force", "kilonewton", 3),
        Unit("Hz", "frequency", "hertz"),
        Unit("J", "energy", "joule"),
    )
}
RPM = "rpm"  # no unit here, but many write it
_KINDS = {None, "number", *(unit.dimension for unit in UNITS.values())}
_CAPITALS = {name.lower(): name for name in UNITS}

# What SPICE would read: suffix → power of ten and its name.
_SPICE = {
    "t": (12, "tera"),
    "g": (9, "giga"),
    "meg": (6, "mega"),
    "k": (3, "kilo"),
    "m": (-3, "milli"),
    "u": (-6, "micro"),
    "n": (-9, "nano"),
    "p": (-12, "pico"),
    "f": (-15, "femto"),
}


def units_of(want: str) -> list[str]:
    """The units a place accepts."""
    return [name for name, unit in UNITS.items() if unit.dimension == want]


def si_unit(name: str) -> str:
    """The SI unit of what a unit measures: "m" for mm; "" for a bare number."""
    dimension = UNITS[name].dimension if name in UNITS else ""
    return next((unit.name for unit in UNITS.values() if unit.dimension == dimension), "")


class UnknownKind(ValueError):
    """A plug-in asks for a kind of unit that there is not."""


def check_kind(want: str | None) -> None:
    """Raise `UnknownKind` where there is no such kind of unit."""
    if want not in _KINDS:
        known = ", ".join(sorted(filter(None, _KINDS)))
        raise UnknownKind(f"there is no kind of unit called {want!r}: there are {known}")


def value(number: Number, want: str | None = None) -> float:
    """The number in SI units. `want` is the dimension of its place; None: any unit may stand (inside an expression)."""
    check_kind(want)
    unit = UNITS.get(number.unit) if number.unit else None
    if number.unit and (unit is None or want not in (None, unit.dimension)):
        raise _wrong_unit(number, want)
    result = _converted(number.text, unit) if unit else float(number.text)
    if not math.isfinite(result):
        raise Problem(
            "E205",
            f"{_short(number.text)}{number.unit} is too large for a number",
            number.span,
            label="not finite",
            help="numbers reach up to 1.8E308" + (f", in {si_unit(number.unit)}" if unit else ""),
        )
    return result


def _converted(text: str, unit: Unit) -> float:
    if unit.factor.is_integer() and unit.factor != 1 and len(text) <= 40:
        return float(Decimal(text) * int(unit.factor))  # exact: 0.0055min is 0.33
    return _scaled(text, unit.power) * unit.factor


def _scaled(text: str, power: int) -> float:
    """text·10^power, rounded once: 57cm is 0.57, not 0.5700000000000001."""
    mantissa, _, exponent = text.lower().partition("e")
    if power == 0 or len(exponent) > 6:
        return float(text)
    return float(f"{mantissa}e{int(exponent or 0) + power}")


def _short(text: str) -> str:
    return text if len(text) <= 20 else f"{text[:16]}…"


def _place(want: str | None) -> str:
    if want in (None, "number"):
        return "a bare number"
    return f"{'an' if want and want[0] in 'aeio' else 'a'} {want}"


def _wrong_unit(number: Number, want: str | None) -> Problem:
    """Which slip it is: SPICE's suffix, a wrong capital, a unit for something else, turns a minute, no unit at all."""
    known = UNITS.get(number.unit)
    proper = _CAPITALS.get(number.unit.lower())
    # Of units that are written with a capital, N, nobody thinks of a suffix.
    if number.unit.lower() in _SPICE and (known is None or (number.unit in _SPICE and known.dimension != want)):
        return _spice_suffix(number, want)
    if known is not None:
        fits = ", ".join(units_of(want or ""))
        return Problem(
            "E203",
            f"{_short(number.text)}{number.unit} is {_place(known.dimension)}, but {_place(want)} is wanted here",
            number.span,
            label=f"a {known.meaning} measures {known.dimension}",
            help=f"write {_short(number.text)} with one of {fits}, or bare" if fits else _NO_COMPOUND,
        )
    if proper is not None:
        return Problem(
            "E202",
            f"the unit {number.unit} is written {proper}: capitals matter",
            number.span,
            label="wrong capitals",
            help=f"write {_short(number.text)}{proper}",
        )
    if number.unit.lower() == RPM:
        help = f"turns a minute are written in radians a second: write 2*pi*{_short(number.text)}/60"
        return Problem("E201", f"there is no unit {number.unit}", number.span, label="unknown unit", help=help)
    micro = number.unit.replace("µ", "u").replace("μ", "u")
    if micro in UNITS:
        help = f"micro is written u: write {_short(number.text)}{micro}"
        return Problem("E201", f"there is no unit {number.unit}", number.span, label="unknown unit", help=help)
    fits = ", ".join(units_of(want) if want and units_of(want) else UNITS)
    return Problem(
        "E201",
        f"there is no unit {number.unit}",
        number.span,
        label="unknown unit",
        help=f"units that may stand here: {fits}; a bare number is SI"
        if want != "number"
        else "write the bare SI number",
    )


_NO_COMPOUND = "write the bare SI number; there are no compound units"


def _spice_suffix(number: Number, want: str | None) -> Problem:
    """`1k`, `1m` where no metre can be meant: both readings are offered."""
    power, word = _SPICE[number.unit.lower()]
    text = _short(number.text)
    plain = f"{text}E{power}" if "e" not in text.lower() else f"{_scaled(number.text, power):g}".replace("e", "E")
    same = [name for name, unit in UNITS.items() if unit.dimension == want and unit.power == power]
    with_unit = f" or {text}{same[0]}" if same else ""
    readings = [f"for SPICE's {word} write {plain}{with_unit}"]
    unit = UNITS.get(_CAPITALS.get(number.unit.lower(), ""))
    if unit is not None:
        stands = f"{text}{unit.name}"
        where = "" if want in (None, unit.dimension) else f", which cannot stand here: {_place(want)} is wanted"
        readings.append(f"the {unit.meaning} is {stands}{where}")
    else:
        fitting = units_of(want) if want and units_of(want) else list(UNITS)
        prefixed = [name for name in fitting if len(name) > 1 and name[0] == number.unit.lower() and name not in same]
        if prefixed:
            readings.append(f"with a unit write {' or '.join(text + name for name in prefixed)}")
    return Problem(
        "E204",
        f"{text}{number.unit}: suffixes of SPICE are not used here",
        number.span,
        label=f"SPICE's {word}, or a unit?",
        help="; ".join(readings),
    )
