"""Numbers that people write elsewhere: a decimal comma (0,5), a space before a unit (2 kg), a compound unit (9.81m/s2)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from chainlist.model.evaluate import names_in
from chainlist.model.units import RPM, UNITS, units_of
from chainlist.syntax.letters import COMPOUND, ends_compound_unit, si_scale, without_unit
from chainlist.syntax.tree import Argument, Name, Number, Point, Product, Setting, Signed, Sum, Text, Together

NUMBER = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"  # of a text from outside, without its sign


def meant_as_one(before: Argument | None, word: Argument, want: str | None = None) -> str:
    """The cure where `word` belongs to the number before it, "" where it does not; `want` is what may stand there, if it is known."""
    value = before.value if isinstance(before, Setting) else before
    number = value.operand if isinstance(value, Signed) else value
    if value is None or value.span.source is not word.span.source:
        return ""
    between = word.span.source.text[value.span.stop : word.span.start]
    if not isinstance(number, Number | Point | Text | Together) and between.isspace():
        return without_unit(value.span.text, unit) if (unit := _unit_of(word)) else ""
    if not isinstance(number, Number) or number.unit:
        return ""
    if between == "," and isinstance(word, Number) and number.text.isdigit():
        return f"the decimal sign is a point: write {value.span.text}.{word.span.text}"
    if not between.isspace():
        return ""
    if isinstance(word, Product) and any(name.text in UNITS or is_part_of_unit(name) for name in names_in(word)):
        scale = si_scale(word.span.text)
        return (
            COMPOUND
            if scale is None
            else f"there are no compound units: write {value.span.text}{scale}, the bare SI number"
        )
    if isinstance(word, Name) and word.text in UNITS:
        if want == "number":
            return f"write {value.span.text}: no unit can stand here, the number is in SI units"
        return f"a unit stands directly behind its number: write {value.span.text}{word.text}"
    if isinstance(word, Name) and word.text == RPM:
        return f"turns a minute are written in radians a second: write 2*pi*{value.span.text}/60"
    return ""


def is_unit(word: Argument) -> bool:
    """Whether a word is called like a unit."""
    return isinstance(word, Name) and (word.text in UNITS or word.text == RPM)


def _unit_of(word: Argument) -> str:
    """What a word means as a unit, `m` or `N/mm`; "" of any other word."""
    compound = isinstance(word, Product) and si_scale(word.span.text) is not None
    return word.span.text if compound or is_unit(word) else ""


def meant_as_unit(before: Argument | None, word: Argument, want: str | None) -> str:
    """What is to be said of a word behind a number that looks like a unit and is none, "" of any other word."""
    value = before.value if isinstance(before, Setting) else before
    number = value.operand if isinstance(value, Signed) else value
    if not isinstance(number, Number) or number.unit or not isinstance(word, Name) or not word.text.isalpha():
        return ""
    fitting = units_of(want or "")
    if not fitting:
        return ""
    article = "an" if want and want[0] in "aeio" else "a"
    there_are = f"for {article} {want} there are {', '.join(fitting)}"
    return f"if {word.text} is a unit: units stand directly behind their number, without a space, and {there_are}; "


def how_a_point_is_written(word: Argument, dimension: int) -> str:
    """`(1.0)` is a number in brackets: a point where the comma was struck as a full stop."""
    text, rest = word.span.text, ",0" * (dimension - 1)
    if dimension == 2 and (decimal := re.fullmatch(r"\((-?\d+)\.(\d+)\)", text)):
        return f"between the coordinates of a point stands a comma: did you mean ({decimal[1]},{decimal[2]})?"
    if text.startswith("("):
        return f"a point has {'two' if dimension == 2 else 'three'} coordinates, with commas: {text[:-1]}{rest})"
    number = re.match(r"-?[\d.]+(?:[eE][-+]?\d+)?", text)
    with_unit = isinstance(word, Product) and any(is_part_of_unit(name) for name in names_in(word))  # 3m/s
    shown = text if isinstance(word, Number | Signed) else number[0] if number and with_unit else "0"
    return f"write its coordinates in brackets: ({shown}{rest})"


def first_slip(words: Sequence[Argument]) -> str:
    """The cure of the first pair of words that were meant as one, "" if there is none."""
    pairs = itertools.pairwise(words)
    return next((cure for before, word in pairs if (cure := meant_as_one(before, word))), "")


def is_part_of_unit(name: Name) -> bool:
    """Whether a name belongs to a unit such as m/s2; a forgotten parameter s2 stands behind other things."""
    stem = name.text.rstrip("0123456789")
    return stem in UNITS and ends_compound_unit(name.span.source.text[: name.span.start] + stem)


def power_of_unit(expression: Argument) -> Number | None:
    """The number in front of what is meant as a power of its unit, 9.81ms-2; None for anything else."""
    if not isinstance(expression, Sum) or expression.signs != ("-",):
        return None
    number, power = expression.terms
    if not isinstance(number, Number) or not isinstance(power, Number) or power.unit:
        return None
    return number if number.unit and power.text in ("1", "2", "3") else None


def outside_slip(text: str) -> tuple[str, str]:
    """What is wrong with a number from outside, and its cure; empty where it is no slip of these kinds."""
    if found := re.fullmatch(rf"([-+]?{NUMBER})\s+([A-Za-z]+)", text):
        return "a space before the unit", f"a unit stands directly behind its number: write {found[1]}{found[2]}"
    if re.fullmatch(r"[-+]?\d+,\d+([eE][-+]?\d+)?\s*[A-Za-z]*", text):
        return "a decimal comma", f"the decimal sign is a point: write {''.join(text.replace(',', '.').split())}"
    if re.fullmatch(rf"[-+]?{NUMBER}\s*[A-Za-z]+\s*[*/·].*", text):
        return "a compound unit", COMPOUND
    return "", ""
