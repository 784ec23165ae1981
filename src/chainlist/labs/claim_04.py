"""Claim 4: the transient after a start that does not fit, and what the damping factors do to it."""

from __future__ import annotations

import numpy as np

from chainlist.labs.base import Claim, Diagram, DrawnCurve, Figure, Illustration, Judgement, Measured, Table, judged
from chainlist.labs.bench import listing, motion, values
from chainlist.run.trajectory import Trajectory

FACTORS = ((0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0), (1.9, 1.9), (3.0, 3.0))
INTEGRATORS = ("MIDPOINT", "RK4")


def measure() -> Measured:
    runs = {(i, f): _run(i, f) for i in INTEGRATORS for f in FACTORS}
    undamped = {s: motion(listing(10), tiny=True, integrator="RK4", daesystem=s) for s in ("INDEX1", "INDEX1_2")}
    ours = motion(listing(10), tiny=True, integrator="RK4", daesystem="PROJECTED")
    one = (1.0, 1.0)
    figures = {
        "start": Figure(float(values(ours, "PHI(C1)")[0]), "m²", within=(-1e-15, 1e-15)),
        "off": Figure(float(values(runs["RK4", one], "PHI(C1)")[0]), "m²"),
        "midpoint": Figure(_decay(runs["MIDPOINT", one]), digits=2, relative=0.02),
        "rk4": Figure(_decay(runs["RK4", one]), relative=0.02),
        "moved": Figure(ours.report.start_moved[0] if ours.report else None, "m"),
        "slowed": Figure(ours.report.start_moved[1] if ours.report else None, "m/s"),
        "collapse": Figure(undamped["INDEX1"].status.time, "s", within=(0.45, 0.65)),
        "collapse_8": Figure(undamped["INDEX1_2"].status.time, "s", within=(0.9, 1.2)),
        "left": Figure(_late(runs["RK4", one]), "m²", relative=0.05),
        "spoiled": Figure(_late(runs["RK4", (3.0, 3.0)]), "m²", within=(0.01, 10.0)),
    }
    parts = (
        Judgement(
            "With (10) and factors of 1 the motion comes onto the circle within a few steps.",
            judged(all(_settled(runs[i, one]) for i in INTEGRATORS)),
            "Φ starts at {off}. A step leaves {midpoint} of it with midpoint and {rk4} with RK4: this is the geometric mean over the "
            "second to the fifth step; the table has the first. Later |Φ| stays below {left} (RK4).",
        ),
        Judgement(
            "Without damping the wrong start is not forgotten.",
            judged(not undamped["INDEX1"].status.ok and not undamped["INDEX1_2"].status.ok),
            "The inward velocity stays. With RK4 and (4) the body falls into the anchor and the run breaks down at {collapse}, "
            "with RK4 and (8) at {collapse_8}.",
        ),
        Judgement(
            "α acts on velocities, β on positions; both are needed.",
            judged(not _settled(runs["RK4", (1.0, 0.0)]) and not runs["RK4", (0.0, 1.0)].status.ok),
            "With β = 0 the length stays wrong; with α = 0 the inward velocity grows until the run breaks down. The table has both.",
        ),
        Judgement(
            "Factors of 1 are critical damping.",
            judged(False),
            "The decay is of first order, Φ' = −βΦ: nothing is critical about it. A factor of 1 leaves 0 only with "
            "Euler. Factors beyond the limit of the method (2, or 2.785 with RK4) destroy the run: with 3 and RK4 |Φ| "
            "still reaches {spoiled} after 2 s.",
        ),
    )
    rows = tuple(_row(i, f, run) for (i, f), run in runs.items())
    table = Table(
        "0.05 s steps; Φ starts at −0.5",
        ("integrator", "α Δt, β Δt", "Φ left by one step", "largest Φ after 2 s", "breaks down at"),
        rows,
    )
    return Measured(figures, (table,), parts, {"transient": _drawing(runs, ours)})


def _run(integrator: str, factors: tuple[float, float]) -> Trajectory:
    return motion(listing(10), tiny=True, integrator=integrator, dampalpha=factors[0], dampbeta=factors[1])


def _decay(run: Trajectory) -> float:
    """What one step leaves of Φ, averaged over the second to the fifth."""
    phi = np.abs(values(run, "PHI(C1)"))
    return float((phi[5] / phi[1]) ** 0.25)


def _late(run: Trajectory) -> float | None:
    phi = values(run, "PHI(C1)")[run.t > 2.0]
    return float(np.abs(phi).max()) if len(phi) and run.status.ok else None


def _settled(run: Trajectory) -> bool:
    late = _late(run)
    return run.status.ok and late is not None and late < 0.01


def _row(integrator: str, factors: tuple[float, float], run: Trajectory) -> tuple[str | Figure, ...]:
    stable = max(factors) < 1.5
    phi = values(run, "PHI(C1)")
    first = float(abs(phi[1] / phi[0]))
    late = _late(run)
    return (
        integrator,
        f"{factors[0]:g}, {factors[1]:g}",
        Figure(first, relative=0.02),
        Figure(late, relative=0.05, never="–") if stable else Figure(late, within=(0.0, 100.0), never="–", brief=True),
        Figure(None if run.status.ok else run.status.time, "s", within=(0.3, 3.0), never="–", brief=True),
    )


def _drawing(runs: dict[tuple[str, tuple[float, float]], Trajectory], ours: Trajectory) -> Illustration:
    names = {(0.5, 0.5): "½, ½", (1.0, 1.0): "1, 1", (1.0, 0.0): "1, 0"}
    chosen = {f: runs["RK4", f] for f in names}
    path = tuple(DrawnCurve(run.q[:, 0, 0], run.q[:, 0, 1], f"α, β = {names[f]}") for f, run in chosen.items())
    early = tuple(
        DrawnCurve(run.t[:41], np.maximum(np.abs(values(run, "PHI(C1)")[:41]), 1e-8), f"α, β = {names[f]}")
        for f, run in chosen.items()
    )
    rest = DrawnCurve(ours.q[:, 0, 0], ours.q[:, 0, 1], "PROJECTED", dashed=True)
    return Illustration(
        "The transient with RK4. Above: |Φ| in the first 2 s. Below: the paths; PROJECTED starts on the circle.",
        (
            Diagram(early, "|Φ| [m²]", log=True),
            Diagram((*path, rest), "y [m]", x="x [m]", square=True),
        ),
    )


CLAIM = Claim(
    number=4,
    title="A start that does not fit, and the damping factors",
    words="""
A pendulum of length 1 m is started at (0.5, 0.5) with a velocity of (0, −1) m/s: neither fits the constraint. The paper
finds it instructive to look at the transient and at what the damping factors do to it, and calls α = β = 1/Δt critical
damping.
""",
    settings="""
We run listing 10 with MIDPOINT and RK4, and with DAMPALPHA and DAMPBETA from 0 to 3; systems (4) and (8) are there
for comparison. Our default `PROJECTED` moves the start onto the constraint once and says so.
""",
    measure=measure,
    lesson="""
If the start does not fit, one has to ask what was meant. The damped system answers by pulling the body onto the
circle along a path that no pendulum takes, and its energy afterwards depends on the factors. `PROJECTED` answers at once:
it moves the start by {moved}, takes {slowed} of the velocity away, and reports both.
""",
    listings=("10-inconsistent-ics.chain",),
)
