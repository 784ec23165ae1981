"""The inside of a card: tokens → arguments, by descent from one rule to those that bind tighter.

    argument    NAME = value | call = value | braces = value | TEXT | " value … " | value
    value       sum
    sum         product (+|- product)…
    product     factor (*|/ factor)…
    factor      [signs] power
    power       atom (** [signs] atom)…
    atom        NUMBER | NAME | NAME(inner,…) | (inner) | (inner,inner,…) | {inner}
    inner       both (or both)…             what stands between brackets: conditions too
    both        condition (and condition)…
    condition   [not] sum [< <= > >= sum]

Where an argument cannot go on, the place of that token says what is wrong. Only brackets lead to calls inside calls, and
`Limits.nesting` bounds them.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from chainlist.syntax import tree
from chainlist.syntax.cards import CardText
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.source import Span
from chainlist.syntax.tokens import BadCard, Token


class _Unexpected(Exception):
    """The token at `at` cannot stand there; behind the last token it is the end that comes too early."""

    def __init__(self, at: int):
        self.at = at


def read_arguments(card: CardText, tokens: list[Token], report: Diagnostics) -> tuple[tree.Argument, ...]:
    """The arguments that the tokens spell; raises `BadCard` after reporting what is wrong."""
    try:
        return _Descent(tokens).arguments() if tokens else ()
    except _Unexpected as error:
        _explain(card, tokens, error.at, report)
        raise BadCard from None


class _Descent:
    """One method for each rule; `at` is the token that comes next, `type` its type."""

    def __init__(self, tokens: list[Token]):
        self.tokens = tokens
        self.at = 0
        self.type = tokens[0].type

    def take(self) -> Token:
        """The next token; the one behind it comes next."""
        at = self.at
        self.at = at + 1
        self.type = self.tokens[at + 1].type if at + 1 < len(self.tokens) else ""
        return self.tokens[at]

    def expect(self, kind: str) -> Token:
        if self.type != kind:
            raise _Unexpected(self.at)
        return self.take()

    def arguments(self) -> tuple[tree.Argument, ...]:
        found = [self.argument()]
        while self.type == "SEP":
            self.take()
            found.append(self.argument())
        if self.type:
            raise _Unexpected(self.at)
        return tuple(found)

    def argument(self) -> tree.Argument:
        if self.type == "TEXT":
            return self.text()
        if self.type == "QUOTE":
            return self.together()
        if self.type == "NAME" and self.at + 1 < len(self.tokens) and self.tokens[self.at + 1].type == "EQUAL":
            name = self.take()
            self.take()
            key = tree.Name(name.text, name.span)
            value = self.text() if self.type == "TEXT" else self.sum()
            return tree.Setting(key, value, key.span.to(value.span))
        left = self.sum()
        if self.type == "EQUAL" and isinstance(left, tree.Call | tree.Braces):
            self.take()
            right = self.sum()
            return tree.Equality(left, right, left.span.to(right.span))
        return left

    def text(self) -> tree.Text:
        token = self.take()
        return tree.Text(token.text, token.span)

    def together(self) -> tree.Together:
        opened = self.take()
        items = [self.sum()]
        while self.type == "SEP":
            self.take()
            items.append(self.sum())
        return tree.Together(tuple(items), opened.span.to(self.expect("QUOTE").span))

    def inner(self) -> tree.Expr:
        """What stands between brackets and commas: a sum, or conditions."""
        either: list[tree.Expr] = []
        while True:
            both = [self.condition()]
            while self.type == "AND":
                self.take()
                both.append(self.condition())
            either.append(_joined("and", both))
            if self.type != "OR":
                return _joined("or", either)
            self.take()

    def condition(self) -> tree.Expr:
        denied = self.take() if self.type == "NOT" else None
        found = self.sum()
        if self.type == "COMPARE":
            operator = self.take().text
            right = self.sum()
            found = tree.Comparison(found, operator, right, found.span.to(right.span))
        return found if denied is None else tree.Not(found, denied.span.to(found.span))

    def sum(self) -> tree.Expr:
        terms: list[tree.Expr] = []
        signs: list[str] = []
        while True:
            factors = [self.factor()]
            operators: list[str] = []
            while self.type in _SCALES:
                operators.append(self.take().text)
                factors.append(self.factor())
            terms.append(
                tree.Product(tuple(factors), tuple(operators), factors[0].span.to(factors[-1].span))
                if operators
                else factors[0]
            )
            if self.type not in _SIGNS:
                break
            signs.append(self.take().text)
        return tree.Sum(tuple(terms), tuple(signs), terms[0].span.to(terms[-1].span)) if signs else terms[0]

    def factor(self) -> tree.Expr:
        """A sign before a power is that of the whole power; in an exponent it is that of all that follows it."""
        sign = self.sign() if self.type in _SIGNS else None
        found = self.atom()
        if self.type == "POWER":
            parts = [found]
            while self.type == "POWER":
                self.take()
                inner_sign = self.sign() if self.type in _SIGNS else None
                parts.append(_signed(inner_sign, self.atom()))
            found = tree.Power(tuple(parts), found.span.to(parts[-1].span))
        return _signed(sign, found)

    def sign(self) -> tuple[str, Span]:
        """One or more signs, and the place of the first."""
        first = self.take()
        signs = [first.text]
        while self.type in _SIGNS:
            signs.append(self.take().text)
        return "".join(signs), first.span

    def atom(self) -> tree.Expr:
        kind = self.type
        if kind not in _BEGINS_ATOM:
            raise _Unexpected(self.at)
        token = self.take()
        if kind == "NUMBER":
            return tree.Number(token.text, token.unit, token.span)
        if kind == "LBRACE":
            within = self.inner()
            return tree.Braces(within, token.span.to(self.expect("RBRACE").span))
        if kind == "NAME":
            name = tree.Name(token.text, token.span)
            if self.type != "LPAR":
                return name
            self.take()
        parts = [] if kind == "NAME" and self.type == "RPAR" else [self.inner()]
        while self.type == "COMMA":
            self.take()
            parts.append(self.inner())
        span = token.span.to(self.expect("RPAR").span)
        if kind == "NAME":
            return tree.Call(name, tuple(parts), span)
        return tree.Point(tuple(parts), span) if len(parts) > 1 else tree.Group(parts[0], span)


def _joined(operator: str, parts: list[tree.Expr]) -> tree.Expr:
    if len(parts) == 1:
        return parts[0]
    return tree.Logic(operator, tuple(parts), parts[0].span.to(parts[-1].span))


def _signed(sign: tuple[str, Span] | None, operand: tree.Expr) -> tree.Expr:
    return operand if sign is None else tree.Signed(sign[0], operand, sign[1].to(operand.span))


_SIGNS = {"PLUS", "MINUS"}
_SCALES = {"STAR", "SLASH"}
_BEGINS_ATOM = {"NUMBER", "NAME", "LPAR", "LBRACE"}

# The functions of expressions, which the model computes (`model/evaluate.py`).
FUNCTION_NAMES = frozenset(
    "sin cos tan asin acos atan atan2 sqrt exp log sinh cosh tanh hypot abs min max ramp sign step floor mod if smooth"
    " pulse pwl table spline".split()
)
_OPERATORS = {"PLUS", "MINUS", "STAR", "SLASH", "POWER"}
_VALUES = {"NUMBER", "NAME", "RPAR", "RBRACE"}  # what an operand may end with
_ENDS_COMPARISON = {"COMMA", "AND", "OR", "NOT"}  # at the same depth of brackets
_OPERANDS = {"NUMBER", "NAME", "TEXT", "LPAR", "LBRACE", "QUOTE"}


def _explain(card: CardText, tokens: list[Token], at: int, report: Diagnostics) -> None:
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
        _comma_missing(before, token, tokens[at + 1 : at + 2], report)
    elif token.type in _OPERANDS and before is not None:
        help = f"put a space before `{token.span.text}`"
        report.add("E118", "a space is missing between two arguments", token.span, help=help)
    elif token.type == "EQUAL" and inside:
        report.add(
            "E119",
            "`=` compares nothing",
            token.span,
            label="inside brackets",
            help=_line_by_equation(card, token)
            or _two_sides(card, token)
            or "comparisons are < <= > >=; whether two values agree up to rounding is written abs(a-b)<1E-9",
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
            help="write key=value, as in LENGTH=0.5",
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


def _comma_missing(before: Token, token: Token, behind: list[Token], report: Diagnostics) -> None:
    """Two values beside one another between brackets; behind the name of a function it is the bracket that is missing."""
    opens = token.type in ("LPAR", "LBRACE") or (token.type == "NAME" and behind and behind[0].type == "LPAR")
    right = token.span.text + ("…" if opens else "")
    left = ("…" if before.type in ("RPAR", "RBRACE") else "") + before.span.text
    label = f"a comma is missing before `{token.span.text}`"
    help = f"separate the values with commas: `{left},{right}`"
    if before.type == "NAME" and before.text.lower() in _MEASURES and _is_param(before):
        label = f"{before.text} belongs to a measure of its own"
        meant = re.match(r"[^{}\n]*", before.span.source.text[before.span.start :])
        help = f"measure it first: .meas m1 {meant[0].strip() if meant else right}; then compute with m1: PARAM {{m1}}"
    elif before.type == "NAME" and before.text.lower() in FUNCTION_NAMES:
        label = f"{before.text} is a function"
        help = f"its argument stands in brackets: write `{before.text}({right})`"
    elif before.type == "NUMBER" and not before.unit and token.type == "NAME" and len(token.text) <= 3 and not opens:
        help = f"a unit stands directly behind its number: `{left}{right}`; two values are separated by a comma"
    report.add("E114", "between brackets a comma is required", token.span, label=label, help=help)


def _is_param(token: Token) -> bool:
    """Whether a word stands in `.meas name PARAM {…}`."""
    text = token.span.source.text
    line = text[text.rfind("\n", 0, token.span.start) + 1 : token.span.start]
    return re.match(r"\s*\.meas\s+\w+\s+param\b", line, re.IGNORECASE) is not None


_MEASURES = ("find", "max", "min", "pp", "avg", "rms", "integ", "period")


def _line_by_equation(card: CardText, equal: Token) -> str:
    """The cure for LINE(y=0), "" for other equations."""
    found = _LINE.search(card.text)
    if found is None or not found.start() < equal.start < found.end():
        return ""
    numbers = {"x": "1,0", "y": "0,1"}.get(found[1].strip().lower())
    known = numbers is not None and re.search(r"[xy=]", found[2], re.IGNORECASE) is None
    example = f"LINE({numbers},{found[2].strip()})" if known else "y=0 is LINE(0,1,0)"
    return f"LINE(k1,k2,konst) stands for k1*x+k2*y=konst: {'write ' if known else ''}{example}"


def _two_sides(card: CardText, equal: Token) -> str:
    """The cure for an equation of G or N in one pair of braces, "" for other cards."""
    found = _EQUATION.fullmatch(card.text)
    if found is None:
        return ""
    return f"each side has braces of its own: write {found[1]} {{{found[2].strip()}}}={{{found[3].strip()}}}"


_EQUATION = re.compile(r"\s*([GN]\w*)\s+\{([^={}]+)=([^={}]+)\}.*", re.IGNORECASE | re.DOTALL)
_LINE = re.compile(r"\bLINE\s*\(([^=()]*)=([^()]*)\)", re.IGNORECASE)


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
