"""Whether a stored motion is the motion of a mechanism: told in words where it is not."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from chainlist.analyses.pendulum import Floats
from chainlist.elements.base import Native, Parts, shortest
from chainlist.equations.equation import equations_of, longest_length
from chainlist.equations.rowset import row_set
from chainlist.formula import Moving
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
    if not all(_same(a, b) for a, b in zip(theirs.gravity, ours.gravity, strict=True)):
        g = theirs.options.gravity
        text = f"({','.join(map(shortest, g))})" if isinstance(g, tuple) else shortest(g)
        found.append(f"--set gravity={text}")
    for name, value in theirs.parameters.items():
        if name in ours.parameters and not _same(value, ours.parameters[name]):
            found.append(f"--param {name}={shortest(value)}")
    return found


def _other_parts(theirs: Mechanism, ours: Mechanism) -> Iterator[str]:
    """Each mass, start, velocity and constraint that differs."""
    size = length_scale(ours)
    for a, b in zip(theirs.bodies, ours.bodies, strict=True):
        if not _same(a.mass, b.mass):
            yield f"{b.name} has {shortest(a.mass)} kg in it, {shortest(b.mass)} kg in the chainlist"
        if math.dist(a.start, b.start) > SAME_START * size:
            yield f"{b.name} starts at {_point(a.start)} in it, at {_point(b.start)} in the chainlist"
        if math.dist(a.velocity, b.velocity) > SAME_START * max(math.hypot(*b.velocity), size):
            yield f"{b.name} starts with {_point(a.velocity)} m/s in it, with {_point(b.velocity)} m/s in the chainlist"
    if [element.name for element in theirs.elements] != [element.name for element in ours.elements]:
        what = "elements" if theirs.forces or ours.forces else "constraints"
        yield f"its {what} are {_names(theirs.elements)}, not {_names(ours.elements)}"
        return
    for c, d in zip(theirs.elements, ours.elements, strict=True):
        if c.is_rod and d.is_rod and abs(c.parameters[1] - d.parameters[1]) > SAME_START * size:
            yield _lengths(d.name, c.parameters[1], d.parameters[1])
        elif c.letter != d.letter or c.ends != d.ends or not _same_parts(c.parts, d.parts):
            yield f"{d.name} is not the same in both"


def _same_parts(theirs: Parts, ours: Parts) -> bool:
    """The same kernels with the same numbers, or the same formulas."""
    pairs = ((theirs.rows, ours.rows), (theirs.forces, ours.forces))
    if any(len(one) != len(other) for one, other in pairs):
        return False
    for a, b in (pair for one, other in pairs for pair in zip(one, other, strict=True)):
        if isinstance(a, Native) and isinstance(b, Native):
            if a.kind != b.kind or not np.allclose(a.parameters, b.parameters, SAME_START, 1e-12):
                return False
        elif a != b:
            return False
    return True


def _other_start(trace: Trajectory, mechanism: Mechanism) -> Difference | None:
    """The first sample against the start as it is written, and as a run begins with it: a little nearer to fitting."""
    if len(trace) == 0 or trace.t[0] != 0:
        return None
    limit = SAME_START * length_scale(mechanism)
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


def broken_constraint(trace: Trajectory, mechanism: Mechanism) -> str:
    """The constraint that the first sample of a trace breaks most, in words; "" where all of them fit it."""
    if len(trace) == 0 or not mechanism.constraints:
        return ""
    q = trace.q[0]
    names = [body.name for body in mechanism.vectors]
    vectors = q[: len(names)]
    rows = row_set(names, vectors, mechanism.constraints, held=mechanism.held, as_written=True)
    with np.errstate(all="ignore"):
        found = rows.at(vectors, t=float(trace.t[0]))
        off = np.nan_to_num(np.abs(found.phi) / np.linalg.norm(found.J, axis=-1).max(axis=1), nan=0.0)
    if not off.max() > FITS * length_scale(mechanism):
        return ""
    worst = mechanism.constraints[rows.equations[int(np.argmax(off))].constraint]
    ends = [q[mechanism.body_index[end]] if isinstance(end, str) else end for end in worst.ends]
    places = [place for place in ends if not isinstance(place, Moving)]
    if worst.is_rod and len(places) == 2:
        return _lengths(worst.name, math.dist(*places), worst.parameters[1])
    return f"{worst.name} is missed by {off.max():.4g} m"


def length_scale(mechanism: Mechanism) -> float:
    """The longest link [m]; without links the extent of the bodies, and 1 m if there is none."""
    places = np.array([body.start for body in mechanism.bodies])
    equations = equations_of(mechanism.constraints, mechanism.dimension, (), mechanism.held)
    return longest_length(equations, float(np.ptp(places, axis=0).max()) if len(places) else 0.0)


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
