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


def compare_with_differences(machine, seed, *, rate, second):
    """A v − c and b of the rows of positions against differences of Φ along a straight motion, within these tolerances."""
    h, t0 = 1e-4, 0.3
    q, v = np.random.default_rng(seed).normal(size=(2, len(machine.vectors), machine.dimension))
    found = machine.equations(q, v, t0)
    at = {t: machine.equations(q + t * v, v, t0 + t).phi for t in (-h, 0.0, h)}
    rows = [not getattr(row, "of_velocities", False) for e in machine.constraints for row in e.parts.rows]
    differences = (at[h] - at[-h]) / (2 * h), (at[h] - 2 * at[0.0] + at[-h]) / h**2
    np.testing.assert_allclose((found.A @ v.ravel() - found.c)[rows], differences[0][rows], **rate)
    np.testing.assert_allclose(-found.b[rows], differences[1][rows], **second)


@pytest.mark.parametrize("name", PLANE)
def test_rows_are_the_derivatives_of_phi_along_a_motion(name):
    compare_with_differences(made(PLANE[name]), 7, rate={"atol": 1e-6}, second={"atol": 1e-5})


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
        np.testing.assert_allclose(*places, atol=1e-13)


def a_top(rotor):
    """A body of revolution about (1,2,0) on a ball joint, spinning at 100 rad/s."""
    n = np.array([1.0, 2.0, 0.0]) / np.sqrt(5.0)
    tensor = 0.05 * np.eye(3) - 0.04 * np.outer(n, n)
    J = ",".join(repr(float(tensor[i, j])) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    omega = ",".join(repr(float(100 * x)) for x in n)
    return ("B1 (0.5,1,0) 0", f"R1 (0,0,0) B1 2 {rotor} CG=(0.25,0.5,0) J=({J}) OMEGA=({omega})")


def test_a_rotor_is_the_body_that_it_stands_for():
    rotor = chainlist.simulate(made(a_top("ROTOR")), tran=(0, 0.5, 1e-3))
    body = chainlist.simulate(made(a_top("")), tran=(0, 0.5, 1e-3), integrator="DOP853", reltol=1e-12, abstol=1e-13)
    for item in ("Q(B1)", "H(R1)", "OMEGA(R1)"):
        one, two = (motion.observe(item).curves[0].values for motion in (rotor, body))
        np.testing.assert_allclose(one, two, atol=1e-8 * np.abs(two).max())


def test_angular_momentum_of_a_free_body_is_constant():
    cards = ("B1 (0.3,0.1,0) 0", "B2 (0,0.4,0) 0", "R1 B1 B2 2 CG=(0,0,0) J=(0.02,0.03,0.045) OMEGA=(0.1,5,0.1)")
    machine = made(cards)
    motion = chainlist.simulate(machine, tran=(0, 5, 1e-3), integrator="DOP853", gravity=0, reltol=1e-13, abstol=1e-14)
    H = motion.observe("H(R1)").curves[0].values
    np.testing.assert_allclose(H, np.broadcast_to(H[0], H.shape), atol=1e-12 * np.abs(H[0]).max())


def test_joints_balance_the_weight():
    """A rod at rest on its pin hangs with its whole weight there; of two, the upper carries both."""
    machine = made(("B1 (0,-1) 0", "B2 (0,-2) 0", "R1 (0,0) B1 2", "R2 B1 B2 3"))
    motion = chainlist.simulate(machine, tran=(0, 0.01, 1e-3))
    np.testing.assert_allclose(motion.observe("JOINT(R1,(0,0))").curves[0].values[0], (0, 5 * 9.81), atol=1e-12)
    np.testing.assert_allclose(motion.observe("JOINT(R2,B1)").curves[0].values[0], (0, 3 * 9.81), atol=1e-12)
    np.testing.assert_allclose(motion.observe("JOINT(R1,B1)").curves[0].values[0], (0, -3 * 9.81), atol=1e-12)


SPACE = {
    "rod": ("B1 (1,0.5,0.2) 0", "R1 (0,0,0) B1 2"),
    "plate": ("B1 (1,0,0) 0", "B2 (1,1,0.2) 0", "R1 (0,0,0) B1 B2 2 UNIFORM"),
    "hinge": (
        "B1 (1,0,0) 0",
        "B2 (1,1,0.2) 0",
        "B3 (0.2,1,1) 0",
        "B4 (2,1,1) 0",
        "R1 (0,0,0) B1 B2 B3 2 UNIFORM",
        "R2 B1 B2 B4 1 UNIFORM",
    ),
    "weld": (
        "B1 (1,0,0) 0",
        "B2 (1,1,0.2) 0",
        "B3 (0.2,1,1) 0",
        "B4 (2,1,1) 0",
        "R1 (0,0,0) B1 B2 B3 2 UNIFORM",
        "R2 B1 B2 B3 B4 1 UNIFORM",
    ),
    "door": ("B1 (1,0,0.3) 0", "R1 (0,0,0) (0,1,0) B1 2 UNIFORM", "M1 R1 AXIS((0,0,0),(0,1,0)) ANGLE={sin(time)}"),
    "ball": ("B1 (1,0,0) 0", "R1 B1 RADIUS=0.3 2 BALL", "C1 B1 (0,0,0)", "T1 R1 ({1},{time},0)"),
}


@pytest.mark.parametrize("name", SPACE)
def test_rows_in_space(name):
    machine = made(SPACE[name])
    compare_with_differences(machine, 8, rate={"atol": 1e-4, "rtol": 1e-5}, second={"atol": 1e-2, "rtol": 1e-4})
    start = machine.equations()
    assert np.abs(start.phi).max() < 1e-14
    assert np.linalg.matrix_rank(start.A) == len(start.A)


def test_a_door_turns_as_its_motor_says():
    machine = made(SPACE["door"])
    motion = chainlist.simulate(machine, tran=(0, 1, 1e-3))
    x, _, z = motion.q[:, motion.bodies.index("B1")].T
    angle = np.sin(motion.t)  # about the y axis: z turns towards x
    np.testing.assert_allclose(x, np.cos(angle) + 0.3 * np.sin(angle), atol=1e-12)
    np.testing.assert_allclose(z, 0.3 * np.cos(angle) - np.sin(angle), atol=1e-12)


def test_a_torque_in_space_gives_its_power():
    """A ball from rest under a constant torque: ω = τ t / J."""
    machine = made(("B1 (0,0,0) 0", "R1 B1 RADIUS=0.5 2 BALL", "T1 R1 (0.1,0.2,0.3)"))
    motion = chainlist.simulate(machine, tran=(0, 1, 1e-3), gravity=0)
    omega = motion.observe("OMEGA(R1)").curves[0].values
    np.testing.assert_allclose(omega, motion.t[:, None] * np.array([0.1, 0.2, 0.3]) / (0.4 * 2 * 0.25), atol=1e-9)
    assert abs(motion.observe("Etotal-Work").curves[0].values).max() < 1e-10


def test_the_angle_of_a_door_and_of_one_hinged_to_it():
    cards = (
        *SPACE["door"],
        "B2 (1,1,0.3) 0",
        "B3 (2,0.5,0.3) 0",
        "R2 B1 B2 B3 1 UNIFORM",
        "M2 R2 R1 AXIS(B1,B2) ANGLE={-3*time}",
    )
    machine = made(tuple(card.replace("(0,1,0) B1 2", "(0,1,0) B2 B1 2") for card in cards))
    motion = chainlist.simulate(machine, tran=(0, 3, 1e-3))
    np.testing.assert_allclose(motion.observe("ANGLE(R1)").curves[0].values, np.sin(motion.t), atol=1e-12)
    np.testing.assert_allclose(motion.observe("ANGLE(R2)").curves[0].values, -3 * motion.t, atol=1e-12)
    with pytest.raises(chainlist.ChainlistError, match="only about a hinge"):
        chainlist.simulate(made(SPACE["ball"]), tran=(0, 0.01, 1e-3)).observe("ANGLE(R1)")


def test_rods_of_the_plane_move_alike_in_space():
    plane = made(("B1 (1,0) 0", "B2 (2,0.5) 0.4", "R1 (0,0) B1 6", "R2 B1 B2 3"))
    space = made(("B1 (1,0,0) 0", "B2 (2,0.5,0) 0.4", "R1 (0,0,0) B1 6", "R2 B1 B2 3"))
    one, two = (chainlist.simulate(machine, tran=(0, 1, 1e-3)) for machine in (plane, space))
    for name in ("B1", "B2"):
        flat, deep = (motion.q[:, motion.bodies.index(name)] for motion in (one, two))
        np.testing.assert_allclose(deep[:, :2], flat, atol=1e-12)
        assert not deep[:, 2].any()
