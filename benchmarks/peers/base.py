"""What a simulator must do to be compared: take a mechanism, march it, say where the bodies are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.mechanisms import Mechanism

March = Callable[[int, float], np.ndarray]  # (steps, h) from the start -> positions (bodies, 2) at the end
Motion = Callable[[int, float], float]  # (steps, h) -> CPU seconds of the motion, without preparation and report


@dataclass(frozen=True)
class Peer:
    """One simulator with one method. `takes_links` is False where it describes chains by joint angles only."""

    name: str
    method: str
    distribution: str  # on the package index, for its version
    build: Callable[[Mechanism], March]  # raises ImportError where the simulator is not installed
    takes_links: bool = True
    motion: Callable[[Mechanism], Motion] | None = None  # seconds of the motion alone; None: of the whole march


def moving(mechanism: Mechanism) -> list[int]:
    """The points that are bodies, in order."""
    return [i for i in range(len(mechanism.points)) if i not in mechanism.anchors]
