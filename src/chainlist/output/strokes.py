"""The shapes of springs, dampers, motors … as lines in the plane: one geometry for matplotlib, Pillow and SVG.

All lengths are in units of about the radius of a body, whatever the scale; `web/parts.js` draws the same shapes.
Links, fixed rails, bodies and pivots are not here: each drawer has its own way to draw them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from chainlist.output.drawing import DrawnPart

Floats = NDArray[np.float64]

GROUND, AMONG_RODS, ABOVE = range(3)  # layers
COILS = 6
BESIDE = 4.2  # from one element to the next between the same points
LONGEST_ARROW = 9.0
_CIRCLE = np.linspace(0.0, 2 * np.pi, 97)


@dataclass(frozen=True, eq=False)
class Stroke:
    """A line through points (n, 2) [m]; `fill`: its inside is covered, "paper" by the colour below, "ink" by its own."""

    line: Floats
    layer: int = AMONG_RODS
    width: float = 1.0  # of a thin line
    fill: str = ""


def strokes(part: DrawnPart, points: Floats, unit: float, travel: tuple[float, float] = (0.0, 0.0)) -> Iterator[Stroke]:
    """The lines of a part whose points are at (n, 2). `travel`: see `along_guide`, over all of the motion."""
    if not np.isfinite(points).all():
        if part.kind == "force" and np.isfinite(points[0]).all():
            yield Stroke(points[0] + 2.0 * unit * _round(_CIRCLE), ABOVE)
        return
    draw = _SHAPES.get(part.kind)
    if draw is not None:
        yield from draw(part, points, unit)
    elif part.kind == "guide":
        yield from _guide(points, unit, travel)


def _spring(part: DrawnPart, points: Floats, unit: float) -> Iterator[Stroke]:
    """A zigzag: as many coils whatever its length."""
    a, _, along, across, length = _axis(part, points, unit)
    turns = 2 * COILS
    s = np.concatenate([[0.0], np.linspace(0.14, 0.86, turns + 1), [1.0]])
    swing = np.zeros(len(s))
    swing[2:-2] = np.where(np.arange(turns - 1) % 2, -1.0, 1.0)
    zigzag = a + np.outer(s * length, along) + np.outer(swing * 1.6 * unit, across)
    yield Stroke(_with_feet(points, zigzag))


def _damper(part: DrawnPart, points: Floats, unit: float) -> Iterator[Stroke]:
    """A dashpot: a cylinder that is open on one side, and a piston in it."""
    a, b, along, across, length = _axis(part, points, unit)
    cylinder = min(8.0 * unit, 0.5 * length)
    middle, r = 0.5 * length, 1.5 * unit
    low, high = middle - 0.5 * cylinder, middle + 0.5 * cylinder

    def at(s: float, aside: float = 0.0) -> Floats:
        return np.asarray(a + s * along + aside * across)

    yield Stroke(_with_feet(points, np.array([a, at(low)]), last=False))
    yield Stroke(np.array([at(high, r), at(low, r), at(low, -r), at(high, -r)]))
    yield Stroke(np.array([at(middle, 0.72 * r), at(middle, -0.72 * r)]), width=1.8)
    yield Stroke(_with_feet(points, np.array([at(middle), b]), first=False))


def _pull(part: DrawnPart, points: Floats, unit: float) -> Iterator[Stroke]:
    """A dashed line, with arrows from its ends to one another."""
    a, b, along, _, length = _axis(part, points, unit)
    dashes = max(3, int(length / (2.4 * unit))) | 1
    marks = a + np.outer(np.linspace(0, length, 2 * dashes), along)
    for k in range(dashes):
        yield Stroke(marks[2 * k : 2 * k + 2], width=0.8)
    reach = min(5.0 * unit, 0.4 * length)
    yield _head(a + reach * along, along, unit)
    yield _head(b - reach * along, -along, unit)


def _sleeve(part: DrawnPart, points: Floats, unit: float) -> Iterator[Stroke]:
    """The cylinder of a link that grows and shrinks, around its second half."""
    b, a = points
    length = float(np.hypot(*(b - a)))
    if length > 0:
        along = (b - a) / length
        across = np.array([-along[1], along[0]])
        corners = [(0.08, 1), (0.52, 1), (0.52, -1), (0.08, -1), (0.08, 1)]
        yield Stroke(np.array([a + s * length * along + 0.85 * unit * w * across for s, w in corners]), fill="paper")


def _string(part: DrawnPart, points: Floats, unit: float) -> Iterator[Stroke]:
    for first, second in pairwise(points):
        yield Stroke(np.array([first, second]), width=1.1)
    for end, place in zip(part.points[1:-1], points[1:-1], strict=True):
        if not isinstance(end, int):
            yield Stroke(place + 1.1 * unit * _round(_CIRCLE), fill="paper")
            yield Stroke(place + 0.3 * unit * _round(_CIRCLE), fill="ink")


def _pin(part: DrawnPart, points: Floats, unit: float) -> Iterator[Stroke]:
    yield Stroke(points[0] + 0.55 * unit * _round(_CIRCLE), ABOVE, fill="paper")


def _motor(part: DrawnPart, points: Floats, unit: float) -> Iterator[Stroke]:
    yield from _turning(points[0], 3.4 * unit, -50.0, 220.0, unit)


def _torque(part: DrawnPart, points: Floats, unit: float) -> Iterator[Stroke]:
    middle = points.mean(axis=0)
    first, last = (-60.0, 200.0) if part.numbers[0] > 0 else (240.0, -20.0)
    yield from _turning(middle, 2.6 * unit if len(points) == 2 else 3.4 * unit, first, last, unit)


def _turning(center: Floats, radius: float, first: float, last: float, unit: float) -> Iterator[Stroke]:
    """A circular arrow from one angle to another, in degrees."""
    angles = np.radians(np.linspace(first, last, 40))
    arc = center + radius * _round(angles)
    yield Stroke(arc[:-3], ABOVE)
    step = arc[-1] - arc[-4]
    yield _head(arc[-1], step / np.hypot(*step), unit)


def _force(part: DrawnPart, points: Floats, unit: float) -> Iterator[Stroke]:
    place, vector = points
    size = float(np.hypot(*vector))
    if size < 0.02:
        return
    along = vector / size
    tail = place + 1.5 * unit * along
    tip = tail + (2.0 + (LONGEST_ARROW - 2.0) * min(size, 1.0)) * unit * along
    yield Stroke(np.array([tail, tip - 1.2 * unit * along]), ABOVE, 1.3)
    yield _head(tip, along, unit)


def _spiral(part: DrawnPart, points: Floats, unit: float) -> Iterator[Stroke]:
    """A spiral spring: one turn and the angle itself."""
    vertex, first, angle = _opening(points)
    turn = angle + (2 * np.pi if angle >= 0 else -2 * np.pi)
    s = np.linspace(0, 1, 60)
    radius = (3.6 - 2.0 * s) * unit
    yield Stroke(vertex + radius[:, None] * _round(first + turn * s))


def _brake(part: DrawnPart, points: Floats, unit: float) -> Iterator[Stroke]:
    """A damper at an angle: an arc with a plate on it."""
    vertex, first, angle = _opening(points)
    yield Stroke(vertex + 2.5 * unit * _round(first + angle * np.linspace(0, 1, 40)))
    middle = _round(np.array([first + 0.5 * angle]))[0]
    yield Stroke(np.array([vertex + 1.7 * unit * middle, vertex + 3.3 * unit * middle]), width=1.8)


def _drag(part: DrawnPart, points: Floats, unit: float) -> Iterator[Stroke]:
    """A broken ring around a body."""
    for start in np.linspace(0, 2 * np.pi, 8, endpoint=False):
        yield Stroke(points[0] + 2.1 * unit * _round(start + np.linspace(0, 0.45, 6)), width=0.9)


def _circle(part: DrawnPart, points: Floats, unit: float) -> Iterator[Stroke]:
    center, radius = points[1], circle_radius(part, points)
    yield Stroke(center + radius * _round(np.linspace(0.0, 2 * np.pi, 181)), GROUND)
    for arm in (np.array([0.7, 0.0]), np.array([0.0, 0.7])):
        yield Stroke(np.array([center - unit * arm, center + unit * arm]), GROUND, 0.8)


def _guide(points: Floats, unit: float, travel: tuple[float, float]) -> Iterator[Stroke]:
    start, along, _ = guide_line(points)
    low, high = travel
    line = np.array([start + (low - 4.0 * unit) * along, start + (high + 4.0 * unit) * along])
    yield Stroke(line, GROUND)


_SHAPES = {
    "spring": _spring,
    "damper": _damper,
    "pull": _pull,
    "sleeve": _sleeve,
    "string": _string,
    "pin": _pin,
    "motor": _motor,
    "torque": _torque,
    "force": _force,
    "spiral": _spiral,
    "brake": _brake,
    "drag": _drag,
    "circle": _circle,
}


def circle_radius(part: DrawnPart, points: Floats) -> float:
    return part.numbers[0] if part.numbers else float(points[2, 0])


def guide_line(points: Floats) -> tuple[Floats, Floats, float]:
    """Of the line through the second point and the third: where it starts, its direction, and where the third is on it."""
    start, along = points[1], points[2] - points[1]
    length = float(np.hypot(*along)) or 1.0
    return start, along / length, length


def slide_direction(part: DrawnPart, points: Floats) -> Floats | None:
    """The direction in which a body slides on a guide or a circle at this moment."""
    if part.kind == "guide":
        return guide_line(points)[1]
    if part.kind == "circle":
        out = points[0] - points[1]
        length = float(np.hypot(*out)) or 1.0
        return np.array([-out[1], out[0]]) / length
    return None


def _axis(part: DrawnPart, points: Floats, unit: float) -> tuple[Floats, Floats, Floats, Floats, float]:
    """Both ends, moved aside where others stand between the same points, the directions along and across, the length."""
    a, b = points[0], points[1]
    length = float(np.hypot(*(b - a)))
    along = (b - a) / length if length > 0 else np.array([1.0, 0.0])
    across = np.array([-along[1], along[0]])
    aside = (part.numbers[0] if part.numbers else 0.0) * BESIDE * unit * across
    return a + aside, b + aside, along, across, length


def _with_feet(points: Floats, line: Floats, *, first: bool = True, last: bool = True) -> Floats:
    """A line that stands aside, joined to the points that it belongs to."""
    start = [points[0]] if first else []
    stop = [points[1]] if last else []
    return np.array([*start, *line, *stop])


def _head(tip: Floats, along: Floats, unit: float) -> Stroke:
    across = np.array([-along[1], along[0]])
    back = tip - 1.9 * unit * along
    return Stroke(np.array([tip, back + 0.75 * unit * across, back - 0.75 * unit * across, tip]), ABOVE, 0.5, "ink")


def _opening(points: Floats) -> tuple[Floats, float, float]:
    """The vertex of an angle, the direction of its first arm, and the angle from there to the second arm."""
    vertex, second = points[-2], points[-1] - points[-2]
    first = points[0] - vertex if len(points) == 3 else np.array([1.0, 0.0])
    cross, dot = first[0] * second[1] - first[1] * second[0], first @ second
    return vertex, float(np.arctan2(first[1], first[0])), float(np.arctan2(cross, dot))


def _round(angles: Floats) -> Floats:
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)
