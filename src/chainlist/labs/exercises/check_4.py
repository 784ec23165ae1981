"""Check of exercise 4: Greville's recursion, by the four Penrose equations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

from chainlist.equations.layout import Floats
from chainlist.labs.exercises.finding import Finding, as_array, function, untouched

TOLERANCE = 1e-10
CLOSE = 1e-7


def matrices() -> dict[str, Floats]:
    random = np.random.default_rng(4)
    full = random.standard_normal((3, 5))
    deficient = np.vstack([full, full[0] + 2 * full[1]])
    with_zero = full.copy()
    with_zero[:, 2] = 0.0
    first_zero = full.copy()
    first_zero[:, 0] = 0.0
    lever = np.array([[-2.0, 0, 0, 0], [0, 0, 2, 0], [-4, 0, 4, 0]])
    return {
        "a single column": np.array([[3.0], [4.0]]),
        "a double pendulum": np.array([[0.0, -2, 0, 0], [-2, 0, 2, 0]]),
        "a random matrix of full row rank": full,
        "a random matrix of full column rank": full.T.copy(),
        "a matrix with a row that depends on the others": deficient,
        "the lever, with three rows of rank 2": lever,
        "a matrix with a column of zeros": with_zero,
        "a matrix whose first column is zero": first_zero,
    }


def check(solution: ModuleType) -> Iterator[Finding]:
    greville = function(solution, "greville", "greville(B, tol)")
    for name, matrix in matrices().items():
        finding = _one(greville, name, matrix)
        yield finding
    _, same = untouched(greville, matrices()["a double pendulum"], TOLERANCE)
    yield Finding(
        same, "the matrix that is handed over is left as it was" if same else "your function changes B itself: copy it"
    )


def _one(greville: Callable[..., Any], name: str, B: Floats) -> Finding:
    with np.errstate(all="ignore"):  # a division by zero shows in the result
        X = as_array(greville(B.copy(), TOLERANCE), (B.shape[1], B.shape[0]))
    if X is None:
        return Finding(
            False,
            f"{name}: B has {B.shape[0]} rows and {B.shape[1]} columns, so B⁺ must be {B.shape[1]} × {B.shape[0]}",
        )
    if not np.isfinite(X).all():
        return Finding(False, f"{name}: the result is not finite. What do you divide by if a column is zero?")
    failing = [number for number, off in enumerate(penrose(B, X), start=1) if off > CLOSE]
    if not failing:
        return Finding(True, f"{name}: all four Penrose equations hold")
    numbers = ", ".join(str(number) for number in failing)
    return Finding(False, f"{name}: Penrose equation {numbers} does not hold{_hint(B, X)}")


def penrose(B: Floats, X: Floats) -> list[float]:
    """How far each of the four equations is from holding: BXB = B, XBX = X, BX and XB symmetric."""
    return [
        float(np.abs(left - right).max())
        for left, right in ((B @ X @ B, B), (X @ B @ X, X), ((B @ X).T, B @ X), ((X @ B).T, X @ B))
    ]


def _hint(B: Floats, X: Floats) -> str:
    """What some well-known mistakes look like."""
    if B.shape[1] > 1 and not X[-1].any() and np.linalg.norm(B[:, -1]) > 0:
        return ". The last column was left out: the loop runs over columns 2 … n, n included"
    if np.allclose(X, B.T):
        return ". This is the transpose"
    if np.linalg.matrix_rank(B) < min(B.shape):
        return ". The columns depend on one another here: is the second case, ‖c‖² ≤ tol, right?"
    return ""
