"""Claim 11: the paper's slider-crank."""

from __future__ import annotations

from typing import Any

import numpy as np

from chainlist.kernels.bundles import Floats
from chainlist.labs.base import Claim, Diagram, DrawnCurve, Figure, Illustration, Judgement, Measured, Table, judged
from chainlist.labs.bench import distance, listing, motion
from chainlist.run.trajectory import Trajectory

SETTINGS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "INDEX1, MIDPOINT, GREVILLE": {"daesystem": "INDEX1", "integrator": "MIDPOINT", "mpi_algo": "GREVILLE"},
    "INDEX1, RK4, GREVILLE": {"daesystem": "INDEX1", "integrator": "RK4", "mpi_algo": "GREVILLE"},
    "INDEX1, MIDPOINT, formula (6)": {
        "daesystem": "INDEX1",
        "integrator": "MIDPOINT",
        "mpi_algo": "CHOLESKY",
        "mpitol": 0,
    },
}


def measure() -> Measured:
    runs = {name: motion(listing(4), **kw) for name, kw in SETTINGS.items()}
    fine = motion(listing(4), integrator="DOP853", reltol=1e-12, abstol=1e-13)
    off = {name: float(distance(run, fine)[1].max()) for name, run in runs.items()}
    ours = runs["defaults"]
    crank = np.unwrap(np.arctan2(fine.q[:, 0, 1], fine.q[:, 0, 0]))
    slider = fine.q[:, 1, 0]
    fold = int(np.argmin(np.abs(slider) + _elsewhere(fine)))
    report = ours.report
    figures = {
        "turns": Figure(float((crank[-1] - crank[0]) / (2 * np.pi)), "turns", digits=3),
        "reach": Figure(float(np.abs(slider).max()), "m", digits=4),
        "fold": Figure(float(fine.t[fold]), "s", digits=4),
        "pivot": Figure(report.passages[0].ratio if report and report.passages else None, within=(0.0, 1e-4), digits=2),
        "worst": Figure(max(off.values()), "m", relative=0.05, digits=2),
        "ours": Figure(off["defaults"], "m", within=(0.0, 1e-9), digits=2),
    }
    parts = (
        Judgement(
            "The mechanism moves under gravity as the listing describes it.",
            judged(all(run.status.ok for run in runs.values())),
            "In 16 s the crank makes {turns}, the slider goes as far as {reach} to both sides.",
        ),
        Judgement(
            "The plain solver copes with it.",
            judged(max(off.values()) < 1e-4),
            "At the listing's step no setting is off by more than {worst}, and our defaults by {ours}, although crank and "
            "rod fold onto each other at {fold} and the constraint matrix nearly loses rank there (smallest pivot "
            "{pivot}).",
            ours=True,
        ),
    )
    rows = tuple(
        (
            name,
            Figure(off[name], "m", within=(0.0, 1e-8), digits=2, brief=True)
            if off[name] < 1e-8
            else Figure(off[name], "m", relative=0.05, digits=2),
        )
        for name in runs
    )
    table = Table("Largest error of a position in 16 s", ("settings", "error"), rows)
    curves = Illustration(
        "Height of the crank pin and place of the slider.",
        (
            Diagram((DrawnCurve(fine.t, fine.q[:, 0, 1]),), "y of B1 [m]"),
            Diagram((DrawnCurve(fine.t, slider),), "x of B2 [m]"),
        ),
    )
    strobe = Illustration("The slider-crank every 0.4 s.", motions=(("", ours),))
    return Measured(figures, (table,), parts, {"curves": curves, "strobe": strobe})


def _elsewhere(run: Trajectory) -> Floats:
    """A large number outside the passage in question: at the start the slider is near the middle too."""
    return np.where((run.t > 7.0) & (run.t < 9.5), 0.0, 1e9)


CLAIM = Claim(
    number=11,
    title="The slider-crank",
    words="""
A slider-crank, put in motion by gravity, shows that the language and the equations extend to other types of constraints.
""",
    settings="""
We run listing 04 for 16 s with our defaults and with the paper's plain system (4); the listing names no settings. The
reference is an adaptive method of order eight.
""",
    measure=measure,
    lesson="""
Crank and connecting rod of the listing have the same length. When the crank points straight down, the slider is at
the pivot of the crank. There another motion branches off: the slider could stay where it is while the crank turns.
The run passes this point fast, with one step before it and the next one after it, and nothing happens. Claim 12 shows
a case in which something does.
""",
    listings=("04-slider-crank.chain",),
)
