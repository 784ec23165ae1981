"""What the checks found about a mechanism: plain values, by the names of its entities."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from chainlist.compile.bars import Bar, Conflict
from chainlist.compile.behind import Behind
from chainlist.compile.rolling import Loose
from chainlist.compile.stiffness import StepLimit

Names = tuple[str, ...]
Changed = tuple[tuple[str, tuple[float, ...]], ...]  # body → its velocity [m/s]


@dataclass(frozen=True)
class Freedom:
    """The count of degrees of freedom at the start.

    `rank_as_written` is that of the gradients of the constraints as they stand; `rank_with_bars` that of the equations
    that straight bars really mean. A singular start hides `singular` constraints that count again a little further on;
    with `degenerate` sets other than bars the count is only an upper bound.
    """

    coordinates: int
    constraints: int
    rank_as_written: int
    rank_with_bars: int
    degrees: int
    bars: int = 0
    singular: int = 0
    degenerate: int = 0
    doubtful: bool = False
    of_velocity: int = 0  # constraints that hold at the level of velocities only
    position_rank: int = 0  # of the others alone
    driven: bool = False  # constraints depend on the time
    unjudged: bool = False  # the numbers are those of a start that does not fit, as no position was found that does

    def __str__(self) -> str:
        if self.unjudged:
            counts = f"{_count(self.coordinates, 'coordinate')}, {_count(self.constraints, 'constraint')}"
            return f"{counts}: degrees of freedom not judged, no position that fits was found"
        if self.of_velocity:
            return self._both_levels()
        rank = f"rank {self.rank_as_written}"
        if self.bars:
            whose = "its straight bar" if self.bars == 1 else "its straight bars"
            rank += f" as written, {self.rank_with_bars} with {whose}"
        if self.singular:
            rank += f" at its singular start, {self.rank_with_bars + self.singular} near by"
        if self.doubtful:
            rank += " (in doubt)"
        at_most = "at most " if self.degenerate or self.doubtful else ""
        motion = at_most + _count(self.degrees, "degree") + " of freedom"
        if self.coordinates and not self.degrees:
            motion = "moves only as it is driven" if self.driven else "cannot move"
        return f"{_count(self.coordinates, 'coordinate')}, {_count(self.constraints, 'constraint')}, {rank}: {motion}"

    def _both_levels(self) -> str:
        """With constraints of velocity there are more places to go to than ways to leave at once."""
        places = self.coordinates - self.position_rank - self.singular
        held = (
            f"{_count(self.constraints - self.of_velocity, 'constraint')} of position, {self.of_velocity} of velocity"
        )
        freedoms = f"{_count(places, 'freedom')} of position, {self.degrees} of velocity"
        return f"{_count(self.coordinates, 'coordinate')}, {held}: {freedoms}"

    def as_data(self) -> dict[str, Any]:
        """For JSON: every number, and the sentence."""
        return asdict(self) | {"text": str(self)}


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


@dataclass(frozen=True)
class Misfit:
    """A constraint that the start does not satisfy: by how much [m, or m/s], and with its sign."""

    constraint: str
    amount: float


@dataclass(frozen=True)
class Clash:
    """Constraints that no position fits together, or none that was found; the nearest one tried is still `off` [m].

    Or drives: positions fit, but `at_rest` no velocity does, or no acceleration.
    """

    constraints: Names
    off: float
    at_rest: bool = False


@dataclass(frozen=True)
class Findings:
    """Everything that is said about a mechanism before any run. Sets hold names in the order of the text."""

    freedom: Freedom
    bars: tuple[Bar, ...] = ()
    conflicting_lengths: tuple[Conflict, ...] = ()
    conflicting_sets: tuple[Clash, ...] = ()
    redundant: tuple[Names, ...] = ()
    degenerate: tuple[Names, ...] = ()
    singular: tuple[Names, ...] = ()
    off_position: tuple[Misfit, ...] = ()  # the largest first
    off_velocity: tuple[Misfit, ...] = ()
    unreachable: Names = ()  # constraints that can be satisfied, but their ends are in one place at the start: no run begins
    in_one_place: tuple[Names, ...] = ()  # bodies
    unheld: Names = ()  # bodies that no constraint touches
    floating: tuple[Names, ...] = ()  # bodies that constraints join, but not to the ground
    doubts: tuple[str, ...] = ()  # what was not looked at closely, and why
    step_limit: StepLimit | None = None  # where the step of the run is longer than springs and dampers allow
    undetermined: Names = ()  # points without mass whose motion the constraints do not determine
    spinning: tuple[tuple[str, float], ...] = ()  # rigid bodies that turn too fast for the step, and how fast [rad/s]
    behind: tuple[Behind, ...] = ()  # ropes and walls whose bodies start on the wrong side
    changed: Changed = ()  # bodies whose given velocity cannot be kept, and what it becomes
    loose: tuple[
        Loose, ...
    ] = ()  # bodies that roll at another distance than their radius, or at one that nothing keeps
    unfound: tuple[Clash, ...] = ()  # for which no position was found, though they may well fit somewhere
    nowhere: Names = ()  # constraints that no motion with the velocities at the start satisfies for longer than an instant
    driven: frozenset[str] = frozenset()  # constraints that hang together with drives
    elsewhere: Names = ()  # constraints, one of each set, that fit where no way leads to from the start: a run begins there

    @property
    def conflicting(self) -> bool:
        return bool(self.conflicting_lengths or self.conflicting_sets)

    def __str__(self) -> str:
        return str(self.freedom)
