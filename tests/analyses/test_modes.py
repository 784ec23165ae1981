"""`.modes` against eigenvalues that are known otherwise."""

import math

import numpy as np
import pytest

import chainlist
from chainlist.analyses.base import Animation
from chainlist.output.charts import in_its_time
from chainlist.output.frames import caption
from chainlist.output.gif import timing
from chainlist.output.look import PLAIN, Look
from tests.analyses.texts import TIMES, hanging_chain


@pytest.mark.parametrize("links", [2, 3, 8, 21, 64])
def test_hanging_chains_swing_with_the_roots_of_laguerre(links):
    # equal masses on equal links: ω² = g/l times the zeros of the Laguerre polynomial of that degree
    found = chainlist.modes(hanging_chain(links), at_start=True)
    from scipy.special import roots_laguerre

    want = np.sqrt(9.81 * roots_laguerre(links)[0]) / (2 * math.pi)
    assert np.abs(found.frequencies / want - 1.0).max() < 1e-10
    assert not found.damping.any()


@pytest.mark.parametrize("masses", [1, 2, 7, 20])
def test_a_line_of_masses_and_springs_against_the_formula(masses):
    k, m = 40.0, 0.7
    bodies = "".join(f"B{i} ({i},0) {m}\nS{i} B{i} LINE(0,1,0)\n" for i in range(1, masses + 1))
    springs = "".join(f"K{i} B{i} B{i + 1} {k}\n" for i in range(1, masses))
    ends = f"K0 B1 (0,0) {k}\nK{masses} B{masses} ({masses + 1},0) {k}\n"
    found = chainlist.modes(f"* Line\n{bodies}{springs}{ends}{TIMES}")
    j = np.arange(1, masses + 1)
    want = 2 * math.sqrt(k / m) * np.sin(j * math.pi / (2 * (masses + 1))) / (2 * math.pi)
    assert np.abs(found.frequencies / want - 1.0).max() < 1e-10


def test_damped_modes():
    found = chainlist.modes(f"* Damped\nB1 (1,0) 2\nS1 B1 LINE(0,1,0)\nK1 B1 (0,0) 50 DAMP=4\n{TIMES}")
    (mode,) = found.modes
    assert mode.root == pytest.approx(complex(-1.0, math.sqrt(24.0)), rel=1e-11)
    assert mode.damping == pytest.approx(4 / (2 * math.sqrt(50 * 2)), rel=1e-11)


def test_an_overdamped_machine_has_two_decays():
    found = chainlist.modes(f"* Slow\nB1 (1,0) 1\nS1 B1 LINE(0,1,0)\nK1 B1 (0,0) 1\nD1 B1 4\n{TIMES}")
    assert sorted(-found.roots.real) == pytest.approx([2 - math.sqrt(3), 2 + math.sqrt(3)], rel=1e-11)
    assert "decays e-fold" in found[0].words()


def test_a_rigid_body_a_straight_bar_and_a_redundant_frame():
    rod = chainlist.modes(f"* Rod\nB1 (0,-1) 0\nR1 (0,0) B1 3\n{TIMES}")
    assert rod.frequencies[0] == pytest.approx(math.sqrt(1.5 * 9.81) / (2 * math.pi), rel=1e-12)
    # three links on one line are one bar: a lever of 1 and 2 kg
    lever = chainlist.modes(f"* Lever\nB1 (0,1) 1\nB2 (0,-1) 2\nC1 B1 (0,0)\nC2 B2 (0,0)\nC3 B1 B2\n{TIMES}")
    assert lever.frequencies[0] == pytest.approx(math.sqrt(9.81 / 3) / (2 * math.pi), rel=1e-10)
    # a square with both diagonals hangs from one corner: as a rigid body about it
    corners = "B1 (0,0) 1\nB2 (1,-1) 1\nB3 (0,-2) 1\nB4 (-1,-1) 1\n"
    sides = "C1 B1 B2\nC2 B2 B3\nC3 B3 B4\nC4 B4 B1\nC5 B1 B3\nC6 B2 B4\nJ1 B1 (0,0)\n"
    frame = chainlist.modes(f"* Frame\n{corners}{sides}{TIMES}")
    assert frame.frequencies == pytest.approx([math.sqrt(4 * 9.81 / (2 + 2 + 4)) / (2 * math.pi)], rel=1e-10)


