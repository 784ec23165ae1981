"""A mechanism of rigid bodies whose motion is known, and the ways to know it.

A reference says where points are and how bodies are turned, as a function of time (`Exact`), or of a few coordinates that
are integrated: by an equation derived by hand (`ByHand`), or by Lagrange's, from masses and potential (`Lagrange`). Bodies
are never frames with constraints here, as they are in the program: they are angles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from tests.references.jets import Jet, as_jet
from tests.references.minimal import Floats, Minimal, Times, as_times

Trace = Mapping[str, Any]  # a point by its name: (x, y) or (x, y, z); a body of the plane by its name: its angle


class Known(Protocol):
    """Values of items at any time: X(B1), VX(B1), …, ANGLE(R1), OMEGA(R1)."""

    def __call__(self, times: Times) -> dict[str, Floats]: ...


def items_of(trace: Trace, count: int) -> dict[str, Floats]:
    """What the program calls the values and rates of a trace of jets."""
    found = {}
    for name, what in trace.items():
        for letter, coordinate in zip("XYZ", what if isinstance(what, tuple) else (), strict=False):
            found[f"{letter}({name})"], found[f"V{letter}({name})"] = _value_and_rate(coordinate, count)
        if not isinstance(what, tuple):
            found[f"ANGLE({name})"], found[f"OMEGA({name})"] = _value_and_rate(what, count)
    return found


def _value_and_rate(value: Any, count: int) -> tuple[Floats, Floats]:
    jet = as_jet(value)
    return np.broadcast_to(jet.a, (count,)), np.broadcast_to(jet.b, (count,))


@dataclass(frozen=True)
class Exact:
    """A closed formula, written for jets."""

    trace: Callable[[Any], Trace]

    def __call__(self, times: Times) -> dict[str, Floats]:
        t = as_times(times)
        return items_of(self.trace(Jet(t, np.ones_like(t))), len(t))


@dataclass(frozen=True)
class ByHand(Minimal):
    """Coordinates u with ü from an equation derived by hand; what is where follows from them."""

    trace: Callable[..., Trace]  # (t, *u)
    acceleration: Callable[..., Sequence[Any]]  # (t, *u, *u̇) -> ü
    start: tuple[float, ...]
    rates: tuple[float, ...]
    stop: float

    def jets(self, times: Times) -> tuple[Jet, list[Jet]]:
        """Time and coordinates, with their rates."""
        t = as_times(times)
        u, w, a = self.coordinates(t)
        return Jet(t, np.ones_like(t)), [Jet(*parts) for parts in zip(u, w, 0.5 * a, strict=True)]

    def __call__(self, times: Times) -> dict[str, Floats]:
        t, u = self.jets(times)
        return items_of(self.trace(t, *u), len(t.a))


@dataclass(frozen=True)
class Parts:
    """What Lagrange's equations are made of. A scalar is a jet that depends on the coordinates."""

    masses: Sequence[tuple[float, Any]]  # T = ½ Σ m ṡ²: a coordinate of a centre with its mass, an angle with its J
    potential: Any = 0.0
    dampers: Sequence[tuple[float, Any]] = ()  # a force −c ṡ along s
    pushes: Sequence[tuple[Any, Any]] = ()  # a force along s that depends on time alone


