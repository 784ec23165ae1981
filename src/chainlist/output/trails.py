"""Paths that lie over the picture of a mechanism: their colours, where they lead, and the room that they need."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.model.mechanism import Item
from chainlist.output.camera import Camera, View, seen_path
from chainlist.output.sketch import Sketch
from chainlist.run.observables import Observable, kind_of_item, observe_moments
from chainlist.run.quantities import Moments, Motion

Floats = NDArray[np.float64]

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#8C6D31"]  # Okabe and Ito
_OUT_OF_SIGHT = 1e30  # values of a run that broke down


@dataclass(frozen=True)
class Trail:
    """The way of one body over the samples of a motion, (samples, 2) as the camera sees it."""

    line: Floats
    colour: tuple[int, int, int]


def trails_of(motion: Motion, items: Iterable[Item], camera: Camera) -> tuple[Trail, ...]:
    """The paths among the items of a panel, in the colours of the figure."""
    paths = [item for item in items if kind_of_item(item.formula) == "path"]
    moments = Moments(motion)
    lines = lines_of([observe_moments(moments, item) for item in paths], camera)
    return tuple(Trail(line, _rgb(c)) for line, c in zip(lines, palette(len(lines)), strict=True))


def with_room(parts: Sketch, lines: Iterable[Floats]) -> Sketch:
    """The sketch with a larger view, which holds lines (n, 2) too; not where WINDOW says what is shown."""
    view = parts.view
    for line in lines:
        x, y = line.T
        if np.isfinite(line).all(axis=1).any():
            view = View(
                min(view.left, float(np.nanmin(x))),
                min(view.bottom, float(np.nanmin(y))),
                max(view.right, float(np.nanmax(x))),
                max(view.top, float(np.nanmax(y))),
            )
    return parts if parts.windowed else replace(parts, view=view)


def lines_of(paths: Iterable[Observable], camera: Camera) -> list[Floats]:
    """Where the curves of paths lead, (samples, 2)."""
    curves = [curve for path in paths for curve in path.curves]
    return [np.stack([in_sight(values) for values in seen_path(curve, camera)], axis=-1) for curve in curves]


def palette(count: int) -> list[Any]:
    """Distinct colours for a few curves, a scale from dark to light for many."""
    if count <= len(COLOURS):
        return COLOURS[:count]
    from matplotlib import colormaps

    return [colormaps["viridis"](x) for x in np.linspace(0.0, 0.92, count)]


def in_sight(values: Floats) -> Floats:
    """Gaps where a broken run has no numbers, or numbers that no axis can hold."""
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(values) < _OUT_OF_SIGHT, values, np.nan)


def _rgb(colour: Any) -> tuple[int, int, int]:
    """0 to 255, of a colour as matplotlib has it."""
    if isinstance(colour, str):
        return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
    red, green, blue = (round(255 * float(part)) for part in colour[:3])
    return red, green, blue
