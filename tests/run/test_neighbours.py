"""What stands in one text but does not touch: a heavy, long or fast neighbour must not blunt what is judged of the others."""

import numpy as np
import pytest

import chainlist

RHOMBUS = (
    "* Rhombus\nB1 (-1,1) 1\nB2 (1,1) 1\nB3 (0,2) 1\nC1 B1 (0,1E-7)\nC2 B2 (0,1E-7)\nC3 B1 B3\nC4 B2 B3\n"
    ".tran 0 3 1E-2\n.options gravity=1\n"
)
TINY = "* Tiny\nB1 (1E-3,0) 1\nB2 (2E-3,0) 1\nC1 B1 (0,0)\nC2 B1 B2\n.tran 0 0.5 1E-3\n"


@pytest.mark.parametrize("neighbour", ["B9 (11,0) 1E8 IC_VEL=(0,-1)\nC9 B9 (10,0)\n", "B9 (9,9) 1E8 IC_VEL=(100,0)\n"])
def test_the_guard_sees_a_leap_beside_a_heavy_neighbour(neighbour):
    alone, beside = chainlist.simulate(RHOMBUS), chainlist.simulate(RHOMBUS + neighbour)
    assert alone.report.refined and beside.report.refined
    np.testing.assert_allclose(beside.q[:, :3], alone.q, atol=1e-9)


@pytest.mark.parametrize("integrator", ["DOP853", "DOPRI5"])
def test_tolerances_are_relative_to_what_a_body_belongs_to(integrator):
    reference = chainlist.simulate(TINY, integrator="DOP853", reltol=1e-13, abstol=1e-18).q[-1]
    errors = [
        np.abs(chainlist.simulate(text, integrator=integrator).q[-1, :2] - reference).max()
        for text in (TINY, TINY + "B9 (1E4,10) 1\nC9 B9 (0,10)\n")
    ]
    assert errors[1] < 3 * errors[0] < 2e-3 * 2e-3


def test_the_step_is_judged_for_each_by_its_own_size():
    coarse = "* Coarse\nB1 (1E-3,0) 1\nC1 B1 (0,0)\n.tran 0 1 4E-3\n"
    for text in (coarse, coarse + "B9 (1E2,10) 1\nC9 B9 (0,10)\n"):
        assert any("too coarse" in warning for warning in chainlist.simulate(text, guard="OFF").report.warnings)
