"""The references of forces and drives against each other: nothing here runs the program.

Each must start where its text says, stay on its constraints, and agree in positions, velocities, work and forces with
Newton's law in Cartesian coordinates to within the error it claims. What was published is met too.
"""

import math
import re
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from tests.references.mechanics import car_axis, drives, pieces, springs, velocities
from tests.references.mechanics.measure import WITHOUT_SECOND_OPINION, differences
from tests.references.mechanics.problem import Integrated, MechanicsProblem
from tests.references.mechanics.table import MECHANICS
from tests.some import some

ALL = pytest.mark.parametrize("problem", MECHANICS.values(), ids=MECHANICS.keys())
# These run nothing of the program, and change seldom: the dear test takes every third of them, the long tests all.
HELD = [*MECHANICS][1::3]
NUMBER = r"(-?[\d.]+(?:e-?\d+)?)"
BODY = re.compile(rf"^B\d+ \({NUMBER},{NUMBER}\) {NUMBER}(?: IC_VEL=\({NUMBER},{NUMBER}\))?$", re.MULTILINE)


@ALL
def test_starts_where_its_text_says(problem: MechanicsProblem) -> None:
    rows = np.array([[float(n or 0) for n in found] for found in BODY.findall(problem.text)])
    assert len(rows) == len(problem.cartesian.masses)
    assert rows[:, 2] == pytest.approx(problem.cartesian.masses, abs=0)
    assert rows[:, :2] == pytest.approx(problem.states([0.0])[0], abs=3e-15)
    assert rows[:, 3:] == pytest.approx(problem.velocities([0.0])[0], abs=3e-15)
    assert f".tran 0 {problem.span!r} " in problem.text


@ALL
def test_stays_on_its_constraints(problem: MechanicsProblem) -> None:
    times = np.linspace(0.0, problem.span, 500)
    place, speed, _ = problem.known(times)
    p, v = ([(c[:, i, 0], c[:, i, 1]) for i in range(c.shape[1])] for c in (place, speed))
    for row in problem.cartesian.rows(times, p):
        assert np.abs(row).max() < 1e-14
    for row in problem.cartesian.rates(times, p, v):
        assert np.abs(row).max() < 2e-14


@pytest.mark.parametrize(
    "name",
    some((name for name in MECHANICS if name not in WITHOUT_SECOND_OPINION), lambda name: name in HELD),
)
def test_agrees_with_newton_in_cartesian_coordinates(name: str) -> None:
    problem = MECHANICS[name]
    assert max(differences(problem)) <= problem.error


@pytest.mark.parametrize("name", [name for name in MECHANICS if not name.startswith("force_")])
def test_accelerations_are_those_of_newton(name: str) -> None:
    """At one instant, with nothing integrated; also where the motion is too stiff to be."""
    problem = MECHANICS[name]
    times = np.linspace(0.0, problem.span, 100)
    place, speed, acceleration = problem.known(times)
    rounding = 1e-7 if name == "stiff_pair" else 1e-12 * np.abs(acceleration).max()
    assert np.abs(problem.cartesian.at(times, place, speed).acceleration - acceleration).max() < rounding


@pytest.mark.parametrize("name", [name for name, problem in MECHANICS.items() if problem.from_multipliers])
def test_forces_and_torques_are_those_of_the_multipliers(name: str) -> None:
    problem = MECHANICS[name]
    times = np.linspace(0.0, problem.span, 200)
    place, speed, _ = problem.known(times)
    moment = problem.cartesian.at(times, place, speed)
    assert set(problem.items) == set(problem.from_multipliers)
    for item, value in problem.items.items():
        wanted = value(times)
        scale = max(1.0, float(np.abs(wanted).max()))
        assert problem.from_multipliers[item](moment) == pytest.approx(wanted, rel=0, abs=3e-13 * scale)


INTEGRATED = [name for name, problem in MECHANICS.items() if isinstance(problem.known, Integrated)]


@pytest.mark.parametrize("name", some(INTEGRATED, lambda name: INTEGRATED.index(name) % 4 == 0))
def test_scipy_arrives_at_the_same_place(name: str) -> None:
    """Another integrator, on the same minimal coordinates."""
    from scipy.integrate import solve_ivp

    known = MECHANICS[name].known
    assert isinstance(known, Integrated)
    freedoms = len(known.start)

    def slope(t: float, state: np.ndarray) -> np.ndarray:
        found = known.acceleration(np.array([t]), *state[:, None])
        return np.concatenate([state[freedoms:], np.ravel(found)])

    stop = known.stop
    start = [*known.start, *known.rates]
    found = solve_ivp(slope, (0.0, stop), start, method="DOP853", rtol=3e-14, atol=1e-15).y[:, -1]
    wanted = np.ravel(known.coordinates([stop])[:2])
    assert found == pytest.approx(wanted, abs=1e-11)


