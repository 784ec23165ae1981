"""What a type of constraint must provide, and the table of all types.

To add one, write a file like `slider.py`:

1. `read(card)` takes the words of the entity from left to right and returns what it holds on to (`ends`) and its numbers;
2. `parameters(values, points)` turns these, and the positions of the ends, into the numbers of one row `s.par[k]`;
3. `row(k, s, w, t, q, v)` is a kernel: it fills `w.phi[k]` with Φ, `w.J[k, e*DIM + c]` with the derivative of Φ by
   coordinate c of end e, and `w.b[k]` with −(A v)_q v. Points are rows of q and v: `s.point[k, e]`;
4. `register(ConstraintType(…))`, and a line in `constraints/__init__.py`.

The tests find a registered type by themselves and compare A and b with finite differences of Φ.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from chainlist.formula import End, Formula, Point
from chainlist.formula.analysis import Place

__all__ = ["REGISTRY", "Card", "ConstraintType", "End", "Point", "Reading", "register", "shortest"]


class Card(Protocol):
    """The words of one entity, taken from left to right. Each method reports what is wrong by itself.

    `want` is the unit that a single number may have: "length", "time", "mass", "angle" … or "number". `place` says what an
    expression may use: nothing that moves, the time, also positions, also velocities, also forces (in conditions).
    """

    def body(self) -> End:
        """The next word, which must be the name of a body."""

    def end(self) -> End:
        """The next word: the name of a body, a point (an anchor), or a point whose coordinates are expressions in time."""

    def ends(self, least: int = 2, most: int | None = None, but: Collection[str] = ()) -> tuple[End, ...]:
        """All bodies and points that follow; a name in `but` is a keyword and no body."""

    def link(self) -> str:
        """The next word, the name of a link or of a rigid body; whether it exists is known when all is built."""

    def number(self, want: str = "number") -> float:
        """The next word, a number."""

    def numbers(self, function: str, *wants: str) -> tuple[float, ...]:
        """The next word `FUNCTION(a,b,…)`, or the bare numbers a b …"""

    def named(self, key: str, want: str = "number") -> float | None:
        """The value of `key=value`, None where it is not given."""

    def expression(self, place: Place = "motion", want: str = "number") -> Formula:
        """The next word, an expression; a `Constant` where nothing in it moves."""

    def named_expression(self, key: str, place: Place = "motion", want: str = "number") -> Formula | None:
        """The expression of `key={…}`, None where it is not given."""

    def equation(self, place: Place = "positions", want: str = "number") -> Formula:
        """The next word `{a}` or `{a}={b}`: the formula that is to be zero."""

    def vector(self, place: Place = "motion", want: str = "number") -> tuple[Formula, ...]:
        """The next word `({x},{y})`."""

    def word(self, *choices: str) -> str | None:
        """The next word if it is one of these keywords, which is then taken; else None."""

    def peek_name(self) -> str | None:
        """The next word if it is a name; it is not taken."""

    def peek_call(self) -> str | None:
        """The name in lower case of the next word if it is a call such as `LINE(…)`; it is not taken."""

    def peek_point(self) -> bool:
        """Whether the next word is a point; it is not taken."""

    def count_inside(self) -> int:
        """How many arguments the next word has if it is a call, else 0."""

    def inside(self, name: str) -> AbstractContextManager[None]:
        """`with card.inside("CIRCLE"):` reads the arguments of the next word `CIRCLE(…)`; all of them must be taken."""

    def points_of(self, name: str, lowest: int, highest: int | None = None) -> tuple[End, ...]:
        """The next word `NAME(P,P,…)`: bodies and points."""

    def fail(self, message: str, help: str = "") -> NoReturn:
        """Report an error at this entity and give it up."""


@dataclass(frozen=True)
class Reading:
    """What `read` found: the ends in the order of the text, and the numbers as written (None: not given)."""

    ends: tuple[End, ...]
    values: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class ConstraintType:
    letter: str  # first letter of the entity's name
    name: str  # what messages call it
    syntax: str  # shown in error messages and in the manual
    meaning: str  # one line
    read: Callable[[Card], Reading]
    parameters: Callable[[tuple[float | None, ...], tuple[Point, ...]], tuple[float, ...]]
    row: Callable[..., Any]
    ends: int = 2  # how many points a row holds on to
    # 1: TENSION is positive where the constraint pushes its first end towards growing Φ; −1: where it pulls it back.
    tension_sign: float = 1.0
    # Constant factor of a row that makes its multiplier a force; None: there is none, the length of the row changes.
    force_scale: Callable[[tuple[float, ...]], float] | None = None
    # The length that residuals are compared with; None: the longest link of the mechanism.
    length: Callable[[tuple[float, ...]], float] | None = None
    # The values after the points moved by x -> rotation·x + shift (a submachine being placed); None: they stay.
    moved: Callable[[tuple[float | None, ...], tuple[Point, ...], Point], tuple[float | None, ...]] | None = None
    # The words behind the ends that read back to the same parameters, given the positions of the ends; None: those of the
    # card, with all numbers computed (not for a type whose values may have `moved`).
    write: Callable[[tuple[float, ...], tuple[Point, ...]], str] | None = None


def shortest(number: float) -> str:
    """The shortest text that reads back to the same bits: 0.2, 1, 1E-9."""
    mantissa, _, exponent = repr(float(number)).partition("e")
    return f"{mantissa.removesuffix('.0')}E{int(exponent)}" if exponent else mantissa.removesuffix(".0")


REGISTRY: dict[str, ConstraintType] = {}


def register(kind: ConstraintType) -> ConstraintType:
    if len(kind.letter) != 1 or not kind.letter.isalpha() or kind.letter != kind.letter.upper():
        raise ValueError(f"a constraint type needs one capital letter, not {kind.letter!r}")
    if kind.letter in REGISTRY or kind.letter in "BX":
        raise ValueError(f"letter {kind.letter!r} is taken")
    REGISTRY[kind.letter] = kind
    return kind
