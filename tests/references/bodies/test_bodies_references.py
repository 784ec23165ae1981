"""The references of rigid bodies against what is published and against each other: nothing here runs the program."""

import math
import re

import numpy as np
import pytest

from tests.references.bodies import andrews, cranks, skates, swings
from tests.references.bodies.problem import BodyProblem, ByHand, Lagrange
from tests.references.bodies.table import BODIES

ALL = pytest.mark.parametrize("problem", BODIES.values(), ids=BODIES.keys())
POINT = re.compile(r"^(B\d+) \(([^)]*)\) \S+(?: IC_VEL=\(([^)]*)\))?$", re.MULTILINE)
LAGRANGE = {name: p.known for name, p in BODIES.items() if isinstance(p.known, Lagrange)}
INTEGRATED = LAGRANGE | {name: p.known for name, p in BODIES.items() if isinstance(p.known, ByHand)}


@ALL
def test_starts_where_its_text_says(problem: BodyProblem) -> None:
    found = problem.known([0.0])
    points = POINT.findall(problem.text)
    assert points
    for name, place, speed in points:
        for letter, value in zip("XYZ", place.split(","), strict=False):
            assert float(value) == pytest.approx(found[f"{letter}({name})"][0], abs=3e-15)
        for letter, value in zip("XYZ", speed.split(",") if speed else (), strict=False):
            assert float(value) == pytest.approx(found[f"V{letter}({name})"][0], abs=3e-15)
    assert f".tran 0 {problem.span!r} " in problem.text


@ALL
def test_rates_are_those_of_the_places(problem: BodyProblem) -> None:
    """By differences over a short time, of order four."""
    step, middle = 1e-4 * problem.span, np.linspace(0.1, 0.9, 9) * problem.span
    if problem.span < 1 or "top" in problem.name:
        step /= 10
    parts = [problem.known(middle + k * step) for k in (-2, -1, 1, 2)]
    rates = problem.known(middle)
    for name in rates:
        if name.startswith(("V", "OMEGA")):
            item = name[1:] if name.startswith("V") else name.replace("OMEGA", "ANGLE")
            a, b, c, d = (part[item] for part in parts)
            found = (a - 8 * b + 8 * c - d) / (12 * step)
            assert found == pytest.approx(rates[name], abs=1e-6 * max(1.0, np.abs(rates[name]).max()))


@pytest.mark.parametrize("name", LAGRANGE)
def test_energy_is_the_work_done(name: str) -> None:
    """T + U changes by what dampers and torques do, which is integrated here by Gauss over short pieces."""
    known, stop = LAGRANGE[name], BODIES[name].span
    edges = np.linspace(0.0, stop, 201)
    nodes, weights = np.polynomial.legendre.leggauss(8)
    half = 0.5 * np.diff(edges)
    power = known.power((edges[:-1, None] + half[:, None] * (nodes + 1)).ravel()).reshape(200, 8)
    done = np.concatenate([[0.0], np.cumsum(half * (power @ weights))])
    energy = known.energy(edges)
    assert energy - energy[0] == pytest.approx(done, abs=1e-12 * max(1.0, np.abs(energy).max()))


