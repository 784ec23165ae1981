"""The rods once more for MuJoCo: joint coordinates, its own RK4, marched by `rollout` without a return to Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.mujoco_chain import require
from benchmarks.rods import Arm, Rod

THIN = 1e-9  # kg m², about the length of a thin rod on a ball joint: it must have some, and nothing turns it


def numbers(values: Any) -> str:
    return " ".join(repr(float(value)) for value in values)


def _body(rod: Rod, place: np.ndarray, inner: str) -> str:
    span = np.zeros(3)
    span[: len(rod.stop)] = np.subtract(rod.stop, rod.start)
    along, across = rod.moments
    joint = '<joint type="ball"/>' if rod.axis is None else f'<joint type="hinge" axis="{numbers(rod.axis)}"/>'
    inertia = (
        f'<inertial pos="{numbers(0.5 * span)}" mass="{rod.mass!r}" quat="{numbers(_onto(span / rod.length))}" '
        f'diaginertia="{numbers([max(along, THIN), across, across])}"/>'
    )
    return f'<body pos="{numbers(place)}">{joint}{inertia}{inner}</body>'


def _onto(way: np.ndarray) -> np.ndarray:
    """The quaternion of a turn that takes the x axis to a unit vector."""
    if way[0] < -0.999:
        return np.array([0.0, 0.0, 0.0, 1.0])  # half a turn about z; a rod is the same both ways
    found = np.array([1.0 + way[0], 0.0, -way[2], way[1]])
    return found / np.linalg.norm(found)


def _model_text(arm: Arm) -> str:
    inner = ""
    for k in reversed(range(len(arm.rods))):
        place = np.zeros(3)
        if k:
            before = arm.rods[k - 1]
            place[: len(before.stop)] = np.subtract(before.stop, before.start)
        inner = _body(arm.rods[k], place, inner)
    return (
        f'<mujoco><compiler autolimits="false"/><option integrator="RK4" gravity="0 {-arm.gravity!r} 0">'
        '<flag contact="disable" constraint="disable" limit="disable" equality="disable" frictionloss="disable"/>'
        f"</option><worldbody>{inner}</worldbody></mujoco>"
    )


class JointArm:
    """Rods as MuJoCo sees them."""

    def __init__(self, arm: Arm):
        mujoco = require()
        self.model = mujoco.MjModel.from_xml_string(_model_text(arm))
        self.data = mujoco.MjData(self.model)
        self.body, self.end = -1, np.zeros(3)
        last = arm.rods[-1]
        self.end[: len(last.stop)] = np.subtract(last.stop, last.start)

    def run(self, steps: int, h: float) -> np.ndarray:
        """March and return the states of all steps, as rollout stores them."""
        mujoco = require()
        self.model.opt.timestep = h
        full = mujoco.mjtState.mjSTATE_FULLPHYSICS
        mujoco.mj_resetData(self.model, self.data)
        start = np.zeros(mujoco.mj_stateSize(self.model, full))
        mujoco.mj_getState(self.model, self.data, start, full)
        states, _ = mujoco.rollout.rollout(self.model, [self.data], start, nstep=steps)
        return np.asarray(states[0])

    def tip(self, states: np.ndarray) -> np.ndarray:
        """Where the end of a rod, here the last one, is in the last state."""
        mujoco = require()
        mujoco.mj_setState(self.model, self.data, states[-1], mujoco.mjtState.mjSTATE_FULLPHYSICS)
        mujoco.mj_kinematics(self.model, self.data)
        turn = self.data.xmat[self.body].reshape(3, 3)
        return np.asarray(self.data.xpos[self.body] + turn @ self.end)
