"""Pictures of a mechanism on matplotlib axes: start and end with paths, or a strobe picture that fades in time."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.output.arrangement import height_of
from chainlist.output.camera import Camera
from chainlist.output.drawing import Place, ToldPoint
from chainlist.output.floor import Floor
from chainlist.output.interpolate import exposure_times, positions_at
from chainlist.output.names import write_names
from chainlist.output.painting import PaintedMark, floor_marks, past_marks, shape_marks, space_marks, triad
from chainlist.output.sketch import (
    BODY,
    FADING,
    FIXED,
    PALE,
    PALE_BODY,
    PATH,
    RAIL,
    ROD,
    DrawnRail,
    Moment,
    Sketch,
    finite_states,
)
from chainlist.output.strokes import ABOVE, AMONG_RODS, GROUND, Stroke
from chainlist.output.tracks import track_values
from chainlist.run.happenings import events_of
from chainlist.run.quantities import Motion

Floats = NDArray[np.float64]
Colour = tuple[float, float, float]

PALER = (230, 235, 240)  # springs and strings of the oldest exposure
LARGEST_BODY = 7.5  # points
ROD_WIDTH = 1.8  # points
_NARROW, _LABEL = 1.6, 0.35  # inches: pictures that get fewer labels, and what one takes
_GREY = tuple(part / 255.0 for part in FIXED)


def draw_picture(axes: Any, motion: Motion, parts: Sketch, mode: str, frame: float | None, *, names: bool) -> None:
    """Draw the mechanism as PLOTMODE says; what moves in an animation stands still here with its paths."""
    _set_view(axes, parts)
    motion = as_far_as_it_goes(motion)
    for rail in parts.rails:
        _draw_rail(axes, rail, parts)
    if mode == "ANIMATEWITHSTROBO":
        times, oldest = exposure_times(motion, frame), 0.0
    else:
        times, oldest = motion.t[[0, -1]], 0.35
        _draw_paths(axes, motion, parts)
    moments = parts.moments(motion, times, positions_at(motion, times))
    now = moments[-1]
    if parts.shapes:
        _draw_shapes(axes, parts, moments, oldest)
    if parts.floor is not None:
        _draw_space(axes, parts, moments, oldest)
        if names:
            write_names(axes, parts, now)
        return
    _draw_rods(axes, parts, moments, oldest)
    _draw_bodies(axes, parts, moments, oldest)
    if parts.others:
        _draw_others(axes, parts, moments, oldest)
    for rail in (*parts.rails, *parts.blocks(now)):
        _draw_block(axes, rail, now, clip=parts.windowed)
    for pivot in parts.pivots:
        _draw_pivot(axes, now.place(pivot), clip=parts.windowed)
    if names:
        write_names(axes, parts, now)


class _Part:
    """The samples of a motion up to where it left every picture."""

    def __init__(self, motion: Motion, count: int):
        self.t, self.q = motion.t[:count], motion.q[:count]
        self.v = None if motion.v is None else motion.v[:count]
        self.memory = None if motion.memory is None else motion.memory[:count]
        self.mechanism, self.columns = motion.mechanism, motion.columns
        self.events = tuple(event for event in events_of(motion) if event.time <= self.t[-1])


def as_far_as_it_goes(motion: Motion) -> Motion:
    good = finite_states(motion)
    return motion if good.all() else _Part(motion, max(1, int(np.argmin(good))))


def _set_view(axes: Any, parts: Sketch) -> None:
    axes.set_aspect("equal")
    axes.set_xlim(parts.view.left, parts.view.right)
    axes.set_ylim(parts.view.bottom, parts.view.top)
    _space_labels(axes, height_of(axes) * parts.view.width / parts.view.height)
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")


def _space_labels(axes: Any, width: float) -> None:
    """Fewer labels along x where the picture is narrow: `width` inches or, where the panel is, less."""
    from matplotlib.ticker import MaxNLocator

    if width < _NARROW:
        axes.xaxis.set_major_locator(MaxNLocator(max(2, int(width / _LABEL)), steps=[1, 2, 4, 5, 10]))


def _draw_shapes(axes: Any, parts: Sketch, moments: list[Moment], oldest: float) -> None:
    """Rigid bodies: the outlines of the past, and in the plane those of the last moment."""
    for n, (moment, colour) in enumerate(zip(moments[:-1], fade(len(moments), PALE, ROD, oldest), strict=False)):
        _draw_marks(axes, past_marks(parts, moment), 2.0 + n / len(moments), 0.8, colour)
    if parts.floor is None:
        _draw_marks(axes, shape_marks(parts, moments[-1]), 3.05, 0.8)


def _draw_space(axes: Any, parts: Sketch, moments: list[Moment], oldest: float) -> None:
    """The past as in the plane, and the last moment by depth above it."""
    _draw_rods(axes, parts, moments[:-1], oldest, last=False)
    _draw_bodies(axes, parts, moments[:-1], oldest, last=False)
    _draw_marks(axes, space_marks(parts, moments[-1]), 4.0, 0.8)
    if parts.floor is not None:
        draw_ground_of_space(axes, parts.floor, parts.camera)


def draw_ground_of_space(axes: Any, floor: Floor, camera: Camera) -> None:
    """The grid, how large its cells are, and where the axes point. The axes of the picture are none of the machine."""
    axes.set_axis_off()
    _draw_marks(axes, floor_marks(floor, camera), 0.5, 0.8)
    # Both stand below the picture, where nothing moves.
    box = axes.inset_axes((0.0, -0.13, 0.12, 0.12))
    box.set_axis_off()
    box.set_aspect("equal", anchor="SW")
    box.set_xlim(-1.4, 1.4)
    box.set_ylim(-1.4, 1.4)
    for name, arm in triad(camera):
        _draw_marks(box, [arm], 1.0, 0.8)
        box.text(*(1.35 * arm.line[1]), name, fontsize=7, color=np.array(arm.colour) / 255.0, ha="center", va="center")
    style = {"xycoords": "axes fraction", "ha": "right", "va": "top", "fontsize": 7, "color": "#555555"}
    axes.annotate(f"grid {floor.step:g} m", (1.0, -0.01), **style)


def _draw_marks(axes: Any, marks: list[PaintedMark], zorder: float, thin: float, colour: Colour | None = None) -> None:
    """Marks in their order; lines of one kind that follow one another are one object, of which a picture may have thousands."""
    for n, (kind, group) in enumerate(groupby(marks, key=_kind_of_line)):
        order = zorder + 1e-5 * n  # of equal orders, what is added later lies above
        if kind is not None:
            same = list(group)
            _draw_lines(
                axes, same, np.array(same[0].colour) / 255.0 if colour is None else colour, thin * same[0].width, order
            )
            continue
        for mark in group:
            edge, inside = (None if c is None else np.array(c) / 255.0 for c in (mark.colour, mark.fill))
            if mark.dot:
                style = {"markersize": LARGEST_BODY * mark.dot, "markerfacecolor": inside, "markeredgecolor": edge}
                axes.plot(*mark.line.T, "o", **style, markeredgewidth=thin * mark.width, zorder=order)
            else:
                axes.fill(*mark.line.T, facecolor=inside, edgecolor=edge, linewidth=thin * mark.width, zorder=order)


def _kind_of_line(mark: PaintedMark) -> Any:
    """What lines must have in common to be drawn together; None and itself for what is not a mere line."""
    return (mark.colour, mark.width) if mark.fill is None and not mark.dot else None


def _draw_lines(axes: Any, marks: list[PaintedMark], colour: Any, width: float, zorder: float) -> None:
    from matplotlib.collections import LineCollection

    style = {"colors": [colour], "linewidths": width, "capstyle": "round", "joinstyle": "round"}
    axes.add_collection(LineCollection([mark.line for mark in marks], **style, zorder=zorder), autolim=False)


def fade(count: int, old: tuple[int, int, int], new: tuple[int, int, int], oldest: float) -> list[Colour]:
    """Colours from the oldest exposure to the last one, which stands out."""
    weight = np.linspace(oldest, 0.72, count) if count > 1 else np.array([1.0])
    weight[-1] = 1.0
    mixed = (np.outer(1 - weight, old) + np.outer(weight, new)) / 255.0
    return [(float(r), float(g), float(b)) for r, g, b in mixed]


def _draw_rods(axes: Any, parts: Sketch, moments: list[Moment], oldest: float, *, last: bool = True) -> None:
    """`last`: the last of the moments stands out."""
    from matplotlib.collections import LineCollection

    count, stands_out = len(moments), last
    for n, (moment, colour) in enumerate(zip(moments, fade(count + 1 - last, PALE, ROD, oldest), strict=False)):
        last = stands_out and n == count - 1
        lines = [[moment.place(end) for end in rod.points] for rod in parts.rods_at(moment)]
        width = ROD_WIDTH if last else 0.55 * ROD_WIDTH
        axes.add_collection(
            LineCollection(lines, colors=[colour], linewidths=width, capstyle="round", zorder=2.0 + n / len(moments)),
            autolim=False,
        )


def _draw_others(axes: Any, parts: Sketch, moments: list[Moment], oldest: float) -> None:
    """Springs, strings, motors …: thin and grey, and of the past only what stretches."""
    for n, (moment, colour) in enumerate(zip(moments, fade(len(moments), PALER, PATH, oldest), strict=True)):
        if n == len(moments) - 1:
            _draw_strokes(axes, parts.strokes(moment), _GREY, 0.8, 2.0 + n / len(moments))
        else:
            _draw_strokes(axes, parts.strokes(moment, FADING), colour, 0.45, 2.0 + n / len(moments))


def _draw_strokes(axes: Any, strokes: list[Stroke], colour: Any, width: float, among_rods: float) -> None:
    order = {GROUND: 1.2, AMONG_RODS: among_rods + 0.001, ABOVE: 4.7}
    for stroke in strokes:
        style = {"color": colour, "linewidth": width * stroke.width, "zorder": order[stroke.layer]}
        if stroke.fill:
            inside = "white" if stroke.fill == "paper" else colour
            axes.fill(
                *stroke.line.T, facecolor=inside, edgecolor=colour, **{k: style[k] for k in ("linewidth", "zorder")}
            )
        else:
            axes.plot(*stroke.line.T, solid_capstyle="round", solid_joinstyle="round", **style)


def _draw_bodies(axes: Any, parts: Sketch, moments: list[Moment], oldest: float, *, last: bool = True) -> None:
    _draw_disks(axes, parts, moments, oldest, last=last)
    points = zip(parts.bodies, parts.radius, parts.disks, strict=True)
    free = [(i, radius) for i, radius, true in points if i not in parts.pins and not true]
    sizes = np.array([LARGEST_BODY * r * parts.crowding for _, r in free])
    count, stands_out = len(moments), last
    for n, (moment, colour) in enumerate(zip(moments, fade(count + 1 - last, PALE_BODY, BODY, oldest), strict=False)):
        last = stands_out and n == count - 1
        where = moment.state[[i for i, _ in free]]
        axes.scatter(
            where[:, 0],
            where[:, 1],
            s=(sizes if last else 0.55 * sizes) ** 2,
            color=[colour],
            edgecolors="white" if last else "none",
            linewidths=0.6 if last else 0.0,
            zorder=3.5 + n / len(moments) if last else 3.0 + 0.5 * n / len(moments),
            clip_on=parts.windowed,
        )
    if stands_out and parts.pins:
        pins = moments[-1].state[sorted(parts.pins)]
        style = {"markersize": 3.2 * parts.crowding, "markerfacecolor": "white", "color": _GREY, "markeredgewidth": 0.7}
        axes.plot(*pins.T, "o", **style, clip_on=parts.windowed, zorder=4.6)


def _draw_disks(axes: Any, parts: Sketch, moments: list[Moment], oldest: float, *, last: bool) -> None:
    """Bodies of their true size: outlines in the past, filled at the end."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Circle

    disks = [(i, true) for i, true in zip(parts.bodies, parts.disks, strict=True) if true]
    if not disks:
        return
    for n, (moment, edge) in enumerate(
        zip(moments, fade(len(moments) + 1 - last, PALE_BODY, BODY, oldest), strict=False)
    ):
        shown = last and n == len(moments) - 1
        circles = [Circle(moment.place(i), true) for i, true in disks]
        inside = [0.45 + 0.55 * c for c in edge] if shown else "none"
        style: dict[str, Any] = {"facecolor": inside, "edgecolor": edge, "linewidth": 0.8 if shown else 0.5}
        axes.add_collection(
            PatchCollection(circles, **style, zorder=3.4 if shown else 2.9 + 0.1 * n / len(moments)), autolim=False
        )


