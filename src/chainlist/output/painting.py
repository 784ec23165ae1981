"""Pictures of rigid bodies and of space as marks in the order in which they are painted, for every kind of drawer.

In space everything is sorted by its depth, and what is far away is paler.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from chainlist.output.camera import Camera
from chainlist.output.drawing import PartPoint
from chainlist.output.floor import Floor
from chainlist.output.presence import drum_radius, is_there
from chainlist.output.sketch import BODY, FIXED, PALE, ROD, Moment, Sketch
from chainlist.output.solids import Patch, shadow
from chainlist.output.strokes import AMONG_RODS, Stroke, circle_radius

Floats = NDArray[np.float64]
Colour = tuple[int, int, int]

WHITE = (255, 255, 255)
DARK, BRIGHT = (104, 128, 158), (232, 239, 246)  # faces of rigid bodies
GRID, SHADOW = (226, 230, 235), (214, 219, 225)
RAIL = (150, 160, 170)
BETWEEN = ("spring", "damper", "pull")  # parts that lead from one point to another
TILE = 3.0  # units: half a side of the tile under a body on a plane
THIN = ("rod", "polygon", "plate", "disk", "hoop")  # bodies that do not hide their own pins
FOG = 0.55  # how much paler the farthest is
ROD_WIDTH = 2.2  # in thin lines
PIECES, MANY_RODS = 6, 150  # of a rod in space; more rods have fewer pieces
BALL = (236, 190, 150)  # inside of a body of its true size
_TURN = np.linspace(0, 2 * np.pi, 73)
RING = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=-1)
AXES = (("x", (176, 58, 46)), ("y", (30, 124, 76)), ("z", (36, 92, 168)))


@dataclass(frozen=True, eq=False)
class PaintedMark:
    """A line through (n, 2) [m], `width` in thin lines (0: none), its inside filled or not; or dots of a radius from 0 to 1."""

    line: Floats
    colour: Colour
    width: float = 1.0
    fill: Colour | None = None
    dot: float = 0.0
    depth: float = 0.0


def shape_marks(parts: Sketch, moment: Moment) -> list[PaintedMark]:
    """The rigid bodies of the plane, the smallest last: a crank is seen above the rod that it lies on."""
    bodies = sorted((patches for _, patches in parts.patches(moment)), key=_extent, reverse=True)
    # every other one is darker, so that one is told from the other
    found = [_shaded(patch_mark(patch), 0.25 * (n % 2)) for n, patches in enumerate(bodies) for patch in patches]
    return [mark for mark in found if np.isfinite(mark.line).all()]


def _shaded(mark: PaintedMark, weight: float) -> PaintedMark:
    return mark if mark.fill is None else replace(mark, fill=_mix(mark.fill, ROD, weight))


def _extent(patches: Sequence[Patch]) -> float:
    """How far a body reaches, rounded: it turns without change."""
    cloud = np.concatenate([np.zeros((0, 2)), *(patch.line for patch in patches)])
    if not len(cloud):
        return 0.0
    return float(f"{np.linalg.norm(cloud - cloud.mean(axis=0), axis=1).max(initial=0.0):.6g}")


def past_marks(parts: Sketch, moment: Moment, colour: Colour = PALE) -> list[PaintedMark]:
    """Rigid bodies of an earlier exposure: their outlines."""
    return [
        PaintedMark(patch.line, colour, 0.7)
        for _, patches in parts.patches(moment)
        for patch in patches
        if patch.edge >= 1.0 and not patch.ink and np.isfinite(patch.line).all()
    ]


def floor_marks(floor: Floor | None, camera: Camera) -> list[PaintedMark]:
    return [] if floor is None else [PaintedMark(line, GRID, 0.7) for line in camera.flat(floor.lines)]


def space_marks(parts: Sketch, moment: Moment) -> list[PaintedMark]:
    """Everything in space at one moment: shadows, then rods, bodies, springs … from the back to the front."""
    found = [
        *_rods(parts, moment),
        *_dots(parts, moment),
        *_others(parts, moment),
        *_surfaces(parts, moment),
        *_pivots(parts, moment),
    ]
    for shape, patches in parts.patches(moment):
        offset = moment.depth([shape.centre]) if shape.kind == "solid" else None
        for n, patch in enumerate(patches):
            mark = patch_mark(patch)
            # Faces of one solid stay together: no other body comes between its front and its back.
            depth = mark.depth if offset is None else offset + 1e-6 * n * parts.unit
            found.append(PaintedMark(mark.line, mark.colour, mark.width, mark.fill, 0.0, depth))
    found = [mark for mark in found if np.isfinite(mark.line).all() and np.isfinite(mark.depth)]
    low = min((mark.depth for mark in found), default=0.0)
    high = max((mark.depth for mark in found), default=0.0)
    room = max(high - low, 0.3 * max(parts.view.width, parts.view.height))
    found.sort(key=lambda mark: mark.depth)
    return [*_shadows(parts, moment), *(_in_fog(mark, FOG * (high - mark.depth) / room) for mark in found)]


def _rods(parts: Sketch, moment: Moment) -> Iterator[PaintedMark]:
    """In pieces, so that two that cross pass each other; the last one is as far away as what it ends at, which covers it."""
    pieces = PIECES if len(parts.rods) <= MANY_RODS else 2
    cuts = np.linspace(0.0, 1.0, pieces + 1)
    for rod in parts.rods_at(moment):
        ends = np.array([moment.in_space(end) for end in rod.points])
        depths = parts.camera.depth(ends)
        places = parts.camera.flat(ends[0] + np.outer(cuts, ends[1] - ends[0]))
        for n, s in enumerate(np.linspace(0.0, 1.0, pieces)):
            yield PaintedMark(places[n : n + 2], ROD, ROD_WIDTH, depth=float(depths[0] + s * (depths[1] - depths[0])))


def _dots(parts: Sketch, moment: Moment) -> Iterator[PaintedMark]:
    depths = parts.camera.depth(moment.space)
    inside = {name for shape in parts.shapes if shape.kind == "ball" for name in shape.names}
    thin = {name: shape.centre for shape in parts.shapes if shape.kind in THIN for name in shape.names}
    for i, name, radius, true in zip(parts.bodies, parts.names, parts.radius, parts.disks, strict=True):
        if name in inside:
            continue
        if true:
            yield PaintedMark(moment.state[i] + true * RING, BODY, 0.8, BALL, depth=float(depths[i]))
            continue
        nearer = float(max(depths[i], depths[thin.get(name, i)])) + 0.6 * parts.unit
        if i in parts.pins:
            yield PaintedMark(moment.state[i : i + 1], FIXED, 1.0, WHITE, 0.32 * parts.crowding, nearer)
        else:
            yield PaintedMark(moment.state[i : i + 1], WHITE, 0.6, BODY, radius * parts.crowding, nearer)


def _others(parts: Sketch, moment: Moment) -> Iterator[PaintedMark]:
    for part, travel in zip(parts.others, parts.travel, strict=True):
        if not is_there(part, parts.spans, moment.time):
            continue
        own = [point for point in part.points if not _is_direction(parts, point)] or part.points
        for stroke in parts.stroke(part, travel, moment):
            fill = {"": None, "paper": WHITE, "ink": FIXED}[stroke.fill]
            nearer = 0.0 if stroke.layer == AMONG_RODS else 0.7 * parts.unit * (stroke.layer - AMONG_RODS)
            for line, depth in _cut(stroke, part.kind, moment, own):
                yield PaintedMark(line, FIXED, stroke.width, fill, depth=depth + nearer)


def _cut(stroke: Stroke, kind: str, moment: Moment, points: Sequence[PartPoint]) -> Iterator[tuple[Floats, float]]:
    """The line of a spring, piece by piece from one end to the other; of all else as a whole."""
    if kind not in BETWEEN or stroke.fill or len(points) != 2:
        yield stroke.line, moment.depth(points)
        return
    a, b = (np.array(moment.place(point)) for point in points)
    depths = [moment.depth([point]) for point in points]
    along = (b - a) / max(float((b - a) @ (b - a)), 1e-300)
    for piece in zip(stroke.line[:-1], stroke.line[1:], strict=True):
        s = float((np.mean(piece, axis=0) - a) @ along)
        s = 0.0 if s < 0.15 else 1.0 if s > 0.85 else s  # what it ends at covers its ends
        yield np.array(piece), depths[0] + s * (depths[1] - depths[0])


def _surfaces(parts: Sketch, moment: Moment) -> Iterator[PaintedMark]:
    """Where bodies slide in space: a sphere as its outline and three great circles, a plane as a tile under the body."""
    for part in parts.others:
        if part.kind == "sphere":
            yield from _globe(parts.camera, moment.in_space(part.points[1]), circle_radius(part, moment.places(part)))
        elif part.kind == "tile":
            tile = moment.in_space(part.points[0]) + TILE * parts.unit * square_across(np.array(part.numbers[:3]))
            depth = moment.depth(part.points) - 0.1 * parts.unit
            yield PaintedMark(parts.camera.flat(tile), RAIL, 1.0, (238, 242, 246), depth=depth)
        elif part.kind == "globe":
            yield from _globe(parts.camera, moment.in_space(part.points[0]), drum_radius(part, moment.told))
        elif part.kind == "pane":
            yield from _pane(parts, *(moment.in_space(point) for point in part.points))


def _globe(camera: Camera, centre: Floats, radius: float) -> Iterator[PaintedMark]:
    """Behind everything: its outline and three great circles."""
    back = float(camera.depth(centre)) - radius
    yield PaintedMark(camera.flat(centre) + radius * RING, RAIL, 0.9, depth=back)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        yield PaintedMark(camera.flat(centre + radius * (RING @ np.eye(3)[[a, b]])), RAIL, 0.5, depth=back)


def _pane(parts: Sketch, foot: Floats, off: Floats) -> Iterator[PaintedMark]:
    """A wall of space: the square of it that is nearest to the middle of the ground, behind everything."""
    assert parts.floor is not None
    middle, normal = parts.floor.corners.mean(axis=0), off - foot
    middle = middle - ((middle - foot) @ normal) * normal
    half = 0.5 * float(np.ptp(parts.floor.corners, axis=0).max())
    square = middle + half * square_across(normal)
    depth = float(parts.camera.depth(square).min()) - half
    yield PaintedMark(parts.camera.flat(square), RAIL, 1.0, (246, 248, 250), depth=depth)


def square_across(normal: Floats) -> Floats:
    """(5, 3): a closed square of side 2 in the plane of a normal."""
    normal = normal / np.linalg.norm(normal)
    first = np.eye(3)[int(np.argmin(np.abs(normal)))]
    first = first - (first @ normal) * normal
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    return np.array([a * first + b * second for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1), (1, 1))])


def _is_direction(parts: Sketch, point: object) -> bool:
    track = getattr(point, "track", None)
    return track is not None and parts.tracks[track].kind != "place"


def _pivots(parts: Sketch, moment: Moment) -> Iterator[PaintedMark]:
    """A bearing of space: a pyramid below the point, on which there is a ball."""
    unit, camera = parts.unit, parts.camera
    for pivot in parts.pivots:
        top = moment.in_space(pivot)
        base = [top + unit * np.array([1.5 * x, -2.8, 1.5 * z]) for x, z in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        for a, b in zip(base, [*base[1:], base[0]], strict=True):
            out = np.cross(top - a, b - a)
            turned = camera.axes @ (out / np.linalg.norm(out))
            if turned[2] > 0:
                face = np.array([top, a, b, top])
                fill = _mix((170, 176, 184), (244, 246, 248), 0.5 + 0.5 * float(turned[0] < 0))
                yield PaintedMark(camera.flat(face), FIXED, 0.7, fill, depth=float(camera.depth(top)) - 3.0 * unit)
        yield PaintedMark(camera.flat(top)[None], FIXED, 1.0, WHITE, 0.36, float(camera.depth(top)) + 0.7 * unit)


def _shadows(parts: Sketch, moment: Moment) -> Iterator[PaintedMark]:
    """Straight below, on the floor; none where one looks from below."""
    if parts.floor is None or parts.camera.elevation <= 2.0 or not moment.is_finite:
        return
    flat, floor = parts.camera.flat, parts.floor
    for rod in parts.rods_at(moment):
        line = flat(floor.shadow(np.array([moment.in_space(end) for end in rod.points])))
        yield PaintedMark(line, SHADOW, ROD_WIDTH)
    turn = np.linspace(0, 2 * np.pi, 25)
    ring = np.stack([np.cos(turn), 0 * turn, np.sin(turn)], axis=-1)
    for i, radius, true in zip(parts.bodies, parts.radius, parts.disks, strict=True):
        if i not in parts.pins:
            size = true or 0.9 * parts.unit * radius
            yield PaintedMark(flat(floor.shadow(moment.space[i]) + size * ring), SHADOW, 0.0, SHADOW)
    for shape in parts.shapes:
        for outline in shadow(shape, moment.space, parts.unit):
            hollow = shape.kind in ("hoop", "cross", "rod")
            line = flat(floor.shadow(outline))
            yield PaintedMark(line, SHADOW, 2 * ROD_WIDTH if hollow else 0.5, None if hollow else SHADOW)


def triad(camera: Camera) -> list[tuple[str, PaintedMark]]:
    """The directions of the axes from the origin, with their names, the nearest last."""
    arms = zip(AXES, camera.flat(np.eye(3)), camera.depth(np.eye(3)), strict=True)
    found = [
        (name, PaintedMark(np.array([(0.0, 0.0), end]), c, 1.3, depth=float(depth))) for (name, c), end, depth in arms
    ]
    return sorted(found, key=lambda arm: arm[1].depth)


def patch_mark(patch: Patch) -> PaintedMark:
    fill = None if patch.light is None else ROD if patch.ink else _mix(DARK, BRIGHT, patch.light)
    return PaintedMark(patch.line, ROD, patch.edge, fill, depth=patch.depth)


def _in_fog(mark: PaintedMark, fog: float) -> PaintedMark:
    fog = float(np.clip(fog, 0.0, FOG))
    fill = None if mark.fill is None else _mix(mark.fill, WHITE, fog)
    return PaintedMark(mark.line, _mix(mark.colour, WHITE, fog), mark.width, fill, mark.dot, mark.depth)


def _mix(old: Colour, new: Colour, weight: float) -> Colour:
    r, g, b = (round((1 - weight) * a + weight * c) for a, c in zip(old, new, strict=True))
    return r, g, b
