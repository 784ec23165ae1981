"""Examples against mechanics worked out in another way: elliptic functions, rigid bodies, conservation laws."""

import numpy as np
import pytest

G = 9.81


def close(found, wanted, tolerance=1e-8):
    np.testing.assert_allclose(found, np.broadcast_to(wanted, found.shape), rtol=0, atol=tolerance)


def swing(t, amplitude, omega):
    """The angle of a pendulum let go at `amplitude`: sin(θ/2) = k·sn(ωt + K)."""
    from scipy.special import ellipj, ellipk

    k = np.sin(amplitude / 2)
    return 2 * np.arcsin(k * ellipj(omega * t + ellipk(k * k), k * k)[0])


def solved(right, start, t):
    from scipy.integrate import solve_ivp

    return solve_ivp(right, (0, t[-1]), start, method="DOP853", t_eval=t, rtol=1e-12, atol=1e-12).y


def momentum(machine, names, masses):
    """Horizontal and vertical momentum, and angular momentum about the centre of mass, at all samples."""
    q = np.stack([machine.q(name) for name in names], axis=1)
    v = np.stack([machine.v(name) for name in names], axis=1)
    mass = np.asarray(masses)[:, None]
    center, drift = (mass * q).sum(axis=1) / mass.sum(), (mass * v).sum(axis=1) / mass.sum()
    r, u = q - center[:, None], v - drift[:, None]
    spin = (mass[:, 0] * (r[:, :, 0] * u[:, :, 1] - r[:, :, 1] * u[:, :, 0])).sum(axis=1)
    return center, drift, spin


def test_the_pendulum_wave_closes_after_30_seconds(bodies):
    machine = bodies("pendulum-wave")
    amplitude = np.radians(20)
    correction = 1 + amplitude**2 / 16 + 11 * amplitude**4 / 3072
    for n in (20, 27, 34):
        length = G * (30 / (2 * np.pi * n * correction)) ** 2
        angle = swing(machine.t, amplitude, np.sqrt(G / length))
        bob = machine.q(f"B{n - 19}")
        close(bob, length * np.stack([np.sin(angle), -np.cos(angle)], axis=1))
        close(bob[-1], bob[0], 2e-5)  # what the series for the period leaves out


def test_the_metronome(bodies):
    machine = bodies("metronome")
    inertia = 0.2 * 0.04**2 + 0.04 * 0.12**2
    omega = np.sqrt(G * (0.2 * 0.04 - 0.04 * 0.12) / inertia)
    angle = swing(machine.t, np.radians(30), omega)
    close(machine.q("B2"), 0.12 * np.stack([np.sin(angle), np.cos(angle)], axis=1))


def test_the_parallelogram_is_one_pendulum_and_does_not_flip(bodies):
    machine = bodies("parallelogram")
    close(machine.q("B2") - machine.q("B1"), [[1.2, 0]], 1e-12)
    angle = solved(lambda t, y: [y[1], -G / 0.5 * np.sin(y[0])], [0, 11], machine.t)[0]
    close(machine.q("B1"), 0.5 * np.stack([np.sin(angle), -np.cos(angle)], axis=1))
    assert angle[-1] > 6 * np.pi and len(machine.trajectory.report.passages) > 6


def test_the_double_pendulums_part(bodies):
    machine = bodies("double-pendulum-swarm")

    def right(t, y):
        (a, b), (u, w) = y[:2], y[2:]
        matrix = [[2, np.cos(a - b)], [np.cos(a - b), 1]]
        force = [-w * w * np.sin(a - b) - 2 * G * np.sin(a), u * u * np.sin(a - b) - G * np.sin(b)]
        return [u, w, *np.linalg.solve(matrix, force)]

    early = machine.t <= 4
    start = np.radians([120, 120])
    a, b = solved(right, [*start, 0, 0], machine.t[early])[:2]
    close(machine.q("X1.B2")[early, 0], np.sin(a) + np.sin(b), 1e-6)
    apart = np.linalg.norm(machine.q("X5.B2") - machine.q("X1.B2"), axis=1)
    assert apart[early].max() < 0.05 and apart.max() > 2


def test_the_cart_and_the_clocks_keep_their_centre_of_mass(bodies):
    cart = bodies("cart-pendulum")
    close(2 * cart.q("B1")[:, 0] + cart.q("B2")[:, 0], 1, 1e-12)
    clocks = bodies("huygens-clocks")
    weighted = 10 * (clocks.q("B1") + clocks.q("B2")) + clocks.q("B3") + clocks.q("B4")
    close(weighted[:, 0], weighted[0, 0], 1e-11)


def test_the_clocks_exchange_their_swing_as_normal_modes_do(bodies):
    clocks = bodies("huygens-clocks")
    second = np.abs(clocks.q("B4") - clocks.q("B2"))[:, 0]
    both = [
        np.sqrt(G),
        np.sqrt(G * (1 + 2 / 20)),
    ]  # against each other, the beam at rest; together, the beam against them
    handed_over = clocks.t[np.argmax(second)]
    assert handed_over % (2 * np.pi / (both[1] - both[0])) == pytest.approx(np.pi / (both[1] - both[0]), rel=0.05)
    assert second.max() > 0.98 * np.sin(np.radians(12))


