"""The second opinion on every mechanism with forces and drives: Newton in Cartesian coordinates, with multipliers.

A mechanism is its masses, a potential U(t, q), further forces, rows Φ(t, q) = 0 and rates Ψ(t, q, v) = 0, all written
for jets. From them, by the chain rule alone,

    M q̈ = −∇U + G + Aᵀλ,    A q̈ = b,    Ẇ = G·v + ∂U/∂t − λ·∂Φ/∂t + λ·(A v − Ψ),

which is integrated without any projection. The references use closed formulas or minimal coordinates instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.references.collocation import Motion, integrate
from tests.references.jets import Jet, as_jet

Floats = NDArray[np.float64]
Points = Sequence[tuple[Any, Any]]


def nothing(t: Any, p: Points, v: Points | None = None) -> list[Any]:
    return []


@dataclass(frozen=True)
class Moment:
    """What holds at given times; the first axis is time."""

    time: Floats
    place: Floats  # (times, bodies, 2)
    speed: Floats
    acceleration: Floats
    multipliers: Floats  # (times, rows): the force is + λ ∇Φ; those of the rates come last
    power: Floats  # of everything that is not potential [W]


@dataclass(frozen=True)
class Cartesian:
    """Masses and what acts on them. Every function is called with jets or arrays for t and for each (x, y)."""

    masses: tuple[float, ...]
    gravity: tuple[float, float] = (0.0, -9.81)
    rows: Callable[[Any, Points], list[Any]] = nothing
    rates: Callable[[Any, Points, Points], list[Any]] = nothing  # linear in the velocities
    springs: Callable[[Any, Points], Any] = lambda t, p: 0.0  # potential energy of springs
    push: Callable[[Any, Points, Points], list[tuple[Any, Any]]] = nothing  # other forces, one for each body

    def potential(self, t: Any, p: Points) -> Any:
        gx, gy = self.gravity
        return sum((-m * (gx * x + gy * y) for m, (x, y) in zip(self.masses, p, strict=True)), self.springs(t, p))

    def energy(self, times: Any, place: Floats, speed: Floats) -> Floats:
        """T + U at each time [J]."""
        kinetic = 0.5 * np.sum(speed**2, axis=-1) @ np.array(self.masses)
        return np.asarray(kinetic + self.potential(np.asarray(times, float), _points(place)), float)

    def at(self, times: Any, place: Floats, speed: Floats) -> Moment:
        """Accelerations, multipliers and power for places and speeds (times, bodies, 2)."""
        times = np.atleast_1d(np.asarray(times, float))
        count, bodies, _ = place.shape
        size = 2 * bodies
        weight = np.repeat(self.masses, 2)
        unit = np.eye(size + 1)
        here = _jets(place[..., None], unit[:size].reshape(bodies, 2, 1, size + 1))
        now = Jet(times[:, None], unit[size])
        still = [(Jet(x.a), Jet(y.a)) for x, y in _jets(speed[..., None], np.zeros((bodies, 2)))]

        slope = _first(self.potential(now, here), count, size + 1)
        plain, fast = _points(place), _points(speed)
        push = np.zeros((count, size))
        for i, (fx, fy) in enumerate(self.push(times, plain, fast)):
            push[:, 2 * i], push[:, 2 * i + 1] = fx, fy
        force = push - slope[:, :size]
        power = np.sum(push * speed.reshape(count, size), axis=-1) + slope[:, size]

        along = _jets(place, np.moveaxis(speed, 0, -1))
        later = Jet(times, 1.0)
        steady = [(Jet(x), Jet(y)) for x, y in fast]
        gradient, wanted, given = [], [], []
        for row, bend in zip(self.rows(now, here), self.rows(later, along), strict=True):
            full = _first(row, count, size + 1)
            gradient.append(full[:, :size])
            wanted.append(-2 * np.broadcast_to(as_jet(bend).c, (count,)))
            given.append(-full[:, size])
        standing = [(Jet(x.a), Jet(y.a)) for x, y in here]
        moving = [(Jet(x.a, dx.b), Jet(y.a, dy.b)) for (x, y), (dx, dy) in zip(still, here, strict=True)]
        for row, bend in zip(self.rates(Jet(now.a), standing, moving), self.rates(later, along, steady), strict=True):
            full = _first(row, count, size + 1)
            gradient.append(full[:, :size])
            wanted.append(-np.broadcast_to(as_jet(bend).b, (count,)))
            value = np.broadcast_to(as_jet(bend).a, (count,))
            given.append(np.sum(full[:, :size] * speed.reshape(count, size), axis=-1) - value)
        if not gradient:
            return Moment(times, place, speed, (force / weight).reshape(place.shape), np.zeros((count, 0)), power)
        a, b, rate = np.stack(gradient, axis=1), np.stack(wanted, axis=1), np.stack(given, axis=1)
        matrix = np.einsum("trk,tsk->trs", a / weight, a)
        lam = np.linalg.solve(matrix, (b - np.einsum("trk,tk->tr", a, force / weight))[..., None])[..., 0]
        total = (force + np.einsum("trk,tr->tk", a, lam)) / weight
        return Moment(times, place, speed, total.reshape(place.shape), lam, power + np.sum(lam * rate, axis=-1))

    def integrate(self, place: Floats, speed: Floats, stop: float) -> Motion:
        """The motion from one start. Behind the coordinates stand time, and one whose speed is the work done."""
        size = place.size

        def acceleration(u: Any, w: Any) -> Any:
            shape = (len(u), size // 2, 2)
            moment = self.at(u[:, size], u[:, :size].reshape(shape), w[:, :size].reshape(shape))
            end = np.stack([np.zeros(len(u)), moment.power], axis=-1)
            return np.concatenate([moment.acceleration.reshape(len(u), size), end], axis=-1)

        return integrate(acceleration, [*place.ravel(), 0.0, 0.0], [*speed.ravel(), 1.0, 0.0], stop)


def _points(place: Floats) -> list[tuple[Any, Any]]:
    return [(place[:, i, 0], place[:, i, 1]) for i in range(place.shape[1])]


def _jets(place: Floats, rate: Floats) -> list[tuple[Jet, Jet]]:
    return [(Jet(place[:, i, 0], rate[i, 0]), Jet(place[:, i, 1], rate[i, 1])) for i in range(place.shape[1])]


def _first(value: Any, count: int, size: int) -> Floats:
    return np.broadcast_to(as_jet(value).b, (count, size))
