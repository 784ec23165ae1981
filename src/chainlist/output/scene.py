"""A scene: all that is needed to show a motion, wherever the motion came from.

`build_scene` makes one from a mechanism and plain arrays. The standalone page, the workbench and Jupyter show it
with the same player (`web/player.js`); `packing.py` turns it into bytes for them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chainlist.model.mechanism import Element, Mechanism
from chainlist.output.thinning import even_points, frames_to_keep, points_to_keep, slopes

Array = NDArray[np.float64]
Place = tuple[float, float]
PanelKind = Literal["time", "path", "phase"]

MOST_FRAMES = 20_000
MOST_PLACES = 1_000_000  # frames times bodies
MOST_POINTS = 2_400  # of one curve
MOST_POINTS_IN_ALL = 400_000  # of all curves together
FEWEST_POINTS = 200


@dataclass(frozen=True)
class SceneBody:
    name: str
    mass: float


@dataclass(frozen=True)
class SceneLink:
    """A rod. Each end is the index of a body, or a fixed point."""

    name: str
    ends: tuple[int | Place, int | Place]


@dataclass(frozen=True)
class Rail:
    """A line k1·x + k2·y = konst on which a body slides."""

    name: str
    body: int
    line: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Curve:
    """One curve of a panel. `t` holds the times of its points; in a panel over time, x is the time already."""

    name: str
    x: Array
    y: Array
    t: Array | None = None


@dataclass(frozen=True, eq=False)
class Panel:
    """Curves that share axes. A path has equal scales on both axes; labels are written without units."""

    title: str
    curves: tuple[Curve, ...]
    kind: PanelKind = "time"
    x_label: str = "t"
    y_label: str = ""
    x_unit: str = "s"
    y_unit: str = ""


@dataclass(frozen=True, eq=False)
class Scene:
    """A motion ready to be shown. Arrays have one row for each frame."""

    title: str
    text: str  # the chainlist
    bodies: tuple[SceneBody, ...]
    links: tuple[SceneLink, ...]
    rails: tuple[Rail, ...]
    anchors: tuple[Place, ...]
    t: Array  # (frames,)
    q: Array  # (frames, bodies, 2)
    v: Array | None  # (frames, bodies, 2): slopes of q at the frames, see thinning.slopes
    tension: Array | None = None  # (frames, links), positive where a link pulls
    panels: tuple[Panel, ...] = ()
    figures: tuple[tuple[str, str], ...] = ()  # of the report: label, value
    notes: tuple[str, ...] = ()
    strobe: float = 1.0  # time between exposures [s]
    plotmode: str = "ANIMATE"
    samples: int = 0  # of the run; the scene keeps len(t) of them as frames

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
    only: Collection[str] | None = None,
) -> Scene:
    """The scene of a run of `mechanism`.

    Args:
        t: times of the samples, (samples,) [s], increasing.
        q: positions, (samples, bodies, 2) [m]; rows that are not finite are not drawn.
        v: velocities of the same shape [m/s]; None where they were not kept.
        tension: (samples, links) [N], in the order of `mechanism.links`.
        panels: curves with all their samples; they are thinned here without losing a peak.
        only: names of constraints; these alone are shown, with the bodies that they hold. None: everything.
    """
    times, places, speeds, pulls = _checked(mechanism, t, q, v, tension)
    shown = [c for c in mechanism.constraints if only is None or c.name in only]
    bodies = _bodies_shown(mechanism, shown, everything=only is None)
    index = {mechanism.bodies[old].name: new for new, old in enumerate(bodies)}
    links = [c for c in shown if c.letter == "C"]
    places = places[:, bodies]
    speeds = slopes(times, places, None if speeds is None else speeds[:, bodies])
    kept = frames_to_keep(times, places, speeds, min(MOST_FRAMES, max(2, MOST_PLACES // max(len(bodies), 1))))
    column = {c.name: i for i, c in enumerate(mechanism.links)}
    return Scene(
        title=mechanism.title,
        text=mechanism.text,
        bodies=tuple(SceneBody(mechanism.bodies[i].name, mechanism.bodies[i].mass) for i in bodies),
        links=tuple(_link(c, index) for c in links),
        rails=tuple(_rail(c, index) for c in shown if c.letter == "S"),
        anchors=_anchors(links),
        t=times[kept],
        q=places[kept],
        v=None if speeds is None else speeds[kept],
        tension=None if pulls is None else pulls[kept][:, [column[c.name] for c in links]],
        panels=thinned_panels(panels, times),
        figures=tuple(figures),
        notes=tuple(notes),
        strobe=mechanism.options.frame or round_interval(float(times[-1] - times[0]) / 50),
        plotmode=mechanism.options.plotmode,
        samples=len(times),
    )


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


def _thinned(panel: Panel, curve: Curve, times: Array, most: int) -> Curve:
    x, y = np.asarray(curve.x, dtype=float), np.asarray(curve.y, dtype=float)
    if x.ndim != 1 or x.shape != y.shape:
        raise ValueError(f"curve {curve.name!r} of panel {panel.title!r}: x {x.shape} and y {y.shape} do not fit")
    if panel.kind == "time":
        kept = points_to_keep(y, most)
        return Curve(curve.name, x[kept], y[kept])
    own = times if curve.t is None else np.asarray(curve.t, dtype=float)
    if own.shape != x.shape:
        raise ValueError(f"curve {curve.name!r} of panel {panel.title!r} has {len(x)} points but {len(own)} times")
    kept = even_points(len(x), most) if len(x) else np.arange(0)
    return Curve(curve.name, x[kept], y[kept], own[kept])


def _checked(
    mechanism: Mechanism, t: ArrayLike, q: ArrayLike, v: ArrayLike | None, tension: ArrayLike | None
) -> tuple[Array, Array, Array | None, Array | None]:
    """The arrays as floats, with shapes that fit the mechanism and one another."""
    times = np.asarray(t, dtype=float)
    if times.ndim != 1 or len(times) == 0:
        raise ValueError(f"a scene needs at least one sample; t has shape {times.shape}")
    want = (len(times), len(mechanism.bodies), 2)
    places = np.asarray(q, dtype=float)
    if places.shape != want:
        raise ValueError(f"q has shape {places.shape}, not (samples, bodies, 2) = {want}")
    speeds = None if v is None else np.asarray(v, dtype=float)
    if speeds is not None and speeds.shape != want:
        raise ValueError(f"v has shape {speeds.shape}, not (samples, bodies, 2) = {want}")
    pulls = None if tension is None else np.asarray(tension, dtype=float)
    if pulls is not None and pulls.shape != (len(times), len(mechanism.links)):
        raise ValueError(
            f"tension has shape {pulls.shape}, not (samples, links) = {(len(times), len(mechanism.links))}"
        )
    return times, places, speeds, pulls


def _bodies_shown(mechanism: Mechanism, shown: Sequence[Element], *, everything: bool) -> list[int]:
    if everything:
        return list(range(len(mechanism.bodies)))
    held = {end for constraint in shown for end in constraint.ends if isinstance(end, str)}
    return [i for i, body in enumerate(mechanism.bodies) if body.name in held]


def _link(constraint: Element, index: dict[str, int]) -> SceneLink:
    first, second = (index[end] if isinstance(end, str) else (end[0], end[1]) for end in constraint.ends)
    return SceneLink(constraint.name, (first, second))


def _rail(constraint: Element, index: dict[str, int]) -> Rail:
    (body,) = constraint.ends
    k1, k2, konst = constraint.parameters
    return Rail(constraint.name, index[str(body)], (k1, k2, konst))


def _anchors(links: Sequence[Element]) -> tuple[Place, ...]:
    """The fixed points on which links hang, each once."""
    return tuple(dict.fromkeys((end[0], end[1]) for c in links for end in c.ends if not isinstance(end, str)))
