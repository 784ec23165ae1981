"""Events against formulas: when, where, and what they leave of the motion."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import chainlist
from tests.references.events import exact

BALL = "* Ball\nB1 (0,1) 1\nW1 LINE(0,1,0) REST=0.83\n"
STRING = "* String\nB1 (0,-1) 1 IC_VEL=(5,0)\nC1 B1 (0,0) ROPE\n"


def times(motion: chainlist.Trajectory, what: str) -> list[float]:
    return [event.time for event in motion.events if event.what == what]


@pytest.mark.parametrize("step", [1e-2, 1e-3])
def test_sixty_bounces_their_limit_and_rest(step):
    motion = chainlist.simulate(BALL, tran=(0, 6, step))
    wanted, limit = exact.bounces(1.0, 0.83, 60)
    found = times(motion, "hits")
    assert len(found) >= 60
    assert np.abs(np.array(found[:60]) - wanted).max() < 1e-10
    assert abs(times(motion, "stays in touch")[0] - limit) < 1e-10
    assert np.abs(motion.q[motion.t > limit]).max() < 1e-12 and np.abs(motion.v[motion.t > limit]).max() < 1e-12
    assert motion.q[:, 0, 1].min() > -1e-12
    assert motion.observe("TENSION(W1)").curves[0].values[-1] == pytest.approx(9.81, abs=1e-12)
    lost = sum(event.lost for event in motion.events)
    assert lost == pytest.approx(9.81, abs=1e-10) and motion.report.energy_error < 1e-10


@pytest.mark.parametrize("options", [{"tran": (0, 1.2, 5e-4)}, {"tran": (0, 1.2, 1e-2), "integrator": "DOP853"}])
def test_a_string_goes_slack_and_comes_taut(options):
    motion = chainlist.simulate(STRING, **options, **({"reltol": 1e-12, "abstol": 1e-13} if len(options) > 1 else {}))
    slack, _, taut, place, along = exact.slack_and_taut(5.0)
    assert times(motion, "goes slack")[0] == pytest.approx(slack, abs=1e-10)
    assert times(motion, "comes taut")[0] == pytest.approx(taut, abs=1e-10)
    behind = int(np.searchsorted(motion.t, taut))
    x, y = motion.q[behind, 0]
    speed = float(np.hypot(*motion.v[behind, 0]))
    kept = 0.5 * along**2 + 9.81 * place[1]  # the jerk leaves only the speed along the circle
    assert 0.5 * speed**2 + 9.81 * y == pytest.approx(kept, abs=1e-9) and math.hypot(x, y) == pytest.approx(
        1, abs=1e-12
    )


def test_the_order_of_rk4_is_kept_across_slack_and_taut():
    taut = exact.slack_and_taut(5.0)[2]
    errors = []
    for step in (1e-2, 5e-3, 2.5e-3):
        motion = chainlist.simulate(STRING, tran=(0, 1.2, step))
        errors.append(abs(times(motion, "comes taut")[0] - taut))
    assert all(coarse / fine > 10 for coarse, fine in pairwise(errors)), errors


def test_a_block_thrown_up_a_slope_stops_and_sticks():
    slope = math.radians(20)
    text = "* Block\n.param a=20deg\nB1 (0,0) 2 IC_VEL=(3*cos(a),3*sin(a))\nW1 LINE(-sin(a),cos(a),0) MU=0.5\n"
    motion = chainlist.simulate(text, tran=(0, 2, 1e-2))
    stop = exact.stopping_time(3.0, slope, 0.5)
    assert times(motion, "sticks") == pytest.approx([stop], abs=1e-12)
    assert np.abs(motion.v[motion.t > stop]).max() < 1e-12
    way = 0.5 * 3.0 * stop
    assert motion.q[-1, 0] == pytest.approx([way * math.cos(slope), way * math.sin(slope)], abs=1e-12)
    assert motion.report.energy_error < 1e-11


def test_a_block_that_friction_does_not_hold_slides_back():
    slope = math.radians(20)
    text = "* Block\n.param a=20deg\nB1 (0,0) 2 IC_VEL=(3*cos(a),3*sin(a))\nW1 LINE(-sin(a),cos(a),0) MU=0.3\n"
    motion = chainlist.simulate(text, tran=(0, 2, 1e-2))
    stop = exact.stopping_time(3.0, slope, 0.3)
    back = 9.81 * (math.sin(slope) - 0.3 * math.cos(slope))
    way = 0.5 * 3.0 * stop - 0.5 * back * (2.0 - stop) ** 2
    assert motion.q[-1, 0] == pytest.approx([way * math.cos(slope), way * math.sin(slope)], abs=1e-11)


def test_stick_and_slip_on_a_belt():
    text = "* Belt\nB1 (0,0) 1\nK1 B1 (-1,0) 20\nW1 LINE(0,1,0) MU=0.2 MUS=0.4 BELT=0.3\n"
    motion = chainlist.simulate(text, tran=(0, 2, 1e-3))
    sticks, slips, again = exact.stick_slip(20.0, 1.0, 0.2, 0.4, 0.3)
    assert times(motion, "sticks")[:2] == pytest.approx([sticks, again], abs=1e-9)
    assert times(motion, "slips")[0] == pytest.approx(slips, abs=1e-10)
    assert motion.report.energy_error < 1e-9


def test_a_ball_on_a_shaken_floor():
    text = "* Shaken\nB1 (0,0.1) 1\nW1 LINE(0,1,{0.05*sin(20*time)}) REST=0.5\n"
    motion = chainlist.simulate(text, tran=(0, 0.25, 1e-3))
    wanted = exact.shaken(0.1, 0.05, 20.0, 0.5, 3)
    assert times(motion, "hits")[:3] == pytest.approx(wanted, abs=1e-12)
    assert motion.report.energy_error < 1e-10


def cradle(lifted: int) -> str:
    lines = ["* Cradle", ".param d=0.1 a=40deg"]
    for n in range(5):
        start = f" IC_POS=({n}*d-sin(a),-cos(a))" if n < lifted else ""
        lines += [f"B{n + 1} ({n}*d,-1) 1 RADIUS=d/2{start}", f"C{n + 1} B{n + 1} ({n}*d,0)"]
    return "\n".join([*lines, "W1 ALL REST=1", ""])


@pytest.mark.parametrize("lifted", [1, 2, 3])
def test_newtons_cradle(lifted):
    motion = chainlist.simulate(cradle(lifted), tran=(0, 1.0, 1e-3))
    speed = math.sqrt(2 * 9.81 * (1 - math.cos(math.radians(40))))
    hit = times(motion, "hits")[0]
    behind = int(np.searchsorted(motion.t, hit)) + 1
    moving = motion.v[behind, :, 0] > 0.5 * speed
    assert moving.tolist() == [False] * (5 - lifted) + [True] * lifted
    assert np.abs(motion.v[behind, ~moving]).max() < 1e-9
    assert motion.report.energy_error < 1e-9


def test_elastic_collisions_of_unequal_masses():
    text = "* Two\n.options gravity=0\nB1 (0,0) 3 RADIUS=0.1 IC_VEL=(2,0)\nB2 (1,0) 1 RADIUS=0.1 IC_VEL=(-1,0)\nW1 B1 B2 REST=1\n"
    motion = chainlist.simulate(text, tran=(0, 1, 1e-2))
    assert times(motion, "hits") == pytest.approx([0.8 / 3], abs=1e-13)
    assert motion.v[-1, :, 0] == pytest.approx([0.5, 3.5], abs=1e-13)  # momentum 5, relative speed 3
    (event,) = motion.events
    assert event.impulse == pytest.approx(4.5, abs=1e-13) and event.lost == pytest.approx(0.0, abs=1e-13)


def test_a_rod_that_hits_the_floor_with_one_end():
    """Textbook: p (1/m + x²/J) = (1 + e) u, x the distance of the end from the centre along the floor."""
    text = "* Rod\nB1 (-0.4,0.5) 0\nB2 (0.4,1.1) 0\nR1 B1 B2 3\nW1 LINE(0,1,0) REST=0.4\n"
    motion = chainlist.simulate(text, tran=(0, 0.4, 1e-3))
    event = motion.events[0]
    u = math.sqrt(2 * 9.81 * 0.5)
    inertia = 3.0 / 12.0
    impulse = 1.4 * u / (1 / 3 + 0.4**2 / inertia)
    assert event.time == pytest.approx(u / 9.81, abs=1e-12)
    assert event.impulse == pytest.approx(impulse, abs=1e-10)
    assert event.lost == pytest.approx(0.5 * (1 - 0.4**2) * u**2 / (1 / 3 + 0.4**2 / inertia), abs=1e-9)
    behind = int(np.searchsorted(motion.t, event.time)) + 1
    omega = motion.observe("OMEGA(R1)").curves[0].values[behind]
    assert omega == pytest.approx(-0.4 * impulse / inertia, abs=1e-9)  # the left end is pushed up


def test_a_double_pendulum_at_a_wall_converges():
    text = "* Wall\nB1 (0,-1) 1\nB2 (1,-1) 1\nC1 B1 (0,0)\nC2 B2 B1\nW1 LINE(1,0,-0.3) REST=0.7\n"
    coarse, fine = (chainlist.simulate(text, tran=(0, 3, step), save=3.0) for step in (1e-3, 5e-4))
    assert len(coarse.events) == len(fine.events) >= 2
    assert np.abs(coarse.q[-1] - fine.q[-1]).max() < 1e-8
    assert coarse.report.energy_error < 1e-9


def test_a_thousand_elastic_impacts_keep_the_energy():
    text = "* Ball\nB1 (0,0.01) 1\nW1 LINE(0,1,0) REST=1\n"
    motion = chainlist.simulate(text, tran=(0, 91, 1e-2))
    assert len(times(motion, "hits")) > 1000
    assert motion.report.energy_error < 1e-9 * 9.81 * 0.01


def test_links_break_are_cut_and_begin():
    text = (
        "* Links\nB1 (1,0) 1\nC1 B1 (0,0) CUT={X(B1)<0}\nB2 (3,0) 1\nC2 B2 (2,0) BREAK=20N\n"
        "B3 (5,0) 1\nC3 B3 (4,-0.5) FROM={time>0.3}\n"
    )
    motion = chainlist.simulate(text, tran=(0, 1, 1e-3))
    # a pendulum from the horizontal: its tension is 3 g sin(angle below it)
    sine = 20 / (3 * 9.81)
    at = motion.observe("TENSION(C2)").curves[0].values
    (broken,) = times(motion, "breaks")
    assert np.abs(at[motion.t > broken]).max() == 0.0 and at.max() < 20.0
    index = int(np.searchsorted(motion.t, broken)) - 1
    assert motion.q[index, 1, 1] == pytest.approx(-sine, abs=5e-3)
    assert times(motion, "is cut")[0] == pytest.approx(1.311028777146 / math.sqrt(9.81) * math.sqrt(2), abs=1e-9)
    jerk = next(event for event in motion.events if event.what == "jerks")
    assert jerk.time == pytest.approx(0.3, abs=1e-15) and jerk.lost > 0
    gap = np.linalg.norm(motion.q[:, 2] - [4, -0.5], axis=1)[motion.t > 0.3]
    assert np.ptp(gap) < 1e-13
    assert motion.report.energy_error < 1e-10


def test_a_run_stops_where_its_condition_holds():
    text = "* Stop\nB1 (1,0) 1\nC1 B1 (0,0)\n.stop {X(B1)<0}\n"
    motion = chainlist.simulate(text, tran=(0, 5, 1e-3))
    (event,) = motion.events
    assert event.time == pytest.approx(1.311028777146 / math.sqrt(9.81) * math.sqrt(2), abs=1e-9)
    assert motion.status.ok and motion.t[-1] == event.time and 0 < event.time - motion.t[-2] < 1e-3
    assert motion.q[-1, 0] == pytest.approx([0, -1], abs=1e-9)  # the last sample is the moment itself


def test_a_motor_lets_go():
    text = "* Motor\nB1 (1,0) 1\nC1 B1 (0,0)\nM1 C1 SPEED=3 RELEASE={time>0.5}\n.options gravity=0\n"
    motion = chainlist.simulate(text, tran=(0, 1, 1e-3))
    assert times(motion, "is released") == pytest.approx([0.5], abs=1e-15)
    assert np.abs(np.linalg.norm(motion.v[:, 0], axis=1) - 3).max() < 1e-9
    assert np.abs(motion.observe("TORQUE(M1)").curves[0].values[motion.t > 0.5]).max() == 0.0


def test_a_block_begins_to_slip_when_it_is_pulled_hard_enough():
    """One μ for sticking and slipping: the force passes μ m g at the time 0.3·9.81/2."""
    text = "* Pull\nB1 (0,0) 1\nF1 B1 ({2*time},0)\nW1 LINE(0,1,0) MU=0.3\n"
    motion = chainlist.simulate(text, tran=(0, 2, 1e-2))
    begins = 0.3 * 9.81 / 2
    assert times(motion, "slips") == pytest.approx([begins], abs=1e-12)
    assert motion.q[-1, 0, 0] == pytest.approx((2 - begins) ** 3 / 3, abs=1e-11)
    assert len(motion.events) == 1


def test_a_slider_with_friction_stops():
    motion = chainlist.simulate("* Slider\nB1 (0,0) 1 IC_VEL=(2,0)\nS1 B1 LINE(0,1,0) MU=0.3\n", tran=(0, 1, 1e-2))
    stop = 2 / (0.3 * 9.81)
    assert times(motion, "sticks") == pytest.approx([stop], abs=1e-12)
    assert motion.q[-1, 0, 0] == pytest.approx(stop, abs=1e-12)


def test_a_disk_that_slips_begins_to_roll():
    """A disk set down without spin slips for v/(3 μ g), then rolls with two thirds of its speed."""
    text = "* Disk\nB1 (0,0.1) 0 IC_VEL=(3,0)\nR1 B1 RADIUS=0.1 2\nW1 LINE(0,1,0) MU=0.2\n"
    motion = chainlist.simulate(text, tran=(0, 1, 1e-3))
    assert times(motion, "sticks") == pytest.approx([3 / (3 * 0.2 * 9.81)], abs=1e-8)
    assert motion.observe("VX(B1)").curves[0].values[-1] == pytest.approx(2.0, abs=1e-7)
    assert motion.observe("OMEGA(R1)").curves[0].values[-1] == pytest.approx(-20.0, abs=1e-6)


def test_friction_in_space_acts_against_the_slip():
    text = "* Puck\nB1 (0,0,0) 1 IC_VEL=(3,0,4)\nW1 PLANE(0,1,0,0) MU=0.5\n"
    motion = chainlist.simulate(text, tran=(0, 2, 1e-2))
    stop = 5 / (0.5 * 9.81)
    assert times(motion, "sticks") == pytest.approx([stop], abs=1e-11)
    assert motion.q[-1, 0] == pytest.approx([0.3 * 5 * stop, 0.0, 0.4 * 5 * stop], abs=1e-10)


@pytest.mark.parametrize("how", ["<", "<="])
@pytest.mark.parametrize(("height", "step"), [(1.0, "1ms"), (0.7, "3ms"), (2.3, "0.7ms"), (1e-3, "10ms")])
def test_a_run_that_stops_where_a_floor_is_ends_before_the_impact(how, height, step):
    """Free fall by hand: √(2h/g), and √(2gh) downwards; whether rounding lets the wall or the condition come first does not matter."""
    text = f"* Stop\nB1 (0,{height}) 1\nW1 LINE(0,1,0) REST=0.5\n.tran 0 3 {step}\n.stop {{Y(B1){how}0}}\n"
    run = chainlist.simulate(text)
    assert run.stopped and [event.what for event in run.events] == ["stops"]
    assert run.t[-1] == pytest.approx(math.sqrt(2 * height / 9.81), rel=1e-12)
    assert run.v[-1, 0, 1] == pytest.approx(-math.sqrt(2 * 9.81 * height), rel=1e-12)


def test_a_link_is_cut_before_the_impact_at_the_same_instant():
    text = "* Cut\nB1 (0,1) 1\nB2 (1,1) 1\nC1 B1 B2 CUT={Y(B1)<0}\nW1 B1 LINE(0,1,0) REST=1\n.tran 0 0.6 1ms\n"
    run = chainlist.simulate(text)
    fall = math.sqrt(2 / 9.81)
    assert [event.what for event in run.events] == ["is cut", "hits"]
    assert [event.time for event in run.events] == pytest.approx([fall, fall], rel=1e-12)
    assert run.v[-1, 1, 1] == pytest.approx(-9.81 * 0.6, rel=1e-9)  # B2 falls on
