"""chainlist itself, with its defaults."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks import ours
from benchmarks.mechanisms import Mechanism
from benchmarks.peers.base import March, Motion, Peer


def build(mechanism: Mechanism, **options: Any) -> March:
    import chainlist

    source = ours.read(mechanism)

    def march(steps: int, h: float) -> np.ndarray:
        chosen = ours.with_settings(source, (0.0, steps * h, h), save=steps * h, **options)
        return np.asarray(chainlist.simulate(chosen).q[-1])

    return march


def motion(mechanism: Mechanism) -> Motion:
    source = ours.read(mechanism)

    def seconds(steps: int, h: float) -> float:
        return ours.timed(ours.with_settings(source, (0.0, steps * h, h), save=steps * h), 5)[0]

    return seconds


PEERS = [Peer("chainlist", "RK4, PROJECTED, AUTO (the defaults)", "chainlist", build, motion=motion)]
