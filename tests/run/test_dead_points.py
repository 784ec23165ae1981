"""A drive that asks for what the mechanism cannot do ends the run there, in words that say so."""

import numpy as np
import pytest

import chainlist
from chainlist.compile.plan import Choice
from chainlist.compile.system import assemble
from chainlist.kernels import slots
from chainlist.run.runner import Runner
from chainlist.run.search import Search
from chainlist.run.simulate import grid_of

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


# The coupler and the rocker are stretched where cos(angle) = 0.04: the crank cannot go further.
ROCKER = """* A crank that stretches coupler and rocker
B1 (0.6,0.8) 1
B2 (2,0.8) 1
C1 B1 (0,0)
C2 B1 B2
C3 B2 (2,0)
M1 C1 SPEED=1 RELEASE={{{}}}
.tran 0 1 1ms
.options {}
"""
STRETCHED = np.arccos(0.04) - np.arctan2(0.8, 0.6)


@pytest.mark.parametrize("settings", ["INTEGRATOR=RK4", "INTEGRATOR=RK4 GUARD=OFF", "INTEGRATOR=DOP853"])
def test_a_motor_that_could_be_released_stops_at_a_dead_point_too(settings):
    """Its crank is pressed there without bound, and is not pulled: the condition does not come."""
    motion = chainlist.simulate(chainlist.parse(ROCKER.format("TENSION(C1)>10", settings)))
    assert not motion.status.ok and not motion.events
    if "OFF" not in settings:
        assert abs(motion.status.time - STRETCHED) < 1e-3 and motion.t[-1] < STRETCHED
    assert "what M1 asks for may be out of reach" in str(motion.status)


def test_a_motor_is_released_before_a_dead_point():
    motion = chainlist.simulate(chainlist.parse(ROCKER.format("TENSION(C1)<-10", "INTEGRATOR=RK4")))
    assert motion.status.ok and [event.who for event in motion.events] == [("M1",)]
    assert motion.events[0].time < STRETCHED


def test_a_run_that_goes_on_behind_a_dead_point_ends():
    motion = chainlist.simulate(chainlist.parse(ROCKER.format("TENSION(C1)>10", "BREAKDOWN=GO")))
    assert not motion.status.ok and motion.t[-1] == 1.0


@pytest.mark.parametrize("breakdown", ["STOP", "GO"])
def test_what_switches_again_and_again_at_one_moment_ends_a_run(monkeypatch, breakdown):
    """Should the search within a step fail, the run looks into the same step a limited number of times."""
    monkeypatch.setattr(Search, "first", lambda self: None)
    ball = f"* Ball\nB1 (0,1) 1\nW1 LINE(0,1,0)\n.tran 0 1 1ms\n.options BREAKDOWN={breakdown}\n"
    motion = chainlist.simulate(chainlist.parse(ball))
    assert motion.status.code == slots.HELD_UP and "looked for 200 times" in str(motion.status)
    assert abs(motion.status.time - np.sqrt(2 / 9.81)) < 1e-3


BESIDE_A_WALL = "* A force with a value up to {0} s\nB4 (5,0) 1\nF4 B4 ({{sqrt({0}-time)}},0)\nW1 LINE(0,1,-5000)\n"


@pytest.mark.parametrize("last", [0.8, 20.0])
@pytest.mark.parametrize("breakdown", ["STOP", "GO"])
def test_an_expression_that_loses_its_value_is_no_event(last, breakdown):
    """A gap that is no number is not told from one that closes; the run says what it is that has no value."""
    run = f".tran {last - 0.8} {last + 0.02} 1ms\n.options BREAKDOWN={breakdown}\n"
    motion = chainlist.simulate(chainlist.parse(BESIDE_A_WALL.format(last) + run))
    assert motion.status.code == slots.NOT_FINITE and f"sqrt({last:g}-Time)" in str(motion.status)
    assert abs(motion.status.time - last) < 0.0011 and not motion.events
    assert (motion.t[-1] > last + 0.01) == (breakdown == "GO")


def test_a_moving_wall_that_loses_its_value_is_no_event():
    text = "* A wall\nB1 (0,1) 1\nW1 LINE(0,1,{-2-sqrt(0.3-time)})\n.tran 0 0.5 1ms\n"
    motion = chainlist.simulate(chainlist.parse(text))
    assert motion.status.code == slots.NOT_FINITE and not motion.events
    assert abs(motion.status.time - 0.3) < 0.002


def test_too_many_events_end_a_run_that_went_on_behind_a_breakdown(monkeypatch):
    """Two bars are pulled straight and the run goes on; then a rope comes taut, and the search within its step fails."""
    monkeypatch.setattr(Search, "first", lambda self: None)
    text = ROCKER.format("TENSION(C1)>10", "BREAKDOWN=GO") + "B8 (9,0) 1\nW8 B8 LINE(0,1,-2.5)\n"
    mechanism = chainlist.parse(text)
    grid = grid_of(mechanism)
    runner = Runner(assemble(mechanism), Choice("PROJECTED", "RK4", "AUTO"), grid)
    runner.start()
    for _ in range(1000):
        runner.go_on(grid.steps)
    assert runner.finished and runner.status.time < 0.61 and runner.done < grid.steps


@pytest.mark.parametrize("breakdown", ["STOP", "GO"])
def test_what_has_no_value_is_named_where_an_adaptive_run_goes_on(breakdown):
    """Samples behind the breakdown hold no numbers: there every item seemed to be at fault."""
    text = f"* Root\nB4 (5,0) 1\nF4 B4 ({{sqrt(0.8-time)}},X(B4))\n.tran 0 1 10ms\n.options BREAKDOWN={breakdown} INTEGRATOR=DOP853\n"
    motion = chainlist.simulate(chainlist.parse(text))
    assert not motion.status.ok and "X(B4)" not in str(motion.status)


@pytest.mark.parametrize("breakdown", ["STOP", "GO"])
@pytest.mark.parametrize("expression", ["sqrt(0.3-Time)", "sqrt(X(B1)-0.8)"])
@pytest.mark.parametrize("integrator", ["RK4", "DOP853", "SDIRK4", "RATTLE"])
def test_an_expression_that_loses_its_value_ends_the_run_by_its_name(integrator, expression, breakdown):
    """Whatever the method feels of it: a state that is lost, steps that become too small, Newton's method without an end."""
    text = f"* Lost\nB1 (1,0) 1\nC1 B1 (0,0)\nF1 B1 ({{{expression}}},0)\n.tran 0 1 1ms\n"
    motion = chainlist.simulate(chainlist.parse(text), integrator=integrator, breakdown=breakdown)
    assert f"the expression {{{expression}}} of F1 has no finite value" in motion.status.message
    assert "branch" not in str(motion.report)