def test_a_pendulum_in_space_has_two_equal_modes():
    found = chainlist.modes(f"* Ball\nB1 (0,-1,0) 1\nC1 B1 (0,0,0)\n{TIMES}")
    assert found.frequencies == pytest.approx([math.sqrt(9.81) / (2 * math.pi)] * 2, rel=1e-12)


def test_a_nonlinear_spring_stiffens_under_its_load():
    # pull d**3 holds 9.81 N at d = 9.81**(1/3): the stiffness there is 3 d²
    text = f"* Hard\nB1 (0,-2) 1\nS1 B1 LINE(1,0,0)\nK1 B1 (0,0) {{DIST(B1,(0,0))**3}}\n{TIMES}"
    found = chainlist.modes(text)
    d = 9.81 ** (1 / 3)
    assert found.frequencies[0] == pytest.approx(math.sqrt(3 * d * d) / (2 * math.pi), rel=1e-11)


def test_a_knife_edge_has_fewer_velocities_than_positions():
    text = f"* Skate\nB1 (0,0) 1\nB2 (1,0) 1\nR1 B1 B2 1\nN1 R1 BLADE(B1)\nK1 B1 (-1,0) 10 L0=0.5\nK2 B2 (3,0) 10 L0=1.5\n{TIMES}"
    found = chainlist.modes(text.replace("9.81", "0"), at_start=True)
    assert np.isfinite(found.roots).all()
    # across the blade nothing swings: one root 0. Along it two springs move 3 kg; about B1 the pull of K2, 5 N at the end of an
    # arm of 1 m, 2 m before its anchor, turns B2 and the rod: s² = −(5 + 5/2)/(1 + 1/3)
    assert len(found) == 3
    want = [0.0, math.sqrt(7.5 * 3 / 4), math.sqrt(20 / 3)]
    assert sorted(np.abs(found.roots)) == pytest.approx(want, rel=1e-9, abs=1e-7)


def test_shapes_are_those_of_the_double_pendulum():
    found = chainlist.modes(hanging_chain(2))
    slow, fast = (mode.shape[:, 0].real for mode in found.modes)
    # x1 (2 − ω² l/g) = … : eigenvectors of [[3, −1], [−1, 1]]
    for shape, square in ((slow, 2 - math.sqrt(2)), (fast, 2 + math.sqrt(2))):
        assert shape[1] / shape[0] == pytest.approx(3 - square, rel=1e-10)
    assert max(abs(slow)) == 1.0


def test_motion_of_a_mode_returns_after_its_period():
    found = chainlist.modes(hanging_chain(3))
    motion = found.motion(1)
    assert motion.t[-1] == pytest.approx(1 / found.frequencies[1])
    assert np.abs(motion.q[-1] - motion.q[0]).max() < 1e-12
    assert np.ptp(motion.q[:, :, 0]) > 0.1


def test_films_of_modes_last_two_seconds_and_say_the_true_time():
    text = "* Pendulum\nB1 (0,-9.81) 1\nC1 B1 (0,0)\n.options gravity=9.81\n.modes\n.tran 0 1 1ms\n"
    (animation,) = (p for p in chainlist.modes(text).pictures() if isinstance(p, Animation))
    assert animation.trajectory.t[-1] == pytest.approx(2 * math.pi)
    look = in_its_time(PLAIN, animation)
    when = timing(animation.trajectory, speed=look.speed)
    assert when.times[-1] == pytest.approx(2 * math.pi) and len(when.times) * when.delay == pytest.approx(200, abs=5)
    assert in_its_time(Look(speed=0.5), animation).speed == 0.5
    assert caption(0.000123, 0.0005).startswith("t = 0.000123 s")
