"""Names of bodies in pictures: each in a free corner of its body; one for which there is no room is left out.

How large a picture is in print is known only when it is drawn, so names find their places then.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.output.drawing import Place
from chainlist.output.sketch import Moment, Sketch

Floats = NDArray[np.float64]
Corner = tuple[int, int]

_SIZE = 7  # points of letters
_ASIDE, _ABOVE = 5, 4  # points from the middle of a body to its name
_DOT = 2.0  # points: so near to the middle of another body there is no name
_CORNERS: list[Corner] = [(1, 1), (-1, 1), (1, -1), (-1, -1)]
_ALONG = 0.75  # cosine between a rod and the way to a name, above which the rod crosses the name


def write_names(axes: Any, parts: Sketch, moment: Moment) -> None:
    """The names of all bodies, as far as there is room for them in the picture as it is drawn."""
    rods = [[moment.place(end) for end in rod.points] for rod in parts.rods_at(moment)]
    grounds = [moment.place(pivot) for pivot in parts.pivots]
    texts, corners = [], []
    for body, name in zip(parts.bodies, parts.names, strict=True):
        at = moment.place(body)
        free = [c for c in _CORNERS if not any(_on_ground(at, c, name, ground, parts.unit) for ground in grounds)]
        corners.append(_beside_rods(at, rods, free or _CORNERS))
        texts.append(axes.annotate(name, at, xytext=(0, 0), textcoords="offset points", fontsize=_SIZE, zorder=6))
        _put(texts[-1], corners[-1][0])
    if texts:
        axes.add_artist(_placing(texts, corners))


def _put(text: Any, corner: Corner) -> None:
    across, up = corner
    text.set(ha="left" if across > 0 else "right", va="bottom" if up > 0 else "top")
    text.xyann = (_ASIDE * across, _ABOVE * up)


def _placing(texts: list[Any], corners: list[list[Corner]]) -> Any:
    """What is drawn before the names, shows nothing, and puts each into the first of its corners where it lies on nothing else."""
    from matplotlib.artist import Artist

    class Placing(Artist):
        def draw(self, renderer: Any) -> None:
            _place(texts, corners, renderer)

    placing = Placing()
    placing.set_zorder(0.0)
    placing.set_in_layout(False)
    return placing


def _place(texts: list[Any], corners: list[list[Corner]], renderer: Any) -> None:
    dots = texts[0].axes.transData.transform([text.xy for text in texts])
    reach = renderer.points_to_pixels(_DOT)
    taken = np.concatenate([dots - reach, dots + reach], axis=1)  # left, bottom, right, top
    for n in dict.fromkeys((0, len(texts) - 1, *range(len(texts)))):  # of a chain both ends have names
        text, others = texts[n], np.delete(taken, n, axis=0)
        text.set_visible(True)
        for corner in corners[n]:
            _put(text, corner)
            box = np.array(text.get_window_extent(renderer).extents)
            if not _overlaps(box, others):
                taken = np.concatenate([taken, box[None]])
                break
        else:
            _put(text, corners[n][0])
            text.set_visible(False)


def _overlaps(box: Floats, others: Floats) -> bool:
    return bool(((box[:2] < others[:, 2:]) & (box[2:] > others[:, :2])).all(axis=1).any())


def _on_ground(at: Place, corner: Corner, name: str, pivot: Place, unit: float) -> bool:
    """Whether a name in a corner of a body would lie on the hatching below a pivot; in radii of a body, about."""
    x, y = ((a - b) / unit for a, b in zip(at, pivot, strict=True))
    x, y = x + corner[0] * (1.3 + 0.6 * len(name)), y + corner[1] * 2.0  # the middle of the name
    return abs(x) < 2.5 + 0.6 * len(name) and -3.6 < y < 0.5


def _beside_rods(at: Place, rods: list[list[tuple[float, float]]], corners: list[Corner]) -> list[Corner]:
    """The corners of a body in which no rod goes away from it; where there is none, that which is farthest from rods."""
    ways = [np.subtract(other, at) for rod in rods if at in rod for other in rod if other != at]
    # how near the nearest rod lies to the name, by the cosine between: of a rod along an axis 0.7
    nearest = [max((float(np.dot(way, c) / np.hypot(*way) / 2**0.5) for way in ways), default=0.0) for c in corners]
    free = [corner for corner, near in zip(corners, nearest, strict=True) if near < _ALONG]
    return free or [corners[int(np.argmin(nearest))]]
