"""The one model of a drawn mechanism: a tuple of parts, for pictures, animations, pages and thumbnails.

A part is plain data: what it is, and the points that it is drawn through. A point is the index of a body, a fixed place, or
a `ToldPoint`, whose places over the time are a track. Which part an element becomes is said by its type (`picture`) and form.

    rod, sleeve        a link; the sleeve on one whose length is driven
    string             over pegs, through all its points
    rail, guide        where a body slides: on the line `numbers`, or (body, P, P) on the line through two points
    circle, sphere     (body, centre), radius in `numbers`, or (body, centre, radius as a track)
    tile               (body,): slides on a plane of space, `numbers` its normal and how far it is from the origin
    spring, damper     between two points; `numbers` say how far aside it stands of others between the same points
    pull               a force along the line between two points
    spiral, brake      a spring and a damper at an angle: (arm, vertex, arm); without the first arm against the x axis
    drag               (body,): slowed against rest
    pin, motor         (point,)
    torque             (end, end) of a link, at its middle; (point,) where two links share an end
    force              (body, direction as a track); the longest of a run has the length 1
    rope               through all its points; its length in `numbers`, or as a track behind the points; neither: unknown
    wall               (P, P) of a line that bodies keep to the right of; `numbers`: how fast its surface runs from the first to
                       the second
    drum, globe        (centre,), a round wall; `numbers`: how fast its surface runs, 1 where it holds from inside, and its
                       radius, or (centre, radius as a track)
    pane               (P, P) of a wall of space: a point on it, and one off it on the side of the bodies
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from chainlist.elements.base import Law, Switch
from chainlist.formula import Constant, End, Formula, Moving, Quantity
from chainlist.model.mechanism import Body, Element, Mechanism
from chainlist.output.geometry import (
    belt_speed,
    line_points,
    linear_form,
    number_of,
    plane_points,
    replaced,
    rope_length,
    round_wall,
    the_formula,
    wall_form,
)
from chainlist.output.shapes import Shape, shape_of
from chainlist.output.tracks import Track, TrackKind

Place = tuple[float, ...]

_ON_GROUND = ("rod", "spring", "damper", "pin")  # parts whose fixed ends stand on the ground
_BESIDE = ("rod", "spring", "damper", "pull")  # parts that would hide one another between the same points
_STRINGS = ("string", "rope")  # only the ends of these do; between them are pegs
ANGULAR = ("spiral", "brake")


@dataclass(frozen=True)
class ToldPoint:
    """A point that moves as told: the number of its track."""

    track: int


PartPoint = int | Place | ToldPoint


@dataclass(frozen=True)
class DrawnPart:
    kind: str
    name: str
    points: tuple[PartPoint, ...]
    numbers: tuple[float, ...] = ()


@dataclass(frozen=True)
class Drawing:
    """What is shown of a mechanism. `bodies` are indices, `pivots` the points that stand on the ground, each once."""

    bodies: tuple[int, ...]  # of points; those that a rigid body holds among them
    parts: tuple[DrawnPart, ...]
    tracks: tuple[Track, ...]
    pivots: tuple[Place | ToldPoint, ...]
    shapes: tuple[Shape, ...] = ()  # of rigid bodies
    pins: frozenset[int] = frozenset()  # those of `bodies` that have no mass of their own


def draw(mechanism: Mechanism, only: Collection[str] | None = None) -> Drawing:
    """The drawing of a mechanism; of the constraints in `only` alone, with the bodies they hold. All of them: everything."""
    everything = only is None or all(e.name in only for e in mechanism.constraints if not e.type.rigid)
    chosen = [e for e in mechanism.elements if everything or (only is not None and e.name in only)]
    maker = _Maker(mechanism)
    parts = _aside([part for element in chosen for part in maker.parts(element)])
    points = [i for i, body in enumerate(mechanism.bodies) if body.role in ("point", "held")]
    rigid = list(mechanism.rigid)
    if not everything:
        ends = {mechanism.body_index[end] for element in chosen for end in element.ends if isinstance(end, str)}
        ends |= {point for part in parts for point in part.points if isinstance(point, int)}
        rigid = [body for body in rigid if only is not None and body.name in only]
        ends |= {mechanism.body_index[end] for body in rigid for end in body.points if isinstance(end, str)}
        points = [i for i in points if i in ends]
    anchors = [maker.point(end) for body in rigid for end in body.points if not isinstance(end, str)]
    return Drawing(
        bodies=tuple(points),
        parts=tuple(parts),
        tracks=tuple(maker.tracks),
        pivots=_pivots(parts, anchors),
        shapes=tuple(shape_of(body, mechanism.body_index, mechanism.dimension) for body in rigid),
        pins=frozenset(i for i in points if is_pin(mechanism.bodies[i])),
    )


def is_pin(body: Body) -> bool:
    """A joint, or a point that is followed: where a mass sits is another matter, and looks like one."""
    return body.given_mass == 0.0 and not body.radius


class _Maker:
    """Elements become parts; points that move as told are numbered on the way."""

    def __init__(self, mechanism: Mechanism):
        self.mechanism = mechanism
        self.index = mechanism.body_index
        self.dimension = mechanism.dimension
        self.arms: dict[str, tuple[End, ...]] = {e.name: e.ends for e in mechanism.elements if len(e.ends) == 2}
        self.arms.update((body.name, body.points) for body in mechanism.rigid)
        self.tracks: list[Track] = []
        self._known: dict[Track, ToldPoint] = {}

    def parts(self, element: Element) -> Iterator[DrawnPart]:
        make = _PICTURES.get(element.type.picture)
        if make is not None:
            yield from make(self, element)

    def point(self, end: End) -> PartPoint:
        if isinstance(end, str):
            return self.index[end]
        if isinstance(end, Moving):
            return self.told("place", *end.coordinates)
        return tuple(end)

    def points(self, ends: Sequence[End]) -> tuple[PartPoint, ...]:
        return tuple(self.point(end) for end in ends)

    def set(self, *formulas: Formula) -> PartPoint:
        """A point that tells a line: a fixed place where nothing in it moves."""
        numbers = [number_of(formula) for formula in formulas]
        fixed = tuple(number for number in numbers if number is not None)
        return fixed if len(fixed) == len(numbers) else self.told("line", *formulas)

    def told(self, kind: TrackKind, *formulas: Formula) -> ToldPoint:
        track = Track(kind, formulas + (Constant(0.0),) * (self.dimension - len(formulas)))
        if track not in self._known:
            self._known[track] = ToldPoint(len(self.tracks))
            self.tracks.append(track)
        return self._known[track]


# What elements look like: one function for each `picture`


def _line(maker: _Maker, element: Element) -> Iterator[DrawnPart]:
    points = maker.points(element.ends)
    switch = next(iter(element.parts.switches), None)
    if switch is not None and switch.side:
        yield _rope(maker, element, points, switch)
    elif len(points) > 2:
        yield DrawnPart("string", element.name, points)
    elif len(points) == 2:
        yield DrawnPart("rod", element.name, points)
        if element.form.startswith("driven"):
            yield DrawnPart("sleeve", element.name, points)


def _rope(maker: _Maker, element: Element, points: tuple[PartPoint, ...], switch: Switch) -> DrawnPart:
    length = rope_length(switch)
    if length is None:
        return DrawnPart("rope", element.name, points)
    fixed = number_of(length)
    if fixed is not None:
        return DrawnPart("rope", element.name, points, (fixed,))
    return DrawnPart("rope", element.name, (*points, maker.told("radius", length)))


def _wall(maker: _Maker, element: Element) -> Iterator[DrawnPart]:
    """Each wall once, however many bodies it is for; bodies that meet one another have no wall between them."""
    switch = next(iter(element.parts.switches), None)
    if switch is None or element.form == "pairs":
        return
    if element.form in ("line", "plane"):
        points = line_points if maker.dimension == 2 else plane_points
        first, second = points(*wall_form(maker.mechanism, switch))
        belt = -belt_speed(switch)  # it runs along (k2,-k1), and the points stand the other way
        kind, numbers = ("wall", (belt,)) if maker.dimension == 2 else ("pane", ())
        yield DrawnPart(kind, element.name, (maker.set(*first), maker.set(*second)), numbers)
        return
    centre, radius = round_wall(maker.mechanism, switch)
    kind, fixed = "drum" if maker.dimension == 2 else "globe", number_of(radius)
    how = (belt_speed(switch), float(switch.side < 0))
    if fixed is not None:
        yield DrawnPart(kind, element.name, (maker.point(centre),), (*how, fixed))
    else:
        yield DrawnPart(kind, element.name, (maker.point(centre), maker.told("radius", radius)), how)


def _rail(maker: _Maker, element: Element) -> Iterator[DrawnPart]:
    points = maker.points(element.ends)
    if element.form == "" and len(element.parameters) == 3:
        yield DrawnPart("rail", element.name, points[:1], element.parameters)
    elif element.form == "" and len(element.parameters) == 4:
        yield DrawnPart("tile", element.name, points[:1], element.parameters)
    elif element.form == "through":
        yield DrawnPart("guide", element.name, points)
    elif element.form == "told":
        body = element.ends[0]
        yield DrawnPart("guide", element.name, (*points[:1], *_told_line(maker, the_formula(element), body)))
    elif element.form in ("circle", "sphere"):
        radius = -replaced(the_formula(element), {Quantity("DIST", element.ends): 0.0})
        fixed = number_of(radius)
        if fixed is not None:
            yield DrawnPart(element.form, element.name, points, (fixed,))
        else:
            yield DrawnPart(element.form, element.name, (*points, maker.told("radius", radius)))
    elif len(points) > 1:
        yield from _line(maker, element)


def _told_line(maker: _Maker, row: Formula, body: End) -> tuple[ToldPoint, ToldPoint]:
    first, second = line_points(*linear_form(row, body, 2))
    return maker.told("line", *first), maker.told("line", *second)


def _pin(maker: _Maker, element: Element) -> Iterator[DrawnPart]:
    yield DrawnPart("pin", element.name, maker.points(element.ends))


def _motor(maker: _Maker, element: Element) -> Iterator[DrawnPart]:
    """At the end that the two links share, or at the fixed end of its only link; else at the first one."""
    arms = [maker.arms[name] for name in element.of if name in maker.arms]
    if arms:
        yield DrawnPart("motor", element.name, (maker.point(_joint(arms)),))


def _joint(arms: Sequence[tuple[End, ...]]) -> End:
    if len(arms) > 1:
        return next((end for end in arms[0] if end in arms[1]), arms[0][0])
    return next((end for end in arms[0] if not isinstance(end, str)), arms[0][0])


def _torque(maker: _Maker, element: Element) -> Iterator[DrawnPart]:
    arms = [maker.arms[name] for name in element.of if name in maker.arms]
    if len(arms) == 2 and any(end in arms[1] for end in arms[0]):
        yield DrawnPart("torque", element.name, (maker.point(_joint(arms)),), (1.0,))
    else:
        for arm, sign in zip(arms, (1.0, -1.0), strict=False):
            yield DrawnPart("torque", element.name, maker.points(arm), (sign,))


def _spring(maker: _Maker, element: Element) -> Iterator[DrawnPart]:
    yield from _between(maker, element, "spring", "spiral")


def _damper(maker: _Maker, element: Element) -> Iterator[DrawnPart]:
    if element.form == "rest" and len(element.ends) == 1:
        yield DrawnPart("drag", element.name, maker.points(element.ends))
    else:
        yield from _between(maker, element, "damper", "brake")


def _between(maker: _Maker, element: Element, straight: str, angular: str) -> Iterator[DrawnPart]:
    points = maker.points(element.ends)
    if element.form == "turn":
        yield from _at_joint(maker, element, angular)
    elif element.form == "angle":
        yield DrawnPart(angular, element.name, points)
    elif len(points) == 2:
        yield DrawnPart(straight, element.name, points)


def _at_joint(maker: _Maker, element: Element, kind: str) -> Iterator[DrawnPart]:
    """Where two bodies are joined, from the one to the other; on one body from the x axis to it."""
    bodies = [maker.arms[name] for name in element.of if maker.arms.get(name)]
    if bodies:
        vertex = _joint(bodies)
        arms = [next((end for end in body if end != vertex), vertex) for body in bodies]
        ends = (arms[0], vertex, arms[1]) if len(arms) == 2 else (vertex, arms[0])
        yield DrawnPart(kind, element.name, maker.points(ends))


def _force(maker: _Maker, element: Element) -> Iterator[DrawnPart]:
    points = maker.points(element.ends)
    if len(points) == 2:
        yield DrawnPart("pull", element.name, points)
    elif len(points) == 1:
        laws = [law for law in element.parts.forces if isinstance(law, Law) and law.force is not None]
        vector = [law.force for law in laws[: maker.dimension] if law.force is not None]
        if len(vector) == maker.dimension:
            yield DrawnPart("force", element.name, (points[0], maker.told("force", *vector)))


_PICTURES: dict[str, Callable[[_Maker, Element], Iterator[DrawnPart]]] = {
    "line": _line,
    "rail": _rail,
    "pin": _pin,
    "motor": _motor,
    "spring": _spring,
    "damper": _damper,
    "force": _force,
    "torque": _torque,
    "wall": _wall,
}


# All parts together


def _pivots(parts: Sequence[DrawnPart], anchors: Sequence[PartPoint]) -> tuple[Place | ToldPoint, ...]:
    found: dict[Place | ToldPoint, None] = dict.fromkeys(end for end in anchors if not isinstance(end, int))
    for part in parts:
        ends = part.points[:: len(part.points) - 1] if part.kind in _STRINGS else part.points
        if part.kind in _ON_GROUND or part.kind in _STRINGS:
            found.update(dict.fromkeys(end for end in ends if not isinstance(end, int)))
    return tuple(found)


def _aside(parts: list[DrawnPart]) -> list[DrawnPart]:
    """Springs, dampers and pulls between the same two points stand side by side; a rod keeps the middle."""
    pairs: dict[frozenset[PartPoint], list[int]] = {}
    for i, part in enumerate(parts):
        if part.kind in _BESIDE:
            pairs.setdefault(frozenset(part.points), []).append(i)
    for together in pairs.values():
        free = [i for i in together if parts[i].kind != "rod"]
        if len(together) == 1 or not free:
            continue
        first = parts[together[0]].points
        places = np.arange(len(free)) - (len(free) - 1) / 2
        if len(free) < len(together):
            places = np.where(places >= 0, places + 0.5, places - 0.5) if len(free) % 2 == 0 else places + 1
        for i, place in zip(free, places, strict=True):
            sign = 1.0 if parts[i].points == first else -1.0
            parts[i] = DrawnPart(parts[i].kind, parts[i].name, parts[i].points, (sign * float(place),))
    return parts


def seen_points(part: DrawnPart) -> tuple[PartPoint, ...]:
    """The points that a part is drawn up to, but for those that only tell a direction."""
    if part.kind in ANGULAR:
        return part.points[-2:-1]
    if part.kind in ("wall", "pane"):
        return ()
    return part.points[:1] if part.kind in ("circle", "sphere", "force", "drum", "globe") else part.points
