"""How a run ended, in words: when, which constraint, and what to try."""

from __future__ import annotations

from dataclasses import dataclass

from chainlist.kernels import slots


@dataclass(frozen=True)
class Status:
    """`code` is 0 for a run that went through (see kernels/slots.py); negative ones stand below."""

    code: int = 0
    time: float = 0.0  # s, where it broke down
    constraint: str = ""  # name of the constraint that shows it most
    message: str = ""
    remedy: str = ""

    @property
    def ok(self) -> bool:
        return self.code == 0

    @property
    def cancelled(self) -> bool:
        return self.code == CANCELLED

    def __str__(self) -> str:
        if self.ok:
            return "done"
        return f"{self.message}. {self.remedy}" if self.remedy else self.message


CANCELLED = -1
NO_START = -2  # no way was found from the start onto the constraints
INCOMPLETE = -3  # a trace that ends before its run was to end

_WHAT = {
    slots.NOT_FINITE: ("the state is no longer finite", "Try a smaller step"),
    slots.RUNAWAY: ("the motion runs away (kinetic energy above 1e6 of its scale)", "Try a smaller step"),
    slots.NOT_CONVERGED: ("the projection onto the constraints does not converge", "Try a smaller step"),
    slots.LEAPS: (
        "the motion leaps to another branch again and again, at the smallest step too",
        "Try a smaller step, or INTEGRATOR=DOP853",
    ),
    slots.STUCK: (
        "the mechanism cannot follow its drives any further, as at a dead point",
        "Look at its lengths",
    ),
    slots.SOLVER_FAILED: (
        "the pseudoinverse broke down: rows of A depend on one another",
        "Try MPI_ALGO=AUTO, or SVD",
    ),
    slots.LOOSE: (
        "the constraints no longer say how a point without mass moves",
        "Give it a mass",
    ),
    slots.JAMMED: (
        "friction jams: no motion, or more than one, fits its law",
        "Try a smaller MU, or a body that gives way",
    ),
    slots.TOO_MANY_EVENTS: (
        "the events do not come to an end: more than 100,000 in a second, or hundreds in the ten-thousandth part of a step",
        "Look at the last events: something switches back and forth",
    ),
    slots.HELD_UP: (
        "the motion does not get on: what switches here was looked for 200 times",
        "Try another step, or INTEGRATOR=DOP853",
    ),
    slots.STEP_TOO_SMALL: (
        "the adaptive step became too small",
        "Try a larger RELTOL, or look for a singular position",
    ),
}


# How a run ends whose drives lead to where the mechanism cannot go.
_OUT_OF_REACH = (slots.STUCK, slots.NOT_CONVERGED, slots.LEAPS, slots.RUNAWAY, slots.STEP_TOO_SMALL)


def _names(drives: tuple[str, ...]) -> str:
    return drives[0] if len(drives) == 1 else f"one of {', '.join(drives[:4])}{' …' if len(drives) > 4 else ''}"


def breakdown(
    code: int,
    time: float,
    constraint: str,
    *,
    named: bool = False,
    projected: bool = True,
    expression: tuple[str, str] | None = None,
    drives: tuple[str, ...] = (),
    meeting: tuple[str, str, str] | None = None,
) -> Status:
    """The status of a run that broke down at `time`; `constraint` names where it shows. `named`: not with AUTO.

    `expression`: the element whose expression has no finite value there, and the expression. `drives`: what moves as it is told to.
    `meeting`: a string, and two points that come together.
    """
    what, remedy = _WHAT[code]
    if expression is not None:
        name, text = expression
        message = f"at t = {time:.6g} s the expression {text} of {name} has no finite value"
        return Status(code, time, name, message, "Write it so that it is defined all along the motion")
    if meeting is not None:
        string, one, two = meeting
        who = f"{one} comes to {two}" if not one.startswith("(") else f"{two} comes to {one}"
        message = f"at t = {time:.6g} s {who}: the part of {string} between them has no length left, and no direction"
        remedy = f"End the run before, as with .stop {{DIST({one},{two})<0.01}}, or keep them apart"
        return Status(code, time, string, message, remedy)
    if not projected and code == slots.NOT_FINITE:
        remedy += ", or DAESYSTEM=PROJECTED"
    if named and code in (slots.NOT_FINITE, slots.RUNAWAY):
        remedy += ", or MPI_ALGO=AUTO"
    if drives and code in _OUT_OF_REACH:
        remedy += f": what {_names(drives)} asks for may be out of reach"
    where = f"; see {constraint}" if constraint not in ("", "no constraint") else ""
    return Status(code, time, constraint, f"at t = {time:.6g} s {what}{where}", remedy)
