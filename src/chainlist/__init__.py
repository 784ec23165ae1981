"""chainlist: a netlist for mechanisms. A few lines of text, and their constrained motion is solved and shown.

>>> import chainlist
>>> pendulum = chainlist.parse("* Pendulum\\nB1 (1,0) 1\\nC1 B1 (0,0)\\n")
>>> print(pendulum)
Pendulum: 1 body, 1 link
"""

from importlib.metadata import version
from typing import Any

from chainlist.compile.pseudoinverse import pinv
from chainlist.compile.read import load, parse
from chainlist.model.mechanism import Mechanism
from chainlist.output.notebook import repr_html
from chainlist.output.traces import read_trace
from chainlist.run.entry import simulate
from chainlist.run.trajectory import Trajectory
from chainlist.syntax.errors import ChainlistError

__version__ = version("chainlist")
__all__ = [
    "ChainlistError",
    "Mechanism",
    "Trajectory",
    "__version__",
    "load",
    "parse",
    "pinv",
    "read_trace",
    "simulate",
]

# A trajectory shows itself in a notebook; how, only the outputs above it know.
Trajectory._repr_html_ = repr_html  # type: ignore[attr-defined]


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext chainlist`: cells that begin with `%%chainlist` are run and shown."""
    from chainlist.app import jupyter

    jupyter.load_ipython_extension(shell)
