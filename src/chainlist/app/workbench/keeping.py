"""Runs on disk, between their end and the moment they are taken away, and the files they become then."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chainlist.app.workbench.formats import FORMATS
from chainlist.app.workbench.talk import RequestRefused, Talk
from chainlist.model.ask import ask_all
from chainlist.model.mechanism import Plot, Print
from chainlist.output.panels import scene_of
from chainlist.output.showing import Showing
from chainlist.run.trajectory import Trajectory
from chainlist.syntax.errors import ChainlistError

if TYPE_CHECKING:
    from chainlist.output.page import Variants

_MOTION, _ABOUT, _FINDINGS, _TABLE = "motion.npz", "about.json", "findings.json", "sweep.csv"
_TRACES = ("npz", "mat", "csv", "nc", "raw")


def keep(trajectory: Trajectory, showing: Showing, folder: Path) -> None:
    """Store a run in its folder."""
    from chainlist.output.traces import write_trace

    write_trace(trajectory, folder / _MOTION)
    about = {"figures": showing.scene.figures, "notes": showing.scene.notes}
    (folder / _ABOUT).write_text(json.dumps(about), encoding="utf-8")


def keep_findings(views: list[dict[str, Any]], table: str, folder: Path) -> None:
    """What its analyses found; `table` is that of all members, "" where there are none."""
    (folder / _FINDINGS).write_text(json.dumps(views), encoding="utf-8")
    if table:
        (folder / _TABLE).write_text(table, encoding="utf-8")


def export(folder: Path, format: str, talk: Talk) -> str:
    """Write a stored run in a format; the name of the file in the folder."""
    from chainlist.output.traces import read_trace

    if format not in FORMATS:
        raise RequestRefused(f"there is no format {format}")
    if format == "table":
        if not (folder / _TABLE).exists():
            raise RequestRefused("there is no table: it comes with .step or .mc, and Run")
        return _TABLE
    target = folder / f"export{FORMATS[format].suffix}"
    try:
        _write(read_trace(folder / _MOTION), folder, target, format, talk)
    except ChainlistError as error:
        raise RequestRefused(
            "; ".join(f"{d.message} ({d.help})" if d.help else d.message for d in error.diagnostics)
        ) from None
    return target.name


def _write(trajectory: Trajectory, folder: Path, target: Path, format: str, talk: Talk) -> None:
    if format in _TRACES:
        from chainlist.output.traces import write_trace

        write_trace(trajectory, target)
    elif format == "trace":
        _write_text(trajectory, target)
    elif format in ("page", "sliders"):
        from chainlist.output.page import page

        about = json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
        figures = [(name, value) for name, value in about["figures"]]
        found = folder / _FINDINGS
        views = json.loads(found.read_text(encoding="utf-8")) if found.exists() else []
        scene = scene_of(trajectory, figures, about["notes"])
        choices = _choices(trajectory, talk) if format == "sliders" else []
        target.write_text(page(scene, views, choices), encoding="utf-8")
    elif format == "plots":
        _write_plots(trajectory, folder, target)
    elif format in ("gif", "mp4"):
        from chainlist.output.gif import write_animation

        write_animation(trajectory, target)
    else:
        _write_picture(trajectory, target)


def _choices(trajectory: Trajectory, talk: Talk) -> list[Variants]:
    from chainlist.app.workbench.family import TooMuch, family

    try:
        return family(trajectory.mechanism, talk.progress, talk.should_stop)
    except TooMuch as words:
        raise RequestRefused(str(words)) from None


def _write_text(trajectory: Trajectory, target: Path) -> None:
    """The first text trace that the chainlist asks for; without one, time and all positions."""
    from chainlist.output.text_trace import TextTrace

    mechanism = trajectory.mechanism
    asked = [request for request in mechanism.prints if request.text is not None]
    plain = Print("CONSOLE", None, None, ask_all(mechanism, "Time Bodies(POS)", pictures=False))
    with TextTrace.create(target, mechanism, asked[0] if asked else plain) as trace:
        trace.write(trajectory)


def _write_picture(trajectory: Trajectory, target: Path) -> None:
    from chainlist.output.plots import draw_figure, save_figure

    items = ask_all(trajectory.mechanism, "CONSTRAINTS(ALL)", pictures=True)
    save_figure(draw_figure(trajectory, Plot((items,))), target)


def _write_plots(trajectory: Trajectory, folder: Path, target: Path) -> None:
    from chainlist.output.formats import STILL as kinds
    from chainlist.output.plots import draw_figure, save_figure

    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as bundle:
        for number, plot in enumerate(trajectory.mechanism.plots, start=1):
            figure = draw_figure(trajectory, plot)
            for kind in kinds:
                path = folder / f"figure-{number}.{kind}"
                save_figure(figure, path)
                bundle.write(path, path.name)
                path.unlink()
