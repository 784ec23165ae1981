"""`.lyap` against exponents that are known, or computed from other equations."""

import math

import numpy as np
import pytest

import chainlist
from chainlist.analyses.lyapunov import lyapunov
from chainlist.run.grid import RunRefused


def test_a_damped_oscillator_has_its_decay_rate_twice():
    text = "* Damped\nB1 (1,0) 2\nS1 B1 LINE(0,1,0)\nK1 B1 (0,0) 50 L0=0.5 DAMP=4\n.tran 0 20 1ms\n"
    found = lyapunov(text, 2)
    assert found.exponents == pytest.approx([-1.0, -1.0], abs=3e-2)
    assert found.exponents.sum() == pytest.approx(-2.0, rel=1e-6)  # whatever turns, areas shrink with c/m


def test_a_pendulum_that_swings_is_not_chaotic():
    found = lyapunov("* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.options gravity=9.81\n.tran 0 200 5ms\n", 2)
    assert np.abs(found.exponents).max() < 0.05


def reference(seconds, h=5e-3, g=9.81, seed=5):
    """Largest exponent of the double pendulum from both angles at 90°, in angles: tangents by the Jacobian of the equations."""

    def rates(s):
        a, b, u, w = s
        sine, cosine = np.sin(a - b), np.cos(a - b)
        one, two = -sine * w * w - 2 * g * np.sin(a), sine * u * u - g * np.sin(b)
        determinant = 2 - cosine**2  # of the masses ((2, cosine), (cosine, 1))
        return np.array([u, w, (one - cosine * two) / determinant, (2 * two - cosine * one) / determinant])

    def jacobian(s):
        e = 1e-6
        ahead, behind = rates(s[:, None] + e * np.eye(4)), rates(s[:, None] - e * np.eye(4))
        return (ahead - behind) / (2 * e)

    s, d = np.array([math.pi / 2, math.pi / 2, 0.0, 0.0]), np.random.default_rng(seed).standard_normal(4)
    growth = []
    for _ in range(int(seconds / h)):
        k1, l1 = rates(s), jacobian(s) @ d
        k2, l2 = rates(s + h / 2 * k1), jacobian(s + h / 2 * k1) @ (d + h / 2 * l1)
        k3, l3 = rates(s + h / 2 * k2), jacobian(s + h / 2 * k2) @ (d + h / 2 * l2)
        k4, l4 = rates(s + h * k3), jacobian(s + h * k3) @ (d + h * l3)
        s, d = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), d + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
        growth.append(math.log(np.linalg.norm(d)))
        d /= np.linalg.norm(d)
    parts = np.array([part.mean() for part in np.array_split(growth[len(growth) // 10 :], 16)]) / h
    return parts.mean(), parts.std(ddof=1) / 4


@pytest.mark.long
def test_the_double_pendulum_agrees_with_the_variational_equations_in_angles():
    text = "* Double\nB1 (1,0) 1\nB2 (2,0) 1\nC1 B1 (0,0)\nC2 B1 B2\n.options gravity=9.81\n.tran 0 300 2ms\n"
    found = lyapunov(text, 4)
    want, error = reference(60.0)
    assert abs(found.exponents[0] - want) < 3 * math.hypot(found.errors[0], error)
    assert found.exponents[0] > 10 * found.errors[0]
    # of a machine that keeps its energy, exponents come in pairs ±, and two are 0
    assert found.exponents.sum() == pytest.approx(0.0, abs=1e-2)
    assert found.exponents[0] + found.exponents[3] == pytest.approx(0.0, abs=2e-2)


# C. Hendrick, "Chaos and analytic non-integrability of the classical double pendulum: a computer-assisted proof" (preprint,
# 2026, not peer reviewed): at the energy of both rods at rest and horizontal, with m = l = g = 1, a periodic orbit through
# θ1 = θ2 = 0. What interval arithmetic encloses of it: the momentum p2 there, the period, and the trace of the return map.
MOMENTUM = (-1.4623730924803009, -1.4623730924794167)
PERIOD = (2.9534890074349835, 2.9534890133549041)
TRACE = (-3.8086824279981935, -3.8086303088277877)


def test_a_periodic_orbit_of_the_double_pendulum_has_its_published_exponent():
    # the determinant of the return map is 1: its larger multiplier, and the exponent of the orbit
    published = [math.log(0.5 * (math.sqrt(trace**2 - 4) - trace)) / np.mean(PERIOD) for trace in TRACE]
    p2, period, periods, steps = float(np.mean(MOMENTUM)), float(np.mean(PERIOD)), 8, 560
    speed = math.sqrt(6 - p2**2)  # of the first rod, by the energy
    found = lyapunov(
        f"* Orbit\nB1 (0,-1) 1 IC_VEL=({speed!r},0)\nB2 (0,-2) 1 IC_VEL=({p2!r},0)\nC1 B1 (0,0)\nC2 B2 B1\n"
        f".options gravity=1\n.tran 0 {periods * period!r} {period / steps!r}\n"
    )
    assert abs(found.exponents[0] - np.mean(published)) < found.errors[0]
    # The growth over whole periods nears it by alternating powers of the multiplier, until the motion leaves the orbit.
    pieces = round(period / found.t[0])
    assert pieces * found.t[0] == pytest.approx(period, rel=1e-12)
    a, b, c = found.growth[:, 0].reshape(periods, pieces).mean(axis=1)[-3:]
    limit = c - (c - b) ** 2 / (c - 2 * b + a)  # Aitken
    assert limit == pytest.approx(np.mean(published), abs=5e-5)
    assert abs(published[0] - published[1]) < 6e-6  # what is published is known much better


def test_more_exponents_than_freedoms_are_refused():
    with pytest.raises(RunRefused, match="fewer than 3"):
        lyapunov("* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 5 5ms\n", 3)
    with pytest.raises(RunRefused, match="at least"):
        lyapunov("* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 5 1\n")


def test_in_a_report():
    from chainlist.analyses.base import run_analyses

    mechanism = chainlist.parse("* P\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 5 5ms\n.plot X(B1)\n.lyap\n")
    (finding,) = run_analyses(mechanism, None)
    assert finding.result.figures()[0][0] == "Lyapunov exponent"
    (chart,) = finding.result.pictures()
    assert chart.series[0].y[-1] == pytest.approx(finding.result.growth.mean())