def _draw_paths(axes: Any, motion: Motion, parts: Sketch) -> None:
    colour = np.array(PATH) / 255.0
    for body in parts.bodies:
        axes.plot(*parts.camera.flat(motion.q[:, body]).T, color=colour, linewidth=0.6, zorder=1.5)
    for pivot in parts.pivots:
        if isinstance(pivot, ToldPoint):
            told = track_values(motion.mechanism, parts.tracks[pivot.track : pivot.track + 1], motion.t)[:, 0]
            axes.plot(*parts.camera.flat(told).T, color=colour, linewidth=0.6, zorder=1.5)


def _draw_pivot(axes: Any, at: Place, *, clip: bool) -> None:
    """A bearing on hatched ground. Its shapes are markers: they keep their size whatever the scale of the axes."""
    bearing = [[(0.0, 0.0), (-0.62, -1.0), (0.62, -1.0), (0.0, 0.0)]]
    feet = np.linspace(-0.75, 0.95, 5)
    ground = [[(-1.0, -1.0), (1.0, -1.0)], *([(x, -1.0), (x - 0.34, -1.42)] for x in feet)]
    _mark(axes, at, bearing, clip=clip, zorder=3.4, markerfacecolor="white", markeredgewidth=0.8)
    _mark(axes, at, ground, clip=clip, zorder=3.4, markerfacecolor="none", markeredgewidth=0.7)
    axes.plot(*at, marker="o", markersize=3.6, markerfacecolor="white", color=_GREY, clip_on=clip, zorder=4.8)


