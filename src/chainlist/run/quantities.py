"""One small function for each observable: the values over all samples of one body, constraint or pair of points."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from chainlist.equations.value import place_at_start
from chainlist.formula import Moving
from chainlist.model.mechanism import End
from chainlist.model.rigidbody import RigidBody
from chainlist.run.hinges import hinge, hinge_arrow
from chainlist.run.moments import Floats, Moments, Motion, complain, error
from chainlist.syntax.errors import ChainlistError

__all__ = ["QUANTITIES", "Floats", "Moments", "Motion", "cannot_combine"]


def cannot_combine(text: str, counts: list[int]) -> ChainlistError:
    found = " and ".join(str(n) for n in counts)
    return error(
        "E276", f"{text} puts {found} curves together", "name as many entities on both sides, or one on one side"
    )


# Bodies


def _of_body(read: Callable[[Moments, End], Floats], component: int | None = None) -> Callable[..., Floats]:
    def quantity(m: Moments, body: End) -> Floats:
        values = read(m, body)
        return values if component is None else values[:, component]

    return quantity


def _position(m: Moments, body: End) -> Floats:
    return m.position(body)


def _velocity(m: Moments, body: End) -> Floats:
    return m.velocity(body)


def _acceleration(m: Moments, body: End) -> Floats:
    return m.forces.acceleration[:, m.mechanism.body_index[str(body)]]


# Constraints


def _residuals(m: Moments, name: End) -> tuple[Floats, Floats]:
    """Φ and its rate of one constraint over all samples; of several rows the length of their vector."""
    constraint = m.constraints[str(name)]
    for end in constraint.ends:
        if isinstance(end, str):
            m.position(end)  # says so where it is missing
    if constraint.parts.switches:  # what holds only at times has a residual only then
        unknown = np.full(len(m.t), np.nan)
        return unknown, unknown
    surveyed, rows, of_velocities = m.surveyed(constraint)
    phi = surveyed.speed if of_velocities else surveyed.phi
    both = [
        values[:, rows[0]] if len(rows) == 1 else np.linalg.norm(values[:, rows], axis=1)
        for values in (phi, surveyed.speed)
    ]
    return both[0], both[1]


def _phi(m: Moments, name: End) -> Floats:
    return _residuals(m, name)[0]


def _derivative(m: Moments, name: End) -> Floats:
    for end in m.constraints[str(name)].ends:
        if isinstance(end, str):
            m.velocity(end)  # says so where it is missing
    return _residuals(m, name)[1]


def _lambda(m: Moments, name: End) -> Floats:
    return m.forces.multiplier[:, m.row(name)]


def _tension(m: Moments, name: End) -> Floats:
    return m.forces.tension[:, m.row(name)]


def _shear(m: Moments, name: End) -> Floats:
    return m.forces.shear[:, m.row(name)]


# The whole


def _time(m: Moments) -> Floats:
    return m.t


def _events(m: Moments) -> Floats:
    """How many events there were up to each sample."""
    times = np.sort([event.time for event in m.events])
    return np.searchsorted(times, m.t, side="right").astype(np.float64)


def _kinetic(m: Moments) -> Floats:
    m.velocities  # noqa: B018  says so where they are missing
    return m.energies[0]


def _potential(m: Moments) -> Floats:
    m.need_positions()
    return m.energies[1]


def _work(m: Moments) -> Floats:
    if not m.assembly.acts:
        return np.zeros(len(m.t))
    memory = m.memory
    if memory is None:
        complain("Work, which is integrated along with the motion", "Work")
    return memory[:, 0]


def _force(m: Moments, name: End) -> Floats:
    return m.forces.pull[:, m.force(name)]


def _torque(m: Moments, name: End) -> Floats:
    """Of a torque element what acts on its first link, of a motor its multiplier."""
    if str(name) in m.constraints:
        return _tension(m, name)
    return m.forces.pull[:, m.force(name)]


def _power(m: Moments, name: End) -> Floats:
    if str(name) in m.constraints:
        return m.forces.constraint_power[:, m.row(name)]
    return m.forces.power[:, m.force(name)]


def _total(m: Moments) -> Floats:
    return _kinetic(m) + _potential(m)


# Geometry


def _distance(m: Moments, first: End, second: End) -> Floats:
    values: Floats = np.sqrt(np.sum((m.position(second) - m.position(first)) ** 2, axis=1))
    return np.broadcast_to(values, m.t.shape)


def _arrow(m: Moments, first: End, second: End | None) -> tuple[Floats, Floats | None]:
    """From the first point to the second, or along a link, over all samples; and how it changes, where that is known."""
    if second is None:
        first, second = m.constraints[str(first)].arm
    apart = np.broadcast_to(m.position(second) - m.position(first), (len(m.t), m.mechanism.dimension))
    if not m.has_velocities or isinstance(first, Moving) or isinstance(second, Moving):
        return apart, None
    return apart, np.broadcast_to(m.velocity(second) - m.velocity(first), apart.shape)


def _angle(m: Moments, first: End, second: End | None = None, third: End | None = None) -> Floats:
    if third is not None and second is not None:
        return _angle_at(m, first, second, third)
    if second is None and m.mechanism.dimension == 3:
        return _angle_of_hinge(m, first)
    apart, rate = _arrow(m, first, second)
    key = (first, second) if second is not None else tuple(m.constraints[str(first)].arm)
    return m.turning.angle(key, m.t, apart, rate)


def _angle_at(m: Moments, first: End, middle: End, third: End) -> Floats:
    """Between the arms from the middle point: the angle of the arrow (a·b, a×b), which turns as the angle grows."""
    (a, ua), (b, ub) = _arrow(m, middle, first), _arrow(m, middle, third)
    if m.mechanism.dimension == 3:
        between: Floats = np.arctan2(np.linalg.norm(np.cross(a, b), axis=1), np.sum(a * b, axis=1))
        return between
    rate = None
    if ua is not None and ub is not None:
        rate = _dot_and_cross(ua, b) + _dot_and_cross(a, ub)
    return m.turning.angle((first, middle, third), m.t, _dot_and_cross(a, b), rate)


def _dot_and_cross(a: Floats, b: Floats) -> Floats:
    return np.stack([a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1], a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]], axis=1)


def _speed(m: Moments, body: End) -> Floats:
    speed: Floats = np.sqrt(np.sum(m.velocity(body) ** 2, axis=1))
    return speed


def _omega(m: Moments, first: End, second: End | None = None) -> Floats:
    """dθ/dt = (d × u)/|d|²; nan where the points meet. Of a rigid body in space the vector ω."""
    if second is None and m.mechanism.dimension == 3:
        return _spin(m, _rigid(m, first))
    ends = (first, second) if second is not None else m.constraints[str(first)].arm
    for end in ends:
        m.velocity(end)  # says so where it is missing
    apart, rate = _arrow(m, first, second)
    assert rate is not None
    with np.errstate(all="ignore"):
        omega: Floats = (apart[:, 0] * rate[:, 1] - apart[:, 1] * rate[:, 0]) / np.sum(apart**2, axis=1)
    return omega


# Rigid bodies


def _rigid(m: Moments, name: End) -> RigidBody:
    return next(body for body in m.mechanism.rigid if body.name == name)


def _momentum(m: Moments, name: End) -> Floats:
    """About the centre of mass: Σ m a × da/dt over the axes, as long as the radii of gyration."""
    body = _rigid(m, name)
    pairs = [(m.position(axis), m.velocity(axis)) for axis in body.axes]
    if m.mechanism.dimension == 2:
        ((a, u),) = pairs
        return np.asarray(body.mass * _dot_and_cross(a, u)[:, 1])
    found = np.asarray(body.mass * sum(np.cross(a, u) for a, u in pairs))
    if body.spin:
        found += body.axial * body.spin * pairs[0][0] / body.lengths[0]
    return found


def _spin(m: Moments, body: RigidBody) -> Floats:
    """In space: ω = ½ Σ a × da/dt over three axes of length 1; a plate has its third across the two."""
    axes = [(m.position(axis) / k, m.velocity(axis) / k) for axis, k in zip(body.axes, body.lengths, strict=True)]
    if body.spin:
        ((n, rate),) = axes
        return np.asarray(np.cross(n, rate) + body.spin * n)
    if len(axes) == 1:
        raise error(
            "E281",
            f"OMEGA({body.name}): a thin rod in space does not tell how it turns about itself",
            "ask for H, or for V of its ends",
        )
    if len(axes) == 2:
        (a, u), (b, v) = axes
        axes.append((np.cross(a, b), np.cross(u, b) + np.cross(a, v)))
    return np.asarray(0.5 * sum(np.cross(a, u) for a, u in axes))


def _angle_of_hinge(m: Moments, name: End) -> Floats:
    body = _rigid(m, name)
    found = hinge(m.mechanism, body)
    arrow = None if found is None else hinge_arrow(m, body, *found)
    if arrow is None:
        help = "share two points with another body, or give it two anchors: they are the axis"
        raise error("E402", f"ANGLE({name}): in space a body has an angle only about a hinge", help)
    return m.turning.angle(("hinge", name), m.t, *arrow)


def _at_start(end: End) -> End:
    """A moving anchor is asked for by where it is at the time 0."""
    return place_at_start(end) if isinstance(end, Moving) else end


def _joint(m: Moments, name: End, point: End) -> Floats:
    """What the others at a point put on a body: + at its own rows, − at those by which others are pinned to it."""
    d = m.mechanism.dimension
    total = np.zeros((len(m.t), d))
    for body in m.mechanism.rigid:
        sign = 1.0 if body.name == name else -1.0
        for joint in body.joints:
            if _at_start(joint.at) == point and (body.name == name or joint.other == name):
                for c in range(d):
                    total[:, c] += sign * m.forces.by_row[:, m.row_of(body.name, joint.row + c)]
    return total


QUANTITIES: dict[str, Callable[..., Floats]] = {
    "time": _time,
    "events": _events,
    "q": _of_body(_position),
    "v": _of_body(_velocity),
    "a": _of_body(_acceleration),
    "x": _of_body(_position, 0),
    "y": _of_body(_position, 1),
    "z": _of_body(_position, 2),
    "vx": _of_body(_velocity, 0),
    "vy": _of_body(_velocity, 1),
    "vz": _of_body(_velocity, 2),
    "ax": _of_body(_acceleration, 0),
    "ay": _of_body(_acceleration, 1),
    "az": _of_body(_acceleration, 2),
    "phi": _phi,
    "derivative": _derivative,
    "lambda": _lambda,
    "tension": _tension,
    "shear": _shear,
    "t": _kinetic,
    "u": _potential,
    "etotal": _total,
    "work": _work,
    "force": _force,
    "torque": _torque,
    "power": _power,
    "dist": _distance,
    "angle": _angle,
    "omega": _omega,
    "speed": _speed,
    "cg": _of_body(_position),
    "h": _momentum,
    "joint": _joint,
}
