"""DOP853: Dormand and Prince's method of eighth order, with an error estimate from its fifth and third; adaptive.

Coefficients and the dense output of seventh order are those of Hairer, Nørsett, Wanner, "Solving Ordinary Differential
Equations I", sections II.5 and II.6, as printed in their program DOP853.
"""

from __future__ import annotations

import math

from chainlist.integrators.base import Integrator, explicit_step, register, tableau
from chainlist.kernels.bundles import System, Work
from chainlist.kernels.slots import C_MORE, DENSE, DIM, ERRORS, MORE, STAGES, rhs

# fmt: off
_A: list[list[float]] = [
    [],
    [0.05260015195876773],
    [0.0197250569845379, 0.0591751709536137],
    [0.02958758547680685, 0, 0.08876275643042054],
    [0.2413651341592667, 0, -0.8845494793282861, 0.924834003261792],
    [0.037037037037037035, 0, 0, 0.17082860872947386, 0.12546768756682242],
    [0.037109375, 0, 0, 0.17025221101954405, 0.06021653898045596, -0.017578125],
    [
        0.03709200011850479, 0, 0, 0.17038392571223998, 0.10726203044637328, -0.015319437748624402,
        0.008273789163814023,
    ],
    [
        0.6241109587160757, 0, 0, -3.3608926294469414, -0.868219346841726, 27.59209969944671, 20.154067550477894,
        -43.48988418106996,
    ],
    [
        0.47766253643826434, 0, 0, -2.4881146199716677, -0.590290826836843, 21.230051448181193, 15.279233632882423,
        -33.28821096898486, -0.020331201708508627,
    ],
    [
        -0.9371424300859873, 0, 0, 5.186372428844064, 1.0914373489967295, -8.149787010746927, -18.52006565999696,
        22.739487099350505, 2.4936055526796523, -3.0467644718982196,
    ],
    [
        2.273310147516538, 0, 0, -10.53449546673725, -2.0008720582248625, -17.9589318631188, 27.94888452941996,
        -2.8589982771350235, -8.87285693353063, 12.360567175794303, 0.6433927460157636,
    ],
]
_B = [
    0.054293734116568765, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003, -5.801203960010585, 0.3111643669578199,
    -0.1521609496625161, 0.20136540080403034, 0.04471061572777259,
]
_ERRORS = (  # of the fifth order, then of the third
    0.01312004499419488, 0.0, 0.0, 0.0, 0.0, -1.2251564463762044, -0.4957589496572502, 1.6643771824549864,
    -0.35032884874997366, 0.3341791187130175, 0.08192320648511571, -0.022355307863886294,
    -0.18980075407240762, 0.0, 0.0, 0.0, 0.0, 4.450312892752409, 1.8915178993145003, -5.801203960010585,
    -0.4226823213237919, -0.1521609496625161, 0.20136540080403034, 0.02265179219836082,
)
_MORE = (  # three further stages of dense output, each over the sixteen
    0.056167502283047954, 0.0, 0.0, 0.0, 0.0, 0.0, 0.25350021021662483, -0.2462390374708025, -0.12419142326381637,
    0.15329179827876568, 0.00820105229563469, 0.007567897660545699, -0.008298, 0.0, 0.0, 0.0,
    0.03183464816350214, 0.0, 0.0, 0.0, 0.0, 0.028300909672366776, 0.053541988307438566, -0.05492374857139099, 0.0,
    0.0, -0.00010834732869724932, 0.0003825710908356584, -0.00034046500868740456, 0.1413124436746325, 0.0, 0.0,
    -0.42889630158379194, 0.0, 0.0, 0.0, 0.0, -4.697621415361164, 7.683421196062599, 4.06898981839711,
    0.3567271874552811, 0.0, 0.0, 0.0, -0.0013990241651590145, 2.9475147891527724, -9.15095847217987, 0.0,
)
_C_MORE = (0.1, 0.2, 0.7777777777777778)
_DENSE = (  # four rows over the sixteen stages
    -8.428938276109013, 0.0, 0.0, 0.0, 0.0, 0.5667149535193777, -3.0689499459498917, 2.38466765651207,
    2.117034582445028, -0.871391583777973, 2.2404374302607883, 0.6315787787694688, -0.08899033645133331,
    18.148505520854727, -9.194632392478356, -4.436036387594894,
    10.427508642579134, 0.0, 0.0, 0.0, 0.0, 242.28349177525817, 165.20045171727028, -374.5467547226902,
    -22.113666853125306, 7.733432668472264, -30.674084731089398, -9.332130526430229, 15.697238121770845,
    -31.139403219565178, -9.35292435884448, 35.81684148639408,
    19.985053242002433, 0.0, 0.0, 0.0, 0.0, -387.0373087493518, -189.17813819516758, 527.8081592054236,
    -11.57390253995963, 6.8812326946963, -1.0006050966910838, 0.7777137798053443, -2.778205752353508,
    -60.19669523126412, 84.32040550667716, 11.99229113618279,
    -25.69393346270375, 0.0, 0.0, 0.0, 0.0, -154.18974869023643, -231.5293791760455, 357.6391179106141,
    93.40532418362432, -37.45832313645163, 104.0996495089623, 29.8402934266605, -43.53345659001114,
    96.32455395918828, -39.17726167561544, -149.72683625798564,
)
# fmt: on


