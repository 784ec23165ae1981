"""pinv(B, algo): the named pseudoinverses over NumPy arrays, for students who write their own solver."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from chainlist import solvers
from chainlist.kernels.bind import bind
from chainlist.kernels.bundles import Floats

SMALL = 64  # rows × columns up to which compiling would take longer than it saves


def pinv(B: ArrayLike, algo: str = "GREVILLE", tol: float | None = None) -> Floats:
    """The pseudoinverse of B by the algorithm that MPI_ALGO calls `algo`; `tol` as mpitol (None: automatic).

    Where the algorithm breaks down (CHOLESKY on dependent rows) the result is filled with nan, as a run would see it.
    """
    name = algo.upper()
    solver = solvers.REGISTRY.get(name)
    if solver is None or solver.pinv is None:
        known = ", ".join(key for key, value in solvers.REGISTRY.items() if value.pinv is not None)
        raise ValueError(f"no pseudoinverse is called {algo!r}: {known}")
    if tol is not None and not tol >= 0:
        raise ValueError(f"tol must not be negative, not {tol!r}")
    matrix = np.array(B, dtype=float, order="C")  # a copy: a kernel may overwrite it
    if matrix.ndim != 2:
        raise ValueError(f"B must be a matrix, not an array of {matrix.ndim} dimensions")
    m, n = matrix.shape
    result = np.zeros((n, m))
    if m and n:
        size = max(m, n)
        kernel = _kernel(solver.pinv, "python" if m * n <= SMALL else "cpu")
        with np.errstate(all="ignore"):
            kernel(matrix, result, np.zeros((3, size, size)), -1.0 if tol is None else float(tol))
    return result


@functools.lru_cache(maxsize=64)
def _kernel(kernel: Callable[..., Any], target: str) -> Any:
    return bind(kernel, target=target, entry=True)
