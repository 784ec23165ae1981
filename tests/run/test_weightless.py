"""Points without mass that constraints determine: against the motion without them, and against masses that vanish."""

import numpy as np
import pytest

import chainlist

END = "\n.tran 0 1 1ms\n.plot Etotal\n"
SLIDER = "B1 (0.6,0.8) 1\nB2 (3,0) {m}\nC1 B1 (0,0)\nC2 B1 B2\nS2 B2 LINE(0,1,0)"
KNOT = "B1 (1,-1) 1\nB2 (0.2,-0.4) {m}\nB3 (-1,-1.1) 2\nC1 B1 B2\nC2 B2 B3\nC3 B2 (0,0)\nC4 B1 (1.5,0)\nC5 B3 (-2,0)"
SPRUNG = "B1 (0.3,-1) 1\nB2 (0,0) {m}\nC1 B1 B2\nS2 B2 LINE(1,0,0)\nK2 B2 (0,2) 40 L0=1.8"


def places(text, name, **more):
    motion = chainlist.simulate("* Weightless\n" + text + END, **more)
    assert motion.status.ok, motion.status
    return motion, motion.q[:, motion.bodies.index(name)]


def test_a_slider_without_mass_does_not_change_the_pendulum():
    _, found = places(SLIDER.format(m=0), "B1")
    _, alone = places("B1 (0.6,0.8) 1\nC1 B1 (0,0)", "B1")
    np.testing.assert_allclose(found, alone, atol=1e-12)


@pytest.mark.parametrize("text", [KNOT, SPRUNG])
def test_it_is_the_limit_of_masses_that_vanish(text):
    """The motion depends on a small mass linearly: two of them give the limit."""
    limit, found = places(text.format(m=0), "B1", integrator="DOP853", reltol=1e-12, abstol=1e-13)
    small = [places(text.format(m=m), "B1", integrator="DOP853", reltol=1e-12, abstol=1e-13)[1] for m in (1e-4, 2e-4)]
    np.testing.assert_allclose(found, 2 * small[0] - small[1], atol=1e-6)
    assert np.abs(found - small[0]).max() > 1e-6  # what the limit is told from
    assert limit.report.energy_error < 1e-9


@pytest.mark.parametrize("system", ["PROJECTED", "INDEX1", "INDEX1_2"])
def test_every_system_takes_them(system):
    _, found = places(KNOT.format(m=0), "B1", daesystem=system)
    _, wanted = places(KNOT.format(m=0), "B1", integrator="DOP853", reltol=1e-12, abstol=1e-13)
    np.testing.assert_allclose(found, wanted, atol=1e-7)


def test_a_point_that_comes_loose_is_a_breakdown_with_its_name():
    """Two links come into line while the point between them is held by nothing else."""
    text = "B1 (-1,0) 1 IC_VEL=(-1,0)\nB2 (0,0.3) 0\nB3 (1,0) 1 IC_VEL=(1,0)\nC1 B1 B2\nC2 B2 B3\n"
    motion = chainlist.simulate("* Loose\n" + text + "S1 B1 LINE(0,1,0)\nS3 B3 LINE(0,1,0)" + END, gravity=0)
    assert not motion.status.ok
    assert motion.status.time < 0.1


def test_refused_where_nothing_determines_them():
    with pytest.raises(chainlist.ChainlistError, match="E303"):
        chainlist.parse("* Loose\nB1 (1,0) 0\nC1 B1 (0,0)" + END)
    with pytest.raises(chainlist.ChainlistError, match="E303"):
        chainlist.parse("* Loose\n" + SLIDER.format(m=0) + END + ".options INTEGRATOR=RATTLE\n")
