"""Rigid bodies: their rows against finite differences, their vectors, and what they hold."""

import numpy as np
import pytest

import chainlist

PLANE = {
    "rod": ("B1 (1,0.5) 0", "R1 (0,0) B1 2"),
    "chain": ("B1 (1,0.5) 0", "B2 (1.5,2) 0.3", "R1 (0,0) B1 2", "R2 B1 B2 1"),
    "plate": (
        "B1 (1,0) 0.2",
        "B2 (1.2,1) 0",
        "B3 (0.1,1.3) 0",
        "R1 B1 B2 B3 2 UNIFORM",
        "C1 B1 (0,0)",
        "K1 B2 (3,3) 20 DAMP=1",
    ),
    "disk": ("B1 (1,0) 0", "B2 (2,0) 1", "R1 B1 RADIUS=0.3 2", "J1 B1 (1,0)", "C1 B1 B2", "M1 R1 SPEED={sin(time)}"),
    "off": ("B1 (1,0) 0", "B2 (2,1) 0", "R1 B1 B2 3 CG=(1.4,0.9) J=0.7", "S1 B1 LINE(0,1,0)", "S2 B2 LINE(B1,(3,2))"),
    "weld": ("B1 (1,0) 0", "B2 (2,1) 0", "B3 (3,0) 0", "R1 (0,0) B1 B2 3 UNIFORM", "R2 B1 B2 B3 1 UNIFORM"),
    "moving": ("B1 (1,0.5) 0", "R1 ({0.2*sin(time)},{0.1*time}) B1 2"),
}


def made(cards):
    return chainlist.parse("\n".join(("* Bodies", *cards, ".tran 0 1 1ms", ".plot Etotal")))


@pytest.mark.parametrize("name", PLANE)
def test_rows_are_the_derivatives_of_phi_along_a_motion(name):
    machine, h, t0 = made(PLANE[name]), 1e-4, 0.3
    rng = np.random.default_rng(7)
    q, v = rng.normal(size=(2, len(machine.vectors), 2))
    found = machine.equations(q, v, t0)

    def phi(t):
        return machine.equations(q + t * v, v, t0 + t).phi

    of_positions = np.array([e.letter != "M" for e in machine.constraints for _ in e.parts.rows])
    rate = (phi(h) - phi(-h)) / (2 * h)
    second = (phi(h) - 2 * phi(0) + phi(-h)) / h**2
    np.testing.assert_allclose((found.A @ v.ravel() - found.c)[of_positions], rate[of_positions], atol=1e-6)
    np.testing.assert_allclose(-found.b[of_positions], second[of_positions], atol=1e-5)


@pytest.mark.parametrize("name", PLANE)
def test_all_fits_at_the_start_and_nothing_is_redundant(name):
    machine = made(PLANE[name])
    found = machine.equations()
    assert np.abs(found.phi).max() < 1e-14
    assert np.linalg.matrix_rank(found.A) == len(found.A)


def test_points_are_where_they_were_laid_out():
    machine = made(PLANE["plate"])
    motion = chainlist.simulate(machine, tran=(0, 0.01, 1e-3))
    at = {body.name: i for i, body in enumerate(machine.bodies)}
    for body in machine.points:
        np.testing.assert_allclose(motion.q[0, at[body.name]], body.position, atol=1e-14)


def test_masses_of_points_belong_to_the_body_that_holds_them():
    machine = made(("B1 (1,0) 2", "B2 (-1,0) 2", "R1 B1 B2 0"))
    (body,) = machine.rigid
    assert body.mass == 4.0
    assert body.lengths == (1.0,)
    assert [point.mass for point in machine.points] == [0.0, 0.0]


def test_a_given_velocity_of_a_point_is_kept():
    machine = made(("B1 (1,0) 0 IC_VEL=(0,2)", "B2 (2,0) 0", "R1 (0,0) B1 2", "R2 B1 B2 1"))
    motion = chainlist.simulate(machine, tran=(0, 0.01, 1e-3))
    at = {body.name: i for i, body in enumerate(machine.bodies)}
    np.testing.assert_allclose(motion.v[0, at["B1"]], (0, 2), atol=1e-13)
    omega = motion.observe("OMEGA(R1)").curves[0].values[0]
    assert omega == pytest.approx(2.0, abs=1e-13)


def test_a_spin_at_the_start():
    machine = made(("B1 (0,0) 0", "R1 B1 RADIUS=0.5 3 OMEGA=4"))
    motion = chainlist.simulate(machine, tran=(0, 1, 1e-3))
    np.testing.assert_allclose(motion.observe("OMEGA(R1)").curves[0].values, 4.0, rtol=1e-9)
    np.testing.assert_allclose(motion.observe("ANGLE(R1)").curves[0].values, 4.0 * motion.t, atol=1e-9)
    assert motion.kinetic_energy[0] == pytest.approx(0.5 * (3 * 0.25 / 2) * 16)


def test_a_rod_is_three_masses_and_links():
    """m/6 at the ends and 4m/6 in the middle have the same centre and the same moment."""
    rod = made(("B1 (1,0) 0", "B2 (2,0) 0", "R1 (0,0) B1 6", "R2 B1 B2 6"))
    masses = made(
        (
            "BM1 (0.5,0) 4",
            "B1 (1,0) 2",
            "BM2 (1.5,0) 4",
            "B2 (2,0) 1",
            "C1 BM1 (0,0)",
            "C2 BM1 B1",
            "C3 B1 (0,0)",
            "C4 B1 BM2",
            "C5 BM2 B2",
            "C6 B1 B2",
        )
    )
    one, two = (chainlist.simulate(machine, tran=(0, 1, 1e-3)) for machine in (rod, masses))
    for name in ("B1", "B2"):
        places = [motion.q[:, motion.bodies.index(name)] for motion in (one, two)]
        np.testing.assert_allclose(*places, atol=2e-9)