def test_car_axis_as_published() -> None:
    """All ten numbers of the test set. Its multipliers, of index 3 there, have fewer digits than the rest."""
    place, speed, _ = car_axis.KNOWN([car_axis.STOP])
    assert place.ravel() == pytest.approx(car_axis.PUBLISHED[0], rel=0, abs=4e-13)
    assert speed.ravel() == pytest.approx(car_axis.PUBLISHED[1], rel=0, abs=5e-12)
    for mine, published in zip(car_axis.reactions([car_axis.STOP]), car_axis.PUBLISHED[2], strict=True):
        assert mine[0] == pytest.approx(published, rel=0, abs=2e-10)


def test_arevalo_as_published() -> None:
    """λ = −4t² in ẍ = 2y + λx, ÿ = −2x + λy; the work is the kinetic energy 2t²."""
    times = np.linspace(0.0, 5.0, 50)
    problem = MECHANICS["arevalo"]
    place, _, acceleration = problem.known(times)
    (x, y), (ax, ay) = place[:, 0].T, acceleration[:, 0].T
    assert ax == pytest.approx(2 * y - 4 * times**2 * x, abs=1e-13)
    assert ay == pytest.approx(-2 * x - 4 * times**2 * y, abs=1e-13)
    assert problem.work(times) == pytest.approx(2 * times**2, abs=1e-13)


def test_knife_edge_as_published() -> None:
    """Bloch: the edge moves sideways without end but never falls lower than G/2ω²."""
    period = math.pi / velocities.OMEGA
    middle = MECHANICS["knife_edge"].states([0.0, period / 2, period, 2 * period]).mean(axis=1)
    size = velocities.SLOPE / (2 * velocities.OMEGA**2)
    assert middle[:, 0] == pytest.approx([0.0, size * math.pi / 2, size * math.pi, 2 * size * math.pi], abs=1e-15)
    assert middle[:, 1] == pytest.approx([0.0, -size, 0.0, 0.0], abs=1e-15)


def test_mathieu_functions_of_scipy() -> None:
    """At a characteristic value the motion is the periodic ce₁, which SciPy knows from its Fourier series."""
    from scipy.special import mathieu_a, mathieu_cem

    a, q = float(mathieu_a(1, springs.MATHIEU_Q)), springs.MATHIEU_Q
    start = float(mathieu_cem(1, q, 0.0)[0])
    times = np.linspace(0.0, 10.0, 60)
    place, speed, _ = springs.mathieu(a, q, start, 10.0)(times)
    value, slope = mathieu_cem(1, q, np.rad2deg(times))
    assert place[:, 0, 0] == pytest.approx(value, abs=1e-11)
    assert speed[:, 0, 0] == pytest.approx(slope, abs=1e-11)


def test_stiff_pair_is_the_slow_eigenvector() -> None:
    stiffness = np.array([[springs.OUTER + springs.INNER, -springs.INNER], [-springs.INNER, springs.INNER]])
    fast = math.sqrt(np.linalg.eigvalsh(stiffness)[1])
    assert 0.02 == pytest.approx(100 * 2.83 / fast, rel=0.01)
    # The slow one is lost in the rounding of `eigvalsh`: det K = ω² ω₂², in which nothing cancels.
    assert springs.SLOW**2 == pytest.approx(springs.OUTER * springs.INNER / fast**2, rel=1e-15)
    # K a = ω² a with a = (1, SHARE): the row of the outer mass, and the sum of both rows.
    assert springs.INNER * (springs.SHARE - 1) == pytest.approx(springs.SLOW**2 * springs.SHARE, rel=1e-7)
    assert springs.OUTER == pytest.approx(springs.SLOW**2 * (1 + springs.SHARE), rel=1e-15)
    problem = MECHANICS["stiff_pair"]
    times = np.linspace(0.0, problem.span, 100)
    assert np.abs(problem.work(times)).max() < 1e-15


