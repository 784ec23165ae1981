"""Defaults against motions that are known in another way."""

import dataclasses

import numpy as np
import pytest
from scipy.integrate import solve_ivp  # noqa: TID253

from chainlist.run.simulate import simulate
from tests.machines import chain, crosshair, double_pendulum, lever, machine, rhombus, slider_crank


def angle(slope, stop, start=0.0):
    """θ(stop) of θ'' = slope(θ) from rest."""
    solution = solve_ivp(
        lambda _, y: [y[1], slope(y[0])], (0, stop), [start, 0.0], method="DOP853", rtol=1e-13, atol=1e-14
    )
    return solution.y[0, -1]


def test_double_pendulum_of_the_paper():
    end = simulate(double_pendulum(tran=(0.0, 10.0, 1e-3))).q[-1, 1]
    np.testing.assert_allclose(end, (0.1806399314121529, -1.955044257665418), atol=1e-9)


def test_twelve_links_keep_their_lengths_and_agree_with_the_adaptive_method():
    fixed = simulate(chain(12, gravity=1.0, tran=(0.0, 5.0, 1e-3)))
    adaptive = simulate(chain(12, gravity=1.0, tran=(0.0, 5.0, 5.0), integrator="DOP853", reltol=1e-13, abstol=1e-14))
    assert fixed.report.residual.value < 1e-13
    np.testing.assert_allclose(fixed.q[-1, -1], adaptive.q[-1, -1], atol=1e-9)


@pytest.mark.parametrize(("masses", "gravity", "stop"), [((1.0, 2.0), 9.81, 10.0), ((1.0, 2.0), 1.0, 6.6)])
def test_lever(masses, gravity, stop):
    trajectory = simulate(lever(masses, gravity=gravity, tran=(0.0, stop, 1e-3)))
    theta = angle(lambda x: -gravity / 3 * np.cos(x), stop)
    np.testing.assert_allclose(trajectory.q[-1, 1], (np.cos(theta), np.sin(theta)), atol=1e-9)
    assert trajectory.report.replaced == ("C1, C2, C3 lie on one line: treated as one bar B1–(0,0)–B2",)


def test_balanced_lever_stays():
    trajectory = simulate(lever((1.0, 1.0), tran=(0.0, 5.0, 1e-3)))
    np.testing.assert_array_equal(trajectory.q[-1], [[-1, 0], [1, 0]])


def test_taut_chain_between_anchors_stands_still():
    taut = machine({"B1": (1, 0), "B2": (2, 0)}, {"C1": ("B1", (0, 0)), "C2": ("B1", "B2"), "C3": ("B2", (3, 0))})
    np.testing.assert_allclose(simulate(taut).q[-1], [[1, 0], [2, 0]], atol=1e-12)


@pytest.mark.parametrize("step", [1e-2, 1e-3, 5e-4])
def test_rhombus_takes_the_right_branch(step):
    """By symmetry B3 falls through the pivot; a run with a hundred times smaller steps gives the rest."""
    end = simulate(rhombus(gravity=1.0, tran=(0.0, 2.5, step)))
    np.testing.assert_allclose(end.q[-1, 0], (-0.70390531, -1.22658749), atol=1e-4)
    np.testing.assert_allclose(end.q[-1, 0] * [-1, 1], end.q[-1, 1], atol=1e-9)
    assert end.report.refined and not end.report.leaps
    assert end.report.passages[0].time == pytest.approx(1.8537, abs=2e-2)


def test_rhombus_without_the_guard_goes_wrong_and_says_so():
    end = simulate(rhombus(gravity=1.0, tran=(0.0, 2.5, 1e-3), guard="OFF"))
    assert np.abs(end.q[-1, 0] - (-0.70390531, -1.22658749)).max() > 1e-2
    assert end.report.leaps
    assert any("changed branch" in text for text in end.report.warnings)


def test_crosshair_is_exact():
    trajectory = simulate(crosshair(gravity=0.0, tran=(0.0, 6.28, 1e-3)))
    t = trajectory.t
    expected = np.stack([np.stack([np.sin(t), 0 * t], 1), np.stack([0 * t, np.cos(t)], 1)], 1)
    np.testing.assert_allclose(trajectory.q, expected, atol=1e-12)


def test_slider_crank_passes_its_fold():
    trajectory = simulate(slider_crank(gravity=1.0, tran=(0.0, 16.0, 1e-3)))
    assert trajectory.report.energy_error < 1e-11
    assert trajectory.report.passages[0].time == pytest.approx(8.36, abs=0.01)
    fine = simulate(slider_crank(gravity=1.0, tran=(0.0, 16.0, 16.0), integrator="DOP853", reltol=1e-12))
    np.testing.assert_allclose(trajectory.q[-1], fine.q[-1], atol=1e-8)


