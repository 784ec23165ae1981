"""Where the panels of a figure stand: one below the other, or in two columns where there are many; and its title."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainlist.output.labels import curve_label
from chainlist.output.proportions import fit_page, height_of_paths
from chainlist.output.sketch import Sketch
from chainlist.run.observables import Kind, Observable

WIDTH = 6.3  # inches: the width of a text column on A4
LETTER = 0.075  # inches, the width of a letter
BESIDE = 0.75  # inches that labels take of the width of a panel
MOST_IN_LINE = 4  # entries of a legend above the axes; more stand beside them
_ABOVE_AND_BELOW = 0.72  # inches that labels take of its height
_ONE_COLUMN = 3  # panels that stand one below the other
_LONGEST_BESIDE = 9  # letters of a legend that leave curves their room in half the width
_TITLE, _TITLE_LINE = 9.5, 0.2  # points, inches
_TITLE_LETTERS, _TITLE_LINES = 78, 3


@dataclass(frozen=True)
class Subplot:
    """What shares one pair of axes: curves over time, paths, phase curves, or one picture with the paths over it."""

    kind: Kind
    observables: tuple[Observable, ...]
    picture: Sketch | None = None

    @property
    def weight(self) -> float:
        """Height over width that suits it."""
        if self.picture is not None:
            return float(np.clip(self.picture.view.height / self.picture.view.width, 0.3, 1.25))
        if self.kind == "path":
            return height_of_paths(self.observables)
        return 0.5 if self.kind in ("phase", "versus") else 0.36

    @property
    def legend_beside(self) -> int:
        """Letters of the widest entry of a legend beside the axes; 0 where there is none."""
        alone = len(self.observables) == 1
        texts = [
            curve_label(o, curve, component, alone=alone)
            for o in self.observables
            for curve in o.curves
            for component in o.components or "."
        ]
        return max(map(len, texts)) if len(texts) > MOST_IN_LINE else 0


Panels = list[list[Subplot]]


def arrange(panels: Panels, title: str) -> tuple[Any, list[list[Any]]]:
    """A figure with one cell for each panel, and axes for each part."""
    from matplotlib.figure import Figure

    rows = _rows(panels)
    columns = max(map(len, rows))
    lines = _title_lines(title)
    above = _TITLE_LINE * len(lines)
    heights = fit_page([max(_height(panels[at], WIDTH / len(row)) for at in row) for row in rows], above)
    figure = Figure(figsize=(WIDTH, above + sum(heights)), layout="constrained")
    layout: Any = figure.get_layout_engine()
    layout.set(w_pad=0.05, h_pad=0.06, hspace=0.04, wspace=0.03)
    if lines:
        # What people write is no mathematics, whatever signs are in it.
        figure.suptitle("\n".join(lines), x=0.01, ha="left", fontsize=_TITLE, fontweight="bold", parse_math=False)
    outer = figure.add_gridspec(len(rows), columns, height_ratios=heights)
    cells = []
    for at, panel in enumerate(panels):
        row = next(n for n, members in enumerate(rows) if at in members)
        place = outer[row, :] if len(rows[row]) == 1 else outer[row, rows[row].index(at)]
        # A panel of one part stands in the outer grid itself: there the axes of a column are aligned.
        inner = place.subgridspec(1, len(panel)) if len(panel) > 1 else [place]
        cells.append([figure.add_subplot(inner[i]) for i in range(len(panel))])
    return figure, cells


def _rows(panels: Panels) -> list[list[int]]:
    """The numbers of the panels of each row; a panel that half the width would squeeze stands alone."""
    if len(panels) <= _ONE_COLUMN:
        return [[at] for at in range(len(panels))]
    rows: list[list[int]] = []
    for at, panel in enumerate(panels):
        joins = rows and len(rows[-1]) == 1 and not _is_wide(panel) and not _is_wide(panels[rows[-1][0]])
        if joins:
            rows[-1].append(at)
        else:
            rows.append([at])
    return rows


def _is_wide(panel: list[Subplot]) -> bool:
    return len(panel) > 1 or any(part.legend_beside > _LONGEST_BESIDE for part in panel)


def _height(panel: list[Subplot], width: float) -> float:
    each = width / max(1, len(panel)) - BESIDE
    return max(1.75, *(each * part.weight + _ABOVE_AND_BELOW for part in panel))


def _title_lines(title: str) -> list[str]:
    return textwrap.wrap(title, _TITLE_LETTERS, max_lines=_TITLE_LINES, placeholder=" …") if title.strip() else []


def room_of(axes: Any) -> float:
    """Letters that fit above the axes of a panel."""
    cell, whole = axes.get_subplotspec().get_position(axes.figure), axes.figure.subplotpars
    share = cell.width / (whole.right - whole.left)  # the layout leaves less at the margins than these do
    return float((share * axes.figure.get_figwidth() - BESIDE) / LETTER)


def shortened(text: str, letters: float) -> str:
    """A text that fits, with an ellipsis where something was left out."""
    return text if len(text) <= letters else text[: max(1, int(letters) - 2)].rstrip(" ,+-*/") + " …"
