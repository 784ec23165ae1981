"""The frame of a rigid body while the mechanism is built: where its mass is, along which directions, and what it holds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from chainlist.elements.base import Native
from chainlist.elements.rigid import ROTOR
from chainlist.equations.primitive import Weights
from chainlist.formula import Point
from chainlist.model import inertia, shapes
from chainlist.model.desk import Problem
from chainlist.model.entities import PlacedElement
from chainlist.model.pose import Pose
from chainlist.model.rigidbody import PinnedPoint

SAME = 1e-12  # of the size of a body: components below this are rounding
AXES = "uvw"


@dataclass
class BodyFrame:
    """One body while the mechanism is built: where its mass is, along which directions, and what it holds."""

    element: PlacedElement
    places: tuple[Point, ...]  # of its points
    mass: inertia.Inertia
    directions: tuple[Point, ...]  # unit vectors of its axes as it is laid out; in the plane also the one across
    lengths: tuple[float, ...]
    pose: Pose
    implied: list[Point] = field(default_factory=list)  # directions whose lengths and angles another body keeps
    rows: list[Native] = field(default_factory=list)
    joints: list[PinnedPoint] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.element.name

    @property
    def axes(self) -> tuple[str, ...]:
        return tuple(f"{self.name}.{letter}" for letter in AXES[: len(self.lengths)])

    @property
    def size(self) -> float:
        away = [math.dist(place, self.mass.centre) for place in self.places]
        return max(*away, *self.lengths)

    def coordinates(self, place: Point) -> Point:
        """A place of the body along its directions, from the centre."""
        away = inertia.minus(place, self.mass.centre)
        found = [inertia.dot(away, direction) for direction in self.directions]
        rounding = SAME * self.size
        return tuple([x if abs(x) > rounding else 0.0 for x in found])

    def weights(self, place: Point) -> Weights:
        s = self.coordinates(place)
        if len(place) == 2:
            turned = [(self.axes[0], s[0] / self.lengths[0], s[1] / self.lengths[0])]
        else:
            turned = [(axis, x / k, 0.0) for axis, x, k in zip(self.axes, s, self.lengths, strict=True)]
        return ((self.name, 1.0, 0.0), *(weight for weight in turned if weight[1:] != (0.0, 0.0)))


def inertia_of(element: PlacedElement, places: tuple[Point, ...]) -> inertia.Inertia:
    """As the card says, without the masses of points."""
    mass, radius = element.reading.values
    assert mass is not None
    given = dict(element.reading.vectors)
    form = element.reading.form.removesuffix(ROTOR)
    dimension = len(places[0])
    centre = given.get("CG", places[0])
    if len(centre) != dimension:
        cure = _centre_in(dimension, centre, form, given)
        raise ValueError(f"CG has {len(centre)} coordinates, and the machine {dimension}: {cure}")
    if "ALONG" in given and (len(given["ALONG"]) != 2 or not any(given["ALONG"]) or len(places) > 1 or dimension > 2):
        raise ValueError("ALONG is where the angle of a body of one point counts from: write ALONG=(1,0)")
    if "OMEGA" in given and len(given["OMEGA"]) != (1 if dimension == 2 else 3):
        raise ValueError("OMEGA is one number in the plane, and a vector in space: write OMEGA=3, or OMEGA=(wx,wy,wz)")
    if form == "GIVEN":
        J = given["J"]
        return inertia.from_tensor(mass, centre, J[0] if len(J) == 1 else J)
    if form == "ROD":
        body = _rod(element, mass, places)
    elif form == "UNIFORM":
        body = shapes.uniform(mass, places)
    else:
        body = _round(form, mass, centre, radius or 0.0, given.get("AXIS"))
    if "CG" in given and radius is None:
        raise ValueError("a uniform body has its CG in its middle: give J too, or leave CG out")
    return body


def _centre_in(dimension: int, centre: Point, form: str, given: Mapping[str, Point]) -> str:
    """The cure of a CG of the other world, with all that this form of body needs there."""
    if form in ("ROD", "UNIFORM"):
        return "leave CG out, a uniform body has it in its middle"
    words = [f"CG=({','.join(f'{x:.6g}' for x in (*centre, 0.0)[:dimension])})"]
    if form == "GIVEN" and (len(given["J"]) == 1) == (dimension == 3):
        words.append("J=(Jxx,Jyy,Jzz)" if dimension == 3 else "J=0.1, its polar moment")
    if form in ("DISK", "HOOP") and dimension == 3 and "AXIS" not in given:
        words.insert(0, "AXIS=(0,0,1)")
    return f"write {' '.join(words)}"


def _rod(element: PlacedElement, mass: float, places: tuple[Point, ...]) -> inertia.Inertia:
    """From one of its outermost points to the other; what else it holds stands between them."""
    if len(places) == 2:
        return shapes.rod(mass, *places)
    first, last = shapes.ends_on_a_line(places)
    off = [shapes.off_the_line(place, first, last) for place in places]
    if max(off) > inertia.OFF * math.dist(first, last):
        worst = off.index(max(off))
        end = element.ends[worst]
        name = end if isinstance(end, str) else f"({','.join(f'{x:g}' for x in places[worst])})"
        message = f"{element.name}: a body of three points or more needs its CG and J, or UNIFORM"
        help = f"write UNIFORM at its end for a plate. Points of a rod stand on one line, and {name} is {max(off):.3g} m off it"
        raise Problem("E228", message, element.span, label="has no meaning", help=help)
    return shapes.rod(mass, first, last)


def _round(form: str, mass: float, centre: Point, radius: float, axis: Point | None) -> inertia.Inertia:
    if form in ("BALL", "SHELL"):
        if len(centre) == 2:
            raise ValueError(f"a {form} is a body of space: in the plane there are disks and hoops")
        return (shapes.ball if form == "BALL" else shapes.shell)(mass, centre, radius)
    if len(centre) == 2 and axis is not None:
        raise ValueError("in the plane every disk has its axis across the plane: leave AXIS out")
    if len(centre) == 3 and axis is None:
        raise ValueError("a disk in space needs its axis: write AXIS=(0,0,1)")
    return (shapes.hoop if form == "HOOP" else shapes.disk)(mass, centre, radius, axis)


def directions_of(
    mass: inertia.Inertia, places: tuple[Point, ...], along: Point = (1.0, 0.0)
) -> tuple[tuple[Point, ...], tuple[float, ...]]:
    """Unit vectors of the axes, and their lengths. In the plane the first goes from the first point to the second.

    Where these stand in one place it goes to the next one that does not; of a body of one point it goes along `along`.
    """
    if isinstance(mass.moments, float):
        if mass.moments <= 0:
            raise ValueError("J must be positive: a body that is a point cannot turn; make it a B")
        first = places[0]
        elsewhere = (place for place in places if place != first)
        second = next(elsewhere, (first[0] + along[0], first[1] + along[1]))
        length = math.dist(first, second)
        c, s = ((b - a) / length for a, b in zip(first, second, strict=True))
        return ((c, s), (-s, c)), (math.sqrt(mass.moments / mass.mass),)
    found = inertia.principal(mass)
    if found.rank == 0:
        raise ValueError("J must be positive: a body that is a point cannot turn; make it a B")
    lengths = tuple(math.sqrt(e / mass.mass) for e in found.moments[: found.rank])
    return found.axes[: found.rank], lengths
