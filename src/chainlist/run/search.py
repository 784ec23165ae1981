"""Where within a step the first alarm rings: the step itself, taken shorter, is the way to look inside."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from chainlist.kernels.bundles import Floats, SwitchTable, SwitchWork
from chainlist.kernels.switches import CLOSED, HELD, OPEN, SLIPS, STICKS, dips, opens_again, rings_at
from chainlist.run.marching import Marching

PROBES = 300
NOISE = 2.5e-16  # of the size: what a gap is computed to

SAME = 1e-12  # of the time: what comes closer together than this happens at one instant


class WentWrong(Exception):
    """A trial could not be taken."""


@dataclass
class AlarmState:
    """Alarms at the part `at` of a step, and which of them ring."""

    at: float
    z: Floats
    speed: Floats
    rung: list[int] = field(default_factory=list)

    @property
    def known(self) -> bool:
        """Whether what rings is a number: else nothing happens there, but the motion is lost."""
        return not np.isnan(self.z[self.rung]).any()


class Board(Protocol):
    """What is looked at: of a switchboard."""

    runner: Marching
    count: int

    @property
    def work(self) -> SwitchWork: ...


class Search:
    """In the step of `size` from t on, behind which an alarm rang."""

    def __init__(self, board: Board, t: float, size: float):
        self.board, self.t, self.size = board, t, size
        work = board.work
        self.start = AlarmState(0.0, work.z0.copy(), work.speed0.copy())
        self.clear: set[int] = set()  # gaps that only seemed to dip
        self.suspects: set[int] = set()  # alarms that rang: where they pass 0 is looked for, not where they are loud
        self.slow = 0  # probes since both ends moved
        self.end = self._moment(1.0)

    @property
    def table(self) -> SwitchTable:
        found = self.board.runner.system.switch
        assert found is not None
        return found

    def first(self) -> AlarmState | None:
        """The moment of the first alarm, to rounding; with nothing rung where there is none. None: a trial went wrong."""
        try:
            found = self._first()
        except WentWrong:
            return None
        if found.rung:
            found.rung += [k for k in self.end.rung if k not in found.rung and self._ties(k, found)]
        return found

    def _ties(self, k: int, found: AlarmState) -> bool:
        """Whether a condition begins to hold at this same instant: a gap that closes where `{Y(B1)<0}` begins would hide it."""
        rate = (self.start.z[k] - self.end.z[k]) / self.size
        return k >= 2 * self.board.count and found.z[k] <= SAME * max(self.t, self.size) * rate

    def _first(self) -> AlarmState:
        low, high = self.start, self.end
        for _ in range(PROBES):
            if not high.rung:
                dipping = self._dipping(high)
                if not dipping and high.at == 1.0:
                    return high  # it only grazed: the step may be taken
                if not dipping:
                    low, high = high, self._at(1.0)
                    continue
                bottom = self._bottom(low if low.speed[dipping[0]] < 0 else self.start, high, dipping[0])
                if bottom.rung:
                    high = bottom
                else:
                    self.clear.add(dipping[0])
                continue
            self.suspects.update(k for k in high.rung if not math.isnan(high.z[k]))
            close = 4e-16 * max(self.t, self.size) / self.size
            if high.at - low.at <= 2.0 * close:
                break
            tried = self._at(min(max(self._guess(low, high), low.at + close), high.at - close))
            if self._is_there(tried):
                return tried
            shrinks = 2.0 * min(tried.at - low.at, high.at - tried.at) > high.at - low.at - close
            low, high = (low, tried) if tried.rung or self._dipping(tried) else (tried, high)
            self.slow = 0 if shrinks else self.slow + 1
        if low is not self.start and abs(low.z[high.rung[0]]) < abs(high.z[high.rung[0]]):
            low.rung = high.rung
            return low
        return high

    def _is_there(self, tried: AlarmState) -> bool:
        """Whether a gap is 0 to rounding and nothing rang before: then nothing better can be found."""
        n, noise = self.board.count, NOISE * self.board.runner.system.size
        there = [k for k in self.suspects if k < n and self.board.work.mode[k] == OPEN and abs(tried.z[k]) <= noise]
        if not there or any(k not in there for k in tried.rung) or self._dipping(tried):
            return False
        tried.rung = there
        return True

    def _at(self, part: float) -> AlarmState:
        if not self.board.runner.try_step(part * self.size):
            raise WentWrong
        return self._moment(part)

    def _moment(self, part: float) -> AlarmState:
        found = AlarmState(part, self.board.work.z.copy(), self.board.work.speed.copy())
        found.rung = self._ringing(found)
        return found

    def _ringing(self, found: AlarmState) -> list[int]:
        work, n, z = self.board.work, self.board.count, found.z
        limit = np.full(len(z), -np.inf)
        limit[:n][work.mode == OPEN] = -self.table.near
        limit[:n][(work.mode == CLOSED) | ((work.mode == HELD) & (work.grip == SLIPS))] = -self.table.weak
        limit[n : 2 * n][work.grip == STICKS] = -self.table.weak
        limit[n : 2 * n][work.grip == SLIPS] = -self.table.slow
        limit[2 * n :][work.armed != 0] = -self.table.near
        exact = [k for k in self.suspects if limit[k] > -np.inf]
        limit[exact] = 0.0
        limit[:n][opens_again(self.start.z[:n], found.speed, self.table.near) & (work.mode == OPEN)] = -np.inf  # type: ignore[no-untyped-call]
        rings = (limit > -np.inf) & rings_at(z, limit, self.board.runner.work.count.broken)  # type: ignore[no-untyped-call]
        rings[2 * n :] &= ~np.isnan(z[2 * n :])  # a condition without a value is not true
        return [int(k) for k in np.flatnonzero(rings)]

    def _dipping(self, end: AlarmState) -> list[int]:
        """Gaps that are open here, but seem to have closed on the way."""
        start, h = self.start, end.at * self.size
        may = (self.board.work.mode == OPEN) & (start.speed < 0.0) & (end.speed > 0.0)
        dipped: list[int] = []
        for k in map(int, np.flatnonzero(may)):
            ends = (start.z[k], start.speed[k], end.z[k], end.speed[k], h, self.table.near)
            if k not in self.clear and dips(*ends):  # type: ignore[no-untyped-call]
                dipped.append(k)
        return dipped

    def _guess(self, low: AlarmState, high: AlarmState) -> float:
        """Where the first of the ringing alarms passes 0: of a gap by the cubic through both ends, of others by the line; now and
        then a little to the side, so that both ends move, and in the middle where nothing else helps."""
        width = high.at - low.at
        parts = [self._part(low, high, k) for k in high.rung]
        known = [part for part in parts if 0.0 < part < 1.0]
        if not known or self.slow > 3:
            return low.at + 0.5 * width
        part = min(known)
        if self.slow % 2:  # one end stays: step over the place by a little
            part = min(part * (1.0 + 1e-6), 0.5 + 0.5 * part) if self.slow % 4 == 1 else part * (1.0 - 1e-6)
        return low.at + part * width

    def _part(self, low: AlarmState, high: AlarmState, k: int) -> float:
        h = (high.at - low.at) * self.size
        if k < self.board.count and self.board.work.mode[k] == OPEN:
            return crossing(float(low.z[k]), h * float(low.speed[k]), float(high.z[k]), h * float(high.speed[k]))
        return float(low.z[k] / (low.z[k] - high.z[k])) if low.z[k] > 0.0 else math.nan

    def _bottom(self, low: AlarmState, high: AlarmState, k: int) -> AlarmState:
        """Where a gap is smallest within the step, or a moment before at which an alarm rings."""
        for _ in range(60):
            part = low.speed[k] / (low.speed[k] - high.speed[k])
            guess = low.at + min(max(part, 0.05), 0.95) * (high.at - low.at)
            tried = self._at(float(guess))
            if tried.rung:
                return tried
            near = abs(tried.speed[k]) <= 1e-12 * max(abs(low.speed[k]), abs(high.speed[k]))
            low, high = (tried, high) if tried.speed[k] < 0.0 else (low, tried)
            if near or (high.at - low.at) * self.size <= 1e-15 * max(self.t, self.size):
                break
        return high


def crossing(z0: float, u0: float, z1: float, u1: float) -> float:
    """Where the cubic with these values and slopes at 0 and 1 comes down through 0 for the last time; nan if it does not."""
    b, c = 3.0 * (z1 - z0) - 2.0 * u0 - u1, u0 + u1 - 2.0 * (z1 - z0)

    def cubic(x: float) -> float:
        return z0 + x * (u0 + x * (b + x * c))

    above = [n / 32 for n in range(32) if cubic(n / 32) > 0.0]
    if not above or z1 > 0.0:
        return math.nan
    low, high = above[-1], above[-1] + 1 / 32
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if cubic(middle) > 0.0 else (low, middle)
    return 0.5 * (low + high)
