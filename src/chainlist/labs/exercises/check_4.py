"""Check of exercise 4: Greville's recursion, by the four Penrose equations."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from chainlist.kernels.bundles import Floats
from chainlist.labs.exercises.finding import Mark, as_array, function, untouched

TOLERANCE = 1e-10
CLOSE = 1e-7
READY_MADE = {"pinv", "pinvh", "lstsq", "svd"}  # what others wrote, and what does not know the recursion's tolerance


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


def check(solution: ModuleType) -> Iterator[Mark]:
    greville = function(solution, "greville", "greville(B, tol)")
    borrowed = sorted(READY_MADE & _names_from_elsewhere(solution))
    yield Mark(
        not borrowed,
        f"your file takes {', '.join(borrowed)} from a library: write the recursion itself"
        if borrowed
        else "the recursion is your own",
    )
    for name, matrix in matrices().items():
        finding = _one(greville, name, matrix)
        yield finding
    yield _tolerance(greville)
    _, same = untouched(greville, matrices()["a double pendulum"], TOLERANCE)
    yield Mark(
        same, "the matrix that is handed over is left as it was" if same else "your function changes B itself: copy it"
    )


def _names_from_elsewhere(solution: ModuleType) -> set[str]:
    """Names that the file imports, or reads from something: `from numpy.linalg import pinv`, `np.linalg.pinv`."""
    tree = ast.parse(Path(str(solution.__file__)).read_text(encoding="utf-8"))
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.ImportFrom):
            found.update(alias.name for alias in node.names)
    return found


def _tolerance(greville: Callable[..., Any]) -> Mark:
    """The second column leaves 1e-6 ≤ tol beside the first, so it counts as dependent. No pseudoinverse of B comes out."""
    B = np.array([[1.0, 1.0], [0.0, 1e-3]])
    X = as_array(greville(B.copy(), 1e-4), (2, 2))
    ok = X is not None and bool(np.allclose(X, [[0.5, 0.0], [0.5, 0.0]], atol=1e-9))
    name = "a column that is independent by less than tol counts as dependent"
    return Mark(ok, name if ok else f"{name}: ‖c‖² = 1e-6 and tol = 1e-4 must lead to the second case")


def _one(greville: Callable[..., Any], name: str, B: Floats) -> Mark:
    with np.errstate(all="ignore"):  # a division by zero shows in the result
        X = as_array(greville(B.copy(), TOLERANCE), (B.shape[1], B.shape[0]))
    if X is None:
        return Mark(
            False,
            f"{name}: B has {B.shape[0]} rows and {B.shape[1]} columns, so B⁺ must be {B.shape[1]} × {B.shape[0]}",
        )
    if not np.isfinite(X).all():
        return Mark(False, f"{name}: the result is not finite. What do you divide by if a column is zero?")
    failing = [number for number, off in enumerate(penrose(B, X), start=1) if off > CLOSE]
    if not failing:
        return Mark(True, f"{name}: all four Penrose equations hold")
    numbers = ", ".join(str(number) for number in failing)
    return Mark(False, f"{name}: Penrose equation {numbers} does not hold{_hint(B, X)}")


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
