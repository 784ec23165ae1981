"""What events need of the run that they happen in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from chainlist.compile.system import Assembly
from chainlist.kernels.bundles import Floats, System, Work
from chainlist.model.mechanism import End
from chainlist.run.grid import Grid


class Marching(Protocol):
    """A run at a moment: its state, and what can be done with it there."""

    assembly: Assembly
    system: System
    grid: Grid
    work: Work
    q: Floats
    v: Floats

    def try_step(self, size: float) -> bool: ...
    def land_here(self) -> None: ...
    def weigh(self, now: float) -> None: ...
    def distance(self, ends: Sequence[End]) -> float: ...
    def kinetic_energy(self) -> float: ...
    def add_work(self, energy: float) -> None: ...
    def jams(self, when: float, name: str) -> None: ...
    def loses_its_value(self, when: float) -> None: ...
    def ends_at(self, code: int, when: float) -> None: ...
