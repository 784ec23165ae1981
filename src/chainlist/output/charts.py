"""Pictures of analyses: charts that they describe as data, and motions beside that of the run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.analyses.base import Animation, Chart, Finding, Heat, Series
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Item, Plot, Quantity
from chainlist.output.arrangement import WIDTH
from chainlist.output.formats import MOVING, STILL
from chainlist.output.gif import animate_as
from chainlist.output.look import Look
from chainlist.output.plots import draw_figure, label_ticks, save_figure_as
from chainlist.output.style import STYLE
from chainlist.output.trails import COLOURS
from chainlist.output.writing import Wanted, Written

_HEIGHT = 3.2  # inches
_MOST_IN_LEGEND = 10
_NO_VALUE = "#E9ECEF"
_FEW_TICKS, _APART = 12, 0.07  # values of a heat map that each have a tick, and how near to one another, of the axis
_OF_ONE = 0.7  # width of a bar that stands for one whole number
_FEW = 50  # points of a curve that are marked


def write_charts(
    findings: Iterable[Finding], folder: Path, wanted: Wanted, written: Written, machine: str = ""
) -> None:
    """Every picture of every analysis, in the formats of the run's own pictures; `machine`: the title of its chainlist."""
    if not wanted.plots:
        return
    taken: set[str] = set()
    for finding in findings:
        for picture in finding.result.pictures():
            name = _free(picture.file, taken)
            if isinstance(picture, Animation) and len(picture.trajectory) > 1:
                _write_moving(picture, folder / name, wanted, written)
            else:
                _write(lambda picture=picture: _figure(picture, machine), folder / name, wanted, written)


def _figure(picture: Chart | Heat | Animation, machine: str) -> Any:
    if isinstance(picture, Chart):
        return draw_chart(picture, machine)
    return draw_heat(picture) if isinstance(picture, Heat) else still_of(picture)


def _free(name: str, taken: set[str]) -> str:
    number, found = 2, name
    while found in taken:
        found = f"{name}-{number}"
        number += 1
    taken.add(found)
    return found


def _write(draw: Any, base: Path, wanted: Wanted, written: Written) -> None:
    figure = None
    for kind in wanted.formats or ("png",):
        if kind in STILL:
            with written.file(base.with_suffix(f".{kind}")) as path:
                figure = figure or draw()
                save_figure_as(wanted.look, figure, path)


def _write_moving(picture: Animation, base: Path, wanted: Wanted, written: Written) -> None:
    for kind in wanted.formats or ("gif",):
        if kind in MOVING:
            with written.file(base.with_suffix(f".{kind}")) as path:
                animate_as(in_its_time(wanted.look, picture), picture.trajectory, path)


def in_its_time(look: Look, picture: Animation) -> Look:
    """A look in which the film lasts as long as the picture wants, unless somebody has chosen a speed."""
    if look.speed or picture.lasting is None:
        return look
    return replace(look, speed=float(np.ptp(picture.trajectory.t)) / picture.lasting)


def still_of(picture: Animation) -> Any:
    mechanism = picture.trajectory.mechanism
    names = tuple(element.name for element in mechanism.elements)
    everything = Item(picture.title or "at rest", Quantity("CONSTRAINTS", names))
    return draw_figure(picture.trajectory, Plot(((everything,),)), names=True)


