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
_FILLED = 0.75  # of its row: a picture that fills less has other panels beside it
_MOST_BESIDE, _LEAST_WIDTH = 3, 1.4  # panels; inches of such a picture
_WIDEST, _NARROW = (
    0.6,
    0.5,
)  # of the width that it takes at most, beside one panel and beside several: they would be small
_HIGHEST_BESIDE, _ALONE = 4.0, 0.55  # inches, and of the width: such a picture beside one panel alone
_PASSES = 12  # until widths and heights fit one another
_FLAT = 0.42  # height over width of a picture that is too flat for half the width
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
            return float(np.clip(self.shape, 0.3, 1.25))
        if self.kind == "path" or self.shares_scale:
            return height_of_paths(self.observables)
        return 0.5 if self.kind in ("phase", "versus") else 0.36

    @property
    def shape(self) -> float:
        """Height over width of its picture, 0.0 where it has none."""
        return 0.0 if self.picture is None else self.picture.view.height / self.picture.view.width

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

    lines = _title_lines(title)
    above = _TITLE_LINE * len(lines)
    plan = _plan(panels, above)
    figure = Figure(figsize=(WIDTH, above + sum(plan.heights)), layout="constrained")
    layout: Any = figure.get_layout_engine()
    layout.set(w_pad=0.05, h_pad=0.06, hspace=0.04, wspace=0.03)
    if lines:
        # What people write is no mathematics, whatever signs are in it.
        figure.suptitle("\n".join(lines), x=0.01, ha="left", fontsize=_TITLE, fontweight="bold", parse_math=False)
    columns = max(map(len, plan.rows))
    widths = plan.widths if columns == 2 else None
    outer = figure.add_gridspec(len(plan.heights), columns, height_ratios=plan.heights, width_ratios=widths)
    cells = []
    for panel, place in zip(panels, _places(plan, outer), strict=True):
        # A panel of one part stands in the outer grid itself: there the axes of a column are aligned.
        inner = place.subgridspec(1, len(panel)) if len(panel) > 1 else [place]
        cells.append([figure.add_subplot(inner[i]) for i in range(len(panel))])
    return figure, cells


@dataclass(frozen=True)
class _Plan:
    """The numbers of the panels of each row, and how high rows are; the first panel reaches over as many rows as it is named in."""

    rows: list[list[int]]
    heights: list[float]
    widths: tuple[float, float] = (1.0, 1.0)  # of two columns, in proportion


def _places(plan: _Plan, outer: Any) -> list[Any]:
    """The place of each panel in the grid."""
    found: dict[int, Any] = {}
    tall = sum(0 in row for row in plan.rows)
    for n, row in enumerate(plan.rows):
        even = plan.widths == (1.0, 1.0) or 0 in row
        pair = outer[n, :].subgridspec(1, 2) if len(row) == 2 and not even else [outer[n, k] for k in range(len(row))]
        for k, at in enumerate(row):
            found.setdefault(at, outer[n, :] if len(row) == 1 else outer[:tall, 0] if at == 0 else pair[k])
    return [found[at] for at in sorted(found)]


def _plan(panels: Panels, above: float) -> _Plan:
    rows = _rows(panels)
    heights = fit_page([max(_height(panels[at], WIDTH / len(row)) for at in row) for row in rows], above)
    first = panels[0]
    if len(panels) > 1 and len(first) == 1 and first[0].shape > 0.0:
        drawn = (heights[0] - _ABOVE_AND_BELOW) / first[0].shape + BESIDE
        if drawn < _FILLED * WIDTH / len(rows[0]):
            return _beside_picture(panels, above) or _Plan(rows, heights)
    return _Plan(rows, heights)


def _beside_picture(panels: Panels, above: float) -> _Plan | None:
    """A picture that would leave much of its row blank has others at its right, as many as its height has room for."""
    shape, found = panels[0][0].shape, None
    narrow = next((n for n, panel in enumerate(panels[1:]) if _is_wide(panel)), len(panels) - 1)
    for count in range(1, min(narrow, _MOST_BESIDE) + 1):
        lower = _paired(panels, range(count + 1, len(panels)))
        below = [max(_height(panels[at], WIDTH / len(row)) for at in row) for row in lower]
        width = 0.5 * WIDTH
        for _ in range(_PASSES):  # a wider picture leaves the others less width, and so less height
            right = [_height(panel, WIDTH - width) for panel in panels[1 : count + 1]]
            if count == 1:  # one panel is as high as suits the picture
                right = [min(_HIGHEST_BESIDE, max(*right, (_ALONE * WIDTH - BESIDE) * shape + _ABOVE_AND_BELOW))]
            top, *under = fit_page([sum(right), *below], above)
            width = (top - _ABOVE_AND_BELOW) / shape + BESIDE
        if width > (_WIDEST if count == 1 else _NARROW) * WIDTH:
            break
        heights = [height * top / sum(right) for height in right] + under
        rows = [*([0, at] for at in range(1, count + 1)), *lower]
        found = _Plan(rows, heights, (max(width, _LEAST_WIDTH), WIDTH - max(width, _LEAST_WIDTH)))
    return found


def _rows(panels: Panels) -> list[list[int]]:
    """The numbers of the panels of each row."""
    return _paired(panels, range(len(panels)))


def _paired(panels: Panels, which: range) -> list[list[int]]:
    """In two columns where the panels of a figure are many; one that half the width would squeeze stands alone."""
    rows: list[list[int]] = []
    for at in which:
        joins = len(panels) > _ONE_COLUMN and rows and len(rows[-1]) == 1
        if joins and not _is_wide(panels[at]) and not _is_wide(panels[rows[-1][0]]):
            rows[-1].append(at)
        else:
            rows.append([at])
    return rows


def _is_wide(panel: list[Subplot]) -> bool:
    return len(panel) > 1 or any(part.legend_beside > _LONGEST_BESIDE or 0.0 < part.shape < _FLAT for part in panel)


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
        widths = grid.get_width_ratios()
        share *= sum(widths[spec.colspan.start : spec.colspan.stop]) / sum(widths)
        spec = getattr(grid, "_subplot_spec", None)
    return float(share * axes.figure.get_figwidth() - BESIDE)


def height_of(axes: Any) -> float:
    """Inches of the axes of a panel from foot to top, about."""
    place = axes.get_subplotspec()
    if place is None:  # of a picture alone, which has the place that it was given
        return float(axes.get_position().height * axes.figure.get_figheight())
    outer = place.get_topmost_subplotspec()
    rows = outer.rowspan
    return float(sum(outer.get_gridspec().get_height_ratios()[rows.start : rows.stop])) - _ABOVE_AND_BELOW


def stacked(label: str, size: float, room: float) -> str:
    """A label with its unit in a line of its own where it is longer than `room` inches."""
    words, bracket, unit = label.rpartition(" [")
    if length_of(label, size) <= room or not bracket:
        return label
    return shortened(words, lambda text: length_of(text, size) <= room) + f"\n[{unit}"


def wrapped(text: str, size: float, room: float) -> str:
    """A text in lines that are no longer than `room` inches, but for single words."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".lstrip()
        lines[-1:] = [longer] if length_of(longer, size) <= room or not lines[-1] else [lines[-1], word]
    return "\n".join(lines)


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
