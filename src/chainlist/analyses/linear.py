"""Small motions about a state at rest: M ẍ + C ẋ + K x = f along the freedoms that the constraints leave.

With R = F − Aᵀλ and λ held, K is −∂R/∂q along the tangents Z of the constraints: the stiffness of the forces, and Σ λ ∇²Φ, the
geometric stiffness of constraints that carry a load. The latter is exact: A a = b holds for every velocity, so the accelerations
a(z) of the kernels, at rest but for a velocity z, tell −λ·b(z) = −(F − M a₀)·a(z) = zᵀ(Σ λ ∇²Φ)z without a difference. Forces are
differentiated by central differences of order 10, which leave some 1e-13 of the forces.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from chainlist.analyses.resting import Resting
from chainlist.equations.dense import acting
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Mechanism
from chainlist.run.grid import RunRefused

LARGEST = 1000  # freedoms: matrices are dense
ORDER = 5  # pairs of points of a difference
SHIFT = 0.01  # of the shortest distance between ends: steps of differences in space
CHUNK = 20_000  # states computed at a time
SPARE = 2e-3  # of the size: a strain of 1e-13 of it is that of rounded places
STRAIGHT = 1e-12  # relative: forces that are linear in velocities to this are


@dataclass(frozen=True)
class Linear:
    """M ẍ + C ẋ + K x = f, x along `ways`; where velocities have fewer freedoms, ẋ and forces are along `rates`."""

    q: Floats  # (vectors, dimension) m
    ways: Floats  # (coordinates, freedoms of position)
    rates: Floats  # (coordinates, freedoms of velocity)
    M: Floats
    C: Floats
    K: Floats  # (freedoms of velocity, freedoms of position)
    f: Floats
    scale: float  # N: what forces are compared with

    @property
    def is_holonomic(self) -> bool:
        return bool(self.ways.shape[1] == self.rates.shape[1])

    @property
    def residual(self) -> float:
        """The force along the freedoms that is left, relative to all that acts."""
        return float(np.abs(self.f).max(initial=0.0)) / self.scale


class Linearisation:
    """Linearises one machine wherever it stands."""

    def __init__(self, mechanism: Mechanism, time: float = 0.0) -> None:
        self.rest = Resting(mechanism, time)
        self._rotors = [c for c in mechanism.constraints if c.parts.forces]

    def at(self, q: Floats) -> Linear:
        """The matrices at a place on the constraints."""
        rest = self.rest
        ways, rates = rest.tangents(q)
        if ways.shape[1] > LARGEST:
            raise RunRefused(f"{ways.shape[1]} freedoms: linearisations are for machines with up to {LARGEST}")
        force = self.force(q)
        held = force - rest.masses * rest.accelerations(q[None])[0].ravel()  # Aᵀλ
        K = -(rates.T @ self._stiffness(q, ways))
        if ways.shape[1] == rates.shape[1]:
            K += self._geometric(q, ways, held)
        else:
            K += rates.T @ self._geometric_by_rows(q, ways, held)
        C = -(rates.T @ self._damping(q, rates))
        M = rates.T @ (rest.masses[:, None] * rates)
        # weight and springs may cancel at an equilibrium: each counts for itself
        # and where nothing acts, rounding of places still strains what is stiff
        strain = np.array(SPARE * rest.assembly.system.size * float(np.abs(K).max(initial=0.0)))
        every = (self._weights, force - self._weights, held, strain)
        scale = max(float(np.abs(x).max(initial=0.0)) for x in every) or 1.0
        return Linear(q, ways, rates, M, C, K, rates.T @ force, scale)

    def force(self, q: Floats) -> Floats:
        """All forces but those of constraints, at rest (coordinates,)."""
        zero = np.zeros_like(q)
        total: Floats = self._weights + self._acting(q[None], zero[None])[0]
        return total

    @cached_property
    def _weights(self) -> Floats:
        bodies = self.rest.mechanism.vectors
        gravity = np.array(self.rest.mechanism.gravity)
        return np.concatenate([body.mass * gravity * body.weighs for body in bodies])

    @cached_property
    def _free(self) -> Resting | None:
        """The machine without constraints and weight, each mass 1: its accelerations are forces. None without forces."""
        mechanism = self.rest.mechanism
        if not mechanism.forces:
            return None
        bodies = tuple(
            body if body.role == "held" else dataclasses.replace(body, mass=1.0) for body in mechanism.bodies
        )
        options = dataclasses.replace(mechanism.options, gravity=0.0)  # plain already
        alone = dataclasses.replace(mechanism, bodies=bodies, constraints=(), rigid=(), options=options)
        return Resting(alone, self.rest.time)

    def _acting(self, Q: Floats, V: Floats) -> Floats:
        """(states, coordinates) N: springs, dampers, forces, torques, rotors."""
        found = np.zeros((len(Q), Q[0].size))
        if self._free is not None:
            found += self._free.accelerations(Q, V).reshape(len(Q), -1)
        if self._rotors:
            mechanism = self.rest.mechanism
            names = [body.name for body in mechanism.vectors]
            for n, (q, v) in enumerate(zip(Q, V, strict=True)):
                found[n] += acting(names, self._rotors, q, v, self.rest.time, mechanism.held).ravel()
        return found

    @property
    def _acts(self) -> bool:
        return bool(self.rest.mechanism.forces or self._rotors)

    def _stiffness(self, q: Floats, ways: Floats) -> Floats:
        """∂F/∂q along the ways (coordinates, freedoms)."""
        if not self._acts:
            return np.zeros_like(ways)
        step = SHIFT * self._shortest(q)
        zero = np.zeros_like(q)
        return _differences(lambda X: self._acting(q + X, np.broadcast_to(zero, X.shape)), ways, step, q.shape)

    def _damping(self, q: Floats, rates: Floats) -> Floats:
        """∂F/∂v along the rates. Most forces are linear in velocities: then any difference is exact, and a large one best."""
        if not self._acts:
            return np.zeros_like(rates)

        def at(V: Floats) -> Floats:
            return self._acting(np.broadcast_to(q, V.shape), V)

        whole = rates.T.reshape(-1, *q.shape)
        large, half = at(whole) - at(-whole), at(0.5 * whole) - at(-0.5 * whole)
        if np.abs(large - 2.0 * half).max(initial=0.0) <= STRAIGHT * max(1e-300, np.abs(at(0.0 * whole)).max()) + (
            STRAIGHT * np.abs(large).max()
        ):
            return 0.5 * large.T
        return _differences(at, rates, 1e-4 * self.rest.assembly.system.size, q.shape)

    def _shortest(self, q: Floats) -> float:
        """The shortest distance over which forces change: between the ends of any element."""
        mechanism = self.rest.mechanism
        places = {body.name: place for body, place in zip(mechanism.vectors, q, strict=True)}
        found = [self.rest.assembly.system.size]
        for element in mechanism.elements:
            ends = [places[e] if isinstance(e, str) else np.array(e) for e in element.ends if _is_place(e, places)]
            found += [float(np.linalg.norm(a - b)) for a, b in itertools.pairwise(ends)]
        return min(d for d in found if d > 1e-6 * self.rest.assembly.system.size)

    def _geometric(self, q: Floats, ways: Floats, held: Floats) -> Floats:
        """Zᵀ(Σ λ ∇²Φ)Z: the quadratic form −held·a(z), polarised."""
        count = ways.shape[1]
        K = np.zeros((count, count))
        if not np.abs(held).max(initial=0.0) or not count:
            return K
        first, second = np.triu_indices(count)
        for start in range(0, len(first), CHUNK):
            i, j = first[start : start + CHUNK], second[start : start + CHUNK]
            plus, minus = (self._form(q, ways[:, i] + sign * ways[:, j], held) for sign in (1.0, -1.0))
            K[i, j] = (plus - minus) / 4.0
        return K + np.triu(K, 1).T

    def _form(self, q: Floats, directions: Floats, held: Floats) -> Floats:
        V = directions.T.reshape(-1, *q.shape)
        a = self.rest.accelerations(np.broadcast_to(q, V.shape), V)
        return -a.reshape(len(V), -1) @ held

    def _geometric_by_rows(self, q: Floats, ways: Floats, held: Floats) -> Floats:
        """∂(Aᵀλ)/∂q along the ways by differences: rows of velocities have no Φ whose second derivatives would be symmetric."""
        A = self.rest.gradient(q)
        load = np.linalg.lstsq(A.T, held, rcond=1e-10)[0]
        step = SHIFT * self._shortest(q)
        return _differences(lambda X: np.array([self.rest.gradient(q + x).T @ load for x in X]), ways, step, q.shape)


def _is_place(end: object, places: dict[str, Floats]) -> bool:
    return isinstance(end, tuple) or end in places


def _differences(function, ways: Floats, step: float, shape: tuple[int, ...]) -> Floats:  # type: ignore[no-untyped-def]
    """Derivatives of a vector function of states along each column of `ways`, by central differences of order 2 · ORDER."""
    weights = [
        math.factorial(ORDER) ** 2 * (-1) ** (k + 1) / (k * math.factorial(ORDER - k) * math.factorial(ORDER + k))
        for k in range(1, ORDER + 1)
    ]
    found = np.zeros_like(ways)
    states = ways.T.reshape(-1, *shape)
    for k, weight in enumerate(weights, start=1):
        found += (weight / step) * (function(k * step * states) - function(-k * step * states)).T
    return found
