"""Places: what of the moving machine an expression may use where it stands."""

from __future__ import annotations

from chainlist.elements.base import is_rigid
from chainlist.formula.analysis import FAMILY, Family, Place
from chainlist.model.desk import Problem
from chainlist.model.observables import OBSERVABLES
from chainlist.model.units import UnknownKind
from chainlist.syntax.source import Span
from chainlist.syntax.tree import Call, Name

ALLOWED: dict[Place, frozenset[Family]] = {
    "number": frozenset(),
    "time": frozenset(("time",)),
    "positions": frozenset(("time", "positions")),
    "motion": frozenset(("time", "positions", "velocities")),
    "condition": frozenset(("time", "positions", "velocities", "forces")),
}
NO_MOTION = "numbers, parameters and functions of them may stand here; what moves is shown by .plot"
_ONLY: dict[Place, tuple[str, str]] = {
    "number": (
        "a number is wanted here, and {0} changes during the motion",
        NO_MOTION,
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
_INSTEAD = {
    "q": "X(B1) and Y(B1)",
    "v": "VX(B1) and VY(B1)",
    "events": "the time, positions and velocities; when the third event came, .meas t3 WHEN {EVENTS>=3} tells",
    "t": "`time`, which is what the time is called; T is the kinetic energy, and can only be shown",
    "norm": "DIST(B1,B2) for a distance, SPEED(B1) for a speed",
}


_SPACE = "this machine is in the plane: give all its points three coordinates, (x,y,z), to put it in space"
_PLANE = {
    "angle": "in space an angle is between two arms: ANGLE(B1,B2,B3)",
    "omega": "in space a line turns about no fixed axis: use velocities, such as VX(B1)",
}


def check_place_name(place: str) -> None:
    """Raise `UnknownKind` where a plug-in names a place that there is not."""
    if place not in ALLOWED:
        raise UnknownKind(
            f"there is no place called {place!r}: there are {', '.join(ALLOWED)}; the kind of unit comes second"
        )


def what_may_stand(place: Place) -> str:
    """A cure for what may not stand at a place."""
    return (
        "compare the time, positions, velocities and TENSION(C1) of links" if place == "condition" else _ONLY[place][1]
    )


def check_world(call: Call, points: int, dimension: int) -> None:
    """Raise `Problem` for an item of space in the plane, or one of the plane in space that is asked of so many points."""
    function, text, at = call.function.key, call.span.text, call.span
    item = OBSERVABLES.get(function)
    names = [argument for argument in call.arguments if isinstance(argument, Name)]
    if names and all(is_rigid(name.text) for name in names):
        return  # a rigid body has an axis of its own
    if dimension == 2 and item is not None and item.of_space:
        raise Problem("E281", f"there is no {text} in the plane", at, label="an item of space", help=_SPACE)
    if dimension == 3 and function in _PLANE and points < 3:
        raise Problem(
            "E281", f"{text} has no meaning in space", at, label="an item of the plane", help=_PLANE[function]
        )


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
