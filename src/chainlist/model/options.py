"""Every setting of `.options`: one table that serves the parser, `chainlist options` and the documentation.

The table is the dataclass itself: each field carries its spelling, kind, range, unit and one line of meaning.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from chainlist import formulations, integrators, solvers
from chainlist.elements.base import shortest

AUTOMATIC = None  # the value of options that are chosen by the program unless given


@dataclass(frozen=True)
class Option:
    """What is known of one setting."""

    name: str  # as printed
    kind: str  # "number", "angles", "window" or "choice"
    default: float | str | tuple[float, ...] | None
    meaning: str
    values: Collection[str] = ()  # of a choice; a registry of plug-ins may grow
    want: str = "number"  # of a number: the dimension its place wants, see model/units.py
    low: float = float("-inf")
    largest: float = float("inf")  # either sign
    low_open: bool = False  # True: the value must be greater than `low`
    automatic: str = ""  # what None means, in words
    vector: bool = False  # a number, or a vector in brackets
    limits: tuple[float, ...] = ()  # not one number but as many in brackets, each up to this in either sign
    unit: str = ""

    @property
    def choices(self) -> tuple[str, ...]:
        """The values of a choice, the default first."""
        return tuple(sorted(self.values, key=lambda value: value != self.default))

    @property
    def key(self) -> str:
        return self.name.lower()

    @property
    def range(self) -> str:
        """The admissible values, in words."""
        if self.kind == "choice":
            return ", ".join(self.choices)
        if self.limits:
            return f"({','.join(f'up to ±{shortest(limit)}' for limit in self.limits)})"
        if self.kind == "window":
            return "(x0,y0,x1,y1) with x0 < x1 and y0 < y1"
        bounds = ["a number or a vector" if self.vector else "a number"]
        if self.low != float("-inf"):
            bounds.append(f"> {self.low:g}" if self.low_open else f">= {self.low:g}")
        if self.largest != float("inf"):
            bounds.append(f"up to ±{shortest(self.largest)}")
        return " ".join(bounds)

    @property
    def example(self) -> str:
        """A value that one might write."""
        if self.kind == "window":
            return "(-1,-1,3,2)"
        return self.choices[-1] if self.choices else "0.01" if self.default is None else self.default_text

    @property
    def default_text(self) -> str:
        return self.automatic if self.default is None else setting_text(self.default)


def setting_text(value: float | str | tuple[float, ...]) -> str:
    """A value as `.options` writes it."""
    if isinstance(value, tuple):
        return f"({','.join(shortest(number) for number in value)})"
    return value if isinstance(value, str) else shortest(value)


def _number(name: str, default: float | None, meaning: str, **more: Any) -> Any:
    info = Option(name, "number", default, meaning, **more)
    return field(default=default, metadata={"option": info})


def _angles(name: str, default: tuple[float, ...], meaning: str, limits: tuple[float, ...]) -> Any:
    """Angles in brackets, in degrees."""
    info = Option(name, "angles", default, meaning, limits=limits, unit="°")
    return field(default=default, metadata={"option": info})


def _window(name: str, meaning: str, automatic: str) -> Any:
    """Two corners of a part of the plane, in brackets."""
    info = Option(name, "window", AUTOMATIC, meaning, want="length", automatic=automatic, unit="m")
    return field(default=AUTOMATIC, metadata={"option": info})


def _choice(name: str, values: Collection[str], meaning: str, default: str = "") -> Any:
    """A choice among `values`, a tuple with the default first or the registry of a kind of plug-in."""
    default = default or next(iter(values))
    return field(default=default, metadata={"option": Option(name, "choice", default, meaning, values=values)})


@dataclass(frozen=True)
class Options:
    """The settings of a run; a field is the name of its option in lower case."""

    gravity: float | tuple[float, ...] = _number(
        "gravity", 9.81, "downward acceleration, or its vector (gx,gy)", unit="m/s²", largest=1e100, vector=True
    )  # beyond, its square is no number
    daesystem: str = _choice(
        "DAESYSTEM",
        formulations.REGISTRY,
        "equations that are integrated: ours with projection, or the paper's systems (4), (8), (10)",
        "PROJECTED",
    )
    dampalpha: float = _number(
        "DAMPALPHA", 1.0, "damping of the velocity constraint in (10), in units of 1/step", low=0
    )
    dampbeta: float = _number("DAMPBETA", 1.0, "damping of the position constraint in (10), in units of 1/step", low=0)
    integrator: str = _choice(
        "INTEGRATOR",
        integrators.REGISTRY,
        "method of integration; DOPRI5 and DOP853 choose their own step",
        "RK4",
    )
    reltol: float = _number("RELTOL", 1e-9, "relative tolerance of adaptive integrators", low=0, low_open=True)
    abstol: float = _number(
        "ABSTOL", 1e-12, "absolute tolerance of adaptive integrators, in m and m/s", low=0, low_open=True
    )
    save: float | None = _number(
        "SAVE",
        AUTOMATIC,
        "time between kept samples",
        want="time",
        low=0,
        low_open=True,
        automatic="every step",
        unit="s",
    )
    energycorrector: str = _choice("ENERGYCORRECTOR", ("OFF", "ON"), "the paper's velocity scaling after each step")
    mpi_algo: str = _choice(
        "MPI_ALGO",
        solvers.REGISTRY,
        "algorithm of the pseudoinverse; AUTO is sparse and reveals the rank",
        "AUTO",
    )
    mpitol: float | None = _number(
        "mpitol", AUTOMATIC, "what counts as lost rank, in the sense of each MPI_ALGO", low=0, automatic="automatic"
    )
    guard: str = _choice("GUARD", ("ON", "OFF"), "with PROJECTED: redo a step that leaps, in halves")
    breakdown: str = _choice("BREAKDOWN", ("STOP", "GO"), "what a run does once it has broken down")
    plotmode: str = _choice("PLOTMODE", ("STATIC", "ANIMATE", "ANIMATEWITHSTROBO"), "how CONSTRAINTS(…) is shown")
    frame: float | None = _number(
        "FRAME",
        AUTOMATIC,
        "time between exposures of the strobe picture, or between frames of the animation",
        want="time",
        low=0,
        low_open=True,
        automatic="automatic",
        unit="s",
    )
    view: tuple[float, ...] = _angles(
        "VIEW", (30.0, 20.0), "where pictures of a machine in space are seen from: (azimuth,elevation)", (360.0, 90.0)
    )
    window: tuple[float, ...] | None = _window(
        "WINDOW",
        "the part of the plane that pictures show: the lower left and the upper right corner, (x0,y0,x1,y1)",
        "the whole motion",
    )


OPTIONS: dict[str, Option] = {f.metadata["option"].key: f.metadata["option"] for f in dataclasses.fields(Options)}

_CALLED = {
    "g": "gravity",
    "method": "integrator",
    "solver": "integrator",
    "formulation": "daesystem",
    "pseudoinverse": "mpi_algo",
    "tolerance": "reltol",
    "rtol": "reltol",
    "atol": "abstol",
}  # what others call them
TIMES = frozenset("step dt timestep tstep start stop tstart tstop tend end duration".split())  # these stand in .tran


def option_called(word: str) -> str | None:
    """The key of the option that is called otherwise here, or of which only the end is written: SYSTEM."""
    ends = [key for key in OPTIONS if len(word) > 3 and key.endswith(word.lower())]
    return _CALLED.get(word.lower()) or (ends[0] if len(ends) == 1 else None)
