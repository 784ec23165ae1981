"""Claim 5: the energy corrector."""

from __future__ import annotations

import numpy as np

from chainlist.analyses.pendulum import exact_positions
from chainlist.kernels.bundles import Floats
from chainlist.labs.base import Claim, Diagram, DrawnCurve, Figure, Illustration, Judgement, Measured, Table, judged
from chainlist.labs.bench import first_time, largest, listing, motion, values
from chainlist.run.trajectory import Trajectory

LONG = (0.0, 500.0, 0.1)
INTEGRATORS = ("EULER", "HEUN", "MIDPOINT", "RK4")
APART = 0.5  # m, half the length: the picture shows another phase of the motion
FREE_CHAIN = """* Three bodies that fly freely
B1 (0,0) 1 IC_VEL=(1,0)
B2 (1,0) 1 IC_VEL=(1,0.5)
B3 (2,0) 1 IC_VEL=(1,-1)
C1 B1 B2
C2 B2 B3
.tran 0 100 0.1
.options gravity=0 DAESYSTEM=INDEX1_2_DAMPED
"""


def measure() -> Measured:
    on = {i: motion(listing(9), LONG, tiny=True, integrator=i, energycorrector="ON") for i in INTEGRATORS}
    plain = {i: motion(listing(9), LONG, tiny=True, integrator=i) for i in INTEGRATORS}
    off, fourth = plain["HEUN"], plain["RK4"]
    lost, lost_plain = _momentum_lost("HEUN", "ON"), _momentum_lost("HEUN", "OFF")
    errors = {i: _error(run) for i, run in on.items()}
    late = {i: first_time(run.t, errors[i] > APART) for i, run in on.items()}
    sooner = {i: first_time(run.t, _error(run) > APART) for i, run in plain.items()}
    drift = {i: largest(values(run, "PHI(C1)"), run.t) for i, run in on.items()}
    wrong = motion(listing(10), integrator="RK4", energycorrector="ON", tiny=True)
    right = motion(listing(10), integrator="RK4", daesystem="PROJECTED", tiny=True)
    figures = {
        "stop": Figure(LONG[1], "s"),
        "blowup": Figure(None if off.status.ok else off.status.time, "s", within=(100.0, 400.0)),
        "midpoint_drift": Figure(drift["MIDPOINT"], "m²", relative=0.05),
        "rk4_drift": Figure(drift["RK4"], "m²", relative=0.05),
        "euler_late": Figure(late["EULER"], "s", relative=0.1),
        "midpoint_late": Figure(late["MIDPOINT"], "s", relative=0.1),
        "heun_late": Figure(late["HEUN"], "s", relative=0.1),
        "euler_plain": Figure(sooner["EULER"], "s", relative=0.1),
        "midpoint_plain": Figure(sooner["MIDPOINT"], "s", relative=0.1),
        "heun_plain": Figure(sooner["HEUN"], "s", relative=0.1),
        "rk4_off": Figure(float(errors["RK4"].max()), "m", relative=0.1, digits=2),
        "rk4_plain": Figure(float(_error(fourth).max()), "m", relative=0.1, digits=2),
        "momentum": Figure(100 * lost, "%", relative=0.1, digits=2),
        "momentum_rk4": Figure(100 * _momentum_lost("RK4", "ON"), "%", relative=0.1, digits=2),
        "momentum_plain": Figure(100 * lost_plain, "%", within=(0.0, 1e-11), digits=2),
        "kept": Figure(float(wrong.energy[-1]), "J", relative=0.01),
        "meant": Figure(float(right.energy[-1]), "J", relative=0.01),
    }
    parts = (
        Judgement(
            "The corrector gives perpetual motion.",
            judged(all(run.status.ok for run in on.values()) and not off.status.ok),
            "All four methods, Euler too, run for {stop} with the energy they started with; without the corrector Heun "
            "runs away at {blowup}.",
        ),
        Judgement(
            "There is no noticeable drift of the constraint.",
            judged(max(drift.values()) < 0.05),
            "|Φ| never exceeds {midpoint_drift} with midpoint and {rk4_drift} with RK4: nothing that the eye would see. With Euler and "
            "Heun it is about twice as large as with midpoint.",
        ),
        Judgement(
            "It has weaknesses: a kept energy does not make the motion right.",
            judged(late["EULER"] is not None and late["MIDPOINT"] is not None),
            "The pendulum is half a length from where it should be after {euler_late} (Euler) or {midpoint_late} "
            "(midpoint), while its energy is right to a millionth of a joule. It depends on the method: corrected RK4 stays within "
            "{rk4_off} for all of the {stop}; without the corrector RK4 gets {rk4_plain} off.",
            ours=True,
        ),
        Judgement(
            "It changes what was right: a chain that flies freely loses momentum.",
            judged(lost > 1e-3 > lost_plain),
            "With Heun and the corrector the total momentum of three linked bodies changes by {momentum} within 100 s, "
            "with RK4 by {momentum_rk4}; without it by {momentum_plain}.",
            ours=True,
        ),
        Judgement(
            "It keeps whatever energy it is given.",
            judged(abs(wrong.energy[-1] - right.energy[-1]) > 0.01),
            "The start of claim 4, which does not fit, keeps {kept}, where a pendulum on the circle would have {meant}.",
            ours=True,
        ),
    )
    rows = tuple(
        (
            i,
            Figure(drift[i], "m²", relative=0.05),
            Figure(run.report.predictor_energy_error if run.report else None, "J", relative=0.2),
            Figure(run.report.energy_error if run.report else None, "J", within=(0.0, 1e-6), brief=True),
            Figure(late[i], "s", relative=0.1),
            Figure(sooner[i], "s", relative=0.1),
        )
        for i, run in on.items()
    )
    table = Table(
        "Pendulum from the top, system (10), 0.1 s steps, 500 s, corrector on",
        (
            "integrator",
            "largest Φ",
            "energy error of one step, before",
            "energy error, after",
            "half a length off at",
            "without the corrector at",
        ),
        rows,
    )
    return Measured(figures, (table,), parts, {"phase": _drawing(on, off, errors)})


