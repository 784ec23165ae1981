"""`...` between two entities: the lines that stand between them.

Of one shape, every number and index moves in equal steps; of another shape (links only), the lower line is counted down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from chainlist.syntax import tree
from chainlist.syntax.diagnostics import Diagnostics, Related
from chainlist.syntax.source import Span

_INDEXED = re.compile(r"(?P<stem>.*?)(?P<index>[0-9]*)$")


class _Misfit(Exception):
    """What stands between the two statements cannot be formed: where, why, and the cure."""

    def __init__(self, span: Span, message: str, help: str):
        self.span, self.message, self.help = span, message, help


def spell_out(statements: tuple[tree.Statement, ...], report: Diagnostics, room: int) -> Iterator[tree.Statement]:
    """The statements without remarks, every ellipsis replaced by the lines it stands for, at most `room` of them."""
    listed = [s for s in statements if not isinstance(s, tree.Remark)]
    for at, statement in enumerate(listed):
        above = listed[at - 1] if at else None
        below = listed[at + 1] if at + 1 < len(listed) else None
        if isinstance(statement, tree.Broken) and statement.span.text.startswith(("..", "…")):
            yield tree.Broken(None, statement.span, _stems(above, below))
            continue
        if not isinstance(statement, tree.Ellipsis):
            yield statement
            continue
        if isinstance(above, tree.Broken) or isinstance(below, tree.Broken):
            found = None
        else:
            found = _between(statement, above, below, report, room)
        if found is None:
            yield tree.Broken(None, statement.span, _stems(above, below))
        for entity in found or ():
            room -= 1
            yield entity


def _stems(*neighbours: tree.Statement | None) -> tuple[str, ...]:
    """The names beside an ellipsis without their indices, in lower case."""
    names = [s.name.key for s in neighbours if isinstance(s, tree.Entity | tree.Broken) and s.name is not None]
    return tuple(dict.fromkeys(name.rstrip("0123456789") for name in names))


def _between(
    dots: tree.Ellipsis, above: tree.Statement | None, below: tree.Statement | None, report: Diagnostics, room: int
) -> list[tree.Entity] | None:
    """The entities that an ellipsis stands for; None after saying why there are none."""
    problem = _neighbour_problem(above, below)
    if problem:
        report.add("E131", f"an ellipsis stands between two entities, but {problem}", dots.span, help=_NEIGHBOURS)
        return None
    assert isinstance(above, tree.Entity) and isinstance(below, tree.Entity)
    seen = [Related(above.span, "the statement above it"), Related(below.span, "the statement below it")]
    try:
        first, last = _index_of(above.name), _index_of(below.name)
        if first.stem.lower() != last.stem.lower():
            raise _Misfit(dots.span, f"`{above.name.text}` and `{below.name.text}` have different stems", _STEMS)
        count = abs(last.number - first.number) - 1
        if above.name.key == below.name.key:
            return None  # a name that is defined twice, which is an error of its own
        if count < 0:
            raise _Misfit(dots.span, f"`{above.name.text}` and `{below.name.text}` have one index", "they must differ")
        if count > room:
            report.add("E101", f"this ellipsis stands for {count:,} statements: too many", dots.span, also=seen)
            return None
        return _lines(dots, above, below, first, last)
    except _Misfit as misfit:
        at = misfit.span
        also = [r for r in seen if r.span != at]
        report.add(
            "E132", f"this ellipsis cannot be spelled out: {misfit.message}", dots.span, help=misfit.help, also=also
        )
    return None


_NEIGHBOURS = "its neighbours must be entities of one type, such as `B1 (0.2,0) 1` above and `B9 (1.8,0) 1` below"
_STEMS = "only the digits at the end may differ: B1 … B9"


def _neighbour_problem(above: tree.Statement | None, below: tree.Statement | None) -> str:
    """What is wrong with the neighbours of an ellipsis, "" if nothing."""
    for side, neighbour in (("above", above), ("below", below)):
        if neighbour is None:
            return f"no statement stands {side} it"
        if isinstance(neighbour, tree.Ellipsis):
            return f"another ellipsis stands {side} it"
        if not isinstance(neighbour, tree.Entity):
            return f"a command stands {side} it"
    assert isinstance(above, tree.Entity) and isinstance(below, tree.Entity)
    letters = above.name.text[0].upper(), below.name.text[0].upper()
    return "" if letters[0] == letters[1] else f"`{above.name.text}` and `{below.name.text}` are of two types"


@dataclass(frozen=True)
class _Index:
    stem: str
    number: int
    width: int  # of an index written with leading zeros, else 0

    def name(self, number: int) -> str:
        return f"{self.stem}{number:0{self.width}d}" if self.width else f"{self.stem}{number}"


def _index_of(name: tree.Name) -> _Index:
    found = _INDEXED.match(name.text)
    assert found is not None
    digits = found["index"]
    if not digits:
        raise _Misfit(name.span, f"`{name.text}` has no index", "a name must end in digits: B1")
    if len(digits) > 15:
        raise _Misfit(name.span, f"the index of `{name.text}` is too long", "use smaller numbers")
    return _Index(found["stem"], int(digits), len(digits) if digits[0] == "0" and len(digits) > 1 else 0)


def _lines(
    dots: tree.Ellipsis, above: tree.Entity, below: tree.Entity, first: _Index, last: _Index
) -> list[tree.Entity]:
    n = abs(last.number - first.number)
    step = 1 if last.number > first.number else -1
    if _shape(above.arguments) == _shape(below.arguments):
        return [
            _entity(
                dots, first.name(first.number + step * k), _blend(above.arguments, below.arguments, k, n, dots.span)
            )
            for k in range(1, n)
        ]
    factor = _hidden_factor(above.arguments, below.arguments)
    if above.name.text[0].upper() != "C" or factor:
        help = "write both with the same arguments; only links may be counted down from another shape"
        raise _Misfit(
            below.span,
            f"`{above.name.text}` and `{below.name.text}` are written in two shapes",
            f"numbers move, and names stay: write {factor}" if factor else help,
        )
    if step < 0:
        raise _Misfit(
            below.span, "links of two shapes are counted down from the lower one", "list them in rising order"
        )
    return [
        _entity(dots, last.name(last.number - k), _count_down(below.arguments, k, dots.span))
        for k in range(n - 1, 0, -1)
    ]


def _entity(dots: tree.Ellipsis, name: str, arguments: tuple[tree.Argument, ...]) -> tree.Entity:
    return tree.Entity(tree.Name(name, dots.span), arguments, (tree.Line(len(arguments)),), dots.span)


_FIXED = ("key", "function")  # names that belong to the shape: they have no index that moves


def _parts(node: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a node that say something."""
    return ((f.name, getattr(node, f.name)) for f in fields(node) if f.name != "span")


