"""Whether a stored motion is the motion of a mechanism: told in words where it is not."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from chainlist.analyses.pendulum import Floats
from chainlist.compile.equation import longest_length
from chainlist.elements.base import shortest
from chainlist.model.equations import rows
from chainlist.model.mechanism import Element, Mechanism, Transient
from chainlist.run.simulate import simulate
from chainlist.run.trajectory import Trajectory

SAME_NUMBER = 1e-9  # relative: masses, gravity
SAME_START = 1e-6  # of the size of the mechanism
FITS = 1e-3  # of the size: residuals of a first sample that are no accident of integration


@dataclass(frozen=True)
class Difference:
    """What tells two motions apart, and the settings with which the chainlist would give the stored one ("" if unknown)."""

    what: str
    cure: str = ""


def difference(trace: Trajectory, mechanism: Mechanism) -> Difference | None:
    """What makes a trace the motion of another mechanism than this one with the same bodies; None if nothing does."""
    theirs = trace.mechanism
    if any(math.isnan(body.mass) for body in theirs.bodies):  # the file holds no mechanism of its own, only numbers
        return _other_start(trace, mechanism)
    settings = _other_settings(theirs, mechanism)
    parts = next(_other_parts(theirs, mechanism), None)
    if settings and (parts or settings[0].startswith("--set")):
        words = " ".join(setting.split()[1] for setting in settings)
        return Difference(f"was run with {words}", " ".join(settings))
    return Difference(f"is of another mechanism: {parts}") if parts else None


def _other_settings(theirs: Mechanism, ours: Mechanism) -> list[str]:
    """`--set gravity=1.62`, `--param L=2`: what would make our mechanism theirs, gravity first."""
    found = []
    if not _same(theirs.options.gravity, ours.options.gravity):
        found.append(f"--set gravity={shortest(theirs.options.gravity)}")
    for name, value in theirs.parameters.items():
        if name in ours.parameters and not _same(value, ours.parameters[name]):
            found.append(f"--param {name}={shortest(value)}")
    return found


def _other_parts(theirs: Mechanism, ours: Mechanism) -> Iterator[str]:
    """Each mass, start, velocity and constraint that differs."""
    size = size_of(ours)
    for a, b in zip(theirs.bodies, ours.bodies, strict=True):
        if not _same(a.mass, b.mass):
            yield f"{b.name} has {shortest(a.mass)} kg in it, {shortest(b.mass)} kg in the chainlist"
        if math.dist(a.start, b.start) > SAME_START * size:
            yield f"{b.name} starts at {_point(a.start)} in it, at {_point(b.start)} in the chainlist"
        if math.dist(a.velocity, b.velocity) > SAME_START * max(math.hypot(*b.velocity), size):
            yield f"{b.name} starts with {_point(a.velocity)} m/s in it, with {_point(b.velocity)} m/s in the chainlist"
    if [c.name for c in theirs.constraints] != [c.name for c in ours.constraints]:
        yield f"its constraints are {_names(theirs.constraints)}, not {_names(ours.constraints)}"
        return
    for c, d in zip(theirs.constraints, ours.constraints, strict=True):
        if c.letter == d.letter == "C" and abs(c.parameters[1] - d.parameters[1]) > SAME_START * size:
            yield _lengths(d.name, c.parameters[1], d.parameters[1])
        elif c.letter != d.letter or c.ends != d.ends or not np.allclose(c.parameters, d.parameters, SAME_START, 1e-12):
            yield f"{d.name} is not the same in both"


def _other_start(trace: Trajectory, mechanism: Mechanism) -> Difference | None:
    """The first sample against the start as it is written, and as a run begins with it: a little nearer to fitting."""
    if len(trace) == 0 or trace.t[0] != 0:
        return None
    limit = SAME_START * size_of(mechanism)
    written = np.array([body.start for body in mechanism.bodies])
    if _largest(trace.q[0] - written) <= limit:
        return None
    options = dataclasses.replace(mechanism.options, save=None)
    step = mechanism.transient.step
    begun = simulate(dataclasses.replace(mechanism, options=options, transient=Transient(0.0, step, step))).q
    off = trace.q[0] - (begun[0] if len(begun) else written)
    if _largest(off) <= limit:
        return None
    body = int(np.nanargmax(np.abs(off).max(axis=1)))
    here, there = _point(mechanism.bodies[body].start), _point(trace.q[0, body])
    return Difference(
        f"begins elsewhere: {mechanism.bodies[body].name} is at {there} in it, at {here} in the chainlist"
    )


def misfit(trace: Trajectory, mechanism: Mechanism) -> str:
    """The constraint that the first sample of a trace breaks most, in words; "" where all of them fit it."""
    if len(trace) == 0 or not mechanism.constraints:
        return ""
    q = trace.q[0]
    with np.errstate(all="ignore"):
        phi, J, _, _ = rows(mechanism, q, np.zeros_like(q))
        off = np.nan_to_num(np.abs(phi) / np.linalg.norm(J[:, 0], axis=-1), nan=0.0)
    if not off.max() > FITS * size_of(mechanism):
        return ""
    worst = mechanism.constraints[int(np.argmax(off))]
    if worst.letter == "C":
        first, last = (q[mechanism.body_index[end]] if isinstance(end, str) else end for end in worst.ends)
        return _lengths(worst.name, math.dist(first, last), worst.parameters[1])
    return f"{worst.name} is missed by {off.max():.4g} m"


def size_of(mechanism: Mechanism) -> float:
    """The longest link [m]; without links the extent of the bodies, and 1 m if there is none."""
    places = np.array([body.start for body in mechanism.bodies])
    return longest_length(mechanism.constraints, float(np.ptp(places, axis=0).max()) if len(places) else 0.0)


def _lengths(name: str, there: float, here: float) -> str:
    return f"{name} is {there:.6g} m long in it, {here:.6g} m in the chainlist"


def _same(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=SAME_NUMBER)


def _largest(off: Floats) -> float:
    """Of what is known: a trace may hold some bodies only."""
    known = np.abs(off[np.isfinite(off)])
    return float(known.max()) if known.size else 0.0


def _names(constraints: Sequence[Element]) -> str:
    return ", ".join(constraint.name for constraint in constraints[:6]) or "none"


def _point(place: Sequence[float] | Floats) -> str:
    return f"({','.join(f'{x:.6g}' for x in place)})"
