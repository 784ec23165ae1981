"""Figures of `.plot`: each item a panel, groups in one panel; ready to be put into a paper.

matplotlib draws with its own font on a canvas of its own: no window, no state shared between figures.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.model.mechanism import Item, Plot
from chainlist.output.camera import camera_of, seen_path
from chainlist.output.files import replacing
from chainlist.output.floor import floor_under
from chainlist.output.formats import STILL
from chainlist.output.labels import NOT_UNIQUE, curve_label, value_label, with_unit
from chainlist.output.pictures import draw_ground_of_space, draw_picture
from chainlist.output.presence import events_of
from chainlist.output.sketch import Sketch, sketch
from chainlist.run.observables import Kind, Observable, observe_moments
from chainlist.run.quantities import Moments, Motion

Floats = NDArray[np.float64]

WIDTH = 6.3  # inches: the width of a text column on A4
DPI = 200
_BESIDE, _ABOVE_AND_BELOW = 0.75, 0.72  # inches that labels take of a panel
_COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#8C6D31"]  # Okabe and Ito
_DASHES = ["-", (0, (4, 1.6)), (0, (1, 1.2))]  # components x, y, z
_LETTER = 0.075  # inches, the width of a letter
_MOST_IN_LEGEND = 10
_MOST_IN_LINE = 4  # entries of a legend above the axes; more stand beside them
_OUT_OF_SIGHT = 1e30  # values of a run that broke down
STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "mathtext.fontset": "dejavusans",
    "font.size": 8.5,
    "axes.titlesize": 8.5,
    "axes.labelsize": 8.5,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "legend.handlelength": 1.8,
    "legend.labelspacing": 0.25,
    "legend.columnspacing": 1.2,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E4E7EB",
    "grid.linewidth": 0.5,
    "lines.linewidth": 0.9,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "axes.formatter.limits": (-4, 5),
    "axes.formatter.use_mathtext": True,
    "path.simplify_threshold": 0.2,
    "agg.path.chunksize": 20_000,
    "svg.fonttype": "path",
    "svg.hashsalt": "chainlist",
    "pdf.fonttype": 42,
}


@dataclass(frozen=True)
class _Part:
    """What shares one pair of axes: curves over time, paths, phase curves, or one picture."""

    kind: Kind
    observables: tuple[Observable, ...]
    picture: Sketch | None = None

    @property
    def weight(self) -> float:
        """Height over width that suits it."""
        if self.picture is not None:
            return float(np.clip(self.picture.view.height / self.picture.view.width, 0.3, 1.25))
        return {"path": 0.75, "phase": 0.5}.get(self.kind, 0.36)


def draw_figure(motion: Motion, plot: Plot, *, names: bool = False) -> Any:
    """The matplotlib figure of one `.plot`; `names` writes the names of bodies into pictures."""
    import matplotlib

    moments = Moments(motion)
    panels = [_parts(moments, motion, panel) for panel in plot.panels]
    with matplotlib.rc_context(STYLE):
        figure, cells = _arrange(panels)
        for panel, places in zip(panels, cells, strict=True):
            for part, axes in zip(panel, places, strict=True):
                _draw(axes, motion, part, names=names)
    return figure


def save_figure(figure: Any, path: str | Path, *, dpi: int = DPI) -> None:
    """Write a figure as PNG, SVG or PDF, by the suffix of the file. The same motion gives the same bytes."""
    import matplotlib

    path = Path(path)
    kind = path.suffix.lower().lstrip(".")
    if kind not in STILL:
        raise ValueError(f"figures are written as {', '.join(STILL)}, not as {path.suffix or path.name}")
    dates: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}[kind]
    with matplotlib.rc_context(STYLE), replacing(path) as temporary:
        figure.savefig(temporary, format=kind, dpi=dpi, metadata=dates)


def _parts(moments: Moments, motion: Motion, panel: tuple[Item, ...]) -> list[_Part]:
    """Items of a panel that share axes; pictures stand beside the curves."""
    observables = [observe_moments(moments, item) for item in panel]
    parts = []
    for kind in ("time", "path", "phase"):
        same = tuple(o for o in observables if o.kind == kind)
        if same:
            parts.append(_Part(kind, same))
    for observable in observables:
        if observable.kind == "picture":
            moments.need_positions()
            parts.append(_Part("picture", (observable,), sketch(motion, observable.names)))
    return parts


def _arrange(panels: list[list[_Part]]) -> tuple[Any, list[list[Any]]]:
    """A figure with one cell for each panel, in two columns where there are many, and axes for each part."""
    from matplotlib.figure import Figure

    columns = 2 if len(panels) > 3 else 1
    rows = [panels[at : at + columns] for at in range(0, len(panels), columns)]
    heights = [max(_height(panel, WIDTH / columns) for panel in row) for row in rows]
    figure = Figure(figsize=(WIDTH, sum(heights)), layout="constrained")
    layout: Any = figure.get_layout_engine()
    layout.set(w_pad=0.05, h_pad=0.06, hspace=0.04, wspace=0.03)
    outer = figure.add_gridspec(len(rows), columns, height_ratios=heights)
    cells = []
    for at, panel in enumerate(panels):
        row, column = divmod(at, columns)
        last_alone = columns == 2 and at == len(panels) - 1 and column == 0
        place = outer[row, :] if last_alone else outer[row, column]
        # A panel of one part stands in the outer grid itself: there the axes of a column are aligned.
        inner = place.subgridspec(1, len(panel)) if len(panel) > 1 else [place]
        cells.append([figure.add_subplot(inner[i]) for i in range(len(panel))])
    return figure, cells


def _height(panel: list[_Part], width: float) -> float:
    each = width / max(1, len(panel)) - _BESIDE
    return max(1.75, *(each * part.weight + _ABOVE_AND_BELOW for part in panel))


def _draw(axes: Any, motion: Motion, part: _Part, *, names: bool) -> None:
    axes.set_title("  ".join(o.text for o in part.observables), loc="left", color="#555555", pad=4)
    if part.picture is not None:
        options = motion.mechanism.options
        draw_picture(axes, motion, part.picture, options.plotmode, options.frame, names=names)
    elif part.kind == "time":
        _draw_over_time(axes, motion, part.observables)
    else:
        _draw_over_each_other(axes, motion, part)


def _draw_over_time(axes: Any, motion: Motion, observables: tuple[Observable, ...]) -> None:
    t = motion.t
    lines = []
    for observable in observables:
        for curve in observable.curves:
            values = curve.values if curve.is_vector else curve.values[:, None]
            for c in range(values.shape[1]):
                component = observable.components[c : c + 1]
                label = curve_label(observable, curve, component, alone=len(observables) == 1)
                lines.append((t, values[:, c], label, (observable.text, curve.text), c))
    _plot_lines(axes, lines)
    _flatten(axes, lines)
    _mark_events(axes, motion)
    axes.set_xlabel("time [s]")
    axes.set_ylabel(value_label(list(observables)))
    axes.yaxis.set_major_formatter(_tick_labels())
    if len(t) > 1:
        axes.set_xlim(t[0], t[-1])
    _keep_rounding_flat(axes, motion, observables)
    if any(observable.not_unique for observable in observables):
        axes.annotate(
            NOT_UNIQUE, (0.99, 0.03), xycoords="axes fraction", ha="right", va="bottom", fontsize=7, color="#555555"
        )


def _mark_events(axes: Any, motion: Motion) -> None:
    """A tick at the foot of the axes for each event."""
    times = [event.time for event in events_of(motion) if event.time <= motion.t[-1]]
    if times:
        foot = np.full(len(times), 0.02)
        style = {"marker": "|", "linestyle": "none", "color": "#777777", "markersize": 5, "markeredgewidth": 0.7}
        axes.plot(times, foot, transform=axes.get_xaxis_transform(), **style, label="_events", zorder=1.4)


def _tick_labels() -> Any:
    """matplotlib's own; but what is taken off all labels of an axis is said in words: ×10⁻⁹ from −19.62."""
    from matplotlib.ticker import ScalarFormatter

    class TickLabels(ScalarFormatter):
        def get_offset(self) -> str:
            if not self.offset:
                return str(super().get_offset())
            power = rf"$\mathdefault{{\times 10^{{{self.orderOfMagnitude}}}}}$ " if self.orderOfMagnitude else ""
            return power + f"from {self.offset:.10g}".replace("-", "\N{MINUS SIGN}")

    return TickLabels()


