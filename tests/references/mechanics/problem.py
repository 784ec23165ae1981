"""A mechanism with forces, drives or velocity constraints whose motion is known, and the two ways to know it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from tests.references.jets import Jet, as_jet
from tests.references.mechanics.cartesian import Cartesian, Moment
from tests.references.minimal import Floats, Minimal, Times, as_times

Place = Callable[..., Sequence[tuple[Any, Any]]]


class Known(Protocol):
    """A motion: positions, velocities and accelerations (times, bodies, 2) at any time."""

    def __call__(self, times: Times) -> tuple[Floats, Floats, Floats]: ...


def _expand(points: Sequence[tuple[Any, Any]], count: int) -> tuple[Floats, Floats, Floats]:
    def part(name: str, factor: float) -> Floats:
        values = [np.broadcast_to(getattr(as_jet(c), name), (count,)) for point in points for c in point]
        return factor * np.stack(values, axis=-1).reshape(count, len(points), 2)

    return part("a", 1.0), part("b", 1.0), part("c", 2.0)


@dataclass(frozen=True)
class Exact:
    """A closed formula for the places at a time, written for jets."""

    place: Place

    def __call__(self, times: Times) -> tuple[Floats, Floats, Floats]:
        t = as_times(times)
        return _expand(self.place(Jet(t, np.ones_like(t))), len(t))


@dataclass(frozen=True)
class Integrated(Minimal):
    """Minimal coordinates: places from u and t, written for jets, and ü from an equation derived by hand."""

    place: Place  # (t, *u) -> points
    acceleration: Callable[..., Sequence[Any]]  # (t, *u, *u̇) -> ü
    start: tuple[float, ...]
    rates: tuple[float, ...]
    stop: float

    def __call__(self, times: Times) -> tuple[Floats, Floats, Floats]:
        t = as_times(times)
        u, w, a = self.coordinates(t)
        jets = [Jet(*parts) for parts in zip(u, w, 0.5 * a, strict=True)]
        return _expand(self.place(Jet(t, np.ones_like(t)), *jets), len(t))


@dataclass(frozen=True)
class MechanicsProblem:
    """One mechanism of the second part of the language whose motion is known.

    `error` bounds the reference itself in positions [m], velocities [m/s] and, times the largest energy, in work;
    `limit` is what a run of the text has to reach in positions, `speed_limit` in velocities.
    """

    name: str
    text: str
    known: Known
    span: float  # s
    error: float
    limit: float
    cartesian: Cartesian
    speed_limit: float = 0.0  # 0: ten times `limit`
    balance: float = 1e-9  # of the energy, against the largest one
    items: Mapping[str, Callable[[Times], Floats]] = field(default_factory=dict)  # forces and torques, by their item
    item_limit: float = 1e-9
    from_multipliers: Mapping[str, Callable[[Moment], Floats]] = field(default_factory=dict)  # the same, second way

    def states(self, times: Times) -> Floats:
        """Positions (times, bodies, 2) [m]."""
        return self.known(times)[0]

    def velocities(self, times: Times) -> Floats:
        """Velocities (times, bodies, 2) [m/s]."""
        return self.known(times)[1]

    def energy(self, times: Times) -> Floats:
        """T + U [J]; U is of gravity and of springs with a constant k."""
        place, speed, _ = self.known(times)
        return self.cartesian.energy(as_times(times), place, speed)

    def work(self, times: Times) -> Floats:
        """What everything else has done since the start [J]: the item Work."""
        return self.energy(times) - self.energy([0.0])

    @property
    def energy_scale(self) -> float:
        """The largest kinetic energy or change of energy [J]."""
        times = np.linspace(0.0, self.span, 400)
        kinetic = 0.5 * np.sum(self.velocities(times) ** 2, axis=-1) @ np.array(self.cartesian.masses)
        return float(max(kinetic.max(), np.abs(self.work(times)).max()))


def body(index: int, place: tuple[float, float], mass: float, speed: tuple[float, float] | None = None) -> str:
    """The line of a body, with numbers that read back to the same double."""
    line = f"B{index} ({float(place[0])!r},{float(place[1])!r}) {mass!r}"
    return line if speed is None else f"{line} IC_VEL=({float(speed[0])!r},{float(speed[1])!r})"


def listing(title: str, *lines: str, stop: float, step: float = 1e-3, gravity: str = "9.81", options: str = "") -> str:
    """A whole chainlist."""
    tail = [f".tran 0 {stop!r} {step!r}", f".options gravity={gravity} {options}".rstrip()]
    return "\n".join([f"* {title}", *lines, *tail]) + "\n"


def constant(value: float) -> Callable[[Times], Floats]:
    return lambda times: np.full(np.size(times), value)
