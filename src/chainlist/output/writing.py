"""Every file that a run leaves behind, apart from text traces, which are streamed while it goes on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from chainlist.model.mechanism import Plot, Quantity
from chainlist.output.figures import figures, notes
from chainlist.output.files import replace_file
from chainlist.output.gif import FORMATS as MOVING
from chainlist.output.gif import write_animation
from chainlist.output.page import page
from chainlist.output.panels import scene_of
from chainlist.output.plots import FORMATS as STILL
from chainlist.output.plots import draw_figure, save_figure
from chainlist.output.traces import write_trace
from chainlist.run.simulate import Progress
from chainlist.run.trajectory import Trajectory

FORMATS = (*STILL, *MOVING)


@dataclass(frozen=True)
class Wanted:
    """What to write. `formats` None: PNG, and a GIF where the chainlist asks for an animation."""

    plots: bool = True
    formats: tuple[str, ...] | None = None
    page: bool = False


class _Written:
    """The paths of a run's files, in the order in which they are written; each is announced before it is begun."""

    def __init__(self, paths: list[Path], tell: Progress | None) -> None:
        self.paths, self.tell = paths, tell

    def add(self, path: Path) -> Path:
        if self.tell is not None:
            self.tell(1.0, f"writing {path.name}")
        self.paths.append(path)
        return path


def write_outputs(
    trajectory: Trajectory,
    folder: Path,
    traces: list[Path],
    wanted: Wanted,
    paths: list[Path],
    tell: Progress | None = None,
) -> Path | None:
    """Write binary traces, figures, animations and the page; `paths` grows by each. Returns the path of the page."""
    written = _Written(paths, tell)
    for path in traces:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_trace(trajectory, written.add(path))
    if len(trajectory) == 0:
        return None
    if wanted.plots:
        for number, plot in enumerate(trajectory.mechanism.plots, start=1):
            name = "plot" if len(trajectory.mechanism.plots) == 1 else f"plot{number}"
            _write_plot(trajectory, plot, folder / name, wanted.formats, written)
    if not wanted.page:
        return None
    path = written.add(folder / "page.html")
    replace_file(path, page(scene_of(trajectory, figures(trajectory), notes(trajectory))).encode("utf-8"))
    return path


def _write_plot(
    trajectory: Trajectory, plot: Plot, base: Path, formats: tuple[str, ...] | None, written: _Written
) -> None:
    pictures = [names for panel in plot.panels for item in panel if (names := _picture(item.formula)) is not None]
    moves = trajectory.mechanism.options.plotmode != "STATIC" and bool(pictures)
    chosen = formats if formats is not None else ("png", "gif") if moves else ("png",)
    figure = None
    for kind in chosen:
        if kind in STILL:
            path = written.add(base.with_suffix(f".{kind}"))
            figure = figure or draw_figure(trajectory, plot)
            save_figure(figure, path)
        elif pictures:
            write_animation(trajectory, written.add(base.with_suffix(f".{kind}")), constraints=pictures[0])


def _picture(formula: object) -> tuple[str, ...] | None:
    """The constraints that a CONSTRAINTS(…) item shows; None for every other item."""
    if isinstance(formula, Quantity) and formula.function.upper() == "CONSTRAINTS":
        return tuple(name for name in formula.arguments if isinstance(name, str))
    return None
