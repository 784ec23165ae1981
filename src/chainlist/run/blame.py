"""What a run that broke down says of it: which expression has no finite value, which constraint shows it most."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from chainlist.compile.breaks import formulas_of_element
from chainlist.compile.held import with_held
from chainlist.compile.system import Assembly
from chainlist.equations.equation import points_in
from chainlist.equations.interpret import interpreted
from chainlist.equations.layout import empty_tape_work
from chainlist.equations.primitive import Primitive
from chainlist.equations.tape import TapeWriter
from chainlist.formula import End, Formula, Moving, end_name
from chainlist.formula.analysis import over_time
from chainlist.kernels import slots
from chainlist.kernels.bundles import Floats, Work
from chainlist.kernels.tape import forward
from chainlist.model.formula import expression_text
from chainlist.model.mechanism import Mechanism
from chainlist.run.status import NO_START, Status

# How a run may end where an expression has lost its value: small steps, or Newton's method, come to an end before it.
LOST = (slots.NOT_FINITE, slots.STEP_TOO_SMALL, slots.NOT_CONVERGED, slots.LEAPS)
State = tuple[Floats, Floats]  # positions and velocities
# How a run may end where a body comes to a peg: what is between them has no length there, and no direction.
WITHOUT_DIRECTION = (
    slots.LEAPS,
    slots.NOT_CONVERGED,
    slots.RUNAWAY,
    slots.NOT_FINITE,
    slots.STEP_TOO_SMALL,
    slots.TOO_MANY_EVENTS,
    slots.HELD_UP,
)
CREEPS = 1e-4  # of the time between samples: where an adaptive step is smaller, two points may come together
# Of the size of the machine. Steps that end at a peg end on it, within 1e-10; a body that passes is never as near for long.
TOGETHER = 1e-8
JUST_AHEAD = 1e-9  # of the time so far: where the smallest steps would have led


def undefined(assembly: Assembly, when: float, here: State, kept: tuple[Floats, State]) -> tuple[str, str] | None:
    """An expression without a finite value: at the last sample, where that led, or just ahead of where the run stands.

    `kept`: the times of samples, and the samples. A run that goes on has some behind that are not finite.
    """
    if not assembly.acts:
        return None
    times, (Q, V) = kept
    beyond, count = JUST_AHEAD * when, assembly.bodies
    last = next((k for k in reversed(range(len(times))) if np.isfinite(Q[k]).all() and np.isfinite(V[k]).all()), None)
    q, v = (assembly.q[:count], assembly.v[:count]) if last is None else (Q[last], V[last])
    since = 0.0 if last is None else when - float(times[last])
    places = [(when, q, v), (when, q + since * v, v), (when + beyond, q + (since + beyond) * v, v)]
    if np.isfinite(here).all():
        q, v = here[0][:count], here[1][:count]
        places.append((when + beyond, q + beyond * v, v))
    found = (_not_finite(assembly.mechanism, *place) for place in places)
    return next((expression for expression in found if expression is not None), None)


def meeting(mechanism: Mechanism, place: Floats, near: float) -> tuple[str, str, str] | None:
    """A string, and two of its points that are not farther from one another than `near`."""
    q, index = with_held(mechanism, place[None])[0], mechanism.body_index
    for element in mechanism.elements:
        for one, two in pairwise(element.ends) if element.type.is_link and len(element.ends) > 2 else ():
            if isinstance(one, Moving) or isinstance(two, Moving):
                continue
            a, b = (q[index[end]] if isinstance(end, str) else np.array(end) for end in (one, two))
            if np.linalg.norm(b - a) <= near:
                return element.name, end_name(one), end_name(two)
    return None


def _not_finite(mechanism: Mechanism, t: float, q: Floats, v: Floats) -> tuple[str, str] | None:
    """The first element of which an expression has no finite value at a state, and the expression; None if all have."""
    for element in mechanism.elements:
        for formula in formulas_of_element(element):
            if not math.isfinite(_value(formula, mechanism, t, q, v)):
                return element.name, expression_text(formula)
    return None


def _value(formula: Formula, mechanism: Mechanism, t: float, q: Floats, v: Floats) -> float:
    index = mechanism.body_index
    primitive = Primitive(mechanism.dimension, _no_link, mechanism.held)(formula)
    moving = [end for end in points_in(primitive) if isinstance(end, Moving)]
    place = {end: len(q) + k for k, end in enumerate(moving)}
    at = np.array([[float(over_time(c, np.array([t]))[0]) for c in end.coordinates] for end in moving])
    places = np.vstack([q, at.reshape(-1, q.shape[1])])
    speeds = np.vstack([v, np.zeros((len(moving), q.shape[1]))])
    writer = TapeWriter(lambda end: place[end] if isinstance(end, Moving) else index[str(end)])
    first, last = writer.add(primitive)
    tape = writer.tape()
    work = empty_tape_work(tape)
    work.rate[1] = 1.0  # branches as they hold at t
    try:
        with np.errstate(all="ignore"):
            interpreted(forward, mechanism.dimension)(tape, work, first, last, t, places, speeds)
    except (ArithmeticError, ValueError):
        return math.nan
    return float(work.value[last - 1])


def _no_link(name: str) -> tuple[End, End]:
    raise ValueError(f"{name} was not replaced by its two ends")


def suspect(assembly: Assembly, work: Work) -> str:
    """The constraint that shows a breakdown most: the one that failed, or with the largest residual."""
    failed = int(work.count.failed)
    if failed > 0 or failed < -1:
        return assembly.name_of_row(failed - 1 if failed > 0 else -2 - failed)
    if not len(assembly.equations):
        return "no constraint"
    if work.tree is not None:
        return _fastest_body(assembly, work)
    residual = np.abs(work.rows.phi) * work.inverse_size
    if np.isfinite(residual).all():
        return assembly.name_of_row(int(np.argmax(residual)))
    return assembly.name_of_row(int(np.argmin(np.isfinite(residual))))


def _fastest_body(assembly: Assembly, work: Work) -> str:
    """From hinge to hinge no constraint is ever violated."""
    speed = np.abs(work.vn[: assembly.bodies]).max(axis=1)
    at = int(np.argmax(np.where(np.isfinite(speed), speed, np.inf)))
    name = assembly.mechanism.vectors[at].name
    return next(body.name for body in assembly.mechanism.rigid if name in (body.centre, *body.axes))


def no_start(assembly: Assembly, work: Work) -> Status:
    residual = np.abs(work.rows.phi) * work.inverse_size
    worst = np.argsort(-residual)[:4]
    # where rounding alone is in the way, the largest
    off = [k for k in worst if not residual[k] <= 1e-9] or worst[:1].tolist()
    names = list(dict.fromkeys(assembly.name_of_row(int(k)) for k in off))
    # Constraints that contradict one another were refused before: there is a position, but no way to it.
    are = "is" if len(names) == 1 else "are"
    message = f"no way was found from the start onto the constraints: {', '.join(names)} {are} not met there"
    return Status(NO_START, 0.0, names[0], message, "Give positions, or IC_POS, nearer to where they are")
