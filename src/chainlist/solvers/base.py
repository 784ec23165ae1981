"""What a pseudoinverse must provide, and the table of all of them.

A named algorithm is one kernel `pinv(B, X, spare, tol)`: it fills X (n × m) with the pseudoinverse of B (m × n), may use
spare[0 … 2] (square, as large as the larger of m and n) and B itself, and returns 0, or the number (from 1) of the row
at which it broke down, with nan in X. tol < 0 means automatic. No allocation, no NumPy, no exceptions.

AUTO is different: it never forms a pseudoinverse, see `kernels/sparse.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Solver:
    name: str  # MPI_ALGO=<name>
    meaning: str  # one line
    pinv: Callable[..., Any] | None = None  # None: sparse
    full_rank_only: bool = False  # breaks down where rows depend on one another


REGISTRY: dict[str, Solver] = {}


def register(solver: Solver) -> Solver:
    if solver.name in REGISTRY:
        raise ValueError(f"MPI_ALGO {solver.name} is taken")
    REGISTRY[solver.name] = solver
    return solver
