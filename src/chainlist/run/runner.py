"""A run under way: its arrays, the march chunk by chunk, and what it logged."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from chainlist import formulations, integrators
from chainlist.compile.held import with_held
from chainlist.compile.layout import make_work
from chainlist.compile.plan import Choice, plan, settler
from chainlist.compile.settle import settled
from chainlist.compile.system import Assembly
from chainlist.compile.velocities import needs_following, start_velocities
from chainlist.formula import End
from chainlist.kernels import slots
from chainlist.kernels.bind import is_ready, make_ready
from chainlist.kernels.bundles import Floats, System
from chainlist.run.beginning import how_far, rows_of
from chainlist.run.blame import CREEPS, LOST, TOGETHER, WITHOUT_DIRECTION, meeting, no_start, suspect, undefined
from chainlist.run.engaging import Chapter
from chainlist.run.grid import Grid
from chainlist.run.happenings import Happening
from chainlist.run.lane import by_hinges, by_rows, lies_on_hinges
from chainlist.run.status import NO_START, Status, breakdown
from chainlist.run.survey import Survey
from chainlist.run.switchboard import Switchboard

TRIAL, LANDING = 2, 3  # of count.aimed
FAR = 1e-2  # of the longest link: a start that moves by more is put right by damped steps


@dataclass(frozen=True)
class Event:
    """Something that happened: a code of kernels/slots.py, when, at which row, and a number."""

    what: int
    time: float
    row: int
    value: float


class Runner:
    """Owns the state and the scratch of one run."""

    def __init__(self, assembly: Assembly, choice: Choice, grid: Grid) -> None:
        self.assembly, self.grid = assembly, grid
        self.system = assembly.system
        corrects = self.system.corrects != 0
        acts = assembly.acts
        switches = assembly.switches is not None
        # Kernels with forces or switches are large: there is one of each, which is ready for everything. It costs them little;
        # the lean ones of long chains would lose a fifth of their speed.
        careful = acts or choice.solver != "AUTO"
        apart = acts or len(self.system.groups.size) > 1
        self.plan = plan(replace(choice, careful=careful, apart=apart, corrects=corrects, acts=acts, switches=switches))
        self.work = make_work(self.system, stages=self.plan.stages, named=self.plan.named)
        self.q, self.v = assembly.q.copy(), assembly.v.copy()
        self.Q = np.empty((grid.samples, assembly.bodies, self.q.shape[1]))
        self.V = np.empty_like(self.Q)
        self.E = np.empty(grid.samples if self.system.corrects else 0)
        self.X = np.empty((grid.samples if acts else 0, assembly.memory))  # Work, and continuous angles
        self.times = grid.times
        self._sizes = grid.step, grid.last_step, 0.0
        self.done = 0  # steps of the grid, or samples of an adaptive integrator
        self.written = 0  # samples
        self.events: list[Event] = []
        self.missed_events = 0
        self.status = Status()
        self.ended = False  # no motion goes on from here, whatever broke down before
        self.moved = (0.0, 0.0)  # how far the start was put right: m, m/s
        self.announce: Callable[[], None] = lambda: None  # called before kernels are compiled
        self.preparing = 0.0  # s, spent on compiling and loading kernels
        self.marching = 0.0  # s, spent on the motion
        self.board = None if assembly.switches is None else Switchboard(self, assembly.switches)

    @functools.cached_property
    def survey(self) -> Survey:
        """The constraints as they are written, and energies, over samples."""
        return Survey(self.assembly, self.plan.choice.target)

    @property
    def goal(self) -> int:
        return len(self.times) if self.plan.adaptive else self.grid.steps

    @property
    def finished(self) -> bool:
        if self.status.code == NO_START or self.ended or (self.board is not None and self.board.stopped):
            return True  # there is no motion, or none that goes on
        return self.done >= self.goal or (not self.status.ok and not self.system.goes_on)

    @property
    def part(self) -> float:
        """How much of the run is done, from 0 to 1."""
        if self.plan.adaptive:
            return float(self.work.gauge.time) / self.grid.stop
        return self.done / self.grid.steps

    def start(self) -> None:
        """Land at the start; a start that does not fit is put right if the system projects."""
        q, v = self.q.copy(), self.v.copy()
        tree, follows = self.assembly.tree, needs_following(self.assembly.mechanism)
        if tree is not None and not follows:
            self.plan, self.system, self.work = by_hinges(self.plan, self.system, self.work, tree)
        self._land(q, v)
        if self.plan.choice.tree and not lies_on_hinges(self.work.gauge):
            # how a start is put right does not depend on what comes after it
            self.plan, self.system, self.work = by_rows(self.plan, self.system, self.work)
            q, v = self.q.copy(), self.v.copy()
            self._land(q, v)
        projects = formulations.REGISTRY[self.plan.choice.formulation].projects
        if projects and self.status.code != slots.SOLVER_FAILED and not self._fits(q):
            q, v = self.q.copy(), self.v.copy()
            if not self._settle(q, v):
                self.status = no_start(self.assembly, self.work)
                self._keep_given()
                return
            self._land(q, v)
        if self.status.ok and follows:
            v = self._followed(q, v)
        if not (np.isfinite(q).all() and np.isfinite(v).all()):
            q, v = self.q.copy(), self.v.copy()  # a solver that failed leaves nothing: the start as it was given
        self.moved = how_far(self.assembly, (self.q, self.v), (q, v))
        self.q[:], self.v[:] = q, v
        if tree is not None and not self.plan.choice.tree and self.status.ok:
            self.plan, self.system, self.work = by_hinges(self.plan, self.system, self.work, tree)
            self.feel_anew()
        if self.board is not None and self.status.ok:
            self.board.begin()
            self.keep_start()
        if not self.status.ok:
            self._keep_given()
        count = self.assembly.bodies
        X = np.zeros((1, self.assembly.memory)) if not len(self.X) else self.X[:1]
        start = self.survey(np.zeros(1), self.q[None, :count], self.v[None, :count], X)
        energy = float((start.kinetic + start.potential).sum())
        energy -= 0.0 if self.board is None else float(self.q[-1, 0])  # an impact at the start was work
        self.work.gauge.energy = self.work.gauge.predicted = energy
        self.E[: self.written] = energy

    def _keep_given(self) -> None:
        """It broke down before its first step: the start may be all there is, and is kept."""
        if len(self.times) and self.times[0] == 0.0:
            self.Q[0], self.V[0] = self.q[: self.assembly.bodies], self.v[: self.assembly.bodies]
            self.X[:1] = 0.0
            self.written = max(self.written, 1)

    def _settle(self, q: Floats, v: Floats) -> bool:
        """Move q onto the constraints: as the kernels do, or, near singular positions, with the steps that checks take there."""
        given, count = q.copy(), self.assembly.bodies
        settle = settler(replace(self.plan.choice, integrator="", apart=False, corrects=False, careful=True))
        if settle(self.system, self.work, q, v) == 0:
            return True
        design = np.array([body.position for body in self.assembly.mechanism.vectors]).reshape(count, -1)
        found = settled(rows_of(self.assembly, given), given[:count], design)
        if found is not None:
            q[:] = given
            q[:count] = found
        return found is not None

    def _followed(self, q: Floats, v: Floats) -> Floats:
        """Given velocities, and those of the others that follow from them; `v` where the given ones do not fit."""
        mechanism, count = self.assembly.mechanism, self.assembly.bodies
        start = start_velocities(mechanism, rows_of(self.assembly, q), q[:count])
        of_points = any(body.keeps_velocity for body in mechanism.bodies[count:])  # which `v` knows nothing of
        if not (start.fits or of_points) or np.array_equal(start.velocity, v[:count]):
            return v
        followed = v.copy()
        followed[:count] = start.velocity
        self._land(q, followed)
        return followed

    def _fits(self, q: Floats) -> bool:
        """Plain steps reached the constraints, and not far away: then they found the nearest place."""
        bodies = slice(self.assembly.bodies)
        near = np.abs(q - self.q)[bodies].max(initial=0.0) <= FAR * self.system.size
        return bool(near and self.work.gauge.residual <= 1e-12)

    def _land(self, q: Floats, v: Floats) -> None:
        self.status, self.events = Status(), []
        self.work.count.numbers.fill(0)
        self.work.factor.active[:] = 1
        if self.board is not None:
            self.board.engage()  # what holds from the start on
        if self.plan.adaptive:
            natural = float((self.system.groups.size / self.system.groups.speed).min())
            self.work.gauge.step = min(0.01 * natural, self.grid.stop)
        code = self._call(self.system.but(corrects=0), -1, 0, q, v, 0)
        if code == slots.ASKS:
            self._take_care()
            self._land(q, v)
            return
        self.written = self.done = int(self.work.count.sample)
        if not self.plan.adaptive:
            self.done = 0
        self._after(code)

    def _call(self, system: System, first: int, last: int, q: Floats, v: Floats, written: int) -> int:
        """The march from step `first` to `last`; of an adaptive integrator, `last` − `first` attempts (first < 0: none)."""
        grid, rest = self.grid, (q, v, self.Q[written:], self.V[written:], self.E[written:], self.X[written:])
        if self.plan.adaptive:
            budget = 0 if first < 0 else last - first
            return int(self._kernel(self.plan.march, system, self.work, budget, grid.stop, self.times[written:], *rest))
        indices, sizes = (grid.steps, grid.first_sample, grid.stride), self._sizes
        return int(self._kernel(self.plan.march, system, self.work, first, last, indices, sizes, *rest))

    def _kernel(self, kernel: Any, *arguments: Any) -> Any:
        """Call a kernel; one that is not ready is made so before, which is announced and is no part of the motion."""
        if not is_ready(kernel):
            self.announce()
            self.preparing += make_ready(kernel, *arguments)
        return kernel(*arguments)

    def _take_care(self) -> None:
        """From here on with the kernels that singular configurations need; what failed without them is forgotten."""
        self.work.count.failed = 0
        self.plan = plan(replace(self.plan.choice, careful=True))

    def go_on(self, amount: int) -> None:
        """`amount` steps, or attempts of an adaptive integrator."""
        first = self.done
        last = first + amount if self.plan.adaptive else min(first + amount, self.grid.steps)
        code = self._call(self.system, first, last, self.q, self.v, self.written)
        self.written += int(self.work.count.sample)
        self.done = self.written if self.plan.adaptive else last
        if self.board is not None and code in (slots.ALARM, slots.REACHED):
            if not self.plan.adaptive:
                self.done = int(self.work.count.next)
            self._after(int(self.work.count.broken))  # what broke down before, where the run goes on
            self._switch(code)
            return
        if code == slots.ASKS:
            self._take_care()
            if not self.plan.adaptive:
                self.done = int(self.work.count.next)
            if integrators.REGISTRY[self.plan.choice.integrator].holds_constraints:
                self._land_again(self.system)
            return
        self._after(code)
        now, step = float(self.work.gauge.time), float(self.work.gauge.step)
        if self.plan.adaptive and step < CREEPS * self.grid.step and self.meets() is not None:
            self.ends_at(slots.STEP_TOO_SMALL, now)

    # Events

    @property
    def story(self) -> tuple[tuple[Chapter, ...], tuple[Happening, ...]]:
        """What held when, and what happened."""
        if self.board is None:
            return (), ()
        happened = sorted(self.board.happened, key=lambda event: event.time)  # what stays in touch is told ahead
        return tuple(self.board.chapters), tuple(happened)

    def _switch(self, code: int) -> None:
        """An alarm rang, or the step led to where something switches."""
        assert self.board is not None
        gauge = self.work.gauge
        now = float(gauge.time if self.plan.adaptive or code == slots.ALARM else gauge.left)
        if code == slots.ALARM:
            self.board.locate()
        else:
            self.board.happen(now)
        if self.board.stopped:
            self._keep_last(now)

    def _keep_last(self, now: float) -> None:
        """The state at which a condition stops the run is its last sample, as `stop` of .tran would be."""
        at, tape = self.written, self.work.rows.tape
        if at >= len(self.times) or now < self.times[0] or (at and now <= self.times[at - 1]):
            return
        self.times[at] = now
        self.Q[at], self.V[at] = self.q[: self.assembly.bodies], self.v[: self.assembly.bodies]
        self.X[at, 0] = self.q[-1, 0]
        if tape is not None:
            self.X[at, 1:] = tape.turn
        self.written += 1

    def try_step(self, size: float) -> bool:
        """A step of this size from the present state, which is not kept: its alarms are in the work. False: it went wrong."""
        return self._step_aside(TRIAL, size) != slots.REJECTED

    def land_here(self) -> None:
        """Put the state onto what holds now, with its derivatives."""
        self._step_aside(LANDING, 0.0)

    def _step_aside(self, aimed: int, size: float) -> int:
        self.work.gauge.aim, self.work.count.aimed = size, aimed
        code = self._call(self.system, self.done, self.done + 1, self.q, self.v, self.written)
        if code == slots.ASKS:
            self._take_care()
            return self._step_aside(aimed, size)
        return code

    def weigh(self, now: float) -> None:
        """Mobilities of the rows that are listed; the careful kernels take over where they are needed."""
        assert self.plan.weigh is not None
        if self._kernel(self.plan.weigh, self.system, self.work, now, self.q, self.v) == slots.ASKS:
            self._take_care()
            self.weigh(now)

    def distance(self, ends: Sequence[End]) -> float:
        """Between two points, now."""
        mechanism = self.assembly.mechanism
        bodies = with_held(mechanism, self.q[None, : self.assembly.bodies])[0]
        index = mechanism.body_index
        places = []
        for end in ends:
            if isinstance(end, str):
                places.append(bodies[index[end]])
            else:
                places.append(np.array(end) if isinstance(end, tuple) else self.q[self.assembly.number[end]])
        return float(np.linalg.norm(places[0] - places[1]))

    def kinetic_energy(self) -> float:
        return float(0.5 * self.system.mass @ (self.v**2).sum(axis=1))

    def add_work(self, energy: float) -> None:
        """What an impact took is work, as that of a damper is."""
        self.q[-1, 0] += energy

    def keep_start(self) -> None:
        """The first sample shows the state behind what happened at the start."""
        if self.written:
            self.Q[0], self.V[0] = self.q[: self.assembly.bodies], self.v[: self.assembly.bodies]
            self.X[:1] = 0.0
            self.X[0, 0] = self.q[-1, 0]

    def jams(self, when: float, name: str) -> None:
        if self.status.ok:
            self.status = breakdown(slots.JAMMED, when, name)

    def ends_at(self, code: int, when: float) -> None:
        """Events hold the motion up: it ends here, also where it went on behind a breakdown."""
        self.ended = True
        if self.status.ok:
            shown = "the list of events" if code == slots.TOO_MANY_EVENTS else ""
            self.status = breakdown(code, when, shown, meeting=self.meets())

    def meets(self) -> tuple[str, str, str] | None:
        """A string of which two points have come together."""
        return meeting(self.assembly.mechanism, self.q[: self.assembly.bodies], TOGETHER * self.system.size)

    def loses_its_value(self, when: float) -> None:
        """What an event is looked for in is no number: nothing happens there, and the motion is lost."""
        self.work.count.broken, self.work.gauge.break_time = slots.NOT_FINITE, when
        self._after(slots.NOT_FINITE)

    def _land_again(self, system: System) -> None:
        """A method that goes on from the rows and the factor of its last landing gets them anew."""
        now = self.done * self.grid.step
        nowhere = (1 << 60, 1 << 60, 1), (self.grid.step, self.grid.step, now)
        rest = self.q, self.v, self.Q, self.V, self.E, self.X
        self._kernel(self.plan.march, system, self.work, -1, 0, *nowhere, *rest)

    def feel_anew(self) -> None:
        """What pushes the bodies has changed between two steps: the derivatives at this state are computed once more."""
        system = self.system.but(corrects=0)  # the state stays; at the start its energy is not yet known
        if self.board is not None:
            self.land_here()
        elif self.plan.adaptive:
            self._call(system, -1, 0, self.q, self.v, self.written)
        else:
            self._land_again(system)

    def run_for(self, seconds: float, amount: int) -> int:
        """Go on with `amount` steps; return how many would take about `seconds`."""
        clock, prepared = time.perf_counter(), self.preparing
        self.go_on(amount)
        used = time.perf_counter() - clock - (self.preparing - prepared)
        self.marching += used
        return max(1, min(int(amount * min(4.0, seconds / max(used, 1e-9))), 1 << 40))

    def _after(self, code: int) -> None:
        """Take the events out of the log, and turn a breakdown into words."""
        count = int(self.work.count.logged)
        for what, when, row, value in self.work.log[: min(count, len(self.work.log))]:
            self.events.append(Event(int(what), float(when), int(row), float(value)))
        self.missed_events += max(0, count - len(self.work.log))
        self.work.count.logged = 0
        if code != slots.DONE and self.status.ok:
            when = float(self.work.gauge.break_time)
            kept = self.times[: self.written], (self.Q, self.V)
            expression = undefined(self.assembly, when, (self.q, self.v), kept) if code in LOST else None
            tried = {"named": self.plan.named, "projected": self.plan.choice.formulation == "PROJECTED"}
            driven = np.flatnonzero(self.work.rows.c) if self.assembly.acts else ()
            names = [self.assembly.name_of_row(int(row)) for row in driven]
            names += () if self.board is None else self.board.drives
            drives = tuple(dict.fromkeys(names))
            seen = suspect(self.assembly, self.work)
            two = self.meets() if expression is None and code in WITHOUT_DIRECTION else None
            self.status = breakdown(int(code), when, seen, **tried, expression=expression, drives=drives, meeting=two)
