"""The motion of an example, simulated once however many tests look at it."""

from functools import cache

import pytest

import chainlist
from chainlist.examples import find


@cache
def _motion(name):
    return chainlist.simulate(find(name).text)


class Bodies:
    """Positions and velocities of an example by the names of its bodies, (samples, 2) each."""

    def __init__(self, trajectory):
        self.trajectory = trajectory
        self.t = trajectory.t
        self._index = trajectory.mechanism.body_index

    def q(self, name):
        return self.trajectory.q[:, self._index[name]]

    def v(self, name):
        return self.trajectory.v[:, self._index[name]]


@pytest.fixture(scope="session")
def motion():
    return _motion


@pytest.fixture(scope="session")
def bodies():
    return lambda name: Bodies(_motion(name))
