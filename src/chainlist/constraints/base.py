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

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

Point = tuple[float, ...]
End = str | Point  # the name of a body, or a fixed point


class Card(Protocol):
    """The words of one entity, taken from left to right. Each method reports what is wrong by itself."""

    def body(self) -> End:
        """The next word, which must be the name of a body."""

    def end(self) -> End:
        """The next word: the name of a body, or a point (an anchor)."""

    def number(self, want: str = "number") -> float:
        """The next word, a number; `want` is "length", "time", "mass", "angle" … or "number"."""

    def numbers(self, function: str, *wants: str) -> tuple[float, ...]:
        """The next word `FUNCTION(a,b,…)`, or the bare numbers a b …"""

    def named(self, key: str, want: str = "number") -> float | None:
        """The value of `key=value`, None where it is not given."""

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
