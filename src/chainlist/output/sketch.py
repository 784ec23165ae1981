"""What a picture of a motion is made of: the drawing of its mechanism, sizes, and the part of the plane to show.

Drawn by `pictures.py` (matplotlib) and `frames.py` (Pillow) in the same proportions and colours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from chainlist.model.mechanism import Mechanism
from chainlist.output.camera import FRONT, Camera, View, camera_of
from chainlist.output.drawing import Drawing, DrawnPart, PartPoint, Place, ToldPoint, draw, seen_points
from chainlist.output.floor import Floor, floor_under
from chainlist.output.presence import Flash, Span, flashes, is_there, measured, presence
from chainlist.output.rounding import ROUNDING, size_of
from chainlist.output.shapes import Shape
from chainlist.output.solids import Patch, patches
from chainlist.output.strokes import Stroke, slide_direction, strokes
from chainlist.output.surroundings import rope_strokes, wall_strokes
from chainlist.output.tracks import Track, track_values
from chainlist.run.happenings import events_of
from chainlist.run.quantities import Motion
from chainlist.run.status import CANCELLED, INCOMPLETE, Status

Floats = NDArray[np.float64]

# Colours (red, green, blue), readable for all kinds of colour vision and in grey.
ROD = (38, 70, 112)
BODY = (194, 92, 10)
FIXED = (70, 70, 70)
RAIL = (140, 140, 140)  # fainter than springs that lie along it
PATH = (150, 165, 180)
PALE = (205, 216, 228)  # the oldest exposure
PALE_BODY = (245, 214, 184)

_FULL_SIZE = 0.02  # of the picture: the diameter of the heaviest body
RUNAWAY = 30.0  # where a run broke down: states that far away, in sizes of the mechanism at its start, are not shown
OUT_OF_SIGHT = 1e30  # m: no axis holds that


RADII = ("circle", "sphere", "drum", "globe", "rope")  # parts whose last point, if it is a track, is a length


@dataclass(frozen=True)
class DrawnRail:
    """A slider's line, cut to where its body goes: from `start` to `stop`."""

    body: int
    start: Place
    stop: Place


@dataclass(frozen=True)
class Moment:
    """Where everything is at one time: bodies (bodies, dim), and points that move as told (tracks, dim)."""

    space: Floats
    told: Floats
    camera: Camera = FRONT
    time: float = 0.0

    @cached_property
    def state(self) -> Floats:
        """(bodies, 2): the bodies as they are seen."""
        return self.camera.flat(self.space)

    def place(self, point: PartPoint) -> tuple[float, float]:
        """A point as it is seen."""
        x, y = self.camera.flat(self.in_space(point))
        return float(x), float(y)

    def in_space(self, point: PartPoint) -> Floats:
        if isinstance(point, tuple):
            return np.array(point)
        return np.asarray(self.told[point.track] if isinstance(point, ToldPoint) else self.space[point])

    def places(self, part: DrawnPart) -> Floats:
        """(n, 2) of the points of a part; a radius is a number, which no camera turns."""
        found = np.array([self.place(point) for point in part.points])
        for n, point in enumerate(part.points):
            if isinstance(point, ToldPoint) and n == len(part.points) - 1 and part.kind in RADII:
                found[n] = self.in_space(point)[:2]
        return found

    def depth(self, points: Sequence[PartPoint]) -> float:
        """How near the middle of points is."""
        return float(np.mean([self.camera.depth(self.in_space(point)) for point in points]))

    @property
    def is_finite(self) -> bool:
        return bool(np.isfinite(self.space).all())


