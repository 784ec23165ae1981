"""Where the panels of a figure stand: one below the other, or in two columns where there are many; and its title."""

from __future__ import annotations

import string
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from chainlist.output.labels import curve_label
from chainlist.output.proportions import fit_page, height_of_paths, shares_scale
from chainlist.output.sketch import Sketch
from chainlist.run.observables import Kind, Observable

WIDTH = 6.3  # inches: the width of a text column on A4
BESIDE = 0.75  # inches that labels take of the width of a panel
MOST_IN_LINE = 4  # entries of a legend above the axes; more stand beside them
_ABOVE_AND_BELOW = 0.72  # inches that labels take of its height
_ONE_COLUMN = 3  # panels that stand one below the other
_NARROW = 1.8  # height over width of a picture that shares its row
_LONGEST_BESIDE = 9  # letters of a legend that leave curves their room in half the width
_TITLE, _TITLE_LINE = 9.5, 0.2  # points, inches
_TITLE_LETTERS, _TITLE_LINES = 78, 3
_LETTERS = string.ascii_letters + string.digits + "_."
_CLOSED_BY = {"(": ")", "{": "}"}


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
        if self.kind == "path" or self.shares_scale:
            return height_of_paths(self.observables)
        return 0.5 if self.kind in ("phase", "versus") else 0.36

    @cached_property
    def shares_scale(self) -> bool:
        """Whether one item over another has one scale on both axes."""
        return self.kind == "versus" and shares_scale(self.observables)

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
        first = [0, 1] if len(panels) > 1 and _is_narrow(panels[0]) and not _is_wide(panels[1]) else [0]
        return [first, *([at] for at in range(len(first), len(panels)))]
    rows: list[list[int]] = []
    for at, panel in enumerate(panels):
        joins = rows and len(rows[-1]) == 1 and not _is_wide(panel) and not _is_wide(panels[rows[-1][0]])
        if joins:
            rows[-1].append(at)
        else:
            rows.append([at])
    return rows


def _is_narrow(panel: list[Subplot]) -> bool:
    """A picture alone that would leave most of the width blank: the next panel stands beside it."""
    view = panel[0].picture.view if len(panel) == 1 and panel[0].picture is not None else None
    return view is not None and view.height > _NARROW * view.width


def _is_wide(panel: list[Subplot]) -> bool:
    return len(panel) > 1 or any(part.legend_beside > _LONGEST_BESIDE for part in panel)


def _height(panel: list[Subplot], width: float) -> float:
    each = width / max(1, len(panel)) - BESIDE
    return max(1.75, *(each * part.weight + _ABOVE_AND_BELOW for part in panel))


def _title_lines(title: str) -> list[str]:
    return textwrap.wrap(title, _TITLE_LETTERS, max_lines=_TITLE_LINES, placeholder=" …") if title.strip() else []


def room_of(axes: Any) -> float:
    """Inches above the axes of a panel, for a title and a legend."""
    share, spec = 1.0, axes.get_subplotspec()
    while spec is not None:  # from the grid inside a panel to that of the figure
        grid = spec.get_gridspec()
        share *= len(spec.colspan) / grid.ncols
        spec = getattr(grid, "_subplot_spec", None)
    return float(share * axes.figure.get_figwidth() - BESIDE)


def height_of(axes: Any) -> float:
    """Inches of the axes of a panel from foot to top, about."""
    place = axes.get_subplotspec()
    if place is None:  # of a picture alone, which has the place that it was given
        return float(axes.get_position().height * axes.figure.get_figheight())
    outer = place.get_topmost_subplotspec()
    return float(outer.get_gridspec().get_height_ratios()[outer.rowspan.start]) - _ABOVE_AND_BELOW


def stacked(label: str, size: float, room: float) -> str:
    """A label with its unit in a line of its own where it is longer than `room` inches."""
    words, bracket, unit = label.rpartition(" [")
    if length_of(label, size) <= room or not bracket:
        return label
    return shortened(words, lambda text: length_of(text, size) <= room) + f"\n[{unit}"


def length_of(text: str, size: float) -> float:
    """Inches that a text of `size` points takes."""
    from matplotlib import rcParams
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=rcParams["font.family"], size=size)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width) / 72.0


def shortened(text: str, fits: Callable[[str], bool]) -> str:
    """A text that fits, with an ellipsis where something was left out; brackets that were cut are closed: `ANGLE(R1,…)`."""
    if fits(text):
        return text
    tries = (_cut(text, length) for length in range(len(text) - 1, 0, -1))
    return next((short for short in tries if fits(short)), "…")


def _cut(text: str, length: int) -> str:
    """The first letters; no name is cut in two where others stand before it."""
    kept = text[:length]
    if text[length].isalnum() and kept[-1].isalnum() and (whole := kept.rstrip(_LETTERS)):
        kept = whole
    kept = kept.rstrip(" +-*/")
    closing = ""
    for letter in kept:
        closing = _CLOSED_BY[letter] + closing if letter in _CLOSED_BY else closing
        closing = closing[1:] if closing.startswith(letter) else closing
    return f"{kept}…{closing}" if closing else f"{kept} …"
