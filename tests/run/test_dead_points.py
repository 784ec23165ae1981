"""A drive that asks for what the mechanism cannot do ends the run there, in words that say so."""

import numpy as np
import pytest

import chainlist

# The rod is shorter than the crank: past sin(angle) = 0.75 it reaches the slider's line no more.
CRANK = """* A rod shorter than its crank
B1 (0.2,0) 1
B2 (0.35,0) 1
C1 (0,0) B1
C2 B1 B2
S1 B2 LINE(0,1,0)
M1 C1 {}
.tran 0 2 1ms
.options {}
"""
LAST = np.arcsin(0.75) / 3


@pytest.mark.parametrize("drive", ["SPEED=3", "ANGLE={3*time}"])
@pytest.mark.parametrize("settings", ["INTEGRATOR=RK4", "INTEGRATOR=DOP853", "INTEGRATOR=SDIRK4"])
def test_a_motor_stops_at_a_dead_point(settings, drive):
    motion = chainlist.simulate(chainlist.parse(CRANK.format(drive, settings)))
    assert not motion.status.ok and abs(motion.status.time - LAST) < 1e-3
    assert "what M1 asks for may be out of reach" in str(motion.status)
    assert LAST - 1e-3 < motion.t[-1] < LAST
    angle = np.arctan2(motion.q[:, 0, 1], motion.q[:, 0, 0])
    slider = 0.2 * np.cos(angle) + np.sqrt(0.15**2 - (0.2 * np.sin(angle)) ** 2)
    assert np.abs(angle - 3 * motion.t)[:-3].max() < 1e-8  # the last steps go where velocities have no bound
    assert np.abs(motion.q[:, 1, 0] - slider).max() < 1e-9


def test_a_motor_goes_on_through_a_position_where_branches_meet():
    """A parallelogram lies flat twice in a turn: branches meet there, but the motion goes on."""
    text = "* Flat\nB1 (0,1) 1\nB2 (3,1) 1\nC1 B1 (0,0)\nC2 B1 B2\nC3 B2 (3,0)\nM1 C1 SPEED=3\n.tran 0 5 1ms\n"
    motion = chainlist.simulate(chainlist.parse(text))
    assert motion.status.ok
    angle = np.unwrap(np.arctan2(motion.q[:, 0, 1], motion.q[:, 0, 0]))
    assert np.abs(angle - np.pi / 2 - 3 * motion.t).max() < 1e-8
    assert np.abs(motion.q[:, 1] - motion.q[:, 0] - (3, 0)).max() < 1e-6, "still a parallelogram"
