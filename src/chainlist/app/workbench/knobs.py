"""Parameters of a text that can be turned: each `.param` whose value is one number gets a slider.

Its range is written behind it, `.param L=1 ; 0.5..2`, in the unit of the number; without one it is guessed. With several
parameters on a line their ranges follow one another: `.param L=1 m=2 ; 0.5..2 1..5`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from chainlist.app.workbench.handles import Offsets
from chainlist.syntax.source import Span
from chainlist.syntax.tree import Chainlist, Command, Expr, Number, Setting, Signed, Text

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_RANGE = re.compile(rf"({_NUMBER})\s*\.\.\s*({_NUMBER})")


@dataclass(frozen=True)
class Knob:
    """A number that can be turned. `value`, `low` and `high` are in the unit in which it is written."""

    name: str
    value: float
    unit: str
    low: float
    high: float
    span: Span  # of the number with its sign and unit
    range_at: tuple[int, int]  # where the range stands, or (empty) where it can be written
    range_told: bool


def knobs(tree: Chainlist) -> list[Knob]:
    """All knobs of a text, in its order."""
    found: list[Knob] = []
    for statement in tree.statements:
        if isinstance(statement, Command) and statement.keyword.key.lstrip(".") == "param":
            found += _of_command(statement)
    return found


def as_data(knob: Knob, offsets: Offsets) -> dict[str, Any]:
    """For the browser."""
    return {
        "name": knob.name,
        "value": knob.value,
        "unit": knob.unit,
        "low": knob.low,
        "high": knob.high,
        "told": knob.range_told,
        "at": [offsets(knob.span.start), offsets(knob.span.stop)],
        "text": knob.span.text,
        "rangeAt": [offsets(place) for place in knob.range_at],
    }


def _of_command(command: Command) -> Iterator[Knob]:
    on_line: dict[int, int] = {}  # settings so far on each line
    for setting in command.arguments:
        if not isinstance(setting, Setting) or isinstance(setting.value, Text):
            continue
        line = setting.value.span.line
        place = on_line.get(line, 0)
        on_line[line] = place + 1
        number = _number(setting.value)
        if number is not None:
            yield _knob(setting.key.text, number[0], number[1], setting.value.span, place)


def _number(expression: Expr) -> tuple[float, str] | None:
    """The value and the unit of a number, perhaps with one sign before it."""
    sign = 1.0
    if isinstance(expression, Signed) and len(expression.signs) == 1:
        sign = -1.0 if expression.signs == "-" else 1.0
        expression = expression.operand
    return (sign * float(expression.text), expression.unit) if isinstance(expression, Number) else None


def _knob(name: str, value: float, unit: str, span: Span, place: int) -> Knob:
    text = span.source.text
    end = text.find("\n", span.stop)
    end = len(text) if end < 0 else end
    comment = text.find(";", span.stop, end)
    ranges = list(_RANGE.finditer(text, comment, end)) if comment >= 0 else []
    if place < len(ranges):
        told = ranges[place]
        low, high = sorted((float(told[1]), float(told[2])))
        if low < high:
            return Knob(name, value, unit, low, high, span, told.span(), True)
    return Knob(name, value, unit, *_guess(value), span, (end, end), False)


def _guess(value: float) -> tuple[float, float]:
    """A range about a value: a fifth to twice of it, on round numbers; about zero, one to either side."""
    if value == 0:
        return -1.0, 1.0
    size = 10.0 ** math.floor(math.log10(abs(value)))
    far = math.ceil(2 * abs(value) / size) * size
    near = max(0.1 * size, math.floor(2 * abs(value) / size) * size / 10)
    low, high = float(f"{near:.6g}"), float(f"{far:.6g}")
    return (low, high) if value > 0 else (-high, -low)