def _mark(axes: Any, at: Place, strokes: list[list[tuple[float, float]]], *, clip: bool, **style: Any) -> None:
    """Draw lines around a point, in units of 7 points of print."""
    from matplotlib.path import Path

    places = [place for stroke in strokes for place in stroke]
    codes = [Path.MOVETO if n == 0 else Path.LINETO for stroke in strokes for n in range(len(stroke))]
    reach = max(abs(x) for place in places for x in place)  # matplotlib scales a marker by its largest coordinate
    shape = Path(places, codes)
    axes.plot(*at, marker=shape, markersize=14 * reach, markeredgecolor=_GREY, clip_on=clip, linestyle="none", **style)


def _draw_rail(axes: Any, rail: DrawnRail, parts: Sketch) -> None:
    """A line with ground under it: short strokes on one side."""
    from matplotlib.collections import LineCollection

    start, stop = np.array(rail.start), np.array(rail.stop)
    along = _along(rail)
    gap = 0.02 * max(parts.view.width, parts.view.height)
    count = max(2, int(np.hypot(*(stop - start)) / gap))
    feet = start + np.outer(np.linspace(0, 1, count), stop - start)
    strokes = [(foot, foot - 0.6 * gap * (along + np.array([-along[1], along[0]]))) for foot in feet[1:]]
    faint = np.array(RAIL) / 255.0
    axes.add_collection(LineCollection([(start, stop)], colors=[faint], linewidths=0.8, zorder=1.2), autolim=False)
    axes.add_collection(LineCollection(strokes, colors=[faint], linewidths=0.4, zorder=1.1), autolim=False)


def _draw_block(axes: Any, rail: DrawnRail, moment: Moment, *, clip: bool) -> None:
    """The sliding block around a body on a rail."""
    along = _along(rail)
    across = np.array([-along[1], along[0]])
    corners = [sx * 1.0 * along + sy * 0.62 * across for sx, sy in ((1, 1), (-1, 1), (-1, -1), (1, -1), (1, 1))]
    outline = [[(float(x), float(y)) for x, y in corners]]
    at = moment.place(rail.body)
    _mark(axes, at, outline, clip=clip, zorder=3.3, markerfacecolor="white", markeredgewidth=0.8)


def _along(rail: DrawnRail) -> Floats:
    """The direction of a rail, to the right, or upwards."""
    along: Floats = np.subtract(rail.stop, rail.start)
    along = along / np.linalg.norm(along)
    flip = along[0] < 0 or (along[0] == 0 and along[1] < 0)
    return -along if flip else along
