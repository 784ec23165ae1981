"""Claim 12: shortcuts in configuration space."""

from __future__ import annotations

from typing import Any

import numpy as np

from chainlist.labs.base import Claim, Diagram, DrawnCurve, Figure, Illustration, Judgement, Measured, Table, judged
from chainlist.labs.bench import largest, listing, motion, values
from chainlist.run.trajectory import Trajectory

STEPS = (0.05, 0.02, 0.01, 0.005)
AFTER = 2.2  # s, a third of a second after the passage
BELOW = -0.2  # m: B3 hangs below the pivot, on the other branch
FIRST: dict[str, Any] = {"daesystem": "INDEX1", "integrator": "MIDPOINT", "mpi_algo": "GREVILLE"}
UNGUARDED: dict[str, Any] = {"daesystem": "PROJECTED", "integrator": "RK4", "guard": "OFF"}
GUARDED: dict[str, Any] = {"daesystem": "PROJECTED", "integrator": "RK4"}
WAYS = {"version 0.1": FIRST, "PROJECTED, guard off": UNGUARDED, "PROJECTED, guard on": GUARDED}


def measure() -> Measured:
    runs = {(name, h): _rhombus(h, kw) for name, kw in WAYS.items() for h in STEPS}
    true = _rhombus(0.0005, GUARDED)
    leaps = {key: _height(run) < BELOW for key, run in runs.items()}
    hidden = {name: [f"{h:g} s" for h in STEPS if leaps[name, h] and looks_right(runs[name, h])] for name in WAYS}
    off = [runs["PROJECTED, guard off", h] for h in STEPS]
    told = [key for key in runs if leaps[key] and not looks_right(runs[key])]
    first, unguarded = runs["version 0.1", 0.02], runs["PROJECTED, guard off", 0.02]
    figures = {
        "true": Figure(_height(true), "m", within=(-0.01, 0.01), digits=2),
        "leapt": Figure(_height(first), "m", relative=0.02),
        "leapt_runs": Figure(float(sum(leaps.values()))),
        "told": Figure(float(len(told))),
        "hidden": Figure(
            100 * max(_energy(runs[k]) for k in runs if leaps[k] and k not in told), "%", relative=0.2, digits=2
        ),
        "bent": Figure(max(_bent(runs[k]) for k in runs if leaps[k] and k not in told), "m²", relative=0.2, digits=2),
        "branch": Figure(float(sum(map(_tells_of_branch, off)))),
        "off": Figure(float(len(off))),
        "least": Figure(100 * min(_energy(runs[k]) for k in told), "%", relative=0.2, digits=2),
        "worst": Figure(100 * max(_energy(runs[k]) for k in told), "%", within=(0.0, 5.0), digits=2),
        "residual": Figure(largest(values(unguarded, "PHI(C1)"), unguarded.t), "m²", within=(0.0, 1e-12), digits=2),
        "eta": Figure(unguarded.report.largest_eta if unguarded.report else None, relative=0.2, digits=2),
        "gap": Figure(1000 * _gap(true), "mm", digits=2),
        "redone": Figure(float(_redone(runs["PROJECTED, guard on", 0.02])), within=(1, 200)),
    }
    parts = (
        Judgement(
            "In one long step a mechanism may leap to a configuration that it could reach only by a long way round.",
            judged(all(leaps["version 0.1", h] for h in STEPS)),
            "With all four steps from 0.05 s to 0.005 s the rhombus turns inside out: at 2.2 s B3 hangs at {leapt} "
            "(with 0.02 s; the table has the others) instead of {true}.",
        ),
        Judgement(
            "Nothing gives it away: constraints and energy look right.",
            judged(any(hidden.values()), settings_matter=bool(told)),
            "There the energy is off by at most {hidden}, and Φ by at most {bent}. In {told} of the {leapt_runs} runs that leapt the "
            "energy is off by {least} to {worst}, and the report says not to trust the motion. {branch} of the {off} runs "
            "with the guard off also tell of a branch that may have changed.",
            under="; ".join(f"{name} and steps of {' or '.join(steps)}" for name, steps in hidden.items() if steps)
            if told
            else "",
            ours=True,
        ),
        Judgement(
            "More advanced methods suffer too.",
            judged(all(leaps["PROJECTED, guard off", h] for h in STEPS), settings_matter=True),
            "Projection alone does not help: |Φ| is {residual}, and the branch is the wrong one. What does help is to watch "
            "how much of the velocity the projection takes away, here {eta} of it: with the guard on, steps are redone "
            "in halves ({redone} times), and the branch is right with every step tried.",
            under="GUARD=OFF",
        ),
    )
    rows = tuple(_row(name, h, run, leaps[name, h]) for (name, h), run in runs.items())
    table = Table(
        "The rhombus through its singular moment at 1.85 s",
        ("solver", "step [s]", "height of B3 at 2.2 s", "branch", "energy error"),
        rows,
    )
    return Measured(figures, (table,), parts, {"height": _drawing(runs, true), "strobe": _strobe(runs)})


