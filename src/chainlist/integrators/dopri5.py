"""DOPRI5: Dormand and Prince's method of fifth order with an error estimate of fourth, adaptive; dense output of fourth.

The interpolant is the one of Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I", section II.6.
"""

from __future__ import annotations

import math

from chainlist.integrators.base import Integrator, explicit_step, register, tableau
from chainlist.kernels.bundles import System, Work
from chainlist.kernels.slots import DENSE, DIM, ERRORS, STAGES

_A = [
    [],
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
]
_ERRORS = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
_DENSE = (  # of each stage: the factors of θ, θ², θ³, θ⁴
    *(1.0, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432),
    *(0.0, 0.0, 0.0, 0.0),
    *(0.0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799),
    *(0.0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072),
    *(0.0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632),
    *(0.0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844),
    *(0.0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423),
)


def embedded_error(s: System, w: Work, h):  # type: ignore[no-untyped-def]
    """Root mean square of the difference of the two methods, in units of the tolerances."""
    qn, kq, kv = w.qn, w.kq, w.kv
    total = 0.0
    bodies = 0
    for i in range(qn.shape[0]):
        if s.inverse_mass[i] > 0.0:
            bodies += 1
            group = s.groups.of_point[i]
            scale_q = 1.0 / (s.abstol + s.reltol * s.groups.size[group])
            scale_v = 1.0 / (s.abstol + s.reltol * s.groups.speed[group])
            for c in range(DIM):
                e = 0.0
                f = 0.0
                for r in range(STAGES):
                    e += ERRORS[r] * kq[r, i, c]
                    f += ERRORS[r] * kv[r, i, c]
                e *= h * scale_q
                f *= h * scale_v
                total += e * e + f * f
    return math.sqrt(total / (2 * DIM * bodies))


def last_stage(s: System, w: Work, t, h, q, v):  # type: ignore[no-untyped-def]
    """Dense output takes the derivative where the step landed as its last stage."""
    qdn, vdn, kq, kv = w.qdn, w.vdn, w.kq, w.kv
    for i in range(q.shape[0]):
        for c in range(DIM):
            kq[STAGES - 1, i, c] = qdn[i, c]
            kv[STAGES - 1, i, c] = vdn[i, c]


def interpolate(w: Work, h, theta, q, v):  # type: ignore[no-untyped-def]
    qt, vt, kq, kv = w.qt, w.vt, w.kq, w.kv
    for i in range(q.shape[0]):
        for c in range(DIM):
            qt[i, c] = q[i, c]
            vt[i, c] = v[i, c]
    for r in range(STAGES):
        at = 4 * r
        f = h * theta * (DENSE[at] + theta * (DENSE[at + 1] + theta * (DENSE[at + 2] + theta * DENSE[at + 3])))
        for i in range(q.shape[0]):
            for c in range(DIM):
                qt[i, c] += f * kq[r, i, c]
                vt[i, c] += f * kv[r, i, c]


register(
    Integrator(
        "DOPRI5",
        5,
        "Dormand and Prince, adaptive, fifth order",
        explicit_step,
        stages=7,
        constants={**tableau(_A, [*_A[6], 0]), "ERRORS": _ERRORS, "DENSE": _DENSE, "ORDER": 5.0},
        last_at_end=True,
        adaptive=True,
        estimate=embedded_error,
        more_stages=last_stage,
        interpolate=interpolate,
    )
)