def _momentum_lost(integrator: str, corrector: str) -> float:
    """The largest change of the total momentum of the free chain, relative to the momentum."""
    run = motion(FREE_CHAIN, tiny=True, integrator=integrator, energycorrector=corrector)
    assert run.v is not None
    momentum = run.v.sum(axis=1)  # masses of 1 kg
    return float(np.linalg.norm(momentum - momentum[0], axis=1).max() / np.linalg.norm(momentum[0]))


def _error(run: Trajectory) -> Floats:
    """Distance from the exact pendulum [m]."""
    return np.asarray(np.linalg.norm(run.q - exact_positions(run.mechanism, run.t), axis=2)[:, 0])


def _drawing(on: dict[str, Trajectory], off: Trajectory, errors: dict[str, Floats]) -> Illustration:
    energy = tuple(DrawnCurve(run.t, run.energy, f"{i}, on") for i, run in on.items() if i in ("HEUN", "MIDPOINT"))
    phase = tuple(DrawnCurve(on[i].t, errors[i], f"{i}, on") for i in ("MIDPOINT", "RK4"))
    return Illustration(
        "Above: the energy with the corrector, and without it. Below: how far the corrected pendulum is from the exact "
        "one. The energy is kept; the motion is as good as the method.",
        (
            Diagram(
                (*energy, DrawnCurve(off.t, off.energy, "HEUN, off", dashed=True)), "energy [J]", limits=(0.8, 3.0)
            ),
            Diagram(phase, "distance [m]"),
        ),
    )


CLAIM = Claim(
    number=5,
    title="The energy corrector",
    words="""
After each step of system (10) all velocities are multiplied by one factor, so that the total energy is again what it was
at the start. This gives perpetual animations with no noticeable drift of the constraints. Students are asked to point out
its weaknesses.
""",
    settings="""
We run listing 09 with `ENERGYCORRECTOR=ON` for 500 s in steps of 0.1 s, with all four integrators of the paper, and
the same without the corrector. Further runs have the start of listing 10, which does not fit, and three linked
bodies without gravity. The exact motion is given by elliptic functions.
""",
    measure=measure,
    lesson="""
Energy is one number; the state of a mechanism has many. The corrector repairs this one. Where the error of the energy
is what spoils the motion, that helps: corrected RK4 keeps pace with the pendulum for the whole run. With Heun and midpoint
it only puts the error of the phase off: they are half a length wrong after {heun_late} and {midpoint_late}, in place of
{heun_plain} and {midpoint_plain}. With Euler it helps nothing ({euler_late} and {euler_plain}). And it spoils what was right:
every method here keeps the momentum of a free chain to the last digit, until one factor scales
all velocities alike. It also hides errors that ought to be seen: a run that gains or loses energy is telling its
reader that the step is too long. Where T is small, the factor is a quotient of two small numbers, which is why it
needs a guard.
""",
    listings=("09-pendulum-damped.chain", "10-inconsistent-ics.chain"),
)
