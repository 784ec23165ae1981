"""The shapes of rigid bodies in coordinates of the body: what never changes while it moves.

Faces and circles are found here once, so that all that draws (`solids.py`, `web/bodies.js`) only has to turn them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from chainlist.model.rigidbody import RigidBody

Floats = NDArray[np.float64]
Vector = tuple[float, ...]

ROUND = ("disk", "hoop", "ball", "shell")
FLAT = 1e-6  # of the size of a body: thinner than that it has no inside


@dataclass(frozen=True)
class Shape:
    """`centre` and `axes` are indices of bodies; an axis is 0, 1 or 2 for u, v or w. All vectors are in body coordinates.

    kind   rod, polygon, disk, hoop, ball, shell, solid; "plate" is a flat body with rounded corners, "cross" one without extent
    """

    kind: str
    name: str
    centre: int
    axes: tuple[tuple[int, int], ...]  # (axis, index of its vector)
    points: tuple[Vector, ...] = ()  # of a round one: none, or its middle and the points it holds elsewhere
    faces: tuple[tuple[int, ...], ...] = ()  # of a solid, counter-clockwise from outside; of others the outline
    circles: tuple[tuple[Vector, Vector], ...] = ()  # two directions across one another for each
    radius: float = 0.0
    marked: bool = False  # its centre of mass is shown
    names: tuple[str, ...] = ()  # of the points that it holds

    @property
    def reach(self) -> float:
        """How far a round one comes from its centre of mass."""
        return self.radius + (math.hypot(*self.points[0]) if self.circles and self.points else 0.0)


def shape_of(body: RigidBody, index: Mapping[str, int], dimension: int) -> Shape:
    """The shape of a rigid body of the model."""
    axes = tuple(("uvw".index(name[-1]), index[name]) for name in body.axes)
    names = tuple(end for end in body.points if isinstance(end, str))
    plain = Shape(body.shape, body.name, index[body.centre], axes, names=names)
    points = tuple(_padded(point, dimension) for point in body.outline)
    if body.shape in ROUND:
        return replace(
            plain, points=_spokes(body, points, dimension), circles=_circles(body, dimension), radius=float(body.radius)
        )
    if body.shape == "rod":
        return replace(plain, points=tuple(points[i] for i in sorted(_farthest(np.array(points)))))
    if body.shape == "polygon":
        return replace(plain, points=points, faces=(tuple(range(len(points))),))
    return _general(body, plain, points, dimension)


def _spokes(body: RigidBody, points: tuple[Vector, ...], dimension: int) -> tuple[Vector, ...]:
    middle = _padded(body.middle, dimension)
    found = (middle, *(point for point in points if point != middle))
    return found if any(any(point) for point in found) else ()


def _general(body: RigidBody, plain: Shape, points: tuple[Vector, ...], dimension: int) -> Shape:
    """The hull of the points; where a body holds few of them, its centre of mass is a corner too."""
    plain = replace(plain, marked=body.shape == "body")
    origin = (0.0,) * dimension
    corners = points if len(points) > dimension else (*points, origin)
    extent = _extent(np.array(corners))
    if extent == 0:
        arms = tuple(body.lengths) or (1.0,)
        return replace(plain, kind="cross", points=tuple(_arm(i, a, dimension) for i, a in enumerate(arms)))
    if extent == 1:
        ends = _farthest(np.array(corners))
        return replace(plain, kind="rod", points=tuple(corners[i] for i in ends))
    if extent == 2:
        return replace(plain, kind="plate", points=corners, faces=(_flat_hull(np.array(corners)),))
    return replace(plain, kind="solid", points=corners, faces=_hull(np.array(corners)))


def _padded(vector: Sequence[float], dimension: int) -> Vector:
    """A rod knows one direction and a plate two: along the others it has no extent."""
    return (*(float(x) for x in vector), *(0.0,) * (dimension - len(vector)))


def _arm(axis: int, length: float, dimension: int) -> Vector:
    return tuple(length if i == axis else 0.0 for i in range(dimension))


def _circles(body: RigidBody, dimension: int) -> tuple[tuple[Vector, Vector], ...]:
    """Of a disk or a hoop its rim; of a ball two great circles, so that one sees it turn."""
    if dimension == 2:
        return (((1.0, 0.0), (0.0, 1.0)),)
    if body.shape in ("ball", "shell"):
        x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
        return (x, y), (y, z)
    normal = np.array(_padded(body.normal, 3))
    if len(body.normal) < 3:  # a plate knows the axes along it; what is left of the unit normal is across these
        normal[2] = max(0.0, 1.0 - float(normal @ normal)) ** 0.5
    normal /= np.linalg.norm(normal)
    first = np.eye(3)[int(np.argmin(np.abs(normal)))]
    first = first - (first @ normal) * normal
    first /= np.linalg.norm(first)
    return ((_vector(first), _vector(np.cross(normal, first))),)


def _vector(values: Floats) -> Vector:
    return tuple(float(x) for x in values)


def _extent(corners: Floats) -> int:
    """0 for one place, 1 for a line, 2 for a plane, 3 for a body with an inside."""
    sizes = np.linalg.svd(corners - corners.mean(axis=0), compute_uv=False)
    size = sizes.max(initial=0.0)
    return int((sizes > FLAT * size).sum()) if size > 0 else 0


def _farthest(corners: Floats) -> tuple[int, int]:
    along = corners - corners.mean(axis=0)
    order = np.argsort(along @ np.linalg.svd(along)[2][0])
    return int(order[0]), int(order[-1])


def _flat_hull(corners: Floats) -> tuple[int, ...]:
    """The corners of the hull of points in one plane, in order."""
    from scipy.spatial import ConvexHull

    around = corners - corners.mean(axis=0)
    flat = around if corners.shape[1] == 2 else around @ np.linalg.svd(around)[2][:2].T
    return tuple(int(i) for i in ConvexHull(flat).vertices)


def _hull(corners: Floats) -> tuple[tuple[int, ...], ...]:
    """The faces of the hull, triangles of one plane joined."""
    from scipy.spatial import ConvexHull

    hull = ConvexHull(corners)
    planes: dict[tuple[float, ...], set[int]] = {}
    for triangle, equation in zip(hull.simplices, hull.equations, strict=True):
        key = tuple(float(x) for x in np.round(equation[:3], 6) + 0.0)
        planes.setdefault(key, set()).update(int(i) for i in triangle)
    return tuple(_around(corners, sorted(face), np.array(normal)) for normal, face in planes.items())


def _around(corners: Floats, face: list[int], normal: Floats) -> tuple[int, ...]:
    """The corners of a face counter-clockwise, seen against its normal."""
    out = corners[face] - corners[face].mean(axis=0)
    first = out[0] / np.linalg.norm(out[0])
    angles = np.arctan2(out @ np.cross(normal, first), out @ first)
    return tuple(face[i] for i in np.argsort(angles))
