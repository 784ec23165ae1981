"""What an integrator must provide, the explicit Runge–Kutta step that all tableaus share, and the table.

A Runge–Kutta method is a tableau and a docstring: see `heun.py`. A method with its own step is a kernel
`advance(s, w, t, h, q, v)`: from q and v, with their derivatives in w.kq[0] and w.kv[0], to the new state in w.qn and
w.vn, leaving q and v as they are. It may call `rhs(s, w, t, q, v, qd, vd, 0.0)`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from chainlist.kernels.bundles import System, Work
from chainlist.kernels.slots import DIM, STAGES, A, B, C, rhs


@dataclass(frozen=True, eq=False)
class Integrator:
    name: str  # INTEGRATOR=<name>
    order: int  # checked by a test
    meaning: str  # one line
    advance: Callable[..., Any]
    stages: int = 1  # how many pairs of derivatives the step keeps in w.kq, w.kv
    constants: dict[str, Any] = field(default_factory=dict)
    last_at_end: bool = False  # the last stage stands at the end of the step (its c is 1)
    adaptive: bool = False
    estimate: Callable[..., Any] | None = None  # of an adaptive one: kernel (s, w, h) -> scaled error
    more_stages: Callable[..., Any] | None = None  # kernel (s, w, t, h, q, v): further stages for dense output
    interpolate: Callable[..., Any] | None = None  # kernel (w, h, theta, q, v): dense output into w.qt, w.vt
    dense_stages: int = 0  # further stages that the dense output needs
    # Of a fixed step: h·(decay rate) and h·(frequency) up to which it is stable. Methods that grow slowly on every
    # undamped oscillation count as stable up to where they blow up at once.
    stable: tuple[float, float] = (math.inf, math.inf)
    implicit: bool = False  # its step is not bound by stiff springs and dampers: goes with PROJECTED and AUTO only
    holds_constraints: bool = False  # it keeps Φ = 0 by itself: goes with PROJECTED and AUTO only
    substep: Callable[..., Any] | None = None  # of a composition: the part that is composed


REGISTRY: dict[str, Integrator] = {}


def register(method: Integrator) -> Integrator:
    if method.name in REGISTRY:
        raise ValueError(f"INTEGRATOR {method.name} is taken")
    for what, number in (("order", method.order), ("stages", method.stages)):
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise ValueError(f"INTEGRATOR {method.name}: {what} is a whole number from 1 on, not {number!r}")
    REGISTRY[method.name] = method
    return method


def tableau(a: Sequence[Sequence[float]], b: Sequence[float], size: int = 0) -> dict[str, Any]:
    """Constants of the Runge–Kutta kernel: the rows of `a` one after the other, the weights, the times of the stages."""
    stages = len(b)
    width = max(size, stages)
    flat = [float(line[c]) if c < len(line) else 0.0 for line in a for c in range(width)]
    return {
        "A": tuple(flat),
        "B": tuple(float(x) for x in b),
        "C": tuple(float(sum(line)) for line in a),
        "STAGES": stages,
    }


def runge_kutta(
    name: str,
    *,
    order: int,
    meaning: str,
    a: Sequence[Sequence[float]],
    b: Sequence[float],
    stable: tuple[float, float] = (2.0, 2.0),
) -> Integrator:
    """Register an explicit Runge–Kutta method from its Butcher tableau, which must be of the order that it says."""
    constants = tableau(a, b)
    _check_order(name, order, constants)
    at_end = len(b) > 1 and abs(constants["C"][-1] - 1.0) < 1e-12
    return register(
        Integrator(
            name,
            order,
            meaning,
            explicit_step,
            stages=len(b),
            constants=constants,
            last_at_end=at_end,
            stable=stable,
        )
    )


def _check_order(name: str, order: int, constants: dict[str, Any]) -> None:
    """Raise `ValueError` where a tableau is not explicit, or fails a condition of its order (up to 4)."""
    if not constants["STAGES"]:
        raise ValueError(f"{name}: b holds no weights")
    n, b, c = constants["STAGES"], constants["B"], constants["C"]
    a = [constants["A"][m * n : (m + 1) * n] for m in range(n)]
    if len(c) != n or any(a[m][r] != 0.0 for m in range(n) for r in range(m, n)):
        raise ValueError(
            f"{name}: an explicit method of {n} weights has {n} rows of a, and stages before their own in each"
        )
    if not all(map(math.isfinite, (*constants["A"], *b))):
        raise ValueError(f"{name}: a and b hold what is no number")
    inner = [sum(a[m][r] * c[r] for r in range(n)) for m in range(n)]
    squares = [sum(a[m][r] * c[r] ** 2 for r in range(n)) for m in range(n)]
    twice = [sum(a[m][r] * inner[r] for r in range(n)) for m in range(n)]
    conditions = [  # (order, what, value, must be)
        (1, "the weights b sum to", sum(b), 1.0),
        (2, "Σ b c is", sum(b[m] * c[m] for m in range(n)), 1 / 2),
        (3, "Σ b c² is", sum(b[m] * c[m] ** 2 for m in range(n)), 1 / 3),
        (3, "Σ b a c is", sum(b[m] * inner[m] for m in range(n)), 1 / 6),
        (4, "Σ b c³ is", sum(b[m] * c[m] ** 3 for m in range(n)), 1 / 4),
        (4, "Σ b c a c is", sum(b[m] * c[m] * inner[m] for m in range(n)), 1 / 8),
        (4, "Σ b a c² is", sum(b[m] * squares[m] for m in range(n)), 1 / 12),
        (4, "Σ b a a c is", sum(b[m] * twice[m] for m in range(n)), 1 / 24),
    ]
    for needed, what, value, wanted in conditions:
        if needed <= order and abs(value - wanted) > 1e-9:
            raise ValueError(f"{name}: {what} {value:.6g}, and must be {wanted:.6g} for order {order}")


def explicit_step(s: System, w: Work, t, h, q, v):  # type: ignore[no-untyped-def]
    kq, kv, qt, vt, qn, vn = w.kq, w.kv, w.qt, w.vt, w.qn, w.vn
    n = q.shape[0]
    for m in range(1, STAGES):
        fresh = True
        for r in range(m):
            a = h * A[m * STAGES + r]
            if a != 0.0:
                if fresh:
                    for i in range(n):
                        for c in range(DIM):
                            qt[i, c] = q[i, c] + a * kq[r, i, c]
                            vt[i, c] = v[i, c] + a * kv[r, i, c]
                    fresh = False
                else:
                    for i in range(n):
                        for c in range(DIM):
                            qt[i, c] += a * kq[r, i, c]
                            vt[i, c] += a * kv[r, i, c]
        rhs(s, w, t + C[m] * h, qt, vt, kq[m], kv[m], 0.0)
    for i in range(n):
        for c in range(DIM):
            dq = 0.0
            dv = 0.0
            for r in range(STAGES):
                dq += B[r] * kq[r, i, c]
                dv += B[r] * kv[r, i, c]
            qn[i, c] = q[i, c] + h * dq
            vn[i, c] = v[i, c] + h * dv
