"""The work-precision plot: what an error costs, one curve for each combination of settings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chainlist.analyses.compare import Trial
from chainlist.output.plots import save_figure

_MARKERS = "osD^vP*Xhd<>"
_LEGEND_LINE = 0.165  # inches


def draw_precision(curves: Mapping[str, Sequence[Trial]], title: str) -> Any:
    """A figure with the error of each row over its time of computing, both on logarithmic axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, max(4.4, 0.9 + _LEGEND_LINE * len(curves))), layout="constrained")
    axes = figure.add_subplot()
    for number, (name, rows) in enumerate(curves.items()):
        points = [(row.seconds, row.error) for row in rows if row.error > 0 and row.ended == "well"]
        if points:
            x, y = zip(*points, strict=True)
            axes.loglog(x, y, marker=_MARKERS[number % len(_MARKERS)], markersize=4, linewidth=1, label=name)
    if axes.has_data():
        _whole_decades(axes)
    axes.set_xlabel("time of computing [s]")
    axes.set_ylabel("largest error of a position [m]")
    axes.set_title(title, loc="left", fontsize=10, color="#555555")
    axes.grid(True, which="major", linewidth=0.4, color="#dddddd")
    if axes.has_data():
        axes.legend(fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def _whole_decades(axes: Any) -> None:
    """Both axes from a power of ten to another: between them, where labels would crowd, ticks have none."""
    from matplotlib.ticker import NullFormatter

    axes.autoscale(False)  # which finds no limits around a single point
    for axis in (axes.xaxis, axes.yaxis):
        low, high = axis.get_data_interval()
        axis.set_minor_formatter(NullFormatter())
        bounds = math.floor(math.log10(low)), math.ceil(math.log10(high))
        axis.axes.set(**{f"{axis.axis_name}lim": (10.0 ** bounds[0], 10.0 ** max(bounds[1], bounds[0] + 1))})


def save_precision(curves: Mapping[str, Sequence[Trial]], title: str, path: Path) -> None:
    save_figure(draw_precision(curves, title), path)
