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

from chainlist.syntax import tree
from chainlist.syntax.cards import CardText
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.source import Span
from chainlist.syntax.stumbles import explain
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
        explain(card, tokens, error.at, report)
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
