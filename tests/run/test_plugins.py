"""A constraint, an integrator and a pseudoinverse written outside the package take part on equal terms, compiled."""

import dataclasses

import numpy as np
import pytest

from chainlist import elements, integrators, solvers
from chainlist.elements.base import ElementType, Reading, register
from chainlist.integrators import Integrator
from chainlist.kernels.slots import DIM
from chainlist.run.forces import forces_at
from chainlist.run.simulate import simulate
from chainlist.solvers import Solver
from tests.machines import machine


def ellipse(k, s, w, t, q, v):
    # Φ = (x/a)² + (y/b)² − 1
    i = s.point[k, 0]
    phi = -1.0
    b = 0.0
    for c in range(DIM):
        f = s.par[k, c]
        w.J[k, c] = 2.0 * f * q[i, c]
        phi += f * q[i, c] * q[i, c]
        b -= 2.0 * f * v[i, c] * v[i, c]
    w.phi[k] = phi
    w.b[k] = b


def semi_implicit(s, w, t, h, q, v):
    kv, qn, vn = w.kv, w.qn, w.vn
    for i in range(q.shape[0]):
        for c in range(DIM):
            vn[i, c] = v[i, c] + h * kv[0, i, c]
            qn[i, c] = q[i, c] + h * vn[i, c]


def schulz(B, X, spare, tol):
    """Newton's iteration X ← X (2 − B X), from Bᵀ/‖B‖²."""
    m, n = B.shape
    squares = 0.0
    for i in range(m):
        for j in range(n):
            squares += B[i, j] * B[i, j]
    for i in range(m):
        for j in range(n):
            X[j, i] = B[i, j] / squares
    for _ in range(60):
        for i in range(m):
            for k in range(m):
                total = 2.0 if i == k else 0.0
                for j in range(n):
                    total -= B[i, j] * X[j, k]
                spare[0, i, k] = total
        for j in range(n):
            for k in range(m):
                total = 0.0
                for i in range(m):
                    total += X[j, i] * spare[0, i, k]
                spare[1, j, k] = total
        for j in range(n):
            for k in range(m):
                X[j, k] = spare[1, j, k]
    return 0


@pytest.fixture
def plugins(monkeypatch):
    for registry in (elements.REGISTRY, integrators.REGISTRY, solvers.REGISTRY):
        for name in list(registry):
            monkeypatch.setitem(registry, name, registry[name])  # restores what is added below
    kind = ElementType(
        letter="E",
        name="ellipse",
        syntax="E<name> <body> ELLIPSE(<a>,<b>)",
        meaning="a bead on an elliptic wire",
        read=lambda card: Reading((card.body(),), card.numbers("ELLIPSE", "length", "length")),
        parameters=lambda values, points: (values[0] ** -2, values[1] ** -2),
        row=ellipse,
        ends=1,
    )
    monkeypatch.delitem(elements.REGISTRY, "E", raising=False)
    register(kind)
    method = Integrator("SEMI_IMPLICIT", 1, "the new velocity moves the position", semi_implicit)
    monkeypatch.setitem(integrators.REGISTRY, "SEMI_IMPLICIT", method)
    monkeypatch.setitem(solvers.REGISTRY, "SCHULZ", Solver("SCHULZ", "Newton's iteration", schulz))
    yield
    del elements.REGISTRY["E"]


def bead(**settings):
    """A bead without weight on an ellipse: its speed stays."""
    return machine({"B1": (2, 0)}, {"E1": ("B1", 2, 1)}, velocity={"B1": (0, 1.5)}, gravity=0.0, **settings)


def test_a_bead_on_an_ellipse_keeps_its_speed(plugins):
    trajectory = simulate(bead(tran=(0.0, 2.0, 1e-2)), target="python")
    assert trajectory.report.residual.value < 1e-14
    np.testing.assert_allclose(np.linalg.norm(trajectory.v[:, 0], axis=1), 1.5, atol=1e-7)
    assert np.abs(trajectory.q[:, 0]).max(axis=0) == pytest.approx((2.0, 1.0), abs=0.01)


def test_all_three_together_compiled_and_interpreted(plugins):
    mechanism = bead(tran=(0.0, 0.2, 1e-2), daesystem="INDEX1", integrator="SEMI_IMPLICIT", mpi_algo="SCHULZ")
    compiled, interpreted = simulate(mechanism), simulate(mechanism, target="python")
    assert compiled.status.ok
    np.testing.assert_array_equal(compiled.q, interpreted.q)
    exact = simulate(bead(tran=(0.0, 0.2, 1e-2)), target="python")
    np.testing.assert_allclose(compiled.q[-1], exact.q[-1], atol=3e-2)


def wide_ellipse(k, s, w, t, q, v):
    # (1 + x²) Φ: the same wire, by a row whose length changes in another way; derivatives as they are on the wire
    i = s.point[k, 0]
    f = 1.0 + q[i, 0] * q[i, 0]
    phi = -1.0
    b = 0.0
    for c in range(DIM):
        w.J[k, c] = 2.0 * f * s.par[k, c] * q[i, c]
        phi += s.par[k, c] * q[i, c] * q[i, c]
        b -= 2.0 * s.par[k, c] * v[i, c] * v[i, c]
    w.phi[k] = f * phi
    w.b[k] = f * b


def test_two_wires_share_a_force_evenly_wherever_the_bead_is(plugins, monkeypatch):
    wide = dataclasses.replace(elements.REGISTRY["E"], letter="F", row=wide_ellipse)
    monkeypatch.setitem(elements.REGISTRY, "F", wide)
    angle = np.linspace(0.0, 3.0, 7)[:, None]
    q = np.stack([2 * np.cos(angle), np.sin(angle)], axis=2)
    v = np.stack([-2 * np.sin(angle), np.cos(angle)], axis=2)
    for algorithm in ("AUTO", "SVD"):
        both = machine({"B1": (2, 0)}, {"E1": ("B1", 2, 1), "F1": ("B1", 2, 1)}, gravity=0.0, mpi_algo=algorithm)
        forces = forces_at(both, q, v)
        one, other = forces.tension.T
        np.testing.assert_allclose(one, other, rtol=1e-9)
        np.testing.assert_allclose(np.abs(one + other), np.linalg.norm(forces.acceleration[:, 0], axis=1), rtol=1e-9)
