"""The equations of a run, one by one: constraints as written, or with straight bars replaced by what they mean."""

from __future__ import annotations

import types
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainlist.compile.bars import Bar
from chainlist.constraints import REGISTRY
from chainlist.model.mechanism import Constraint, End, Mechanism

AFFINE = "affine"  # the type of the linear rows of a straight bar: three points, one coordinate


@dataclass(frozen=True)
class Equation:
    """One row. `constraint` is its place in the text, or −1 for a row that belongs to `bar`."""

    kind: str  # letter of its type, or AFFINE
    ends: tuple[End, ...]
    parameters: tuple[float, ...]
    constraint: int = -1
    bar: int = -1

    @property
    def coordinate(self) -> int | None:
        """The only coordinate that the row touches; None: all."""
        return int(self.parameters[4]) if self.kind == AFFINE else None

    def moving(self) -> set[str]:
        """The bodies whose motion it feels."""
        if self.kind == AFFINE:
            pairs = zip(self.ends, self.parameters[:3], strict=True)
            return {end for end, weight in pairs if isinstance(end, str) and weight != 0.0}
        return {end for end in self.ends if isinstance(end, str)}


def equations_of(mechanism: Mechanism, bars: Sequence[Bar] = ()) -> list[Equation]:
    """One equation for each constraint that no bar replaces, in the order of the text, then those of the bars."""
    replaced = {name for bar in bars for name in bar.links}
    found = [
        Equation(c.letter, c.ends, c.parameters, constraint=k)
        for k, c in enumerate(mechanism.constraints)
        if c.name not in replaced
    ]
    for number, bar in enumerate(bars):
        found += _equations_of_bar(bar, number, mechanism.dimension)
    return found


def _equations_of_bar(bar: Bar, number: int, dimension: int) -> Iterable[Equation]:
    if bar.stands_still:
        for k, point in enumerate(bar.points):
            if isinstance(point, str):
                for c, x in enumerate(bar.place(k)):
                    yield Equation(AFFINE, (point, point, point), (1.0, 0.0, 0.0, x, float(c)), bar=number)
        return
    first, last = bar.ends
    yield Equation("C", (first, last), (bar.length * bar.length, bar.length), bar=number)
    for k, point in enumerate(bar.points[1:-1], start=1):
        near_first, near_last = bar.weights(k)
        for c in range(dimension):
            yield Equation(AFFINE, (first, point, last), (-near_first, 1.0, -near_last, 0.0, float(c)), bar=number)


def ends_of(kind: str) -> int:
    """How many points a row of this type holds on to."""
    return 3 if kind == AFFINE else REGISTRY[kind].ends


def force_scale(equation: Equation, points: Sequence[int], q: Any) -> float:
    """The constant factor that makes the multiplier of a row a force."""
    if equation.kind == AFFINE:
        return 1.0
    kind = REGISTRY[equation.kind]
    if kind.force_scale is not None:
        return kind.force_scale(equation.parameters)
    gradient = _row_at_start(equation, points, q)
    largest = max((float(np.linalg.norm(part)) for part in gradient), default=0.0)
    return 1.0 / largest if largest > 0.0 else 1.0


def _row_at_start(equation: Equation, points: Sequence[int], q: Any) -> Any:
    """The derivative of Φ by each of its ends, by the row kernel as it is, at the positions q."""
    kind = REGISTRY[equation.kind]
    width, dim = max(kind.ends, 2), q.shape[1]
    s = types.SimpleNamespace(
        point=np.array([[*points, *[points[0]] * (width - len(points))]], np.uint32),
        par=np.array([equation.parameters], float),
    )
    w = types.SimpleNamespace(J=np.zeros((1, width * dim)), phi=np.zeros(1), b=np.zeros(1))
    kind.row(0, s, w, 0.0, q, np.zeros_like(q))
    return w.J.reshape(width, dim)[: kind.ends]


def reference_length(equation: Equation, longest: float) -> float:
    """What a residual of this row is compared with, beside its coordinates."""
    if equation.kind != AFFINE:
        length = REGISTRY[equation.kind].length
        if length is not None:
            return length(equation.parameters)
    return longest


def longest_length(constraints: Sequence[Constraint], extent: float) -> float:
    """The longest link; without links the extent of the mechanism, and 1 m if it has none."""
    lengths = []
    for constraint in constraints:
        length = REGISTRY[constraint.letter].length
        if length is not None:
            lengths.append(length(constraint.parameters))
    return max(lengths, default=0.0) or extent or 1.0