def test_galileos_beads_arrive_together(bodies):
    machine = bodies("galileo-chords")
    for n, turn in enumerate(range(30, 151, 30), start=1):
        slope = np.radians(turn / 2)
        left = 2 * np.sin(slope) - G * np.sin(slope) * machine.t**2 / 2  # of the way down the chord
        close(machine.q(f"B{n}"), left[:, None] * [[np.cos(slope), np.sin(slope)]], 1e-12)
        close(machine.q(f"B{n + 5}"), left[:, None] * [[-np.cos(slope), np.sin(slope)]], 1e-12)


def test_the_ladder_would_leave_the_wall_at_two_thirds(bodies):
    machine = bodies("sliding-ladder")
    across = (4 * machine.q("B2")[:, 0] + 12 * machine.q("B3")[:, 0]) / 20
    push = np.diff(across, 2)  # what the wall does to the centre of mass
    height = machine.q("B1")[1:-1, 1] / machine.q("B1")[0, 1]
    crossing = np.flatnonzero(np.diff(np.sign(push)))
    assert len(crossing) == 1
    assert height[crossing[0]] == pytest.approx(2 / 3, abs=2e-3)


def test_the_truss_is_a_rigid_pendulum(bodies):
    machine = bodies("truss")
    places = np.array([body.position for body in machine.trajectory.mechanism.bodies])
    inertia, pull = (places**2).sum(), places.sum(axis=0)

    def right(t, y):
        c, s = np.cos(y[0]), np.sin(y[0])
        return [y[1], -G * (c * pull[0] - s * pull[1]) / inertia]

    angle = solved(right, [0, 0], machine.t)[0]
    close(machine.q("B5"), 5 * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def test_the_rungs_stay_parallel(bodies):
    machine = bodies("rope-ladder")
    first = machine.q("B11") - machine.q("B1")
    for n in range(2, 9):
        close(machine.q(f"B{n + 10}") - machine.q(f"B{n}"), first, 1e-11)
    assert np.ptp(first[:, 1]) > 0.2


def test_the_chain_never_comes_below_the_catenary(motion):
    from scipy.optimize import brentq

    trajectory = motion("hanging-chain")
    weight = 0.1 * G
    link = 2 * np.sin(np.pi / 32)
    steps = np.arange(16) - 7.5  # weights carried by each link, from the middle

    def slopes(pull):
        return np.arctan(steps * weight / pull)

    pull = brentq(lambda pull: link * np.cos(slopes(pull)).sum() - 2, 1e-3, 1e3)
    heights = link * np.cumsum(np.sin(slopes(pull)))[:-1]
    lowest = weight * heights.sum()
    potential = trajectory.potential_energy
    assert potential.min() > lowest
    assert potential.min() - lowest < 0.3 * (potential[0] - lowest)


def test_the_chain_outruns_the_stone(bodies):
    machine = bodies("falling-chain")
    stone, tip = machine.q("B26")[:, 1], machine.q("B25")[:, 1]
    close(stone, -G * machine.t**2 / 2, 1e-12)
    late = machine.t > 0.3
    assert (tip[late] < stone[late]).all() and stone[-1] - tip[-1] > 0.1


def test_the_trebuchet_throws_as_its_text_says(bodies):
    machine = bodies("trebuchet")
    pivot = np.array([0, 3])
    close(machine.q("B2") - pivot, -4 * (machine.q("B1") - pivot), 1e-11)
    velocity = machine.v("B4")[-1]
    speed, direction = np.hypot(*velocity), np.degrees(np.arctan2(velocity[1], velocity[0]))
    assert speed == pytest.approx(43, abs=0.5) and direction == pytest.approx(45, abs=2)
    fall = 100 * G * (machine.q("B3")[0, 1] - machine.q("B3")[-1, 1])
    gain = speed**2 / 2 + G * (machine.q("B4")[-1, 1] - machine.q("B4")[0, 1])
    assert gain / fall == pytest.approx(2 / 3, abs=0.03)


def test_the_triangle_spins_evenly_about_a_parabola(bodies):
    machine = bodies("thrown-triangle")
    t = machine.t
    center = np.stack([3 * t, 8 * t - G * t**2 / 2], axis=1)
    close(machine.q("B4"), center, 1e-11)
    c, s = np.cos(7 * t), np.sin(7 * t)
    for name, (x, y) in {"B1": (-1, -0.5), "B2": (1, -0.5), "B3": (0, 1)}.items():
        close(machine.q(name) - center, np.stack([c * x - s * y, s * x + c * y], axis=1))


def test_the_dumbbell_spins_evenly_about_a_parabola(bodies):
    machine = bodies("thrown-dumbbell")
    t = machine.t
    center = np.stack([4 * t, 6 * t - G * t**2 / 2], axis=1)
    arm = np.stack([np.cos(8 * t), np.sin(8 * t)], axis=1)
    close(machine.q("B1"), center - 0.25 * arm)
    close(machine.q("B2"), center + 0.75 * arm)


def test_the_loop_keeps_its_momenta(bodies):
    machine = bodies("thrown-loop")
    masses = [0.05] * 23 + [0.5]
    center, drift, spin = momentum(machine, [f"B{n}" for n in range(1, 25)], masses)
    t = machine.t[:, None]
    close(drift - (drift[0] + [[0, -G]] * t), 0, 1e-11)
    close(center - (center[0] + drift[0] * t + [[0, -G / 2]] * t**2), 0, 1e-11)
    assert np.ptp(spin) < 1e-7 * abs(spin[0])
    heavy, across = machine.q("B24"), machine.q("B12")
    assert np.ptp(np.linalg.norm(heavy - across, axis=1)) > 0.3  # no circle any more
