"""Claim 10: crosshair sliders and the "inverted" rotation."""

from __future__ import annotations

from typing import Any

import numpy as np

from chainlist.kernels.bundles import Floats
from chainlist.labs.base import Claim, Diagram, DrawnCurve, Figure, Illustration, Judgement, Measured, Table, judged
from chainlist.labs.bench import listing, motion
from chainlist.run.trajectory import Trajectory

SETTINGS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "INDEX1, MIDPOINT, GREVILLE": {"daesystem": "INDEX1", "integrator": "MIDPOINT", "mpi_algo": "GREVILLE"},
}


def measure() -> Measured:
    runs = {name: motion(listing(16), **kw) for name, kw in SETTINGS.items()}
    ours = runs["defaults"]
    link = ours.q[:, 1] - ours.q[:, 0]
    middle = ours.q.mean(axis=1)
    turned, carried = _turn(link), _turn(middle)
    figures = {
        "link": Figure(turned, "turns", absolute=1e-3),
        "middle": Figure(carried, "turns", absolute=1e-3),
        "radius": Figure(float(np.ptp(np.linalg.norm(middle, axis=1))), "m", within=(0.0, 1e-12)),
        "error": Figure(_error(ours), "m", within=(0.0, 1e-11)),
    }
    parts = (
        Judgement(
            "The link rotates in the inverted sense.",
            judged(turned * carried < 0 and abs(turned + carried) < 1e-3),
            "In 6.28 s the link makes {link}, while its middle goes round the crossing by {middle}: the other way.",
        ),
        Judgement(
            "The motion is uniform.",
            judged(_error(ours) < 1e-9),
            "B1 = (sin t, 0) and B2 = (0, cos t) to {error}.",
            ours=True,
        ),
    )
    rows = tuple(
        (
            name,
            Figure(_error(run), "m", within=(0.0, 1e-11), brief=True)
            if name == "defaults"
            else Figure(_error(run), "m", relative=0.02),
        )
        for name, run in runs.items()
    )
    table = Table("Largest error of a position", ("settings", "error"), rows)
    path = Illustration(
        "Left turn and right turn: angles of the link, and of its middle as seen from the crossing.",
        (
            Diagram(
                (
                    DrawnCurve(ours.t, np.unwrap(np.arctan2(link[:, 1], link[:, 0])), "link"),
                    DrawnCurve(ours.t, np.unwrap(np.arctan2(middle[:, 1], middle[:, 0])), "middle"),
                ),
                "angle [rad]",
            ),
        ),
    )
    strobe = Illustration("The link every 0.2 s: its envelope is the astroid.", motions=(("", ours),))
    return Measured(figures, (table,), parts, {"angles": path, "strobe": strobe})


def _turn(vectors: Floats) -> float:
    """Turns in the positive sense."""
    angle = np.unwrap(np.arctan2(vectors[:, 1], vectors[:, 0]))
    return float((angle[-1] - angle[0]) / (2 * np.pi))


def _error(run: Trajectory) -> float:
    zero = np.zeros_like(run.t)
    exact = np.stack([np.stack([np.sin(run.t), zero], -1), np.stack([zero, np.cos(run.t)], -1)], 1)
    return float(np.abs(run.q - exact).max())


CLAIM = Claim(
    number=10,
    title='Crosshair sliders and the "inverted" rotation',
    words="""
Two bodies slide on two lines at right angles and are joined by a link; there is no gravity. The link shows an "inverted"
rotation.
""",
    settings="""
We run listing 16 as it is, with our defaults and with system (4), MIDPOINT and Greville's recursion. With equal masses the exact
motion is B1 = (sin t, 0), B2 = (0, cos t).
""",
    measure=measure,
    lesson="""
The middle of the link runs round the crossing on a circle of half its length, one way, and the link turns the other way
at the same rate: like a small wheel that rolls inside a ring twice its size. That the path of every point of the link is
an ellipse was known to Leonardo; its envelope is the astroid.
""",
    listings=("16-crosshair-sliders.chain",),
)
