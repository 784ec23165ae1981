"""Whether a batch is worth its compilation: the work of either way to run members, in seconds of one core.

The numbers below were measured; `benchmarks/worth.py` holds them against the clock. They need not be those of another machine: only their
ratios count, and those are alike wherever one core does all of it. The choice looks at the work alone, not at the number of workers, so
that a table has the same bits for any of these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from chainlist.analyses.measure import Measure
from chainlist.compile.velocities import needs_following
from chainlist.model.mechanism import Mechanism
from chainlist.run.simulate import grid_of

MILLI, MICRO = 1e-3, 1e-6
SOONER = "so few are done sooner than a batch of them"
PROCESS = 1.5  # s, until a worker of its own has begun
LARGEST_SHARE = 0.1  # of the work that may be done again because members come in several chunks
SHARED = 50.0  # µs a sample of a batch, whatever is measured and however many members there are
TWICE = ("PERIOD", "TRIG")  # measures for which a batch runs a second time


@dataclass(frozen=True)
class Cost:
    """Of a form of measure: alone, in units of MAX; in a batch, µs a sample, and µs a sample of a member, fixed and for each row."""

    alone: float
    shared: float
    fixed: float = 0.03
    per_row: float = 0.0


_INTEGRAL = Cost(2.0, 580.0, 0.5, 0.34)
COSTS = {
    "FIND": Cost(0.5, 15.0),
    "WHEN": Cost(0.5, 65.0),
    "MAX": Cost(1.0, 25.0),
    "MIN": Cost(1.0, 25.0),
    "PP": Cost(1.5, 45.0),
    "AVG": _INTEGRAL,
    "RMS": _INTEGRAL,
    "INTEG": _INTEGRAL,
    "PERIOD": Cost(2.0, 85.0),
    "TRIG": Cost(1.0, 130.0),
    "PARAM": Cost(0.0, 0.0, 0.0),
}


@dataclass(frozen=True)
class Amount:
    """How much there is to do."""

    members: int
    steps: int
    samples: int
    rows: int  # of constraints, or vectors where these are more
    forms: tuple[str, ...] = ()  # of the measures
    reads: bool = False  # a batch, too, has the text read for each member
    follows: bool = False  # and velocities that follow from given ones found for each

    @property
    def alone(self) -> float:
        """One by one."""
        return self.members * (self._reading + self._start + self._steps + self._measures)

    @property
    def batch(self) -> float:
        """As one batch, compiled first."""
        return self.compiling + self.shared + self.members * self.abreast

    @property
    def crossing(self) -> int:
        """The least number of members for which a batch is less work; for none of these, 0."""
        saved = self.alone / self.members - self.abreast
        return math.ceil((self.compiling + self.shared) / saved) if saved > 0.0 else 0

    @property
    def compiling(self) -> float:
        """Code of more than some sixteen rows is compiled in parts: then its time is in proportion."""
        return self.rows * (0.06 + 0.013 * min(self.rows, 16))

    @property
    def shared(self) -> float:
        """Of each chunk of a batch, for all its members together."""
        measuring = self._passes * SHARED + sum(COSTS[form].shared for form in self.forms) if self.forms else 0.0
        return MICRO * (self.samples * measuring + self._passes * self.steps * 0.5 * self.rows)

    @property
    def abreast(self) -> float:
        """Of each member of a batch."""
        sample = sum(COSTS[form].fixed + COSTS[form].per_row * self.rows for form in self.forms)
        moved = self._passes * 0.025 * self.rows if self.forms else 0.0
        running = self._passes * self.steps * 0.045 * self.rows + self.samples * (sample + moved)
        return MICRO * running + self.reads * self._reading + self.follows * self._start

    @property
    def _passes(self) -> int:
        return 2 if any(form in TWICE for form in self.forms) else 1

    @property
    def _reading(self) -> float:
        return MILLI * (2.5 + 0.13 * self.rows)

    @property
    def _start(self) -> float:
        return MILLI * (3.0 + 0.17 * self.rows)

    @property
    def _steps(self) -> float:
        return MICRO * self.steps * 0.35 * (self.rows + 1)

    @property
    def _measures(self) -> float:
        """Accelerations once, and every measure over all samples."""
        if not self.forms:
            return 0.0
        largest = sum(COSTS[form].alone for form in self.forms) * (1.5 + 0.37 * self.rows)
        return MICRO * self.samples * (0.3 + 0.16 * self.rows + largest)

    def pieces(self, workers: int, most: int) -> int:
        """How many chunks a worker gets: several, so that one sees how far it is, unless that would take longer."""
        own = self.shared + self.members * self.abreast / workers
        return int(min(most, 1.0 + LARGEST_SHARE * own / max(self.shared, 1e-9)))

    def workers(self, most: int, *, batch: bool) -> int:
        """As many as there may be, or this process alone where that is done before others have begun."""
        each = self.compiling + self.shared if batch else 0.0
        divided = self.members * self.abreast if batch else self.alone
        return most if PROCESS + each + divided / most < each + divided else 1


def amount_of(mechanism: Mechanism, members: int, measures: Sequence[Measure], *, reads: bool) -> Amount:
    grid = grid_of(mechanism)
    rows = max(1, len(mechanism.constraints), len(mechanism.vectors))
    forms = tuple(one.form for one in measures)
    follows = reads and needs_following(mechanism)
    return Amount(members, grid.steps, grid.samples, rows, forms, reads, follows)