@dataclass(frozen=True)
class Sketch:
    """The parts of a mechanism that a picture shows. `bodies` are indices, `radius` from 0 to 1 by the cube root of mass;
    `pins`, those without mass, are small and hollow."""

    bodies: tuple[int, ...]
    names: tuple[str, ...]
    radius: tuple[float, ...]
    rods: tuple[DrawnPart, ...]
    rails: tuple[DrawnRail, ...]
    pivots: tuple[Place | ToldPoint, ...]
    view: View
    crowding: float  # bodies are drawn smaller by this factor where rods are short
    others: tuple[DrawnPart, ...] = ()  # drawn by `strokes.py`
    travel: tuple[tuple[float, float], ...] = ()  # of the body on each of `others`, where that is a guide
    tracks: tuple[Track, ...] = ()
    shapes: tuple[Shape, ...] = ()
    pins: frozenset[int] = frozenset()  # of `bodies`
    camera: Camera = FRONT
    floor: Floor | None = None  # of space
    disks: tuple[float, ...] = ()  # of each of `bodies`: how large it really is [m], 0 for a point
    spans: Mapping[str, Span] = field(default_factory=dict)  # of links that are not there all the time
    flashes: tuple[Flash, ...] = ()  # events
    windowed: bool = False  # the option WINDOW says what is shown: what leaves it is cut off

    def rods_at(self, moment: Moment) -> tuple[DrawnPart, ...]:
        """The rods that are there."""
        return tuple(rod for rod in self.rods if is_there(rod, self.spans, moment.time)) if self.spans else self.rods

    @property
    def unit(self) -> float:
        """About the radius of a body [m]."""
        return 0.5 * _FULL_SIZE * max(self.view.width, self.view.height) * max(self.crowding, 0.5)

    def moments(self, motion: Motion, times: Floats, states: Floats) -> list[Moment]:
        """Everything at the times, at which the bodies are at `states`."""
        told = track_values(motion.mechanism, self.tracks, times, motion)
        found = zip(times, states, told, strict=True)
        return [Moment(state, row, self.camera, float(t)) for t, state, row in found]

    def patches(self, moment: Moment) -> list[tuple[Shape, list[Patch]]]:
        """What is seen of the rigid bodies."""
        return [(shape, patches(shape, moment.space, self.camera, self.unit)) for shape in self.shapes]

    def strokes(self, moment: Moment, kinds: tuple[str, ...] = ()) -> list[Stroke]:
        """The lines of all parts but rods, rails, bodies and pivots; of some kinds only where these are given."""
        found: list[Stroke] = []
        for part, travel in zip(self.others, self.travel, strict=True):
            if (not kinds or part.kind in kinds) and is_there(part, self.spans, moment.time):
                found += self.stroke(part, travel, moment)
        return found

    def stroke(self, part: DrawnPart, travel: tuple[float, float], moment: Moment) -> list[Stroke]:
        """The lines of one part. What a body travels on a guide is seen as much shorter as the guide is."""
        points = moment.places(part)
        if part.kind == "rope":
            return list(rope_strokes(part, [moment.in_space(point) for point in part.points], self.camera, self.unit))
        if part.kind in ("wall", "drum"):
            return list(wall_strokes(part, points, self.unit, self.view, moment.time))
        if part.kind == "guide" and self.floor is not None:
            _, a, b = (moment.in_space(point) for point in part.points)
            shorter = float(np.hypot(*(points[2] - points[1]))) / (float(np.linalg.norm(b - a)) or 1.0)
            travel = travel[0] * shorter, travel[1] * shorter
        return list(strokes(part, points, self.unit, travel))

    def blocks(self, moment: Moment) -> list[DrawnRail]:
        """Where the blocks on guides and circles are, and a piece of the tangent there."""
        found = []
        for part in self.others:
            body = part.points[0]
            along = slide_direction(part, moment.places(part))
            if along is not None and isinstance(body, int):
                x, y = moment.place(body)
                found.append(DrawnRail(body, (x - along[0], y - along[1]), (x + along[0], y + along[1])))
        return found


FADING = ("spring", "damper", "string", "rope")  # parts that earlier exposures show too