def _shape(node: Any) -> Any:
    """What remains of a node when numbers and names are taken out of it: two statements of one shape have it equal."""
    if isinstance(node, tuple):
        return tuple(_shape(part) for part in node)
    if isinstance(node, str):
        return node
    if _literal(node) is not None:
        return "number"
    if isinstance(node, tree.Name):
        return "name"
    inner = (part.key if name in _FIXED else _shape(part) for name, part in _parts(node))
    return (type(node).__name__, *inner)


def _hidden_factor(a: Any, b: Any) -> str:
    """`1*a` for `a`, and `0*a` for `0`, where the other line has `40*a`; "" where nothing of the kind parts them."""
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        return next((found for x, y in zip(a, b, strict=True) if (found := _hidden_factor(x, y))), "")
    for short, long in ((a, b), (b, a)):
        if (like := _like(short, long)) and _shape(long) != _shape(short):
            return f"{like} in place of {short.span.text}"
    if type(a) is type(b) and isinstance(a, tree.Point | tree.Setting | tree.Braces | tree.Group):
        return _hidden_factor(tuple(x for _, x in _parts(a)), tuple(x for _, x in _parts(b)))
    return ""


def _like(short: Any, long: Any) -> str:
    """`-1*a` or `a*-1` for `-a`, `0*a` for `0`, in the manner of a product such as `4*a`; "" where it is none of these."""
    sign = "-" if isinstance(short, tree.Signed) and short.signs.count("-") % 2 else ""
    inner = short.operand if isinstance(short, tree.Signed) else short
    product = long.operand if isinstance(long, tree.Signed) else long
    if not isinstance(product, tree.Product) or len(product.factors) != 2 or product.operators != ("*",):
        return ""
    number = next((i for i, factor in enumerate(product.factors) if _literal(factor) is not None), None)
    if number is None or not isinstance(other := product.factors[1 - number], tree.Name):
        return ""
    zero = isinstance(inner, tree.Number) and _literal(inner) == 0
    if not zero and not (isinstance(inner, tree.Name) and inner.key == other.key):
        return ""
    factor = "0" if zero else "1"
    return f"{sign}{factor}*{other.text}" if number == 0 else f"{other.text}*{sign}{factor}"


