"""Measured order of every integrator with every system it goes with, against the double pendulum in angles."""

import dataclasses

import numpy as np
import pytest
from scipy.integrate import solve_ivp  # noqa: TID253

from chainlist import formulations, integrators
from chainlist.model.combinations import clashes
from chainlist.model.options import Options
from chainlist.run.simulate import simulate
from tests.machines import double_pendulum

STOP = 0.4
STEPS = {1: (1e-3, 5e-4), 2: (4e-3, 2e-3), 3: (8e-3, 4e-3), 4: (2e-2, 1e-2), 5: (1.25e-2, 6.25e-3), 8: (5e-2, 2.5e-2)}


@pytest.fixture(scope="module")
def exact():
    """Positions and velocities at STOP from the equations in angles (from the downward vertical)."""

    def slope(_, y):
        a, b, u, w = y
        d, g = a - b, 9.81
        mass = np.array([[2.0, np.cos(d)], [np.cos(d), 1.0]])
        force = np.array([-np.sin(d) * w * w - 2 * g * np.sin(a), np.sin(d) * u * u - g * np.sin(b)])
        return [u, w, *np.linalg.solve(mass, force)]

    solution = solve_ivp(slope, (0, STOP), [0, np.pi / 2, 0, 0], method="DOP853", rtol=1e-13, atol=1e-14)
    a, b, u, w = solution.y[:, -1]
    rods = np.array([[np.sin(a), -np.cos(a)], [np.sin(b), -np.cos(b)]])
    rates = np.array([[u * np.cos(a), u * np.sin(a)], [w * np.cos(b), w * np.sin(b)]])
    return np.cumsum(rods, axis=0), np.cumsum(rates, axis=0)


def combinations():
    for name in integrators.REGISTRY:
        for system in formulations.REGISTRY:
            method = integrators.REGISTRY[name]
            fits = not clashes(Options(integrator=name, daesystem=system))
            if fits:
                yield name, system, min(method.order, formulations.REGISTRY[system].highest_order)


@pytest.mark.parametrize(("name", "system", "order"), list(combinations()))
def test_order(name, system, order, exact, monkeypatch):
    method = dataclasses.replace(integrators.REGISTRY[name], adaptive=False)  # at a fixed step
    monkeypatch.setitem(integrators.REGISTRY, name, method)
    errors = []
    for h in STEPS[order]:
        mechanism = double_pendulum(integrator=name, daesystem=system, guard="OFF", tran=(0.0, STOP, h), save=STOP)
        end = simulate(mechanism, target="python")
        errors.append(np.linalg.norm(end.q[-1] - exact[0]) + np.linalg.norm(end.v[-1] - exact[1]))
    measured = np.log2(errors[0] / errors[1])
    assert order - 0.35 < measured < order + 0.6
