"""Rigid bodies as the model hands them to pictures, made by hand: motions that are known exactly, in the plane and in space."""

from dataclasses import replace

import numpy as np

import chainlist
from chainlist.model.mechanism import Body
from chainlist.model.rigidbody import RigidBody
from chainlist.run.trajectory import Trajectory


def turned(angles, axis):
    """(n, 3, 3): the axes of a body as rows, turned about an axis."""
    x, y, z = np.array(axis) / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    each = [np.eye(3) + np.sin(a) * k + (1 - np.cos(a)) * k @ k for a in angles]
    return np.array([matrix.T for matrix in each])


def moving(text, bodies, t):
    """A motion of `text` and of rigid bodies.

    `bodies`: (name, shape, points, settings, centre (n, dim), axes (n, k, dim)); points are names of held points → place in
    the body, and anchors → place in the body.
    """
    mechanism = chainlist.parse(text)
    dim, span = mechanism.dimension, mechanism.bodies[0].span
    columns = {body.name: np.tile(np.array(body.start), (len(t), 1)) for body in mechanism.bodies}
    found, rigid = list(mechanism.bodies), []

    def add(name, where, role):
        columns[name] = where
        at = tuple(where[0])
        found.append(Body(name, at, 0.0, at, (0.0,) * dim, span, role=role))

    for name, shape, points, settings, centre, axes in bodies:
        inside = np.array(list(points.values()), float).reshape(-1, dim)
        across = axes if dim == 3 else np.stack([axes[:, 0], axes[:, 0] @ np.array([[0, 1], [-1, 0]])], 1)
        for end, place in zip(points, inside, strict=True):
            if isinstance(end, str) and end not in columns:
                add(end, centre + np.einsum("c,ncd->nd", place[: across.shape[1]], across), "held")
        add(name, centre, "centre")
        names = tuple(f"{name}.{letter}" for letter in "uvw"[: axes.shape[1]])
        for k, axis in enumerate(names):
            add(axis, LENGTH * axes[:, k], "axis")
        known = inside[:, : across.shape[1]]  # a rod knows where its points are along its only axis
        made = RigidBody(name, tuple(points), shape, 1.0, name, names, (LENGTH,) * len(names), tuple(map(tuple, known)))
        rigid.append(replace(made, **settings))
    machine = replace(mechanism, bodies=tuple(found), rigid=tuple(rigid))
    q = np.stack([columns[body.name] for body in found], 1)
    return Trajectory(mechanism=machine, t=t, q=q, v=np.gradient(q, t, axis=0))


LENGTH = 0.3  # of an axis: its radius of gyration

PLANE = """Bodies in the plane
B0 (2.2,1.6) 1
C0 B0 (2.2,2.4)
.tran 0 2 0.01
.options PLOTMODE={mode}
.plot CONSTRAINTS(ALL)
"""


def in_plane(mode="STATIC"):
    """A rod on a pivot, a plate, a disk, a hoop, and a body with its centre of mass, all turning."""
    t = np.linspace(0, 2, 201)
    zero, one = np.zeros_like(t), np.ones_like(t)

    def axis(rate):
        return np.stack([np.cos(rate * t), np.sin(rate * t)], -1)[:, None]

    arm = axis(-0.8)[:, 0]
    bodies = [
        ("R1", "rod", {(0.0, 2.0): (-0.6, 0.0), "B1": (0.6, 0.0)}, {}, np.array([0, 2.0]) + 0.6 * arm, axis(-0.8)),
        (
            "R2",
            "polygon",
            {"B2": (-0.4, -0.3), "B3": (0.5, -0.3), "B4": (0.1, 0.5)},
            {},
            np.stack([0.2 + 0.1 * t, 0.3 * one], -1),
            axis(0.4),
        ),
        ("R3", "disk", {"B5": (0.0, 0.0)}, {"radius": 0.35}, np.stack([1.4 + 0.35 * t, 0 * one], -1), axis(-1.0)),
        ("R4", "hoop", {"B6": (0.0, 0.0)}, {"radius": 0.4}, np.stack([2.8 + zero, 0.4 * one], -1), axis(2.0)),
        (
            "R5",
            "body",
            {"B7": (-0.4, -0.1), "B8": (0.3, -0.2), "B9": (0.2, 0.4)},
            {},
            np.stack([1.5 + zero, 1.2 * one], -1),
            axis(0.6),
        ),
    ]
    return moving(PLANE.format(mode=mode), bodies, t)


SPACE = """Bodies in space
B0 (1.8,0.9,-0.9) 1
C0 B0 (1.8,2,-0.9)
.tran 0 2 0.01
.options PLOTMODE={mode}
.plot CONSTRAINTS(ALL)
"""
CUBE = {
    f"B1{i}": (x, y, z)
    for i, (x, y, z) in enumerate((x, y, z) for x in (-0.3, 0.3) for y in (-0.2, 0.2) for z in (-0.4, 0.4))
}


def in_space(mode="STATIC"):
    """A rod, a plate, a disk, a hoop, a ball, a shell, a box and a tetrahedron with its centre of mass, all turning."""
    t = np.linspace(0, 2, 201)

    def at(x, y, z):
        return np.tile([x, y, z], (len(t), 1)).astype(float)

    bodies = [
        ("R1", "rod", {"B1": (-0.6, 0, 0), "B2": (0.6, 0, 0)}, {}, at(0, 1.6, 0), turned(t, (0, 1, 0.3))[:, :1]),
        (
            "R2",
            "polygon",
            {"B3": (-0.4, -0.3, 0), "B4": (0.5, -0.3, 0), "B5": (0.1, 0.5, 0)},
            {},
            at(1.2, 1.5, 0.4),
            turned(t, (0, 1, 0.3)),
        ),
        (
            "R3",
            "disk",
            {"B6": (0, 0, 0)},
            {"radius": 0.35, "normal": (0, 0, 1)},
            at(0, 0.4, 1.0),
            turned(t + 0.3, (0, 1, 1)),
        ),
        (
            "R4",
            "hoop",
            {"B7": (0, 0, 0)},
            {"radius": 0.45, "normal": (0, 1, 0)},
            at(1.2, 0.5, 1.0),
            turned(t + 0.3, (1, 0, 0.5)),
        ),
        ("R5", "ball", {"B8": (0, 0, 0)}, {"radius": 0.35}, at(0, 0.35, -0.2), turned(t + 0.5, (1, 1, 0))),
        ("R6", "shell", {"B9": (0, 0, 0)}, {"radius": 0.3}, at(2.2, 0.3, 0.9), turned(t + 0.8, (1, 1, 0))),
        ("R7", "solid", CUBE, {}, at(1.0, 0.5, -0.3), turned(t + 0.3, (0.2, 1, 0.1))),
        (
            "R8",
            "body",
            {"B20": (-0.3, -0.2, 0.1), "B21": (0.3, -0.2, 0.2), "B22": (0, -0.1, -0.3), "B23": (0, 0.5, 0)},
            {},
            at(2.2, 1.3, 0.2),
            turned(t, (0, 1, 0)),
        ),
    ]
    return moving(SPACE.format(mode=mode), bodies, t)
