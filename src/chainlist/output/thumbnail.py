"""A small picture of a mechanism at its start, as SVG: for the gallery."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from chainlist.model.mechanism import Mechanism
from chainlist.output.camera import Camera, View
from chainlist.output.drawing import DrawnPart, ToldPoint, draw, seen_points
from chainlist.output.painting import PaintedMark, floor_marks, patch_mark, space_marks
from chainlist.output.presence import drum_radius, is_there, presence
from chainlist.output.sketch import Moment, sketch
from chainlist.output.solids import patches
from chainlist.output.strokes import ABOVE, AMONG_RODS, GROUND, Stroke, circle_radius, guide_line, strokes
from chainlist.output.surroundings import rope_strokes, wall_strokes
from chainlist.output.tracks import track_values
from chainlist.run.samples import Samples

Floats = NDArray[np.float64]

WIDTH, HEIGHT, MARGIN = 160, 110, 14
_BODIES = ("#2b7fc4", "#e0702b", "#1fa27a", "#b55aa3", "#c48a12", "#3aa3d4")
_ROD, _GROUND, _RAIL = "#7c8996", "#66727f", "#a9b4bf"
MOST_DRAWN = 400  # links and bodies; more would not be seen


def thumbnail(mechanism: Mechanism) -> str:
    """The start of a mechanism. Holds numbers only, no text of the chainlist."""
    if mechanism.dimension == 3:
        return _in_space(mechanism)
    drawing = draw(mechanism)
    start = np.array([mechanism.transient.start])
    told = track_values(mechanism, drawing.tracks, start)[0] if drawing.tracks else np.zeros((0, mechanism.dimension))
    state = np.array([body.start for body in mechanism.bodies]).reshape(len(mechanism.bodies), -1)
    now = Moment(state, told)
    places = [now.place(i) for i in drawing.bodies]
    round_ones = [(shape.centre, shape.radius * sign) for shape in drawing.shapes for sign in (-1, 1)]
    disks = [mechanism.bodies[i].radius for i in drawing.bodies]
    round_ones += [(i, r * sign) for i, r in zip(drawing.bodies, disks, strict=True) for sign in (-1, 1)]
    corners = [(now.state[i][0] + r, now.state[i][1] + r) for i, r in round_ones]
    spans = presence(mechanism, ())
    there = [part for part in drawing.parts if is_there(part, spans, 0.0)]
    rods = [part for part in there if part.kind == "rod"]
    others = [part for part in there if part.kind not in ("rod", "rail")][:MOST_DRAWN]
    x, y, scale = _fit([*places, *corners, *_reached(now, drawing.parts), *map(now.place, drawing.pivots)])

    def at(point: Sequence[float] | Floats) -> tuple[str, str]:
        return f"{x + scale * point[0]:.1f}", f"{y - scale * point[1]:.1f}"

    parts = [_line(at(now.place(rod.points[0])), at(now.place(rod.points[1])), _ROD, 2.4) for rod in rods[:MOST_DRAWN]]
    for rail in [part for part in drawing.parts if part.kind == "rail"][:MOST_DRAWN]:
        k1, k2, _ = rail.numbers
        px, py = now.place(rail.points[0])
        reach = 22 / scale / (k1 * k1 + k2 * k2) ** 0.5
        one, two = (px - k2 * reach, py + k1 * reach), (px + k2 * reach, py - k1 * reach)
        parts.insert(0, _line(at(one), at(two), _RAIL, 5))
    marks = [m for shape in drawing.shapes for m in map(patch_mark, patches(shape, state, Camera(), 2.7 / scale))]
    parts[:0] = [_mark(mark, at) for mark in marks]
    view = View(-x / scale, (y - HEIGHT) / scale, (WIDTH - x) / scale, y / scale)
    lines = [line for part in others for line in _strokes(part, now, scale, view)]
    parts[:0] = [_path(line, at, _RAIL) for line in lines if line.layer == GROUND]
    parts += [_path(line, at, _GROUND) for line in lines if line.layer == AMONG_RODS]
    for pivot in drawing.pivots[:MOST_DRAWN]:
        px, py = (float(c) for c in at(now.place(pivot)))
        parts.append(f'<path d="M{px:.1f} {py:.1f}l-5 9h10z" fill="{_GROUND}"/>')
    radius = 4.2 if len(places) < 30 else 2.4
    for i, point in enumerate(places[:MOST_DRAWN]):
        cx, cy = at(point)
        if drawing.bodies[i] in drawing.pins:
            parts.append(f'<circle cx="{cx}" cy="{cy}" r="2" fill="#fff" stroke="{_GROUND}"/>')
            continue
        size = f"{max(disks[i] * scale, 2.0):.1f}" if disks[i] else radius
        parts.append(f'<circle cx="{cx}" cy="{cy}" r="{size}" fill="{_BODIES[i % len(_BODIES)]}"/>')
    parts += [_path(line, at, _GROUND) for line in lines if line.layer == ABOVE]
    body = "".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">{body}</svg>'


def _in_space(mechanism: Mechanism) -> str:
    """The same through the camera, by depth."""
    state = np.array([[body.start for body in mechanism.bodies]], float)
    start = np.array([mechanism.transient.start])
    motion = Samples(mechanism, start, state, np.zeros_like(state))
    parts = sketch(motion)
    (now,) = parts.moments(motion, start, state)
    scale = min(WIDTH / parts.view.width, HEIGHT / parts.view.height)
    x = WIDTH / 2 - scale * (parts.view.left + parts.view.right) / 2
    y = HEIGHT / 2 + scale * (parts.view.top + parts.view.bottom) / 2

    def at(point: Sequence[float] | Floats) -> tuple[str, str]:
        return f"{x + scale * point[0]:.1f}", f"{y - scale * point[1]:.1f}"

    marks = [*floor_marks(parts.floor, parts.camera), *space_marks(parts, now)]
    body = "".join(_mark(mark, at) for mark in marks[: 4 * MOST_DRAWN])
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">{body}</svg>'


def _mark(mark: PaintedMark, at: Callable[[Floats], tuple[str, str]]) -> str:
    colour, fill = (c and f"#{c[0]:02x}{c[1]:02x}{c[2]:02x}" for c in (mark.colour, mark.fill))
    edge = f'stroke="{colour}" stroke-width="{1.2 * mark.width:.3g}"'
    if mark.dot:
        x, y = at(mark.line[0])
        return f'<circle cx="{x}" cy="{y}" r="{4.2 * mark.dot:.3g}" fill="{fill}" {edge}/>'
    d = "L".join(" ".join(at(point)) for point in mark.line)
    return f'<path d="M{d}" fill="{fill or "none"}" {edge} stroke-linejoin="round" stroke-linecap="round"/>'


def _strokes(part: DrawnPart, now: Moment, scale: float, view: View) -> list[Stroke]:
    """The lines of a part; a guide is drawn to its points and its body, or around that where the line is only told."""
    points, travel = now.places(part), (0.0, 0.0)
    if part.kind in ("wall", "drum"):
        return list(wall_strokes(part, points, 2.7 / scale, view, now.time))
    if part.kind == "rope":
        return list(rope_strokes(part, [now.in_space(point) for point in part.points], Camera(), 2.7 / scale))
    if part.kind == "guide":
        start, along, length = guide_line(points)
        here = float((points[0] - start) @ along)
        through = not isinstance(part.points[1], ToldPoint)
        travel = (min(0.0, here), max(length, here)) if through else (here - 14 / scale, here + 14 / scale)
    return [line for line in strokes(part, points, 2.7 / scale, travel) if np.isfinite(line.line).all()]


def _reached(now: Moment, parts: Sequence[DrawnPart]) -> list[tuple[float, float]]:
    """The points besides bodies that the picture must hold."""
    found: dict[tuple[float, float], None] = {}
    for part in parts:
        if part.kind == "circle":
            (cx, cy), r = now.place(part.points[1]), circle_radius(part, now.places(part))
            found.update(dict.fromkeys([(cx - r, cy - r), (cx + r, cy + r)]))
        elif part.kind == "drum":
            (cx, cy), r = now.place(part.points[0]), drum_radius(part, now.told)
            found.update(dict.fromkeys([(cx - r, cy - r), (cx + r, cy + r)]))
        elif part.kind == "wall":
            found[_foot(now, part)] = None
        else:
            seen = part.points[:1] if part.kind == "guide" else seen_points(part)
            found.update(dict.fromkeys(now.place(point) for point in seen))
    return [place for place in found if np.isfinite(place).all()]


def _foot(now: Moment, wall: DrawnPart) -> tuple[float, float]:
    """Where a wall is nearest to the middle of the bodies."""
    start, stop = now.places(wall)
    along = (stop - start) / float(np.hypot(*(stop - start)))
    x, y = start + ((now.state.mean(axis=0) - start) @ along) * along
    return float(x), float(y)


def _path(stroke: Stroke, at: Callable[[Floats], tuple[str, str]], color: str) -> str:
    d = "L".join(" ".join(at(point)) for point in stroke.line)
    fill = {"": "none", "paper": "#fff", "ink": color}[stroke.fill]
    width = f"{1.2 * stroke.width:.3g}"
    return f'<path d="M{d}" fill="{fill}" stroke="{color}" stroke-width="{width}" stroke-linejoin="round"/>'


def _fit(points: list[tuple[float, float]]) -> tuple[float, float, float]:
    """Where the origin goes, and pixels per metre, so that all points are inside."""
    if not points:
        return WIDTH / 2, HEIGHT / 2, 1.0
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    scale = min((WIDTH - 2 * MARGIN) / max(wide, 1e-9), (HEIGHT - 2 * MARGIN) / max(high, 1e-9))
    if max(wide, high) < 1e-9:
        scale = 1.0
    return WIDTH / 2 - scale * (max(xs) + min(xs)) / 2, HEIGHT / 2 + scale * (max(ys) + min(ys)) / 2, scale


def _line(a: tuple[str, str], b: tuple[str, str], color: str, width: float) -> str:
    place = f'x1="{a[0]}" y1="{a[1]}" x2="{b[0]}" y2="{b[1]}"'
    return f'<line {place} stroke="{color}" stroke-width="{width}" stroke-linecap="round"/>'
