"""Strings, springs and motors of the gallery against closed forms, and against what their texts say."""

import numpy as np
import pytest

from .kinematics import circles

G = 9.81


def close(found, wanted, tolerance=1e-9):
    np.testing.assert_allclose(found, np.broadcast_to(wanted, np.shape(found)), rtol=0, atol=tolerance)


def item(machine, text):
    return machine.trajectory.observe(text).curves[0].values


def arm(radius, angle, centre=(0, 0)):
    return np.asarray(centre) + radius * np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def test_atwoods_weights_move_with_a_third_of_g(bodies):
    machine = bodies("atwood")
    close(machine.q("B1")[:, 1], -1.6 + G / 6 * machine.t**2)
    close(machine.q("B2")[:, 1], -0.4 - G / 6 * machine.t**2)
    close(item(machine, "TENSION(C1)"), 4 / 3 * G)


def test_the_swinging_weight_comes_back(bodies):
    machine = bodies("swinging-atwood")
    away = np.linalg.norm(machine.q("B2") - [2, 0], axis=1)
    assert np.sum((away[1:-1] < away[:-2]) & (away[1:-1] < away[2:]) & (away[1:-1] < 0.03)) >= 1
    close(machine.q("B1")[:, 0], -1, 1e-12)
    assert machine.q("B2")[:, 1].max() > 0.6  # it goes over the top of its peg


def test_the_tackle_lifts_as_its_text_says(bodies):
    machine = bodies("block-and-tackle")
    rise, fall = np.ptp(machine.q("B1")[:, 1]), np.ptp(machine.q("B3")[:, 1])
    assert fall / rise == pytest.approx(4, abs=0.02) and fall < 4 * rise
    assert item(machine, "TENSION(C2)") == pytest.approx(10.17, abs=0.01)


def test_the_shaper_comes_back_twice_as_fast(bodies):
    machine = bodies("shaper")
    pin = arm(0.5, 2 * np.pi * machine.t)
    close(machine.q("B1"), pin, 1e-12)
    close(machine.q("B3")[:, 0], pin[:, 0] * 1.7 / (1 + pin[:, 1]), 1e-12)  # on one ray from the pivot at (0,-1)
    forward = np.mean(machine.v("B3")[:-1, 0] < 0)
    assert forward == pytest.approx(2 / 3, abs=1e-3)


def test_the_motor_works_for_the_damper_alone(bodies):
    machine = bodies("motor-crank")
    turn = np.searchsorted(machine.t, 1.0)
    assert item(machine, "Work")[turn] == pytest.approx(0, abs=1e-9)
    lost = 10 * np.trapezoid(machine.v("B2")[: turn + 1, 0] ** 2, machine.t[: turn + 1])
    given = np.trapezoid(item(machine, "TORQUE(M1)")[: turn + 1], machine.t[: turn + 1]) * 2 * np.pi
    assert given == pytest.approx(lost, rel=1e-6)


def test_the_bounce_becomes_a_swing(bodies):
    machine = bodies("spring-pendulum")
    across = np.abs(machine.q("B1")[:, 0])
    assert across[machine.t < 1].max() < 0.04 and across[machine.t < 7].max() == pytest.approx(0.5, abs=0.02)


def test_the_pendulum_stays_up(bodies):
    machine = bodies("kapitza")
    angle = item(machine, "ANGLE(C1)")
    assert np.abs(angle - np.pi / 2).max() < np.radians(20.5)
    assert angle.max() > np.radians(105)


def test_the_knife_edge_draws_a_cycloid(bodies):
    machine = bodies("knife-edge")
    turn, size = 1.5 * machine.t, 2 / (2 * 1.5**2)
    close(machine.q("B3")[:, 0], size * (turn - np.sin(turn) * np.cos(turn)))
    close(machine.q("B3")[:, 1], -size * np.sin(turn) ** 2)


def test_the_pen_of_the_five_bar(bodies):
    machine = bodies("five-bar")
    first = arm(0.3, 2 * np.pi * machine.t)
    second = arm(0.4, np.pi / 2 - 3 / 5 * 2 * np.pi * machine.t, (1.2, 0))
    pen = circles(first, np.hypot(0.3, 1.1), second, np.hypot(0.6, 0.7), 1)
    close(machine.q("B3"), pen, 1e-7)
    close(machine.q("B3")[-1], machine.q("B3")[0], 1e-7)


def test_the_bead_draws_a_rose_of_five_leaves(bodies):
    machine = bodies("bead-rose")
    out = np.cos(10 / 3 * machine.t)
    close(machine.q("B1"), out[:, None] * arm(1, 2 * machine.t))


def test_the_dampers_of_the_strip_only_take(bodies):
    machine = bodies("elastic-strip")
    work = item(machine, "Work")
    assert (np.diff(work) <= 0).all() and work[-1] < -0.1  # dampers only take
    close(machine.trajectory.energy - work, machine.trajectory.energy[0], 1e-8)


def test_the_load_of_the_crane_arrives_at_rest(bodies):
    machine = bodies("crane")
    period = 2 * np.pi * np.sqrt(2 / G)
    late = machine.t > 2 * period
    close(machine.q("B1")[late, 0], 0.3 * period**2, 1e-12)
    assert np.abs(machine.q("B2")[late, 0] - 0.3 * period**2).max() < 1e-4  # a swing of 7 degrees is a little slower
    assert np.ptp(machine.q("B2")[:, 0] - machine.q("B1")[:, 0]) > 0.2


def test_the_censer_swings_higher(bodies):
    machine = bodies("botafumeiro")
    across = np.abs(machine.q("B1")[:, 0])
    assert across[-500:].max() > 3.5 * across[:500].max()
    close(np.linalg.norm(machine.q("B1"), axis=1), 2 + 0.08 * np.sin(2 * np.sqrt(G / 2) * machine.t), 1e-12)


def test_the_absorber_takes_it_all(bodies):
    machine = bodies("vibration-absorber")
    late = machine.t > 10
    assert np.ptp(machine.q("B1")[late, 0]) < 0.01
    assert item(machine, "FORCE(K2)")[late].max() == pytest.approx(10, rel=0.03)  # against the force


def test_the_axle_of_the_car_follows_the_road(bodies):
    machine = bodies("car-axis")
    close(machine.q("B1")[-1], [0.04934557842755629, 0.4969894602303324], 1e-7)  # the table of the Test Set
    close(machine.q("B2")[-1], [1.041742524885400, 0.3739110272652214], 1e-7)
