"""An integrator or a pseudoinverse of a plug-in, tried out when it is registered: a short run, interpreted, where arrays have bounds.

Compiled kernels write wherever they are told to, past the end of an array too.
"""

from __future__ import annotations

import warnings

import numpy as np

from chainlist import integrators
from chainlist.compile.read import parse
from chainlist.run.simulate import simulate

_TEXT = "* Two links\nB1 (1,0) 1\nB2 (1,1) 1\nC1 B1 (0,0)\nC2 B1 B2\n.tran 0 4E-3 1E-3\n.options BREAKDOWN=GO {}\n.plot Etotal\n"


def rehearse_integrator(name: str) -> None:
    """Raise `ValueError` with one line on what is wrong with its step."""
    method = integrators.REGISTRY[name]
    try:
        finite = _run(f"INTEGRATOR={name}")
    except IndexError as error:
        kept = f"{method.stages} pair{'s' * (method.stages != 1)}"
        what = f"its step asks for more than there is ({error}): stages={method.stages} keeps {kept} in w.kq and w.kv"
        raise ValueError(f"INTEGRATOR {name}: {what}") from error
    if not finite:
        raise ValueError(f"INTEGRATOR {name}: after 4 steps of a double pendulum its state is no number")


def rehearse_solver(name: str) -> None:
    """The same of a pseudoinverse."""
    if not _run(f"MPI_ALGO={name}"):
        raise ValueError(f"MPI_ALGO {name}: after 4 steps of a double pendulum the state is no number")


def _run(option: str) -> bool:
    """Whether all numbers of the motion are numbers."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        run = simulate(parse(_TEXT.format(option)), target="python")
    return bool(np.isfinite(run.q).all() and run.v is not None and np.isfinite(run.v).all())
