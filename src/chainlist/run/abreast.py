"""Members of a batch side by side: one moment of all of them. Items are evaluated over members as otherwise over samples."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.system import Assembly
from chainlist.formula.core import walk
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Element, End, Formula, Mechanism, Point, Quantity
from chainlist.run.angles import continued, rate_of
from chainlist.run.observables import formula_values

# What follows from positions and velocities of the same moment, and from masses: what members have abreast.
ITEMS = frozenset("time x y z vx vy vz dist angle omega speed t u etotal".split())

Which = NDArray[np.int64]


def items_abreast(formula: Formula) -> bool:
    """Whether an item can be evaluated over members of a batch."""
    return all(node.function.lower() in ITEMS for node in walk(formula) if isinstance(node, Quantity))


def names_places(formula: Formula) -> bool:
    """Whether an item names fixed points: these are the same for all members."""
    return any(
        isinstance(argument, tuple)
        for node in walk(formula)
        if isinstance(node, Quantity)
        for argument in node.arguments
    )


@dataclass(frozen=True, eq=False)
class Crew:
    """What members are: their masses (bodies, members), gravity (dimension, members) and anchors (members, dimension)."""

    mechanism: Mechanism
    mass: Floats
    gravity: Floats
    anchors: Mapping[Point, Floats]

    @property
    def size(self) -> int:
        return int(self.mass.shape[1])

    @cached_property
    def constraints(self) -> dict[str, Element]:
        return {constraint.name: constraint for constraint in self.mechanism.constraints}

    def only(self, which: Which) -> Crew:
        anchors = {place: values[which] for place, values in self.anchors.items()}
        return Crew(self.mechanism, self.mass[:, which], self.gravity[:, which], anchors)


def crew_of(assembly: Assembly, numbers: Mapping[str, Any], members: int) -> Crew:
    """The members whose inputs these are."""

    def rows(*names: str) -> Floats:
        return np.array([np.broadcast_to(np.asarray(numbers[name], float), members) for name in names])

    axes = range(assembly.q.shape[1])
    anchors = {
        place: rows(*(f"anchor {k} {c}" for c in axes)).T
        for place, k in assembly.number.items()
        if isinstance(place, tuple)
    }
    mass = rows(*(f"mass {i}" for i in range(assembly.bodies)))
    return Crew(assembly.mechanism, mass, rows(*(f"gravity {c}" for c in axes)), anchors)


@dataclass(frozen=True, eq=False)
class Turned:
    """How far two points have turned at a time, for each member."""

    t: Floats
    angle: Floats
    rate: Floats

    def only(self, which: Which) -> Turned:
        return Turned(self.t[which], self.angle[which], self.rate[which])


Turns = dict[Hashable, Turned]


class _Turning:
    """Angles that go on from the moment before."""

    def __init__(self, before: Turns) -> None:
        self.before, self.now = before, Turns()

    def angle(self, key: Hashable, t: Floats, apart: Floats, rate: Floats | None) -> Floats:
        raw = np.arctan2(apart[:, 1], apart[:, 0])
        speed = np.zeros_like(raw) if rate is None else rate_of(apart, rate)
        last = self.before.get(key)
        angle = raw if last is None else continued(last.t, last.angle, last.rate, t, raw, speed)
        self.now[key] = Turned(t, angle, speed)
        return angle


class Abreast:
    """One moment; q, v and a are (bodies, dimension, members), t (members,). Takes the place of `Moments` for items."""

    columns: Mapping[str, Floats] = {}  # of a trace: there is none
    has_velocities = True

    def __init__(self, crew: Crew, t: Floats, q: Floats, v: Floats, a: Floats, before: Turns) -> None:
        self.crew, self.t, self.q, self.v, self.a = crew, t, q, v, a
        self.turning = _Turning(before)
        self._values: dict[Formula, Floats] = {}

    @property
    def mechanism(self) -> Mechanism:
        return self.crew.mechanism

    @property
    def constraints(self) -> dict[str, Element]:
        return self.crew.constraints

    def position(self, end: End) -> Floats:
        if isinstance(end, str):
            places: Floats = self.q[self.mechanism.vector_index[end]].T
            return places
        assert isinstance(end, tuple)
        anchored = self.crew.anchors.get(end)
        return np.array([end]) if anchored is None else anchored

    def velocity(self, end: End) -> Floats:
        if isinstance(end, str):
            speeds: Floats = self.v[self.mechanism.vector_index[end]].T
            return speeds
        return np.zeros((1, self.mechanism.dimension))

    def need_positions(self) -> None:
        """They are there."""

    @property
    def velocities(self) -> Floats:
        return self.v

    @cached_property
    def energies(self) -> tuple[Floats, Floats]:
        mass = self.crew.mass
        kinetic = 0.5 * (mass * (self.v**2).sum(axis=1)).sum(axis=0)
        potential = -(mass * (self.q * self.crew.gravity).sum(axis=1)).sum(axis=0)
        return kinetic, potential

    def value(self, formula: Formula) -> Floats:
        """The one curve of an item, (members,)."""
        if formula not in self._values:
            found = formula_values(self, formula).values  # type: ignore[arg-type]  # it has all that ITEMS look at
            self._values[formula] = np.broadcast_to(found, self.t.shape)
        return self._values[formula]

    @property
    def turns(self) -> Turns:
        """How far everything has turned that was asked for."""
        return self.turning.now
