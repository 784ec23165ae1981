"""Values given from outside in place of the text: a number with a unit, an expression of numbers, a word."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from chainlist.model.desk import Desk, Problem
from chainlist.model.parameters import Scope
from chainlist.model.slips import NUMBER, outside_slip
from chainlist.model.suggest import nearest
from chainlist.syntax.cards import CardLine, CardText, Kind
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.errors import ChainlistError
from chainlist.syntax.inside import read_arguments
from chainlist.syntax.limits import Limits
from chainlist.syntax.source import Source, Span
from chainlist.syntax.tokens import BadCard, Tokenizer
from chainlist.syntax.tree import Argument, Expr, Name, Number, Point, Signed, Text

_NUMBER = re.compile(rf"([+-]?)({NUMBER})([A-Za-z]*)")
_LIST = re.compile(r"[^,()]+(,[^,()]+)+")
SEVERAL = 'for several runs write .step {name} LIST {values}, or chainlist sweep --step "{name} LIST {values}"'


class Meant(float):
    """A number whose text says what it means, by a unit or as an expression."""


def outside_number(text: str, want: str | None = None, name: str = "L") -> float:
    """The number that a text from outside means, such as 40cm or 2*9.81, for `name`; raises `Problem`."""
    span = Span(Source("<settings>", text), 0, len(text))
    listed = text.strip().removeprefix("[").removesuffix("]")
    if _LIST.fullmatch(listed) and not outside_slip(listed)[0]:
        values = " ".join(part.strip() for part in listed.split(","))
        help = f"give one number; {SEVERAL.format(name=name, values=values)}"
        raise Problem("E209", "one number is wanted here, not several", span, label="several", help=help)
    argument = outside_argument(text, span)
    if isinstance(argument, Point):
        help = (
            in_the_text(name, text)
            or f"a parameter is one number: {_one_by_one(name, len(argument.coordinates), text)}"
        )
        raise Problem("E209", "a number is wanted here, not a point", span, label="several numbers", help=help)
    if isinstance(argument, Name):
        raise Problem(
            "E209", f"a number is wanted here, not {text}", span, label="a word", help="write a finite number"
        )
    if isinstance(argument, Text) and (unknown := _UNKNOWN.search(text)):
        help = f"write a number in place of {unknown[0]}; names of parameters stand in the chainlist itself"
        raise Problem(
            "E209", f"a number is wanted here, and {unknown[0]} is none", span, label="not a number", help=help
        )
    found = Scope(Desk(Diagnostics(), Limits())).number(argument, want)
    bare = argument.operand if isinstance(argument, Signed) else argument
    return found if isinstance(bare, Number) and not bare.unit else Meant(found)


_UNKNOWN = re.compile(r"(?<![\w.])(?!pi\b)[A-Za-z]\w*(?!\w|\()")


def in_the_text(name: str, value: Any) -> str:
    """How a body or another entity gets a value from outside; "" where the name is of another form."""
    if not re.fullmatch(r"[A-Za-z]\d+", name):
        return ""
    shown = str(value).replace(" ", "")
    if shown.startswith("(") and name[0] in "bB":
        names = ["x", "y", "z"][: shown.count(",") + 1]
        numbers = [f"{one}={part}" for one, part in zip(names, shown.strip("()").split(","), strict=False)]
        flags = " ".join(f"--param {number}" for number in numbers)
        return f"write .param {' '.join(numbers)} and {name} ({','.join(names)}) in the chainlist, then {flags}"
    return f"{name} stands in the chainlist: write .param a=… there, and `a` in place of its number, then --param a=…"


def no_such_parameter(name: Name, given: Any, parameters: Sequence[str]) -> Problem:
    """For a value from outside whose name is that of no parameter."""
    written = {parameter.lower(): parameter for parameter in parameters}
    meant = nearest(name.key, written)
    help = f"did you mean {written[meant]}?" if meant else in_the_text(name.text, given)
    help = help or f"parameters of this chainlist: {', '.join(list(written.values())[:10]) or 'none'}"
    return Problem("E206", f"this chainlist has no parameter {name.text}", name.span, label="unknown", help=help)


def given_name(name: str, value: Any, where: str = "<params>") -> Name:
    """A name from outside, with the words `name=value` as its place; of many values the first ones."""
    text = f"{name}={value!s:.40}".split("\n")[0]
    return Name(name, Span(Source(where, text), 0, len(text)))


def refused(problems: Iterable[Problem]) -> ChainlistError:
    """What is wrong with values from outside, all of it."""
    report = Diagnostics()
    desk = Desk(report, Limits())
    for problem in problems:
        desk.tell(problem)
    return ChainlistError(report.sorted())


def _one_by_one(name: str, count: int, text: str) -> str:
    parts = text.strip("()").split(",")
    numbers = [f"{name}{letter}={part.strip()}" for letter, part in zip("xyz"[:count], parts, strict=False)]
    flags = " ".join(f"--param {number}" for number in numbers)
    return f"write .param {' '.join(numbers)} in the chainlist, and {flags}"


def outside_parameters(params: Mapping[str, float | str], want: str | None = None) -> dict[str, float]:
    """Values of parameters from outside: numbers as they are, texts as `outside_number` reads them.

    Raises `ChainlistError` with all that cannot be read.
    """
    report = Diagnostics()
    desk = Desk(report, Limits())
    found = {}
    for name, value in params.items():
        try:
            found[name] = outside_number(value, want, name) if isinstance(value, str) else value
        except Problem as problem:
            desk.tell(problem)
    if report.errors:
        raise ChainlistError(report.sorted())
    return found


def outside_argument(value: Any, span: Span) -> Expr | Text:
    """What a setting from outside would be in the text."""
    if isinstance(value, bool):
        return Name("ON" if value else "OFF", span)
    inner = re.fullmatch(r"\((.*)\)", value.strip()) if isinstance(value, str) else None
    if inner is not None or isinstance(value, tuple | list):
        parts = inner[1].split(",") if inner is not None else value
        coordinates = [outside_argument(part, span) for part in parts]
        return Point(tuple(c for c in coordinates if not isinstance(c, Text)), span)
    if isinstance(value, numbers.Real) and not math.isfinite(value):
        raise Problem("E205", f"{span.text} is not finite", span, label="not finite", help="give a number")
    text = repr(float(value)) if isinstance(value, numbers.Real) else str(value).strip()
    found = _NUMBER.fullmatch(text)
    if found is not None:
        number = Number(found[2], found[3], span)
        return Signed("-", number, span) if found[1] == "-" else number
    expression = _expression(text)
    if expression is not None:
        return expression
    wrong, help = outside_slip(text)
    if wrong:
        raise Problem("E209", f"`{text}` is not one number", span, label=wrong, help=help)
    return Name(text, span) if re.fullmatch(r"[A-Za-z]\w*", text) else Text(text, span)


def _expression(text: str) -> Expr | None:
    """Arithmetic of numbers and functions, read as it is between braces; None for anything else."""
    card = CardText(Kind.COMMAND, Source("<settings>", f"{{{text}}}"), [CardLine(f"{{{text}}}", 0, 0)])
    limits = Limits()
    try:
        tokens = Tokenizer(card, Diagnostics(), limits.nesting, items=False).read(0)
        arguments = read_arguments(card, tokens, Diagnostics())
    except BadCard:
        return None
    found: Argument | None = arguments[0] if len(arguments) == 1 else None
    named = [n for n in tokens if n.type == "NAME"]
    calls = [token for token, behind in pairwise(tokens) if behind.type == "LPAR"]
    known = all(token in calls or token.text.lower() == "pi" for token in named)
    # a word is a word: RK4, not a parameter of that name
    return found if known and not isinstance(found, Name | Text | Point | None) else None  # type: ignore[return-value]
