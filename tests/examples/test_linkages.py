"""Classical linkages: straight lines, curves and walks against plane geometry."""

import numpy as np
import pytest

from .kinematics import carried, circles


def close(found, wanted, tolerance=1e-9):
    np.testing.assert_allclose(found, np.broadcast_to(wanted, found.shape), rtol=0, atol=tolerance)


def on_either_side(point, a, ra, b, rb):
    """The point is at distance ra from a and rb from b; it may change sides on its way."""
    away = [np.linalg.norm(point - circles(a, ra, b, rb, side), axis=1) for side in (1, -1)]
    close(np.minimum(*away), 0)


def share_on_the_ground(crank, foot, tolerance):
    """The part of the first turn of the crank in which the foot is no higher than the tolerance."""
    angle = np.abs(np.unwrap(np.arctan2(crank[:, 1], crank[:, 0])) - np.arctan2(crank[0, 1], crank[0, 0]))
    assert angle[-1] > 2 * np.pi
    height = np.interp(np.linspace(0, 2 * np.pi, 1000), angle, foot[:, 1])
    return np.mean(height < height.min() + tolerance)


def test_peaucellier_draws_a_straight_line(bodies):
    machine = bodies("peaucellier-lipkin")
    pen, input_ = machine.q("B4"), machine.q("B1")
    close(pen[:, 1], -(1 - 0.25) / 0.8, 1e-12)
    assert np.ptp(pen[:, 0]) > 1.5
    close(np.linalg.norm(input_, axis=1) * np.linalg.norm(pen, axis=1), 1 - 0.25, 1e-12)


def test_hart_draws_a_straight_line(bodies):
    machine = bodies("hart-inversor")
    pen, input_ = machine.q("B6"), machine.q("B5")
    close(pen[:, 1], (1.2**2 - 0.6**2) / 3.2, 1e-12)
    assert np.ptp(pen[:, 0]) > 0.7
    close(np.sum(pen * input_, axis=1), -(1.2**2 - 0.6**2) / 4, 1e-12)  # opposite, and inverse


def test_scott_russell_draws_a_straight_line(bodies):
    machine = bodies("scott-russell")
    pen = machine.q("B3")
    close(pen[:, 1], 0, 1e-12)
    assert np.ptp(pen[:, 0]) > 1.8


def test_the_trammel_draws_ellipses(bodies):
    machine = bodies("trammel")
    x, y = machine.q("B4").T
    close((x / 0.6) ** 2 + (y / 1.6) ** 2, 1, 1e-12)
    assert x.min() < -0.599 and x.max() > 0.599 and y.min() < -1.599 and y.max() > 1.599
    close(np.linalg.norm(machine.q("B3"), axis=1), 0.5, 1e-12)


def test_watt_draws_a_long_eight(bodies):
    machine = bodies("watt")
    first, pen = machine.q("B1"), machine.q("B3")
    on_either_side(machine.q("B2"), first, 0.5, (1, -0.25), 1)
    close(pen, (first + machine.q("B2")) / 2, 1e-12)
    assert np.ptp(pen[:, 1]) > 1.15 and np.ptp(pen[:, 0]) > 0.4
    stroke = pen[machine.t < 0.2]  # the deviation from the line grows with the fifth power of the way
    assert np.abs(stroke[:, 0]).max() < 0.01 * np.ptp(stroke[:, 1])


def test_chebyshev_walks(bodies):
    machine = bodies("chebyshev-lambda")
    crank, foot = machine.q("B1"), machine.q("B3")
    knee = circles(crank, 2.5, (2, 0), 2.5, 1)
    close(machine.q("B2"), knee)
    close(foot, 2 * knee - crank)
    angle = np.unwrap(np.arctan2(crank[:, 1], crank[:, 0]))
    assert angle[-1] - angle[0] > 4 * np.pi
    stance = crank[:, 0] < 0  # the half of the turn in which the crank pin is on the left
    assert np.abs(foot[stance, 1] - 4).max() < 0.02 and foot[:, 1].max() > 4.8


def test_roberts_runs_almost_straight(bodies):
    machine = bodies("roberts")
    left, apex = machine.q("B1"), machine.q("B3")
    on_either_side(machine.q("B2"), left, 1, (1, 0), 1.3)
    close(apex, carried(left, machine.q("B2"), (0, 0), (-0.5, -1.2), (0.5, -1.2)))
    between = apex[np.abs(apex[:, 0]) < 0.7]
    assert len(between) > 900 and np.abs(between[:, 1]).max() < 0.02 < np.abs(apex[:, 1]).max()


def test_the_four_bar(bodies):
    machine = bodies("four-bar-coupler")
    crank, rocker = machine.q("B1"), machine.q("B2")
    close(rocker, circles(crank, np.hypot(3.5, 2), (3.5, 0), 3, 1))
    close(machine.q("B3"), carried(crank, rocker, (1, 4), (0, 1), (3.5, 3)))
    assert np.ptp(np.unwrap(np.arctan2(crank[:, 1], crank[:, 0]))) > 2 * np.pi


