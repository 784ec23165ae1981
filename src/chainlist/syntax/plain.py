"""Plain cards, read at once: `B1 (0.2,-1) 1`, `C1 B1 B2` and `C1 B1 (0,0)`, without units, names of numbers or settings.

A large chainlist consists of little else. One pattern recognises them, and the nodes are those that tokens and descent
would give (a test holds both against one another); every other card takes that way.
"""

from __future__ import annotations

import re

from chainlist.syntax.source import Source, Span
from chainlist.syntax.tree import Entity, Expr, Line, Name, Number, Point, Signed

_NUMBER = r"((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
_NAME = r"([A-Za-z][A-Za-z0-9_]*)"
_POINT = rf"\((-?){_NUMBER},(-?){_NUMBER}\)"
_BODY = re.compile(rf"{_NAME} +{_POINT} +{_NUMBER}")
_ANCHORED = re.compile(rf"{_NAME} +{_NAME} +{_POINT}")
_LINK = re.compile(rf"{_NAME} +{_NAME} +{_NAME}")

_LAYOUT = (Line(2),)
_TOKENS_OF_POINT = 5  # brackets, comma, numbers


def plain_entity(text: str, source: Source, origin: int) -> tuple[Entity, int] | None:
    """The entity of a card without continuation and comment that begins at `origin`, and how many tokens it has."""
    if not text.endswith(")"):
        found = _LINK.fullmatch(text)
        if found is not None:
            return _entity(found, source, origin, _name(found, 2, source, origin), _name(found, 3, source, origin)), 3
        found = _BODY.fullmatch(text)
        if found is None:
            return None
        point, tokens = _point(found, 2, source, origin)
        at = origin + found.start(6)
        mass = Number(found[6], "", Span(source, at, origin + len(text)))
        return _entity(found, source, origin, point, mass), tokens + 2
    found = _ANCHORED.fullmatch(text)
    if found is None:
        return None
    point, tokens = _point(found, 3, source, origin)
    return _entity(found, source, origin, _name(found, 2, source, origin), point), tokens + 2


def _entity(found: re.Match[str], source: Source, origin: int, first: Expr, second: Expr) -> Entity:
    text = found[1]
    name = Name(text, Span(source, origin, origin + len(text)))
    return Entity(name, (first, second), _LAYOUT, Span(source, origin, origin + found.end()))


def _name(found: re.Match[str], group: int, source: Source, origin: int) -> Name:
    start, stop = found.span(group)
    return Name(found[group], Span(source, origin + start, origin + stop))


def _point(found: re.Match[str], group: int, source: Source, origin: int) -> tuple[Point, int]:
    """The point whose first sign is a group, and how many tokens it has."""
    minus_x, x, minus_y, y = found.group(group, group + 1, group + 2, group + 3)
    at = origin + found.start(group)
    start = at - 1
    first: Expr
    second: Expr
    tokens = _TOKENS_OF_POINT
    if minus_x:
        first = Signed("-", Number(x, "", Span(source, at + 1, at + 1 + len(x))), Span(source, at, at + 1 + len(x)))
        at += 2 + len(x)
        tokens += 1
    else:
        first = Number(x, "", Span(source, at, at + len(x)))
        at += 1 + len(x)
    if minus_y:
        second = Signed("-", Number(y, "", Span(source, at + 1, at + 1 + len(y))), Span(source, at, at + 1 + len(y)))
        at += 2 + len(y)
        tokens += 1
    else:
        second = Number(y, "", Span(source, at, at + len(y)))
        at += 1 + len(y)
    return Point((first, second), Span(source, start, at)), tokens
