"""What a run gives: times, positions, velocities, how it ended, and its report."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from chainlist.compile.layout import Floats
from chainlist.compile.system import Assembly
from chainlist.model.mechanism import Mechanism
from chainlist.run.report import Report
from chainlist.run.status import Status


@dataclass(frozen=True)
class Trajectory:
    """The motion of a mechanism, sampled. Everything computed is there, also where the run broke down."""

    mechanism: Mechanism = field(repr=False)
    t: Floats = field(repr=False)  # (samples,) s
    q: Floats = field(repr=False)  # (samples, bodies, dim) m
    v: Floats = field(repr=False)  # (samples, bodies, dim) m/s
    status: Status
    report: Report = field(repr=False)
    assembly: Assembly = field(repr=False)  # the equations that were solved
    predicted_energy: Floats | None = field(default=None, repr=False)  # (samples,) J, before the energy corrector

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies, in the order of the second axis of q and v; never anchors."""
        return tuple(body.name for body in self.mechanism.bodies)

    @cached_property
    def kinetic_energy(self) -> Floats:
        """T = Σ m v²/2 at each sample [J]."""
        mass = np.array([body.mass for body in self.mechanism.bodies])
        return 0.5 * np.einsum("i,tic,tic->t", mass, self.v, self.v)

    @cached_property
    def potential_energy(self) -> Floats:
        """U = Σ m g y at each sample [J]."""
        mass = np.array([body.mass for body in self.mechanism.bodies])
        return self.mechanism.options.gravity * (self.q[:, :, -1] @ mass)

    @property
    def energy(self) -> Floats:
        """Etotal = T + U at each sample [J]."""
        return self.kinetic_energy + self.potential_energy

    def to_xarray(self) -> Any:
        """An xarray.Dataset with q and v over (time, body, axis)."""
        import xarray

        axes = list("xyz"[: self.q.shape[2]])
        over = ("time", "body", "axis")
        return xarray.Dataset(
            {"q": (over, self.q, {"units": "m"}), "v": (over, self.v, {"units": "m/s"})},
            coords={"time": ("time", self.t, {"units": "s"}), "body": list(self.bodies), "axis": axes},
            attrs={"title": self.mechanism.title},
        )

    def to_pandas(self) -> Any:
        """A pandas.DataFrame indexed by time, with columns X(B1), Y(B1), VX(B1), VY(B1), …"""
        import pandas

        columns = {}
        for i, name in enumerate(self.bodies):
            for values, prefix in ((self.q, ""), (self.v, "V")):
                for c in range(self.q.shape[2]):
                    columns[f"{prefix}{'XYZ'[c]}({name})"] = values[:, i, c]
        return pandas.DataFrame(columns, index=pandas.Index(self.t, name="Time"))

    def __len__(self) -> int:
        return len(self.t)

    def __str__(self) -> str:
        return f"{self.mechanism.title or 'untitled'}: {len(self)} samples to t = {self.t[-1]:g} s, {self.status}"
