"""Chainlists in notebooks: after `%load_ext chainlist`, a cell that begins with `%%chainlist` is run and shown.

    %%chainlist pendulum --set INTEGRATOR=DOP853
    A pendulum
    B1 (1,0) 1
    C1 B1 (0,0)
    .tran 0 10 1E-2

The trajectory is shown below the cell; with a name it is also a variable of the notebook.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import typer
from IPython.core.magic import register_cell_magic
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

from chainlist.analyses.axes import sweeps
from chainlist.analyses.base import run_analyses
from chainlist.app.progress import progress_bar
from chainlist.app.settings import changes
from chainlist.compile.read import read
from chainlist.output import notebook  # noqa: F401  # with it trajectories show themselves
from chainlist.output.figures import figures_of_analyses
from chainlist.run.grid import RunRefused
from chainlist.run.trajectory import Trajectory
from chainlist.syntax.diagnostics import Diagnostic
from chainlist.syntax.errors import ChainlistError
from chainlist.syntax.render import plain_text
from chainlist.syntax.source import Source


def load_ipython_extension(shell: Any) -> None:
    """Called by `%load_ext chainlist`."""

    @magic_arguments()  # type: ignore[untyped-decorator]
    @argument("name", nargs="?", default="", help="variable of the notebook that gets the trajectory")  # type: ignore[untyped-decorator]
    @argument("--set", action="append", default=[], metavar="KEY=VALUE", help="an option of the run")  # type: ignore[untyped-decorator]
    @argument("--param", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the chainlist")  # type: ignore[untyped-decorator]
    def chainlist(line: str, cell: str) -> Trajectory | None:
        """Run the chainlist in this cell and show its motion."""
        wishes = parse_argstring(chainlist, line)
        trajectory = run_cell(cell, wishes.set, wishes.param)
        if trajectory is not None and wishes.name:
            shell.user_ns[wishes.name] = trajectory
        return trajectory

    register_cell_magic(chainlist)


def run_cell(text: str, settings: list[str], parameters: list[str]) -> Trajectory | None:
    """The motion of a chainlist; None after saying what is wrong with it."""
    from chainlist.run.simulate import simulate

    try:
        checked = read(Source("cell", text), Path.cwd(), changes=changes(settings, parameters))
        _say(checked.diagnostics)
        if checked.mechanism is None:
            return None
        with progress_bar("cell", quiet=False) as tell:
            trajectory = simulate(checked.mechanism, progress=tell)
        _show_analyses(trajectory)
        return trajectory
    except ChainlistError as error:
        _say(error.diagnostics)
    except typer.BadParameter as wrong:
        sys.stderr.write(f"{wrong.message}\n")
    except (RunRefused, ValueError) as refusal:
        sys.stderr.write(f"{refusal}\n")
    return None


def _show_analyses(trajectory: Trajectory) -> None:
    """Measures, equilibria … as `chainlist run` prints them; many runs are more than a cell makes."""
    if not trajectory.mechanism.analyses:
        return
    rows = figures_of_analyses(run_analyses(trajectory.mechanism, trajectory))
    width = max((len(label) for label, _ in rows), default=0)
    margin = "\n" + " " * (width + 2)
    sys.stdout.write("".join(f"{label:<{width}}  {value.replace(chr(10), margin)}\n" for label, value in rows))
    if sweeps(trajectory.mechanism):
        sys.stderr.write(
            ".step and .mc ask for many runs, and this cell made one: chainlist.ensemble(FILE) or `chainlist sweep FILE` makes them\n"
        )


def _say(diagnostics: Any) -> None:
    """Messages below the cell, notes left out: a notebook has room for what matters."""
    worth: list[Diagnostic] = [d for d in diagnostics if d.severity != "note"]
    if worth:
        sys.stderr.write(plain_text(worth) + "\n")