def _keep_rounding_flat(axes: Any, motion: Motion, observables: tuple[Observable, ...]) -> None:
    """Show at least what the last digits of a double amount to: what rests is drawn as a line, not as noise."""
    mechanism = motion.mechanism
    size = max([float(np.abs(motion.q[0]).max(initial=0.0)), *(link.parameters[1] for link in mechanism.links), 1e-12])
    weight = sum(body.mass for body in mechanism.bodies) * max(math.hypot(*mechanism.gravity), 1e-3)
    scales = {"J": weight * size, "N": weight, "m": size, "m²": size**2}
    least = 1e-14 * max(scales.get(observable.unit, 0.0) for observable in observables)
    low, high = axes.get_ylim()
    if high - low < least:
        axes.set_ylim((low + high - least) / 2, (low + high + least) / 2)


def _flatten(axes: Any, lines: list[tuple[Floats, Floats, str, tuple[str, str], int]]) -> None:
    """Curves that are constant but for rounding are drawn as flat as they are, not blown up to fill the axes."""
    values = np.concatenate([np.asarray(line[1], float).ravel() for line in lines]) if lines else np.zeros(0)
    values = values[np.isfinite(values)]
    size = float(np.abs(values).max(initial=0.0))
    if size > 0.0 and float(np.ptp(values)) < 1e-11 * size:
        middle = float(values.mean())
        axes.set_ylim(middle - 0.1 * size, middle + 0.1 * size)


