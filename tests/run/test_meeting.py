"""A body that comes to its peg: the string between them has no direction there, and the run ends with words, in time."""

import math

import pytest

from chainlist.compile.read import parse
from chainlist.run.simulate import simulate

ATWOOD = (
    "* Weight over a peg\nB1 (0,-1) 2\nB2 (1,-1) 1\nC1 B1 (0,0) (1,0) B2\n.tran 0 2 1ms\n.options INTEGRATOR={}\n{}"
)
ARRIVES = math.sqrt(6 / 9.81)  # s: one metre with a third of gravity


@pytest.mark.parametrize("options", ["RK4", "DOP853", "RK4 SAVE=0.1", "DOP853 SAVE=0.1"])
def test_a_weight_that_comes_to_its_peg(options):
    run = simulate(parse(ATWOOD.format(options, "")))
    assert run.status.message.endswith(
        "B2 comes to (1,0): the part of C1 between them has no length left, and no direction"
    )
    assert run.status.time == pytest.approx(ARRIVES, abs=2e-3)
    assert run.report.steps < 20_000


@pytest.mark.parametrize("integrator", ["RK4", "DOP853"])
def test_the_cure_of_it(integrator):
    run = simulate(parse(ATWOOD.format(integrator, ".stop {DIST((1,0),B2)<0.01}\n")))
    assert run.status.ok and run.t[-1] == pytest.approx(math.sqrt(2 * 0.99 * 3 / 9.81), rel=1e-9)


@pytest.mark.parametrize("options", ["", ".options SAVE=0.1\n"])
def test_a_rope_that_comes_to_its_peg_while_something_swings_on_it(options):
    """Slack and taut in turn, at smaller and smaller distances: it was searched for minutes."""
    text = "* Spring\nB1 (0,-1) 2\nB2 (1,-1) 0.1\nB3 (1,-1.5) 1\nC1 B1 (0,0) (1,0) B2 ROPE\nK1 B2 B3 200 DAMP=1\n.tran 0 3 0.05ms\n"
    run = simulate(parse(text + options))
    assert "B2 comes to (1,0)" in run.status.message and len(run.events) < 100


def test_a_body_that_passes_near_its_peg_goes_on():
    text = "* Beside\nB1 (0,-1) 2\nB2 (1.01,-1) 1\nC1 B1 (0,0) (1,0) B2\n.tran 0 0.9 1ms\n"
    run = simulate(parse(text))
    assert "comes to" not in str(run.status)


@pytest.mark.parametrize("size", [1e-3, 1e3])
def test_small_and_large_machines_come_to_their_pegs_alike(size):
    bodies = f"B1 (0,{-size}) 2\nB2 ({size},{-size}) 1\nC1 B1 (0,0) ({size},0) B2\n"
    text = f"* Scale\n{bodies}.tran 0 {2 * math.sqrt(size)} {1e-3 * math.sqrt(size)}\n"
    run = simulate(parse(text))
    assert "B2 comes to" in run.status.message
    assert run.status.time == pytest.approx(ARRIVES * math.sqrt(size), rel=2e-3)


@pytest.mark.parametrize("integrator", ["RK4", "DOP853", "DOPRI5"])
def test_a_stiff_spring_beside_a_peg_goes_on(integrator):
    """Steps are far smaller than samples are apart, and the body moves towards its peg: it is not there yet."""
    text = (
        "* Stiff\nB1 (0,-1) 2\nB2 (1,-1) 1\nB3 (3,-1) 1E-6\nC1 B1 (0,0) (1,0) B2\nK1 B3 (3,-2) 10 L0=0.9\n"
        ".tran 0 0.75 0.05ms\n.options SAVE=0.25 INTEGRATOR={}\n"
    )
    run = simulate(parse(text.format(integrator)))
    assert run.status.ok and run.t[-1] == 0.75
    assert run.q[-1, 1, 1] == pytest.approx(-1 + 0.5 * 9.81 / 3 * 0.75**2, rel=1e-6)
