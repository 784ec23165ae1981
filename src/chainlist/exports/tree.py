"""A planar machine as a tree of joints, as robots are described: each rod turns about the point that holds it.

Rods that close a loop, and rails of bodies that hang from something else, are left over: some formats can close them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from chainlist.exports.base import Machine, Rail, Rod, cross, machine, refuse, start_of
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Mechanism


@dataclass(eq=False)
class Joint:
    """How a body hangs: `hinge` about `pivot`, `slide` along `axis`, or `free` in the plane. Rates are those of the start."""

    body: str
    kind: str
    place: Floats  # of the body, in the plane
    frame: Floats  # of what holds it: the place of the body above, or the origin
    pivot: Floats
    axis: Floats
    mass: float
    rates: tuple[float, ...] = (0.0,)
    turning: float = 0.0  # rad/s of its frame
    children: list[Joint] = field(default_factory=list)


@dataclass(frozen=True)
class JointTree:
    """The roots, all joints from the roots on, and what is left over."""

    machine: Machine
    roots: tuple[Joint, ...]
    joints: tuple[Joint, ...]
    rods: tuple[Rod, ...]
    rails: tuple[Rail, ...]


def tree_of(mechanism: Mechanism, format: str) -> JointTree:
    """The tree of a mechanism; raises `CannotExport`."""
    found = machine(mechanism, format)
    if mechanism.dimension == 3:
        refuse(format, ["it is spatial, and a rod that spins freely about itself has no place among joints"])
    return _Grower(found).tree()


class _Grower:
    def __init__(self, found: Machine) -> None:
        self.found = found
        q, v = start_of(found.mechanism)
        points = found.mechanism.points
        self.q = {body.name: q[k] for k, body in enumerate(points)}
        self.v = {body.name: v[k] for k, body in enumerate(points)}
        self.mass = {body.name: body.mass for body in points}
        self.joints: dict[str, Joint] = {}
        self.rods = list(found.rods)
        self.rails = list(found.rails)

    def tree(self) -> JointTree:
        roots = self._slides() + self._hanging()
        self._grow()
        for name in self.q:  # what nothing holds is free
            if name not in self.joints:
                roots.append(
                    self._add(Joint(name, "free", self.q[name], _O, _O, _O, self.mass[name], tuple(self.v[name])))
                )
                self._grow()
        return JointTree(self.found, tuple(roots), tuple(self.joints.values()), tuple(self.rods), tuple(self.rails))

    def _add(self, joint: Joint) -> Joint:
        self.joints[joint.body] = joint
        return joint

    def _slides(self) -> list[Joint]:
        roots = []
        for rail in list(self.rails):
            if rail.body in self.joints:
                continue
            along = np.array([-rail.normal[1], rail.normal[0]]) / math.hypot(*rail.normal)
            rate = float(along @ self.v[rail.body])
            joint = Joint(rail.body, "slide", self.q[rail.body], _O, _O, along, self.mass[rail.body], (rate,))
            roots.append(self._add(joint))
            self.rails.remove(rail)
        return roots

    def _hanging(self) -> list[Joint]:
        """Bodies on rods from anchors."""
        roots = []
        for rod in list(self.rods):
            anchor = next((np.array(end) for end in rod.ends if not isinstance(end, str)), None)
            body = next((end for end in rod.ends if isinstance(end, str)), "")
            if anchor is None or body in self.joints:
                continue
            self.rods.remove(rod)
            roots.append(self._hinge(body, anchor, None))
        return roots

    def _hinge(self, body: str, pivot: Floats, above: Joint | None) -> Joint:
        arm = self.q[body] - pivot
        speed = self.v[body] - (self.v[above.body] if above is not None else 0.0)
        turning = cross(arm, speed) / float(arm @ arm)
        rate = turning - (above.turning if above is not None else 0.0)
        frame = self.q[above.body] if above is not None else _O
        return self._add(Joint(body, "hinge", self.q[body], frame, pivot, _O, self.mass[body], (rate,), turning))

    def _grow(self) -> None:
        """Hang what rods join to bodies that hang already, until nothing is left that could."""
        grown = True
        while grown:
            grown = False
            for rod in list(self.rods):
                one, two = rod.ends
                if not (isinstance(one, str) and isinstance(two, str)) or (one in self.joints) == (two in self.joints):
                    continue
                above, body = (one, two) if one in self.joints else (two, one)
                self.rods.remove(rod)
                joint = self.joints[above]
                joint.children.append(self._hinge(body, self.q[above], joint))
                grown = True


_O = np.zeros(2)
