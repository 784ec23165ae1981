"""A scene: all that is needed to show a motion, wherever the motion came from.

`build_scene` makes one from a mechanism and plain arrays. The standalone page, the workbench and Jupyter show it
with the same player (`web/player.js`); `packing.py` turns it into bytes for them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chainlist.analyses.splitting import is_corner
from chainlist.model.mechanism import Mechanism
from chainlist.output.drawing import Drawing, DrawnPart, Place, ToldPoint, draw
from chainlist.output.presence import Eventful, Flash, Span, flashes, measured, presence
from chainlist.output.shapes import Shape
from chainlist.output.thinning import even_points, frames_to_keep, points_to_keep, slopes
from chainlist.output.tracks import TrackKind, track_values
from chainlist.run.happenings import Happening
from chainlist.run.samples import Samples

Array = NDArray[np.float64]
PanelKind = Literal["time", "path", "phase", "spectrum", "versus"]

MOST_FRAMES = 20_000
MOST_PLACES = 1_000_000  # frames times bodies
MOST_POINTS = 2_400  # of one curve
MOST_POINTS_IN_ALL = 400_000  # of all curves together
FEWEST_POINTS = 200
MOST_TRACKED = 40_000  # times of all tracks together
TRACK_OF_A_RUN = 2001  # times of a track where the frames are still to come


@dataclass(frozen=True)
class SceneBody:
    name: str
    mass: float  # kg, of its own: that of a point of a rigid body too
    role: str = "point"  # a point, one "held" by a rigid body, or the "centre" or an "axis" of one
    radius: float = 0.0  # m, of a body of its true size


@dataclass(frozen=True, eq=False)
class PanelCurve:
    """One curve of a panel. `t` holds the times of its points; in a panel over time, x is the time already."""

    name: str
    x: Array
    y: Array
    t: Array | None = None


@dataclass(frozen=True, eq=False)
class Panel:
    """Curves that share axes. A path has equal scales on both axes, another panel where it is `equal`; labels are written without units."""

    title: str
    curves: tuple[PanelCurve, ...]
    kind: PanelKind = "time"
    x_label: str = "t"
    y_label: str = ""
    x_unit: str = "s"
    y_unit: str = ""
    equal: bool = False


@dataclass(frozen=True, eq=False)
class Scene:
    """A motion ready to be shown. Arrays have one row for each frame."""

    title: str
    text: str  # the chainlist
    bodies: tuple[SceneBody, ...]
    parts: tuple[DrawnPart, ...]  # see `drawing.py`; a point that is a number is an index into `bodies`
    pivots: tuple[Place | ToldPoint, ...]  # the points that stand on the ground
    t: Array  # (frames,)
    q: Array  # (frames, bodies, dim)
    v: Array | None  # (frames, bodies, dim): slopes of q at the frames, see thinning.slopes
    tension: Array | None = None  # (frames, links), positive where a link pulls; nan where that is not known
    tracks: tuple[TrackKind, ...] = ()  # of points that move as told
    told_t: Array = field(default_factory=lambda: np.zeros(0))  # (times,) of the tracks, which have their own
    told: Array = field(default_factory=lambda: np.zeros((0, 0, 2)))  # (times, tracks, dim), straight lines between
    shapes: tuple[Shape, ...] = ()  # of rigid bodies; indices into `bodies`
    view: tuple[float, ...] = (0.0, 0.0)  # azimuth and elevation of the camera, in space [°]
    window: tuple[float, ...] | None = (
        None  # left, right, bottom, top of what is shown at first; None: the whole motion
    )
    panels: tuple[Panel, ...] = ()
    figures: tuple[tuple[str, str], ...] = ()  # of the report: label, value
    notes: tuple[str, ...] = ()
    strobe: float = 1.0  # time between exposures [s]
    plotmode: str = "ANIMATE"
    events: tuple[Flash, ...] = ()
    spans: Mapping[str, Span] = field(default_factory=dict)  # from when to when links are there that are not always
    samples: int = 0  # of the run; the scene keeps len(t) of them as frames

    @property
    def dimension(self) -> int:
        return int(self.q.shape[2])

    @property
    def links(self) -> tuple[DrawnPart, ...]:
        """The parts that `tension` is of."""
        return tuple(part for part in self.parts if part.kind == "rod")

    def __str__(self) -> str:
        return f"{self.title or 'untitled'}: {len(self.bodies)} bodies, {len(self.t)} frames of {self.samples} samples"


def build_scene(
    mechanism: Mechanism,
    t: ArrayLike,
    q: ArrayLike,
    v: ArrayLike | None = None,
    *,
    tension: ArrayLike | None = None,
    panels: Sequence[Panel] = (),
    figures: Sequence[tuple[str, str]] = (),
    notes: Sequence[str] = (),
    events: Sequence[Happening] = (),
    only: Collection[str] | None = None,
) -> Scene:
    """The scene of a run of `mechanism`.

    Args:
        t: times of the samples, (samples,) [s], increasing.
        q: positions, (samples, bodies, dim) [m]; rows that are not finite are not drawn.
        v: velocities of the same shape [m/s]; None where they were not kept.
        tension: (samples, links) [N], in the order of `mechanism.links`.
        panels: curves with all their samples; they are thinned here without losing a peak.
        events: what happened on the way.
        only: names of constraints; these alone are shown, with the bodies that they hold. None: everything.
    """
    times, places, speeds, pulls = _checked(mechanism, t, q, v, tension)
    spans = presence(mechanism, events)
    run = Eventful(mechanism, times, places, speeds, tuple(events))
    drawing = measured(draw(mechanism, only), run, spans)
    marks = flashes(run, drawing)
    bodies = shown_bodies(drawing)
    parts, shapes = _renumbered(drawing, bodies)
    places = places[:, bodies]
    speeds = slopes(times, places, None if speeds is None else speeds[:, bodies])
    kept = _frames(mechanism, drawing, times, places, speeds)
    told_t, told = _told(mechanism, drawing, times, kept, q, v)
    return Scene(
        title=mechanism.title,
        text=mechanism.text,
        bodies=tuple(_body(mechanism, i) for i in bodies),
        parts=parts,
        pivots=drawing.pivots,
        t=times[kept],
        q=places[kept],
        v=None if speeds is None else speeds[kept],
        tension=None if pulls is None else _tension(mechanism, parts, pulls[kept]),
        tracks=tuple(track.kind for track in drawing.tracks),
        told_t=told_t,
        told=told,
        shapes=shapes,
        view=mechanism.options.view,
        window=_window(mechanism),
        panels=thinned_panels(panels, times),
        figures=tuple(figures),
        notes=tuple(notes),
        strobe=mechanism.options.frame or round_interval(float(times[-1] - times[0]) / 50),
        plotmode=mechanism.options.plotmode,
        events=marks,
        spans=spans,
        samples=len(times),
    )


def _window(mechanism: Mechanism) -> tuple[float, ...] | None:
    if mechanism.options.window is None:
        return None
    left, bottom, right, top = mechanism.options.window
    return left, right, bottom, top


def shown_bodies(drawing: Drawing) -> list[int]:
    """The bodies whose motion a picture needs: points, and centres and axes of rigid bodies, as the mechanism has them."""
    vectors = {i for shape in drawing.shapes for i in (shape.centre, *(i for _, i in shape.axes))}
    return sorted({*drawing.bodies, *vectors})


def _body(mechanism: Mechanism, i: int) -> SceneBody:
    body = mechanism.bodies[i]
    return SceneBody(body.name, body.given_mass, body.role, body.radius)


def _renumbered(drawing: Drawing, bodies: list[int]) -> tuple[tuple[DrawnPart, ...], tuple[Shape, ...]]:
    """Parts and shapes with bodies counted as they are shown."""
    index = {old: new for new, old in enumerate(bodies)}
    parts = tuple(
        replace(part, points=tuple(index[point] if isinstance(point, int) else point for point in part.points))
        for part in drawing.parts
    )
    shapes = tuple(
        replace(shape, centre=index[shape.centre], axes=tuple((axis, index[i]) for axis, i in shape.axes))
        for shape in drawing.shapes
    )
    return parts, shapes


def _frames(mechanism: Mechanism, drawing: Drawing, t: Array, q: Array, v: Array | None) -> NDArray[np.intp]:
    """The samples that become frames: enough for what the bodies do, and anchors that are moved."""
    anchors = [track for track in drawing.tracks if track.kind == "place"]
    most = min(MOST_FRAMES, max(2, MOST_PLACES // max(q.shape[1], 1)))
    if anchors and len(t) > 1:
        moved = track_values(mechanism, anchors, t)
        q = np.concatenate([q, moved], axis=1)
        v = None if v is None else np.concatenate([v, np.gradient(moved, t, axis=0)], axis=1)
    return frames_to_keep(t, q, v, most)


def _told(
    mechanism: Mechanism, drawing: Drawing, t: Array, kept: NDArray[np.intp], q: ArrayLike, v: ArrayLike | None
) -> tuple[Array, Array]:
    """The tracks, at times between the frames too. Of a single frame, which a run may follow: over the whole run."""
    if not drawing.tracks:
        return np.zeros(0), np.zeros((0, 0, mechanism.dimension))
    if len(t) == 1:
        tran = mechanism.transient
        when = np.unique(np.append(np.linspace(tran.start, tran.stop, TRACK_OF_A_RUN), t))
        return when, track_values(mechanism, drawing.tracks, when)
    finer = int(np.clip(MOST_TRACKED / (len(kept) * len(drawing.tracks)), 1, 4))
    when = np.interp(np.arange((len(kept) - 1) * finer + 1) / finer, np.arange(len(kept)), t[kept])
    motion = Samples(mechanism, t, np.asarray(q, dtype=float), v if v is None else np.asarray(v, dtype=float))  # type: ignore[arg-type]
    return when, track_values(mechanism, drawing.tracks, when, motion)


def _tension(mechanism: Mechanism, parts: tuple[DrawnPart, ...], pulls: Array) -> Array:
    """(frames, rods): a column for each rod, of nan for what is drawn as one but has no tension."""
    column = {link.name: i for i, link in enumerate(mechanism.links)}
    names = [part.name for part in parts if part.kind == "rod"]
    unknown = np.full(len(pulls), np.nan)
    columns = [pulls[:, column[name]] if name in column else unknown for name in names]
    return np.stack(columns, axis=1) if columns else np.zeros((len(pulls), 0))


def thinned_panels(panels: Sequence[Panel], times: Array) -> tuple[Panel, ...]:
    """The same panels with at most MOST_POINTS points a curve; paths learn the times of their points."""
    count = sum(len(panel.curves) for panel in panels)
    most = min(MOST_POINTS, max(FEWEST_POINTS, MOST_POINTS_IN_ALL // max(count, 1)))
    return tuple(replace(p, curves=tuple(_thinned(p, c, times, most) for c in p.curves)) for p in panels)


def round_interval(seconds: float) -> float:
    """The nearest of 1, 2, 5 times a power of ten; 1 for an empty run."""
    if not seconds > 0:
        return 1.0
    decade = 10.0 ** np.floor(np.log10(seconds))
    best = min((1.0, 2.0, 5.0, 10.0), key=lambda m: abs(np.log(m * decade / seconds)))
    return float(f"{best * decade:.0e}")


def _thinned(panel: Panel, curve: PanelCurve, times: Array, most: int) -> PanelCurve:
    x, y = np.asarray(curve.x, dtype=float), np.asarray(curve.y, dtype=float)
    if x.ndim != 1 or x.shape != y.shape:
        raise ValueError(f"curve {curve.name!r} of panel {panel.title!r}: x {x.shape} and y {y.shape} do not fit")
    if panel.kind in ("time", "spectrum"):
        kept = points_to_keep(y, most)
        return PanelCurve(curve.name, x[kept], y[kept])
    own = times if curve.t is None else np.asarray(curve.t, dtype=float)
    if own.shape != x.shape:
        raise ValueError(f"curve {curve.name!r} of panel {panel.title!r} has {len(x)} points but {len(own)} times")
    kept = even_points(len(x), most) if len(x) else np.arange(0)
    corners = np.flatnonzero(is_corner(own))  # just before an event, and behind it
    gaps = np.flatnonzero(~np.isfinite(y))
    for marked in (corners, corners + 1, gaps):  # a corner stays one, and a gap
        if len(marked) <= most:
            kept = np.union1d(kept, marked)
    return PanelCurve(curve.name, x[kept], y[kept], own[kept])


def _checked(
    mechanism: Mechanism, t: ArrayLike, q: ArrayLike, v: ArrayLike | None, tension: ArrayLike | None
) -> tuple[Array, Array, Array | None, Array | None]:
    """The arrays as floats, with shapes that fit the mechanism and one another."""
    times = np.asarray(t, dtype=float)
    if times.ndim != 1 or len(times) == 0:
        raise ValueError(f"a scene needs at least one sample; t has shape {times.shape}")
    want = (len(times), len(mechanism.bodies), mechanism.dimension)
    places = np.asarray(q, dtype=float)
    if places.shape != want:
        raise ValueError(f"q has shape {places.shape}, not (samples, bodies, {mechanism.dimension}) = {want}")
    speeds = None if v is None else np.asarray(v, dtype=float)
    if speeds is not None and speeds.shape != want:
        raise ValueError(f"v has shape {speeds.shape}, not (samples, bodies, {mechanism.dimension}) = {want}")
    pulls = None if tension is None else np.asarray(tension, dtype=float)
    if pulls is not None and pulls.shape != (len(times), len(mechanism.links)):
        raise ValueError(
            f"tension has shape {pulls.shape}, not (samples, links) = {(len(times), len(mechanism.links))}"
        )
    return times, places, speeds, pulls
