"""Claim 9: the anchored five-bar, symmetric until rounding errors break it."""

from __future__ import annotations

from typing import Any

import numpy as np

from chainlist.kernels.bundles import Floats
from chainlist.labs.base import Claim, Diagram, DrawnCurve, Figure, Illustration, Judgement, Measured, Table, judged
from chainlist.labs.bench import first_time, listing, motion
from chainlist.run.trajectory import Trajectory

LONG = (0.0, 120.0, 0.001)
VISIBLE = 0.01  # m
SETTINGS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "INDEX1, MIDPOINT, GREVILLE": {"daesystem": "INDEX1", "integrator": "MIDPOINT", "mpi_algo": "GREVILLE"},
    "INDEX1_2_DAMPED, MIDPOINT, AUTO": {"daesystem": "INDEX1_2_DAMPED", "integrator": "MIDPOINT"},
}


def measure() -> Measured:
    runs = {name: motion(listing(15), LONG, save=0.01, **kw) for name, kw in SETTINGS.items()}
    skew = {name: asymmetry(run) for name, run in runs.items()}
    seen = {name: first_time(run.t, skew[name] > VISIBLE) for name, run in runs.items()}
    first = runs["defaults"]
    low, high = float(first.q[first.t <= 8.0, 2, 1].min()), float(first.q[first.t <= 8.0, 2, 1].max())
    at_8 = {name: float(skew[name][np.searchsorted(run.t, 8.0 - 1e-9)]) for name, run in runs.items()}
    figures = {
        "low": Figure(low, "m"),
        "high": Figure(high, "m"),
        "at_8": Figure(max(at_8.values()), "m", within=(0.0, 1e-9)),
        "first": Figure(min((t for t in seen.values() if t is not None), default=None), "s", within=(15.0, 120.0)),
        "rate": Figure(_rate(first, skew["defaults"]), "1/s", within=(0.1, 3.0), digits=2),
    }
    parts = (
        Judgement(
            "It oscillates symmetrically.",
            judged(max(at_8.values()) < 1e-9 and low < -1.9),
            "B3 goes up and down on the line of symmetry between {high} and {low}; after the listing's 8 s nothing is off "
            "it by more than {at_8}.",
        ),
        Judgement(
            "Numerical error destroys the symmetry in the end.",
            judged(all(time is not None for time in seen.values())),
            "It cannot be seen in the listing's 8 s, but rounding errors grow exponentially, at a rate of {rate}. The first run to be 1 cm "
            "off gets there at {first}.",
        ),
    )
    rows = tuple(
        (
            name,
            Figure(at_8[name], "m", within=(0.0, 1e-9), brief=True),
            Figure(seen[name], "s", within=(15.0, 120.0), brief=True),
        )
        for name in runs
    )
    table = Table("The five-bar, steps of 1 ms", ("settings", "asymmetry at 8 s", "1 cm at"), rows)
    drawing = Illustration(
        "How far the motion is from being symmetric: rounding errors grow until they fill the picture.",
        (
            Diagram(
                tuple(DrawnCurve(run.t, np.maximum(skew[name], 1e-18), name) for name, run in runs.items()),
                "asymmetry [m]",
                log=True,
            ),
        ),
    )
    strobe = Illustration("The first 8 s, every 0.4 s.", motions=(("", motion(listing(15))),))
    return Measured(figures, (table,), parts, {"skew": drawing, "strobe": strobe})


def asymmetry(run: Trajectory) -> Floats:
    """The largest distance of a body from the mirror image of its partner [m]; B1 and B2 are partners, B3 its own."""
    mirror = np.array([-1.0, 1.0])
    one, two, three = (run.q[:, run.bodies.index(name)] for name in ("B1", "B2", "B3"))
    pair = np.linalg.norm(one - two * mirror, axis=1)
    return np.asarray(np.maximum(pair, 2 * np.abs(three[:, 0])))


def _rate(run: Trajectory, skew: Floats) -> float:
    """The rate at which the asymmetry grows, from 1e-13 m to 1e-5 m."""
    start, stop = first_time(run.t, skew > 1e-13), first_time(run.t, skew > 1e-5)
    if start is None or stop is None or stop <= start:
        return float("nan")
    return float(np.log(1e8) / (stop - start))


CLAIM = Claim(
    number=9,
    title="The anchored five-bar",
    words="""
Four links between two anchors of equal height (the frame is the fifth) start from a symmetric position and oscillate with
alternate phases of motion, until numerical error destroys the symmetry.
""",
    settings="""
We run listing 15 for its 8 s, and for 120 s, with three sets of settings; the listing names none.
""",
    measure=measure,
    lesson="""
The symmetric motion is a solution, but an unstable one: like a pencil on its tip. Any error, even in the last bit, grows
by a constant factor in each second. A smaller step does not help, since there is always a last bit. The moment at which the
symmetry is lost differs from machine to machine.
""",
    listings=("15-five-links.chain",),
)
