"""The mechanisms that are timed, each as one value from which the chainlist and the input of floor.c are made."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Mechanism:
    """Points (some of them anchors) and links in the plane. Points are numbered from 0, bodies in the text from 1."""

    title: str
    gravity: float
    points: list[tuple[float, float]]
    anchors: frozenset[int]
    links: list[tuple[int, int]]
    velocities: list[tuple[float, float]] | None = None

    @property
    def text(self) -> str:
        """The chainlist, without .tran: its times are settings of each run."""
        lines = [self.title]
        for i, (x, y) in enumerate(self.points):
            if i not in self.anchors:
                speed = "" if self.velocities is None else " IC_VEL=({!r},{!r})".format(*self.velocities[i])
                lines.append(f"B{i + 1} ({x!r},{y!r}) 1{speed}")
        for k, (i, j) in enumerate(self.links):
            lines.append(f"C{k + 1} {self._end(i)} {self._end(j)}")
        lines.append(f".options gravity={self.gravity!r}")
        return "\n".join(lines) + "\n"

    def _end(self, i: int) -> str:
        return "({!r},{!r})".format(*self.points[i]) if i in self.anchors else f"B{i + 1}"

    @property
    def numbers(self) -> str:
        """The same for floor.c, which takes no velocities."""
        lines = [f"{len(self.points)} {len(self.links)} {self.gravity!r}"]
        lines += [f"{x!r} {y!r} {0 if i in self.anchors else 1}" for i, (x, y) in enumerate(self.points)]
        lines += [f"{i} {j}" for i, j in self.links]
        return "\n".join(lines) + "\n"


def chain(links: int, turning: bool = False) -> Mechanism:
    """The paper's chain: links of 0.2 m along the x axis, g = 1; `turning`: each link with a random rate of its own."""
    points = [(round(0.2 * k, 10), 0.0) for k in range(links + 1)]
    velocities = None
    if turning:
        rates = np.random.default_rng(1).normal(size=links)
        climb = np.concatenate([[0.0], np.cumsum(0.2 * rates)])
        velocities = [(0.0, float(speed)) for speed in climb]
    joints = [(k + 1, k) for k in range(links)]
    return Mechanism(f"chain of {links} links", 1.0, points, frozenset({0}), joints, velocities)


def double_pendulum() -> Mechanism:
    """The paper's, g = 9.81."""
    points = [(0.0, 0.0), (0.0, -1.0), (1.0, -1.0)]
    return Mechanism("double pendulum", 9.81, points, frozenset({0}), [(1, 0), (2, 1)])


def net(side: int) -> Mechanism:
    """A net of side × side points that hangs from its two upper corners; a little wavy, so that nothing is taut."""
    points = [(float(i), -float(j) + 0.2 * math.sin(1.3 * i + 0.7 * j)) for j in range(side) for i in range(side)]
    across = [(j * side + i, j * side + i + 1) for j in range(side) for i in range(side - 1)]
    down = [(j * side + i, (j + 1) * side + i) for j in range(side - 1) for i in range(side)]
    return Mechanism(f"net of {side} × {side} points", 1.0, points, frozenset({0, side - 1}), across + down)
