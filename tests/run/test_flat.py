"""A parallelogram that turns evenly and is flat twice in each turn: every sample has a value, and what is said is true."""

import numpy as np
import pytest

import chainlist

TURN = 2 * np.pi  # rad/s


def parallelogram(mass=1.0, speed=TURN):
    return chainlist.parse(
        f"* Parallelogram\nB1 (0,1) 1 IC_VEL=(-{speed!r},0)\nB2 (2,1) {mass} IC_VEL=(-{speed!r},0)\n"
        "C1 B1 (0,0)\nC2 B2 (2,0)\nC3 B1 B2\n.tran 0 4 1E-2\n.options gravity=0\n"
    )


@pytest.mark.parametrize("mass", [1.0, 3.0])
@pytest.mark.parametrize(
    "settings", [{}, {"integrator": "DOP853"}, {"integrator": "DOPRI5"}, {"integrator": "DOP853", "mpi_algo": "SVD"}]
)
def test_samples_on_a_singular_position_are_right(mass, settings):
    motion = chainlist.simulate(parallelogram(mass), **settings)
    assert motion.status.ok and motion.report.warnings == ()
    np.testing.assert_allclose(np.linalg.norm(motion.v, axis=2), TURN, atol=2e-5)
    angle = np.pi / 2 + TURN * motion.t
    np.testing.assert_allclose(motion.q[:, 0], np.stack([np.cos(angle), np.sin(angle)], axis=1), atol=2e-5)


@pytest.mark.parametrize("motor", ["SPEED=3", "ANGLE={3*time}"])
def test_a_motor_begins_in_a_flat_position_along_a_branch(motor):
    """Of the velocities that the gradients allow there only those of the two branches lead on; the crank has one, the rocker follows."""
    text = f"* Flat\nB1 (1,0) 1\nB2 (3,0) 1\nC1 B1 (0,0)\nC2 B2 (2,0)\nC3 B1 B2\nM1 C1 {motor}\n.tran 0 2 1E-3\n"
    motion = chainlist.simulate(text)
    assert motion.status.ok and motion.report.energy_error < 1e-3
    np.testing.assert_allclose(motion.v[0], [[0, 3], [0, 3]], atol=1e-9)
    np.testing.assert_allclose(motion.q[:, 1] - motion.q[:, 0], np.broadcast_to((2, 0), (2001, 2)), atol=1e-9)


def test_velocities_follow_a_given_one_along_a_branch():
    text = "* Flat\nB1 (1,0) 1 IC_VEL=(0,3)\nB2 (3,0) 1\nC1 B1 (0,0)\nC2 B2 (2,0)\nC3 B1 B2\n.tran 0 0.1 1E-3\n"
    motion = chainlist.simulate(text)
    np.testing.assert_allclose(motion.v[0], [[0, 3], [0, 3]], atol=1e-9)
    assert motion.report.energy_error < 1e-6


def test_passages_are_dated_to_the_step_in_which_they_happen():
    passages = chainlist.simulate(parallelogram()).report.passages
    np.testing.assert_allclose([p.time for p in passages], np.arange(0.25, 4, 0.5), atol=0.011)


def test_forces_have_no_value_at_a_singular_moment_and_the_right_one_around_it():
    motion = chainlist.simulate(parallelogram(3.0, TURN / 4))
    carried, idle = (motion.observe(f"TENSION({name})").curves[0].values for name in ("C1", "C3"))
    known = np.isfinite(carried)
    assert 0 < (~known).sum() <= 2
    np.testing.assert_allclose(carried[known], (TURN / 4) ** 2, atol=1e-3)
    np.testing.assert_allclose(idle[known], 0.0, atol=1e-3)


def test_a_breakdown_of_rattle_is_dated_to_where_it_happens():
    motion = chainlist.simulate(parallelogram(3.0, TURN / 4), integrator="RATTLE4")
    assert not motion.status.ok and motion.status.time == pytest.approx(1.0, abs=0.011)


def test_a_light_body_before_a_heavy_one_is_no_singular_passage():
    text = "* Whip\nB1 (1,0) 1\nB2 (2,0) 1E5\nC1 B1 (0,0)\nC2 B1 B2\n.tran 0 1 1E-4\n"
    assert chainlist.simulate(text).report.passages == ()


FAST = "* Fast\nB1 (1,0) 1 IC_VEL=(0,100)\nC1 B1 (0,0)\n"
SWING = "* Swing\nB1 (1,0) 1\nC1 B1 (0,0)\n"


@pytest.mark.parametrize(
    "text, tran, integrator",
    [
        (FAST, (0, 10, 1e-3), "RK4"),  # one speed, which is lost little by little
        (SWING, (0, 20, 1e-2), "RK4"),  # errors of the velocity turn with it
        (SWING, (0, 500, 1e-2), "RK4"),
        (SWING, (0, 60, 1e-3), "RATTLE"),
    ],
)
def test_half_steps_tell_the_error_of_the_run(text, tran, integrator):
    coarse = chainlist.simulate(text, tran=tran, integrator=integrator, save=0.5)
    true = chainlist.simulate(text, tran=tran, integrator="DOP853", reltol=1e-12, save=0.5)
    error = np.abs(coarse.q - true.q).max()
    assert 0.5 * error < coarse.report.step_error < 60 * error
    assert any("too coarse" in warning for warning in coarse.report.warnings) == (coarse.report.step_error > 1e-3)


def test_half_steps_speak_of_the_time_that_was_reached():
    asked = iter([False, False, True])
    motion = chainlist.simulate(SWING, tran=(0, 1e5, 1e-3), save=10, cancel=lambda: next(asked, True))
    assert motion.status.cancelled and motion.status.time < 1e4
    assert motion.report.step_error < 1e-3 and motion.report.warnings == ()


def test_half_steps_say_nothing_of_what_rests():
    truss = "* Truss\nB1 (0.31,0.77) 1.3\nB2 (1.37,0.87) 0.7\nC1 B1 (0,0)\nC2 B1 (1.03,0)\nC3 B2 (1.03,0)\nC4 B1 B2\n"
    report = chainlist.simulate(truss, tran=(0, 100, 1e-2), daesystem="INDEX1").report
    assert report.step_error < 1e-9 and report.warnings == ()


def test_half_steps_tell_of_a_light_body_beside_a_heavy_one():
    light = "* Light\nB2 (1,0) 1E-3 IC_VEL=(0,50)\nC2 B2 (0,0)\n"
    alone = chainlist.simulate(light, tran=(0, 20, 1e-3), save=1).report
    beside = chainlist.simulate(light + "B1 (5,0) 1E6\nC1 B1 (4,0)\n", tran=(0, 20, 1e-3), save=1).report
    assert beside.step_error == pytest.approx(alone.step_error) and beside.warnings == alone.warnings != ()


@pytest.mark.parametrize("step, told", [(1e-3, "about 0.09"), (2e-3, "more than 1 m"), (1e-4, "")])
def test_what_half_steps_would_add_up_to_is_told_as_that(step, told):
    """Errors of a fast vibration turn round with it: the run is off by far less, and there is no link to be compared with."""
    spring = "* Spring\nB1 (1,0) 0.001\nK1 B1 (0,0) 1000\n"
    warnings = chainlist.simulate(spring, tran=(0, 2, step), save=0.1).report.warnings
    assert len(warnings) == (told != "")
    assert all("were every step as far from two half steps as the worst one" in warning for warning in warnings)
    assert all(told in warning and "link" not in warning for warning in warnings)
