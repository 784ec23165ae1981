"""One small function for each observable: the values over all samples of one body, constraint or pair of points."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
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
from chainlist.run.forces import Forces, accelerations_and_multipliers
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
            _complain(f"the positions of {end}", f"Q({end})")
        return q

    def velocity(self, end: End) -> Floats:
        if isinstance(end, Moving):
            _complain("the velocity of a point that moves as told", "X(B1) of a body that it carries")
        if not isinstance(end, str):
            return np.zeros((1, self.mechanism.dimension))
        if self._motion.v is None:
            _complain("velocities", "V(ALL)")
        v = self._motion.v[:, self.mechanism.body_index[end]]
        if self._is_missing(v):
            _complain(f"the velocities of {end}", f"V({end})")
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
            _complain("the positions of all bodies", "Q(ALL)")

    @property
    def positions(self) -> Floats:
        """Of all bodies, (samples, bodies, dim)."""
        self.need_positions()
        return self._motion.q

    @property
    def velocities(self) -> Floats:
        v = self._motion.v
        if v is None or self._is_missing(v):
            _complain("the velocities of all bodies", "V(ALL)")
        return v

    @cached_property
    def masses(self) -> Floats:
        masses = np.array([body.mass for body in self.mechanism.bodies])
        if np.isnan(masses).any():
            raise _error("E402", "this file holds no masses", GIVE_CHAINLIST)
        return masses

    # Forces

    @cached_property
    def assembly(self) -> Assembly:
        """The equations of the mechanism as arrays."""
        return assemble(self.mechanism)

    @cached_property
    def forces(self) -> Forces:
        """Accelerations, multipliers, tensions and shear at all samples."""
        return accelerations_and_multipliers(self.assembly, self.positions, self.velocities, self.t, self.memory)

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
            surveyed = self._run(survey, self.memory if len(survey.system.table.tape.turning) == 0 else None)
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
        survey = Survey(assemble(dataclasses.replace(self.mechanism, constraints=())))
        known = (
            self.memory
            if len(survey.system.table.tape.turning) == len(self._survey.system.table.tape.turning)
            else None
        )
        found = self._run(survey, known)
        return found.kinetic.sum(axis=1), found.potential.sum(axis=1)

    def force(self, name: End) -> int:
        """The place of a force element in the arrays of forces."""
        return next(i for i, force in enumerate(self.mechanism.forces) if force.name == name)

    def is_unique(self, name: End) -> bool:
        return bool(self.forces.unique[self.row(name)])

    def row(self, name: End) -> int:
        """The place of a constraint in the arrays of forces."""
        return self._rows[str(name)]

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {constraint.name: i for i, constraint in enumerate(self.mechanism.constraints)}


def _error(code: str, message: str, help: str) -> ChainlistError:
    return ChainlistError([Diagnostic(code, message, help=help)])


def _complain(what: str, column: str) -> NoReturn:
    raise _error("E402", f"this trace does not hold {what}", f"add the column {column} to the .print that writes it")


def cannot_combine(text: str, counts: list[int]) -> ChainlistError:
    found = " and ".join(str(n) for n in counts)
    return _error(
        "E276", f"{text} puts {found} curves together", "name as many entities on both sides, or one on one side"
    )


# Bodies


def _of_body(read: Callable[[Moments, End], Floats], component: int | None = None) -> Callable[..., Floats]:
    def quantity(m: Moments, body: End) -> Floats:
        values = read(m, body)
        return values if component is None else values[:, component]

    return quantity


def _acceleration(m: Moments, body: End) -> Floats:
    return m.forces.acceleration[:, m.mechanism.body_index[str(body)]]


# Constraints


def _residuals(m: Moments, name: End) -> tuple[Floats, Floats]:
    """Φ and its rate of one constraint over all samples; of several rows the length of their vector."""
    constraint = m.constraints[str(name)]
    for end in constraint.ends:
        if isinstance(end, str):
            m.position(end)  # says so where it is missing
    surveyed, rows, of_velocities = m.surveyed(constraint)
    phi = surveyed.speed if of_velocities else surveyed.phi
    both = [
        values[:, rows[0]] if len(rows) == 1 else np.linalg.norm(values[:, rows], axis=1)
        for values in (phi, surveyed.speed)
    ]
    return both[0], both[1]


def _phi(m: Moments, name: End) -> Floats:
    return _residuals(m, name)[0]


def _derivative(m: Moments, name: End) -> Floats:
    for end in m.constraints[str(name)].ends:
        if isinstance(end, str):
            m.velocity(end)  # says so where it is missing
    return _residuals(m, name)[1]


def _lambda(m: Moments, name: End) -> Floats:
    return m.forces.multiplier[:, m.row(name)]


def _tension(m: Moments, name: End) -> Floats:
    return m.forces.tension[:, m.row(name)]


def _shear(m: Moments, name: End) -> Floats:
    return m.forces.shear[:, m.row(name)]


# The whole


def _time(m: Moments) -> Floats:
    return m.t


def _kinetic(m: Moments) -> Floats:
    m.velocities  # noqa: B018  says so where they are missing
    return m.energies[0]


def _potential(m: Moments) -> Floats:
    m.need_positions()
    return m.energies[1]


def _work(m: Moments) -> Floats:
    if not m.assembly.acts:
        return np.zeros(len(m.t))
    memory = m.memory
    if memory is None:
        _complain("Work, which is integrated along with the motion", "Work")
    return memory[:, 0]


def _force(m: Moments, name: End) -> Floats:
    return m.forces.pull[:, m.force(name)]


def _torque(m: Moments, name: End) -> Floats:
    """Of a torque element what acts on its first link, of a motor its multiplier."""
    if str(name) in m.constraints:
        return _tension(m, name)
    return m.forces.pull[:, m.force(name)]


def _power(m: Moments, name: End) -> Floats:
    if str(name) in m.constraints:
        return m.forces.constraint_power[:, m.row(name)]
    return m.forces.power[:, m.force(name)]


def _total(m: Moments) -> Floats:
    return _kinetic(m) + _potential(m)


# Geometry


def _distance(m: Moments, first: End, second: End) -> Floats:
    values: Floats = np.sqrt(np.sum((m.position(second) - m.position(first)) ** 2, axis=1))
    return np.broadcast_to(values, m.t.shape)


def _arrow(m: Moments, first: End, second: End | None) -> tuple[Floats, Floats | None]:
    """From the first point to the second, or along a link, over all samples; and how it changes, where that is known."""
    if second is None:
        first, second = m.constraints[str(first)].ends
    apart = np.broadcast_to(m.position(second) - m.position(first), (len(m.t), m.mechanism.dimension))
    if not m.has_velocities or isinstance(first, Moving) or isinstance(second, Moving):
        return apart, None
    return apart, np.broadcast_to(m.velocity(second) - m.velocity(first), apart.shape)


def _angle(m: Moments, first: End, second: End | None = None, third: End | None = None) -> Floats:
    if third is not None and second is not None:
        return _angle_at(m, first, second, third)
    apart, rate = _arrow(m, first, second)
    key = (first, second) if second is not None else tuple(m.constraints[str(first)].ends)
    return m.turning.angle(key, m.t, apart, rate)


def _angle_at(m: Moments, first: End, middle: End, third: End) -> Floats:
    """Between the arms from the middle point: the angle of the arrow (a·b, a×b), which turns as the angle grows."""
    (a, ua), (b, ub) = _arrow(m, middle, first), _arrow(m, middle, third)
    rate = None
    if ua is not None and ub is not None:
        rate = _dot_and_cross(ua, b) + _dot_and_cross(a, ub)
    return m.turning.angle((first, middle, third), m.t, _dot_and_cross(a, b), rate)


def _dot_and_cross(a: Floats, b: Floats) -> Floats:
    return np.stack([a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1], a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]], axis=1)


def _speed(m: Moments, body: End) -> Floats:
    speed: Floats = np.sqrt(np.sum(m.velocity(body) ** 2, axis=1))
    return speed


def _omega(m: Moments, first: End, second: End | None = None) -> Floats:
    """dθ/dt = (d × u)/|d|²; nan where the points meet."""
    ends = (first, second) if second is not None else m.constraints[str(first)].ends
    for end in ends:
        m.velocity(end)  # says so where it is missing
    apart, rate = _arrow(m, first, second)
    assert rate is not None
    with np.errstate(all="ignore"):
        omega: Floats = (apart[:, 0] * rate[:, 1] - apart[:, 1] * rate[:, 0]) / np.sum(apart**2, axis=1)
    return omega


QUANTITIES: dict[str, Callable[..., Floats]] = {
    "time": _time,
    "q": _of_body(Moments.position),
    "v": _of_body(Moments.velocity),
    "a": _of_body(_acceleration),
    "x": _of_body(Moments.position, 0),
    "y": _of_body(Moments.position, 1),
    "vx": _of_body(Moments.velocity, 0),
    "vy": _of_body(Moments.velocity, 1),
    "ax": _of_body(_acceleration, 0),
    "ay": _of_body(_acceleration, 1),
    "phi": _phi,
    "derivative": _derivative,
    "lambda": _lambda,
    "tension": _tension,
    "shear": _shear,
    "t": _kinetic,
    "u": _potential,
    "etotal": _total,
    "work": _work,
    "force": _force,
    "torque": _torque,
    "power": _power,
    "dist": _distance,
    "angle": _angle,
    "omega": _omega,
    "speed": _speed,
}
