"""Mechanism → arrays. Points are the bodies in the order of the text, then the anchors, which have inverse mass 0."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from chainlist import integrators
from chainlist.compile.bars import Bar, find_bars
from chainlist.compile.breaks import breakpoints_of
from chainlist.compile.collecting import without_collecting
from chainlist.compile.hinges import hinge_tree
from chainlist.compile.layout import survey_work
from chainlist.compile.pattern import Elimination, no_pattern
from chainlist.compile.stiff import soften
from chainlist.compile.switches import Switches, find_switches
from chainlist.elements import REGISTRY
from chainlist.equations.equation import (
    Equation,
    Force,
    equations_of,
    forces_of,
    is_plain,
    longest_length,
    points_in,
)
from chainlist.equations.tables import Points, Tables, number_points
from chainlist.formula import End
from chainlist.kernels.bundles import Components, Floats, Groups, System, Tree, Work
from chainlist.model.mechanism import Element, Mechanism

TAU = 1e-10  # pivot ratio at which a row counts as dependent, unless mpitol is given


FLAT = 1e-9  # of its length: how far from one line points may lie


@dataclass(frozen=True)
class Assembly:
    """A mechanism as arrays: the system, its start (points × coordinates), and what its rows and forces are."""

    mechanism: Mechanism = field(repr=False)
    system: System = field(repr=False)
    q: Floats = field(repr=False)
    v: Floats = field(repr=False)
    equations: tuple[Equation, ...] = field(repr=False)  # in the order of the rows
    forces: tuple[Force, ...] = field(repr=False)  # in the order of the arrays: native kinds, then laws
    bars: tuple[Bar, ...]
    named: bool  # True: for a named pseudoinverse, rows in the order of the text
    acts: bool  # more than gravity, links and sliders
    switches: Switches | None = None  # rows that hold only at times
    number: Mapping[End, int] = field(default_factory=dict, repr=False)  # place of every point
    tree: Tree | None = field(default=None, repr=False)  # of a machine that is followed from hinge to hinge

    @cached_property
    def scratch(self) -> Work:
        """Where a survey writes what nobody reads afterwards: one for all runs."""
        return survey_work(self.system)

    @property
    def by_rows(self) -> Assembly:
        """The same for who takes single steps of its own: scratch of a tree would have the march by rows compiled once more."""
        return self if self.tree is None else replace(self, tree=None)

    @property
    def bodies(self) -> int:
        """How many vectors move by themselves: points of rigid bodies follow them."""
        return len(self.mechanism.vectors)

    @property
    def memory(self) -> int:
        """How many numbers a sample keeps beside positions and velocities: Work, and continuous angles."""
        return 1 + self.turns if self.acts else 0

    @property
    def turns(self) -> int:
        """How many continuous angles formulas read."""
        told = self.system.table.told
        return 0 if told is None else len(told.tape.turning)

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
    """The arrays of a run, which never change: a mechanism keeps them, so that a repeated run need not make them again.

    `as_written`: constraints in the order of the text, unscaled, no bar replaced. With MPI_ALGO=AUTO straight bars are
    replaced, rows are scaled to forces and put in elimination order.
    """
    kept: dict[Any, Assembly] = mechanism.__dict__.setdefault("_assemblies", {})
    key = (as_written, *map(id, REGISTRY.values()))  # a plug-in may be registered anew
    if key not in kept:
        with without_collecting():
            kept[key] = _assemble(mechanism, as_written=as_written)
    return kept[key]


def _assemble(mechanism: Mechanism, *, as_written: bool) -> Assembly:
    named = as_written or mechanism.options.mpi_algo != "AUTO"
    implicit = not as_written and integrators.REGISTRY[mechanism.options.integrator].implicit
    bars = () if named else find_bars(mechanism).bars
    switches = None if as_written else find_switches(mechanism)
    left_out = [element.name for element in mechanism.switched]
    left_out += [] if switches is None else switches.forces
    equations = equations_of(mechanism.constraints, mechanism.dimension, bars, mechanism.held, left_out)
    forces = forces_of((*mechanism.forces, *mechanism.constraints), mechanism.dimension, mechanism.held)
    weightless = [body.name for body in mechanism.vectors if body.mass == 0.0]
    acts = implicit or bool(weightless or mechanism.switched or mechanism.stops) or not is_plain(equations, forces)
    points = _points(mechanism, equations, forces, switches, acts=acts)
    elimination = None if named else Elimination(_by_place(equations, mechanism), mechanism.vector_index)
    if elimination is not None:
        equations = elimination.equations
    tables = Tables(points, equations, forces, plain=not acts)
    size = longest_length(
        equations_of(mechanism.constraints, mechanism.dimension, (), mechanism.held), _extent(points.q)
    )
    table = tables.rows(size, as_written=named)
    components = _components(equations, mechanism, len(points.q))
    groups = _groups(equations, forces, mechanism, points)
    mass = np.zeros(len(points.q))
    mass[: len(mechanism.vectors)] = [body.mass for body in mechanism.vectors]
    settings = _settings(mechanism, mass, points, size)
    system = System(
        **_masses(mass, mechanism, points.q),
        table=table,
        forces=tables.forces(groups.of_point.tolist(), weightless) if acts else None,
        switch=None if switches is None else switches.table(points, size, settings["energy_scale"]),
        breaks=breakpoints_of(mechanism),
        pattern=elimination.pattern(table.point, mechanism.dimension) if elimination else no_pattern(len(equations)),
        stiff=soften(mechanism, points, equations, forces, size) if implicit else None,
        components=components,
        groups=groups,
        **settings,
    )
    in_order = (*tables.natives, *tables.laws)
    rows = tuple(equations)
    tree = None if as_written else hinge_tree(mechanism)
    return Assembly(
        mechanism, system, points.q, points.v, rows, in_order, tuple(bars), named, acts, switches, points.number, tree
    )


def _by_place(equations: Sequence[Equation], mechanism: Mechanism) -> list[Equation]:
    """The rows of parts that start on one line in the order of where they start; all others as the text has them.

    There rows depend on one another from the beginning, and their order decides: it must not be that of the cards. Parts that do
    not touch stay in the order of the text.
    """
    index = mechanism.body_index
    held = [sorted(index[name] for name in equation.moving()) for equation in equations]
    root = _connected(len(mechanism.bodies), held)
    part: dict[int, int] = {}
    for bodies in held:
        part.setdefault(root[bodies[0]], len(part))
    of = [part[root[bodies[0]]] for bodies in held]
    starts = {body.name: tuple(body.start) for body in mechanism.bodies}
    ends = [[starts[end] if isinstance(end, str) else end for end in equation.ends] for equation in equations]
    places = [sorted(tuple(place) for place in found if isinstance(place, tuple)) for found in ends]
    met: list[list[tuple[float, ...]]] = [[] for _ in part]
    for which, group in enumerate(of):
        met[group] += places[which]
    flat = [_on_one_line(found) for found in met]
    if not any(flat):
        return list(equations)

    def key(which: int) -> tuple[Any, ...]:
        equation = equations[which]
        if not flat[of[which]]:
            return of[which], which
        return of[which], equation.bar >= 0, places[which], equation.kind, equation.part

    return [equations[which] for which in sorted(range(len(equations)), key=key)]


def _on_one_line(places: Sequence[tuple[float, ...]]) -> bool:
    points = np.array(places, float) - np.array(places[0], float)
    far = points[int(np.argmax((points**2).sum(axis=1)))]
    length = float(np.linalg.norm(far))
    across = points - np.outer(points @ far, far) / length**2 if length > 0.0 else points
    return bool(np.abs(across).max() <= FLAT * length)


def _points(
    mechanism: Mechanism,
    equations: Sequence[Equation],
    forces: Sequence[Force],
    switches: Switches | None,
    *,
    acts: bool,
) -> Points:
    """Number of every body and anchor, and where they start."""
    d = mechanism.dimension
    start = np.array([body.start for body in mechanism.vectors], float).reshape(-1, d)
    velocity = np.array([body.velocity for body in mechanism.vectors], float).reshape(-1, d)
    ends: list[tuple[End, ...]] = [equation.ends for equation in equations]
    ends += [points_in(equation.formula) for equation in equations if equation.formula is not None]
    ends += [force.ends for force in forces]
    ends += [points_in(force.law.force) for force in forces if force.law is not None and force.law.force is not None]
    ends += [] if switches is None else switches.ends
    return number_points([body.name for body in mechanism.vectors], start, velocity, ends, acts=acts)


def _masses(mass: Floats, mechanism: Mechanism, q: Floats) -> dict[str, Any]:
    moving = mass > 0
    inverse = np.zeros_like(mass)
    inverse[: len(mechanism.vectors)] = 1.0 / np.array(mechanism.inertias)
    gravity = np.zeros_like(q)
    gravity[moving] = mechanism.gravity
    gravity[[i for i, body in enumerate(mechanism.vectors) if not body.weighs]] = 0.0
    return {"mass": mass, "inverse_mass": inverse, "gravity": gravity}


def _connected(points: int, held: Iterable[Sequence[int]]) -> list[int]:
    """Of each point the number of one that stands for all that hang together with it."""
    parent = list(range(points))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for bodies in held:
        for i in bodies[1:]:
            parent[root(i)] = root(bodies[0])
    return [root(i) for i in range(points)]


def _components(equations: Sequence[Equation], mechanism: Mechanism, points: int) -> Components:
    """Connected components: rows that reach one another through moving bodies."""
    index = mechanism.body_index
    held = [sorted(index[name] for name in equation.moving()) for equation in equations]
    root = _connected(points, held)
    rows: dict[int, list[int]] = {}
    for k, bodies in enumerate(held):
        rows.setdefault(root[bodies[0]], []).append(k)
    members: dict[int, int] = {}
    local = np.zeros(points, np.int64)
    for i in range(len(mechanism.vectors)):
        local[i] = members.get(root[i], 0)
        members[root[i]] = members.get(root[i], 0) + 1
    return Components(
        start=np.cumsum([0, *(len(group) for group in rows.values())], dtype=np.int64),
        row=np.array([k for group in rows.values() for k in group], np.int64),
        bodies=np.array([members[r] for r in rows], np.int64),
        local=local,
    )


def _groups(equations: Sequence[Equation], forces: Sequence[Force], mechanism: Mechanism, points: Points) -> Groups:
    """What hangs together by rows or forces, part by part in the order of the bodies, then the bodies that nothing holds.

    Not in the order of the rows: that of a run differs from that of the text, and both number the same groups.
    """
    index = mechanism.body_index
    of_equations = [sorted(index[name] for name in equation.moving()) for equation in equations]
    of_forces = [sorted({index[end] for end in force.ends if isinstance(end, str)}) for force in forces]
    held = [bodies for bodies in (*of_equations, *of_forces) if bodies]
    root = _connected(len(points.q), held)
    number: dict[int, int] = {}
    for body in sorted({bodies[0] for bodies in held}):
        number.setdefault(root[body], len(number))
    count = len(number)
    of_point = np.full(len(points.q), 0, np.int64)
    of_point[: points.bodies] = [number.get(root[i], count) for i in range(points.bodies)]
    of_row = np.array([number[root[bodies[0]]] for bodies in of_equations], np.int64)
    own: list[list[Equation]] = [[] for _ in range(count + 1)]
    for equation, group in zip(equations, of_row.tolist(), strict=True):
        own[group].append(equation)
    if count not in of_point[: points.bodies] and count > 0:
        own.pop()
    whole = longest_length(equations, _extent(points.q))
    size = np.array([longest_length(group, whole) for group in own])
    speed = np.sqrt(float(np.linalg.norm(mechanism.gravity)) * size)
    np.maximum.at(speed, of_point, np.sqrt((points.v**2).sum(axis=1)))
    speed[speed == 0.0] = speed.max() or 1.0
    return Groups(of_point, of_row, size, speed)


def _extent(q: Floats) -> float:
    return float(np.ptp(q, axis=0).max()) if len(q) else 0.0


def _falling_mass(mechanism: Mechanism) -> float:
    """Of the bodies that nothing ties to a fixed point: they may fall for the whole run."""
    meeting: dict[str, list[Sequence[End]]] = {}
    together = [ends for element in (*mechanism.constraints, *mechanism.forces) for ends in _held(element)]
    for ends in together:
        for end in ends:
            if isinstance(end, str):
                meeting.setdefault(end, []).append(ends)
    anchored = (ends for ends in together if not all(isinstance(end, str) for end in ends))
    tied: set[End] = set()
    pending = [end for ends in anchored for end in ends]
    while pending:
        end = pending.pop()
        if isinstance(end, str) and end not in tied:
            tied.add(end)
            pending += (other for ends in meeting[end] for other in ends)
    return sum(body.mass for body in mechanism.vectors if body.name not in tied and body.weighs)


def _held(element: Element) -> list[tuple[End, ...]]:
    """What an element holds together; one end alone is held by the ground."""
    ends = element.ends
    if element.type.rigid:
        return [(*ends, element.name)]
    return [ends if len(ends) != 1 else (*ends, ())] if ends else []


def _settings(mechanism: Mechanism, mass: Floats, points: Points, size: float) -> dict[str, Any]:
    """Options as numbers, and the scales of length, speed and energy that tolerances are relative to."""
    options, step = mechanism.options, mechanism.transient.step
    q, v = points.q, points.v
    g = float(np.linalg.norm(mechanism.gravity))
    weight = g * sum(body.mass for body in mechanism.vectors if body.weighs)
    energy = float(0.5 * mass @ (v**2).sum(axis=1) + weight * max(size, _extent(q)))
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