def _rhombus(step: float, settings: dict[str, Any]) -> Trajectory:
    return motion(listing(14), (0.0, 2.5, step), energycorrector="OFF", **settings)


def _gap(run: Trajectory) -> float:
    """How far B3 is from its place on the other branch where they are nearest: when B1 is at the height of the pivot."""
    lower, upper = run.mechanism.links[0].parameters[0], run.mechanism.links[2].parameters[0]  # squared lengths
    return float(2 * np.sqrt(upper - lower))


def _height(run: Trajectory) -> float:
    """Where B3 is a third of a second after the passage."""
    sample = int(np.searchsorted(run.t, AFTER - 1e-9))
    return float(run.q[sample, run.bodies.index("B3"), 1]) if sample < len(run) else float("nan")


def looks_right(run: Trajectory) -> bool:
    """Whether the report lets the energy pass: it is off by less than a thousandth."""
    return run.status.ok and bool(run.report and run.report.keeps_energy)


def _bent(run: Trajectory) -> float:
    return max(largest(values(run, f"PHI({link.name})"), run.t) for link in run.mechanism.links)


def _tells_of_branch(run: Trajectory) -> bool:
    return any("branch" in warning for warning in run.report.warnings) if run.report else False


def _energy(run: Trajectory) -> float:
    return float(np.abs(run.energy - run.energy[0]).max() / abs(run.energy[0]))


def _redone(run: Trajectory) -> int:
    return len(run.report.refined) if run.report else 0


def _row(name: str, h: float, run: Trajectory, leapt: bool) -> tuple[str | Figure, ...]:
    height = Figure(_height(run), "m", relative=0.05, absolute=0.01)
    energy = Figure(100 * _energy(run), "%", within=(0.0, 10.0), digits=2, brief=True)
    return (name, f"{h:g}", height, "wrong" if leapt else "right", energy)


def _drawing(runs: dict[tuple[str, float], Trajectory], true: Trajectory) -> Illustration:
    third = true.bodies.index("B3")
    curves = [DrawnCurve(true.t, true.q[:, third, 1], "true")]
    for name in WAYS:
        run = runs[name, 0.02]
        curves.append(DrawnCurve(run.t, run.q[:, third, 1], name, dashed=True))
    return Illustration(
        "Height of B3: three solvers with steps of 0.02 s, and the true motion.",
        (Diagram(tuple(curves), "y of B3 [m]"),),
    )


def _strobe(runs: dict[tuple[str, float], Trajectory]) -> Illustration:
    return Illustration(
        "The same rhombus, the same step of 0.02 s.",
        motions=(
            ("Guard off: a shortcut, the rhombus turns inside out", runs["PROJECTED, guard off", 0.02]),
            ("Guard on: B3 stays at the pivot, B1 and B2 swing on", runs["PROJECTED, guard on", 0.02]),
        ),
    )


CLAIM = Claim(
    number=12,
    title="Shortcuts in configuration space",
    words="""
Already "version 0.1" of the student's program shows shortcuts off the manifold: in one time step the mechanism leaps to a
configuration which a continuous motion could reach only by a much longer route inside the manifold. More advanced methods
are plagued by this as well.
""",
    settings="""
The paper gives no example. We take its rhombus (listing 14 without the corrector), which passes a place where two
branches all but touch, with steps from 0.005 s to 0.05 s. "Version 0.1" is system (4) with MIDPOINT and Greville's
recursion.
""",
    measure=measure,
    lesson="""
The pivot of the rhombus is raised by 1E-7 m, which makes the two links at the pivot a little shorter than the other two.
So when B1 and B2 are at the height of the pivot, B3 is still just above it; it comes to the pivot and stays there,
while B1 and B2 swing on. The branch on which B3 hangs below is {gap} away at that moment. A continuous motion could get
there too, by a long way round: fold the rhombus until B1 and B2 have passed each other, and turn it upside down. A step of
0.02 s simply jumps over the gap. Neither Φ nor, at that step, the energy knows which side is the right one.
""",
    listings=("14-rhombus-corrected.chain",),
)
