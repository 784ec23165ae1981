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
        d = a - b
        M = np.array([[2.0, math.cos(d)], [math.cos(d), 1.0]])
        f = np.array([-math.sin(d) * w * w - 2 * g * math.sin(a), math.sin(d) * u * u - g * math.sin(b)])
        return np.array([u, w, *np.linalg.solve(M, f)])

    def jacobian(s):
        e = 1e-6
        return np.stack([(rates(s + e * k) - rates(s - e * k)) / (2 * e) for k in np.eye(4)], axis=1)

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


def test_the_double_pendulum_agrees_with_the_variational_equations_in_angles():
    text = "* Double\nB1 (1,0) 1\nB2 (2,0) 1\nC1 B1 (0,0)\nC2 B1 B2\n.options gravity=9.81\n.tran 0 300 2ms\n"
    found = lyapunov(text, 4)
    want, error = reference(60.0)
    assert abs(found.exponents[0] - want) < 3 * math.hypot(found.errors[0], error)
    assert found.exponents[0] > 10 * found.errors[0]
    # of a machine that keeps its energy, exponents come in pairs ±, and two are 0
    assert found.exponents.sum() == pytest.approx(0.0, abs=1e-2)
    assert found.exponents[0] + found.exponents[3] == pytest.approx(0.0, abs=2e-2)


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
