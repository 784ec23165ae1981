"""`.op`: static equilibrium near the start, by a ladder of methods; `chainlist.equilibrium(mechanism)`.

1. Newton's method on the manifold of the constraints, from the start: it finds what is near, stable or not.
2. Descent: Newton's steps with all stiffnesses taken positive lead downhill, so never to an unstable equilibrium.
3. Damped motion: the run itself, stopped whenever its kinetic energy is largest.

The last two end with the first. Which one worked is said.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from chainlist.analyses.base import Analysis, Animation, Study, register
from chainlist.analyses.linear import Linear, Linearisation
from chainlist.analyses.stability import Rates, rates_of
from chainlist.compile.held import with_held
from chainlist.compile.read import changed
from chainlist.kernels.bundles import Floats
from chainlist.model.analysis_card import AnalysisCard
from chainlist.model.mechanism import Mechanism
from chainlist.run.entry import changes_of
from chainlist.run.forces import Forces, forces_at
from chainlist.run.grid import RunRefused
from chainlist.run.simulate import simulate
from chainlist.run.trajectory import Trajectory

ENOUGH = 1e-13  # of all that acts: forces that are left at an equilibrium
ROUNDING = 1e-10  # the same, where rounding lets no step make it smaller
NEAR = 0.5  # of the size of the machine: how far Newton's method may lead from the start
LONGEST = 0.2  # of the size: a single step
STEPS = 60
SWINGS = 60  # of damped motion
STARTS = 24  # of `.op ALL`, times the freedoms
SAME = 1e-6  # of the size: equilibria that are one


@dataclass(frozen=True)
class Equilibrium:
    """Where a machine stands still. Positions are (bodies, dimension) m, in the order of `mechanism.bodies`."""

    mechanism: Mechanism
    q: Floats
    method: str  # Newton, descent or damped motion
    steps: int
    residual: float  # forces that are left, relative to all that acts
    rates: Rates  # how small motions about it grow or decay

    @property
    def stable(self) -> bool:
        return not self.rates.growing

    @cached_property
    def forces(self) -> Forces:
        """Tensions, multipliers and the pull of force elements, one sample."""
        return forces_at(self.mechanism, self.q[None], np.zeros_like(self.q)[None])

    def position(self, body: str) -> tuple[float, ...]:
        return tuple(float(x) for x in self.q[self.mechanism.body_index[body]])

    def tension(self, constraint: str) -> float:
        """Force of a constraint [N]; positive where a link pulls."""
        names = [c.name for c in self.mechanism.constraints]
        return float(self.forces.tension[0, names.index(constraint)])

    @cached_property
    def trajectory(self) -> Trajectory:
        """The state as a motion of one sample, for whatever shows and observes motions."""
        return Trajectory(self.mechanism, np.zeros(1), self.q[None], np.zeros_like(self.q)[None])

    @cached_property
    def moved(self) -> tuple[str, float]:
        """The body that stands farthest from its start, and how far."""
        mechanism = self.mechanism
        start = np.array([body.start for body in mechanism.bodies])
        visible = [i for i, body in enumerate(mechanism.bodies) if not body.is_inner]
        off = np.linalg.norm(self.q - start, axis=1)[visible]
        return mechanism.bodies[visible[int(off.argmax())]].name, float(off.max())

    @property
    def energy(self) -> float:
        """Potential energy [J]."""
        return float(self.trajectory.potential_energy[0])

    def figures(self) -> list[tuple[str, str]]:
        steps = f"{self.steps} step" + ("s" if self.steps != 1 else "")
        name, far = self.moved
        return [
            ("equilibrium", f"{self.rates.verdict()}; found by {self.method}, {steps}"),
            ("farthest from start", f"{name}, {far:.6g} m"),
        ]

    def data(self) -> dict[str, Any]:
        mechanism = self.mechanism
        tensions = self.forces.tension[0]
        pulls = self.forces.pull[0]
        return {
            "stable": self.stable,
            "verdict": self.rates.verdict(),
            "method": self.method,
            "steps": self.steps,
            "residual": self.residual,
            "energy": self.energy,
            "positions": {body.name: list(self.position(body.name)) for body in mechanism.points},
            "tensions": {c.name: float(t) for c, t in zip(mechanism.constraints, tensions, strict=True)},
            "forces": {f.name: float(p) for f, p in zip(mechanism.forces, pulls, strict=True)},
        }

    def pictures(self) -> list[Animation]:
        return [Animation("op", self.trajectory, f"Equilibrium: {self.words()}")]

    def words(self) -> str:
        """Stable or not, and its energy."""
        return f"{self.rates.verdict()}, U = {self.energy:.6g} J"


@dataclass(frozen=True)
class Equilibria:
    """All that `.op ALL` found, the lowest first."""

    found: tuple[Equilibrium, ...]

    def figures(self) -> list[tuple[str, str]]:
        lines = [("equilibria", str(len(self.found)))]
        for number, one in enumerate(self.found, start=1):
            lines.append((f"  {number}", one.words()))
        return lines

    def data(self) -> dict[str, Any]:
        return {"found": [one.data() for one in self.found]}

    def pictures(self) -> list[Animation]:
        return [
            Animation(f"op-{number}", one.trajectory, f"Equilibrium {number} of {len(self.found)}: {one.words()}")
            for number, one in enumerate(self.found, start=1)
        ]


class NoEquilibrium(RunRefused):
    """No rung of the ladder led to one."""


class _Search:
    """The ladder over one machine."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.line = Linearisation(mechanism)
        self.rest = self.line.rest
        self.size = self.rest.assembly.system.size or 1.0

    def climb(self) -> Equilibrium:
        start = self.rest.start
        for method, lead in (("Newton", self._stay), ("descent", self._descend), ("damped motion", self._swing)):
            steps, place = lead(start)
            if place is None:
                continue
            found = self.newton(place, NEAR if method == "Newton" else np.inf)
            if found is not None:
                linear, more = found
                return self.equilibrium(linear, method, steps + more)
        raise NoEquilibrium(
            "no equilibrium was found, neither by Newton's method nor by descent and damped motion: "
            "a machine that is driven on, or falls without end, has none"
        )

    def equilibrium(self, linear: Linear, method: str, steps: int) -> Equilibrium:
        q = with_held(self.mechanism, linear.q[None])[0]
        return Equilibrium(self.mechanism, q, method, steps, linear.residual, rates_of(linear))

    def newton(self, q: Floats, reach: float) -> tuple[Linear, int] | None:
        """To the equilibrium that Newton's method leads to from q, if it is within reach."""
        start, best = q, np.inf
        for step in range(STEPS):
            linear = self.line.at(q)
            if linear.residual <= ENOUGH or (linear.residual <= ROUNDING and linear.residual >= 0.5 * best):
                return linear, step
            best = min(best, linear.residual)
            x: Floats = np.linalg.lstsq(linear.K, linear.f, rcond=1e-12)[0].astype(float)
            moved = self._moved(linear, x)
            if moved is None or np.abs(moved - start).max() > reach * self.size:
                return None
            q = moved
        return None

    def _moved(self, linear: Linear, x: Floats) -> Floats | None:
        """The place on the constraints behind a step, cut to what a linearisation can promise."""
        way = (linear.ways @ x).reshape(linear.q.shape)
        longest = float(np.abs(way).max(initial=0.0))
        if not np.isfinite(longest):
            return None
        way *= min(1.0, LONGEST * self.size / max(longest, 1e-300))
        for _ in range(6):
            landed = self.rest.landed(linear.q + way)
            if landed is not None:
                return landed
            way *= 0.5
        return None

    def _stay(self, q: Floats) -> tuple[int, Floats | None]:
        return 0, q

    def _descend(self, q: Floats) -> tuple[int, Floats | None]:
        """Downhill with Newton's steps, each stiffness taken positive; halved where the force turns against the step."""
        for step in range(STEPS):
            linear = self.line.at(q)
            if not linear.is_holonomic or linear.residual <= 1e-6:
                return step, q
            stiffness, shapes = np.linalg.eigh(0.5 * (linear.K + linear.K.T))
            floor = 1e-6 * float(np.abs(stiffness).max(initial=0.0)) or 1.0
            x = shapes @ ((shapes.T @ linear.f) / np.maximum(np.abs(stiffness), floor))
            lower = self._lower(linear, x)
            if lower is None:
                return step, None
            q = lower
        return STEPS, None

    def _lower(self, linear: Linear, x: Floats) -> Floats | None:
        """Behind a step, so much of it that the force there does not turn against it."""
        for _ in range(12):
            moved = self._moved(linear, x)
            if moved is None:
                return None
            way = (moved - linear.q).ravel()
            if self.line.force(moved) @ way >= -0.5 * self.line.force(linear.q) @ way:
                break
            x = 0.5 * x
        return moved

    def _swing(self, q: Floats) -> tuple[int, Floats | None]:
        """Let it go from rest, stop it where it is fastest, again and again."""
        mechanism = self.rest.mechanism
        step, until = mechanism.transient.step, max(mechanism.transient.stop, 100 * mechanism.transient.step)
        for swing in range(SWINGS):
            run = simulate(_from_rest(mechanism, q, until, step))
            kinetic = run.kinetic_energy
            falls = np.flatnonzero(np.diff(kinetic) < 0.0)
            at = int(falls[0]) if len(falls) else len(kinetic) - 1
            q = run.q[at, : len(mechanism.vectors)]
            if kinetic[at] <= 1e-12 * self.rest.assembly.system.energy_scale or self.line.at(q).residual < 1e-3:
                return swing + 1, q
        return SWINGS, None

    def everywhere(self) -> Iterator[Equilibrium]:
        """Newton's method from places strewn over the manifold, the same in every run."""
        draw = np.random.Generator(np.random.Philox(key=13))
        start = self.rest.start
        freedoms = self.rest.tangents(start)[0].shape[1]
        for number in range(STARTS * max(1, freedoms)):
            place = start if number == 0 else self._strewn(start, draw)
            found = None if place is None else self.newton(place, np.inf)
            if found is not None:
                yield self.equilibrium(found[0], "Newton", found[1])

    def _strewn(self, q: Floats, draw: np.random.Generator) -> Floats | None:
        for _ in range(12):
            ways = self.rest.tangents(q)[0]
            way = (ways @ draw.standard_normal(ways.shape[1])).reshape(q.shape)
            way *= 0.4 * self.size / max(float(np.abs(way).max(initial=0.0)), 1e-300)
            landed = self.rest.landed(q + way)
            q = q if landed is None else landed
        return q


