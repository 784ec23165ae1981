"""Claim 6: the trace of the chain of 9 links, and its blow-up to NaN."""

from __future__ import annotations

import numpy as np

from chainlist.labs.base import Claim, Diagram, DrawnCurve, Figure, Illustration, Judgement, Measured, Table, judged
from chainlist.labs.bench import distance, first_time, listing, motion
from chainlist.output.number_format import number_format
from chainlist.run.trajectory import Trajectory

FAR = 0.05  # m: a quarter of a link
TOLERANCES = (1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9)
WRONG_WITHIN = (1.5, 10.0)


def measure() -> Measured:
    text = listing(11)
    true = motion(text, daesystem="PROJECTED", integrator="RK4", mpi_algo="AUTO", mpitol=None, energycorrector="OFF")
    runs = {
        (corrector, tol): motion(text, mpitol=tol, energycorrector=corrector, breakdown="GO")
        for corrector in ("ON", "OFF")
        for tol in TOLERANCES
    }
    listed, plain = runs["ON", 1e-11], runs["OFF", 1e-11]
    write = number_format("0.###E0")
    heights = [{write.text(float(y)) for y in listed.q[sample, :, 1]} for sample in (1, 2)]
    spoiled = _spoiled(listed, true)
    nan = first_time(plain.t, ~np.isfinite(plain.q).all(axis=(1, 2)))
    sizes = np.abs(plain.q[np.isfinite(plain.q)])
    report = listed.report
    figures = {
        "row1": Figure(float(listed.q[1, 0, 1]), "m"),
        "row2": Figure(float(listed.q[2, 0, 1]), "m"),
        "wrong": Figure(spoiled, "s", within=WRONG_WITHIN),
        "hidden": Figure(report.predictor_energy_error if report else None, "J", within=(1.0, 1e300)),
        "broke": Figure(None if plain.status.ok else plain.status.time, "s", within=WRONG_WITHIN),
        "nan": Figure(nan, "s", within=WRONG_WITHIN),
        "largest": Figure(float(sizes.max()), "m", within=(1e20, 1e308)),
        "survives": Figure(float(sum(_spoiled(runs["OFF", tol], true) is None for tol in (1e-14, 1e-13)))),
    }
    parts = (
        Judgement(
            "The first rows of the trace.",
            judged(heights == [{"-5E-7"}, {"-2E-6"}]),
            "All nine bodies are at y = {row1} after one step and at {row2} after two, as printed.",
        ),
        Judgement(
            "The run goes wrong.",
            judged(spoiled is not None),
            "With all settings of the listing, bodies are 5 cm off the true motion from {wrong} on.",
        ),
        Judgement(
            "The trace ends in numbers beyond 10^100 and NaN.",
            judged(nan is not None, settings_matter=bool(np.isfinite(listed.q).all())),
            "Only with the corrector off: then the motion runs away at {broke}, reaches {largest} and is NaN from {nan} "
            "on. With the corrector on, as in the listing, it stays finite and is simply wrong: the corrector takes away "
            "a surplus of up to {hidden} after a step.",
            under="the other settings of the listing and ENERGYCORRECTOR=OFF",
        ),
    )
    rows = tuple(_row(corrector, tol, run, true) for (corrector, tol), run in runs.items())
    table = Table(
        "The chain of 9 links, system (10), MIDPOINT, GREVILLE",
        ("corrector", "mpitol", "5 cm off at", "runs away at", "NaN from"),
        rows,
    )
    return Measured(figures, (table,), parts, {"off": _drawing(runs, true)})


def _spoiled(run: Trajectory, true: Trajectory) -> float | None:
    times, off = distance(run, true)
    return first_time(times, ~(off < FAR))


def _row(corrector: str, tol: float, run: Trajectory, true: Trajectory) -> tuple[str | Figure, ...]:
    nan = first_time(run.t, ~np.isfinite(run.q).all(axis=(1, 2)))
    numbers = (_spoiled(run, true), None if run.status.ok else run.status.time, nan)
    return (
        corrector,
        f"{tol:g}",
        *(Figure(number, "s", within=WRONG_WITHIN, brief=True, may_be_missing=True) for number in numbers),
    )


def _drawing(runs: dict[tuple[str, float], Trajectory], true: Trajectory) -> Illustration:
    curves = []
    for corrector in ("ON", "OFF"):
        times, off = distance(runs[corrector, 1e-11], true)
        shown = times < 3.0
        with np.errstate(invalid="ignore"):
            curves.append(
                DrawnCurve(times[shown], np.minimum(np.maximum(off[shown], 1e-9), 1e25), f"corrector {corrector}")
            )
    listed = runs["ON", 1e-11]
    assert listed.predicted_energy is not None
    before = np.abs(listed.predicted_energy - listed.predicted_energy[0])[listed.t < 3.0]
    return Illustration(
        "Above: distance from the true motion with the listing's mpitol. Below: with the corrector on, the error of the "
        "energy that it takes away after each step.",
        (
            Diagram(tuple(curves), "distance [m]", log=True),
            Diagram((DrawnCurve(listed.t[listed.t < 3.0], np.maximum(before, 1e-12)),), "|energy error| [J]", log=True),
        ),
    )


CLAIM = Claim(
    number=6,
    title="The trace of the chain of 9 links",
    words="""
The paper prints parts of a trace: a chain of 9 links that falls from the horizontal, with Greville's recursion, mpitol
1E-11, the damped system (10), midpoint and the energy corrector on. After one step all bodies are at y = −5E-7, after two
at −2E-6; later rows hold numbers like 2.9E104 and 4.3E166, the last ones NaN.
""",
    settings="""
This is the only listing that names every setting. We run it as it stands with `BREAKDOWN=GO`, so that rows of NaN are
written as in the paper, and vary mpitol and the corrector.
""",
    measure=measure,
    lesson="""
The recursion fails for the same reason as in claim 1, when the chain is stretched downward. Without the corrector
nobody could overlook it. With the corrector, energy and constraints are perfect to the eye, and the motion is wrong
from then on: this is the strongest case against it. A smaller mpitol happens to work here ({survives} of 2 tried),
but no one could have known that before.
""",
    listings=("11-9-link-chain.chain",),
)
