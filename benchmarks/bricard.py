"""Bricard's mechanism for others: a ring of six hinges, one more equation than it has freedoms to lose.

MuJoCo follows five hinges and holds the sixth by two connections, softly, as stiffly as the step allows. Exudyn holds all six by
joints of bodies; of its solvers only the dense one with full pivoting gets past the equation that says nothing new.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.exudyn_rods import require as require_exudyn
from benchmarks.mujoco_chain import require as require_mujoco
from benchmarks.mujoco_rods import JointArm, numbers
from benchmarks.peers.exudyn_peer import settings_of
from tests.references.bodies.bricard import DIRECTIONS, GRAVITY, HINGES, PROBLEMS, WIDE

TITLE = "Bricard's mechanism"
TIP = "B2"  # the corner that is compared: between the second rod and the third
TEXT = PROBLEMS[0].text
WAYS, AXES = np.array(DIRECTIONS, float), np.array(HINGES, float)


def _moments(way: Any) -> Any:
    """Of a rod of 1 kg and 1 m, about its centre."""
    sides = np.where(way != 0, 1.0, WIDE)
    return (np.sum(sides**2) - sides**2) / 12


class MujocoBricard(JointArm):
    """Five rods one after the other, and the end of the last one held at two points of its hinge."""

    def __init__(self) -> None:
        mujoco = require_mujoco()
        inner = ""
        for k in reversed(range(len(WAYS))):
            place = WAYS[k - 1] if k else np.zeros(3)
            inner = (
                f'<body name="R{k + 1}" pos="{numbers(place)}"><joint type="hinge" axis="{numbers(AXES[k])}"/>'
                f'<inertial pos="{numbers(0.5 * WAYS[k])}" mass="1" diaginertia="{numbers(_moments(WAYS[k]))}"/>{inner}</body>'
            )
        held = "".join(
            f'<connect body1="R5" anchor="{numbers(WAYS[4] + along * AXES[5])}" solimp="0.9999 0.9999 0.001 0.5 2"/>'
            for along in (0.0, 0.5)
        )
        self.model = mujoco.MjModel.from_xml_string(
            f'<mujoco><compiler autolimits="false"/><option integrator="RK4" gravity="0 {-GRAVITY} 0" tolerance="0">'
            '<flag contact="disable" limit="disable" frictionloss="disable"/></option>'
            f"<worldbody>{inner}</worldbody><equality>{held}</equality></mujoco>"
        )
        self.data = mujoco.MjData(self.model)
        self.body, self.end = self.model.body("R2").id, WAYS[1]

    def run(self, steps: int, h: float) -> np.ndarray:
        self.model.eq_solref[:] = [2 * h, 1.0]  # as stiff as it allows
        return super().run(steps, h)


class ExudynBricard:
    """Five bodies with Euler parameters, six revolute joints, generalized alpha."""

    def __init__(self) -> None:
        self.exudyn = exudyn = require_exudyn()
        from exudyn.utilities import RigidBodyInertia

        self._container = exudyn.SystemContainer()
        self.mbs = mbs = self._container.AddSystem()
        ground = before = mbs.CreateGround()
        place, self._bodies = np.zeros(3), []
        for way, axis in zip(WAYS, AXES[:-1], strict=True):
            body = mbs.CreateRigidBody(
                referencePosition=list(place + 0.5 * way),
                inertia=RigidBodyInertia(1.0, np.diag(_moments(way))),
                gravity=[0, -GRAVITY, 0],
                nodeType=exudyn.NodeType.RotationEulerParameters,
            )
            mbs.CreateRevoluteJoint(
                bodyNumbers=[before, body], position=list(place), axis=list(axis), useGlobalFrame=True
            )
            self._bodies.append(body)
            before, place = body, place + way
        mbs.CreateRevoluteJoint(
            bodyNumbers=[before, ground], position=list(place), axis=list(AXES[5]), useGlobalFrame=True
        )
        mbs.Assemble()

    def run(self, steps: int, h: float) -> Any:
        exudyn = self.exudyn
        settings = settings_of(exudyn, steps, h)
        settings.linearSolverType = exudyn.LinearSolverType.EigenDense
        settings.linearSolverSettings.ignoreSingularJacobian = True
        settings.timeIntegration.newton.useModifiedNewton = False
        self.mbs.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.GeneralizedAlpha, showHints=False)
        position = exudyn.OutputVariableType.Position
        return self.mbs.GetObjectOutputBody(self._bodies[1], position, list(0.5 * WAYS[1]))
