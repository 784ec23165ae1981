"""Print how far each reference is from its second opinion: python -m tests.references.measure"""

from __future__ import annotations

import sys

import numpy as np

from tests.references.problems import PROBLEMS, Problem
from tests.references.second_opinions import SECOND_OPINIONS


def differences(problem: Problem, parts: int = 10) -> list[float]:
    """Largest difference of any coordinate up to 1/parts, 2/parts, … of the span."""
    times = np.linspace(0.0, problem.span, 200 * parts + 1)
    gap = np.abs(problem.states(times) - SECOND_OPINIONS[problem.name](times)).max(axis=(1, 2))
    return [float(gap[: 200 * k + 1].max()) for k in range(1, parts + 1)]


def main() -> None:
    for problem in PROBLEMS.values():
        row = " ".join(f"{value:7.0e}" for value in differences(problem))
        sys.stdout.write(f"{problem.name:18} bound {problem.error:5.0e}, to {problem.span:5g} s: {row}\n")


if __name__ == "__main__":
    main()
