"""Some samples of a run that is still going on, handed to whoever streams them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Mechanism
from chainlist.run.engaging import Chapter
from chainlist.run.happenings import Happening


@dataclass(frozen=True)
class Samples:
    """Consecutive samples. The arrays are views of the run's own: read them, or copy them."""

    mechanism: Mechanism = field(repr=False)
    t: Floats  # (samples,) s
    q: Floats = field(repr=False)  # (samples, bodies, dim) m
    v: Floats = field(repr=False)  # (samples, bodies, dim) m/s

    memory: Floats | None = field(default=None, repr=False)  # (samples, 1 + angles) Work and continuous angles

    chapters: tuple[Chapter, ...] = field(default=(), repr=False)  # what holds when, where something switches

    events: tuple[Happening, ...] = field(default=(), repr=False)  # of the run up to here

    @property
    def columns(self) -> Mapping[str, Floats]:
        """A run holds no values ready: see `quantities.Motion`."""
        return {}
