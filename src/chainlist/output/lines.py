"""Lines of a panel with their colours, dashes and legend: none hides another, and no name lies on a curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.output.arrangement import MOST_IN_LINE, height_of, length_of, room_of
from chainlist.output.style import STYLE
from chainlist.output.trails import in_sight, palette

Floats = NDArray[np.float64]
Line = tuple[Floats, Floats, str, tuple[str, str], int]  # x, y, what a legend says, of what it is a curve, dashes

# Components x, y, z; what lies upon another curve, and upon two.
_DASHES = ["-", (0, (4, 1.6)), (0, (1, 1.2)), (0, (6, 6)), (0, (3, 9))]
_DOTS = "os^"  # of those, where they rest
_FEW = 10  # curves: of more, one upon another is not dashed, and so many entries are beside any panel
_ENTRY = 9.4  # points: an entry of a legend beside a panel
_BESIDE = 0.3  # of the width of a panel, which a legend of several columns may take
_HANDLE = 0.45  # inches: a line in a legend, and what is left between entries
_LINE = 11.0  # points: a line of a legend
_ROUNDING = 1e-9  # of the largest value: constants that differ by less are one line
_UPON = 0.004  # of what all curves span: nearer ones hide one another


def seen_through(lines: list[Line]) -> list[Line]:
    """Few curves over time; one that lies upon an earlier one, as the total of an energy upon the work, is dashed: both are seen."""
    if not 1 < len(lines) <= _FEW or len({len(line[1]) for line in lines}) > 1:
        return lines
    values = np.array([in_sight(line[1]) for line in lines])
    known = values[np.isfinite(values)]
    near = max(_UPON * float(np.ptp(known)), _ROUNDING * float(np.abs(known).max())) if len(known) else 0.0
    found = []
    for n, (x, y, label, key, dash) in enumerate(lines):
        apart = np.abs(values[:n] - values[n])
        both = np.isfinite(apart)
        hidden = int((both.any(axis=1) & (np.where(both, apart, 0.0).max(axis=1, initial=0.0) < near)).sum())
        found.append((x, y, label, key, min(hidden, 2) + 2 if hidden and dash == 0 else dash))
    return found


def plot_lines(axes: Any, lines: list[Line], zorder: float = 2.0) -> None:
    """Lines of one colour for each entity, dashed by component; a legend where there is more than one."""
    entities = list(dict.fromkeys(key for _, _, _, key, _ in lines))
    colours = dict(zip(entities, palette(len(entities)), strict=True))
    for x, y, label, key, dash in lines:
        style: dict[str, Any] = {"color": colours[key], "linestyle": _DASHES[dash], "label": label, "zorder": zorder}
        if len(x) == 1:  # a line of one point is none
            style |= {"marker": _DOTS[dash], "markersize": 3, "linestyle": "none"}
        axes.plot(in_sight(x), in_sight(y), **style)
    handles, labels = axes.get_legend_handles_labels()
    if 1 < len(lines) <= MOST_IN_LINE:
        if _legend_length(labels) > room_of(axes) and len(entities) == 1:  # of one vector: the title says of which
            words = [label.split(" ") for label in labels]
            same = next((n for n, column in enumerate(zip(*words, strict=False)) if len(set(column)) > 1), 0)
            labels = [" ".join(each[same:]) for each in words]
        columns = len(labels)
        while columns > 1 and _legend_length(labels, columns) > room_of(axes):
            columns -= 1
        columns = -(-len(labels) // -(-len(labels) // columns))  # lines of one length: two and two, not three and one
        style = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "borderaxespad": 0.1}
        axes.legend(handles, labels, ncols=columns, **style)
        make_room_for_legend(axes, labels, rows=-(-len(labels) // columns))
    elif len(lines) > 1:
        rows = max(_FEW, int(72.0 * height_of(axes) / _ENTRY))
        columns = max(1, int(_BESIDE * room_of(axes) / _legend_length(labels, 1)))
        most = rows * columns
        style = {"loc": "center left", "bbox_to_anchor": (1.005, 0.5), "borderaxespad": 0.2}
        add_legend(axes, handles, labels, most, ncols=-(-min(len(labels), most) // rows), **style)


def add_legend(axes: Any, handles: list[Any], labels: list[str], most: int, **style: Any) -> list[str]:
    """A legend of at most so many entries, which are returned: of too many curves it names some, from the first to the last, and ends
    with how many there are besides."""
    from matplotlib.legend_handler import HandlerBase
    from matplotlib.text import Text

    class Words(HandlerBase):
        """Words in the place of a line: they reach over both columns, and no legend becomes wider for them."""

        def create_artists(
            self, legend: Any, words: Any, left: float, down: float, width: float, height: float, size: float, at: Any
        ) -> list[Any]:
            return [Text(-left, -down, words.get_text(), fontsize=size, transform=at)]

    if len(labels) <= most:
        axes.legend(handles, labels, **style)
        return labels
    chosen = np.linspace(0, len(labels) - 1, most - 1).round().astype(int)
    more = f"… {len(labels) - len(chosen)} more"
    handles, labels = [handles[i] for i in chosen], [labels[i] for i in chosen]
    axes.legend([*handles, Text(text=more)], [*labels, ""], handler_map={Text: Words()}, **style)
    return [*labels, more]


def _legend_length(labels: list[str], columns: int = 0) -> float:
    """Inches of a legend in so many columns, in one line if it is not said."""
    rows = -(-len(labels) // (columns or len(labels)))
    lengths = [length_of(label, STYLE["legend.fontsize"]) + _HANDLE for label in labels]
    return sum(max(lengths[n : n + rows]) for n in range(0, len(lengths), rows))


def make_room_for_legend(axes: Any, labels: list[str], lifted: float = 0.0, rows: int = 1) -> None:
    """Lift the title of a panel where the legend needs the whole line."""
    title = axes.get_title(loc="left")
    if rows > 1 or length_of(title, STYLE["axes.titlesize"]) + _legend_length(labels) > room_of(axes):
        axes.set_title(title, loc="left", color="#555555", pad=17 + lifted + _LINE * (rows - 1))
