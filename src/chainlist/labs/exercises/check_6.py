"""Check of exercise 6: an ellipse as a new type of constraint, written as a plug-in."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import numpy as np

from chainlist.compile.read import parse
from chainlist.elements import REGISTRY
from chainlist.kernels.bind import Workshop
from chainlist.kernels.bundles import Floats
from chainlist.labs.bench import motion
from chainlist.labs.exercises.finding import Mark
from chainlist.model.mechanism import Mechanism

A, B = 2.0, 1.0
BEAD = f"* Bead on an ellipse\nB1 ({A:g},0) 1\nE1 B1 ELLIPSE({A:g},{B:g})\n.tran 0 3 0.01\n.options gravity=1\n"


def check(solution: ModuleType) -> Iterator[Mark]:
    kind = REGISTRY.get("E")
    if kind is None:
        yield Mark(
            False, 'no type of constraint has the letter E: your file must call register(ElementType(letter="E", …))'
        )
        return
    yield Mark(True, f"the letter E is registered: {kind.meaning}")
    mechanism = parse(BEAD)
    yield Mark(True, "`E1 B1 ELLIPSE(2,1)` can be read")
    yield _zero_set(mechanism)
    derivatives = list(_derivatives(mechanism))
    yield from derivatives
    if kind.row is not None:
        yield _plain(kind.row)
    if all(finding.ok for finding in derivatives):
        yield from _bead(mechanism)


def _on(angle: float, size: float = 1.0) -> Floats:
    return np.array([[size * A * np.cos(angle), size * B * np.sin(angle)]])


def _phi(mechanism: Mechanism, q: Floats) -> float:
    return float(mechanism.equations(q, np.zeros_like(q)).phi[0])


def _zero_set(mechanism: Mechanism) -> Mark:
    on = max(abs(_phi(mechanism, _on(angle))) for angle in np.linspace(0.1, 6.0, 12))
    off = min(abs(_phi(mechanism, _on(angle, size))) for angle in np.linspace(0.1, 6.0, 12) for size in (0.8, 1.3))
    if on > 1e-12:
        return Mark(False, f"Φ is not zero on the ellipse (x/2)² + y² = 1: it is up to {on:.3g}")
    return Mark(
        off > 1e-3, "Φ is zero on the ellipse, and only there" if off > 1e-3 else "Φ is zero beside the ellipse too"
    )


def _derivatives(mechanism: Mechanism) -> Iterator[Mark]:
    """A and b against differences of Φ, at states on and off the ellipse."""
    random = np.random.default_rng(6)
    worst_a = worst_b = 0.0
    said_b = true_b = 0.0
    for _ in range(8):
        q, v = random.standard_normal((1, 2)), random.standard_normal((1, 2))
        at = mechanism.equations(q, v)
        h = 1e-5
        differences = [(_phi(mechanism, q + h * e) - _phi(mechanism, q - h * e)) / (2 * h) for e in np.eye(2)]
        worst_a = max(worst_a, float(np.abs(at.A[0] - differences).max()))
        h = 1e-3
        curvature = (_phi(mechanism, q + h * v) - 2 * _phi(mechanism, q) + _phi(mechanism, q - h * v)) / (h * h)
        if abs(at.b[0] + curvature) > worst_b:
            worst_b, said_b, true_b = abs(float(at.b[0]) + curvature), float(at.b[0]), -curvature
    yield Mark(
        worst_a < 1e-6,
        "A is the derivative of Φ" if worst_a < 1e-6 else f"w.J is off the derivative of Φ by up to {worst_a:.3g}",
    )
    sign = ": check its sign" if worst_b > 1e-4 and np.isclose(said_b, -true_b, rtol=1e-3) else ""
    yield Mark(
        worst_b < 1e-4,
        "b is −(A v)_q v" if worst_b < 1e-4 else f"w.b is {said_b:.4g} where −(A v)_q v is {true_b:.4g}{sign}",
    )


def _plain(row) -> Mark:  # type: ignore[no-untyped-def]
    try:
        Workshop("python").make(row)
    except TypeError as error:
        return Mark(False, f"the kernel could not be compiled: {error}. Use plain arithmetic and `math` only")
    return Mark(True, "the kernel uses plain arithmetic only, so it can be compiled")


def _bead(mechanism: Mechanism) -> Iterator[Mark]:
    run = motion(mechanism, tiny=True)
    if not run.status.ok:
        yield Mark(False, f"a bead on the ellipse breaks down: {run.status}")
        return
    off = float(np.abs(run.q[:, 0] - _exact(run.t)).max())
    yield Mark(off < 1e-6, f"a bead that slides on the ellipse for 3 s is {off:.2g} m off the exact motion")


def _exact(times: Floats) -> Floats:
    """The bead in its own coordinate: x = a cos φ, y = b sin φ, from Lagrange's equation."""
    from scipy.integrate import solve_ivp

    def slope(t: float, state: Floats) -> list[float]:
        s, c = np.sin(state[0]), np.cos(state[0])
        inertia = A * A * s * s + B * B * c * c
        return [state[1], (-(A * A - B * B) * s * c * state[1] ** 2 - B * c) / inertia]

    solution = solve_ivp(slope, (0.0, times[-1]), [0.0, 0.0], method="DOP853", rtol=1e-11, atol=1e-12, t_eval=times)
    return np.stack([A * np.cos(solution.y[0]), B * np.sin(solution.y[0])], axis=-1)
