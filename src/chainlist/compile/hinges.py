"""Machines that are trees of bodies on hinges: which they are, and the arrays with which kernels/hinges.py follows them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chainlist import integrators
from chainlist.formula import Moving
from chainlist.kernels.bundles import Floats, Tree, TreeWork
from chainlist.model.mechanism import Mechanism
from chainlist.model.rigidbody import RigidBody

GROUND = ""


@dataclass(frozen=True)
class Hinge:
    """How a body is held: by which body, and where both have the two points of the hinge, along their axes from their centres."""

    other: str  # its parent; "" for the ground
    own: tuple[Floats, Floats]
    theirs: tuple[Floats, Floats]


def why_no_tree(mechanism: Mechanism) -> str:
    """Why a machine is not followed from hinge to hinge; "" where it is: an open tree in space, all of it on hinges."""
    options, method = mechanism.options, integrators.REGISTRY[mechanism.options.integrator]
    if mechanism.dimension != 3 or not mechanism.rigid:
        return "it has no bodies in space"
    if options.daesystem != "PROJECTED" or options.mpi_algo != "AUTO" or method.implicit or method.holds_constraints:
        return "its method has equations of its own"
    if mechanism.switched or mechanism.stops:
        return "something in it holds only at times"
    if not all(element.type.rigid for element in mechanism.constraints):
        return "more than hinges holds it"
    for body in mechanism.rigid:
        if len(body.axes) != 3:
            return f"{body.name} is thin"
        if any(isinstance(end, Moving) for end in body.points):
            return f"a point of {body.name} moves as told"
        if any(len(ends) != 2 for ends in body.shared.values()):
            return f"{body.name} is not on hinges alone"
    if len(mechanism.vectors) != 4 * len(mechanism.rigid):
        return "points move beside its bodies"
    holders, hinges = _holders(mechanism.rigid), sum(len(body.shared) for body in mechanism.rigid)
    if len(holders) < len(mechanism.rigid):
        return "part of it hangs on nothing"
    return "" if hinges == len(holders) else "its hinges close a circle"


def hinge_tree(mechanism: Mechanism) -> Tree | None:
    """The tree of a machine that is one, parents before children; None for all others."""
    if why_no_tree(mechanism):
        return None
    bodies = {body.name: body for body in mechanism.rigid}
    holders = _holders(mechanism.rigid)
    hinges = {name: _hinge(name, other, bodies) for name, other in holders.items()}
    order = list(holders)
    number = {GROUND: 0} | {name: k for k, name in enumerate(order, start=1)}
    count = 1 + len(order)
    vector, parent = np.zeros((count, 4), np.uint32), np.zeros(count, np.uint32)
    mass, lengths = np.zeros(count), np.ones((count, 3))
    pin, pin_of_parent = np.zeros((count, 3)), np.zeros((count, 3))
    triad, triad_of_parent = np.zeros((count, 3, 3)), np.zeros((count, 3, 3))
    index, starts = mechanism.vector_index, {body.name: body.start for body in mechanism.vectors}
    hands = {GROUND: 1.0} | {name: _hand(bodies[name], starts) for name in order}
    for k, name in enumerate(order, start=1):
        body, hinge = bodies[name], hinges[name]
        vector[k] = [index[body.centre], *(index[axis] for axis in body.axes)]
        parent[k] = number[hinge.other]
        mass[k], lengths[k] = body.mass, body.lengths
        pin[k], pin_of_parent[k] = hinge.own[0], hinge.theirs[0]
        triad[k], triad_of_parent[k] = _triad(*hinge.own, hands[name]), _triad(*hinge.theirs, hands[hinge.other])
    return Tree(
        vector=vector,
        parent=parent,
        mass=mass,
        length=lengths,
        per_length=1.0 / lengths,
        moment=mass[:, None] * lengths**2,
        pin=pin,
        pin_of_parent=pin_of_parent,
        triad=triad,
        triad_of_parent=triad_of_parent,
    )


def _holders(rigid: Sequence[RigidBody]) -> dict[str, str]:
    """Of every body that a way of joints leads to from the ground, the one before it on that way; that one stands first."""
    beside: dict[str, list[str]] = {name: [] for name in (GROUND, *(body.name for body in rigid))}
    for body in rigid:  # which of two has the joint depends on the order of their cards
        for other in body.shared:
            beside[body.name].append(other)
            beside[other].append(body.name)
    found, reached = {GROUND: GROUND}, [GROUND]
    for name in reached:
        new = [other for other in beside[name] if other not in found]
        found |= dict.fromkeys(new, name)
        reached += new
    del found[GROUND]
    return found


def _hinge(name: str, other: str, bodies: dict[str, RigidBody]) -> Hinge:
    body = bodies[name]
    ends = body.shared.get(other) or bodies[other].shared[name]
    own = [np.array(body.outline[body.points.index(end)]) for end in ends]
    if other == GROUND:
        theirs = [np.array(end, float) for end in ends]
    else:
        theirs = [np.array(bodies[other].outline[bodies[other].points.index(end)]) for end in ends]
    return Hinge(other, (own[0], own[1]), (theirs[0], theirs[1]))


def _hand(body: RigidBody, starts: dict[str, tuple[float, ...]]) -> float:
    """1 where its axes are a right-handed frame, −1 where they are a left-handed one."""
    return math.copysign(1.0, float(np.linalg.det([starts[axis] for axis in body.axes])))


def _triad(first: Floats, second: Floats, hand: float) -> Floats:
    """Columns: the direction of a hinge, and two across it, along the axes of a body; right-handed in the world."""
    u = (second - first) / np.linalg.norm(second - first)
    across = np.eye(3)[int(np.abs(u).argmin())]
    f = across - (across @ u) * u
    f /= np.linalg.norm(f)
    return np.stack([u, f, hand * np.cross(u, f)], axis=1)


def empty_tree_work(tree: Tree) -> TreeWork:
    """Scratch; the ground stands still, its axes are those of the world."""
    count = len(tree.parent)
    fields = {name: np.zeros((count, 3)) for name in _VECTORS}
    axes = np.zeros((count, 3, 3))
    axes[0] = np.eye(3)
    return TreeWork(
        **fields,
        E=axes,
        A=np.zeros((2 * count, 3)),
        B=np.zeros((3 * count, 3)),
        D=np.zeros((2 * count, 3)),
        give=np.zeros(count),
        turn=np.zeros(count),
    )


_VECTORS = "place speed omega axis arm way tau phi zeta beta U V alpha accel".split()
