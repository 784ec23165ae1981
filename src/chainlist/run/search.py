"""Where within a step the first alarm rings: the step itself, taken shorter, is the way to look inside."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from chainlist.equations.layout import Floats, SwitchTable
from chainlist.kernels.switches import CLOSED, OPEN, SLIPS, STICKS, dips

if TYPE_CHECKING:
    from chainlist.run.switchboard import Switchboard

PROBES = 200


class WentWrong(Exception):
    """A trial could not be taken."""


@dataclass
class Moment:
    """Alarms at the part `at` of a step, and which of them ring."""

    at: float
    z: Floats
    speed: Floats
    rung: list[int] = field(default_factory=list)


class Search:
    """In the step of `size` from t on, behind which an alarm rang."""

    def __init__(self, board: Switchboard, t: float, size: float):
        self.board, self.t, self.size = board, t, size
        work = board.work
        self.start = Moment(0.0, work.z0.copy(), work.speed0.copy())
        self.end = self._moment(1.0)
        self.clear: set[int] = set()  # gaps that only seemed to dip

    @property
    def table(self) -> SwitchTable:
        found = self.board.runner.system.switch
        assert found is not None
        return found

    def first(self) -> Moment | None:
        """The moment of the first alarm, to rounding; with nothing rung where there is none. None: a trial went wrong."""
        try:
            return self._first()
        except WentWrong:
            return None

    def _first(self) -> Moment:
        low, high = self.start, self.end
        slow = 0
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
            if (high.at - low.at) * self.size <= 4e-16 * max(self.t, self.size):
                break
            guess = _guess(low, high, slow)
            if guess <= low.at or guess >= high.at:
                break
            tried = self._at(guess)
            width = high.at - low.at
            low, high = (low, tried) if tried.rung or self._dipping(tried) else (tried, high)
            slow = slow + 1 if high.at - low.at > 0.5 * width else 0
        if low is not self.start and abs(low.z[high.rung[0]]) < abs(high.z[high.rung[0]]):
            low.rung = high.rung
            return low
        return high

    def _at(self, part: float) -> Moment:
        if not self.board.runner.try_step(part * self.size):
            raise WentWrong
        return self._moment(part)

    def _moment(self, part: float) -> Moment:
        found = Moment(part, self.board.work.z.copy(), self.board.work.speed.copy())
        found.rung = self._ringing(found.z)
        return found

    def _ringing(self, z: Floats) -> list[int]:
        work, n = self.board.work, self.board.count
        limit = np.full(len(z), -np.inf)
        limit[:n][work.mode == OPEN] = -self.table.near
        limit[:n][work.mode == CLOSED] = -self.table.weak
        limit[n : 2 * n][work.grip == STICKS] = -self.table.weak
        limit[n : 2 * n][work.grip == SLIPS] = -self.table.slow
        limit[2 * n :][work.armed != 0] = 0.0
        return [int(k) for k in np.flatnonzero((limit > -np.inf) & ~(z >= limit))]

    def _dipping(self, end: Moment) -> list[int]:
        """Gaps that are open here, but seem to have closed on the way."""
        start, h = self.start, end.at * self.size
        may = (self.board.work.mode == OPEN) & (start.speed < 0.0) & (end.speed > 0.0)
        dipped: list[int] = []
        for k in map(int, np.flatnonzero(may)):
            ends = (start.z[k], start.speed[k], end.z[k], end.speed[k], h, self.table.near)
            if k not in self.clear and dips(*ends):  # type: ignore[no-untyped-call]
                dipped.append(k)
        return dipped

    def _bottom(self, low: Moment, high: Moment, k: int) -> Moment:
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


def _guess(low: Moment, high: Moment, slow: int) -> float:
    """Where the first of the ringing alarms passes 0: by the line between both ends, or in the middle if that is slow."""
    width = high.at - low.at
    if any(low.z[k] <= 0.0 for k in high.rung) or slow % 4 == 3:
        return low.at + 0.5 * width
    part = min(float(low.z[k] / (low.z[k] - high.z[k])) for k in high.rung)
    if slow:  # one end does not move: look a little beyond, so that it does
        part = min(max(part * (1.05 if slow % 2 else 0.95), 1e-6), 1.0 - 1e-6)
    return low.at + part * width