@dataclass(frozen=True)
class Lagrange:
    """Minimal coordinates: the equations come from `parts` by the chain rule, and nothing is derived by hand."""

    trace: Callable[..., Trace]  # (t, *u)
    parts: Callable[..., Parts]  # (t, *u)
    start: tuple[float, ...]
    rates: tuple[float, ...]
    stop: float

    @cached_property
    def by_hand(self) -> ByHand:
        return ByHand(self.trace, self.acceleration, self.start, self.rates, self.stop)

    def acceleration(self, t: Any, *state: Any) -> Sequence[Any]:
        """ü from (Σ m s_u s_uᵀ) ü = −U_u − Σ c ṡ s_u + Σ f s_u − Σ m s_u (s̈ at ü = 0)."""
        freedoms, shape = len(self.start), np.shape(t)
        u, w = state[:freedoms], state[freedoms:]
        rows = (freedoms + 1, *shape)  # along each coordinate, and along the motion: all in one evaluation
        clock, ways = np.zeros(rows), np.zeros((freedoms, *rows))
        clock[-1] = 1.0
        for i, rate in enumerate(w):
            ways[i, i], ways[i, -1] = 1.0, rate
        along = [Jet(np.broadcast_to(a, rows), way, np.zeros(rows)) for a, way in zip(u, ways, strict=True)]
        parts = self.parts(Jet(np.broadcast_to(t, rows), clock), *along)

        def slope(s: Any) -> Floats:
            return np.moveaxis(np.broadcast_to(as_jet(s).b, rows)[:-1], 0, -1)

        def moving(value: Any) -> Floats:
            return np.broadcast_to(value, rows)[-1][..., None]

        force = -slope(parts.potential)
        mass = np.zeros((*shape, freedoms, freedoms))
        for m, s in parts.masses:
            gradient = slope(s)
            mass += m * gradient[..., :, None] * gradient[..., None, :]
            force -= m * gradient * moving(2 * as_jet(s).c)
        for c, s in parts.dampers:
            force -= c * slope(s) * moving(as_jet(s).b)
        for f, s in parts.pushes:
            force += slope(s) * moving(as_jet(f).a)
        return list(np.moveaxis(np.linalg.solve(mass, force[..., None])[..., 0], -1, 0))

    def energy(self, times: Times) -> Floats:
        """T + U [J]."""
        t, u = self.by_hand.jets(times)
        parts = self.parts(t, *u)
        return np.asarray(sum(0.5 * m * as_jet(s).b ** 2 for m, s in parts.masses) + as_jet(parts.potential).a)

    def power(self, times: Times) -> Floats:
        """Of dampers and pushes, and of what moves the machine as a function of time [W].

        A driven scalar takes the force m s̈ + U_s + c ṡ − f that the coordinates leave over, times ∂s/∂t.
        """
        t, u = self.by_hand.jets(times)
        parts, driven = self.parts(t, *u), self.parts(t, *(Jet(x.a) for x in u))
        total = np.zeros_like(t.a) + as_jet(driven.potential).b
        for (m, s), (_, drive) in zip(parts.masses, driven.masses, strict=True):
            total += m * 2 * as_jet(s).c * as_jet(drive).b
        for (c, s), (_, drive) in zip(parts.dampers, driven.dampers, strict=True):
            total -= c * as_jet(s).b * (as_jet(s).b - as_jet(drive).b)
        for (f, s), (_, drive) in zip(parts.pushes, driven.pushes, strict=True):
            total += as_jet(f).a * (as_jet(s).b - as_jet(drive).b)
        return total

    def __call__(self, times: Times) -> dict[str, Floats]:
        return self.by_hand(times)


@dataclass(frozen=True)
class BodyProblem:
    """One mechanism with rigid bodies whose motion is known.

    `limit` is what a run of the text has to reach in positions [m] and angles [rad], `speed_limit` in their rates;
    angles are counted from the start. `error` bounds the reference itself.
    """

    name: str
    text: str
    known: Known
    span: float  # s
    limit: float
    speed_limit: float = 0.0  # 0: ten times `limit`
    error: float = 1e-12
    balance: float = 1e-9  # of the energy, against the largest one
    residual: float = 1e-13  # of the constraints [m]
    items: Mapping[str, Callable[[Times], Floats]] = field(default_factory=dict)  # forces and torques, by their item
    item_limit: float = 1e-9
    long: bool = False

    def allowed(self, item: str) -> float:
        """How far a run may be from the reference in this item."""
        if item in self.items:
            return self.item_limit
        return (self.speed_limit or 10 * self.limit) if item.startswith(("V", "OMEGA")) else self.limit

    def values(self, times: Times) -> dict[str, Floats]:
        """Every item that is known; angles from their start."""
        found = self.known(times)
        first = self.known([0.0])
        for name in found:
            if name.startswith("ANGLE"):
                found[name] = found[name] - first[name][0]
        return {**found, **{item: value(times) for item, value in self.items.items()}}


def number(value: Any) -> str:
    """A text that reads back to the same double."""
    return repr(float(value))


def place(point: Sequence[Any]) -> str:
    return "(" + ",".join(number(value) for value in point) + ")"


def body(name: str, point: Sequence[Any], mass: float = 0.0, speed: Sequence[Any] | None = None) -> str:
    """The line of a point: without mass where bodies hold it."""
    line = f"{name} {place(point)} {number(mass) if mass else '0'}"
    return line if speed is None else f"{line} IC_VEL={place(speed)}"


def listing(title: str, *lines: str, stop: float, step: float = 1e-3, gravity: str = "9.81", options: str = "") -> str:
    """A whole chainlist."""
    tail = [f".tran 0 {stop!r} {step!r}", f".options gravity={gravity} {options}".rstrip()]
    return "\n".join([f"* {title}", *lines, *tail]) + "\n"


def at_start(known: Any) -> dict[str, Any]:
    """The trace at the start, in plain numbers."""
    inner = known.by_hand if isinstance(known, Lagrange) else known
    u = getattr(inner, "start", ())
    found = inner.trace(0.0, *u)
    return {name: tuple(map(float, what)) if isinstance(what, tuple) else float(what) for name, what in found.items()}
