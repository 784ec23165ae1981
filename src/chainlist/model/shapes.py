"""Inertia of uniform bodies: rods, plates, disks, hoops; in space balls, shells and convex solids.

Everything with corners is cut into simplices. One of mass m with the corners v₀…v_k (a segment, a triangle, a tetrahedron)
has second moments m/((k+1)(k+2)) Σ (v − c)(v − c)ᵀ about its centre c. Simplices that stick out of the body count negative.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from chainlist.model.inertia import OFF, Inertia, Place, Tensor, Vector, dot, minus, refuse_negative, spread

_FLAT = 1e-12  # of the square of the size: less area than this is none


def rod(mass: float, p: Place, q: Place) -> Inertia:
    """A thin rod between two points: m l²/12."""
    if tuple(p) == tuple(q):
        raise ValueError("a rod needs two points in different places: move one of them")
    return _summed(mass, p, [(1.0, [p, q])])


def ends_on_a_line(places: Sequence[Place]) -> tuple[Place, Place]:
    """The outermost two of places on a line, in their order."""
    start = max(places, key=lambda place: math.dist(place, places[0]))
    stop = max(places, key=lambda place: math.dist(place, start))
    first, last = sorted((places.index(start), places.index(stop)))
    return places[first], places[last]


def off_the_line(place: Place, start: Place, stop: Place) -> float:
    """How far a place is from the line through two others, of which it may be one."""
    along, away = minus(stop, start), minus(place, start)
    if not any(along):
        return math.hypot(*away)
    part = dot(away, along) / dot(along, along)
    return math.hypot(*(d - part * a for d, a in zip(away, along, strict=True)))


def uniform(mass: float, corners: Sequence[Place]) -> Inertia:
    """A uniform body with these corners: a rod of two, a plate of three or more in a plane, else a convex solid."""
    if len(corners) < 2:
        raise ValueError("a uniform body needs two corners at least, or a RADIUS")
    if len(corners) == 2:
        return rod(mass, *corners)
    if len(corners[0]) == 2 or _normal(corners) is not None:
        return plate(mass, corners)
    return solid(mass, corners)


def plate(mass: float, corners: Sequence[Place]) -> Inertia:
    """A thin plate with this outline, a simple polygon in either sense; in space its corners lie in one plane."""
    outline = corners if len(corners[0]) == 2 else _in_plane(corners)
    _check_outline(outline)
    first = outline[0]
    fan = [
        (_cross(minus(outline[i], first), minus(outline[i + 1], first)), [corners[0], corners[i], corners[i + 1]])
        for i in range(1, len(outline) - 1)
    ]
    return _summed(mass, corners[0], fan)


def disk(mass: float, centre: Place, radius: float, axis: Place | None = None) -> Inertia:
    """A thin uniform disk, m r²/2 about its axis; in space the axis may have any length."""
    return _round(mass, centre, radius, 0.25, axis)


def hoop(mass: float, centre: Place, radius: float, axis: Place | None = None) -> Inertia:
    """A thin ring, m r² about its axis."""
    return _round(mass, centre, radius, 0.5, axis)


def ball(mass: float, centre: Place, radius: float) -> Inertia:
    """A solid ball: 2/5 m r²."""
    return _round(mass, centre, radius, 1 / 5)


def shell(mass: float, centre: Place, radius: float) -> Inertia:
    """A thin hollow ball: 2/3 m r²."""
    return _round(mass, centre, radius, 1 / 3)


def solid(mass: float, corners: Sequence[Place]) -> Inertia:
    """The convex solid spanned by its corners, in space; corners inside it change nothing."""
    middle = tuple(math.fsum(c[i] for c in corners) / len(corners) for i in range(3))
    pieces = []
    for face in _faces(corners):
        a, b, c = (minus(corners[i], middle) for i in face)
        pieces.append((abs(dot(a, _cross3(b, c))), [middle, *(corners[i] for i in face)]))
    return _summed(mass, middle, pieces)


def _round(mass: float, centre: Place, radius: float, share: float, axis: Place | None = None) -> Inertia:
    """`share` m r² along every direction across the axis; without axis along all."""
    refuse_negative(mass)
    if not (radius > 0 and math.isfinite(radius)):
        raise ValueError(f"a radius is positive: {radius:g}")
    moment, place = share * mass * radius * radius, tuple(float(value) for value in centre)
    if len(place) == 2:
        return Inertia(float(mass), place, 2 * moment)
    n = (0.0, 0.0, 0.0) if axis is None else unit(axis)
    tensor: Tensor = tuple(tuple(moment * ((1.0 if i == j else 0.0) - n[i] * n[j]) for j in range(3)) for i in range(3))
    return Inertia(float(mass), place, tensor)


def unit(axis: Place) -> Vector:
    """The direction of an axis."""
    length = math.hypot(*axis)
    if not (length > 0 and math.isfinite(length)):
        raise ValueError("an axis needs a direction: (0,0,0) has none")
    return tuple(value / length for value in axis)


def _summed(mass: float, origin: Place, simplices: Sequence[tuple[float, Sequence[Place]]]) -> Inertia:
    """Simplices with their contents, which may be negative, as one uniform body; `origin` is near them."""
    refuse_negative(mass)
    dimension = len(origin)
    content = math.fsum(size for size, _ in simplices)
    pieces = []
    for size, corners in simplices:
        near = [minus(corner, origin) for corner in corners]
        middle = tuple(math.fsum(d[i] for d in near) / len(near) for i in range(dimension))
        pieces.append((mass * size / content, middle, near))
    total = math.fsum(m for m, _, _ in pieces) or 1.0
    shift = tuple(math.fsum(m * c[i] for m, c, _ in pieces) / total for i in range(dimension))
    parts = [(m, minus(c, shift)) for m, c, _ in pieces]
    for m, c, near in pieces:
        count = len(near)
        parts += [(m / (count * (count + 1)), minus(d, c)) for d in near]
    centre = tuple(float(a) + b for a, b in zip(origin, shift, strict=True))
    return Inertia(float(mass), centre, spread(parts, dimension))


def _cross(p: Place, q: Place) -> float:
    return p[0] * q[1] - p[1] * q[0]


def _cross3(p: Place, q: Place) -> Vector:
    return (p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0])


def _normal(corners: Sequence[Place]) -> Vector | None:
    """The normal of the plane that all corners lie in; None if there is no such plane. ValueError if they make a line."""
    away = [minus(c, corners[0]) for c in corners[1:]]
    longest = max(away, key=lambda d: dot(d, d))
    size = math.sqrt(dot(longest, longest))
    normal = max((_cross3(longest, d) for d in away), key=lambda n: dot(n, n))
    length = math.sqrt(dot(normal, normal))
    if length <= OFF * size * size:
        raise ValueError("the corners stand on one line: leave UNIFORM out for a rod that holds them")
    normal = tuple(value / length for value in normal)
    return normal if all(abs(dot(normal, d)) <= OFF * size for d in away) else None


def _in_plane(corners: Sequence[Place]) -> list[Vector]:
    """Coordinates of the corners in their own plane."""
    normal = _normal(corners)
    if normal is None:
        raise ValueError("the corners of a plate lie in one plane")
    first = unit(_cross3(normal, tuple(float(i == normal.index(min(normal, key=abs))) for i in range(3))))
    second = _cross3(normal, first)
    return [(dot(d, first), dot(d, second)) for d in (minus(c, corners[0]) for c in corners)]


def _check_outline(outline: Sequence[Place]) -> None:
    count = len(outline)
    if count < 3:
        raise ValueError("a plate needs three corners at least")
    away = [minus(p, outline[0]) for p in outline]
    longest = max(away, key=lambda d: math.hypot(*d))
    if max(abs(_cross(longest, d)) for d in away) <= _FLAT * dot(longest, longest):
        raise ValueError(
            "the outline has no area: its corners stand on one line. Leave UNIFORM out for a rod that holds them"
        )
    _refuse_twins(outline)
    edges = [(outline[i], outline[(i + 1) % count]) for i in range(count)]
    for i in range(count):
        for j in range(i + 1, count):
            if _meet(edges[i], edges[j], beside=j == i + 1 or (i == 0 and j == count - 1)):
                raise ValueError(
                    f"the outline crosses or touches itself: its side {i + 1} meets its side {j + 1}. "
                    "Name the corners in their order around the plate"
                )


def _refuse_twins(outline: Sequence[Place]) -> None:
    seen: dict[Vector, int] = {}
    for i, corner in enumerate(outline):
        if seen.setdefault(tuple(corner), i) != i:
            raise ValueError(f"corners {seen[tuple(corner)] + 1} and {i + 1} of the outline stand in one place")


Edge = tuple[Place, Place]


def _meet(one: Edge, other: Edge, beside: bool) -> bool:
    """Whether two sides have a point in common, apart from the corner that neighbours share."""
    (a, b), (c, d) = one, other
    if any(max(a[i], b[i]) < min(c[i], d[i]) or max(c[i], d[i]) < min(a[i], b[i]) for i in (0, 1)):
        return False
    if beside:
        shared, p, q = (b, a, d) if tuple(b) == tuple(c) else (a, b, c)
        back, on = minus(p, shared), minus(q, shared)
        straight = abs(_cross(back, on)) <= _FLAT * math.hypot(*back) * math.hypot(*on)
        return straight and dot(back, on) >= 0
    return _sides(a, b, c, d) <= 0 and _sides(c, d, a, b) <= 0


def _sides(a: Place, b: Place, c: Place, d: Place) -> float:
    """Negative if c and d lie on two sides of the line through a and b, 0 if one is on it."""
    along = minus(b, a)
    first, second = _cross(along, minus(c, a)), _cross(along, minus(d, a))
    return math.copysign(1.0, first) * math.copysign(1.0, second) if first and second else 0.0


def _faces(corners: Sequence[Place]) -> list[tuple[int, int, int]]:
    """Triangles that make up the surface of the convex hull."""
    if len(corners) < 4 or _normal(corners) is not None:
        raise ValueError("a solid needs four corners at least, not all in one plane")
    if len(corners) == 4:
        return [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    from scipy.spatial import ConvexHull

    return [(int(i), int(j), int(k)) for i, j, k in ConvexHull(list(corners)).simplices]
