"""Pictures and pages of a stored trace, or of a fresh run: what `chainlist plot`, `play` and `animate` do."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import typer

from chainlist.analyses.fitting import broken_constraint
from chainlist.app.browser import show_page
from chainlist.app.files import take
from chainlist.app.guard import BROKE_DOWN, INTERRUPTED, guarded
from chainlist.app.progress import interruptible, progress_bar
from chainlist.app.settings import changes, check_one, check_suffix, one_input
from chainlist.app.terminal import complain, say, warn
from chainlist.model.ask import ask, ask_all
from chainlist.model.mechanism import Item, Plot, Quantity
from chainlist.output.figures import figures, notes
from chainlist.output.files import replace_file, writable_folder
from chainlist.output.formats import MOVING, STILL
from chainlist.output.gif import animate_as
from chainlist.output.look import PLAIN, Look
from chainlist.output.page import page
from chainlist.output.panels import scene_of
from chainlist.output.plots import draw_figure, save_figure_as
from chainlist.output.traces import read_trace
from chainlist.run.simulate import simulate
from chainlist.run.trajectory import Trajectory
from chainlist.syntax.diagnostics import Diagnostic
from chainlist.syntax.errors import ChainlistError

Words = list[str] | None
_MOST_LISTED = 8  # columns of a trace that a message names


def plot(
    trace: Path,
    items: Words,
    output: Path | None,
    of: Path | None,
    settings: Words,
    parameters: Words,
    look: Look = PLAIN,
) -> int:
    """Draw items of a trace; returns the exit status."""

    def draw() -> int:
        trajectory = _trajectory(trace, of, settings, parameters)
        plots = [_asked(trajectory, items)] if items else list(trajectory.mechanism.plots) or stored_columns(trajectory)
        if not plots:
            raise typer.BadParameter(
                "name what to draw, such as Q(ALL) or Etotal: the chainlist of this trace has no .plot",
                param_hint="ITEM…",
            )
        base = output or trace.with_suffix(".png")
        check_suffix(base, STILL)
        writable_folder(base.parent)
        for number, one in enumerate(plots, start=1):
            path = base if len(plots) == 1 else base.with_name(f"{base.stem}{number}{base.suffix}")
            try:
                figure = draw_figure(trajectory, one, names=look.names)
            except ChainlistError as error:
                raise _with_what_is_held(error, trajectory, trace) from None
            save_figure_as(look, figure, path)
            say(str(path))
        return 0

    return guarded(draw)


def play(trace: Path, output: Path | None, of: Path | None, settings: Words, parameters: Words, *, show: bool) -> int:
    """Write the page of a trace, and show it; returns the exit status."""

    def build() -> int:
        path = output or trace.with_suffix(".html")
        check_suffix(path, ("html",))
        writable_folder(path.parent)
        _write_page(_trajectory(trace, of, settings, parameters), path)
        if show:
            show_page(path)
        return 0

    return guarded(build)


def animate(
    file: str | None,
    output: Path | None,
    example: str | None,
    settings: Words,
    parameters: Words,
    look: Look = PLAIN,
) -> int:
    """Simulate and write the motion; returns the exit status."""
    check_one(file, example)
    if look != PLAIN and (output is None or output.suffix.lower() == ".html"):
        raise typer.BadParameter(
            "these are for .gif and .mp4: name one with -o", param_hint="--size, --fps, --speed, --names"
        )
    wanted = changes(settings, parameters)

    def build() -> int:
        given = one_input(file, example)
        path = output or (given.path or Path("stdin")).with_suffix(".html")
        check_suffix(path, ("html", *MOVING))
        writable_folder(path.parent)
        mechanism = given.mechanism(wanted)
        with interruptible() as cancel, progress_bar(given.name, quiet=False) as tell:
            trajectory = simulate(mechanism, progress=tell, cancel=cancel)
        if path.suffix.lower() == ".html":
            _write_page(trajectory, path)
        else:
            animate_as(look, trajectory, path)
            say(str(path))
        if not trajectory.status.ok:
            complain(str(trajectory.status))
            return INTERRUPTED if trajectory.status.cancelled else BROKE_DOWN
        return 0

    return guarded(build)


def _asked(trajectory: Trajectory, items: list[str]) -> Plot:
    """Each word of the command a panel, also one of several items, which the shell has in quotes; all that are wrong are told."""
    found: list[tuple[Item, ...]] = []
    wrong: list[Diagnostic] = []
    for text in items:
        bare = text.strip()
        if bare.count('"') == 2:  # as in .plot, if the shell has left them
            bare = bare.removeprefix('"').removesuffix('"')
        try:
            found.append(ask_all(trajectory.mechanism, bare) or (ask(trajectory.mechanism, bare),))
        except ChainlistError as error:
            wrong += error.diagnostics
    if wrong:
        raise ChainlistError(wrong)
    return Plot(tuple(found))


def _with_what_is_held(error: ChainlistError, trajectory: Trajectory, trace: Path) -> ChainlistError:
    """Where a trace does not hold what a picture needs, the cure says also what can be drawn of it as it is."""
    held = [text for text in trajectory.columns if text != "Time"]
    if not held or any(diagnostic.code != "E402" for diagnostic in error.diagnostics):
        return error
    listed = ", ".join(held[:_MOST_LISTED]) + (" …" if len(held) > _MOST_LISTED else "")
    more = f'; as it is it holds {listed}: chainlist plot {trace} "{held[0]}"'
    return ChainlistError([dataclasses.replace(one, help=one.help + more) for one in error.diagnostics])


def stored_columns(trajectory: Trajectory) -> list[Plot]:
    """The columns of a text trace but the time, those of one quantity in one panel; nothing for other traces."""
    panels: dict[str, list[Item]] = {}
    for text in trajectory.columns:
        item = ask(trajectory.mechanism, text)
        quantity = item.formula.function if isinstance(item.formula, Quantity) else text
        if quantity != "Time":
            panels.setdefault(quantity, []).append(item)
    return [Plot(tuple(tuple(items) for items in panels.values()))] if panels else []


def _trajectory(trace: Path, of: Path | None, settings: Words, parameters: Words) -> Trajectory:
    """The trace, with the chainlist that was given for it, changed as the run was."""
    if of is None:
        if settings or parameters:
            raise typer.BadParameter(
                "it changes the chainlist of a trace: give --chainlist FILE", param_hint="--set, --param"
            )
        trajectory, wrong = read_trace(trace), ""
    else:
        mechanism = take(str(of)).mechanism(changes(settings, parameters))
        trajectory = read_trace(trace, mechanism)
        wrong = broken_constraint(trajectory, mechanism)
    if wrong:
        warn(f"this trace does not fit {of}: {wrong}; give --set and --param as for its run")
    elif not trajectory.status.ok:
        warn(str(trajectory.status))
    return trajectory


def _write_page(trajectory: Trajectory, path: Path) -> None:
    replace_file(path, page(scene_of(trajectory, figures(trajectory), notes(trajectory))).encode("utf-8"))
    say(str(path))
