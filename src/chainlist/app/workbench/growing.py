"""The plots of a run while it is computed: every now and then its curves so far, through fewer samples."""

from __future__ import annotations

import time

import numpy as np

from chainlist.output.packing import pack_panels
from chainlist.output.panels import asked_panels
from chainlist.run.samples import Samples

EVERY = 0.5  # s between two looks
MOST_SAMPLES = 1_000  # through which a curve is drawn meanwhile
COST = 0.1  # of the time that plots may take: where they are dear, they come less often


class GrowingPlots:
    """Takes all samples of a run in order; now and then it has plots to show."""

    def __init__(self) -> None:
        self._kept: list[Samples] = []
        self._stride = 1
        self._seen = 0  # samples so far, of which those are kept whose number is a multiple of the stride
        self._due = time.monotonic() + EVERY

    def take(self, samples: Samples) -> bytes | None:
        """More samples; the panels of `.plot` so far, packed, where it is time for them."""
        self._keep(samples)
        now = time.monotonic()
        if now < self._due or not samples.mechanism.plots:
            return None
        so_far = self._joined(samples)
        packed = pack_panels(asked_panels(so_far, samples.mechanism.plots)) if len(so_far.t) > 1 else None
        used = time.monotonic() - now
        self._due = now + max(EVERY, used / COST)
        return packed

    def _keep(self, samples: Samples) -> None:
        """Every so many samples; of too many every second one."""
        self._kept.append(_some(samples, slice(-self._seen % self._stride, None, self._stride)))
        self._seen += len(samples.t)
        while sum(len(part.t) for part in self._kept) > 2 * MOST_SAMPLES:
            self._kept = [_some(self._joined(samples), slice(None, None, 2))]
            self._stride *= 2

    def _joined(self, latest: Samples) -> Samples:
        parts = self._kept
        memory = [part.memory for part in parts if part.memory is not None]
        return Samples(
            latest.mechanism,
            np.concatenate([part.t for part in parts]),
            np.concatenate([part.q for part in parts]),
            np.concatenate([part.v for part in parts]),
            np.concatenate(memory) if memory else None,
            latest.chapters,
            latest.events,
        )


def _some(samples: Samples, which: slice) -> Samples:
    memory = None if samples.memory is None else samples.memory[which].copy()
    return Samples(samples.mechanism, samples.t[which].copy(), samples.q[which].copy(), samples.v[which].copy(), memory)
