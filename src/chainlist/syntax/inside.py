"""The inside of a card: tokens → arguments, by the grammar in `grammar.lark`."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from importlib import resources
from typing import Any

from lark import Lark, Transformer, UnexpectedToken
from lark.lexer import Lexer

from chainlist.syntax import tree
from chainlist.syntax.cards import Card
from chainlist.syntax.diagnostics import Report
from chainlist.syntax.source import Span
from chainlist.syntax.tokens import BadCard, Token


class _Ready(Lexer):
    """Hands on tokens that are already there."""

    def __init__(self, _: Any):
        pass

    def lex(self, tokens: Any) -> Any:  # type: ignore[override]
        return iter(tokens)


def _join(children: list[Any]) -> Span:
    span: Span = children[0].span.to(children[-1].span)
    return span


class _Build(Transformer[Any, Any]):
    """One method for each rule of the grammar; children are nodes and tokens in the order of the text."""

    def start(self, children: list[Any]) -> tuple[tree.Argument, ...]:
        return tuple(child for child in children if not isinstance(child, Token))

    def number(self, children: list[Any]) -> tree.Expr:
        return tree.Number(children[0].text, children[0].unit, children[0].span)

    def name(self, children: list[Any]) -> tree.Expr:
        return tree.Name(children[0].text, children[0].span)

    def text(self, children: list[Any]) -> tree.Argument:
        return tree.Text(children[0].text, children[0].span)

    def setting(self, children: list[Any]) -> tree.Argument:
        return tree.Setting(tree.Name(children[0].text, children[0].span), children[2], _join(children))

    def equation(self, children: list[Any]) -> tree.Argument:
        return tree.Equation(children[0], children[2], _join(children))

    def text_setting(self, children: list[Any]) -> tree.Argument:
        return self.setting([*children[:2], self.text(children[2:])])

    def together(self, children: list[Any]) -> tree.Argument:
        return tree.Together(self.start(children), _join(children))  # type: ignore[arg-type]

    def sign(self, children: list[Any]) -> Token:
        token: Token = children[0]
        return token

    scale = sign

    def total(self, children: list[Any]) -> tree.Expr:
        if len(children) == 1:
            return children[0]  # type: ignore[no-any-return]
        return tree.Sum(tuple(children[::2]), tuple(t.text for t in children[1::2]), _join(children))

    def product(self, children: list[Any]) -> tree.Expr:
        if len(children) == 1:
            return children[0]  # type: ignore[no-any-return]
        return tree.Product(tuple(children[::2]), tuple(t.text for t in children[1::2]), _join(children))

    def power(self, children: list[Any]) -> tree.Expr:
        if len(children) == 1:
            return children[0]  # type: ignore[no-any-return]
        return tree.Power(tuple(children[::2]), _join(children))

    def signed(self, children: list[Any]) -> tree.Expr:
        return tree.Signed("".join(t.text for t in children[:-1]), children[-1], _join(children))

    def logic(self, children: list[Any]) -> tree.Expr:
        if len(children) == 1:
            return children[0]  # type: ignore[no-any-return]
        return tree.Logic(children[1].text.lower(), tuple(children[::2]), _join(children))

    def denial(self, children: list[Any]) -> tree.Expr:
        return tree.Not(children[1], _join(children))

    def comparison(self, children: list[Any]) -> tree.Expr:
        if len(children) == 1:
            return children[0]  # type: ignore[no-any-return]
        return tree.Comparison(children[0], children[1].text, children[2], _join(children))

    def group(self, children: list[Any]) -> tree.Expr:
        return tree.Group(children[1], _join(children))

    def braces(self, children: list[Any]) -> tree.Expr:
        return tree.Braces(children[1], _join(children))

    def point(self, children: list[Any]) -> tree.Expr:
        return tree.Point(tuple(children[1:-1:2]), _join(children))

    def call(self, children: list[Any]) -> tree.Expr:
        function = tree.Name(children[0].text, children[0].span)
        return tree.Call(function, tuple(children[2:-1:2]), _join(children))


@cache
def _parser() -> Lark:
    grammar = resources.files("chainlist.syntax").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer=_Ready, transformer=_Build(), maybe_placeholders=False)


def read_arguments(card: Card, tokens: list[Token], report: Report) -> tuple[tree.Argument, ...]:
    """The arguments that the tokens spell; raises `BadCard` after reporting what is wrong."""
    try:
        arguments: tuple[tree.Argument, ...] = _parser().parse(tokens)  # type: ignore[assignment]
    except UnexpectedToken as error:
        _explain(card, tokens, error, report)
        raise BadCard from None
    return arguments


# The functions of expressions, which the model computes (`model/evaluate.py`).
FUNCTION_NAMES = frozenset("sin cos tan asin acos atan atan2 sqrt exp log abs min max".split())
_OPERATORS = {"PLUS", "MINUS", "STAR", "SLASH", "POWER"}
_VALUES = {"NUMBER", "NAME", "RPAR", "RBRACE"}  # what an operand may end with
_ENDS_COMPARISON = {"COMMA", "AND", "OR", "NOT"}  # at the same depth of brackets
_OPERANDS = {"NUMBER", "NAME", "TEXT", "LPAR", "LBRACE", "QUOTE"}


def _explain(card: Card, tokens: list[Token], error: UnexpectedToken, report: Report) -> None:
    """Say what stands where the grammar cannot go on, in words of a chainlist."""
    token: Any = error.token
    if token.type == "$END":
        end = card.whole.stop
        last = Span(card.source, max(card.whole.start, end - 1), end)
        what = tokens[-1].text if tokens else ""
        report.add("E116", f"a value is missing behind `{what}`", last, label="the statement ends here", help="add it")
        return
    at = next(i for i, t in enumerate(tokens) if t is token)
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
            help="comparisons are < <= > >=; whether two values agree up to rounding is written abs(a-b)<1E-9",
        )
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


def _chained(tokens: list[Token], at: int, report: Report) -> None:
    """`1<x<2`: the grammar stumbles over the second sign of comparison."""
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


def _comma_missing(before: Token, token: Token, behind: list[Token], report: Report) -> None:
    """Two values beside one another between brackets; behind the name of a function it is the bracket that is missing."""
    opens = token.type in ("LPAR", "LBRACE") or (token.type == "NAME" and behind and behind[0].type == "LPAR")
    right = token.span.text + ("…" if opens else "")
    left = ("…" if before.type in ("RPAR", "RBRACE") else "") + before.span.text
    label = f"a comma is missing before `{token.span.text}`"
    help = f"separate the values with commas: `{left},{right}`"
    if before.type == "NAME" and before.text.lower() in FUNCTION_NAMES:
        label = f"{before.text} is a function"
        help = f"its argument stands in brackets: write `{before.text}({right})`"
    report.add("E114", "between brackets a comma is required", token.span, label=label, help=help)


def _operator_apart(token: Token, before: Token | None) -> Token | None:
    """The operator that a space parts from one of its operands, if the grammar stumbled over one."""
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
