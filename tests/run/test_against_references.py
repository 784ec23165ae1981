"""Defaults at the listing's own step against motions that were computed without the program."""

import numpy as np
import pytest

import chainlist
from tests.references.problems import PROBLEMS
from tests.some import some

LIMITS = {  # m, largest error of any coordinate up to 5 s; the slider-crank through its fold at 8.36 s, levers to the end
    "pendulum": 1e-9,
    "pendulum_from_top": 1e-5,  # steps of 0.1 s
    "double_pendulum": 1e-9,
    "chain_9": 1e-9,
    "chain_12": 1e-9,
    "chain_16": 3e-9,
    "crosshair": 1e-12,
    "slider_crank": 1e-10,
    "rhombus": 1e-4,
    "five_bar": 1e-9,
    "lever": 1e-9,
    "unbalanced_lever": 1e-9,
    "free_triangle": 1e-9,
    "braced_square": 1e-9,
}
TO_THE_END = {"slider_crank", "lever", "unbalanced_lever", "crosshair"}


def test_every_reference_has_a_limit():
    assert set(LIMITS) == set(PROBLEMS)


@pytest.mark.parametrize("name", some(LIMITS, lambda name: name not in ("chain_12", "chain_16")))
def test_defaults(name):
    problem = PROBLEMS[name]
    trajectory = chainlist.simulate(problem.text)
    stop = problem.span if name in TO_THE_END else min(problem.span, 5.0)
    inside = np.flatnonzero(trajectory.t <= stop)
    chosen = inside[:: max(1, len(inside) // 20)]
    error = np.abs(trajectory.q[chosen] - problem.states(trajectory.t[chosen])).max()
    assert trajectory.status.ok and error < LIMITS[name]
    assert trajectory.report.residual.value < 1e-13
