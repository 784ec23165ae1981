"""chainlist: a netlist for mechanisms. A few lines of text, and their constrained motion is solved and shown.

>>> import chainlist
>>> pendulum = chainlist.parse("* Pendulum\\nB1 (1,0) 1\\nC1 B1 (0,0)\\n")
>>> print(pendulum)
Pendulum: 1 body, 1 link
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from chainlist.above import ABOVE

if TYPE_CHECKING:
    from chainlist.analyses.ensemble import ensemble
    from chainlist.analyses.equilibrium import equilibria, equilibrium
    from chainlist.analyses.lyapunov import lyapunov
    from chainlist.analyses.measure import measure
    from chainlist.analyses.modes import modes
    from chainlist.app.player import player
    from chainlist.compile.pseudoinverse import pinv
    from chainlist.compile.read import load, parse
    from chainlist.model.mechanism import Mechanism
    from chainlist.output.traces import read_trace
    from chainlist.run.entry import simulate
    from chainlist.run.trajectory import Trajectory
    from chainlist.syntax.errors import ChainlistError

    __version__: str

__all__ = [
    "ChainlistError",
    "Mechanism",
    "Trajectory",
    "__version__",
    "ensemble",
    "equilibria",
    "equilibrium",
    "load",
    "lyapunov",
    "measure",
    "modes",
    "parse",
    "pinv",
    "player",
    "read_trace",
    "simulate",
]

# What lies where. It is imported when it is asked for: the command must be able to take a Ctrl-C before NumPy is loaded.
_HOME = {
    "ChainlistError": "chainlist.syntax.errors",
    "Mechanism": "chainlist.model.mechanism",
    "Trajectory": "chainlist.run.trajectory",
    "ensemble": "chainlist.analyses.ensemble",
    "equilibria": "chainlist.analyses.equilibrium",
    "equilibrium": "chainlist.analyses.equilibrium",
    "load": "chainlist.compile.read",
    "lyapunov": "chainlist.analyses.lyapunov",
    "measure": "chainlist.analyses.measure",
    "modes": "chainlist.analyses.modes",
    "parse": "chainlist.compile.read",
    "pinv": "chainlist.compile.pseudoinverse",
    "player": "chainlist.app.player",
    "read_trace": "chainlist.output.traces",
    "simulate": "chainlist.run.entry",
}
_GIVE_TRAJECTORIES = ("Trajectory", "read_trace", "simulate")

# Commands are read by the model, and analyses stand above it; a mechanism shows itself in a notebook, and pictures do.
ABOVE["analyses"] = lambda: import_module("chainlist.analyses")
ABOVE["notebook"] = lambda: import_module("chainlist.output.notebook")


def __getattr__(name: str) -> Any:
    if name == "__version__":
        found: Any = import_module("importlib.metadata").version("chainlist")
    elif name in _HOME:
        if name in _GIVE_TRAJECTORIES:
            import_module("chainlist.output.notebook")  # with it trajectories show themselves in notebooks
        found = getattr(import_module(_HOME[name]), name)
    else:
        found = _part(name)
    globals()[name] = found
    return found


def _part(name: str) -> Any:
    """`chainlist.model` and the like, without an import of their own."""
    try:
        if not name.startswith("_"):
            return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{name}":
            raise
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext chainlist`: cells that begin with `%%chainlist` are run and shown."""
    from chainlist.app import jupyter

    jupyter.load_ipython_extension(shell)
