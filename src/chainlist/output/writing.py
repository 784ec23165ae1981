"""Every file that a run leaves behind, apart from text traces, which are streamed while it goes on.

What draws is loaded when something is drawn: a run without pictures starts without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chainlist.model.mechanism import Item, Plot, Quantity
from chainlist.output.figures import figures, notes
from chainlist.output.files import replace_file
from chainlist.output.formats import MOVING
from chainlist.output.look import PLAIN, Look
from chainlist.output.traces import write_trace
from chainlist.run.simulate import Progress
from chainlist.run.trajectory import Trajectory


@dataclass(frozen=True)
class Wanted:
    """What to write. `formats` None: PNG, and a GIF where the chainlist asks for an animation."""

    plots: bool = True
    formats: tuple[str, ...] | None = None
    page: bool = False
    look: Look = PLAIN


class Written:
    """The paths of a run's files, in the order in which they are written; each is announced before it is begun."""

    def __init__(self) -> None:
        self.paths: list[Path] = []
        self.tell: Progress = lambda part, what: None

    @contextmanager
    def file(self, path: Path) -> Iterator[Path]:
        """Write a file in the block; it counts once that has ended well."""
        self.tell(1.0, f"writing {path.name}")
        yield path
        self.paths.append(path)


def write_traces(trajectory: Trajectory, traces: list[Path], written: Written) -> None:
    """Write binary traces."""
    for path in traces:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written.file(path):
            write_trace(trajectory, path)


def write_pictures(
    trajectory: Trajectory,
    folder: Path,
    wanted: Wanted,
    written: Written,
    views: Callable[[], Sequence[dict[str, Any]]] = tuple,
) -> Path | None:
    """Write figures, animations and the page, on which `views` of analyses stand too. Returns the path of the page."""
    if len(trajectory) == 0:
        return None
    plots = trajectory.mechanism.plots
    if wanted.plots:
        for number, plot in enumerate(plots, start=1):
            name = "plot" if len(plots) == 1 else f"plot{number}"
            _write_plot(trajectory, plot, folder / name, wanted, written)
        if not any(_pictures(plot) for plot in plots):
            for kind in wanted.formats or ():
                if kind in MOVING:  # asked for on the command line: then all that moves
                    from chainlist.output.gif import animate_as

                    with written.file(folder / f"motion.{kind}") as path:
                        animate_as(wanted.look, trajectory, path)
    if not wanted.page:
        return None
    from chainlist.output.page import page
    from chainlist.output.panels import scene_of

    scene = scene_of(trajectory, figures(trajectory), notes(trajectory))
    with written.file(folder / "page.html") as path:
        replace_file(path, page(scene, views()).encode("utf-8"))
    return path


def _write_plot(trajectory: Trajectory, plot: Plot, base: Path, wanted: Wanted, written: Written) -> None:
    from chainlist.output.gif import animate_as
    from chainlist.output.plots import draw_figure, save_figure_as

    pictures = _pictures(plot)
    moves = trajectory.mechanism.options.plotmode != "STATIC" and bool(pictures)
    look, formats = wanted.look, wanted.formats
    chosen = formats if formats is not None else ("png", "gif") if moves else ("png",)
    figure = None
    for kind in chosen:
        if kind in MOVING and not pictures:
            continue
        with written.file(base.with_suffix(f".{kind}")) as path:
            if kind in MOVING:
                animate_as(look, trajectory, path, *pictures[0])
            else:
                figure = figure or draw_figure(trajectory, plot, names=look.names)
                save_figure_as(look, figure, path)


def _pictures(plot: Plot) -> list[tuple[tuple[str, ...], tuple[Item, ...]]]:
    """The constraints that each CONSTRAINTS(…) of a plot shows, and the items of its panel."""
    return [(names, panel) for panel in plot.panels for item in panel if (names := _picture(item.formula)) is not None]


def _picture(formula: object) -> tuple[str, ...] | None:
    """The constraints that a CONSTRAINTS(…) item shows; None for every other item."""
    if isinstance(formula, Quantity) and formula.function.upper() == "CONSTRAINTS":
        return tuple(name for name in formula.arguments if isinstance(name, str))
    return None
