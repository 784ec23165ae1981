"""The angle of a rigid body in space about its hinge, against the body it is hinged to, or against the ground."""

from __future__ import annotations

import numpy as np

from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Mechanism
from chainlist.model.rigidbody import RigidBody
from chainlist.run.moments import Moments


def hinge(mechanism: Mechanism, body: RigidBody) -> tuple[Floats, RigidBody | None] | None:
    """The axis at the start (along the first two points that it shares with one partner), and the partner; None: it has no hinge."""
    places = {point.name: point.start for point in mechanism.bodies}
    for other, ends in body.shared.items():
        still = [end for end in ends if isinstance(end, str | tuple)]
        if len(still) == 2:
            one, two = (np.array(places[end] if isinstance(end, str) else end, float) for end in still)
            axis = two - one
            partner = next((b for b in mechanism.rigid if b.name == other), None)
            return axis / np.linalg.norm(axis), partner
    return None


def hinge_arrow(
    m: Moments, body: RigidBody, axis: Floats, other: RigidBody | None
) -> tuple[Floats, Floats | None] | None:
    """(cosine, sine) of the angle, and its rate; None where a body is too thin to tell."""
    own, theirs = _unit_axes(m.mechanism, body), _unit_axes(m.mechanism, other)
    across = [unit - (unit @ axis) * axis for unit in own]
    n = max(across, key=lambda v: float(np.linalg.norm(v)))
    n = n / np.linalg.norm(n)
    b = np.cross(axis, n)
    vectors = [_fixed(m, body, own, n), _fixed(m, other, theirs, n), _fixed(m, other, theirs, b)]
    if any(vector is None for vector in vectors):
        return None
    (turned, dt), (along, da), (beside, db) = (vector for vector in vectors if vector is not None)
    arrow = np.stack([np.sum(turned * along, axis=1), np.sum(turned * beside, axis=1)], axis=1)
    if not m.has_velocities:
        return arrow, None
    rates = [np.sum(dt * x + turned * u, axis=1) for x, u in ((along, da), (beside, db))]
    return arrow, np.stack(rates, axis=1)


def _unit_axes(mechanism: Mechanism, body: RigidBody | None) -> list[Floats]:
    """At the start."""
    if body is None:
        return []
    at = mechanism.body_index
    return [np.array(mechanism.bodies[at[a]].start) / k for a, k in zip(body.axes, body.lengths, strict=True)]


def _fixed(m: Moments, body: RigidBody | None, units: list[Floats], direction: Floats) -> tuple[Floats, Floats] | None:
    """The vector fixed in a body that has this direction at the start, over all samples, and its rate."""
    shape = (len(m.t), 3)
    if body is None:
        return np.broadcast_to(direction, shape), np.zeros(shape)
    parts = [float(unit @ direction) for unit in units]
    across = 0.0
    if len(units) == 2:  # the normal of a plate
        normal = np.cross(units[0], units[1])
        across = float(normal @ direction)
        direction = direction - across * normal
    if np.linalg.norm(direction - sum(part * unit for part, unit in zip(parts, units, strict=True))) > 1e-9:
        return None
    place, rate = np.zeros(shape), np.zeros(shape)
    for part, axis, length in zip(parts, body.axes, body.lengths, strict=True):
        place += part / length * m.position(axis)
        if m.has_velocities:
            rate += part / length * m.velocity(axis)
    if across:
        (u, v), share = (m.position(axis) for axis in body.axes), across / (body.lengths[0] * body.lengths[1])
        place += share * np.cross(u, v)
        if m.has_velocities:
            du, dv = (m.velocity(axis) for axis in body.axes)
            rate += share * (np.cross(du, v) + np.cross(u, dv))
    return place, rate
