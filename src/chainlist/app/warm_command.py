"""`chainlist warm`: compile the kernels ahead of the first run."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from chainlist.app.guard import guarded
from chainlist.app.plugins import Plugins
from chainlist.app.progress import progress_bar
from chainlist.app.terminal import say

_TEXT = "* A link and a slider\nB1 (1,0) 1\nB2 (2,0) 1\nC1 B1 (0,0)\nC2 B1 B2\nS1 B2 LINE(0,1,0)\n.tran 0 1E-2 1E-3\n.plot Etotal\n"
_DEFAULTS = {
    "links and sliders": _TEXT,
    "forces and drives": _TEXT.replace(".tran", "K1 B1 B2 1\n.tran"),
    "ropes and walls": _TEXT.replace(".tran", "W1 LINE(0,1,-9)\n.tran"),
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: chainlist warm")(warm)


def warm(
    everything: Annotated[
        bool, typer.Option("--all", help="Every integrator with every system and pseudoinverse; takes minutes.")
    ] = False,
    plugins: Plugins = None,
) -> None:
    """Compile the kernels now, once; later runs start at once. Without --all: those of the default settings."""

    from chainlist.compile.read import parse
    from chainlist.run.entry import simulate

    def work() -> int:
        clock = time.perf_counter()
        jobs: list[tuple[str, str, dict[str, Any]]] = [(what, text, {}) for what, text in _DEFAULTS.items()]
        jobs += [(" ".join(chosen.values()), _TEXT, chosen) for chosen in _combinations()] if everything else []
        with progress_bar("compiling", quiet=False) as tell:
            for number, (what, text, chosen) in enumerate(jobs):
                tell(number / len(jobs), what)
                simulate(parse(text), breakdown="GO", **chosen)
        say(f"ready after {time.perf_counter() - clock:.1f} s")
        return 0

    raise typer.Exit(guarded(work))


def _combinations() -> list[dict[str, Any]]:
    from chainlist.model.combinations import clashes
    from chainlist.model.options import OPTIONS, Options

    return [
        {"integrator": integrator, "daesystem": system, "mpi_algo": algorithm}
        for integrator in OPTIONS["integrator"].choices
        for system in OPTIONS["daesystem"].choices
        for algorithm in OPTIONS["mpi_algo"].choices
        if not clashes(Options(integrator=integrator, daesystem=system, mpi_algo=algorithm))
    ]
