"""Events of a run: where within a step something switches, and what it does to the motion.

A step behind which an alarm rings is not taken. The step itself is the way to look inside: taken shorter and shorter it leads
to the moment at which the first alarm rings, to rounding. There the rows switch, impulses go through all that holds, and the
march goes on to the end of the step.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field

import numpy as np

from chainlist.compile.switches import Switches
from chainlist.kernels import slots
from chainlist.kernels.bundles import Floats, SwitchWork
from chainlist.kernels.switches import CLOSED, GONE, HELD, OPEN, SLIPS, STICKS, WAITS
from chainlist.run.engaging import Chapter, chapter, engage, enlist, state_of, switch_work
from chainlist.run.grips import Grip, decide, pressed
from chainlist.run.happenings import Happening, name_of
from chainlist.run.impacts import Contacts, Flags, impact, pushes
from chainlist.run.marching import Marching
from chainlist.run.search import Search

MOST = 100_000  # events in a second of the motion
TOUCH = 1e-10  # of the size: gaps that touch
AT_ONCE = 1e-15  # of the time: so little behind a moment is that moment, at which a sample may stand
MANY = 30  # searches within one step: two points may have come together
CROWD = 200  # events, and four of each gap, as close together as no hops are: the motion does not go on
CLOSE = 1e-4  # of a step
HOP = 1e-3  # of a step: a gap that opens for a shorter time rests
LOW = 1e-11  # of the size: or one that opens by less


@dataclass
class Switchboard:
    runner: Marching
    switches: Switches
    happened: list[Happening] = field(default_factory=list)
    chapters: list[Chapter] = field(default_factory=list)
    stopped: str = ""  # the condition that ended the run
    at_once: list[int] = field(default_factory=list)  # conditions that ended something at the start
    told: set[int] = field(default_factory=set)  # what sticks, with a friction that is told: see `sharing`
    rung: list[int] = field(default_factory=list)
    looked_from: float = -math.inf  # s, where a step began within which something switches
    looks: int = 0  # at steps from there
    searches: int = 0  # within one step
    searched_from: float = -math.inf
    recent: deque[float] = field(default_factory=lambda: deque(maxlen=MOST))

    def __post_init__(self) -> None:
        self.count = len(self.switches.switches)
        self.first_tangent = self.switches.first_tangents
        self.side = np.array([switch.side or 1.0 for switch in self.switches.switches])
        self.two_sided = np.array([switch.side == 0.0 for switch in self.switches.switches], bool)
        self.reset()

    @property
    def work(self) -> SwitchWork:
        return switch_work(self.runner.work)

    def reset(self) -> None:
        """As the text begins: links hold, one-sided rows are open, what waits does not hold yet."""
        work = self.work
        self.told.clear()
        for k, switch in enumerate(self.switches.switches):
            waits = switch.since is not None
            work.mode[k] = WAITS if waits else HELD if switch.side == 0.0 else OPEN
            work.grip[k] = 0
            work.mu[k], work.mus[k] = switch.friction, switch.sticking
        for j, condition in enumerate(self.switches.conditions):
            waits = condition.switch >= 0 and self.switches.switches[condition.switch].since is not None
            work.armed[j] = condition.begins or not waits
        self.engage()

    def engage(self) -> None:
        self.runner.work = engage(self.switches, self.runner.system, self.runner.work)

    def tangents(self, k: int) -> range:
        return range(self.first_tangent[k], self.first_tangent[k + 1])

    def locate(self) -> None:
        """Behind an ALARM: aim the next step at the first event within, or let it happen at once."""
        gauge = self.runner.work.gauge
        t, size = float(gauge.time), float(gauge.span)
        if t - self.looked_from > self._instant(t):
            self.looked_from, self.looks = t, 0
        self.looks += 1
        self.searches = self.searches + 1 if t - self.searched_from <= self.runner.grid.step else 0
        self.searched_from = self.searched_from if self.searches else t
        held_up = self.searches >= MANY and self.runner.meets() is not None
        if self.looks > CROWD or held_up:  # the motion does not go on from here
            self.runner.ends_at(slots.HELD_UP, t)
            return
        found = Search(self, t, size).first()
        if found is None:
            gauge.step = 0.5 * size  # a trial went wrong: an adaptive step tries again with less
            return
        if not found.known:
            self.runner.loses_its_value(t + size)
            return
        self.rung = found.rung
        if found.at * size <= AT_ONCE * max(t, size):
            self.happen(t)
            return
        gauge.aim = found.at * size
        self.runner.work.count.aimed = 1

    # What happens there

    def happen(self, now: float) -> None:
        """Something switches: conditions first, then impacts, then who holds from now on."""
        runner, bodies = self.runner, self.runner.assembly.bodies
        self._count(now)
        before = state_of(runner.work, runner.q, runner.v, bodies)
        work, n = self.work, self.count
        for j in [k - 2 * n for k in self.rung if k >= 2 * n]:
            self._begin_or_end(j, now)
        released = {k for k in self.rung if k < n and work.mode[k] == CLOSED}
        turned = {k for k in self.rung if k < n and work.mode[k] == HELD}  # pressed from the other side from now on
        slipping = {k - n for k in self.rung if n <= k < 2 * n and work.grip[k - n] == STICKS}
        dragged = released & slipping  # what seems to lift it is what it would take to drag it along if it stuck
        self.rung = []
        if not self.stopped:  # a run that ends here ends with the velocities that led here
            self._collide(now, released - dragged, slipping, turned)
        self.engage()
        points = runner.q[bodies:].copy()
        runner.land_here()
        behind = state_of(runner.work, runner.q, runner.v, bodies)
        self.chapters.append(chapter(now, runner.work, points, before, behind))

    def begin(self) -> None:
        """At the start: what touches holds or lets go, conditions that hold already act."""
        work, n = self.work, self.count
        self.rung = [2 * n + j for j in range(len(work.armed)) if work.armed[j] and work.z[2 * n + j] < 0.0]
        self.happen(0.0)

    @property
    def drives(self) -> list[str]:
        """What holds and moves as it is told to."""
        work = self.work
        rows = [int(k) for k in work.list[: self.runner.work.count.engaged] if work.rows.c[k] != 0.0]
        return [self.switches.elements[k].name for k in rows if k < self.count]

    def _count(self, now: float) -> None:
        self.recent.append(now)
        crowd = CROWD + 4 * self.count
        soon = CLOSE * self.runner.grid.step + self._instant(now)
        crowded = len(self.recent) > crowd and now - self.recent[-crowd] < soon
        if crowded or (len(self.recent) == MOST and now - self.recent[0] < 1.0):
            self.runner.ends_at(slots.TOO_MANY_EVENTS, now)

    def _instant(self, now: float) -> float:
        """Moments that lie within it are one: a billionth of a step, or what rounding of the time leaves of it."""
        return 1e-9 * self.runner.grid.step + 8.0 * math.ulp(now)

    def _begin_or_end(self, j: int, now: float) -> None:
        condition, work = self.switches.conditions[j], self.work
        work.armed[j] = 0
        k = condition.switch
        if now <= self._instant(0.0) and not condition.begins:
            self.at_once.append(j)
        if k < 0:
            place = j - (len(self.switches.conditions) - len(self.runner.assembly.mechanism.stops))
            self.stopped = self.runner.assembly.mechanism.stops[place].words
            self.happened.append(Happening(now, "stops", (), note=self.stopped))
            return
        switch, name = self.switches.switches[k], self.switches.elements[k].name
        if condition.begins:
            if switch.as_found:
                point = self.runner.assembly.number[name]
                self.runner.q[point, 1] = self.runner.distance(self.switches.elements[k].ends)
            work.mode[k] = HELD if switch.side == 0.0 else OPEN
            for other, later in enumerate(self.switches.conditions):
                if later.switch == k and not later.begins:
                    work.armed[other] = 1
            self.happened.append(Happening(now, "begins to hold", (name,)))
        else:
            work.mode[k], work.grip[k] = GONE, 0
            self.happened.append(Happening(now, switch.ends_as, (name,)))

    def _collide(self, now: float, released: set[int], slipping: set[int], turned: set[int]) -> None:
        """Impulses through everything, and who holds afterwards."""
        work = self.work
        table = self.runner.system.switch
        assert table is not None
        size = self.runner.system.size
        gap = np.where(work.mode == OPEN, work.z[: self.count], 0.0)
        touching = [
            k
            for k in range(self.count)
            if work.mode[k] in (CLOSED, HELD) or (work.mode[k] == OPEN and abs(gap[k]) <= TOUCH * size)
        ]
        if not touching:
            return
        contacts, signs, rows, u, pull = self._weigh(now, touching)
        before, led_here = self.runner.kinetic_energy(), self.runner.v.copy()
        gaps = len(touching)
        was_open = np.array([work.mode[k] == OPEN for k in touching])
        fast = float(np.abs(u).max(initial=0.0))
        if (np.abs(u[contacts.free]) > 1e-12 * max(1.0, fast)).any():
            u = self._catch(now, contacts, signs, u, touching)
        if (u[:gaps][~contacts.free[:gaps]] < -1e-15 * max(1.0, fast)).any():
            p, u, lost = impact(contacts, u)
            self._push(signs * p, len(rows))
            self._tell_impacts(now, touching, was_open, p[:gaps], lost)
        pull = self._pull_behind(now, touching, led_here, pull)
        slow = 1e-9 * max(fast, table.slow * 1e12)
        rests = self._resting(contacts, u, pull, released, touching, slow)
        if rests.any():
            led_here = self.runner.v.copy()
            self._stop_hops(now, contacts, signs, u, pull, rests, touching, was_open)
            pull = self._pull_behind(now, touching, led_here, pull)
        slip = {n: u[contacts.tangents_of(n)] for n in range(gaps)}
        let_go = frozenset(n for n, k in enumerate(touching) if k in slipping)
        grip = decide(contacts, pull, slip, rests, slow, let_go)
        if grip.jams >= 0:
            self.runner.jams(now, name_of(self.switches.elements[touching[grip.jams]]))
        self._adopt(now, touching, contacts, grip, turned)
        self.runner.add_work(self.runner.kinetic_energy() - before)

    def _weigh(self, now: float, touching: list[int]) -> tuple[Contacts, Floats, list[int], Floats, Floats]:
        """The touching rows and their tangents: mobilities, rates and accelerations, with gaps counted as opening."""
        tangents = [(t, n) for n, k in enumerate(touching) for t in self.tangents(k)]
        rows = [*touching, *(t for t, _ in tangents)]
        self.runner.work = enlist(rows, self.switches, self.runner.system, self.runner.work)
        self.runner.weigh(now)
        work, size = self.work, len(rows)
        signs = np.array([*self.side[touching], *np.ones(len(tangents))])
        D = signs[:, None] * work.D[:size, :size] * signs
        switches = [self.switches.switches[k] for k in touching]
        contacts = Contacts(
            0.5 * (D + D.T),
            np.array([*(work.mode[k] == HELD for k in touching), *(False for _ in tangents)], bool),
            len(touching),
            np.array([switch.restitution for switch in switches]),
            np.array([switch.friction for switch in switches]),
            np.array([switch.sticking for switch in switches]),
            tuple(n for _, n in tangents),
            work.rows.diagonal[rows].copy(),
        )
        return contacts, signs, rows, signs * work.rate[:size], signs * work.pull[:size]

    def _pull_behind(self, now: float, touching: list[int], led_here: Floats, pull: Floats) -> Floats:
        """Accelerations depend on velocities: behind an impulse they are others."""
        return pull if np.array_equal(led_here, self.runner.v) else self._weigh(now, touching)[-1]

    def _catch(self, now: float, c: Contacts, signs: Floats, u: Floats, touching: list[int]) -> Floats:
        """What begins to hold stops the motion along it, through everything that holds; nothing bounces."""
        p = np.zeros(len(u))
        p[: c.gaps] = pushes(c.D[: c.gaps, : c.gaps], u[: c.gaps], c.free[: c.gaps])
        after: Floats = u + c.D @ p
        self._push(signs * p, len(signs))
        for n, k in enumerate(touching):
            if c.free[n] and abs(u[n]) > 0.0:
                lost = max(-0.5 * float(p[n] * (u[n] + after[n])), 0.0)
                self.happened.append(Happening(now, "jerks", self._who(k), abs(float(p[n])), lost))
        return after

    def _push(self, impulses: Floats, size: int) -> None:
        self.runner.v += np.tensordot(impulses, self.work.W[:size], axes=1)

    def _tell_impacts(self, now: float, touching: list[int], was_open: Flags, p: Floats, lost: Floats) -> None:
        for n, k in enumerate(touching):
            if p[n] == 0.0 or self.two_sided[k]:
                continue
            what = ("comes taut" if self._is_rope(k) else "hits") if was_open[n] else "is struck"
            self.happened.append(Happening(now, what, self._who(k), float(p[n]), max(float(lost[n]), 0.0)))

    def _is_rope(self, k: int) -> bool:
        return self.switches.elements[k].type.is_link

    def _who(self, k: int) -> tuple[str, ...]:
        return (name_of(self.switches.elements[k]), *(str(end) for end in self.switches.switches[k].who))

    def _resting(
        self, c: Contacts, u: Floats, pull: Floats, released: set[int], touching: list[int], quiet: float
    ) -> Flags:
        """Which gaps stay: those that do not move, and those whose next hop would be too short to see."""
        gaps = c.gaps
        slow = 1e-13 * max(1.0, float(np.abs(u).max(initial=0.0)))
        free = np.array([k in released for k in touching], bool)
        rests: Flags = ~c.free[:gaps] & (np.abs(u[:gaps]) <= slow) & ~free
        step, size = self.runner.grid.step, self.runner.system.size
        for _ in range(gaps + 1):
            force = pressed(c, pull, rests)
            if c.under and (~rests & ~c.free[:gaps] & ~free & (u[:gaps] > 0.0)).any():  # friction too closes gaps
                found = decide(c, pull, {n: u[c.tangents_of(n)] for n in range(gaps)}, rests, quiet)
                force = force if found.jams >= 0 else found.force
            bends = (pull + c.D @ force)[:gaps]
            with np.errstate(all="ignore"):
                hop = np.where(bends < 0.0, 2.0 * u[:gaps] / -bends, np.inf)
                height = np.where(bends < 0.0, u[:gaps] ** 2 / (-2.0 * bends), np.inf)
            more = ~rests & ~c.free[:gaps] & ~free & (u[:gaps] > 0.0) & ((hop < HOP * step) | (height < LOW * size))
            if not more.any():
                break
            rests = rests | more
        return rests

    def _stop_hops(
        self,
        now: float,
        c: Contacts,
        signs: Floats,
        u: Floats,
        pull: Floats,
        rests: Flags,
        touching: list[int],
        was_open: Flags,
    ) -> None:
        """Gaps that rest open no more; where they bounced before, the bounces would have ended a little later."""
        moving = rests & (u[: c.gaps] > 0.0)
        if moving.any():
            held = np.flatnonzero(rests | c.free[: c.gaps])
            p = np.zeros(len(u))
            p[held] = np.linalg.lstsq(c.D[np.ix_(held, held)], -u[held], rcond=1e-11)[0]
            bends = (pull + c.D @ pressed(c, pull, rests & ~moving))[: c.gaps]
            for n in np.flatnonzero(moving & was_open):
                e, bend = c.restitution[n], bends[n]
                later = float(2.0 * u[n] / -bend / (1.0 - e)) if bend < 0.0 and e < 1.0 else 0.0
                lost = 0.5 * abs(float(p[n])) * float(u[n])
                self.happened.append(Happening(now + later, "stays in touch", self._who(touching[n]), 0.0, lost))
            self._push(signs * p, len(signs))
            u += c.D @ p

    def _adopt(self, now: float, touching: list[int], c: Contacts, grip: Grip, turned: set[int]) -> None:
        """Modes and grips from what was decided, and the events that this is."""
        work = self.work
        for n, k in enumerate(touching):
            holds = bool(grip.holds[n])
            if not c.free[n]:
                if work.mode[k] == CLOSED and not holds:
                    self.happened.append(Happening(now, "goes slack" if self._is_rope(k) else "leaves", self._who(k)))
                work.mode[k] = CLOSED if holds else OPEN
            before = STICKS if k in self.told else work.grip[k]
            work.grip[k] = 0
            self.told.discard(k)
            if not holds or not len(self.tangents(k)):
                continue
            if n in grip.told:  # as if it slipped, with the friction that is told
                work.grip[k] = SLIPS
                part = float(np.linalg.norm(grip.told[n]))
                work.way[list(self.tangents(k))] = -grip.told[n] / (part or 1.0)
                work.mu[k] = self.side[k] * part
                self.told.add(k)
            elif n in grip.slips:
                work.grip[k] = SLIPS
                work.way[list(self.tangents(k))] = grip.slips[n]
                sign = self.side[k] if not c.free[n] else math.copysign(1.0, grip.force[n])
                if k in turned:  # there the force is 0, and its sign is rounding
                    sign = -math.copysign(1.0, work.mu[k])
                work.mu[k] = sign * self.switches.switches[k].friction
                if before == STICKS:
                    self.happened.append(Happening(now, "slips", self._who(k)))
            elif n in grip.sticks:
                work.grip[k] = STICKS
            if n in grip.sticks and before == SLIPS:
                self.happened.append(Happening(now, "sticks", self._who(k)))
