"""Drawing for the pages of the laboratory: small figures of curves, and strobe pictures of mechanisms."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np

from chainlist.labs.base import Diagram, Illustration
from chainlist.model.ask import ask
from chainlist.model.mechanism import Plot
from chainlist.output.plots import draw_figure, save_figure

_COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"]  # Okabe and Ito
_POINTS = 700  # of a curve: more than the eye can tell apart at this size
_OUT_OF_SIGHT = 1e30


def save_drawing(drawing: Illustration, folder: Path, stem: str) -> list[str]:
    """Write the pictures of a drawing; return the names of the files."""
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    if drawing.panels:
        names.append(f"{stem}.svg")
        save_figure(_curves(drawing.panels), folder / names[-1])
    for number, (_, motion) in enumerate(drawing.motions):
        names.append(f"{stem}-{number + 1}.png" if len(drawing.motions) > 1 else f"{stem}.png")
        picture = draw_figure(motion, Plot(((ask(motion.mechanism, "CONSTRAINTS(ALL)"),),)), title=False)
        save_figure(picture, folder / names[-1], dpi=70)
    return names


def _curves(panels: tuple[Diagram, ...]) -> Any:
    """One row of panels below the other."""
    import matplotlib
    from matplotlib.figure import Figure

    heights = [3.4 if panel.square else 1.75 for panel in panels]
    with matplotlib.rc_context({"font.size": 8, "svg.fonttype": "path", "svg.hashsalt": "chainlist"}):
        figure = Figure(figsize=(6.3, sum(heights) + 0.3), layout="constrained")
        cells = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)
        for panel, axes in zip(panels, cells[:, 0], strict=True):
            _draw_panel(axes, panel)
    return figure


def _draw_panel(axes: Any, panel: Diagram) -> None:
    for number, curve in enumerate(panel.curves):
        x, y = _thin(np.asarray(curve.x, dtype=float), np.asarray(curve.y, dtype=float))
        style = "--" if curve.dashed else "-"
        colour = _COLOURS[number % len(_COLOURS)]
        axes.plot(x, y, style, color=colour, linewidth=0.9, label=curve.label or None)
    axes.set_xlabel(panel.x)
    axes.set_ylabel(panel.y)
    if panel.log:
        axes.set_yscale("log")
    if panel.limits is not None:
        axes.set_ylim(*panel.limits)
    if panel.square:
        axes.set_aspect("equal", adjustable="datalim")
    if panel.title:
        axes.set_title(panel.title, loc="left", fontsize=8, color="#555555")
    axes.grid(True, linewidth=0.4, color="#e0e0e0")
    axes.spines[["top", "right"]].set_visible(False)
    if any(curve.label for curve in panel.curves):
        axes.legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))


def _thin(x: Any, y: Any) -> tuple[Any, Any]:
    """At most a few hundred points, the extremes of each stretch among them; gaps where no axis could follow."""
    with np.errstate(invalid="ignore"):
        y = np.where(np.abs(y) < _OUT_OF_SIGHT, y, np.nan)
        x = np.where(np.abs(x) < _OUT_OF_SIGHT, x, np.nan)
    if len(x) <= _POINTS:
        return x, y
    edges = np.linspace(0, len(x), _POINTS // 2 + 1).astype(int)
    chosen = []
    for start, stop in itertools.pairwise(edges):
        piece = y[start:stop]
        if np.isnan(piece).all():
            chosen.append(start)
            continue
        chosen += sorted({start + int(np.nanargmin(piece)), start + int(np.nanargmax(piece))})
    keep = sorted({0, *chosen, len(x) - 1})
    return x[keep], y[keep]
