"""What analyses share: what they may look at, how results show themselves, and the charts they ask for.

A file of an analysis ends with `register(Analysis(command=…, read=…, run=…))`, and `analyses/__init__.py` names it; a user's
plug-in does the same from its own file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np

from chainlist.kernels.bundles import Floats
from chainlist.model.analysis import Analysis, known_analyses, register
from chainlist.model.asked import Asked
from chainlist.model.mechanism import Mechanism
from chainlist.run.grid import RunRefused
from chainlist.run.trajectory import Trajectory

__all__ = [
    "Analysis",
    "Animation",
    "Chart",
    "Finding",
    "Heat",
    "Refused",
    "Result",
    "Series",
    "Study",
    "register",
    "run_analyses",
]


@dataclass(frozen=True)
class Series:
    """One curve of a chart."""

    label: str
    x: Floats
    y: Floats


@dataclass(frozen=True)
class Chart:
    """A picture as data: whoever draws it knows nothing of analyses. `file` is its name without suffix."""

    file: str
    title: str
    across: str  # label of the x axis, with its unit
    up: str
    series: tuple[Series, ...]
    kind: Literal["line", "dots", "stems", "histogram"] = "line"  # of a histogram x are the edges of the bins
    log: bool = False  # the y axis
    log_x: bool = False
    counts: bool = False  # the x axis has whole numbers: a bar of a histogram stands for one
    gaps: str = ""  # how many runs have no value, and why; "": all have one


@dataclass(frozen=True)
class Heat:
    """Values over two parameters, as colours: values[k, n] at up_values[k], across_values[n]."""

    file: str
    title: str
    across: str
    up: str
    across_values: Floats
    up_values: Floats
    values: Floats
    machine: str = ""  # the title above it
    gaps: str = "no value"  # what it means that a run has none
    name: str = ""  # of the measure, for the title
    log_x: bool = False
    log_y: bool = False

    @property
    def has_gaps(self) -> bool:
        return not bool(np.isfinite(self.values).all())


@dataclass(frozen=True)
class Animation:
    """A motion to be shown beside that of the run: a mode, or one state that stands still."""

    file: str
    trajectory: Trajectory
    title: str = ""  # what it shows, in words
    lasting: float | None = None  # seconds of viewing in a film; None: as long as it takes


@runtime_checkable
class Result(Protocol):
    """What `run` of an analysis gives."""

    def figures(self) -> list[tuple[str, str]]:
        """Labels and values for the report, most important first."""

    def data(self) -> dict[str, Any]:
        """The same for programs: plain numbers, texts, lists."""

    def pictures(self) -> Sequence[Chart | Heat | Animation]:
        """What there is to see."""


@dataclass(frozen=True)
class Study:
    """What an analysis may look at: the mechanism, its motion, and what the analyses before it found."""

    mechanism: Mechanism
    trajectory: Trajectory | None = None
    earlier: Mapping[str, Any] = field(default_factory=dict)  # command → its last result
    progress: Callable[[float, str], None] = lambda part, what: None
    cancel: Callable[[], bool] = lambda: False

    def motion(self) -> Trajectory:
        """The motion of the run; computed here where an analysis is asked for alone."""
        if self.trajectory is not None:
            return self.trajectory
        from chainlist.run.simulate import simulate

        return simulate(self.mechanism)


@dataclass(frozen=True)
class Finding:
    """A card of the chainlist, and its result."""

    asked: Asked
    result: Result


@dataclass(frozen=True)
class Refused:
    """An analysis that could not be made; the run and the others stand."""

    command: str
    why: str

    def figures(self) -> list[tuple[str, str]]:
        return [(f".{self.command}", self.why)]

    def data(self) -> dict[str, Any]:
        return {"error": self.why}

    def pictures(self) -> Sequence[Chart | Heat | Animation]:
        return []


def run_analyses(
    mechanism: Mechanism,
    trajectory: Trajectory | None,
    progress: Callable[[float, str], None] = lambda part, what: None,
    cancel: Callable[[], bool] = lambda: False,
) -> list[Finding]:
    """Every analysis that a chainlist asks for, in the order of its text; one that cannot be made does not end the others."""
    found: list[Finding] = []
    earlier: dict[str, Any] = {}
    for asked in mechanism.analyses:
        run = known_analyses()[asked.command].run
        if run is None or cancel():
            continue
        progress(1.0, f"computing .{asked.command}")
        result: Result
        try:
            result = run(asked.what, Study(mechanism, trajectory, earlier, progress, cancel))
            earlier[asked.command] = result
        except RunRefused as refusal:
            result = Refused(asked.command, str(refusal).removeprefix(f".{asked.command}: "))
        found.append(Finding(asked, result))
    return found