def two_errors(s: System, w: Work, h):  # type: ignore[no-untyped-def]
    """The estimate of fifth order, made small by that of the third where both are: Hairer's combination."""
    qn, kq, kv = w.qn, w.kq, w.kv
    fifth = 0.0
    third = 0.0
    bodies = 0
    for i in range(qn.shape[0]):
        if s.inverse_mass[i] > 0.0:
            bodies += 1
            group = s.groups.of_point[i]
            scale_q = 1.0 / (s.abstol + s.reltol * s.groups.size[group])
            scale_v = 1.0 / (s.abstol + s.reltol * s.groups.speed[group])
            for c in range(DIM):
                q5 = 0.0
                v5 = 0.0
                q3 = 0.0
                v3 = 0.0
                for r in range(STAGES):
                    q5 += ERRORS[r] * kq[r, i, c]
                    v5 += ERRORS[r] * kv[r, i, c]
                    q3 += ERRORS[STAGES + r] * kq[r, i, c]
                    v3 += ERRORS[STAGES + r] * kv[r, i, c]
                fifth += q5 * q5 * scale_q * scale_q + v5 * v5 * scale_v * scale_v
                third += q3 * q3 * scale_q * scale_q + v3 * v3 * scale_v * scale_v
    if fifth == 0.0:
        return 0.0
    return h * fifth / math.sqrt((fifth + 0.01 * third) * (2 * DIM * bodies))


def dense_stages(s: System, w: Work, t, h, q, v):  # type: ignore[no-untyped-def]
    """The derivative where the step landed, and three further stages."""
    qt, vt, qdn, vdn, kq, kv = w.qt, w.vt, w.qdn, w.vdn, w.kq, w.kv
    for i in range(q.shape[0]):
        for c in range(DIM):
            kq[12, i, c] = qdn[i, c]
            kv[12, i, c] = vdn[i, c]
    for m in range(3):
        for i in range(q.shape[0]):
            for c in range(DIM):
                qt[i, c] = q[i, c]
                vt[i, c] = v[i, c]
        for r in range(13 + m):
            a = h * MORE[16 * m + r]
            for i in range(q.shape[0]):
                for c in range(DIM):
                    qt[i, c] += a * kq[r, i, c]
                    vt[i, c] += a * kv[r, i, c]
        rhs(s, w, t + C_MORE[m] * h, qt, vt, kq[13 + m], kv[13 + m], 0.0)


def interpolate(w: Work, h, theta, q, v):  # type: ignore[no-untyped-def]
    """y0 + θ(F0 + (1−θ)(F1 + θ(F2 + (1−θ)(F3 + θ(F4 + (1−θ)(F5 + θ F6))))))."""
    qt, vt, qn, vn, kq, kv = w.qt, w.vt, w.qn, w.vn, w.kq, w.kv
    rest = 1.0 - theta
    for i in range(q.shape[0]):
        for c in range(DIM):
            dq = qn[i, c] - q[i, c]
            dv = vn[i, c] - v[i, c]
            x = 0.0
            y = 0.0
            for back in range(4):
                n = 3 - back
                fq = 0.0
                fv = 0.0
                for r in range(16):
                    fq += DENSE[16 * n + r] * kq[r, i, c]
                    fv += DENSE[16 * n + r] * kv[r, i, c]
                f = theta if n % 2 == 1 else rest
                x = (x + h * fq) * f
                y = (y + h * fv) * f
            x = (x + 2.0 * dq - h * (kq[12, i, c] + kq[0, i, c])) * theta
            y = (y + 2.0 * dv - h * (kv[12, i, c] + kv[0, i, c])) * theta
            x = (x + h * kq[0, i, c] - dq) * rest
            y = (y + h * kv[0, i, c] - dv) * rest
            qt[i, c] = q[i, c] + (x + dq) * theta
            vt[i, c] = v[i, c] + (y + dv) * theta


register(
    Integrator(
        "DOP853",
        8,
        "Dormand and Prince, adaptive, eighth order",
        explicit_step,
        stages=12,
        constants={
            **tableau(_A, _B),
            "ERRORS": _ERRORS,
            "DENSE": _DENSE,
            "MORE": _MORE,
            "C_MORE": _C_MORE,
            "ORDER": 8.0,
        },
        last_at_end=True,
        adaptive=True,
        estimate=two_errors,
        more_stages=dense_stages,
        interpolate=interpolate,
        dense_stages=4,
    )
)
