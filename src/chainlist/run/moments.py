"""The samples of a motion while items are evaluated: what is asked for by name, and what is computed once."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cached_property
from typing import NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.system import Assembly, assemble
from chainlist.formula import Moving
from chainlist.formula.analysis import over_time
from chainlist.model.items import GIVE_CHAINLIST
from chainlist.model.mechanism import Element, End, Mechanism
from chainlist.run.angles import Turning
from chainlist.run.engaging import Chapter
from chainlist.run.forces import Forces, accelerations_and_multipliers
from chainlist.run.happenings import Happening
from chainlist.run.survey import Survey, Surveyed
from chainlist.syntax.diagnostics import Diagnostic
from chainlist.syntax.errors import ChainlistError

Floats = NDArray[np.float64]

LARGEST_SURVEY = 10_000_000  # samples × rows that are kept at once


class Motion(Protocol):
    """What observables need of a trajectory: samples of all bodies, in SI units."""

    @property
    def t(self) -> Floats:
        """(samples,) s"""

    @property
    def q(self) -> Floats:
        """(samples, bodies, dim) m; nan throughout for a body that a trace does not hold."""

    @property
    def v(self) -> Floats | None:
        """(samples, bodies, dim) m/s; None where they were not stored."""

    @property
    def memory(self) -> Floats | None:
        """(samples, 1 + angles) Work and continuous angles; None where they were not stored."""

    @property
    def mechanism(self) -> Mechanism: ...

    @property
    def columns(self) -> Mapping[str, Floats]:
        """Values that a trace holds ready, by the text of their item; empty for a run."""


class Moments:
    """The samples of a motion while items are evaluated: forces are computed once, angles go on from earlier samples."""

    def __init__(self, motion: Motion, turning: Turning | None = None, assembly: Assembly | None = None):
        self.t = motion.t
        self.mechanism = motion.mechanism
        self.columns = motion.columns
        self.turning = turning or Turning()
        self._motion = motion
        if assembly is not None:
            self.assembly = assembly  # takes the place of the cached property

    # What is asked for by name

    @cached_property
    def constraints(self) -> dict[str, Element]:
        return {constraint.name: constraint for constraint in self.mechanism.constraints}

    @cached_property
    def is_constraint(self) -> dict[str, bool]:
        return dict.fromkeys((element.name for element in self.mechanism.elements), True)

    # The state

    def position(self, end: End) -> Floats:
        """(samples, dim) m of a body or a point that moves as told, (1, dim) of a fixed point."""
        if isinstance(end, Moving):
            return np.stack([over_time(coordinate, self.t) for coordinate in end.coordinates], axis=1)
        if not isinstance(end, str):
            return np.array([end], dtype=np.float64)
        q = self._motion.q[:, self.mechanism.body_index[end]]
        if self._is_missing(q):
            complain(f"the positions of {end}", f"Q({end})")
        return q

    def velocity(self, end: End) -> Floats:
        if isinstance(end, Moving):
            complain("the velocity of a point that moves as told", "X(B1) of a body that it carries")
        if not isinstance(end, str):
            return np.zeros((1, self.mechanism.dimension))
        if self._motion.v is None:
            complain("velocities", "V(ALL)")
        v = self._motion.v[:, self.mechanism.body_index[end]]
        if self._is_missing(v):
            complain(f"the velocities of {end}", f"V({end})")
        return v

    def _is_missing(self, values: Floats) -> bool:
        """A start is always finite: nan in the first row of a trace stands for what it does not hold."""
        return len(self.columns) > 0 and len(values) > 0 and bool(np.isnan(values[0]).any())

    @property
    def has_velocities(self) -> bool:
        return self._motion.v is not None

    def need_positions(self) -> None:
        """Raises `ChainlistError` where a trace does not hold the positions of all bodies."""
        if self._is_missing(self._motion.q):
            complain("the positions of all bodies", "Q(ALL)", whole=bool(self.mechanism.rigid))

    @property
    def positions(self) -> Floats:
        """Of all bodies, (samples, bodies, dim)."""
        self.need_positions()
        return self._motion.q

    @property
    def velocities(self) -> Floats:
        v = self._motion.v
        if v is None or self._is_missing(v):
            complain("the velocities of all bodies", "V(ALL)", whole=bool(self.mechanism.rigid))
        return v

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """What holds when, where something switches; nothing where the motion was read from a trace."""
        return tuple(getattr(self._motion, "chapters", ()))

    @property
    def events(self) -> tuple[Happening, ...]:
        """What happened, as far as it is known; nothing where the motion was read from a trace without events."""
        return tuple(getattr(self._motion, "events", ()))

    @cached_property
    def masses(self) -> Floats:
        masses = np.array([body.mass for body in self.mechanism.bodies])
        if np.isnan(masses).any():
            raise error("E402", "this file holds no masses", GIVE_CHAINLIST)
        return masses

    # Forces

    @cached_property
    def assembly(self) -> Assembly:
        """The equations of the mechanism as arrays."""
        return assemble(self.mechanism)

    @cached_property
    def forces(self) -> Forces:
        """Accelerations, multipliers, tensions and shear at all samples."""
        return accelerations_and_multipliers(
            self.assembly, self.positions, self.velocities, self.t, self.memory, self.chapters
        )

    @property
    def memory(self) -> Floats | None:
        """(samples, 1 + angles) Work and continuous angles; None where they were not stored."""
        return self._motion.memory

    @cached_property
    def _survey(self) -> Survey:
        return Survey(self.assembly)

    def surveyed(self, constraint: Element) -> tuple[Surveyed, list[int], bool]:
        """Residuals over all samples, in which columns those of a constraint stand, and whether they are of velocities."""
        if len(self.t) * len(self.assembly.equations) <= LARGEST_SURVEY:
            survey, surveyed = self._survey, self._surveyed
        else:  # of many constraints each one by itself
            alone = dataclasses.replace(self.mechanism, constraints=(constraint,), forces=())
            survey = Survey(assemble(alone, as_written=True))
            surveyed = self._run(survey, self.memory if survey.assembly.turns == 0 else None)
        rows = [k for k, name in enumerate(survey.names) if name == constraint.name]
        return surveyed, rows, survey.assembly.equations[rows[0]].of_velocities

    @cached_property
    def _surveyed(self) -> Surveyed:
        return self._run(self._survey, self.memory)

    def _run(self, survey: Survey, memory: Floats | None) -> Surveyed:
        v = self._motion.v
        return survey(self.t, self._motion.q, np.zeros_like(self._motion.q) if v is None else v, memory)

    @cached_property
    def energies(self) -> tuple[Floats, Floats]:
        """T and U of the whole, (samples,) each."""
        self.masses  # noqa: B018  says so where they are missing
        survey = Survey(assemble(dataclasses.replace(self.mechanism, constraints=(), stops=())))
        known = self.memory if survey.assembly.turns == self._survey.assembly.turns else None
        found = self._run(survey, known)
        spins = sum(0.5 * body.axial * body.spin**2 for body in self.mechanism.rigid)  # of rotors: it never changes
        return found.kinetic.sum(axis=1) + spins, found.potential.sum(axis=1)

    def force(self, name: End) -> int:
        """The place of a force element in the arrays of forces."""
        return next(i for i, force in enumerate(self.mechanism.forces) if force.name == name)

    def is_unique(self, name: End) -> bool:
        return bool(self.forces.unique[self.row(name)])

    def row(self, name: End) -> int:
        """The place of a constraint in the arrays of forces."""
        return self._rows[str(name)]

    def is_unique_joint(self, name: End, point: End) -> bool:
        """Whether rigid mechanics determines the force of a joint.

        It does not where a body shares another point with the same partner (the part along their line can be split at will), nor where
        the body that holds the joint is part of a redundant set.
        """
        joints = [(body.name, joint) for body in self.mechanism.rigid for joint in body.joints]
        mine = [(one, joint.other, joint.at) for one, joint in joints if name in (one, joint.other)]
        pairs = [(one, other) for one, other, _ in mine]
        here = [(one, other) for one, other, at in mine if at == point]
        return all(pairs.count(pair) == 1 and self.is_unique(pair[0]) for pair in here)

    def row_of(self, name: str, part: int) -> int:
        """The place of one row of a constraint among those of the assembly."""
        return self._places[name, part]

    @cached_property
    def _places(self) -> dict[tuple[str, int], int]:
        found = {}
        for k, equation in enumerate(self.assembly.equations):
            if equation.constraint >= 0:
                found[self.mechanism.constraints[equation.constraint].name, equation.part] = k
        return found

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {constraint.name: i for i, constraint in enumerate(self.mechanism.constraints)}


def error(code: str, message: str, help: str) -> ChainlistError:
    return ChainlistError([Diagnostic(code, message, help=help)])


def complain(what: str, column: str, *, whole: bool = False) -> NoReturn:
    """`whole`: points do not tell how rigid bodies turn."""
    if whole:
        help = "points do not tell how rigid bodies turn: write a binary trace, which holds the whole state"
        raise error("E402", f"this trace does not hold {what}", help)
    raise error("E402", f"this trace does not hold {what}", f"add the column {column} to the .print that writes it")
