"""Places: what of the moving machine an expression may use where it stands."""

from __future__ import annotations

from chainlist.formula.analysis import FAMILY, Family, Place
from chainlist.model.desk import Problem
from chainlist.syntax.source import Span

ALLOWED: dict[Place, frozenset[Family]] = {
    "number": frozenset(),
    "time": frozenset(("time",)),
    "positions": frozenset(("time", "positions")),
    "motion": frozenset(("time", "positions", "velocities")),
    "condition": frozenset(("time", "positions", "velocities", "forces")),
}
_ONLY: dict[Place, tuple[str, str]] = {
    "number": (
        "a number is wanted here, and {0} changes during the motion",
        "numbers, parameters and functions of them may stand here; what moves is shown by .plot",
    ),
    "time": ("only the time may be used here, not {0}", "write it with `time`, numbers and parameters"),
    "positions": (
        "only the time and positions may be used here, not {0}",
        "positions are X(B1), Y(B1), DIST(B1,B2), ANGLE(B1,B2) and ANGLE(C1)",
    ),
    "motion": (
        "{0} is a force, and forces may be used in conditions only",
        "write it with the time, positions and velocities",
    ),
    "condition": ("{0} cannot be used in an expression", "it can be plotted"),
}
# What stands for a vector, or for what is only shown.
_INSTEAD = {"q": "X(B1) and Y(B1)", "v": "VX(B1) and VY(B1)", "speed": "VX(B1) and VY(B1)"}


def check_place(function: str, text: str, at: Span, place: Place) -> None:
    """Raise `Problem` unless an item may be used at a place; `text` is how it was written."""
    if place == "number":
        what, help = _ONLY[place]
    elif function not in FAMILY:
        instead = _INSTEAD.get(function)
        what, help = _ONLY["condition"]
        help = f"use {instead}" if instead else help
    elif FAMILY[function] not in ALLOWED[place]:
        what, help = _ONLY[place]
    else:
        return
    raise Problem("E219", what.format(text), at, label="cannot be used here", help=help)