def test_the_drag_link_turns_both_cranks(bodies):
    machine = bodies("drag-link")
    first, second = machine.q("B1"), machine.q("B2")
    close(second, circles(first, np.hypot(1.36, 0.28), (0.4, 0), 1.2, 1))
    turns = [np.unwrap(np.arctan2(*p.T[::-1])) for p in (first, second - (0.4, 0))]
    speeds = [np.diff(angle) for angle in turns]
    assert all(angle[-1] - angle[0] > 4 * np.pi for angle in turns)
    assert np.ptp(speeds[1]) > 5 * np.ptp(speeds[0]) > 0


def test_the_pantograph_doubles(bodies):
    machine = bodies("pantograph")
    close(machine.q("B5"), 2 * machine.q("B1"), 1e-12)
    close(machine.q("B3"), 2 * machine.q("B2"), 1e-12)


def test_the_scissors_are_as_wide_as_their_length_allows(bodies):
    machine = bodies("scissors")
    half = machine.q("B2")[:, 0]
    close(machine.q("B1")[:, 0], -half)
    top = 1.8 * (0.5 * np.sin(np.radians(12)) - half)
    low = np.sqrt(0.25 - half**2)
    for n, name in enumerate(("B11", "B12", "B13")):
        close(machine.q(name), np.stack([0 * half, top - (2 * n + 1) * low], axis=1))
    close(machine.q("B8"), np.stack([half, top - 6 * low], axis=1))
    assert np.ptp(half) > 0.2


def test_the_locomotive_keeps_its_pins_in_step(bodies):
    machine = bodies("locomotive")
    pin = machine.q("B1")
    for n, name in enumerate(("B2", "B3"), start=1):
        close(machine.q(name) - pin, [[1.5 * n, 0]])
    close(machine.q("B11"), np.stack([-pin[:, 1], pin[:, 0]], axis=1))
    x, y = machine.q("B2").T
    close(machine.q("B4"), np.stack([x + np.sqrt((3.8 - 1.5) ** 2 - y**2), 0 * x], axis=1))
    assert np.ptp(np.unwrap(np.arctan2(pin[:, 1], pin[:, 0]))) > 4 * np.pi


@pytest.mark.parametrize("number", range(5))
def test_the_radial_engine(bodies, number):
    machine = bodies("radial-engine")
    crank = machine.q("B1")
    axis = np.radians(90 + 72 * number)
    angle = np.arctan2(crank[:, 1], crank[:, 0]) - axis
    way = 0.04 * np.cos(angle) + np.sqrt(0.15**2 - (0.04 * np.sin(angle)) ** 2)
    close(machine.q(f"X{number + 1}.BP"), way[:, None] * [[np.cos(axis), np.sin(axis)]])


@pytest.mark.parametrize(("leg", "mirror"), [("X1", 1), ("X2", -1)])
def test_jansens_legs_have_his_proportions(bodies, leg, mirror):
    machine = bodies("jansen-leg")
    unfold = np.array([mirror, 1.0])
    crank = machine.q("B1") * unfold
    pivot = np.array([-0.38, -0.078])
    close(np.linalg.norm(crank, axis=1), 0.15)
    upper = circles(pivot, 0.415, crank, 0.5, 1)
    lower = circles(pivot, 0.393, crank, 0.619, -1)
    behind = circles(pivot, 0.401, upper, 0.558, 1)
    ankle = circles(behind, 0.394, lower, 0.367, -1)
    foot = circles(ankle, 0.657, lower, 0.49, -1)
    for name, wanted in zip(("BU", "BL", "BE", "BF", "BG"), (upper, lower, behind, ankle, foot), strict=True):
        close(machine.q(f"{leg}.{name}") * unfold, wanted)
    assert share_on_the_ground(crank, foot, 0.015) > 0.45 and np.ptp(foot[:, 1]) > 0.15


def test_klanns_leg(bodies):
    machine = bodies("klann-leg")
    crank = machine.q("B1")
    close(np.linalg.norm(crank, axis=1), 0.175)
    rocker = circles((-0.388, -0.125), 0.237, crank, 0.388, 1)
    knee = circles(crank, 0.734, rocker, 0.352, -1)
    upper = circles((-0.146, 0.419), 0.341, knee, 0.577, -1)
    foot = circles(upper, 1.117, knee, 0.59, 1)
    for name, wanted in zip(("B2", "B3", "B4", "B5"), (rocker, knee, upper, foot), strict=True):
        close(machine.q(name), wanted)
    assert share_on_the_ground(crank, foot, 0.015) > 0.4 and np.ptp(foot[:, 1]) > 0.25
