"""What a claim is, and what measuring it gives: figures with their tolerances, tables, drawings and verdicts.

Each claim is one file `claim_NN.py` with a `CLAIM`. Its `measure` runs the mechanisms and returns a `Measured`; the
words around the numbers are in the file too, with `{name}` wherever a figure belongs. No number is typed by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from chainlist.run.trajectory import Trajectory

HOLDS = "holds"
ONLY = "holds only with these settings"
FAILS = "does not hold"
PARTLY = "holds in part"  # of a whole claim: one of its statements does not hold


@dataclass(frozen=True)
class Figure:
    """One measured number, and how far a fresh run may be off it.

    Figures that depend on rounding errors (after a breakdown, or beyond the horizon of prediction) carry an interval
    `within` instead of a tolerance: on every machine they lie in it. A value of None means that the event never came.
    """

    value: float | None
    unit: str = ""
    relative: float = 1e-3
    absolute: float = 0.0
    within: tuple[float, float] | None = None
    never: str = "never"
    digits: int = 3
    brief: bool = False  # print "≈ value" instead of the interval: for tables
    may_be_missing: bool = False  # the event may come on one machine and not on another

    def agrees(self, other: Figure) -> bool:
        """Whether `other`, of another run, says the same."""
        if self.value is None or other.value is None:
            return self.value is other.value or self.may_be_missing
        if self.within is not None:
            return all(self.within[0] <= value <= self.within[1] for value in (self.value, other.value))
        return abs(self.value - other.value) <= self.absolute + self.relative * abs(self.value)

    def __str__(self) -> str:
        if self.value is None:
            return self.never
        text = with_unit(plain(self.value, self.digits), self.unit)
        if self.within is None:
            return text
        if self.brief:
            return f"≈ {text}"
        return f"{text} (in {plain(self.within[0], self.digits)} … {plain(self.within[1], self.digits)})"


def plain(value: float, digits: int = 3) -> str:
    """A number with a few digits that count, as people write it: 0.0022, 1.86, 2e-15."""
    text = f"{value:.{digits}g}"
    mantissa, exponent, power = text.partition("e")
    return f"{mantissa}e{int(power)}" if exponent else mantissa


def with_unit(text: str, unit: str) -> str:
    return f"{text} {unit}".rstrip()


@dataclass(frozen=True)
class Table:
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str | Figure, ...], ...]


@dataclass(frozen=True, eq=False)
class DrawnCurve:
    x: Any
    y: Any
    label: str = ""
    dashed: bool = False


@dataclass(frozen=True)
class Diagram:
    """One panel of an illustration: a pair of axes that curves share."""

    curves: tuple[DrawnCurve, ...]
    y: str
    x: str = "t [s]"
    title: str = ""
    log: bool = False
    limits: tuple[float, float] | None = None
    square: bool = False


@dataclass(frozen=True)
class Illustration:
    """A figure of the page: panels of curves, or a picture of the mechanism in motion."""

    caption: str
    panels: tuple[Diagram, ...] = ()
    motions: tuple[tuple[str, Trajectory], ...] = field(default=(), repr=False)  # (title, motion): strobe pictures


@dataclass(frozen=True)
class Judgement:
    """One statement of a claim, judged. `why` may name figures in braces."""

    statement: str
    verdict: str
    why: str
    under: str = ""  # the settings with which it holds, where others deny it
    ours: bool = False  # a statement that the paper does not make


@dataclass(frozen=True)
class Measured:
    """What the runs of one claim gave."""

    figures: dict[str, Figure]
    tables: tuple[Table, ...]
    parts: tuple[Judgement, ...]
    drawings: dict[str, Illustration] = field(default_factory=dict, repr=False)

    @property
    def verdict(self) -> str:
        """Of the claim as a whole: it holds if all its parts do, and fails if none of them shows at all."""
        verdicts = {part.verdict for part in self.parts}
        if len(verdicts) == 1:
            return verdicts.pop()
        return PARTLY if FAILS in verdicts else ONLY


@dataclass(frozen=True)
class Claim:
    number: int
    title: str
    words: str  # what the paper says, in our words
    settings: str  # what it leaves open, and what was tried
    measure: Callable[[], Measured]
    lesson: str = ""  # what one learns; may name figures in braces
    listings: Sequence[str] = ()  # of the paper


def judged(shows: bool, settings_matter: bool = False) -> str:
    """The verdict of a statement that shows or does not; `settings_matter` where other settings deny it."""
    if not shows:
        return FAILS
    return ONLY if settings_matter else HOLDS
