"""pymunk, made for games: bodies that do not turn, pin joints, semi-implicit Euler with corrections of the joints."""

from __future__ import annotations

import functools
import math

import numpy as np

from benchmarks.mechanisms import Mechanism
from benchmarks.peers.base import March, Peer, moving


def build(mechanism: Mechanism, iterations: int) -> March:
    import pymunk

    def march(steps: int, h: float) -> np.ndarray:
        space = pymunk.Space()
        space.gravity = (0.0, -mechanism.gravity)
        space.iterations = iterations
        bodies = {i: pymunk.Body(1.0, math.inf) for i in moving(mechanism)}
        for i, body in bodies.items():
            body.position = mechanism.points[i]
        space.add(*bodies.values())
        for i, j in mechanism.links:
            ends = [(bodies.get(p, space.static_body), (0, 0) if p in bodies else mechanism.points[p]) for p in (i, j)]
            space.add(pymunk.PinJoint(ends[0][0], ends[1][0], ends[0][1], ends[1][1]))
        for _ in range(steps):
            space.step(h)
        return np.array([tuple(body.position) for body in bodies.values()])

    return march


PEERS = [
    Peer("pymunk", "pin joints, 10 iterations (the default)", "pymunk", functools.partial(build, iterations=10)),
    Peer("pymunk", "pin joints, 200 iterations", "pymunk", functools.partial(build, iterations=200)),
]
