"""`chainlist warm`: compile the kernels ahead of the first run."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from chainlist.app.guard import guarded
from chainlist.app.plugins import Plugins
from chainlist.app.progress import progress_bar
from chainlist.app.terminal import say

_TEXT = "* A link and a slider\nB1 (1,0) 1\nB2 (2,0) 1\nC1 B1 (0,0)\nC2 B1 B2\nS1 B2 LINE(0,1,0)\n.tran 0 1E-2 1E-3\n.plot TENSION(C1)\n"
_IN_SPACE = _TEXT.replace(",0)", ",0,0)").replace("LINE(0,1,0,0)", "PLANE(0,1,0,0)")
_ON_HINGES = """* Two bodies on hinges
BA (1,0,0) 0
BB (1,0,0.2) 0
B1 (1,-1,0) 0
R1 (0,0,0) (0,0,0.2) BA BB 1 CG=(0.5,0,0.1) J=(0.1,0.2,0.2,0,0,0)
R2 BA BB B1 1 CG=(1,-0.5,0.1) J=(0.2,0.1,0.2,0,0,0)
.tran 0 1E-2 1E-3
.plot X(JOINT(R1,(0,0,0)))
"""
# A redundant row beside two that are nearly parallel: what may be left out is then judged with care.
_NEARLY_SINGULAR = "C3 B2 B1\nB3 (1,1) 1\nC4 B3 (1,0)\nC5 B3 (1.02,0)\n"
_MORE = {  # what makes a machine need other kernels, where options are the default: cards before .tran
    "links and sliders": "",
    "singular positions": f"{_NEARLY_SINGULAR}C6 B3 B2\n",
    "machines side by side": "B3 (9,0) 1\n",
    "machines side by side, singular": _NEARLY_SINGULAR,
    "starts that do not fit": "B3 (3,0) 1 IC_POS=(3,1)\nC3 B2 B3\n",
    "forces and drives": "K1 B1 B2 1\n",
    "forces, and starts that do not fit": "K1 B1 B2 1\nB3 (3,0) 1 IC_POS=(3,1)\nC3 B2 B3\n",
    "ropes and walls": "D1 B1 1\nC4 B1 (0,0) ROPE\n",
}


def _defaults() -> dict[str, str]:
    """What is compiled → a chainlist that needs it."""
    plane = {what: _TEXT.replace(".tran", f"{cards}.tran") for what, cards in _MORE.items()}
    space = {
        f"{what}, in space": _IN_SPACE.replace(".tran", cards.replace(",0)", ",0,0)").replace(",1)", ",1,0)") + ".tran")
        for what, cards in _MORE.items()
    }
    moved = _ON_HINGES.replace(".tran", "K1 B1 (0,1,0) 1\n.tran")
    return plane | space | {"bodies on hinges": _ON_HINGES, "bodies on hinges, and forces": moved}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: chainlist warm")(warm)


def warm(
    everything: Annotated[
        bool, typer.Option("--all", help="Every integrator with every system and pseudoinverse; takes minutes.")
    ] = False,
    plugins: Plugins = None,
) -> None:
    """Compile the kernels now, once; later runs start at once. Takes a few minutes. Without --all: those of the default settings."""

    from chainlist.compile.read import parse
    from chainlist.run.entry import simulate

    def work() -> int:
        clock = time.perf_counter()
        jobs: list[tuple[str, str, dict[str, Any]]] = [(what, text, {}) for what, text in _defaults().items()]
        jobs += [(" ".join(chosen.values()), _TEXT, chosen) for chosen in _combinations()] if everything else []
        with progress_bar("compiling", quiet=False) as tell:
            for number, (what, text, chosen) in enumerate(jobs):
                tell(number / len(jobs), what)
                mechanism = parse(text)
                simulate(mechanism, breakdown="GO", **chosen).observe(mechanism.plots[0].panels[0][0])
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
