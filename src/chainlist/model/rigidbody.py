"""A rigid body as the mechanism keeps it: its vectors, and what it looks like."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from chainlist.equations.value import place_at_start
from chainlist.formula import End, Moving, Point
from chainlist.syntax.source import Span

Shape = Literal["rod", "polygon", "disk", "hoop", "ball", "shell", "solid", "body"]


@dataclass(frozen=True)
class PinnedPoint:
    """A point at which a body is pinned to another, or to the ground."""

    at: End
    other: str  # name of the body that holds the point; "" for the ground
    row: int  # the first of its rows among those of the body, one for each coordinate


@dataclass(frozen=True)
class RigidBody:
    """A centre and axes: bodies of the mechanism that are vectors. A place s of the body is centre + Σ s_j axis_j / length_j.

    In the plane there is one axis, and the second direction is that axis turned by +90°. In space a solid has three, a plate
    two and a rod one. Each is as long as the radius of gyration along it, so that its mass is that of the body.
    """

    name: str
    points: tuple[End, ...]  # that it holds: names of bodies, and anchors
    shape: Shape
    mass: float  # kg, with that of the points it holds
    centre: str  # name of a body
    axes: tuple[str, ...]
    lengths: tuple[float, ...]  # m
    outline: tuple[Point, ...]  # its points along the directions of its axes, from the centre
    radius: float = 0.0  # m, of round ones
    middle: Point = ()  # of round ones: where their middle is, along its axes; heavy points move the centre of mass away
    normal: Point = ()  # in space: the axis of a disk or hoop, along its axes
    spin: float = 0.0  # rad/s, of a rotor about its axle, which is its only axis
    axial: float = 0.0  # kg m², and its moment about it
    joints: tuple[PinnedPoint, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def held(self) -> tuple[End, ...]:
        """Its points as items name them: one that moves as told by where it is at the start."""
        return tuple(place_at_start(end) if isinstance(end, Moving) else end for end in self.points)

    @property
    def shared(self) -> dict[str, list[End]]:
        """Its joints, by the partner that they join it to: two points make a hinge."""
        found: dict[str, list[End]] = {}
        for joint in self.joints:
            found.setdefault(joint.other, []).append(joint.at)
        return found
