"""What a run gives: times, positions, velocities, how it ended, and its report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from chainlist.compile.system import Assembly
from chainlist.kernels.bundles import Floats
from chainlist.model.ask import ask
from chainlist.model.mechanism import Formula, Item, Mechanism
from chainlist.run.engaging import Chapter
from chainlist.run.happenings import Happening
from chainlist.run.labelled import to_pandas, to_xarray
from chainlist.run.observables import Observable, observe
from chainlist.run.report import Report
from chainlist.run.status import Status


@dataclass(frozen=True)
class Trajectory:
    """The motion of a mechanism, sampled. Everything computed is there, also where the run broke down."""

    mechanism: Mechanism = field(repr=False)
    t: Floats = field(repr=False)  # (samples,) s
    q: Floats = field(repr=False)  # (samples, bodies, dim) m; nan throughout for a body that a trace does not hold
    v: Floats | None = field(repr=False)  # (samples, bodies, dim) m/s; None in a trace without velocities
    status: Status = field(default_factory=Status)
    report: Report | None = field(default=None, repr=False)  # None where the motion was read from a trace
    assembly: Assembly | None = field(default=None, repr=False)  # the equations that were solved
    memory: Floats | None = field(default=None, repr=False)  # (samples, 1 + angles) Work [J] and continuous angles
    predicted_energy: Floats | None = field(default=None, repr=False)  # (samples,) J, before the energy corrector
    chapters: tuple[Chapter, ...] = field(default=(), repr=False)  # what holds when, where something switches
    events: tuple[Happening, ...] = field(default=(), repr=False)  # impacts, ropes that come taut, links that break
    columns: Mapping[str, Floats] = field(
        default_factory=dict, repr=False
    )  # what a trace holds, by the text of its item

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies, in the order of the second axis of q and v; never anchors."""
        return tuple(body.name for body in self.mechanism.bodies)

    @property
    def stopped(self) -> bool:
        """Whether a condition of `.stop` ended the run: the last sample is where it came to pass."""
        return any(event.what == "stops" and event.time == self.end for event in self.events[-1:])

    @property
    def end(self) -> float:
        """The time of the last sample; where a run ends before the first one, that of its end [s]."""
        if len(self):
            return float(self.t[-1])
        return self.events[-1].time if self.events else self.status.time

    @cached_property
    def kinetic_energy(self) -> Floats:
        """T = Σ m v²/2 at each sample [J]."""
        return self.observe("T").curves[0].values

    @cached_property
    def potential_energy(self) -> Floats:
        """U = Σ m g y at each sample [J]."""
        return self.observe("U").curves[0].values

    @property
    def energy(self) -> Floats:
        """Etotal = T + U at each sample [J]."""
        return self.kinetic_energy + self.potential_energy

    def observe(self, what: str | Item | Formula) -> Observable:
        """The curves of an item: `observe("DERIVATIVE(C1)*10")`. Raises `ChainlistError` for what is no item."""
        return observe(self, ask(self.mechanism, what) if isinstance(what, str) else what)

    def to_xarray(self) -> Any:
        """An xarray.Dataset with q and v over (time, body, axis), names, units and the chainlist."""
        return to_xarray(self)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame indexed by time, with columns X(B1), Y(B1), …, VX(B1), VY(B1), …"""
        return to_pandas(self)

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        return f"<Trajectory of {self}>"

    def __str__(self) -> str:
        until = f"{len(self)} samples to t = {self.t[-1]:g} s" if len(self) else "no samples"
        return f"{self.mechanism.title or 'untitled'}: {until}, {self.status}"