def test_a_free_triangle_falls_and_turns():
    spin, g = 2.0, 9.81
    corners = {"B1": (1.0, 0.0), "B2": (-0.5, 3**0.5 / 2), "B3": (-0.5, -(3**0.5) / 2)}
    turn = {name: (-spin * y, spin * x) for name, (x, y) in corners.items()}
    links = {"C1": ("B1", "B2"), "C2": ("B2", "B3"), "C3": ("B3", "B1")}
    end = simulate(machine(corners, links, velocity=turn, tran=(0.0, 2.0, 1e-3))).q[-1, 0]
    np.testing.assert_allclose(end, (np.cos(2 * spin), np.sin(2 * spin) - g * 2.0), atol=1e-9)


def test_a_redundantly_braced_square_swings_like_a_compound_pendulum():
    bodies = {"B1": (0.0, -1.0), "B2": (1.0, -1.0), "B3": (1.0, 0.0)}
    links = {"C1": ("B1", (0, 0)), "C2": ("B1", "B2"), "C3": ("B2", "B3"), "C4": ("B3", (0, 0))}
    links |= {"C5": ("B2", (0, 0)), "C6": ("B1", "B3")}
    trajectory = simulate(machine(bodies, links, tran=(0.0, 3.0, 1e-3)))
    # the centre of mass is at √2·(2/3) from the pivot, 45° below the x axis; inertia 1 + 2 + 1
    theta = angle(lambda x: -9.81 * 3 * (2 * 2**0.5 / 3) * np.cos(x) / 4, 3.0, -np.pi / 4)
    np.testing.assert_allclose(trajectory.q[-1, 1], 2**0.5 * np.array([np.cos(theta), np.sin(theta)]), atol=1e-8)
    assert len(trajectory.report.dropped) == 1


@pytest.mark.parametrize(("length", "mass"), [(1e4, 1e-6), (1e-4, 1e6)])
def test_units_do_not_matter(length, mass):
    """Lengths and masses in other units, and time by the root of the length: the same motion."""
    time = length**0.5
    plain = simulate(double_pendulum(gravity=1.0, tran=(0.0, 2.0, 1e-2)))
    bodies = {"B1": (0, -length), "B2": (length, -length)}
    links = {"C1": ("B1", (0, 0)), "C2": ("B2", "B1")}
    span = (0.0, 2.0 * time, 1e-2 * time)
    scaled = simulate(machine(bodies, links, mass=dict.fromkeys(bodies, mass), gravity=1.0, tran=span))
    np.testing.assert_allclose(scaled.q / length, plain.q, atol=1e-12)
    assert not scaled.report.warnings


@pytest.mark.parametrize("heavy", [1e6, 1e-6])
def test_masses_that_differ_by_a_million(heavy):
    """A double pendulum with one heavy body, against its equations in angles (from the downward vertical)."""
    m1, m2, g, stop = 1.0, 1.0 / heavy, 9.81, 1.0
    step = 1e-3 if heavy > 1 else 1e-5  # a light body above a heavy one trembles with √(m2 g/(m1 l)) = 3000/s

    def slope(_, y):
        a, b, u, w = y
        c, s = np.cos(a - b), np.sin(a - b)
        inertia = np.array([[m1 + m2, m2 * c], [m2 * c, m2]])
        force = [-m2 * s * w * w - (m1 + m2) * g * np.sin(a), m2 * s * u * u - m2 * g * np.sin(b)]
        return [u, w, *np.linalg.solve(inertia, force)]

    start = [np.pi / 2, 0.0, 0.0, 0.0] if heavy > 1 else [0.5, 0.5, 0.0, 0.0]
    stop = stop if heavy > 1 else 0.02
    angles = solve_ivp(slope, (0, stop), start, method="DOP853", rtol=1e-12, atol=1e-13).y[:2, -1]
    expected = np.cumsum([(np.sin(x), -np.cos(x)) for x in angles], axis=0)
    places = np.cumsum([(np.sin(x), -np.cos(x)) for x in start[:2]], axis=0)
    bodies = {"B1": tuple(places[0]), "B2": tuple(places[1])}
    links = {"C1": ("B1", (0, 0)), "C2": ("B1", "B2")}
    end = simulate(machine(bodies, links, mass={"B1": m1, "B2": m2}, tran=(0.0, stop, step), save=stop))
    np.testing.assert_allclose(end.q[-1], expected, atol=1e-8)
    assert end.status.ok and end.report.residual.value < 1e-13


def test_a_heavy_body_with_a_light_tip():
    ratio = machine(
        {"B1": (1, 0), "B2": (2, 0)}, {"C1": ("B1", (0, 0)), "C2": ("B1", "B2")}, mass={"B1": 1.0, "B2": 1e-6}
    )
    theta = angle(lambda x: -9.81 * np.cos(x), 1.0)
    end = simulate(ratio)
    np.testing.assert_allclose(end.q[-1, 0], (np.cos(theta), np.sin(theta)), atol=1e-5)
    assert end.report.residual.value < 1e-13