def _blend(a: Any, b: Any, k: int, n: int, at: Span) -> Any:
    """What stands k steps of n from a to b, two nodes of one shape."""
    if isinstance(a, tuple):
        return tuple(_blend(x, y, k, n, at) for x, y in zip(a, b, strict=True))
    if isinstance(a, str):
        return a
    low, high = _literal(a), _literal(b)
    if low is not None and high is not None:
        return _number_between(a, b, low, high, k, n, at)
    if isinstance(a, tree.Name):
        return tree.Name(_name_between(a, b, k, n), at)
    inner = {name: part if name in _FIXED else _blend(part, getattr(b, name), k, n, at) for name, part in _parts(a)}
    return type(a)(**inner, span=at)


def _count_down(node: Any, k: int, at: Span) -> Any:
    """A copy of the node with the indices of its names lower by k; numbers stay."""
    if isinstance(node, tuple):
        return tuple(_count_down(part, k, at) for part in node)
    if isinstance(node, str | tree.Number):
        return node
    if isinstance(node, tree.Name):
        if "." in node.text:  # of what is inside an instance, the instance counts
            instance, _, inside = node.text.partition(".")
            counted: tree.Name = _count_down(tree.Name(instance, node.span), k, at)
            return tree.Name(f"{counted.text}.{inside}", at)
        if not node.text[-1].isdigit():
            return node
        index = _index_of(node)
        if index.number < k:
            raise _Misfit(
                node.span, f"`{node.text}` cannot be counted down by {k}", "check the indices of the lower line"
            )
        return tree.Name(index.name(index.number - k), at)
    inner = {name: part if name in _FIXED else _count_down(part, k, at) for name, part in _parts(node)}
    return type(node)(**inner, span=at)


def _literal(node: Any) -> Fraction | None:
    """The exact value of a number, with its signs; None for anything else."""
    if isinstance(node, tree.Signed) and isinstance(node.operand, tree.Number):
        value = _literal(node.operand)
        return value if value is None or node.signs.count("-") % 2 == 0 else -value
    if not isinstance(node, tree.Number):
        return None
    approximate = float(node.text)
    if approximate in (0.0, float("inf")) or len(node.text) > 300:
        # Zero, or too large or too long to be worth an exact value: the place where it is used will complain if it must.
        return Fraction(approximate) if approximate != float("inf") else None
    return Fraction(node.text)


def _unit(node: Any) -> str:
    inner = node.operand if isinstance(node, tree.Signed) else node
    return inner.unit if isinstance(inner, tree.Number) else ""


def _number_between(a: Any, b: Any, low: Fraction, high: Fraction, k: int, n: int, at: Span) -> Any:
    if _unit(a) != _unit(b):
        units = " and ".join(f"`{u}`" if u else "none" for u in (_unit(a), _unit(b)))
        raise _Misfit(b.span, f"the units differ: {units}", "write both numbers with the same unit")
    if low == high:
        return replace(a, span=at)
    value = low + (high - low) * k / n
    number = tree.Number(_decimal(abs(value)), _unit(a), at)
    return number if value >= 0 else tree.Signed("-", number, at)


def _decimal(value: Fraction) -> str:
    """The shortest text that reads as this number: 0.6, not 0.6000000000000001."""
    text = repr(float(value))
    return text.removesuffix(".0").replace("e", "E")


def _name_between(a: tree.Name, b: tree.Name, k: int, n: int) -> str:
    if a.key == b.key:
        return a.text
    if "." in a.text and a.text.count(".") == b.text.count("."):  # X1.B1: each part counts by itself
        parts = zip(a.text.split("."), b.text.split("."), strict=True)
        return ".".join(_name_between(tree.Name(x, a.span), tree.Name(y, b.span), k, n) for x, y in parts)
    low, high = _index_of(a), _index_of(b)
    if low.stem.lower() != high.stem.lower():
        raise _Misfit(b.span, f"`{a.text}` and `{b.text}` have different stems", _STEMS)
    moved = (high.number - low.number) * k
    if moved % n:
        raise _Misfit(
            b.span,
            f"from `{a.text}` to `{b.text}` in {n} steps the indices do not come out whole",
            f"the difference of the indices must be a multiple of {n}",
        )
    return low.name(low.number + moved // n)
