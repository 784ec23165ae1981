"""Elements that hold only at times → arrays: their rows, tangents, conditions, and the points that stand for forces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chainlist.elements import REGISTRY
from chainlist.elements.base import Switch
from chainlist.equations.equation import Equation, points_in, switched_equations
from chainlist.equations.primitive import Primitive
from chainlist.equations.tables import Points, Tables, row_kinds
from chainlist.formula import End, Formula, Operation, Quantity
from chainlist.kernels.bundles import RowTable, SwitchTable
from chainlist.model.conditions import asked_for
from chainlist.model.mechanism import Element, Mechanism

NEAR = 1e-12  # of the size: gaps that count as none
WEAK = 1e-12  # of energy/size: forces that count as none
SLOW = 1e-12  # of the speed: slips that count as none


@dataclass(frozen=True)
class Condition:
    """A condition that ends a switch, begins one, or stops the run (`switch` −1)."""

    formula: Formula
    switch: int
    begins: bool = False


@dataclass(frozen=True)
class Switches:
    """All switches of a mechanism, in the order of their elements."""

    elements: tuple[Element, ...]  # of each switch
    switches: tuple[Switch, ...]
    rows: tuple[Equation, ...]
    tangents: tuple[tuple[Equation, ...], ...]
    conditions: tuple[Condition, ...]
    forces: tuple[str, ...]  # links whose force a condition asks for

    @property
    def equations(self) -> list[Equation]:
        """All rows: those of the switches, then the tangents."""
        return [*self.rows, *(row for rows in self.tangents for row in rows)]

    @property
    def ends(self) -> list[tuple[End, ...]]:
        """All points that they read."""
        found = [equation.ends for equation in self.equations]
        found += [points_in(equation.formula) for equation in self.equations if equation.formula is not None]
        found += [points_in(condition.formula) for condition in self.conditions]
        return [*found, self.forces]

    @property
    def first_tangents(self) -> list[int]:
        counts = [len(rows) for rows in self.tangents]
        return [len(self.rows) + sum(counts[:k]) for k in range(len(counts) + 1)]

    def table(self, points: Points, size: float, energy: float) -> SwitchTable:
        equations = self.equations
        tables = Tables(points, equations, (), [condition.formula for condition in self.conditions])
        table = tables.rows(size, as_written=True)
        # gaps are metres and slips m/s: then forces of normals and tangents can be compared
        table = table._replace(scale=np.array([_scale_of_force(equation) for equation in equations]))
        place = {element.name: k for k, element in reversed(list(enumerate(self.elements)))}
        of = [place[name] for name in self.forces]
        newtons = [self.newtons(k) for k in of]
        force = energy / size if np.isfinite(energy) else 1.0
        return SwitchTable(
            table=listing(table, range(len(self.rows)), equations, points.q.shape[1]),
            side=np.array([switch.side or 1.0 for switch in self.switches]),
            tangent=np.array(self.first_tangents, np.uint32),
            condition=np.array(tables.conditions, np.uint32).reshape(-1, 2),
            tension=np.array([(points.number[n], k) for n, k in zip(self.forces, of, strict=True)], np.uint32).reshape(
                -1, 2
            ),
            newtons=np.array(newtons),
            near=NEAR * size,
            weak=WEAK * force,
            slow=SLOW * max(1.0, float(np.abs(points.v).max(initial=0.0))),
        )

    def newtons(self, k: int) -> float:
        """What makes of the multiplier of a switch its force: of a link positive where it pulls, of a wall where it pushes."""
        if self.elements[k].type.is_link or not self.switches[k].side:
            return self.rows[k].tension_sign
        return self.switches[k].side


def _scale_of_force(equation: Equation) -> float:
    kind = REGISTRY.get(equation.kind)
    return kind.force_scale(equation.parameters) if kind is not None and kind.force_scale is not None else 1.0


def listing(table: RowTable, which: Sequence[int], equations: Sequence[Equation], dimension: int) -> RowTable:
    """The table with its list of rows, kind by kind, cut down to some of them."""
    kinds = row_kinds(dimension, plain=False)
    place = {kind: n for n, kind in enumerate(kinds)}
    of = np.array([place[equations[k].kind] for k in which], np.int64)
    order = np.argsort(of, kind="stable")
    rows = np.array(which, np.uint32)[order]
    start = np.searchsorted(of[order], np.arange(len(kinds) + 1)).astype(np.uint32)
    return table._replace(rows=rows, start=start)


def find_switches(mechanism: Mechanism) -> Switches | None:
    """None where everything always holds and no condition stops the run."""
    elements = mechanism.elements
    asked = asked_for(mechanism)
    listed = [(n, s) for n, e in enumerate(elements) for s in _switches_of(e, asked)]
    stops = mechanism.stops
    if not listed and not stops:
        return None
    rows, tangents = switched_equations(listed, mechanism.dimension, mechanism.held)
    spell = _Spell(mechanism)
    conditions = []
    for k, (_, switch) in enumerate(listed):
        if switch.since is not None:
            conditions.append(Condition(spell(switch.since), k, begins=True))
        if switch.until is not None:
            conditions.append(Condition(spell(switch.until), k))
    conditions += [Condition(spell(stop.margin), -1) for stop in stops]
    return Switches(
        tuple(elements[n] for n, _ in listed),
        tuple(switch for _, switch in listed),
        tuple(rows),
        tuple(map(tuple, tangents)),
        tuple(conditions),
        tuple(asked),
    )


def _switches_of(element: Element, asked: Sequence[str]) -> tuple[Switch, ...]:
    """Those of the element; a link whose force is asked for becomes one that never switches."""
    if element.parts.switches or element.name not in asked:
        return element.parts.switches
    return tuple(Switch(row, who=element.ends) for row in element.parts.rows)


class _Spell:
    """Conditions in coordinates: the force of a link is the first coordinate of a point that has its name."""

    def __init__(self, mechanism: Mechanism):
        self._spell = Primitive(mechanism.dimension, _unknown, mechanism.held)

    def __call__(self, formula: Formula) -> Formula:
        return self._spell(self._forces(formula))

    def _forces(self, formula: Formula) -> Formula:
        if isinstance(formula, Quantity) and formula.function == "TENSION":
            return Quantity("X", formula.arguments)
        if isinstance(formula, Operation):
            return Operation(formula.operator, tuple(self._forces(operand) for operand in formula.operands))
        return formula


def _unknown(name: str) -> tuple[End, End]:
    raise ValueError(f"{name} was not replaced by its two ends")