def _from_rest(mechanism: Mechanism, q: Floats, until: float, step: float) -> Mechanism:
    """The machine, let go at q."""
    places = with_held(mechanism, q[None])[0]
    bodies = tuple(
        dataclasses.replace(body, start=tuple(map(float, place)), velocity=(0.0,) * len(place), velocity_given=False)
        for body, place in zip(mechanism.bodies, places, strict=True)
    )
    transient = dataclasses.replace(mechanism.transient, start=0.0, stop=until, step=step)
    return dataclasses.replace(mechanism, bodies=bodies, transient=transient)


def equilibrium(source: Mechanism | str | Path, **changes: Any) -> Equilibrium:
    """The static equilibrium near the start of a mechanism, of the path of a chainlist, or of its text.

    >>> pendulum = "* Pendulum\\nB1 (1,-1) 1\\nC1 B1 (0,0)\\n.tran 0 1 1ms\\n"
    >>> found = equilibrium(pendulum)
    >>> found.stable, round(found.position("B1")[1], 9)
    (True, -1.414213562)
    """
    return _Search(changed(source, changes_of(**changes))).climb()


def equilibria(source: Mechanism | str | Path, **changes: Any) -> tuple[Equilibrium, ...]:
    """All equilibria that a search over the whole manifold finds, the lowest first."""
    mechanism = changed(source, changes_of(**changes))
    search = _Search(mechanism)
    found: list[Equilibrium] = []
    for one in search.everywhere():
        if all(np.abs(one.q - other.q).max() > SAME * search.size for other in found):
            found.append(one)
    if not found:
        raise NoEquilibrium("no equilibrium was found anywhere")
    return tuple(sorted(found, key=lambda one: one.energy))


def _read(card: AnalysisCard) -> bool:
    return card.keyword("ALL") is not None


def _run(everything: bool, study: Study) -> Equilibrium | Equilibria:
    if everything:
        return Equilibria(equilibria(study.mechanism))
    return equilibrium(study.mechanism)


register(
    Analysis(
        "op",
        ".op [ALL]",
        "static equilibrium near the start: positions, forces, stable or not; ALL: wherever the machine can be moved to",
        _read,
        _run,
    )
)
