"""One shape for one meaning: entities that are written with bare numbers in a row."""

from __future__ import annotations

from chainlist.syntax import tree
from chainlist.syntax.source import Span


def _is_scalar(argument: tree.Argument) -> bool:
    return isinstance(
        argument,
        tree.Number | tree.Name | tree.Signed | tree.Sum | tree.Product | tree.Power | tree.Group | tree.Braces,
    ) or (isinstance(argument, tree.Call) and argument.function.key != "line")


def canonical(name: tree.Name, arguments: tuple[tree.Argument, ...]) -> tuple[tree.Argument, ...]:
    """`B1 x y mass` is read as `B1 (x,y) mass`, `S1 B1 a b c` as `S1 B1 LINE(a,b,c)`: one shape for one meaning."""
    letter = name.text[0].upper()
    if letter == "B" and len(arguments) >= 3 and all(_is_scalar(a) for a in arguments[:3]):
        x, y = arguments[:2]
        return (tree.Point((x, y), x.span.to(y.span)), *arguments[2:])  # type: ignore[arg-type]
    apart = len(arguments) > 4 and isinstance(arguments[1], tree.Name) and arguments[1].key == "line"  # LINE 0 1 0
    if letter == "S" and len(arguments) >= 4 and all(_is_scalar(a) for a in arguments[1:4]) and not apart:
        k = arguments[1:4]
        line = tree.Name("LINE", Span(k[0].span.source, k[0].span.start, k[0].span.start))
        return (arguments[0], tree.Call(line, k, k[0].span.to(k[2].span)), *arguments[4:])  # type: ignore[arg-type]
    return arguments
