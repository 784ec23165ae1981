"""Mechanisms of rigid bodies, each as one value from which the chainlist and the models of other simulators are made."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

Vector = tuple[float, ...]


@dataclass(frozen=True)
class Rod:
    """A body from one pin to the next, all at the start: its centre halfway, turning about `axis` (None: a ball joint)."""

    start: Vector
    stop: Vector
    axis: Vector | None
    mass: float = 1.0
    thick: float = 0.0  # m, of a square section; 0: a thin rod

    @property
    def length(self) -> float:
        return math.dist(self.start, self.stop)

    @property
    def moments(self) -> tuple[float, float]:
        """kg m², along the rod and across it."""
        square = self.mass * self.thick**2
        return square / 6.0, self.mass * self.length**2 / 12.0 + square / 12.0


@dataclass(frozen=True)
class Arm:
    """Rods one after the other from the origin; gravity points down, −y."""

    title: str
    gravity: float
    rods: tuple[Rod, ...]

    @property
    def is_plane(self) -> bool:
        return len(self.rods[0].start) == 2

    @property
    def text(self) -> str:
        """The chainlist, without .tran."""
        lines = [self.title, *(f"B{k} {_place(rod.stop)} 0" for k, rod in enumerate(self.rods, start=1))]
        hinged = not self.is_plane and self.rods[0].axis is not None
        beside = ""
        if hinged:  # a second point on the axis of each joint
            places = [_place(_along(rod)) for rod in self.rods]
            lines += [f"BA{k} {place} 0" for k, place in enumerate(places[1:], start=1)]
            beside = f" {places[0]}"
        pin = _place((0.0,) * len(self.rods[0].start)) + beside
        for k, rod in enumerate(self.rods, start=1):
            following = f"B{k}" + (f" BA{k}" if hinged and k < len(self.rods) else "")
            lines.append(f"R{k} {pin} {following} {rod.mass!r}{_inertia(rod)}")
            pin = following
        return "\n".join([*lines, f".options gravity={self.gravity!r}"]) + "\n"


def _place(point: Vector) -> str:
    return f"({','.join(map(repr, point))})"


def _along(rod: Rod) -> Vector:
    assert rod.axis is not None
    return tuple(x + a for x, a in zip(rod.start, rod.axis, strict=True))


def _inertia(rod: Rod) -> str:
    """The centre and the moments of a thick rod along a coordinate; a thin one is what the language takes for granted."""
    if not rod.thick:
        return ""
    centre = tuple(0.5 * (a + b) for a, b in zip(rod.start, rod.stop, strict=True))
    along, across = rod.moments
    lies = [a != b for a, b in zip(rod.start, rod.stop, strict=True)]
    numbers = [along if lie else across for lie in lies] + [0.0] * 3
    return f" CG={_place(centre)} J={_place(tuple(numbers))}"


def plane(count: int) -> Arm:
    """The paper's chain with rods that have a mass: 0.2 m each, along the x axis, g = 1."""
    places = [(round(0.2 * k, 10), 0.0) for k in range(count + 1)]
    rods = tuple(Rod(a, b, (0.0, 0.0, 1.0)) for a, b in itertools.pairwise(places))
    return Arm(f"{count} rods in the plane", 1.0, rods)


def space(count: int) -> Arm:
    """Rods on ball joints, up and down and around like a spring."""
    places: list[Vector] = [(0.0, 0.0, 0.0)]
    for k in range(count):
        x, y, z = places[-1]
        places.append((x + 0.2 * math.cos(0.7 * k), y - 0.05, z + 0.2 * math.sin(0.7 * k)))
    rods = tuple(Rod(a, b, None) for a, b in itertools.pairwise(places))
    return Arm(f"{count} rods in space on ball joints", 1.0, rods)


def robot() -> Arm:
    """Six links on hinges, as most robots have them: about y, z, z, x, z, x."""
    x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    parts = [(y, y, 0.4), (z, y, 0.6), (z, x, 0.2), (x, z, 0.4), (z, x, 0.2), (x, y, 0.15)]
    rods, pin = [], (0.0, 0.0, 0.0)
    for k, (axis, way, length) in enumerate(parts):
        end = (pin[0] + length * way[0], pin[1] + length * way[1], pin[2] + length * way[2])
        rods.append(Rod(pin, end, axis, mass=6.0 - k, thick=0.1))
        pin = end
    return Arm("a robot arm of 6 links on hinges", 9.81, tuple(rods))
