"""The equations of a mechanism, one by one: its elements as written, or with straight bars replaced by what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Protocol

from chainlist.elements import REGISTRY
from chainlist.elements.base import Law, Native, Parts, Row, Switch
from chainlist.equations.primitive import AXES, NOTHING_HELD, SPEEDS, HeldPoints, Primitive
from chainlist.formula import End, Formula, Moving, Point, Quantity, walk
from chainlist.syntax.source import value

LINEAR = "linear"  # Φ = Σ n·q − k with constant n: of straight bars, and of joints between rigid bodies
QUADRATIC = "quadratic"  # Φ = Σ w q·q − k with constant w: axes of a rigid body in space
FORMULA = "formula"  # a row by formula
PLAIN = (
    "C",
    "S",
    LINEAR,
    QUADRATIC,
)  # kinds of the paper's machines and of rigid bodies, which have a plan of their own


class AnyElement(Protocol):
    """What is asked of an element of the mechanism."""

    @property
    def name(self) -> str: ...
    @property
    def letter(self) -> str: ...
    @property
    def ends(self) -> tuple[End, ...]: ...
    @property
    def parts(self) -> Parts: ...


class AnyBar(Protocol):
    """What is asked of a straight bar."""

    @property
    def links(self) -> tuple[str, ...]: ...
    @property
    def points(self) -> tuple[End, ...]: ...
    @property
    def ends(self) -> tuple[End, End]: ...
    @property
    def length(self) -> float: ...
    @property
    def stands_still(self) -> bool: ...
    def weights(self, k: int) -> tuple[float, float]: ...
    def place(self, k: int) -> Point: ...


@value
class Equation:
    """One row. `constraint` is its place in the text, or −1 for a row that belongs to `bar`."""

    kind: str  # letter of the element type whose kernel it is, or LINEAR, QUADRATIC, FORMULA
    ends: tuple[End, ...]
    parameters: tuple[float, ...] = ()
    constraint: int = -1
    bar: int = -1
    formula: Formula | None = None  # spelled out in coordinates
    of_velocities: bool = False
    part: int = 0  # which of the rows of its element
    force: float = 1.0  # of a formula: times its multiplier, what TENSION or TORQUE shows

    def normal(self, e: int) -> tuple[float, ...]:
        """Of a linear row: the constant n of end e."""
        d = (len(self.parameters) - 1) // len(self.ends)
        return self.parameters[1 + e * d : 1 + (e + 1) * d]

    @property
    def tension_sign(self) -> float:
        """Times its multiplier as a force: what TENSION or TORQUE shows."""
        return REGISTRY[self.kind].tension_sign if self.kind in REGISTRY else self.force

    def meets(self, e: int, other: Equation, f: int) -> bool:
        """Whether the two rows feel one another at a point that is end e of this one and end f of the other."""
        if self.kind != LINEAR or other.kind != LINEAR:
            return True
        return bool(sum(map(mul, self.normal(e), other.normal(f))))

    def moving(self) -> set[str]:
        """The bodies whose motion it feels."""
        return {end for end in self.ends if isinstance(end, str)}

    @property
    def is_link(self) -> bool:
        """A rod of constant length, Φ = d² − l²: parameters are l² and l."""
        return self.kind in REGISTRY and REGISTRY[self.kind].is_link


@dataclass(frozen=True)
class Force:
    """One force beside gravity; `element` is its place among all elements."""

    element: int
    native: Native | None = None
    law: Law | None = None  # its formulas spelled out
    ends: tuple[End, ...] = ()

    @property
    def is_soft(self) -> bool:
        """A spring or a damper with constant numbers: implicit methods solve for it."""
        if self.native is not None:
            return REGISTRY[self.native.kind].soft is not None
        return self.law is not None and self.law.force is None


def equations_of(
    elements: Sequence[AnyElement],
    dimension: int,
    bars: Sequence[AnyBar] = (),
    held: HeldPoints = NOTHING_HELD,
    but: Sequence[str] = (),
) -> list[Equation]:
    """The rows of each element that no bar replaces, in the order of the text, then those of the bars."""
    replaced = {*but, *(name for bar in bars for name in bar.links)}
    spell = Primitive(dimension, _no_link, held)
    found: list[Equation] = []
    for k, element in enumerate(elements):
        if element.name in replaced:
            continue
        for part, row in enumerate(element.parts.rows):
            found.append(_equation(row, k, part, spell))
    for number, bar in enumerate(bars):
        found += _equations_of_bar(bar, number, dimension)
    return found


def _no_link(name: str) -> tuple[End, End]:
    raise ValueError(f"{name} was not replaced by its two ends")


def switched_equations(
    switches: Sequence[tuple[int, Switch]], dimension: int, held: HeldPoints = NOTHING_HELD
) -> tuple[list[Equation], list[list[Equation]]]:
    """The row of each switch, of the element with this number, and its tangents."""
    spell = Primitive(dimension, _no_link, held)
    rows = [_equation(switch.row, k, 0, spell) for k, switch in switches]
    return rows, [[_equation(row, k, 0, spell) for row in switch.tangents] for k, switch in switches]


def _equation(row: Row | Native, k: int, part: int, spell: Primitive) -> Equation:
    if isinstance(row, Native):
        return Equation(row.kind, row.ends, row.parameters, constraint=k, part=part)
    formula = spell(row.formula)
    ends = points_in(formula, SPEEDS if row.of_velocities else AXES)
    return Equation(
        FORMULA, ends, constraint=k, formula=formula, of_velocities=row.of_velocities, part=part, force=row.force
    )


def points_in(formula: Formula, functions: Sequence[str] = (*AXES, *SPEEDS)) -> tuple[End, ...]:
    """The points whose coordinates (or velocities) a formula reads, in the order of the text."""
    found: dict[End, None] = {}
    for node in walk(formula):
        if isinstance(node, Quantity) and node.function in functions:
            found[node.arguments[0]] = None
    return tuple(found)


def forces_of(elements: Sequence[AnyElement], dimension: int, held: HeldPoints = NOTHING_HELD) -> list[Force]:
    """The forces of each element, native kinds and laws, in the order of the text."""
    spell = Primitive(dimension, _no_link, held)
    found = []
    for k, element in enumerate(elements):
        for force in element.parts.forces:
            if isinstance(force, Native):
                found.append(Force(k, native=force, ends=force.ends))
            else:
                along = spell(force.along)
                formula = None if force.force is None else spell(force.force)
                law = Law(along, formula, force.stiffness, force.rest, force.damping, force.sign)
                found.append(Force(k, law=law, ends=points_in(along)))
    return found


def _equations_of_bar(bar: AnyBar, number: int, dimension: int) -> Iterator[Equation]:
    if bar.stands_still:
        for k, point in enumerate(bar.points):
            if isinstance(point, str):
                for c, x in enumerate(bar.place(k)):
                    yield Equation(LINEAR, (point,), (x, *_unit(c, 1.0, dimension)), bar=number)
        return
    first, last = bar.ends
    rod = next(letter for letter, kind in REGISTRY.items() if kind.is_link)
    yield Equation(rod, (first, last), (bar.length * bar.length, bar.length), bar=number)
    for k, point in enumerate(bar.points[1:-1], start=1):
        near_first, near_last = bar.weights(k)
        weighted = [(first, -near_first), (point, 1.0), (last, -near_last)]
        parts = [(end, weight) for end, weight in weighted if weight != 0.0]
        for c in range(dimension):
            numbers = (x for _, weight in parts for x in _unit(c, weight, dimension))
            yield Equation(LINEAR, tuple(end for end, _ in parts), (0.0, *numbers), bar=number)


def _unit(c: int, weight: float, dimension: int) -> tuple[float, ...]:
    """The vector along one coordinate."""
    return tuple(weight if axis == c else 0.0 for axis in range(dimension))


def longest_length(equations: Iterable[Equation], extent: float) -> float:
    """The longest link; without links the extent of the mechanism, and 1 m if it has none."""
    lengths = []
    for equation in equations:
        kind = REGISTRY.get(equation.kind)
        if kind is not None and kind.length is not None:
            lengths.append(kind.length(equation.parameters))
    return max(lengths, default=0.0) or extent or 1.0


def is_plain(equations: Sequence[Equation], forces: Sequence[Force]) -> bool:
    """Gravity, links and sliders alone, and nothing that moves as told."""
    told = any(isinstance(end, Moving) for equation in equations for end in equation.ends)
    return not forces and not told and all(equation.kind in PLAIN for equation in equations)
