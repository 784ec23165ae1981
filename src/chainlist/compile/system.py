"""Mechanism → arrays. Points are the bodies in the order of the text, then the anchors, which have inverse mass 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from chainlist.compile.bars import Bar, find_bars
from chainlist.compile.equation import (
    AFFINE,
    Equation,
    ends_of,
    equations_of,
    force_scale,
    longest_length,
    reference_length,
)
from chainlist.compile.layout import Components, Floats, Groups, Indices, Pattern, RowTable, System
from chainlist.compile.ordering import minimum_degree, neighbours_of_rows, pattern_of_factor
from chainlist.constraints import REGISTRY
from chainlist.model.mechanism import Constraint, End, Mechanism

TAU = 1e-10  # pivot ratio at which a row counts as dependent, unless mpitol is given


@dataclass(frozen=True)
class Assembly:
    """A mechanism as arrays: the system, its start (points × coordinates), and what its rows are."""

    mechanism: Mechanism = field(repr=False)
    system: System = field(repr=False)
    q: Floats = field(repr=False)
    v: Floats = field(repr=False)
    equations: tuple[Equation, ...] = field(repr=False)  # in the order of the rows
    bars: tuple[Bar, ...]
    named: bool  # True: for a named pseudoinverse, rows in the order of the text

    @property
    def bodies(self) -> int:
        return len(self.mechanism.bodies)

    def name_of_row(self, k: int) -> str:
        """What messages call row k: the constraint, or all links of the bar it stands for."""
        if not 0 <= k < len(self.equations):
            return "no constraint"
        equation = self.equations[k]
        if equation.bar >= 0:
            return "the bar of " + ", ".join(self.bars[equation.bar].links)
        return self.mechanism.constraints[equation.constraint].name

    def __str__(self) -> str:
        return f"{self.mechanism.title or 'untitled'}: {len(self.equations)} equations, {len(self.bars)} straight bars"


def assemble(mechanism: Mechanism, *, as_written: bool = False) -> Assembly:
    """The arrays of a run. `as_written`: constraints in the order of the text, unscaled, no bar replaced.

    With MPI_ALGO=AUTO straight bars are replaced, rows are scaled to forces and put in elimination order.
    """
    named = as_written or mechanism.options.mpi_algo != "AUTO"
    bars = () if named else find_bars(mechanism).bars
    equations = equations_of(mechanism, bars)
    number, q, v = _points(mechanism, equations)
    mass = np.zeros(len(q))
    mass[: len(mechanism.bodies)] = [body.mass for body in mechanism.bodies]
    neighbours = _neighbours(equations, mechanism)
    if not named:
        order = minimum_degree(neighbours)
        row_start, column = pattern_of_factor(neighbours, order)
        equations = [equations[k] for k in order]
    else:
        row_start, column = np.zeros(len(equations) + 1, np.uint32), np.zeros(0, np.uint32)
    point = _point_table(equations, number)
    components = _components(equations, mechanism, len(q))
    system = System(
        **_masses(mass, mechanism, q),
        table=_table(equations, point, q, mechanism, named),
        pattern=Pattern(**_pairs(equations, point, mechanism, named), **_factor_pattern(row_start, column)),
        components=components,
        groups=_groups(components, equations, mechanism, q, v),
        **_settings(mechanism, mass, q, v),
    )
    return Assembly(mechanism, system, q, v, tuple(equations), tuple(bars), named)


def _points(mechanism: Mechanism, equations: Sequence[Equation]) -> tuple[dict[End, int], Floats, Floats]:
    """Number of every body and anchor, and where they start."""
    number: dict[End, int] = {body.name: i for i, body in enumerate(mechanism.bodies)}
    places = [body.start for body in mechanism.bodies]
    for equation in equations:
        for end in equation.ends:
            if end not in number:
                assert not isinstance(end, str)
                number[end] = len(places)
                places.append(end)
    d = mechanism.dimension
    q = np.array(places, float).reshape(len(places), d)
    v = np.zeros_like(q)
    v[: len(mechanism.bodies)] = np.array([body.velocity for body in mechanism.bodies], float).reshape(-1, d)
    return number, q, v


def _neighbours(equations: Sequence[Equation], mechanism: Mechanism) -> list[set[int]]:
    """Rows that share a body; linear rows of different coordinates do not feel one another."""
    index = mechanism.body_index
    neighbours = neighbours_of_rows([index[name] for name in equation.moving()] for equation in equations)
    touched = [equation.coordinate for equation in equations]
    for row, others in enumerate(neighbours):
        mine = touched[row]
        if mine is not None:
            others -= {other for other in others if touched[other] is not None and touched[other] != mine}
    return neighbours


def _point_table(equations: Sequence[Equation], number: dict[End, int]) -> Indices:
    """The points of each row; places that a row does not use repeat its first point."""
    width = max([2, *(ends_of(equation.kind) for equation in equations)])
    table = np.zeros((len(equations), width), np.uint32)
    for k, equation in enumerate(equations):
        points = [number[end] for end in equation.ends]
        table[k] = points + points[:1] * (width - len(points))
    return table


def _masses(mass: Floats, mechanism: Mechanism, q: Floats) -> dict[str, Any]:
    moving = mass > 0
    inverse = np.zeros_like(mass)
    inverse[moving] = 1.0 / mass[moving]
    gravity = np.zeros_like(q)
    gravity[moving, -1] = -mechanism.options.gravity
    return {"mass": mass, "inverse_mass": inverse, "gravity": gravity}


def _table(equations: Sequence[Equation], point: Indices, q: Floats, mechanism: Mechanism, named: bool) -> RowTable:
    """What the row kernels read, and the rows sorted by type: the registered ones, then the linear rows of bars."""
    kinds = [*REGISTRY, AFFINE]
    place = {kind: n for n, kind in enumerate(kinds)}
    m = len(equations)
    par = np.zeros((m, max([1, *(len(e.parameters) for e in equations)])))
    for k, equation in enumerate(equations):
        par[k, : len(equation.parameters)] = equation.parameters
    ends = [ends_of(equation.kind) for equation in equations]
    longest = longest_length(mechanism.constraints, _extent(q))
    kind_of = np.array([place[equation.kind] for equation in equations], dtype=np.int64)
    scale = [1.0 if named else force_scale(e, point[k, : ends[k]].tolist(), q) for k, e in enumerate(equations)]
    return RowTable(
        point=point,
        par=par,
        scale=np.array(scale, float),
        rows=np.argsort(kind_of, kind="stable").astype(np.uint32),
        start=np.searchsorted(np.sort(kind_of), np.arange(len(kinds) + 1)).astype(np.uint32),
        ends=np.array(ends, np.uint32),
        length=np.array([reference_length(e, longest) for e in equations], float),
    )


def _pairs(equations: Sequence[Equation], point: Indices, mechanism: Mechanism, named: bool) -> dict[str, Any]:
    """For each row the earlier rows that share a moving point, and where this point stands in the two rows of J."""
    d, bodies = mechanism.dimension, len(mechanism.bodies)
    holders: dict[int, list[tuple[int, int]]] = {}
    start, pairs = [0], []
    table = point.tolist()
    for k, equation in enumerate(() if named else equations):
        mine = []
        for e in range(len(equation.ends)):
            i = table[k][e]
            if i >= bodies or (equation.kind == AFFINE and equation.parameters[e] == 0.0):
                continue
            for other, theirs in holders.get(i, ()):
                both = (equation.coordinate, equations[other].coordinate)
                if None in both or both[0] == both[1]:
                    pairs.append((other, e * d, theirs * d, i))
            mine.append((i, e))
        for i, e in mine:
            holders.setdefault(i, []).append((k, e))
        start.append(len(pairs))
    if named:
        start = [0] * (len(equations) + 1)
    return {"pair_start": np.array(start, np.uint32), "pair": np.array(pairs, np.uint32).reshape(-1, 4)}


def _factor_pattern(row_start: Indices, column: Indices) -> dict[str, Any]:
    """The pattern of L by rows, and the same entries column after column."""
    m = len(row_start) - 1
    row_of_entry = np.repeat(np.arange(m), row_start[1:] - row_start[:-1])
    by_column = np.lexsort((row_of_entry, column))
    place = np.empty(len(column), np.uint32)
    place[by_column] = np.arange(len(column))
    return {
        "row_start": row_start,
        "column": column,
        "place": place,
        "column_start": np.searchsorted(column[by_column], np.arange(m + 1)).astype(np.uint32),
        "row_of": row_of_entry[by_column].astype(np.uint32),
    }


def _components(equations: Sequence[Equation], mechanism: Mechanism, points: int) -> Components:
    """Connected components: rows that reach one another through moving bodies."""
    index = mechanism.body_index
    parent = list(range(points))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    held = [sorted(index[name] for name in equation.moving()) for equation in equations]
    for bodies in held:
        for i in bodies[1:]:
            parent[root(i)] = root(bodies[0])
    rows: dict[int, list[int]] = {}
    for k, bodies in enumerate(held):
        rows.setdefault(root(bodies[0]), []).append(k)
    members: dict[int, int] = {}
    local = np.zeros(points, np.int64)
    for i in range(len(mechanism.bodies)):
        local[i] = members.get(root(i), 0)
        members[root(i)] = members.get(root(i), 0) + 1
    return Components(
        start=np.cumsum([0, *(len(group) for group in rows.values())], dtype=np.int64),
        row=np.array([k for group in rows.values() for k in group], np.int64),
        bodies=np.array([members[r] for r in rows], np.int64),
        local=local,
    )


def _groups(
    components: Components, equations: Sequence[Equation], mechanism: Mechanism, q: Floats, v: Floats
) -> Groups:
    """The components one by one, then the bodies that no row holds."""
    count = len(components.bodies)
    of_row = np.zeros(len(equations), np.int64)
    for group in range(count):
        of_row[components.row[components.start[group] : components.start[group + 1]]] = group
    of_point = np.full(len(q), count, np.int64)
    of_point[len(mechanism.bodies) :] = 0
    constraints: list[list[Constraint]] = [[] for _ in range(count + 1)]
    for row, equation in enumerate(equations):
        for name in equation.moving():
            of_point[mechanism.body_index[name]] = of_row[row]
    for constraint in mechanism.constraints:
        body = next(end for end in constraint.ends if isinstance(end, str))
        constraints[of_point[mechanism.body_index[body]]].append(constraint)
    if count not in of_point[: len(mechanism.bodies)] and count > 0:
        constraints.pop()
    whole = longest_length(mechanism.constraints, _extent(q))
    size = np.array([longest_length(own, whole) for own in constraints])
    speed = np.sqrt(abs(mechanism.options.gravity) * size)
    np.maximum.at(speed, of_point, np.sqrt((v**2).sum(axis=1)))
    speed[speed == 0.0] = speed.max() or 1.0
    return Groups(of_point, of_row, size, speed)


def _extent(q: Floats) -> float:
    return float(np.ptp(q, axis=0).max()) if len(q) else 0.0


def _falling_mass(mechanism: Mechanism) -> float:
    """Of the bodies that no chain of constraints ties to a fixed point: they may fall for the whole run."""
    meeting: dict[str, list[Sequence[End]]] = {}
    for constraint in mechanism.constraints:
        for end in constraint.ends:
            if isinstance(end, str):
                meeting.setdefault(end, []).append(constraint.ends)
    anchored = (c.ends for c in mechanism.constraints if not all(isinstance(end, str) for end in c.ends))
    tied: set[End] = set()
    pending = [end for ends in anchored for end in ends]
    while pending:
        end = pending.pop()
        if isinstance(end, str) and end not in tied:
            tied.add(end)
            pending += (other for ends in meeting[end] for other in ends)
    return sum(body.mass for body in mechanism.bodies if body.name not in tied)


def _settings(mechanism: Mechanism, mass: Floats, q: Floats, v: Floats) -> dict[str, Any]:
    """Options as numbers, and the scales of length, speed and energy that tolerances are relative to."""
    options, step = mechanism.options, mechanism.transient.step
    g = abs(options.gravity)
    size = longest_length(mechanism.constraints, _extent(q))
    energy = float(0.5 * mass @ (v**2).sum(axis=1) + mass.sum() * g * max(size, _extent(q)))
    energy += 0.5 * _falling_mass(mechanism) * min(g * mechanism.transient.stop, 1e150) ** 2
    return {
        "tau": TAU if options.mpitol is None else options.mpitol,
        "mpitol": -1.0 if options.mpitol is None else options.mpitol,
        "alpha": options.dampalpha / step,
        "beta": options.dampbeta / step,
        "reltol": options.reltol,
        "abstol": options.abstol,
        "size": size,
        "energy_scale": energy or float("inf"),
        "guard": int(options.guard == "ON"),
        "goes_on": int(options.breakdown == "GO"),
        "corrects": int(options.energycorrector == "ON"),
    }
