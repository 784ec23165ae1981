"""A motion that goes on while somebody pulls: the same as a run, and as one with the pull written as a force."""

import numpy as np
import pytest

from chainlist.compile.read import parse
from chainlist.run.grid import RunRefused
from chainlist.run.live import Live
from chainlist.run.simulate import simulate

PENDULUM = "Double pendulum\nB1 (0.7,-0.7) 1\nB2 (1.7,-0.7) 2\nC1 B1 (0,0)\nC2 B1 B2\n.tran 0 2 1E-3\n"
PLATE = "Plate\nB1 (0,0) 0\nB2 (1,0) 0\nB3 (0.4,0.8) 0\nR1 B1 B2 B3 2 UNIFORM\nJ1 B1 (0,0)\n.tran 0 1 1E-3\n"
FLOOR = "Ball\nB1 (0,1) 1\nC1 B1 (0.5,1.5) ROPE\nW1 LINE(0,1,0) REST=0.7\n.tran 0 2 1E-3\n"


def at(trajectory, time):
    return trajectory.q[np.argmin(abs(trajectory.t - time))]


@pytest.mark.parametrize("text", [PENDULUM, PLATE, FLOOR])
def test_without_a_pull_it_is_the_run_to_the_last_bit(text):
    mechanism = parse(text)
    live = Live(mechanism)
    live.go_to(0.3)
    live.go_to(0.873)
    assert live.time == pytest.approx(0.873, abs=1e-12)
    assert np.array_equal(live.state()[0], at(simulate(mechanism), 0.873))


@pytest.mark.parametrize("text, body", [(PENDULUM, "B2"), (PLATE, "B3"), (FLOOR, "B1")])
def test_a_pull_is_the_force_of_the_text(text, body):
    """Held against a run whose text has the force, as a jump at its time."""
    live = Live(parse(text))
    live.go_to(0.2)
    live.pull(body, (3.0, 25.0))
    live.go_to(0.5)
    live.pull("", ())
    live.go_to(0.9)
    on = "if(time<0.2 or time>0.5,0,{})"
    written = text.replace(".tran", f"F1 {body} ({{{on.format(3)}}},{{{on.format(25)}}})\n.tran")
    assert live.state()[0] == pytest.approx(at(simulate(parse(written)), 0.9), abs=1e-9)
    assert abs(live.state()[0] - at(simulate(parse(text)), 0.9)).max() > 0.05


def test_a_pull_in_space_and_with_a_step_that_follows_the_error():
    text = "Space\nB1 (1,0,0) 1\nC1 B1 (0,0,0)\n.tran 0 1 1E-3\n.options INTEGRATOR=DOP853\n"
    live = Live(parse(text))
    live.go_to(0.25)
    live.pull("B1", (0.0, 3.0, 6.0))
    live.go_to(0.75)
    assert live.time == 0.75
    written = text.replace(".tran", "F1 B1 (0,{if(time<0.25,0,3)},{if(time<0.25,0,6)})\n.tran")
    assert live.state()[0] == pytest.approx(at(simulate(parse(written)), 0.75), abs=1e-8)


def test_it_ends_where_the_run_ends_and_says_why():
    live = Live(parse(FLOOR.replace(".tran", ".stop {Y(B1)<0.9}\n.tran")))
    live.go_to(1.0)
    assert "Y(B1)<0.9" in live.ended and live.time < 0.4


def test_what_holds_the_energy_cannot_be_pulled():
    with pytest.raises(RunRefused, match="ENERGYCORRECTOR"):
        Live(parse(PENDULUM + ".options ENERGYCORRECTOR=ON\n"))


def test_what_resists_a_pull():
    assert Live(parse(PENDULUM)).resistance("B2") == pytest.approx(2.0)
    plate = Live(parse(PLATE))
    assert 0 < plate.resistance("B3") < 2.0  # it turns, too