def draw_chart(chart: Chart, machine: str = "") -> Any:
    """The matplotlib figure of a chart; above it the title of the machine, if it has one."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, _HEIGHT), layout="constrained")
        axes = figure.subplots()
        for number, series in enumerate(chart.series):
            colour = COLOURS[number % len(COLOURS)]
            if chart.kind == "dots":
                axes.plot(series.x, series.y, ".", markersize=3, label=series.label, color=colour)
                _reach(axes, series)
            elif chart.kind == "stems":
                axes.vlines(series.x, 0.0, series.y, color=colour, linewidth=1.6)
                axes.plot(series.x, series.y, "o", markersize=4, label=series.label, color=colour)
            elif chart.kind == "histogram" and chart.counts:
                axes.bar(0.5 * (series.x[:-1] + series.x[1:]), series.y, _OF_ONE, color=colour, alpha=0.8)
            elif chart.kind == "histogram":
                axes.stairs(series.y, series.x, fill=True, color=colour, alpha=0.8)
            else:
                axes.plot(series.x, series.y, label=series.label, color=colour)
                # a line between two points shows nothing of one alone, and of few points not where they are
                shown = _lone(series.y) if len(series.x) > _FEW else np.isfinite(series.y)
                axes.plot(series.x[shown], series.y[shown], "o", markersize=3.5, color=colour)
                _reach(axes, series)
        axes.set(xlabel="\n".join(filter(None, (chart.across, chart.gaps))), ylabel=chart.up)
        title = chart.title if chart.title.startswith(machine) else f"{machine}\n{chart.title}"
        axes.set_title(title, loc="left", fontweight="bold", pad=16 if chart.kind == "line" else None, parse_math=False)
        if chart.log:
            axes.set_yscale("log")
        if chart.log_x:
            axes.set_xscale("log")
        if chart.kind == "stems" and not chart.log:
            axes.set_ylim(bottom=0.0)
        if chart.counts and chart.kind == "stems":
            reach = np.concatenate([series.x for series in chart.series])
            axes.set_xlim(reach.min() - 0.5, reach.max() + 0.5)
        if chart.counts:
            axes.locator_params(axis="x", integer=True, min_n_ticks=1)
        if chart.kind == "histogram":
            axes.locator_params(axis="y", integer=True, min_n_ticks=1)
        if 1 < sum(bool(series.label) for series in chart.series) <= _MOST_IN_LEGEND:
            axes.legend()
        label_ticks(figure)
    return figure


def _reach(axes: Any, series: Series) -> None:
    """Show the whole range across, also where it has no values."""
    if len(known := series.y[np.isfinite(series.y)]):
        axes.update_datalim([(series.x.min(), known[0]), (series.x.max(), known[0])])
        axes.autoscale_view()


def _lone(values: Floats) -> NDArray[np.bool_]:
    """Which values have none beside them."""
    known = np.concatenate(([False], np.isfinite(values), [False]))
    found: NDArray[np.bool_] = known[1:-1] & ~known[:-2] & ~known[2:]
    return found


def _edges(values: Floats, *, log: bool) -> Floats:
    """The borders of tiles around values, half way between two of them; on a logarithmic axis by their ratio."""
    places = np.log(values) if log else np.asarray(values, float)
    apart = np.diff(places) if len(places) > 1 else np.ones(1)
    edges = np.concatenate(
        [[places[0] - apart[0] / 2], places[:-1] + np.diff(places) / 2, [places[-1] + apart[-1] / 2]]
    )
    return np.exp(edges) if log else edges


def ticks_at_values(values: Floats, *, log: bool) -> bool:
    """Whether each value of a heat map has a tick: where they are few and not crowded."""
    places = np.log(values) if log else values
    borders = _edges(places, log=False)
    return len(values) <= _FEW_TICKS and bool(np.abs(np.diff(places)).min(initial=np.inf) >= _APART * np.ptp(borders))


def _tick_values(axis: Any, values: Floats, *, log: bool) -> None:
    if ticks_at_values(values, log=log):
        axis.set_ticks(values, labels=[f"{value:.4g}".replace("-", "\N{MINUS SIGN}") for value in values])
        axis.set_ticks([], minor=True)


def draw_heat(heat: Heat) -> Any:
    """Values over two parameters; runs without a value stay grey, and what that means is said below."""
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    with matplotlib.rc_context({**STYLE, "axes.grid": False}):
        figure = Figure(figsize=(WIDTH, 0.8 * WIDTH), layout="constrained")
        axes = figure.subplots()
        axes.set_facecolor(_NO_VALUE)
        across, up = _edges(heat.across_values, log=heat.log_x), _edges(heat.up_values, log=heat.log_y)
        # a picture of large tables, not as many rectangles as there are runs
        drawn = axes.pcolormesh(across, up, heat.values, cmap="viridis", rasterized=True)
        figure.colorbar(drawn, ax=axes, label=heat.title)
        axes.set(xlabel=heat.across, ylabel=heat.up)
        axes.set_title(": ".join(filter(None, (heat.machine, heat.name))), loc="left", fontweight="bold")
        axes.set(xscale="log" if heat.log_x else "linear", yscale="log" if heat.log_y else "linear")
        _tick_values(axes.xaxis, heat.across_values, log=heat.log_x)
        _tick_values(axes.yaxis, heat.up_values, log=heat.log_y)
        if heat.has_gaps:
            grey = Patch(facecolor=_NO_VALUE, edgecolor="#AAB2BB", linewidth=0.6, label=heat.gaps)
            figure.legend(handles=[grey], loc="outside lower right")
        label_ticks(figure)
    return figure
