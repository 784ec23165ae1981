"""The references against each other: nothing here runs the program.

Each must start where its text says, keep its lengths and its energy, obey Newton's law with independently computed
constraint forces, and agree with a second opinion to within the error it claims.
"""

import numpy as np
import pytest

from tests.references import one_freedom
from tests.references.chain import DOUBLE_PENDULUM, Chain, horizontal_chain
from tests.references.collocation import integrate
from tests.references.jets import Jet, cos, sin, sqrt
from tests.references.lagrange import MinimalCoordinates
from tests.references.measure import differences
from tests.references.pendulum import jacobi, quarter_period
from tests.references.problems import ONE_FREEDOM, PROBLEMS, Problem, chain_motion, coordinates, one_freedom_motion
from tests.references.second_opinions import SECOND_OPINIONS
from tests.some import some

# What lies behind a motion changes seldom, and is held whole in the long tests; of chains a short one here
SHORTER = [name for name in PROBLEMS if name not in ("chain_12", "chain_16")]
ALL = pytest.mark.parametrize("problem", some(PROBLEMS.values(), lambda problem: problem.name in SHORTER), ids=PROBLEMS)

# Central differences of eighth order: weights of f(t + kh) for k = 1…4, odd for the first and even for the second.
FIRST = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
SECOND = (8 / 5, -1 / 5, 8 / 315, -1 / 560)
SECOND_MIDDLE = -205 / 72
STEP = 1e-3


def quiet_times(problem: Problem) -> np.ndarray:
    """Times at which differences make sense: not the millisecond in which the rhombus rebounds."""
    times = np.linspace(5 * STEP, problem.span - 5 * STEP, 300)
    return times[np.abs(times - 1.8535) > 0.2] if problem.name == "rhombus" else times