def _draw_over_each_other(axes: Any, motion: Motion, part: _Part) -> None:
    lines, camera = [], camera_of(motion.mechanism)
    for observable in part.observables:
        for curve in observable.curves:
            assert curve.over is not None
            dash = "xyz".find(curve.axes) if curve.axes else 0
            label = f"{curve.entity} {curve.axes}".rstrip()
            over, values = seen_path(curve, camera) if part.kind == "path" else (curve.over, curve.values)
            lines.append((over, values, label, (observable.text, curve.entity), dash))
    _plot_lines(axes, lines)
    if part.kind == "path" and any(curve.away is not None for o in part.observables for curve in o.curves):
        _set_in_space(axes, motion, part)
    elif part.kind == "path":
        axes.set_aspect("equal", adjustable="datalim")
        axes.set_xlabel("x [m]")
        axes.set_ylabel("y [m]")
    else:
        axes.set_xlabel(with_unit("position", "m"))
        axes.set_ylabel(with_unit("velocity", "m/s"))


def _set_in_space(axes: Any, motion: Motion, part: _Part) -> None:
    """The ground below paths of space, and which way the axes point."""
    coordinates = [(c.over, c.values, c.away) for o in part.observables for c in o.curves]
    known = [(x, y, z) for x, y, z in coordinates if x is not None and z is not None]
    cloud = np.concatenate([np.stack(axes, axis=-1) for axes in known])
    cloud = cloud[np.isfinite(cloud).all(axis=1) & (np.abs(cloud) < _OUT_OF_SIGHT).all(axis=1)]
    axes.set_aspect("equal", adjustable="datalim")
    draw_ground_of_space(axes, floor_under(cloud), camera_of(motion.mechanism))


def _plot_lines(axes: Any, lines: list[tuple[Floats, Floats, str, tuple[str, str], int]]) -> None:
    """Lines of one colour for each entity, dashed by component; a legend where there is more than one."""
    entities = list(dict.fromkeys(key for _, _, _, key, _ in lines))
    colours = dict(zip(entities, _palette(len(entities)), strict=True))
    for x, y, label, key, dash in lines:
        dot = {"marker": "o", "markersize": 3} if len(x) == 1 else {}  # a line of one point is none
        axes.plot(_in_sight(x), _in_sight(y), color=colours[key], linestyle=_DASHES[dash], label=label, **dot)
    handles, labels = axes.get_legend_handles_labels()
    if len(labels) > _MOST_IN_LEGEND:
        chosen = np.linspace(0, len(labels) - 1, _MOST_IN_LEGEND).round().astype(int)
        handles, labels = [handles[i] for i in chosen], [labels[i] for i in chosen]
    if 1 < len(lines) <= _MOST_IN_LINE:
        axes.legend(handles, labels, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=len(labels), borderaxespad=0.1)
        _make_room_for_legend(axes, labels)
    elif len(lines) > 1:
        axes.legend(handles, labels, loc="center left", bbox_to_anchor=(1.005, 0.5), borderaxespad=0.2)


def _make_room_for_legend(axes: Any, labels: list[str]) -> None:
    """Lift the title of a panel where the legend needs the whole line."""
    cell = axes.get_subplotspec().get_position(axes.figure)
    room = (cell.width * axes.figure.get_figwidth() - _BESIDE) / _LETTER
    title = axes.get_title(loc="left")
    if len(title) + sum(len(label) + 6 for label in labels) > room:
        axes.set_title(title, loc="left", color="#555555", pad=17)


def _palette(count: int) -> list[Any]:
    """Distinct colours for a few curves, a scale from dark to light for many."""
    if count <= len(_COLOURS):
        return _COLOURS[:count]
    from matplotlib import colormaps

    return [colormaps["viridis"](x) for x in np.linspace(0.0, 0.92, count)]


def _in_sight(values: Floats) -> Floats:
    """Gaps where a broken run has no numbers, or numbers that no axis can hold."""
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(values) < _OUT_OF_SIGHT, values, np.nan)
