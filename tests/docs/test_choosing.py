"""What `docs/choosing.md` says of the systems in words, held against runs at the steps of its plot."""

import numpy as np
import pytest

from chainlist.labs.bench import motion
from tools.docsite.precision import DOUBLE_PENDULUM

SYSTEMS = ("PROJECTED", "INDEX1", "INDEX1_2", "INDEX1_2_DAMPED")
EVERY = 0.05


def reference():
    """The double pendulum in its two angles from the vertical: x = sin φ, y = −cos φ, links of 1 m, masses of 1 kg."""
    from scipy.integrate import solve_ivp

    g = 9.81

    def slopes(t, state):
        first, second, one, two = state
        cosine, sine = np.cos(first - second), np.sin(first - second)
        matrix = [[2.0, cosine], [cosine, 1.0]]
        pull = [-(two**2) * sine - 2 * g * np.sin(first), one**2 * sine - g * np.sin(second)]
        return [one, two, *np.linalg.solve(matrix, pull)]

    times = np.arange(0.0, 5.0 + EVERY / 2, EVERY)
    angles = solve_ivp(slopes, (0.0, 5.0), [0.0, np.pi / 2, 0.0, 0.0], "DOP853", times, rtol=1e-11, atol=1e-11).y[:2]
    along = np.stack([np.sin(angles), -np.cos(angles)], axis=-1).swapaxes(0, 1)
    return np.cumsum(along, axis=1)


@pytest.fixture(scope="module")
def error():
    true = reference()

    def of(integrator, system, step):
        run = motion(DOUBLE_PENDULUM, (0.0, 5.0, step), tiny=True, integrator=integrator, daesystem=system, save=EVERY)
        return float(np.linalg.norm(run.q - true, axis=2).max())

    return of


def test_with_rk4_projection_repays_its_cost(error):
    found = {system: error("RK4", system, 0.01) for system in SYSTEMS}
    assert found["PROJECTED"] < 0.05 * min(found[system] for system in SYSTEMS[1:])


def test_with_midpoint_the_plain_system_is_nearest_and_fitted_velocities_are_farthest(error):
    found = {system: error("MIDPOINT", system, 0.005) for system in SYSTEMS}
    assert sorted(found, key=found.get) == ["INDEX1", "PROJECTED", "INDEX1_2_DAMPED", "INDEX1_2"]
    assert 2 * found["INDEX1"] < found["PROJECTED"]
