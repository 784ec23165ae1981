"""Rigid bodies of the gallery against closed forms, references, and what their texts say."""

import itertools

import numpy as np
import pytest

from tests.references.bodies.andrews import PUBLISHED

G = 9.81


def item(machine, text):
    return machine.trajectory.observe(text).curves[0].values


def test_the_squeezer_ends_where_the_test_set_says(bodies):
    machine = bodies("andrews-squeezer")
    assert item(machine, "ANGLE(R1)")[-1] == pytest.approx(PUBLISHED[0][0], abs=1e-7)
    assert item(machine, "OMEGA(R1)")[-1] == pytest.approx(PUBLISHED[1][0], rel=1e-7)


def test_bricards_rods_keep_their_hinges(bodies):
    machine = bodies("bricard")
    corners = [machine.q(name) for name in ("B1", "B2", "B3", "B4")]
    for one, two in itertools.pairwise(corners):
        np.testing.assert_allclose(np.linalg.norm(two - one, axis=1), 1.0, atol=1e-12)
    assert machine.q("B2")[:, 0].max() > 1.7 and machine.q("B2")[:, 0].min() < -1.7  # it moves


def test_points_of_the_rim_keep_to_diameters(bodies):
    machine = bodies("tusi-couple")
    np.testing.assert_allclose(machine.q("B2")[:, 1], 0, atol=1e-12)
    np.testing.assert_allclose(machine.q("B3")[:, 0], 0, atol=1e-12)
    assert np.ptp(machine.q("B2")[:, 0]) == pytest.approx(2, abs=1e-4)


def test_the_wheel_goes_up_while_its_weight_goes_down(bodies):
    machine = bodies("uphill-wheel")
    early = machine.t < 0.7
    assert (np.diff(machine.q("B1")[early, 1]) >= 0).all() and (np.diff(item(machine, "U")[early]) <= 1e-12).all()
    slope = np.radians(5)
    way = machine.q("B1") @ [np.cos(slope), np.sin(slope)]
    turn = item(machine, "ANGLE(R1)")
    np.testing.assert_allclose(way - way[0], -0.3 * (turn - turn[0]), atol=1e-9)  # it rolls


def test_the_sleigh_ends_up_going_straight_with_all_its_energy(bodies):
    machine = bodies("chaplygin-sleigh")
    assert item(machine, "OMEGA(R1)")[-1] < 1e-3
    speed = item(machine, "SPEED(B1)")[-1]
    assert 0.5 * 4 * speed**2 == pytest.approx(machine.trajectory.energy[0], rel=1e-5)
    ahead = machine.q("B2")[-1] - machine.q("B1")[-1]
    assert ahead @ machine.v("B1")[-1] > 0 and ahead[0] < 0  # it began pointing along +x


def test_the_top_goes_round_as_slowly_as_its_spin_is_fast(bodies):
    machine = bodies("spinning-top")
    tip = machine.q("B1")
    azimuth = np.unwrap(np.arctan2(-tip[:, 2], tip[:, 0]))
    nods = item(machine, "Y(B1)")
    starts = np.flatnonzero((nods[1:-1] > nods[:-2]) & (nods[1:-1] >= nods[2:])) + 1  # cusps
    rate = (azimuth[starts[-1]] - azimuth[0]) / machine.t[starts[-1]]
    assert rate == pytest.approx(0.5 * G * 0.06 / (0.25 * 0.05**2 * 150), rel=0.1)
    H = 0.25 * 0.05**2 * 150
    about_axle = np.sum(item(machine, "OMEGA(R1)") * tip, axis=1) / 0.12
    np.testing.assert_allclose(about_axle * 0.25 * 0.05**2, H, rtol=1e-9)


def test_the_nut_turns_over_and_its_momentum_does_not(bodies):
    machine = bodies("wing-nut")
    stem = machine.q("B4")[:, 1] - machine.q("B3")[:, 1]
    assert stem[0] == pytest.approx(-0.17) and stem.max() > 0.16
    H = item(machine, "H(R1)")
    np.testing.assert_allclose(H, np.broadcast_to(H[0], H.shape), atol=1e-8 * np.abs(H[0]).max())


def test_the_lowest_point_of_the_coin_is_at_rest_on_the_floor(bodies):
    machine = bodies("rolling-coin")
    first, second = (machine.q(name) - machine.q("B1") for name in ("B2", "B3"))
    speeds = [machine.v(name) - machine.v("B1") for name in ("B2", "B3")]
    rise = np.hypot(first[:, 1], second[:, 1])
    np.testing.assert_allclose(machine.q("B1")[:, 1], rise, atol=1e-12)
    shares = -np.stack([first[:, 1], second[:, 1]]) / rise
    contact = machine.v("B1") + sum(share[:, None] * speed for share, speed in zip(shares, speeds, strict=True))
    np.testing.assert_allclose(contact, 0, atol=1e-11)


def test_the_load_on_the_rack_rises_evenly(bodies):
    machine = bodies("rack-and-pinion")
    carried = 64 * G * 0.05 / 4
    assert item(machine, "TORQUE(T1)")[-1] == pytest.approx(-carried, rel=1e-6)
    assert machine.v("B3")[-1, 1] == pytest.approx(0.05 / 4 * 30 * (1 - carried / 12), rel=1e-6)


def test_the_hinge_of_the_gate_carries_its_weight(bodies):
    machine = bodies("leaning-gate")
    lower, upper = item(machine, "JOINT(R1,(0,0,0))"), item(machine, "JOINT(R1,(0.1,1.2,0))")
    assert (lower + upper)[-1, 1] == pytest.approx(25 * G, rel=1e-3)
    assert lower[-1, 0] > 90 and upper[-1, 0] < -90


def test_the_governor_opens_the_valve(bodies):
    machine = bodies("governor")
    speed = item(machine, "OMEGA(R1)")[:, 1]
    assert np.ptp(speed[machine.t < 2]) < 0.01
    assert speed[-1] / speed[0] == pytest.approx(0.954, abs=0.005)
    assert item(machine, "TORQUE(T1)")[-1] == pytest.approx(1.0, abs=1e-3)


def test_motors_of_the_robot_do_the_work(bodies):
    machine = bodies("robot-arm")
    work, energy = item(machine, "Work"), machine.trajectory.energy
    np.testing.assert_allclose(energy - energy[0], work, atol=1e-8)
    turn = np.arctan2(-machine.q("B1")[-1, 2], machine.q("B1")[-1, 0])
    assert np.degrees(turn) == pytest.approx(-120, abs=1e-9)


def test_the_car_rises_less_than_its_wheel(bodies):
    machine = bodies("suspension")
    wheel, car = (machine.q(name)[:, 1] - machine.q(name)[0, 1] for name in ("B9", "B3"))
    assert wheel.max() > 0.04 and 0.4 < car.max() / wheel.max() < 0.6
    assert item(machine, "FORCE(K2)").max() < 0  # the tyre stays on the road


def test_the_crank_of_bodies_needs_no_work_over_a_turn(bodies):
    machine = bodies("slider-crank")
    torque = item(machine, "TORQUE(M1)")
    turn = machine.t <= 0.1 + 1e-9
    assert np.trapezoid(torque[turn], machine.t[turn]) == pytest.approx(0, abs=1e-6)
    joint = item(machine, "JOINT(R1,(0,0))")
    assert 95 < np.linalg.norm(joint, axis=1).max() < 110


def test_the_nail_holds_several_times_the_weight(bodies):
    machine = bodies("two-plates")
    assert np.linalg.norm(item(machine, "JOINT(R1,(0,0))"), axis=1).max() > 10 * 4 * G