def gauss(f: Callable[[float], float], corners: list[float]) -> float:
    """∫ f between the first corner and the last; exact for polynomials between the corners."""
    nodes, weights = np.polynomial.legendre.leggauss(5)
    total = 0.0
    for low, high in pairwise(corners):
        points = 0.5 * (low + high) + 0.5 * (high - low) * nodes
        total += 0.5 * (high - low) * sum(w * f(t) for w, t in zip(weights, points, strict=True))
    return float(total)


def pulse(t: float) -> float:
    """SPICE's, from its parameters: low, high, delay, rise, fall, width, period."""
    low, high, delay, rise, fall, width, period = -1.0, 3.0, 0.2003, 0.1, 0.2, 0.3004, 0.9
    if t < delay:
        return low
    local = (t - delay) % period
    if local < rise:
        return low + (high - low) * local / rise
    if local < rise + width:
        return high
    return max(low, high - (high - low) * (local - rise - width) / fall)


FORCES = {
    "force_pwl": lambda t: float(np.interp(t, [0.3503, 0.8503, 1.3503], [1.0, -2.0, 4.0])),
    "force_pulse": pulse,
    "force_step": lambda t: 5.0 * (t > 0.45671) - (0.0 if t < 1.23457 else 8.0),
}


@pytest.mark.parametrize("name", FORCES)
def test_polynomials_by_quadrature(name: str) -> None:
    """Momentum, moment of momentum and work as integrals of the force as its text has it."""
    problem = MECHANICS[name]
    known, force = problem.known, FORCES[name]
    assert isinstance(known, pieces.Polynomials)
    corners = [float(piece[0]) for piece in known.pieces]
    for stop in (0.3, 0.99, 1.6, 2.0):
        inside = [c for c in corners if c < stop] + [stop]
        speed = 0.25 + gauss(force, inside) / pieces.MASS
        place = 0.5 + 0.25 * stop + gauss(lambda t: (stop - t) * force(t), inside) / pieces.MASS  # noqa: B023
        work = gauss(lambda t: force(t) * known([t])[1][0, 0, 0], inside)
        assert problem.states([stop])[0, 0] == pytest.approx([place, 0.0], abs=1e-14)
        assert problem.velocities([stop])[0, 0] == pytest.approx([speed, 0.0], abs=1e-14)
        assert problem.work([stop])[0] == pytest.approx(work, abs=3e-14)


CONSERVATIVE = (
    "bead_on_link bead_on_circle slanting_gravity spring_pendulum knife_edge geared_pendulums atwood swinging_atwood "
    "block_and_tackle open_tackle stiff_pair bead_on_parabola pinned_bodies inverted_on_torsion driven_skate"
).split()


@pytest.mark.parametrize("name", CONSERVATIVE)
def test_no_work_where_nothing_drives_or_brakes(name: str) -> None:
    problem = MECHANICS[name]
    work = problem.work(np.linspace(0.0, problem.span, 300))
    assert np.abs(work).max() < problem.error * max(1.0, problem.energy_scale)


def test_work_in_closed_form() -> None:
    times = np.linspace(0.0, 2.0, 50)
    turning = MECHANICS["torque_on_free_link"]
    rate = (0.5 * times + 0.15 * times**2) / 3.0  # ω = ∫ (0.5 + 0.3 t) dt / J, J = 3
    assert turning.work(times) == pytest.approx(0.5 * 3.0 * rate**2, abs=1e-14)
    duffing = MECHANICS["duffing"]
    stretch = duffing.states(times)[:, 0, 0] - 1
    assert duffing.work(times) == pytest.approx(springs.CUBIC / 4 * (springs.STRETCH**4 - stretch**4), abs=1e-13)
    fall = MECHANICS["sheared_fall"]
    speed = velocities.SHEAR * (velocities.HEIGHT - 0.5 * 9.81 * times**2)
    wanted = 0.5 * (speed**2 - (velocities.SHEAR * velocities.HEIGHT) ** 2)
    assert fall.work(times) == pytest.approx(wanted, abs=1e-12)
    spun = MECHANICS["bead_on_rotating_line"]
    rate = drives.OUT * drives.OMEGA
    # Etotal is m(ṙ² + ω²r²)/2, of which m(ṙ² − ω²r²)/2 stays: the motor has given m ω² (r² − r₀²).
    wanted = rate**2 * (np.cosh(drives.OMEGA * times) ** 2 - 1)
    assert spun.work(times) == pytest.approx(wanted, abs=1e-13)
