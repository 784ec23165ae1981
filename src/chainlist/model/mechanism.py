"""The mechanism: bodies, constraints, settings and requests, each with its place in the text. No arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from numpy.typing import ArrayLike

from chainlist.formula import Constant, End, Formula, Operation, Point, Quantity
from chainlist.model.equations import Equations, equations
from chainlist.model.options import Options
from chainlist.syntax.diagnostics import Diagnostic
from chainlist.syntax.source import Source, Span
from chainlist.syntax.tree import Equation

__all__ = [
    "Body",
    "Changes",
    "Constant",
    "Constraint",
    "End",
    "Formula",
    "Item",
    "Mechanism",
    "Operation",
    "Plot",
    "Point",
    "Print",
    "Quantity",
    "Transient",
]


@dataclass(frozen=True)
class Body:
    """A point mass [kg]. `position` [m] fixes the lengths of links; the motion begins at `start` with `velocity` [m/s]."""

    name: str
    position: Point
    mass: float
    start: Point
    velocity: Point
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Constraint:
    """One equation Φ = 0 of the type that registered `letter`; `parameters` are the numbers of its row kernel."""

    name: str
    letter: str
    ends: tuple[End, ...]
    parameters: tuple[float, ...]
    span: Span = field(compare=False, repr=False)
    # What follows the name, with all numbers computed; None stands for the next of `ends`.
    words: tuple[str | None, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class Transient:
    """`.tran start stop step` [s]; `span` is None where the default was taken."""

    start: float
    stop: float
    step: float
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Item:
    """What is shown or traced: a formula over observables, and the text that asked for it (which does not count)."""

    text: str = field(compare=False)
    formula: Formula
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Plot:
    """One `.plot`: a figure. Each panel holds one item, or those that quotes put together."""

    panels: tuple[tuple[Item, ...], ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Print:
    """One `.print`: a trace. `text` is a path or "CONSOLE" or None, `binary` a path or None."""

    text: str | None
    binary: str | None
    format: str | None
    columns: tuple[Item, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Changes:
    """What was asked for beside the text: values of `.param`, settings of `.options`, the three times of `.tran`."""

    params: Mapping[str, float] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    tran: Sequence[float] | None = None

    def and_then(self, later: Changes) -> Changes:
        """Both; where they disagree, the later ones count."""
        tran = self.tran if later.tran is None else later.tran
        return Changes({**self.params, **later.params}, {**self.options, **later.options}, tran)


@dataclass(frozen=True)
class Mechanism:
    """A checked chainlist, ready to be compiled: everything a run depends on."""

    title: str
    bodies: tuple[Body, ...]
    constraints: tuple[Constraint, ...]
    options: Options
    transient: Transient
    plots: tuple[Plot, ...] = ()
    prints: tuple[Print, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = field(default=(), compare=False, repr=False)
    source: Source | None = field(default=None, compare=False, repr=False)
    text: str = field(default="", compare=False, repr=False)  # as it was read, includes in place
    changes: Changes = field(default_factory=Changes, compare=False, repr=False)  # what replaced parts of the text
    parameters: Mapping[str, float] = field(default_factory=dict, compare=False, repr=False)  # of .param, as they count
    functions: tuple[Equation, ...] = field(default=(), compare=False, repr=False)  # those of .func

    @property
    def dimension(self) -> int:
        """2 in the plane. Nothing else may assume it."""
        return len(self.bodies[0].position) if self.bodies else 2

    @property
    def links(self) -> tuple[Constraint, ...]:
        return tuple(c for c in self.constraints if c.letter == "C")

    @property
    def sliders(self) -> tuple[Constraint, ...]:
        return tuple(c for c in self.constraints if c.letter == "S")

    @cached_property
    def body_index(self) -> dict[str, int]:
        """Name of a body → its place in `bodies`."""
        return {body.name: i for i, body in enumerate(self.bodies)}

    def equations(self, q: ArrayLike | None = None, v: ArrayLike | None = None) -> Equations:
        """A, b, Φ, M and F of M a + Aᵀ λ = F, A a = b as NumPy arrays, for those who write their own solver.

        q and v have the shape (bodies, dimension); left out, they are those of the start.
        """
        start = [body.start for body in self.bodies] if q is None else q
        return equations(self, start, [body.velocity for body in self.bodies] if v is None else v)

    def __str__(self) -> str:
        others = len(self.constraints) - len(self.links) - len(self.sliders)
        counts = [_count(len(self.bodies), "body", "bodies"), _count(len(self.links), "link", "links")]
        counts += [_count(len(self.sliders), "slider", "sliders")] if self.sliders else []
        counts += [_count(others, "other constraint", "other constraints")] if others else []
        return f"{self.title or 'untitled'}: {', '.join(counts)}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