def test_a_spherical_pendulum_in_space():
    """On a horizontal circle of half the length the angular speed is √(g / (l cos 30°))."""
    radius, depth = 0.5, 3**0.5 / 2
    speed = radius * (9.81 / depth) ** 0.5
    cone = machine({"B1": (radius, -depth, 0)}, {"C1": ("B1", (0, 0, 0))}, velocity={"B1": (0, 0, speed)})
    phase = speed / radius * 1.0
    expected = (radius * np.cos(phase), -depth, radius * np.sin(phase))  # downward is −y, in space too
    np.testing.assert_allclose(simulate(cone, target="python").q[-1, 0], expected, atol=1e-9)


def test_energy_of_rattle4_has_no_trend_over_ten_thousand_periods():
    """A pendulum of small amplitude has the period 2π/√g; its energy at the end errs no more than at the beginning."""
    period = 2 * np.pi / 9.81**0.5
    pendulum = machine(
        {"B1": (0.6, -0.8)},
        {"C1": ("B1", (0, 0))},
        integrator="RATTLE4",
        tran=(0.0, 1e4 * period, period / 40),
        save=period,
    )
    trajectory = simulate(pendulum)
    error = np.abs(trajectory.energy - trajectory.energy[0])
    assert error[-1000:].max() < 2 * error[:1000].max()
    assert error.max() < 1e-4


@pytest.mark.parametrize(("step", "error"), [(1e-2, 5e-6), (1e-3, 1e-9), (2e-4, 1e-10)])
def test_a_locomotive_whose_rods_carry_each_other_through_dead_points(step, error):
    """Two wheels, each with two pins at 90°, and two rods: one equation too many. Every pin turns by the same angle."""
    bodies = {"B1": (1, 0), "B2": (0, 1), "B3": (4, 0), "B4": (3, 1)}
    links = {"C1": ("B1", (0, 0)), "C2": ("B2", (0, 0)), "C3": ("B1", "B2"), "C4": ("B3", (3, 0)), "C5": ("B4", (3, 0))}
    links |= {"C6": ("B3", "B4"), "C7": ("B1", "B3"), "C8": ("B2", "B4")}
    mass = {"B1": 1.0, "B2": 2.0, "B3": 1.5, "B4": 0.5}
    end = simulate(machine(bodies, links, mass=mass, tran=(0.0, 10.0, step), save=0.1))
    theta = angle(lambda x: -9.81 * 2.5 * (np.cos(x) - np.sin(x)) / 5, 10.0)
    np.testing.assert_allclose(end.q[-1, 0], (np.cos(theta), np.sin(theta)), atol=error)
    assert len(end.report.dropped) == 1 and len(end.report.rank_changes) == 1


def test_a_parallelogram_passes_flat_again_and_again():
    bodies, links = {"B1": (0, 1), "B2": (2, 1)}, {"C1": ("B1", (0, 0)), "C2": ("B2", (2, 0)), "C3": ("B1", "B2")}
    speed = dict.fromkeys(bodies, (3.0, 0.0))
    crank = machine(bodies, links, mass={"B2": 2.0}, velocity=speed, gravity=1.0, tran=(0.0, 10.0, 1e-3), save=0.1)
    end = simulate(crank)
    turning = solve_ivp(
        lambda _, y: [y[1], -np.cos(y[0])], (0, 10.0), [np.pi / 2, -3.0], method="DOP853", rtol=1e-13, atol=1e-14
    )
    theta = turning.y[0, -1]
    np.testing.assert_allclose(end.q[-1, 0], (np.cos(theta), np.sin(theta)), atol=1e-8)
    assert len(end.report.passages) == 10
    assert end.report.passages[0].constraints == ("C1", "C2", "C3")


def test_greville_fails_on_twelve_links_and_not_with_the_bodies_turned_round():
    """What the paper reports: the order of bodies decides, and the run says when it failed."""
    settings = {"daesystem": "INDEX1_2", "integrator": "HEUN", "mpi_algo": "GREVILLE", "mpitol": 1e-12}
    forwards = chain(12, gravity=1.0, tran=(0.0, 4.0, 1e-3), save=0.1, **settings)
    backwards = dataclasses.replace(forwards, bodies=forwards.bodies[::-1])
    failed, fine = simulate(forwards), simulate(backwards)
    assert not failed.status.ok and 0.5 < failed.status.time < 4.0 and "MPI_ALGO=AUTO" in failed.status.remedy
    assert fine.status.ok and fine.report.energy_error < 1e-3