def sketch(motion: Motion, names: tuple[str, ...] | None = None) -> Sketch:
    """The named constraints with the bodies at their ends; without names, everything."""
    mechanism = motion.mechanism
    spans = presence(mechanism, events_of(motion))
    drawing = measured(draw(mechanism, names), motion, spans)
    others = tuple(part for part in drawing.parts if part.kind not in ("rod", "rail"))
    camera = camera_of(mechanism)
    reach = _Reach(motion, drawing.tracks, camera)
    floor = floor_under(_cloud(reach, drawing)) if mechanism.dimension == 3 else None
    window = mechanism.options.window
    view = View(*window) if window else _view(reach, drawing, floor)
    return Sketch(
        bodies=drawing.bodies,
        names=tuple(mechanism.bodies[i].name for i in drawing.bodies),
        radius=_radii(mechanism, drawing.bodies),
        rods=tuple(part for part in drawing.parts if part.kind == "rod"),
        rails=tuple(_rail(reach, part, view) for part in drawing.parts if part.kind == "rail"),
        pivots=drawing.pivots,
        view=view,
        crowding=_crowding(mechanism, len(drawing.bodies), view),
        others=others,
        travel=tuple(_travel(reach, part) for part in others),
        tracks=drawing.tracks,
        shapes=drawing.shapes,
        pins=drawing.pins,
        camera=camera,
        floor=floor,
        disks=tuple(mechanism.bodies[i].radius for i in drawing.bodies),
        spans=spans,
        flashes=flashes(motion, drawing),
        windowed=window is not None,
    )


def finite_states(motion: Motion) -> NDArray[np.bool_]:
    """(samples,): True for samples that a picture shows: numbers, and, where a run broke down, not far away.

    A run that ended well may go as far as it likes: a body in free fall has no size that it could be measured by.
    """
    mechanism = motion.mechanism
    places = [i for i, body in enumerate(mechanism.bodies) if body.role != "axis"]
    q = motion.q.reshape(len(motion.t), -1, mechanism.dimension)[:, places]
    with np.errstate(all="ignore"):
        shown = np.asarray((np.abs(q) < OUT_OF_SIGHT).all(axis=(1, 2)))
        lengths = [c.parameters[1] for c in mechanism.links]
        center = q[0].mean(axis=0)
        size = max([float(np.abs(q[0] - center).max()), *lengths])
        if size > 0 and (_broke_down(motion) or not shown.all()):
            reach = RUNAWAY * size * max(1, len(lengths)) ** 0.5
            shown &= (np.abs(q - center) < reach).all(axis=(1, 2))
        return shown


def _broke_down(motion: Motion) -> bool:
    """A trace does not say how its run ended; what is not a number in it does."""
    status: Status | None = getattr(motion, "status", None)
    return status is not None and not status.ok and status.code not in (CANCELLED, INCOMPLETE)


def _crowding(mechanism: Mechanism, bodies: int, view: View) -> float:
    """1, or less where bodies of full size would hide the rods between them, or are very many."""
    lengths = [link.parameters[1] for link in mechanism.links]
    rods = 0.4 * float(np.median(lengths)) / (_FULL_SIZE * max(view.width, view.height)) if lengths else 1.0
    return float(np.clip(min(rods, (40 / max(bodies, 1)) ** 0.5), 0.3, 1.0))


def _radii(mechanism: Mechanism, bodies: tuple[int, ...]) -> tuple[float, ...]:
    masses = np.array([mechanism.bodies[i].given_mass for i in bodies])
    if not np.isfinite(masses).all() or not masses.any():
        return (0.7,) * len(bodies)
    return tuple(float(r) for r in np.clip(np.cbrt(masses / masses.max()), 0.5, 1.0))


class _Reach:
    """Where points go over a motion."""

    def __init__(self, motion: Motion, tracks: tuple[Track, ...], camera: Camera):
        shown = finite_states(motion)
        self.q, self.camera = motion.q[shown], camera
        empty = np.zeros((len(self.q), 0, motion.mechanism.dimension))
        self.told = track_values(motion.mechanism, tracks, motion.t[shown]) if tracks else empty
        self.kinds = [track.kind for track in tracks]
        self.radius = [body.radius for body in motion.mechanism.bodies]
        self.rounding = ROUNDING * size_of(motion)

    def of(self, point: PartPoint) -> Floats:
        """(samples, dim), or one for a fixed place."""
        if isinstance(point, tuple):
            return np.array([point])
        return self.told[:, point.track] if isinstance(point, ToldPoint) else self.q[:, point]

    def is_line(self, point: PartPoint) -> bool:
        """It only tells where a line is, and is not itself shown."""
        return isinstance(point, ToldPoint) and self.kinds[point.track] != "place"


