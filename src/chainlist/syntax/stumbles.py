"""What stands where an argument cannot go on, and what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise

from chainlist.syntax.cards import CardText
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.letters import si_scale, without_unit
from chainlist.syntax.source import Span
from chainlist.syntax.tokens import Token
from chainlist.syntax.vocabulary import CONDITION_KEYS, FUNCTION_NAMES, SCALES, UNIT_NAMES

_OPERATORS = {"PLUS", "MINUS", "STAR", "SLASH", "POWER"}
_VALUES = {"NUMBER", "NAME", "RPAR", "RBRACE"}  # what an operand may end with
_ENDS_COMPARISON = {"COMMA", "AND", "OR", "NOT"}  # at the same depth of brackets
_OPERANDS = {"NUMBER", "NAME", "TEXT", "LPAR", "LBRACE", "QUOTE"}


def explain(card: CardText, tokens: list[Token], at: int, report: Diagnostics) -> None:
    """Say what stands where an argument cannot go on, in words of a chainlist."""
    if at == len(tokens):
        end = card.whole.stop
        last = Span(card.source, max(card.whole.start, end - 1), end)
        what = tokens[-1].text if tokens else ""
        report.add("E116", f"a value is missing behind `{what}`", last, label="the statement ends here", help="add it")
        return
    token = tokens[at]
    before = tokens[at - 1] if at else None
    inside = _open_bracket(tokens[:at])
    apart = _operator_apart(token, before)
    if apart is not None:
        report.add(
            "E117",
            "outside brackets a space ends an expression",
            apart.span,
            label="a space stands beside this operator",
            help="write it without spaces, or between braces: {a + b}",
        )
    elif token.type == "COMPARE" and inside and before is not None and before.type in _VALUES:
        _chained(tokens, at, report)
    elif before is not None and _is_product(before, token, inside):
        help = f"write `{before.text}*{before.unit}(…)`"
        label = "a number directly before a bracket"
        report.add("E114", "a product needs its sign", before.span.to(token.span), label=label, help=help)
    elif token.type in _OPERANDS and before is not None and inside:
        left = _written(card, tokens[_edge(tokens, at - 1, -1) : at])
        _comma_missing(before, token, tokens[at + 1 : at + 2], left, report)
    elif token.type in _OPERANDS and before is not None:
        help = f"put a space before `{token.span.text}`"
        report.add("E118", "a space is missing between two arguments", token.span, help=help)
    elif token.type == "EQUAL" and inside:
        report.add(
            "E119",
            "`=` compares nothing",
            token.span,
            label="inside brackets",
            help=_surface(card, token)
            or _named_coordinates(card, token)
            or _two_sides(card)
            or _comparison(card, tokens, at),
        )
    elif token.type == "EQUAL" and before is not None and before.type == "EQUAL":
        help = "write a single `=`"
        report.add("E119", "`==` has no meaning here", before.span.to(token.span), label="one sign too many", help=help)
    elif token.type == "EQUAL":
        report.add(
            "E119",
            "`=` needs the name of a setting before it",
            token.span,
            label="no name before this",
            help=_two_sides(card) or _bare_condition(tokens, at) or "write key=value, as in LENGTH=0.5",
        )
    else:
        shown = "here" if token.type == "SEP" else f"before `{token.text}`"
        at_span = before.span if token.type == "SEP" and before else token.span
        report.add(
            "E116",
            f"a value is missing {shown}",
            at_span,
            label="expected a number, a name or a bracket",
            help="add it",
        )


def _is_product(before: Token, token: Token, inside: bool) -> bool:
    """`2sin(x)`, and between brackets `2(x+1)`: a number directly before a bracket."""
    glued = before.type == "NUMBER" and token.type == "LPAR" and before.span.stop == token.span.start
    return glued and (inside or bool(before.unit))


def _chained(tokens: list[Token], at: int, report: Diagnostics) -> None:
    """`1<x<2`: reading stumbles over the second sign of comparison."""
    first = _edge(tokens, at - 1, -1)
    middle = _edge(tokens, at - 1, -1, {"COMPARE"}) - 1
    last = _edge(tokens, at + 1, 1)
    left, between, right = (
        "".join(t.span.text for t in part)
        for part in (tokens[first:middle], tokens[middle + 1 : at], tokens[at + 1 : last + 1])
    )
    cure = f"{left}{tokens[middle].text}{between} and {between}{tokens[at].text}{right}"
    report.add(
        "E120",
        "comparisons do not chain",
        tokens[at].span,
        label="a second comparison of the same value",
        help=f"write `{cure}`",
    )


def _edge(tokens: list[Token], at: int, step: int, ends: Collection[str] = _ENDS_COMPARISON) -> int:
    """The last token in one direction, from `at` on, before one of `ends` or a bracket around it."""
    depth = 0
    while 0 <= at < len(tokens):
        kind = tokens[at].type
        depth += step * ((kind in ("LPAR", "LBRACE")) - (kind in ("RPAR", "RBRACE")))
        if depth < 0 or (depth == 0 and kind in ends):
            break
        at += step
    return at - step


def _whole_unit(token: Token) -> str:
    """The unit that begins with a token: `N/mm`, where other units, their powers and signs stand directly behind it."""
    unit = re.match(
        r"[A-Za-z]\w*(?:\*\*\d+)?(?:[*/][A-Za-z]\w*(?:\*\*\d+)?)*", token.span.source.text[token.span.start :]
    )
    return unit[0] if unit and si_scale(unit[0]) is not None else token.text


def _comma_missing(before: Token, token: Token, behind: list[Token], value: str, report: Diagnostics) -> None:
    """Two values beside one another between brackets; behind the name of a function it is the bracket that is missing.

    `value` is the whole of what stands before the second one.
    """
    opens = token.type in ("LPAR", "LBRACE") or (token.type == "NAME" and behind and behind[0].type == "LPAR")
    right = token.span.text + ("…" if opens else "")
    left = ("…" if before.type in ("RPAR", "RBRACE") else "") + before.span.text
    label = f"a comma is missing before `{token.span.text}`"
    help = f"separate the values with commas: `{left},{right}`"
    if before.type == "NAME" and before.text.lower() in _MEASURES and _is_param(before):
        label = f"{before.text} belongs to a measure of its own"
        meant = re.match(r"[^{}\n]*", before.span.source.text[before.span.start :])
        help = f"measure it first: .meas m1 {meant[0].strip() if meant else right}; then compute with m1: PARAM {{m1}}"
    elif {before.text.lower(), token.text.lower()} & {"if", "then", "else"}:
        label = "if is a function"
        help = _choice(token)
    elif before.type == "NAME" and before.text.lower() in FUNCTION_NAMES:
        label = f"{before.text} is a function"
        help = f"its argument stands in brackets: write `{before.text}({right})`"
    elif before.type != "NUMBER" and not opens and token.text in (*UNIT_NAMES, *SCALES):
        help = f"{without_unit(value, _whole_unit(token))}; two values are separated by a comma"
    elif before.type in ("NAME", "NUMBER") and opens and token.text.lower() in FUNCTION_NAMES:
        help = f"a product needs its sign: `{left}*{right}`; two values are separated by a comma"
    elif before.type == "NUMBER" and not before.unit and token.type == "NAME" and not opens:
        if (unit := _whole_unit(token)) not in UNIT_NAMES and (scale := si_scale(unit)) is not None:
            rule = "turns a minute are written in radians a second" if unit == "rpm" else "there are no compound units"
            help = f"{rule}: write `{before.span.text}{scale}`; two values are separated by a comma"
        elif token.text in UNIT_NAMES:
            help = f"a unit stands directly behind its number: `{left}{right}`; two values are separated by a comma"
        else:
            help = f"a product needs its sign: `{left}*{right}`; two values are separated by a comma"
    report.add("E114", "between brackets a comma is required", token.span, label=label, help=help)


def _choice(token: Token) -> str:
    """The cure: the function `if` for `if a then b else c` and `b if a else c`, where such words stand around the token."""
    text = token.span.source.text
    begin = max(text.rfind(mark, 0, token.span.stop) for mark in "{\n") + 1
    line = re.match(r"[^{}\n]*", text[begin:])
    words = line[0].strip() if line else ""
    if found := _IF_THEN.fullmatch(words):
        condition, value, other = found[1], found[2], found[3]
    elif found := _IF_BEHIND.fullmatch(words):
        condition, value, other = found[2], found[1], found[3]
    else:
        return _HOLDS + "if(time>1,1,0)"
    if not value:
        return f"a condition stands alone: write {condition}; a choice between two values is if({condition},1,0)"
    return _HOLDS + f"if({condition},{value},{other or '0'})"


_HOLDS = "between its brackets stand a condition, the value where it holds, and the other one: write "
_IF_THEN = re.compile(r"if\b\s*([^,]*?)\s+then\b\s*([^,]*?)\s*(?:\belse\b\s*([^,]*))?", re.IGNORECASE)
_IF_BEHIND = re.compile(r"([^,]+?)\s+if\s+([^,]*?)\s+else\s+([^,]*)", re.IGNORECASE)


def _is_param(token: Token) -> bool:
    """Whether a word stands in `.meas name PARAM {…}`."""
    text = token.span.source.text
    line = text[text.rfind("\n", 0, token.span.start) + 1 : token.span.start]
    return re.match(r"\s*\.meas\s+\w+\s+param\b", line, re.IGNORECASE) is not None


_MEASURES = ("find", "max", "min", "pp", "avg", "rms", "integ", "period")


def _surface(card: CardText, equal: Token) -> str:
    """The cure for LINE(y=0) and PLANE(z=0), "" for other equations."""
    found = _SURFACE.search(card.text)
    if found is None or not found.start() < equal.start < found.end():
        return ""
    meant = "LINE(k1,k2,konst) stands for k1*x+k2*y=konst, PLANE(a,b,c,d) of space for a*x+b*y+c*z=d"
    direction = _DIRECTIONS.get(found[2].strip().lower())
    if direction is None or re.search(r"[xyz=]", found[3], re.IGNORECASE) is not None:
        return f"{meant}: y=0 is LINE(0,1,0), z=0 is PLANE(0,0,1,0)"
    line, plane = f"LINE({direction[:3]},{found[3].strip()})", f"PLANE({direction},{found[3].strip()})"
    if found[1].upper() == "PLANE" or direction == "0,0,1":
        return f"{meant}: write {plane}"
    return f"{meant}: write {line}, in space {plane}"


_SURFACE = re.compile(r"\b(LINE|PLANE)\s*\(([^=()]*)=([^()]*(?:\([^()]*\)[^()]*)*)\)", re.IGNORECASE)
_DIRECTIONS = {"x": "1,0,0", "y": "0,1,0", "z": "0,0,1"}


def _named_coordinates(card: CardText, equal: Token) -> str:
    """The cure for (x=1,y=2), "" for other equations."""
    for found in _COORDINATES.finditer(card.text):
        if found.start() < equal.start < found.end():
            place = ",".join(one for one in found.groups() if one is not None)
            return f"coordinates have no names, x is the first: write ({place})"
    return ""


_COORDINATES = re.compile(
    r"(?<!\w)\(\s*x\s*=\s*([^,()=]+?)\s*,\s*y\s*=\s*([^,()=]+?)\s*(?:,\s*z\s*=\s*([^,()=]+?)\s*)?\)", re.IGNORECASE
)


def _two_sides(card: CardText) -> str:
    """The cure for an equation of G or N that has not braces around each of its sides, "" for other cards."""
    found = _EQUATION.fullmatch(card.text)
    if found is None:
        return ""
    left, right = (_bare(found[side]) for side in (2, 3))
    return f"each side has braces of its own: write {found[1]} {{{left}}}={{{right}}}" if left and right else ""


_EQUATION = re.compile(r"\s*([GN]\w*)\s+([^=]+)=([^=]+)", re.IGNORECASE | re.DOTALL)


def _bare(side: str) -> str:
    """One side of an equation without the braces that were put around it, or around the whole."""
    return side.strip().removeprefix("{").removesuffix("}").strip()


def _comparison(card: CardText, tokens: list[Token], at: int) -> str:
    """What compares in place of `=`; where a moment is wanted, two values that agree up to rounding are never met."""
    last = at + 1 if at + 1 < len(tokens) and tokens[at + 1].type == "EQUAL" else at  # `==`
    left = _written(card, tokens[_edge(tokens, at - 1, -1) : at])
    right = _written(card, tokens[last + 1 : _edge(tokens, last + 1, 1) + 1])
    if not left or not right:
        return "comparisons are < <= > >="
    if _waits(card, tokens[:at]):
        return (
            f"a run meets no exact value, but it finds where one is passed: write {left}>={right}, or {left}<={right}"
        )
    apart = left if right == "0" else f"{left}-{_grouped(right)}"
    return f"comparisons are < <= > >=; whether two values agree up to rounding is written abs({apart})<1E-9"


def _waits(card: CardText, before: list[Token]) -> bool:
    """Whether these tokens lead into a condition that a run waits for: of .stop, CUT= and the like."""
    keys = (one.text.lower() for one, next in pairwise(before) if next.type == "EQUAL")
    return card.text.lower().startswith(".stop") or any(key in CONDITION_KEYS for key in keys)


def _bare_condition(tokens: list[Token], at: int) -> str:
    """The cure for CUT=time=1, "" where the first `=` is not behind such a key."""
    if at < 3 or tokens[at - 2].type != "EQUAL" or tokens[at - 3].text.lower() not in CONDITION_KEYS:
        return ""
    right = tokens[at + 1].span.text if at + 1 < len(tokens) else "1"
    return f"a condition stands between braces and compares: write {tokens[at - 3].text}={{{tokens[at - 1].span.text}>={right}}}"


def _written(card: CardText, tokens: list[Token]) -> str:
    return card.text[tokens[0].start : tokens[-1].start + len(tokens[-1].span.text)] if tokens else ""


def _grouped(text: str) -> str:
    """A sum behind a minus sign needs its brackets."""
    return f"({text})" if re.search(r"[-+]", text) else text


def _operator_apart(token: Token, before: Token | None) -> Token | None:
    """The operator that a space parts from one of its operands, if reading stumbled over one."""
    if before is None:
        return None
    if token.type == "SEP" and before.type in _OPERATORS:
        return before
    return token if before.type == "SEP" and token.type in _OPERATORS else None


def _open_bracket(tokens: list[Token]) -> bool:
    depth = 0
    for token in tokens:
        depth += (token.type in ("LPAR", "LBRACE")) - (token.type in ("RPAR", "RBRACE"))
    return depth > 0
