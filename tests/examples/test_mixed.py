"""Motions of the gallery in which something holds only at times, against closed forms and what their texts say."""

from itertools import pairwise

import numpy as np
import pytest

G = 9.81


def events(machine, what, who=None):
    found = sorted(machine.trajectory.events, key=lambda event: event.time)
    return [e for e in found if e.what == what and (who is None or who in e.who)]


def test_two_balls_come_in_and_two_fly_off(bodies):
    machine = bodies("newtons-cradle")
    first = events(machine, "hits")[0].time
    after = (machine.t > first + 0.01) & (machine.t < first + 0.4)
    for name in ("B1", "B2", "B3"):
        np.testing.assert_allclose(machine.v(name)[after], 0, atol=1e-9)
    top = np.array([machine.q(name)[:, 1].max() for name in ("B4", "B5")])
    np.testing.assert_allclose(top, -0.25 * np.cos(np.radians(40)), atol=1e-6)  # as high as the others were


def test_the_ball_bounces_when_it_must_and_then_rests(bodies):
    machine = bodies("bouncing-ball")
    fall, e = np.sqrt(2 / G), 0.8
    hits = [event.time for event in events(machine, "hits")]
    expected = [fall * (1 + 2 * sum(e**k for k in range(1, n + 1))) for n in range(20)]
    np.testing.assert_allclose(hits[:20], expected, atol=1e-10)
    (rest,) = events(machine, "stays in touch")
    assert rest.time == pytest.approx(fall * (1 + 2 * e / (1 - e)), abs=1e-6)
    late = machine.t > rest.time + 0.01
    np.testing.assert_allclose(machine.q("B1")[late, 1], 0.05, atol=1e-9)
    np.testing.assert_allclose(machine.v("B1")[:, 0], 0.5)


def test_the_sling_lets_go_and_the_stone_flies_upwards(bodies):
    machine = bodies("trebuchet-sling")
    (leaves,) = events(machine, "leaves", "W1")
    (cut,) = events(machine, "is cut", "C2")
    assert 0.2 < leaves.time < cut.time
    free = machine.t > cut.time + 1e-3
    np.testing.assert_allclose(np.diff(machine.v("B4")[free], axis=0) / 5e-4, [[0, -G]] * (free.sum() - 1), atol=1e-6)
    vx, vy = machine.v("B4")[free][0]
    assert np.hypot(vx, vy) > 20 and 30 < np.degrees(np.arctan2(vy, vx)) < 60
    sling = np.linalg.norm(machine.q("B4") - machine.q("B2"), axis=1)
    assert sling[machine.t < cut.time].max() < sling[0] + 1e-9


def test_no_joint_of_the_chain_is_ever_inside_the_peg_and_the_bob_winds_around(bodies):
    machine = bodies("pendulum-peg")
    away = np.linalg.norm(machine.trajectory.q - [0.07, -0.5], axis=2)
    assert away.min() > 0.07 - 1e-9
    assert machine.q("B12")[:, 0].max() > 0.3  # beyond the peg
    assert len({event.who[1] for event in events(machine, "hits")}) >= 2  # joints that meet the peg


def test_the_wall_keeps_the_pendulum_and_takes_what_the_events_say(bodies):
    machine = bodies("double-pendulum-wall")
    assert machine.trajectory.q[:, :, 0].min() > -0.2 + 0.04 - 1e-9
    lost = sum(event.lost for event in machine.trajectory.events)
    assert machine.trajectory.energy[0] - machine.trajectory.energy[-1] == pytest.approx(lost, rel=1e-8)


def test_what_the_slope_does_to_each_block(bodies):
    machine, s = bodies("blocks-incline"), np.radians(20)
    along = [machine.v(name) @ [np.cos(s), np.sin(s)] for name in ("B1", "B2", "B3", "B4")]
    t = machine.t
    np.testing.assert_allclose(along[0], 3 - G * np.sin(s) * t, atol=1e-10)
    stop = 3 / (G * (np.sin(s) + 0.2 * np.cos(s)))
    down = -G * (np.sin(s) - 0.2 * np.cos(s)) * (t - stop)
    np.testing.assert_allclose(along[1][t > stop], down[t > stop], atol=1e-9)
    (sticks,) = events(machine, "sticks", "B3")
    assert sticks.time == pytest.approx(3 / (G * (np.sin(s) + 0.3 * np.cos(s))), abs=1e-10)
    np.testing.assert_allclose(along[2][t > sticks.time], 0, atol=1e-12)
    np.testing.assert_allclose(along[3], 0, atol=1e-12)


def test_the_belt_carries_the_block_until_the_spring_tears_it_off(bodies):
    machine = bodies("stick-slip-belt")
    slips = events(machine, "slips")
    assert len(slips) >= 5
    np.testing.assert_allclose(np.diff([event.time for event in slips[1:]]), slips[2].time - slips[1].time, rtol=1e-6)
    for event in slips:
        at = np.searchsorted(machine.t, event.time)
        assert machine.q("B1")[at, 0] == pytest.approx(0.5 * G / 60, abs=1e-3)  # k x = MUS m g
        assert machine.v("B1")[at - 1, 0] == pytest.approx(0.3, abs=1e-9)


def test_rods_break_where_their_pull_is_too_large(bodies):
    machine = bodies("breaking-swings")
    assert not events(machine, "breaks", "C1")
    for name, body, limit, x0 in (("C2", "B2", 28, 2), ("C3", "B3", 15, 4)):
        (breaks,) = events(machine, "breaks", name)
        at = np.searchsorted(machine.t, breaks.time)
        x, y = machine.q(body)[at - 1] - [x0, 0]
        assert -y == pytest.approx(limit / (3 * G), abs=5e-3)
        assert np.hypot(x, y) == pytest.approx(1, abs=1e-9)
        flight = (machine.t > breaks.time + 1e-3) & (machine.t < events(machine, "hits", body)[0].time)
        np.testing.assert_allclose(np.ptp(machine.v(body)[flight, 0]), 0, atol=1e-10)


def test_the_chain_leaves_the_drum_joint_after_joint(bodies):
    machine = bodies("chain-off-drum")
    away = np.linalg.norm(machine.trajectory.q, axis=2)
    assert away.min() > 0.5 - 1e-9
    assert (away[0] < 0.5 + 1e-9).all() and (away[-1] > 0.51).all()


def test_the_clock_ticks_half_a_pitch_at_a_time_and_its_pallets_take_turns(bodies):
    machine = bodies("escapement")
    ticks = events(machine, "hits")
    assert len(ticks) >= 8
    pallets = [event.who[1] for event in ticks]
    assert all(one != two for one, two in pairwise(pallets))
    turn = np.degrees(machine.trajectory.observe("ANGLE(R1)").curves[0].values)
    at = [turn[np.searchsorted(machine.t, event.time)] for event in ticks]
    np.testing.assert_allclose(np.diff(at), -15, atol=2)  # twelve pins, and each passes two pallets
    swing = machine.q("B15")[:, 0]
    assert np.abs(swing[machine.t > 4]).max() > np.abs(swing[machine.t < 1]).max() > 0.005  # it does not die
