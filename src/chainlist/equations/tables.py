"""Equations and forces → the arrays that kernels read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from chainlist.elements import REGISTRY
from chainlist.equations.equation import FORMULA, LINEAR, PLAIN, QUADRATIC, Equation, Force
from chainlist.equations.interpret import by_kind, evaluate
from chainlist.equations.layout import empty_rows
from chainlist.equations.primitive import Primitive
from chainlist.equations.tape import TapeWriter
from chainlist.formula import End, Formula, Moving
from chainlist.kernels.bundles import Floats, ForceTable, Indices, RowTable, Told


@dataclass(frozen=True, eq=False)
class Points:
    """Every body and anchor by its number; where they start."""

    number: Mapping[End, int]
    q: Floats  # (n, d)
    v: Floats
    bodies: int
    moving: tuple[tuple[int, Moving], ...]  # points that move as told


def number_points(
    bodies: Sequence[str], start: Floats, velocity: Floats, ends: Sequence[tuple[End, ...]], *, acts: bool
) -> Points:
    """Bodies in the order of the text, then anchors in the order in which they appear; with `acts` one more for Work."""
    d = start.shape[1]
    number: dict[End, int] = {name: i for i, name in enumerate(bodies)}
    places: list[tuple[float, ...]] = []
    moving: list[tuple[int, Moving]] = []
    for end in (end for group in ends for end in group):
        if end in number:
            continue
        number[end] = len(bodies) + len(places)
        if isinstance(end, Moving):
            moving.append((number[end], end))
        # the name of a link stands for its force: see compile/switches.py
        places.append(end if isinstance(end, tuple) else (0.0,) * d)
    if acts:
        places.append((0.0,) * d)
    q = np.vstack([start.reshape(-1, d), np.array(places, float).reshape(-1, d)])
    v = np.zeros_like(q)
    v[: len(bodies)] = velocity
    return Points(number, q, v, len(bodies), tuple(moving))


def row_kinds(dimension: int, *, plain: bool) -> list[str]:
    """The kinds of rows that a plan holds, in the order of its loops."""
    if plain:
        found = list(PLAIN)
    else:
        found = [*(letter for letter, kind in REGISTRY.items() if kind.row is not None), LINEAR, QUADRATIC, FORMULA]
    return [kind for kind in found if kind != QUADRATIC or dimension > 2]


def force_kinds() -> list[str]:
    return [letter for letter, kind in REGISTRY.items() if kind.force is not None]


def _no_link(name: str) -> tuple[End, End]:
    raise ValueError("only the time may be used here")


class Tables:
    """Rows and forces over one set of points; formulas of all of them on one tape."""

    def __init__(
        self,
        points: Points,
        equations: Sequence[Equation],
        forces: Sequence[Force] = (),
        conditions: Sequence[Formula] | None = None,
        *,
        plain: bool = False,
    ) -> None:
        self.points, self.equations, self.plain = points, equations, plain
        self.d = points.q.shape[1]
        # switches are looked at where a step ends, and there branches of the time must be those of the moment
        self._writer = TapeWriter(points.number.__getitem__, freezes=conditions is None)
        self._told = self._write_told()
        self._stretches = [self._write_row(equation) for equation in equations]
        self.natives = [force for force in forces if force.native is not None]
        self.laws = [force for force in forces if force.law is not None]
        self._law_stretches = [self._write_law(force) for force in self.laws]
        self.conditions = [self._writer.add(condition) for condition in conditions or ()]
        self.tape = self._writer.tape()

    def _write_told(self) -> Indices:
        told = np.zeros((len(self.points.moving), self.d + 1), np.uint32)
        spell = Primitive(self.d, _no_link)
        for m, (_, end) in enumerate(self.points.moving):
            for c, formula in enumerate(end.coordinates):
                told[m, c], told[m, c + 1] = self._writer.add(spell(formula))
        return told

    def _write_row(self, equation: Equation) -> tuple[float, ...]:
        if equation.formula is None:
            return equation.parameters
        place = {self.points.number[end]: e * self.d for e, end in enumerate(equation.ends)}
        first, last = self._writer.add(equation.formula, lambda point: place.get(point, 0))
        return float(first), float(last), float(equation.of_velocities)

    def _write_law(self, force: Force) -> tuple[list[int], list[float]]:
        assert force.law is not None
        law = force.law
        along = self._writer.add(law.along)
        if law.force is not None:
            return [*along, *self._writer.add(law.force), 0], [law.sign, 0.0]
        if law.stiffness:
            return [*along, 0, 0, 1], [law.stiffness, law.rest]
        return [*along, 0, 0, 2], [law.damping, 0.0]

    def rows(self, longest: float, *, as_written: bool) -> RowTable:
        """What the row kernels read; `as_written`: not scaled to forces."""
        equations = self.equations
        kinds = row_kinds(self.d, plain=self.plain)
        place = {kind: n for n, kind in enumerate(kinds)}
        m = len(equations)
        par = np.zeros((m, max([1, *map(len, self._stretches)])))
        par[_filled(self._stretches, par.shape[1])] = list(chain.from_iterable(self._stretches))
        kind_of = np.array([place[equation.kind] for equation in equations], dtype=np.int64)
        point = self._point_table()
        table = RowTable(
            point=point,
            par=par,
            scale=np.ones(m),
            rows=np.argsort(kind_of, kind="stable").astype(np.uint32),
            start=np.searchsorted(np.sort(kind_of), np.arange(len(kinds) + 1)).astype(np.uint32),
            ends=np.array([len(equation.ends) for equation in equations], np.uint32),
            length=np.array([_reference_length(equation, longest) for equation in equations], float),
            told=None if self.plain else Told(self._driven(point), self._moving(), self._told, self.tape),
        )
        return table if as_written else table._replace(scale=self._scales(table))

    def _scales(self, table: RowTable) -> Floats:
        """The constant factor that makes the multiplier of a row a force: that of its kind, or from its length at the start."""
        scale = np.ones(len(self.equations))
        unknown = []
        for k, equation in enumerate(self.equations):
            kind = REGISTRY.get(equation.kind)
            if kind is not None and kind.force_scale is not None:
                scale[k] = kind.force_scale(equation.parameters)
            elif equation.kind != LINEAR:
                unknown.append(k)
        if unknown:
            rows, q = empty_rows(table, self.d), self.points.q.copy()
            members = by_kind([equation.kind for equation in self.equations], unknown)
            evaluate(table, rows, members, 0.0, q, np.zeros_like(q))
            for k in unknown:
                parts = rows.J[k].reshape(-1, self.d)
                moving = [e for e, end in enumerate(self.equations[k].ends) if isinstance(end, str)]
                largest = max((float(np.linalg.norm(parts[e])) for e in moving), default=0.0)
                scale[k] = 1.0 / largest if 0.0 < largest < float("inf") else 1.0
        return scale

    def _driven(self, point: Indices) -> Indices:
        """The rows that may depend on the time: by formula, or at points that move as told."""
        by_formula = np.array([equation.kind not in PLAIN for equation in self.equations], bool)
        return np.flatnonzero(by_formula | np.isin(point, self._moving()).any(axis=1)).astype(np.uint32)

    def _moving(self) -> Indices:
        return np.array([i for i, _ in self.points.moving], np.uint32)

    def _point_table(self) -> Indices:
        """The points of each row; places that a row does not use repeat its first point."""
        ends = [equation.ends for equation in self.equations]
        width = max([2, *map(len, ends)])
        number = self.points.number
        table = np.zeros((len(ends), width), np.uint32)
        table[:] = np.array([number[one[0]] for one in ends], np.uint32)[:, None]
        table[_filled(ends, width)] = [number[end] for one in ends for end in one]
        return table

    def _weightless(self, names: Sequence[str]) -> Indices:
        """Points without mass, and a row of each."""
        first: dict[End, int] = {}
        for k, equation in enumerate(self.equations):
            for end in equation.ends:
                first.setdefault(end, k)
        return np.array([(self.points.number[n], first.get(n, 0)) for n in names], np.uint32).reshape(-1, 2)

    def forces(self, group_of: Sequence[int], weightless: Sequence[str] = ()) -> ForceTable:
        """What the force kernels read; `group_of` point: the group that energies belong to."""
        kinds = force_kinds()
        place = {kind: n for n, kind in enumerate(kinds)}
        natives = [force.native for force in self.natives if force.native is not None]
        width = max([2, *(len(native.ends) for native in natives)])
        point = np.zeros((len(natives), width), np.uint32)
        par = np.zeros((len(natives), max([1, *(len(native.parameters) for native in natives)])))
        for k, native in enumerate(natives):
            numbers = [self.points.number[end] for end in native.ends]
            point[k] = numbers + numbers[:1] * (width - len(numbers))
            par[k, : len(native.parameters)] = native.parameters
        kind_of = np.array([place[native.kind] for native in natives], dtype=np.int64)
        law = np.array([numbers for numbers, _ in self._law_stretches], np.uint32).reshape(-1, 5)
        groups = [[self._group(force, group_of)] for force in self.laws]
        return ForceTable(
            point=point,
            par=par,
            rows=np.argsort(kind_of, kind="stable").astype(np.uint32),
            start=np.searchsorted(np.sort(kind_of), np.arange(len(kinds) + 1)).astype(np.uint32),
            ends=np.array([len(native.ends) for native in natives], np.uint32),
            group=np.array([self._group(force, group_of) for force in self.natives], np.int64),
            law=np.hstack([law, np.array(groups, np.uint32).reshape(-1, 1)]).astype(np.uint32),
            number=np.array([numbers for _, numbers in self._law_stretches], float).reshape(-1, 2),
            weightless=self._weightless(weightless),
        )

    def _group(self, force: Force, group_of: Sequence[int]) -> int:
        return next((int(group_of[self.points.number[end]]) for end in force.ends if isinstance(end, str)), 0)


def _filled(rows: Sequence[Sequence[object]], width: int) -> NDArray[np.bool_]:
    """Which places of a table are taken where its rows have entries of their own numbers, from the left."""
    return np.arange(width) < np.array([*map(len, rows)], np.int64)[:, None]


def _reference_length(equation: Equation, longest: float) -> float:
    """What a residual of this row is compared with, beside its coordinates."""
    kind = REGISTRY.get(equation.kind)
    if kind is not None and kind.length is not None:
        return kind.length(equation.parameters)
    return longest