def _rail(reach: _Reach, slider: DrawnPart, view: View) -> DrawnRail:
    """The line where the body moves, and a little more on both sides."""
    (body,) = slider.points
    assert isinstance(body, int)
    k1, k2, konst = slider.numbers
    length = float(np.hypot(k1, k2))
    n = np.array([k1, k2]) / length
    along = np.array([n[1], -n[0]])
    foot = n * konst / length
    where = reach.of(body) @ along
    margin = 0.08 * max(view.width, view.height)
    start, stop = foot + along * (where.min() - margin), foot + along * (where.max() + margin)
    return DrawnRail(body, (float(start[0]), float(start[1])), (float(stop[0]), float(stop[1])))


def _travel(reach: _Reach, part: DrawnPart) -> tuple[float, float]:
    """From where to where a guide is needed, measured on it from its second point: up to points that are shown, and where a
    line that is told passes nearest to the origin if that is not far away."""
    if part.kind != "guide":
        return 0.0, 0.0
    body, start, stop = np.broadcast_arrays(*(reach.of(point) for point in part.points))
    along = stop - start
    length = np.linalg.norm(along, axis=1)
    with np.errstate(all="ignore"):
        where = ((body - start) * along).sum(axis=1) / length
    where = where[np.isfinite(where)]
    if not len(where):
        return 0.0, 0.0
    low, high = float(where.min()), float(where.max())
    if not reach.is_line(part.points[1]):
        return min(low, 0.0), max(high, float(np.nanmax(length)))
    if min(abs(low), abs(high)) < high - low:
        return min(low, 0.0), max(high, 0.0)
    return low, high


def _cloud(reach: _Reach, drawing: Drawing) -> Floats:
    """(n, dim): everything that the bodies reach, all anchors, pegs and circles."""
    seen = [point for part in drawing.parts for point in seen_points(part) if not isinstance(point, int)]
    points = [reach.q[:, list(drawing.bodies)].reshape(-1, reach.q.shape[2])]
    for i in drawing.bodies:
        radius = reach.radius[i]
        points += [reach.q[:, i] + radius * sign for sign in (-1.0, 1.0)] if radius else []
    points += [reach.of(point) for point in dict.fromkeys([*seen, *drawing.pivots]) if not reach.is_line(point)]
    for shape in drawing.shapes:
        points += [reach.q[:, shape.centre] + shape.reach * sign for sign in ((-1.0, 1.0) if shape.reach else (0.0,))]
    size = float(np.ptp(np.concatenate(points), axis=0).max(initial=0.0))
    for part in drawing.parts:
        if part.kind in ("circle", "sphere", "drum", "globe"):
            points += _around(reach, part, size)
    cloud = np.concatenate(points)
    return cloud[np.isfinite(cloud).all(axis=1)]


def _view(reach: _Reach, drawing: Drawing, floor: Floor | None) -> View:
    """The whole cloud, and in space the floor, with a margin; never flat."""
    cloud = reach.camera.flat(_cloud(reach, drawing))
    if floor is not None:
        cloud = np.concatenate([cloud, reach.camera.flat(floor.corners)])
    for shape in drawing.shapes:
        center = reach.camera.flat(reach.q[:, shape.centre])
        cloud = np.concatenate([cloud, *(center + shape.reach * s for s in (-1.0, 1.0))]) if shape.reach else cloud
    low, high = cloud.min(axis=0), cloud.max(axis=0)
    size = float((high - low).max())
    size = size if size > reach.rounding else 1.0
    center, half = (low + high) / 2, (high - low) / 2
    half = np.maximum(half, 0.12 * size) + (0.08 if floor is None else 0.04) * size
    return View(*(float(x) for x in (*(center - half), *(center + half))))


LARGEST_CIRCLE = 6.0  # in sizes of the motion on it: of a larger one, only the part where the body is is shown


def _around(reach: _Reach, part: DrawnPart, size: float) -> list[Floats]:
    """The box around a circle."""
    at = 0 if part.kind in ("drum", "globe") else 1
    center = reach.of(part.points[at])
    fixed = len(part.points) == at + 1
    radius = np.array(part.numbers[-1:]) if fixed else reach.of(part.points[at + 1])[:, 0]
    if radius.max() > LARGEST_CIRCLE * size and size > 0:
        return []
    return [center + radius[:, None] * sign for sign in (-1.0, 1.0)]
