"""Rigid bodies at one moment, as patches of the picture: filled outlines and lines, each with its depth.

`web/bodies.js` makes the same patches. Lengths called `unit` are about the radius of a body, see `strokes.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from chainlist.output.camera import Camera
from chainlist.output.shapes import Shape

Floats = NDArray[np.float64]

LIGHT = np.array([-0.45, 0.75, 0.55]) / np.linalg.norm(
    [-0.45, 0.75, 0.55]
)  # comes from the upper left, over the shoulder
IN_PLANE = 0.72  # how bright bodies of the plane are
ROD, HUB, RING = 0.95, 0.55, 1.5  # radius of a rod, of a hub, and breadth of a ring, in units
ARCS = 24  # pieces of a ring in space, each with its own depth
_CIRCLE = np.linspace(0.0, 2 * np.pi, 73)


@dataclass(frozen=True, eq=False)
class Patch:
    """A line through (n, 2) [m], its inside as bright as `light` (0 to 1; None: not filled), its edge of a width or 0."""

    line: Floats
    depth: float
    light: float | None = None
    edge: float = 1.0
    ink: bool = False  # filled with the colour of lines


def frame(shape: Shape, state: Floats) -> tuple[Floats, Floats]:
    """The centre of a rigid body, and its unit axes as rows, when bodies are at `state` (bodies, dim)."""
    known = {axis: state[i] / (np.linalg.norm(state[i]) or 1.0) for axis, i in shape.axes}
    if state.shape[1] == 2:
        u = known[0]
        return state[shape.centre], np.array([u, (-u[1], u[0])])
    if len(known) == 1:  # all directions across are alike
        ((axis, along),) = known.items()
        other = np.eye(3)[int(np.argmin(np.abs(along)))]
        across = other - (other @ along) * along
        known[(axis + 1) % 3] = across / np.linalg.norm(across)
    for axis in range(3):
        if axis not in known:
            known[axis] = np.cross(known[(axis + 1) % 3], known[(axis + 2) % 3])
    return state[shape.centre], np.array([known[0], known[1], known[2]])


def patches(shape: Shape, state: Floats, camera: Camera, unit: float) -> list[Patch]:
    """What is seen of a rigid body, from the back to the front."""
    if not np.isfinite(state[[shape.centre, *(i for _, i in shape.axes)]]).all():
        return []
    body = _placed(shape, state, camera, unit)
    found = sorted([*_spokes(body), *_SHAPES[shape.kind](body)], key=lambda patch: patch.depth)
    if shape.marked:
        found += _mass_centre(body, max([patch.depth for patch in found], default=0.0))
    return found


def shadow(shape: Shape, state: Floats, unit: float) -> list[Floats]:
    """Outlines (n, 3) of the parts of a body in space, whose shadows together are its shadow."""
    body = _placed(shape, state, Camera(), unit)
    if shape.kind in ("ball", "shell"):
        across = np.stack([np.cos(_CIRCLE), 0 * _CIRCLE, np.sin(_CIRCLE)], axis=-1)
        return [body.centre + shape.radius * across]
    if shape.kind in ("disk", "hoop"):
        return [body.circle(*shape.circles[0], shape.radius)]
    if shape.faces:
        return [body.points[[*face, face[0]]] for face in shape.faces]
    return [body.points]


@dataclass(frozen=True, eq=False)
class _Placed:
    shape: Shape
    centre: Floats
    axes: Floats
    camera: Camera
    unit: float

    def at(self, inside: Floats) -> Floats:
        """Points of the body in the world."""
        return self.centre + inside @ self.axes

    @property
    def points(self) -> Floats:
        return self.at(np.array(self.shape.points))

    @property
    def in_space(self) -> bool:
        return len(self.centre) == 3

    def circle(self, first: tuple[float, ...], second: tuple[float, ...], radius: float) -> Floats:
        around = np.outer(np.cos(_CIRCLE), first) + np.outer(np.sin(_CIRCLE), second)
        return self.at(radius * around)

    def patch(self, points: Floats, light: float | None = None, edge: float = 1.0, nearer: float = 0.0) -> Patch:
        corners = points[:-1] if np.array_equal(points[0], points[-1]) else points  # a closed line names one twice
        depth = float(self.camera.depth(corners).mean()) + nearer * self.unit
        return Patch(self.camera.flat(points), depth, light, edge)

    def face_light(self, normal: Floats, *, both_sides: bool) -> float:
        """How bright a face is; of a thin plate both sides are lit."""
        turned = self.camera.axes @ normal
        if both_sides and turned[2] < 0:
            turned = -turned
        return float(0.3 + 0.7 * max(0.0, turned @ LIGHT))


def _placed(shape: Shape, state: Floats, camera: Camera, unit: float) -> _Placed:
    """A round body is drawn about its middle, wherever heavy points have put its centre of mass."""
    body = _Placed(shape, *frame(shape, state), camera, unit)
    if not shape.circles or not shape.points:
        return body
    middle = np.array(shape.points[0])
    points = tuple(tuple(float(x) for x in point) for point in np.array(shape.points) - middle)
    return replace(body, shape=replace(shape, points=points), centre=body.at(middle))


def _spokes(body: _Placed) -> Iterator[Patch]:
    """From the middle of a round body to the points that it holds elsewhere: axles, crank pins."""
    for point in body.points[1:] if body.shape.circles and body.shape.points else ():
        yield body.patch(np.array([body.centre, point]), edge=1.6, nearer=1e-5)


def _rod(body: _Placed) -> Iterator[Patch]:
    flat = body.camera.flat(body.points)
    depth = float(body.camera.depth(body.points).mean())
    yield Patch(rounded(flat, ROD * body.unit), depth, IN_PLANE)


def _polygon(body: _Placed) -> Iterator[Patch]:
    outline = body.points[[*body.shape.faces[0], body.shape.faces[0][0]]]
    yield body.patch(outline, _plate_light(body, outline))


def _plate(body: _Placed) -> Iterator[Patch]:
    if body.in_space:
        yield from _polygon(body)
    else:
        yield Patch(rounded(body.points[list(body.shape.faces[0])], 1.3 * body.unit), 0.0, IN_PLANE)


def _plate_light(body: _Placed, outline: Floats) -> float:
    if not body.in_space:
        return IN_PLANE
    return body.face_light(_normal(outline), both_sides=True)


def _disk(body: _Placed) -> Iterator[Patch]:
    first, second = body.shape.circles[0]
    rim = body.circle(first, second, body.shape.radius)
    disk = Patch(body.camera.flat(rim), float(body.camera.depth(body.centre)), _plate_light(body, rim))
    yield disk
    hub = min(HUB * body.unit, 0.2 * body.shape.radius)
    for angle, width in ((0.0, 1.6), (120.0, 0.7), (240.0, 0.7)):  # one spoke stands out, so that a turn is seen
        out = np.outer([hub, body.shape.radius], _direction(first, second, angle))
        yield Patch(body.camera.flat(body.at(out)), disk.depth + 1e-6 * body.unit, edge=width)


def _hoop(body: _Placed) -> Iterator[Patch]:
    (first, second), radius = body.shape.circles[0], body.shape.radius
    inner = max(radius - RING * body.unit, 0.7 * radius)
    outer_rim, inner_rim = (body.circle(first, second, r) for r in (radius, inner))
    light = _plate_light(body, outer_rim)
    count = (len(_CIRCLE) - 1) // ARCS
    for k in range(0, len(_CIRCLE) - 1, count):
        piece = slice(k, k + count + 1)
        ring = np.concatenate([outer_rim[piece], inner_rim[piece][::-1]])
        yield body.patch(ring, light, edge=0.0)
        for rim in (outer_rim, inner_rim):
            yield body.patch(rim[piece], nearer=0.5)
    for angle, width in ((0.0, 2.2), (120.0, 0.7), (240.0, 0.7)):
        mark = np.outer([inner, radius], _direction(first, second, angle))
        yield body.patch(body.at(mark), edge=width, nearer=0.6)


def _ball(body: _Placed) -> Iterator[Patch]:
    """A disk of light, and great circles where they are on the near side."""
    depth, center = float(body.camera.depth(body.centre)), body.camera.flat(body.centre)
    radius, hollow = body.shape.radius, body.shape.kind == "shell"
    ring = np.stack([np.cos(_CIRCLE), np.sin(_CIRCLE)], axis=-1)
    if hollow:
        yield Patch(center + radius * ring, depth, 0.95)
    else:
        for size, light in ((1.0, 0.5), (0.84, 0.62), (0.64, 0.74), (0.4, 0.86)):
            aside = (1.0 - size) * 0.8 * radius * LIGHT[:2]
            edge = 1.0 if size == 1.0 else 0.0
            yield Patch(center + aside + size * radius * ring, depth + 1e-6 * (1 - size) * radius, light, edge)
    for first, second in body.shape.circles:
        circle = body.circle(first, second, radius)
        near = body.camera.depth(circle) >= depth
        for start, stop in _stretches(near):
            yield Patch(body.camera.flat(circle[start:stop]), depth + 2e-6 * radius, edge=1.1)
        for start, stop in _stretches(~near) if hollow else ():
            yield Patch(body.camera.flat(circle[start:stop]), depth + 1e-6 * radius, edge=0.4)


def _solid(body: _Placed) -> Iterator[Patch]:
    points = body.points
    middle = points.mean(axis=0)
    for face in body.shape.faces:
        outline = points[[*face, face[0]]]
        normal = _normal(outline)
        if normal @ (outline[0] - middle) < 0:  # the axes of a body may be left-handed
            normal = -normal
        if normal @ body.camera.axes[2] > 0:
            yield body.patch(outline, body.face_light(normal, both_sides=False))


def _cross(body: _Placed) -> Iterator[Patch]:
    for arm in np.array(body.shape.points):
        yield body.patch(body.at(np.array([-arm, arm])), edge=1.5)


_SHAPES = {
    "rod": _rod,
    "polygon": _polygon,
    "plate": _plate,
    "disk": _disk,
    "hoop": _hoop,
    "ball": _ball,
    "shell": _ball,
    "solid": _solid,
    "cross": _cross,
}


def _mass_centre(body: _Placed, nearest: float) -> Iterator[Patch]:
    """The sign of a centre of mass: a circle with two dark quarters."""
    center, radius = body.camera.flat(body.centre), 0.95 * body.unit
    depth = nearest + 0.05 * body.unit
    ring = radius * np.stack([np.cos(_CIRCLE), np.sin(_CIRCLE)], axis=-1)
    yield Patch(center + ring, depth, 1.0)
    quarter = (len(_CIRCLE) - 1) // 4
    for k in (0, 2 * quarter):
        wedge = np.concatenate([[(0.0, 0.0)], ring[k : k + quarter + 1], [(0.0, 0.0)]])
        yield Patch(center + wedge, depth, 1.0, 0.5, ink=True)


def rounded(corners: Floats, radius: float) -> Floats:
    """The outline of all that is within a radius of the hull of points in the plane; closed."""
    from scipy.spatial import ConvexHull, QhullError

    turn = np.linspace(0.0, 2 * np.pi, 36, endpoint=False)
    ring = radius * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    cloud = (corners[:, None] + ring).reshape(-1, 2)
    try:
        outline = cloud[ConvexHull(cloud).vertices]
    except QhullError:  # so small beside its place that rounding has made it a point
        outline = cloud
    return np.concatenate([outline, outline[:1]])


def _direction(first: tuple[float, ...], second: tuple[float, ...], degrees: float) -> Floats:
    angle = np.radians(degrees)
    return np.asarray(np.cos(angle) * np.array(first) + np.sin(angle) * np.array(second))


def _normal(outline: Floats) -> Floats:
    """The unit normal of a closed outline in space, by Newell's sum, which needs no convex corner."""
    here, there = outline[:-1], outline[1:]
    total = np.cross(here - outline[0], there - outline[0]).sum(axis=0)
    return np.asarray(total / (np.linalg.norm(total) or 1.0))


def _stretches(flags: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Where a row of flags is true: (from, to) of each stretch of at least two."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    for start, stop in edges.reshape(-1, 2):
        if stop - start > 1:
            yield int(start), int(stop)
