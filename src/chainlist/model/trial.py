"""A card that has whatever is asked for: what a type of element reads is tried out when it is registered.

It finds kinds of units and places that there are not, and readers that return nothing. What the type makes of the words is
not looked at: they mean nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import NoReturn

from chainlist.elements.base import Card, ElementType, Reading
from chainlist.formula import Constant, End, Formula
from chainlist.formula.analysis import Place
from chainlist.model.places import check_place_name
from chainlist.model.units import UnknownKind, check_kind


class _GivenUp(Exception):
    """The type does not like the words."""


def try_reading(kind: ElementType) -> None:
    """Raise `ValueError` where the type asks for a kind of unit or a place that there is not, or returns no `Reading`."""
    for dimension in (2, 3):
        try:
            reading: object = kind.read(_TrialCard(dimension))
        except UnknownKind:
            raise
        except Exception:  # the words mean nothing: what else goes wrong is told where a true card is read
            continue
        check_reading(kind, reading)


def check_reading(kind: ElementType, reading: object) -> None:
    """Raise `ValueError` where a type reads nothing."""
    if not isinstance(reading, Reading):
        code = getattr(kind.read, "__code__", None)
        line = f" (line {code.co_firstlineno})" if code else ""
        raise ValueError(
            f"{kind.name}: its reader{line} returns {reading!r}, and a Reading is wanted: return Reading(…)"
        )


class _TrialCard(Card):
    """Implements `elements.base.Card`. Named words are all there, keywords and words that stand alone are not."""

    def __init__(self, dimension: int):
        self._dimension = dimension
        self._bodies = 0

    @property
    def name(self) -> str:
        return "trial"

    @property
    def dimension(self) -> int:
        return self._dimension

    def body(self) -> End:
        self._bodies += 1
        return f"B{self._bodies}"

    def end(self) -> End:
        return self.body()

    def ends(self, least: int = 2, most: int | None = None, but: Collection[str] = ()) -> tuple[End, ...]:
        return tuple(self.body() for _ in range(least))

    def link(self) -> str:
        return "C1"

    def number(self, want: str = "number") -> float:
        check_kind(want)
        return 1.0

    def numbers(self, function: str, *wants: str) -> tuple[float, ...]:
        return tuple(self.number(want) for want in wants)

    def expressions(self, function: str, place: Place, *wants: str) -> tuple[Formula, ...]:
        return tuple(self.expression(place, want) for want in wants)

    def at_end(self) -> bool:
        return False

    def at_vector(self) -> bool:
        return False

    def named(self, key: str, want: str = "number") -> float | None:
        return self.number(want)

    def named_numbers(self, key: str, want: str = "number") -> tuple[float, ...] | None:
        return (self.number(want),) * self._dimension

    def expression(self, place: Place = "motion", want: str = "number") -> Formula:
        check_place_name(place)
        return Constant(self.number(want))

    def named_expression(self, key: str, place: Place = "motion", want: str = "number") -> Formula | None:
        return self.expression(place, want)

    def equation(self, place: Place = "positions", want: str = "number") -> Formula:
        return self.expression(place, want)

    def vector(self, place: Place = "motion", want: str = "number") -> tuple[Formula, ...]:
        return (self.expression(place, want),) * self._dimension

    def word(self, *choices: str) -> str | None:
        return None

    @property
    def read_so_far(self) -> str:
        return self.name

    def peek_text(self) -> str:
        return ""

    def peek_name(self) -> str | None:
        return None

    def peek_call(self) -> str | None:
        return None

    def peek_point(self) -> bool:
        return False

    def count_inside(self) -> int:
        return 0

    def points_inside(self) -> bool:
        return False

    @contextmanager
    def inside(self, name: str) -> Iterator[None]:
        yield

    def links_inside(self) -> bool:
        return False

    def points_of(self, name: str, lowest: int, highest: int | None = None) -> tuple[End, ...]:
        return self.ends(lowest)

    def refuse(self, message: str, help: str = "", *, lacking: bool = False) -> None:
        """Read on: what follows may ask for units as well."""

    def fail(self, message: str, help: str = "", *, lacking: bool = False) -> NoReturn:
        raise _GivenUp
