"""The mechanism: bodies, constraints, settings and requests, each with its place in the text. No arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chainlist.above import ABOVE
from chainlist.elements import REGISTRY, ElementType
from chainlist.elements.base import Native, Parts, Row
from chainlist.equations.dense import Equations, dense_equations
from chainlist.equations.primitive import Weights
from chainlist.formula import Constant, End, Formula, Moving, Operation, Point, Quantity
from chainlist.formula.analysis import uses
from chainlist.model.asked import Asked
from chainlist.model.chance import Draw
from chainlist.model.options import Options
from chainlist.model.rigidbody import RigidBody
from chainlist.syntax.diagnostics import Diagnostic
from chainlist.syntax.source import Source, Span
from chainlist.syntax.tree import Equality

__all__ = [
    "Body",
    "Changes",
    "Constant",
    "Element",
    "End",
    "Formula",
    "Item",
    "Mechanism",
    "Operation",
    "Plot",
    "Point",
    "Print",
    "Quantity",
    "Stop",
    "Transient",
]


LENT = 1e-3  # of the smallest mass: what a point without mass is lent
Role = Literal["point", "held", "centre", "axis"]


@dataclass(frozen=True)
class Body:
    """A point mass [kg]. `position` [m] fixes the lengths of links; the motion begins at `start` with `velocity` [m/s].

    What a rigid body adds stands here too: its centre, its axes (vectors with a mass, no places), and points that it
    holds, which have no mass of their own and follow from its vectors by `weights`.
    """

    name: str
    position: Point
    mass: float
    start: Point
    velocity: Point
    span: Span = field(compare=False, repr=False)
    velocity_given: bool = False  # by IC_VEL
    role: Role = "point"
    weights: Weights = ()  # of a point that a rigid body holds
    own_mass: float = 0.0  # of such a point: what its card gives, which is part of the body
    radius: float = 0.0  # m, of a disk or ball that walls and other bodies meet
    order: int = field(default=0, compare=False, repr=False)  # in the text

    @property
    def is_inner(self) -> bool:
        """A vector of a rigid body, which the text does not name as a point."""
        return self.role in ("centre", "axis")

    @property
    def weighs(self) -> bool:
        """Axes have a mass, but no place, and so no weight."""
        return self.role != "axis"

    @property
    def given_mass(self) -> float:
        """What its card gives [kg], also where that is part of a rigid body."""
        return self.own_mass if self.role == "held" else self.mass

    @property
    def keeps_velocity(self) -> bool:
        """Its velocity was given; that of others follows."""
        return self.velocity_given or any(self.velocity)


@dataclass(frozen=True)
class Element:
    """A link, a spring, a motor …: what the type that registered `letter` makes of one entity.

    `parameters` are the numbers of its row kernel, where it has one; `parts` is what it puts into the equations.
    """

    name: str
    letter: str
    ends: tuple[End, ...]
    parameters: tuple[float, ...]
    span: Span = field(compare=False, repr=False)
    # What follows the name, with all numbers computed; None stands for the next of `ends`.
    words: tuple[str | None, ...] = field(default=(), compare=False, repr=False)
    form: str = ""  # which of several forms of the entity
    of: tuple[str, ...] = ()  # other elements that it refers to
    given: Parts | None = None  # None: one row by the kernel of its type
    axis: str = ""  # of a rigid body in the plane: the vector that turns with it

    @property
    def parts(self) -> Parts:
        if self.given is not None:
            return self.given
        return Parts(rows=(Native(self.letter, self.ends, self.parameters),))

    @property
    def has_rows(self) -> bool:
        """It holds something; all others are forces."""
        return self.given is None or bool(self.given.rows or self.given.switches)

    @property
    def type(self) -> ElementType:
        return REGISTRY[self.letter]

    @property
    def units(self) -> tuple[str, str, str]:
        """Of PHI, DERIVATIVE and LAMBDA."""
        return ("m", "m/s", "N") if self.type.is_link and self.given is not None else self.type.units

    @property
    def turns(self) -> bool:
        """It gives a torque, which TORQUE shows."""
        return self.type.turns

    @property
    def gives(self) -> str:
        """The unit of what TENSION, FORCE or TORQUE shows; "" where a formula may make it anything."""
        return self.type.gives if self.given is None or self.given.gives is None else self.given.gives

    @property
    def is_driven(self) -> bool:
        """Its rows depend on the time: by their formula, or at a point that moves as told."""
        for end in self.ends:
            if isinstance(end, Moving):
                return True
        if self.given is None:
            return False
        return any("time" in uses(row.formula) for row in self.given.rows if isinstance(row, Row))

    @property
    def is_rod(self) -> bool:
        """A link of constant length between two ends: its parameters are the squared length and the length."""
        return self.given is None and self.type.is_link

    @property
    def is_arm(self) -> bool:
        """It has an angle."""
        return bool(self.axis) or (self.type.is_link and len(self.ends) == 2)

    @property
    def arm(self) -> tuple[End, ...]:
        """The two points between which its angle is taken."""
        return ((0.0, 0.0), self.axis) if self.axis else self.ends


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
class Stop:
    """One `.stop`: a formula that is above 0 where its condition holds."""

    text: str
    margin: Formula
    span: Span | None = field(default=None, compare=False, repr=False)
    written: str = field(default="", compare=False)  # the condition with its own units and parameters

    @property
    def words(self) -> str:
        return self.written or self.text


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
    draw: Draw | None = None  # which member of a sample: random parameters take its values

    def and_then(self, later: Changes) -> Changes:
        """Both; where they disagree, the later ones count."""
        tran = self.tran if later.tran is None else later.tran
        draw = self.draw if later.draw is None else later.draw
        return Changes({**self.params, **later.params}, {**self.options, **later.options}, tran, draw)


@dataclass(frozen=True)
class Mechanism:
    """A checked chainlist, ready to be compiled: everything a run depends on."""

    title: str
    bodies: tuple[Body, ...]  # those that move by themselves, then the points that rigid bodies hold
    constraints: tuple[Element, ...]  # elements with rows
    options: Options
    transient: Transient
    forces: tuple[Element, ...] = ()  # elements without
    rigid: tuple[RigidBody, ...] = ()
    plots: tuple[Plot, ...] = ()
    prints: tuple[Print, ...] = ()
    stops: tuple[Stop, ...] = ()
    analyses: tuple[Asked, ...] = ()  # .op, .modes, .meas …
    diagnostics: tuple[Diagnostic, ...] = field(default=(), compare=False, repr=False)
    source: Source | None = field(default=None, compare=False, repr=False)
    text: str = field(default="", compare=False, repr=False)  # as it was read, includes in place
    changes: Changes = field(default_factory=Changes, compare=False, repr=False)  # what replaced parts of the text
    parameters: Mapping[str, float] = field(default_factory=dict, compare=False, repr=False)  # of .param, as they count
    parameter_units: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)  # as they are written
    functions: tuple[Equality, ...] = field(default=(), compare=False, repr=False)  # those of .func

    @property
    def dimension(self) -> int:
        """2 in the plane. Nothing else may assume it."""
        return len(self.bodies[0].position) if self.bodies else 2

    @cached_property
    def vectors(self) -> tuple[Body, ...]:
        """What the equations of motion are about: all bodies but those that follow from others."""
        return tuple(body for body in self.bodies if body.role != "held")

    @cached_property
    def inertias(self) -> tuple[float, ...]:
        """The masses of the vectors; a point without one is lent a small one (kernels/weightless.py)."""
        masses = [body.mass for body in self.vectors]
        lent = LENT * min((mass for mass in masses if mass > 0.0), default=1.0)
        return tuple(mass or lent for mass in masses)

    @cached_property
    def held(self) -> dict[str, Weights]:
        """Points of rigid bodies, as sums of vectors."""
        return {body.name: body.weights for body in self.bodies if body.role == "held"}

    @cached_property
    def points(self) -> tuple[Body, ...]:
        """The bodies that the text names, in its order."""
        found = [body for body in self.bodies if not body.is_inner]
        return tuple(sorted(found, key=lambda body: body.order)) if self.rigid else self.bodies

    @cached_property
    def links(self) -> tuple[Element, ...]:
        """Rods of constant length."""
        return tuple(c for c in self.constraints if c.is_rod)

    @cached_property
    def switched(self) -> tuple[Element, ...]:
        """Elements that hold only at times."""
        return tuple(element for element in self.elements if element.parts.switches)

    @cached_property
    def is_driven(self) -> bool:
        """Constraints depend on the time."""
        return any(element.is_driven for element in self.constraints)

    @property
    def is_measured(self) -> bool:
        """A .meas takes a number from each run."""
        return any(asked.command == "meas" for asked in self.analyses)

    @property
    def elements(self) -> tuple[Element, ...]:
        return (*self.constraints, *self.forces)

    @cached_property
    def element(self) -> dict[str, Element]:
        """By its name."""
        return {element.name: element for element in self.elements}

    @property
    def gravity(self) -> Point:
        """The acceleration of free fall as a vector [m/s²]; downward is −y, in space too."""
        g = self.options.gravity
        if isinstance(g, tuple):
            return (*g, *(0.0,) * (self.dimension - len(g)))
        return (0.0, -g, *(0.0,) * (self.dimension - 2))

    @cached_property
    def body_index(self) -> dict[str, int]:
        """Name of a body → its place in `bodies`."""
        return {body.name: i for i, body in enumerate(self.bodies)}

    @cached_property
    def vector_index(self) -> dict[str, int]:
        """The same for those that move by themselves: they come first."""
        return {body.name: i for i, body in enumerate(self.vectors)}

    def equations(self, q: ArrayLike | None = None, v: ArrayLike | None = None, t: float = 0.0) -> Equations:
        """A, b, Φ, M and F of M a + Aᵀ λ = F, A a = b as NumPy arrays, for those who write their own solver.

        q and v have the shape (bodies, dimension); left out, they are those of the start. Coordinates are those of
        `vectors`: points of rigid bodies have none of their own.
        """
        vectors = self.vectors
        places = self._state("q", [body.start for body in vectors] if q is None else q)
        speeds = self._state("v", [body.velocity for body in vectors] if v is None else v)
        masses = np.array([body.mass for body in vectors], float)
        names = [body.name for body in vectors]
        weights = [self.gravity if body.weighs else (0.0,) * self.dimension for body in vectors]
        gravity = np.array(weights).reshape(-1, self.dimension)
        return dense_equations(names, masses, gravity, self.constraints, self.forces, places, speeds, t, self.held)

    def _state(self, name: str, given: ArrayLike) -> NDArray[np.float64]:
        """Of the vectors alone, or of all bodies."""
        if len(self.vectors) < len(self.bodies) and np.shape(given)[:1] == (len(self.bodies),):
            given = np.asarray(given, float)[: len(self.vectors)]
        return _one_state(name, given, (len(self.vectors), self.dimension))

    @property
    def counts(self) -> dict[str, int]:
        """How many elements there are of each type, by the plural of its name; of forces and formulas those in use."""
        kinds = [element.type for element in self.elements]
        numbers = {kind.count[1]: kinds.count(kind) for kind in REGISTRY.values() if kind.row or kind in kinds}
        return {name: number for name, number in numbers.items() if name}

    def __str__(self) -> str:
        counts = [_count(len(self.points), "body", "bodies")]
        kinds = [element.type for element in self.elements]
        for kind in REGISTRY.values():
            number = kinds.count(kind)
            if kind.count[0] and (number or kind.is_link):
                counts.append(_count(number, *kind.count))
        others = sum(not kind.count[0] for kind in kinds)
        counts += [_count(others, "other constraint", "other constraints")] if others else []
        return f"{self.title or 'untitled'}: {', '.join(counts)}"

    def _repr_html_(self) -> str:
        """In a notebook it draws itself; how, only a layer above knows."""
        shown: str = ABOVE["notebook"]().mechanism_html(self)
        return shown


def _one_state(name: str, given: ArrayLike, wanted: tuple[int, int]) -> NDArray[np.float64]:
    try:
        fits = np.broadcast_shapes(np.shape(given), wanted) == wanted
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"{name} has the shape {np.shape(given)}, and (bodies, dimension) is {wanted}: "
            f"give one state, such as motion.{name}[0]"
        )
    return np.broadcast_to(np.asarray(given, float), wanted).copy()


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
