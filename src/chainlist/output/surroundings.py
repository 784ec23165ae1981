"""Walls and ropes as lines: a wall is hatched where no body may be, a slack rope sags with its true length.

`web/surroundings.js` draws the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from chainlist.output.camera import Camera, View
from chainlist.output.drawing import DrawnPart
from chainlist.output.strokes import ABOVE, GROUND, Stroke

Floats = NDArray[np.float64]

HATCH = 2.2  # units from one stroke of a hatching to the next
TICK = 7.0  # and from one tick of a belt to the next
MOST_STROKES = 400  # of one wall
SLACK = 1e-6  # of its length: a rope that is shorter than its way by less is taut
SAG_POINTS = 25
_TURN = 2 * np.pi


def wall_strokes(part: DrawnPart, points: Floats, unit: float, view: View, time: float) -> Iterator[Stroke]:
    if not np.isfinite(points).all():
        return
    if part.kind == "wall":
        yield from _straight(part, points, unit, view, time)
    else:
        yield from _drum(part, points, unit, time)


def _straight(part: DrawnPart, points: Floats, unit: float, view: View, time: float) -> Iterator[Stroke]:
    """As much of the line as the picture shows, hatched on its left."""
    start, way = points[0], points[1] - points[0]
    along = way / np.hypot(*way)
    found = _inside(start, along, view)
    if found is None:
        return
    low, high = found
    yield Stroke(np.array([start + low * along, start + high * along]), GROUND, 1.2)
    step = max(HATCH * unit, (high - low) / MOST_STROKES)
    back = step * 0.62 * (np.array([-along[1], along[0]]) - along)
    for s in step * np.arange(np.ceil(low / step), np.floor(high / step) + 1):
        yield Stroke(np.array([start + s * along, start + s * along + back]), GROUND, 0.5)
    if part.numbers[0]:
        away = 0.75 * unit * np.array([along[1], -along[0]])
        step = max(TICK * unit, (high - low) / MOST_STROKES)
        shift = part.numbers[0] * time
        for s in step * np.arange(np.ceil((low - shift) / step), np.floor((high - shift) / step) + 1) + shift:
            foot = start + s * along
            tip = foot + away + np.sign(part.numbers[0]) * 0.75 * unit * along
            yield Stroke(np.array([foot, tip]), GROUND, 1.2)


def _inside(start: Floats, along: Floats, view: View) -> tuple[float, float] | None:
    """From where to where a line is in the picture."""
    low, high = -np.inf, np.inf
    for x, d, first, last in zip(start, along, (view.left, view.bottom), (view.right, view.top), strict=True):
        if abs(d) < 1e-12:
            if not first <= x <= last:
                return None
            continue
        cuts = sorted(((first - x) / d, (last - x) / d))
        low, high = max(low, cuts[0]), min(high, cuts[1])
    return (low, high) if low < high else None


def _drum(part: DrawnPart, points: Floats, unit: float, time: float) -> Iterator[Stroke]:
    """A circle, hatched inside, or outside where bodies are inside."""
    belt, inside = part.numbers[:2]
    centre, radius = points[0], part.numbers[2] if len(part.numbers) > 2 else float(points[1, 0])
    if radius <= 0:
        return
    yield Stroke(centre + radius * _around(np.linspace(0, _TURN, 181)), GROUND, 1.2)
    count = int(np.clip(_TURN * radius / (HATCH * unit), 8, MOST_STROKES))
    depth = min(0.62 * HATCH * unit, 0.6 * radius) * (1.0 if inside else -1.0)
    for a in np.linspace(0, _TURN, count, endpoint=False):
        lines = np.array([radius * _around(a), (radius + depth) * _around(a - abs(depth) / radius)])
        yield Stroke(centre + lines, GROUND, 0.5)
    if belt:
        count = max(3, round(_TURN * radius / (TICK * unit)))
        sense = 1.0 if inside else -1.0  # along (n2, -n1) of the normal towards the bodies
        tick = 0.75 * unit * (-1.0 if inside else 1.0)
        for a in np.linspace(0, _TURN, count, endpoint=False) + sense * belt * time / radius:
            lean = a + sense * np.sign(belt) * 0.75 * unit / radius
            yield Stroke(centre + np.array([radius * _around(a), (radius + tick) * _around(lean)]), GROUND, 1.2)


def rope_strokes(part: DrawnPart, points: Sequence[Floats], camera: Camera, unit: float) -> Iterator[Stroke]:
    """From point to point of space; what it is longer than its way hangs down, on each stretch its share of it."""
    length = part.numbers[0] if part.numbers else None
    if length is None and getattr(part.points[-1], "track", None) is not None and len(points) > 2:
        length, points = float(points[-1][0]), points[:-1]
    if not all(np.isfinite(point).all() for point in points):
        return
    way = sum(float(np.linalg.norm(b - a)) for a, b in pairwise(points))
    longer = 1.0 if length is None or way <= 0 or length < way * (1 + SLACK) else length / way
    for a, b in pairwise(points):
        stretch = float(np.linalg.norm(b - a))
        own = longer * stretch if way > 0 else (length or 0.0) / (len(points) - 1)
        line = np.array([a, b]) if longer == 1.0 and way > 0 else hanging(a, b, own)
        yield Stroke(camera.flat(line), width=1.5)
    for peg, place in zip(part.points[1 : len(points) - 1], points[1:-1], strict=True):
        if not isinstance(peg, int):
            yield Stroke(camera.flat(place) + 1.1 * unit * _around(np.linspace(0, _TURN, 49)), ABOVE, fill="paper")
            yield Stroke(camera.flat(place) + 0.3 * unit * _around(np.linspace(0, _TURN, 25)), ABOVE, fill="ink")


def hanging(a: Floats, b: Floats, length: float) -> Floats:
    """(n, dim): the catenary of this length between two points; y is up. Straight below one another: down and up again."""
    across = b - a
    rise = float(across[1])
    across[1] = 0.0
    wide = float(np.linalg.norm(across))
    room = length * length - rise * rise
    if wide <= 1e-4 * length or room <= wide * wide:
        depth = max(0.5 * (length - abs(rise)), 0.0)
        low = np.array([*(0.5 * (a + b))])
        low[1] = min(a[1], b[1]) - depth
        return np.array([a, low, b])
    u = _steepness(np.sqrt(room) / wide)
    scale = wide / (2 * u)
    middle = 0.5 * wide - scale * np.arctanh(rise / length)
    s = np.linspace(0.0, wide, SAG_POINTS)
    height = scale * (np.cosh((s - middle) / scale) - np.cosh(middle / scale))
    line = a + np.outer(s / wide, across)
    line[:, 1] += height
    line[-1] = b
    return np.asarray(line)


def _steepness(ratio: float) -> float:
    """u with sinh(u)/u = ratio, by Newton's method from above, where it converges from one side."""
    u = np.sqrt(6 * (ratio - 1)) if ratio < 3 else np.log(2 * ratio) + np.log(np.log(2 * ratio))
    for _ in range(30):
        change = (np.sinh(u) - ratio * u) / (np.cosh(u) - ratio)
        u -= change
        if abs(change) < 1e-12 * u:
            break
    return float(max(u, 1e-6))


def _around(angles: Floats | float) -> Floats:
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)
