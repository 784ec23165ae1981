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

_IN_SPACE = rf"\((-?){_NUMBER},(-?){_NUMBER},(-?){_NUMBER}\)"
_BODY_IN_SPACE = re.compile(rf"{_NAME} +{_IN_SPACE} +{_NUMBER}")
_ANCHORED_IN_SPACE = re.compile(rf"{_NAME} +{_NAME} +{_IN_SPACE}")

_LAYOUT = (Line(2),)


def plain_entity(text: str, source: Source, origin: int) -> tuple[Entity, int] | None:
    """The entity of a card without continuation and comment that begins at `origin`, and how many tokens it has."""
    first: Expr
    second: Expr
    if not text.endswith(")"):
        found = _LINK.fullmatch(text)
        if found is not None:
            name, one, other = found.groups()
            at = origin + found.start(2)
            first = Name(one, Span(source, at, at + len(one)))
            second = Name(other, Span(source, origin + found.start(3), origin + len(text)))
            tokens = 3
        else:
            found = _BODY.fullmatch(text)
            if found is None:
                return _entity_in_space(text, source, origin)
            name, minus_x, x, minus_y, y, mass = found.groups()
            first = _point(minus_x, x, minus_y, y, source, origin + found.start(2))
            second = Number(mass, "", Span(source, origin + found.start(6), origin + len(text)))
            tokens = 7 + len(minus_x) + len(minus_y)
    else:
        found = _ANCHORED.fullmatch(text)
        if found is None:
            return _entity_in_space(text, source, origin)
        name, one, minus_x, x, minus_y, y = found.groups()
        at = origin + found.start(2)
        first = Name(one, Span(source, at, at + len(one)))
        second = _point(minus_x, x, minus_y, y, source, origin + found.start(3))
        tokens = 7 + len(minus_x) + len(minus_y)
    whole = Span(source, origin, origin + len(text))
    entity = Entity(Name(name, Span(source, origin, origin + len(name))), (first, second), _LAYOUT, whole)
    return entity, tokens


def _entity_in_space(text: str, source: Source, origin: int) -> tuple[Entity, int] | None:
    """The same with three coordinates. It stands apart, so that cards of the plane are not the slower for it."""
    if text.count(",") != 2:
        return None
    first: Expr
    second: Expr
    if found := _BODY_IN_SPACE.fullmatch(text):
        name, *words, mass = found.groups()
        first = _point_in_space(words, source, origin + found.start(2))
        second = Number(mass, "", Span(source, origin + found.start(8), origin + len(text)))
    elif found := _ANCHORED_IN_SPACE.fullmatch(text):
        name, one, *words = found.groups()
        first = Name(one, Span(source, origin + found.start(2), origin + found.end(2)))
        second = _point_in_space(words, source, origin + found.start(3))
    else:
        return None
    whole = Span(source, origin, origin + len(text))
    entity = Entity(Name(name, Span(source, origin, origin + len(name))), (first, second), _LAYOUT, whole)
    return entity, 9 + sum(map(len, words[::2]))


def _point_in_space(words: list[str], source: Source, at: int) -> Point:
    """A point of signs and digits whose first coordinate begins at `at`, just behind the bracket."""
    start = at
    coordinates = []
    for minus, digits in zip(words[::2], words[1::2], strict=True):
        stop = at + len(minus) + len(digits)
        coordinates.append(_number(minus, digits, source, at, stop))
        at = stop + 1
    return Point(tuple(coordinates), Span(source, start - 1, at))


def _point(minus_x: str, x: str, minus_y: str, y: str, source: Source, at: int) -> Point:
    """A point whose first coordinate begins at `at`, just behind the bracket."""
    comma = at + len(minus_x) + len(x)
    first = _number(minus_x, x, source, at, comma)
    stop = comma + 1 + len(minus_y) + len(y)
    return Point((first, _number(minus_y, y, source, comma + 1, stop)), Span(source, at - 1, stop + 1))


def _number(minus: str, digits: str, source: Source, start: int, stop: int) -> Expr:
    if minus:
        return Signed("-", Number(digits, "", Span(source, start + 1, stop)), Span(source, start, stop))
    return Number(digits, "", Span(source, start, stop))