@pytest.mark.parametrize("name", INTEGRATED)
def test_scipy_arrives_at_the_same_place(name: str) -> None:
    """Another integrator, on the same coordinates."""
    from scipy.integrate import solve_ivp

    known = INTEGRATED[name]
    inner = known.by_hand if isinstance(known, Lagrange) else known
    freedoms, stop = len(inner.start), inner.stop / 4  # jets are slow one by one

    def slope(t: float, state: np.ndarray) -> np.ndarray:
        return np.concatenate([state[freedoms:], np.ravel(inner.acceleration(np.array([t]), *state[:, None]))])

    start = [*inner.start, *inner.rates]
    found = solve_ivp(slope, (0.0, stop), start, method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    wanted = np.ravel(inner.coordinates([stop])[:2])
    assert found == pytest.approx(wanted, rel=3e-11, abs=1e-10)


def test_andrews_as_published() -> None:
    """Fourteen numbers of the test set. It has nine digits of β and eight of its rate: in extended precision, with pieces of
    another length, the minimal coordinate arrives where it does here to thirteen."""
    (beta,), (rate,), _ = andrews.KNOWN.by_hand.coordinates([andrews.STOP])
    turned = andrews.published_angles(beta[0])
    for mine, published in zip(turned, andrews.PUBLISHED[0], strict=True):
        assert math.remainder(mine - published, 2 * math.pi) == pytest.approx(0.0, abs=2e-9)
    assert rate[0] == pytest.approx(andrews.PUBLISHED[1][0], abs=2e-7)
    known = andrews.KNOWN([andrews.STOP])
    for body, index in (("R3", 2), ("R5", 4), ("R7", 6)):
        assert known[f"OMEGA({body})"][0] == pytest.approx(andrews.PUBLISHED[1][index], abs=1e-6)


def test_andrews_starts_as_published() -> None:
    wanted = (andrews.BETA, 0.0, 0.455279819163070380, 0.222668390165885884, 0.487364979543842550)
    assert andrews.published_angles(andrews.BETA)[:5] == pytest.approx(wanted, abs=1e-15)
    acceleration = andrews.KNOWN.acceleration(np.zeros(1), np.array([andrews.BETA]), np.zeros(1))
    assert acceleration[0][0] == pytest.approx(14222.4439199541138, rel=1e-12)


def test_slider_crank_as_printed() -> None:
    known = cranks.SUNDIALS_KNOWN(list(cranks.PRINTED))
    for i, (crank, slider, rod) in enumerate(cranks.PRINTED.values()):
        found = (known["ANGLE(R1)"][i], known["X(B2)"][i], known["ANGLE(R2)"][i])
        assert found == pytest.approx((crank, slider, rod), abs=8e-5)


def test_periods_of_compound_pendulums() -> None:
    """T = 4 K(sin γ₀/2) / ω₀ by SciPy's elliptic integral; after it the pendulum is back."""
    from scipy.special import ellipk

    for name in ("compound_rod", "compound_plate", "compound_disk"):
        known = BODIES[name].known
        assert isinstance(known, swings.Turning)
        period = 4 * ellipk(math.sin(known.widest / 2) ** 2) / math.sqrt(known.stiffness)
        assert known([period])["ANGLE(R1)"] == pytest.approx(0.0, abs=1e-13)
        assert known([period / 2])["ANGLE(R1)"] == pytest.approx(-2 * known.widest, abs=1e-12)


def test_pendulum_equation_of_the_four_bars() -> None:
    """ψ̈ = ω₀² sin ψ from the top, by differences of the rate; and the energy."""
    known = BODIES["four_bars_2"].known
    assert isinstance(known, swings.Turning)
    times = np.linspace(0.1, 9.9, 50)
    angle, rate = known.angle(times)
    slope = (known.angle(times + 1e-5)[1] - known.angle(times - 1e-5)[1]) / 2e-5
    assert slope == pytest.approx(known.stiffness * np.sin(angle), abs=1e-7)
    assert 0.5 * rate**2 + known.stiffness * np.cos(angle) == pytest.approx(0.5 + known.stiffness, rel=1e-14)


def test_sleigh_by_closed_formulas() -> None:
    times = np.linspace(0.0, skates.STOP, 40)
    known = skates.SLEIGH_KNOWN(times)
    go, turn = skates.sleigh_speeds(times)
    assert known["OMEGA(R1)"] == pytest.approx(turn, abs=1e-13)
    heading = known["ANGLE(R1)"]
    assert known["VX(B1)"] == pytest.approx(go * np.cos(heading), abs=1e-13)
    assert known["VY(B1)"] == pytest.approx(go * np.sin(heading), abs=1e-13)