def derivatives(problem: Problem, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Velocities and accelerations from positions alone."""
    velocity = np.zeros((len(times), len(problem.linkage.masses), 2))
    acceleration = SECOND_MIDDLE * problem.states(times)
    for k, (odd, even) in enumerate(zip(FIRST, SECOND, strict=True), start=1):
        after, before = problem.states(times + k * STEP), problem.states(times - k * STEP)
        velocity += odd * (after - before) / STEP
        acceleration += even * (after + before)
    return velocity, acceleration / STEP**2


@ALL
def test_starts_where_its_text_says(problem: Problem) -> None:
    assert problem.states([0.0])[0] == pytest.approx(problem.linkage.start, abs=2e-15)
    early = (problem.states([1e-6])[0] - problem.states([0.0])[0]) / 1e-6
    assert early == pytest.approx(problem.linkage.start_velocity, abs=5e-5)


@ALL
def test_keeps_its_lengths_and_lines(problem: Problem) -> None:
    positions = problem.states(np.linspace(0.0, problem.span, 1000))
    assert np.abs(problem.linkage.residuals(positions)).max() < 1e-14


@ALL
def test_keeps_its_energy(problem: Problem) -> None:
    times = quiet_times(problem)
    velocities, _ = derivatives(problem, times)
    energy = problem.linkage.energy(problem.states(times), velocities)
    start = problem.linkage.energy(problem.linkage.start, problem.linkage.start_velocity)
    scale = sum(problem.linkage.masses) * max(problem.linkage.gravity, 1.0)
    assert np.abs(energy - start).max() < 2e-9 * scale


# The levers have three links on one line: there the equations of index 1 do not contain the constraint.
@pytest.mark.parametrize("name", some((n for n in PROBLEMS if "lever" not in n), lambda name: name in SHORTER))
def test_obeys_newton_with_multipliers_from_a_pseudoinverse(name: str) -> None:
    problem = PROBLEMS[name]
    times = quiet_times(problem)
    if problem.name == "rhombus":
        times = times[times < 1.8535]  # flat links afterwards: nearly singular for good
    velocities, accelerations = derivatives(problem, times)
    expected = problem.linkage.accelerations(problem.states(times), velocities)
    assert np.abs(accelerations - expected).max() < 1e-7 * max(1.0, np.abs(expected).max())


# A minute each, and nothing of the program is in them: the others, a chain of two links among them, are held in make test.
LONG_CHAINS = ("chain_9", "chain_12", "chain_16")


@pytest.mark.parametrize(
    "problem",
    [
        pytest.param(problem, id=name, marks=[pytest.mark.long] if name in LONG_CHAINS else [])
        for name, problem in PROBLEMS.items()
    ],
)
def test_agrees_with_its_second_opinion(problem: Problem) -> None:
    assert SECOND_OPINIONS[problem.name] is not problem.states
    assert differences(problem)[-1] <= problem.error


@pytest.mark.parametrize("links", [2, 9, 16])
def test_three_right_hand_sides_of_a_chain(links: int) -> None:
    linkage = DOUBLE_PENDULUM if links == 2 else horizontal_chain(links)
    chain = Chain.of(linkage)
    random = np.random.default_rng(links)
    angles, rates = random.uniform(-3, 3, (7, links)), random.normal(size=(7, links))
    closed = chain.by_mass_matrix(angles, rates)
    by_jets = MinimalCoordinates(chain.geometry, linkage.masses, linkage.gravity).accelerations(angles, rates)
    assert chain.by_tensions(angles, rates) == pytest.approx(closed, rel=1e-10, abs=1e-10)
    assert by_jets == pytest.approx(closed, rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("links", some([2, 9, 12], lambda links: links < 12))
def test_scipy_converges_to_the_chain(links: int) -> None:
    from scipy.integrate import solve_ivp

    linkage = DOUBLE_PENDULUM if links == 2 else horizontal_chain(links)
    chain = Chain.of(linkage)
    start = np.concatenate([chain.start_angles(linkage), np.zeros(links)])

    def slope(_: float, state: np.ndarray) -> np.ndarray:
        angles, rates = state[:links], state[links:]
        return np.concatenate([rates, chain.by_mass_matrix(angles, rates)])

    wanted = chain_motion(linkage, linkage.stop)([5.0])[0][0]
    gaps = []
    for tolerance in (1e-7, 1e-10, 1e-13):
        found = solve_ivp(slope, (0.0, 5.0), start, method="DOP853", rtol=tolerance, atol=tolerance * 1e-2)
        gaps.append(np.abs(found.y[:links, -1] - wanted).max())
    assert gaps[0] > 50 * gaps[1] > 50**2 * gaps[2]
    assert gaps[2] < 1e-11


@pytest.mark.parametrize("name", ONE_FREEDOM)
def test_time_of_one_freedom_by_quadrature(name: str) -> None:
    """t = ∫ du √(G / 2(E − U)), with u = u₀ ± s² to tame the start at rest: no differential equation at all."""
    from scipy.integrate import quad

    linkage, _, start = ONE_FREEDOM[name]
    space = coordinates(name)
    total = linkage.energy(linkage.start, linkage.start_velocity)
    at = 1.5 if name == "rhombus" else 3.0
    place, speed = one_freedom_motion(name)([at])
    direction = np.sign(place[0, 0] - start)
    assert np.sign(speed[0, 0]) == direction  # still on the first way

    def integrand(s: float) -> float:
        u = np.array([[start + direction * s * s]])
        metric = space.velocities(u, np.ones_like(u))
        inertia = np.sum(np.sum(metric[0] ** 2, axis=1) * linkage.masses)
        free = total - linkage.energy(space.positions(u)[0], np.zeros_like(linkage.start))
        return float(2 * s * np.sqrt(inertia / (2 * free)))

    low = 1e-3  # below, E − U is lost in rounding; there the start of the motion itself tells the time
    end = np.sqrt(abs(place[0, 0] - start))
    first = time_at(name, start + direction * low * low)
    assert first + quad(integrand, low, end, epsabs=1e-12, epsrel=1e-12)[0] == pytest.approx(at, abs=1e-7)


def time_at(name: str, wanted: float) -> float:
    """When the first motion away from rest reaches a coordinate, by bisection."""
    start = ONE_FREEDOM[name][2]
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        here = one_freedom_motion(name)([middle])[0][0, 0]
        low, high = (middle, high) if abs(here - start) < abs(wanted - start) else (low, middle)
    return low


def test_slider_passes_its_fold_at_the_time_of_the_paper() -> None:
    x = PROBLEMS["slider_crank"].states([8.355, 8.365])[:, 1, 0]
    assert x[0] < 0 < x[1]


def test_rhombus_goes_flat_and_rebounds_without_its_top() -> None:
    states = PROBLEMS["rhombus"].states([1.84, 1.8535, 1.86, 2.4])
    arms, top = states[:, 0, 1], states[:, 2, 1]
    assert arms[0] > 0.01 and arms[2] < -0.005 and arms[3] < -1.0
    assert np.all(top > one_freedom.PIVOT) and top[3] < 1e-6  # the top rests on the pivot, and never falls through


def test_jacobi_functions_against_scipy() -> None:
    from scipy.special import ellipj, ellipk

    u = np.linspace(-9.0, 9.0, 200)
    for k in (0.1, np.sin(np.pi / 4), 0.95):
        other = np.sqrt(1 - k * k)
        for mine, theirs in zip(jacobi(u, k, other), ellipj(u, k * k)[:3], strict=True):
            assert mine == pytest.approx(theirs, abs=1e-13)
        assert quarter_period(k, other) == pytest.approx(ellipk(k * k), rel=1e-14)


def test_jets_differentiate() -> None:
    x = 0.7
    jet = sin(Jet(x, 1.0)) * sqrt(Jet(x, 1.0)) / (2.0 - cos(Jet(x, 1.0)))

    def f(t: float) -> float:
        return float(np.sin(t) * np.sqrt(t) / (2.0 - np.cos(t)))

    steps = range(1, 5)
    first = sum(w * (f(x + k * 1e-2) - f(x - k * 1e-2)) for k, w in zip(steps, FIRST, strict=True)) / 1e-2
    second = SECOND_MIDDLE * f(x) + sum(
        w * (f(x + k * 1e-2) + f(x - k * 1e-2)) for k, w in zip(steps, SECOND, strict=True)
    )
    assert (jet.a, jet.b, 2 * jet.c) == pytest.approx((f(x), first, second / 1e-4), rel=1e-9)


def test_collocation_on_a_motion_with_a_formula() -> None:
    motion = integrate(lambda u, w: -u, np.array([1.0, 0.0]), np.array([0.0, 1.0]), 20.0)
    times = np.linspace(0.0, 20.0, 333)
    place, speed = motion(times)
    assert place == pytest.approx(np.stack([np.cos(times), np.sin(times)], -1), abs=2e-14)
    assert speed == pytest.approx(np.stack([-np.sin(times), np.cos(times)], -1), abs=2e-14)
    with pytest.raises(ValueError, match="from 0 to 20 s"):
        motion([20.1])
