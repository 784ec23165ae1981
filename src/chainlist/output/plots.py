"""Figures of `.plot`: each item a panel, groups in one panel; ready to be put into a paper.

matplotlib draws with its own font on a canvas of its own: no window, no state shared between figures.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.model.mechanism import Item, Plot
from chainlist.output.arrangement import (
    Subplot,
    arrange,
    height_of,
    length_of,
    room_of,
    shortened,
    stacked,
    wrapped,
)
from chainlist.output.camera import camera_of, seen_path
from chainlist.output.corners import observe_drawn, with_events
from chainlist.output.files import replacing
from chainlist.output.floor import floor_under
from chainlist.output.formats import STILL
from chainlist.output.labels import (
    FREQUENCY,
    NOT_UNIQUE,
    crossed_label,
    curve_label,
    labels_versus,
    title_of,
    value_label,
    with_unit,
)
from chainlist.output.lines import Line, make_room_for_legend, plot_lines, seen_through
from chainlist.output.look import Look
from chainlist.output.pictures import draw_ground_of_space, draw_picture
from chainlist.output.rounding import ROUNDING, SHOWN, frame_paths, keep_rest_flat, point_of_rest, scales_of, size_of
from chainlist.output.sketch import sketch
from chainlist.output.style import STYLE
from chainlist.output.trails import COLOURS, in_sight, lines_of, with_room
from chainlist.output.two_scales import COLUMNS, EXPONENT, apart, draw_second, has_exponent
from chainlist.run.happenings import events_of
from chainlist.run.observables import Curve, Kind, Observable
from chainlist.run.quantities import Moments, Motion
from chainlist.run.spectrum import drawn

Floats = NDArray[np.float64]

DPI = 200
_NARROWEST = 3.0  # inches: in less, labels leave no room to curves; a picture of few pixels has small letters
_KINDS: tuple[Kind, ...] = ("time", "path", "phase", "spectrum", "versus")
_PATHS = 2.95  # drawn above the rods of the past and below bodies
_OUT_OF_SIGHT = 1e30  # values of a run that broke down
_ERRORS = ("PHI", "DERIVATIVE", "")  # residuals, and expressions, which may be the difference to something known


def draw_figure(motion: Motion, plot: Plot, *, names: bool = False, title: bool = True) -> Any:
    """The matplotlib figure of one `.plot`; `names` writes the names of bodies into pictures, `title` that of the chainlist."""
    import matplotlib

    even, motion = Moments(motion), with_events(motion)
    moments = Moments(motion)
    panels = [_parts(moments, even, motion, panel) for panel in plot.panels]
    with matplotlib.rc_context(STYLE):
        figure, cells = arrange(panels, motion.mechanism.title if title else "")
        for panel, places in zip(panels, cells, strict=True):
            for part, axes in zip(panel, places, strict=True):
                _draw(axes, motion, part, names=names)
        label_ticks(figure)
    return figure


def save_figure_as(look: Look, figure: Any, path: Path) -> None:
    """Write a figure as the command line says how it looks."""
    dpi: float = look.dpi or DPI
    if look.size:
        inches, width = figure.get_size_inches(), max(look.size / dpi, _NARROWEST)
        figure.set_size_inches(inches * width / inches[0])
        dpi = look.size / width
    save_figure(figure, path, dpi=dpi)


def save_figure(figure: Any, path: str | Path, *, dpi: float = DPI) -> None:
    """Write a figure as PNG, SVG or PDF, by the suffix of the file. The same motion gives the same bytes."""
    import matplotlib

    path = Path(path)
    kind = path.suffix.lower().lstrip(".")
    if kind not in STILL:
        raise ValueError(f"figures are written as {', '.join(STILL)}, not as {path.suffix or path.name}")
    dates: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}[kind]
    with matplotlib.rc_context(STYLE), replacing(path) as temporary:
        figure.savefig(temporary, format=kind, dpi=dpi, metadata=dates)


def _parts(moments: Moments, even: Moments, motion: Motion, panel: tuple[Item, ...]) -> list[Subplot]:
    """Items of a panel that share axes: paths lie over a picture, which stands beside curves of other kinds. `even`: for spectra."""
    observables = [observe_drawn(item, even, moments) for item in panel]
    parts = []
    pictures = [o for o in observables if o.kind == "picture"]
    paths = tuple(o for o in observables if o.kind == "path")
    for kind in _KINDS if not pictures else [kind for kind in _KINDS if kind != "path"]:
        same = tuple(o for o in observables if o.kind == kind)
        if same:
            parts.append(Subplot(kind, same))
    for observable in pictures:
        moments.need_positions()
        parts.append(_picture(motion, observable, paths))
        paths = ()
    return parts


def _picture(motion: Motion, observable: Observable, paths: tuple[Observable, ...]) -> Subplot:
    """A picture of the mechanism that has room for the paths over it."""
    drawn = sketch(motion, observable.names)
    return Subplot("picture", (observable, *paths), with_room(drawn, lines_of(paths, drawn.camera)))


def _draw(axes: Any, motion: Motion, part: Subplot, *, names: bool) -> None:
    room, size = room_of(axes), STYLE["axes.titlesize"]
    title = shortened("  ".join(map(title_of, part.observables)), lambda text: length_of(text, size) <= room)
    axes.set_title(title, loc="left", color="#555555", pad=4)
    if part.picture is not None:
        options = motion.mechanism.options
        draw_picture(axes, motion, part.picture, options.plotmode, options.frame, names=names)
        if len(axes.figure.axes) > 1:
            axes.set_anchor("NW")  # what its scale leaves free is not at the side where panels are in line
        plot_lines(axes, _crossed_lines(motion, part.observables[1:], "path"), zorder=_PATHS)
    elif part.kind == "time":
        first, second = apart(part.observables)
        _draw_over_time(axes, motion, first)
        if second:
            drawn = draw_second(axes, lambda right: _draw_over_time(right, motion, second), (first, second), COLOURS)
            lifted = EXPONENT * has_exponent(axes.figure.axes[-1])
            make_room_for_legend(axes, drawn, lifted, rows=-(-len(drawn) // COLUMNS))
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
                lines.append((*_apart(t, values[:, c], curve), label, (observable.text, curve.text), c))
    plot_lines(axes, seen_through(lines))
    _flatten(axes, lines)
    _mark_events(axes, motion)
    not_unique = any(observable.not_unique for observable in observables)
    note = wrapped(NOT_UNIQUE, STYLE["axes.labelsize"], room_of(axes)) if not_unique else ""
    axes.set_xlabel(f"time [s]\n{note}".rstrip())  # below the axes, where no curve is
    _set_label_up(axes, value_label(list(observables)))
    if all(observable.function == "EVENTS" for observable in observables):  # counted: there is no half of one
        axes.yaxis.get_major_locator().set_params(integer=True)
    if len(t) > 1:
        axes.set_xlim(t[0], t[-1])
    _keep_rounding_flat(axes, motion, observables)


def _set_label_up(axes: Any, label: str) -> None:
    axes.set_ylabel(stacked(label, STYLE["axes.labelsize"], height_of(axes)))


def _mark_events(axes: Any, motion: Motion) -> None:
    """A tick at the foot of the axes for each event."""
    times = [event.time for event in events_of(motion) if event.time <= motion.t[-1]]
    if times:
        foot = np.full(len(times), 0.02)
        style = {"marker": "|", "linestyle": "none", "color": "#777777", "markersize": 5, "markeredgewidth": 0.7}
        axes.plot(times, foot, transform=axes.get_xaxis_transform(), **style, label="_events", zorder=1.4)


def label_ticks(figure: Any) -> None:
    """Numbers on axes, once all is drawn: where another has not been chosen, in the way of `_tick_labels`."""
    from matplotlib.ticker import ScalarFormatter

    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        if type(axis.get_major_formatter()) is ScalarFormatter:
            axis.set_major_formatter(_tick_labels())


def _tick_labels() -> Any:
    """matplotlib's own; but what is taken off all labels of an axis is said in words: ×10⁻⁹ from −19.62.

    A number is no formula: typeset as one, as matplotlib does for the sake of a power beside the axis, the numbers of a
    figure take a third of all its time.
    """
    from matplotlib.ticker import ScalarFormatter

    class TickLabels(ScalarFormatter):
        def __call__(self, x: float, pos: int | None = None) -> str:
            return str(super().__call__(x, pos)).removeprefix(r"$\mathdefault{").removesuffix("}$")

        def get_offset(self) -> str:
            if not self.offset:
                return str(super().get_offset())
            own = vars(self)  # its name begins with an underscore from matplotlib 3.11 on
            tens = own.get("_orderOfMagnitude", own.get("orderOfMagnitude", 0))
            power = rf"$\mathdefault{{\times 10^{{{tens}}}}}$ " if tens else ""
            return power + f"from {self.offset:.10g}".replace("-", "\N{MINUS SIGN}")

    return TickLabels()


def _keep_rounding_flat(axes: Any, motion: Motion, observables: tuple[Observable, ...]) -> None:
    """What rests is drawn as a line, not as noise; of errors, at least what the last digits of a double amount to is shown."""
    scales = scales_of(motion)
    scale = max(scales.get(observable.unit, 0.0) for observable in observables)
    of_errors = any(observable.function in _ERRORS for observable in observables)
    keep_rest_flat(axes, "y", scale, 0.5 * ROUNDING if of_errors else SHOWN)


def _flatten(axes: Any, lines: list[Line]) -> None:
    """Curves that are constant but for rounding are drawn as flat as they are, not blown up to fill the axes."""
    values = np.concatenate([np.asarray(line[1], float).ravel() for line in lines]) if lines else np.zeros(0)
    values = values[np.isfinite(values)]
    size = float(np.abs(values).max(initial=0.0))
    if size > 0.0 and float(np.ptp(values)) < 1e-11 * size:
        middle = float(values.mean())
        axes.set_ylim(middle - 0.1 * size, middle + 0.1 * size)


def _crossed_lines(motion: Motion, observables: tuple[Observable, ...], kind: Kind) -> list[Line]:
    """Paths, as the camera sees them, phase curves, or one item over another; what rests is one point."""
    lines, camera, scales = [], camera_of(motion.mechanism), scales_of(motion)
    for observable in observables:
        for curve in observable.curves:
            assert curve.over is not None
            dash = "xyz".find(curve.axes) if curve.axes else 0
            label = crossed_label(curve, observable, alone=len(observables) == 1)
            over, values = seen_path(curve, camera) if kind == "path" else _apart(curve.over, curve.values, curve)
            if kind != "spectrum":
                across, up = _units_crossed(observable)
                sizes = scales.get(across, 0.0), scales.get(up, 0.0)
                over, values = point_of_rest(in_sight(over), in_sight(values), sizes) or (over, values)
            lines.append(
                (over, values, label, (observable.text, curve.text if kind == "versus" else curve.entity), dash)
            )
    return lines


def _units_crossed(observable: Observable) -> tuple[str, str]:
    """Across, and up."""
    if observable.versus is not None:
        up, across = observable.versus
        return across.unit, up.unit
    return "m", observable.unit


def _apart(x: Floats, y: Floats, curve: Curve) -> tuple[Floats, Floats]:
    """A line with gaps where the values jump; a spectrum is over frequencies, and has none."""
    if not curve.jumps or len(x) <= curve.jumps[-1] or len(x) != len(y):
        return x, y
    return np.insert(np.asarray(x, float), curve.jumps, np.nan), np.insert(y, curve.jumps, np.nan)


def _draw_over_each_other(axes: Any, motion: Motion, part: Subplot) -> None:
    lines = _crossed_lines(motion, part.observables, part.kind)
    if part.kind == "spectrum":
        shown = drawn([(over, values) for over, values, *_ in lines])
        lines = [(x, y, *line[2:]) for (x, y), line in zip(shown, lines, strict=True)]
    plot_lines(axes, lines)
    if part.kind == "path" and any(curve.away is not None for o in part.observables for curve in o.curves):
        _set_in_space(axes, motion, part)
    elif part.kind == "path":
        frame_paths(axes, size_of(motion))
        axes.set_aspect("equal", adjustable="datalim")
        axes.set_xlabel("x [m]")
        axes.set_ylabel("y [m]")
    elif part.kind == "spectrum":
        axes.set_xlim(0.0, max((float(over[-1]) for over, *_ in lines if len(over)), default=1.0))
        _keep_rounding_flat(axes, motion, part.observables)
        units = {observable.unit for observable in part.observables}
        axes.set_xlabel(with_unit(FREQUENCY, "Hz"))
        _set_label_up(axes, with_unit("amplitude", units.pop() if len(units) == 1 else ""))
    elif part.kind == "versus":
        if part.shares_scale:
            axes.set_aspect("equal", adjustable="datalim")
        else:
            _flatten(axes, lines)
        for way, unit in zip("xy", _units_crossed(part.observables[0]), strict=True):
            keep_rest_flat(axes, way, scales_of(motion).get(unit, 0.0))
        across, up = labels_versus(part.observables)
        axes.set_xlabel(across)
        _set_label_up(axes, up)
    else:
        keep_rest_flat(axes, "x", size_of(motion))
        keep_rest_flat(axes, "y", scales_of(motion)["m/s"])
        axes.set_xlabel(with_unit("position", "m"))
        _set_label_up(axes, with_unit("velocity", "m/s"))


def _set_in_space(axes: Any, motion: Motion, part: Subplot) -> None:
    """The ground below paths of space, and which way the axes point."""
    coordinates = [(c.over, c.values, c.away) for o in part.observables for c in o.curves]
    known = [(x, y, z) for x, y, z in coordinates if x is not None and z is not None]
    cloud = np.concatenate([np.stack(axes, axis=-1) for axes in known])
    cloud = cloud[np.isfinite(cloud).all(axis=1) & (np.abs(cloud) < _OUT_OF_SIGHT).all(axis=1)]
    axes.set_aspect("equal", adjustable="datalim")
    draw_ground_of_space(axes, floor_under(cloud), camera_of(motion.mechanism))
