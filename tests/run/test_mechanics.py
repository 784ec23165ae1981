"""Forces, drives, strings and constraints on velocities: defaults against motions computed without the program."""

import numpy as np
import pytest

import chainlist
from tests.references.mechanics.table import MECHANICS

SAMPLES = 60


@pytest.fixture(scope="module")
def motions():
    """Each text is run once for all its questions."""
    done = {}

    def run(name):
        if name not in done:
            done[name] = chainlist.simulate(MECHANICS[name].text)
        return done[name]

    return run


def chosen(motion):
    """Samples from the start to the end, both included."""
    return np.unique(np.linspace(0, len(motion.t) - 1, SAMPLES).astype(int))


@pytest.mark.parametrize("name", MECHANICS)
def test_motion(name, motions):
    problem, motion = MECHANICS[name], motions(name)
    at = chosen(motion)
    assert motion.status.ok
    assert motion.t[-1] == problem.span
    assert np.abs(motion.q[at] - problem.states(motion.t[at])).max() < problem.limit
    assert np.abs(motion.v[at] - problem.velocities(motion.t[at])).max() < (problem.speed_limit or 10 * problem.limit)


@pytest.mark.parametrize("name", MECHANICS)
def test_constraints_and_energy(name, motions):
    problem, motion = MECHANICS[name], motions(name)
    report = motion.report
    assert report.residual is None or report.residual.value <= 1e-13
    assert report.start_moved == pytest.approx((0.0, 0.0), abs=1e-13)
    assert report.energy_error <= problem.balance * problem.energy_scale


@pytest.mark.parametrize("name", MECHANICS)
def test_work(name, motions):
    problem, motion = MECHANICS[name], motions(name)
    at = chosen(motion)
    found = motion.observe("Work").curves[0].values[at]
    allowed = (problem.balance + 10 * problem.limit) * max(1.0, problem.energy_scale)
    assert np.abs(found - problem.work(motion.t[at])).max() <= allowed


@pytest.mark.parametrize(("name", "item"), [(name, item) for name, p in MECHANICS.items() for item in p.items])
def test_forces_and_torques(name, item, motions):
    problem, motion = MECHANICS[name], motions(name)
    at = chosen(motion)
    found = motion.observe(item).curves[0].values[at]
    assert np.abs(found - problem.items[item](motion.t[at])).max() < problem.item_limit
