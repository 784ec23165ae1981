"""MuJoCo: one hinge per link, its own RK4, marched by `rollout`. Its coordinates are joint angles."""

from __future__ import annotations

import numpy as np

from benchmarks.mechanisms import Mechanism
from benchmarks.mujoco_chain import HingeChain
from benchmarks.peers.base import March, Peer


def build(mechanism: Mechanism) -> March:
    import mujoco  # noqa: F401

    hinges = HingeChain.of(mechanism)

    def march(steps: int, h: float) -> np.ndarray:
        states = hinges.run(steps, h)
        angles = np.cumsum(states[-1, 1 : 1 + len(hinges.angles)])
        spans = np.array(hinges.lengths)[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        return np.cumsum(spans, axis=0)

    return march


PEERS = [Peer("MuJoCo", "hinges, RK4, rollout", "mujoco", build, takes_links=False)]
