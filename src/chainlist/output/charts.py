"""Pictures of analyses: charts that they describe as data, and motions beside that of the run."""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from chainlist.analyses.base import Chart, Finding, Heat, Motion
from chainlist.model.mechanism import Item, Plot, Quantity
from chainlist.output.formats import MOVING, STILL
from chainlist.output.gif import write_animation
from chainlist.output.page import Image
from chainlist.output.plots import STYLE, WIDTH, draw_figure, save_figure
from chainlist.output.writing import Wanted, Written

_HEIGHT = 3.2  # inches
_DPI = 160  # of pictures in a page
_MOST_IN_LEGEND = 10


def write_charts(findings: Iterable[Finding], folder: Path, wanted: Wanted, written: Written) -> None:
    """Every picture of every analysis, in the formats of the run's own pictures."""
    if not wanted.plots:
        return
    taken: set[str] = set()
    for finding in findings:
        for picture in finding.result.pictures():
            name = _free(picture.file, taken)
            if isinstance(picture, Motion) and len(picture.trajectory) > 1:
                _write_moving(picture, folder / name, wanted, written)
            else:
                _write(lambda picture=picture: _figure(picture), folder / name, wanted, written)


def images_of(findings: Iterable[Finding]) -> list[Image]:
    """The same for a page: charts stand still, modes move."""
    found = []
    for finding in findings:
        for picture in finding.result.pictures():
            if isinstance(picture, Motion) and len(picture.trajectory) > 1:
                with tempfile.TemporaryDirectory() as folder:
                    path = Path(folder) / "motion.gif"
                    write_animation(picture.trajectory, path)
                    found.append(Image(_title(picture), "gif", path.read_bytes()))
                continue
            out = io.BytesIO()
            _figure(picture).savefig(out, format="png", dpi=_DPI)
            found.append(Image(_title(picture), "png", out.getvalue()))
    return found


def _figure(picture: Chart | Heat | Motion) -> Any:
    if isinstance(picture, Chart):
        return draw_chart(picture)
    return draw_heat(picture) if isinstance(picture, Heat) else _still(picture)


def _title(picture: Chart | Heat | Motion) -> str:
    if isinstance(picture, Motion):
        return re.sub(r"^op\b", "equilibrium", picture.file).replace("-", " ").capitalize()
    return picture.title if isinstance(picture, Chart) else f"{picture.title} over {picture.across} and {picture.up}"


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
                save_figure(figure, path)


def _write_moving(picture: Motion, base: Path, wanted: Wanted, written: Written) -> None:
    for kind in wanted.formats or ("gif",):
        if kind in MOVING:
            with written.file(base.with_suffix(f".{kind}")) as path:
                write_animation(picture.trajectory, path)


def _still(picture: Motion) -> Any:
    mechanism = picture.trajectory.mechanism
    names = tuple(element.name for element in mechanism.elements)
    everything = Item("at rest", Quantity("CONSTRAINTS", names))
    return draw_figure(picture.trajectory, Plot(((everything,),)), names=True)


def draw_chart(chart: Chart) -> Any:
    """The matplotlib figure of a chart."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, _HEIGHT), layout="constrained")
        axes = figure.subplots()
        for number, series in enumerate(chart.series):
            colour = f"C{number % 8}"
            if chart.kind == "dots":
                axes.plot(series.x, series.y, ".", markersize=3, label=series.label, color=colour)
            elif chart.kind == "stems":
                axes.vlines(series.x, 0.0, series.y, color=colour, linewidth=1.6)
                axes.plot(series.x, series.y, "o", markersize=4, label=series.label, color=colour)
            elif chart.kind == "histogram":
                axes.stairs(series.y, series.x, fill=True, color=colour, alpha=0.8)
            else:
                axes.plot(series.x, series.y, label=series.label, color=colour)
        axes.set(title=chart.title, xlabel=chart.across, ylabel=chart.up)
        if chart.log:
            axes.set_yscale("log")
        if chart.log_x:
            axes.set_xscale("log")
        if chart.kind == "stems" and not chart.log:
            axes.set_ylim(bottom=0.0)
        if chart.counts:
            axes.locator_params(axis="x", integer=True)
        if 1 < sum(bool(series.label) for series in chart.series) <= _MOST_IN_LEGEND:
            axes.legend()
    return figure


def draw_heat(heat: Heat) -> Any:
    """Values over two parameters; runs without a value stay blank."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({**STYLE, "axes.grid": False}):
        figure = Figure(figsize=(WIDTH, 0.8 * WIDTH), layout="constrained")
        axes = figure.subplots()
        axes.set_facecolor("#F2F3F5")
        # a picture of large tables, not as many rectangles as there are runs
        drawn = axes.pcolormesh(
            heat.across_values, heat.up_values, heat.values, cmap="viridis", shading="nearest", rasterized=True
        )
        figure.colorbar(drawn, ax=axes, label=heat.title)
        axes.set(xlabel=heat.across, ylabel=heat.up)
    return figure
