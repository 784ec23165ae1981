"""What the figures share: paper, pens and words, in the style of the program's own plots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from chainlist.output.plots import COLOURS, STYLE, save_figure

WIDTH = 4.4  # inches: on a telephone the letters are still nine pixels high
BLUE, RED, GREEN = COLOURS[:3]
INK, GREY, PALE = "#222222", "#6B7280", "#C9CED6"
LETTERS = 8.5


def save(draw: Any, path: Path) -> None:
    """Give `draw` an empty figure, and write what it drew."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(layout="constrained")
        figure.get_layout_engine().set(w_pad=0.06, h_pad=0.05)
        draw(figure)
        save_figure(figure, path)


def panels(figure: Any, height: float, columns: int = 1, rows: int = 1, **words: Any) -> Any:
    """The axes of a figure: one, or an array of them."""
    figure.set_size_inches(WIDTH, height)
    return figure.subplots(rows, columns, **words)


def sketch(axes: Any, x: tuple[float, float], y: tuple[float, float]) -> None:
    """Axes that are only paper, with the same unit both ways."""
    axes.set(xlim=x, ylim=y, aspect="equal", anchor="N")
    axes.set_axis_off()


def title(axes: Any, text: str) -> None:
    axes.set_title(text, loc="left", color="#555555", pad=4)


def say(axes: Any, at: Any, text: str, colour: str = INK, to: str = "center", **words: Any) -> None:
    """Words at a place; `to` says on which side of it they are centred: left, right, above, below."""
    beside = {"left": ("right", "center"), "right": ("left", "center"), "above": ("center", "bottom")}
    across, up = beside.get(to, ("center", "top" if to == "below" else "center"))
    axes.text(*at, text, color=colour, ha=across, va=up, zorder=6, **{"fontsize": LETTERS, **words})


def arrow(axes: Any, start: Any, end: Any, colour: str = INK, width: float = 1.4, style: str = "-|>") -> None:
    look = {"arrowstyle": style, "color": colour, "linewidth": width, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 9}
    axes.annotate("", end, start, arrowprops=look, zorder=4)


def line(axes: Any, start: Any, end: Any, colour: str = INK, width: float = 1.2, style: Any = "-") -> None:
    axes.plot(*np.transpose([start, end]), style, color=colour, linewidth=width, solid_capstyle="round")


def dot(axes: Any, at: Any, colour: str = INK, size: float = 5, **words: Any) -> None:
    axes.plot(*at, "o", color=colour, markersize=size, zorder=5, **words)


def right_angle(axes: Any, corner: Any, one: Any, other: Any, size: float) -> None:
    """The mark of a right angle between two directions."""
    first, second = (size * np.asarray(way, float) / np.linalg.norm(way) for way in (one, other))
    corner = np.asarray(corner, float)
    axes.plot(*np.transpose([corner + first, corner + first + second, corner + second]), color=GREY, linewidth=0.8)


# Mechanisms


def linkage(axes: Any, *points: Any, colour: str = BLUE, width: float = 2.2, style: Any = "-") -> None:
    """Links from point to point, and the bodies there."""
    axes.plot(*np.transpose(points), style, color=colour, linewidth=width, zorder=3, solid_capstyle="round")
    for point in points:
        dot(axes, point, colour)


def anchor(axes: Any, at: Any) -> None:
    dot(axes, at, INK, 6, markerfacecolor="white", markeredgewidth=1.4)


# Measured curves


def logarithmic(axes: Any, x: str, y: str) -> None:
    from matplotlib.ticker import NullFormatter

    axes.set(xscale="log", yscale="log", xlabel=x, ylabel=y)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())
        axis.set_tick_params(which="minor", length=0)


def slope(axes: Any, start: tuple[float, float], until: float, order: float, text: str, to: str = "right") -> None:
    """A thin straight line of a known slope on logarithmic axes, from `start` to the abscissa `until`."""
    end = start[1] * (until / start[0]) ** order
    axes.plot([start[0], until], [start[1], end], ":", color=GREY, linewidth=1.1)
    middle = np.sqrt(start[0] * until), np.sqrt(start[1] * end)
    offset = {"right": (4, -2), "left": (-4, 2), "above": (0, 3), "below": (0, -3)}[to]
    across, up = {"right": ("left", "top"), "left": ("right", "bottom")}.get(
        to, ("center", "bottom" if to == "above" else "top")
    )
    axes.annotate(
        text, middle, offset, textcoords="offset points", color=GREY, ha=across, va=up, fontsize=LETTERS - 0.5
    )
