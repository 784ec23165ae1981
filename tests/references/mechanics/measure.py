"""Print how far each reference is from its second opinion: python -m tests.references.mechanics.measure"""

from __future__ import annotations

import sys

import numpy as np

from tests.references.mechanics.problem import MechanicsProblem
from tests.references.mechanics.table import MECHANICS

SAMPLES = 500
WITHOUT_SECOND_OPINION = {
    "stiff_pair",
    "force_pwl",
    "force_pulse",
    "force_step",
}  # stiff, or with corners: see the tests


def differences(problem: MechanicsProblem) -> tuple[float, float, float]:
    """Largest difference of positions, of velocities and of work, the last relative to the largest energy."""
    times = np.linspace(0.0, problem.span, SAMPLES)
    place, speed, _ = problem.known(times)
    other = problem.cartesian.integrate(place[0], speed[0], problem.span)
    q, v = other(times)
    size = place[0].size
    gap = np.abs(place.reshape(SAMPLES, size) - q[:, :size]).max()
    gap_speed = np.abs(speed.reshape(SAMPLES, size) - v[:, :size]).max()
    gap_work = np.abs(problem.work(times) - v[:, size + 1]).max() / problem.energy_scale
    return float(gap), float(gap_speed), float(gap_work)


def main() -> None:
    for problem in MECHANICS.values():
        if problem.name not in WITHOUT_SECOND_OPINION:
            row = " ".join(f"{value:8.1e}" for value in differences(problem))
            sys.stdout.write(f"{problem.name:28} bound {problem.error:5.0e}, to {problem.span:4g} s: {row}\n")


if __name__ == "__main__":
    main()
