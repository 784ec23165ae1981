"""Rods for Exudyn in joint coordinates: a kinematic tree of hinges, followed by its explicit methods.

A tree knows no ball joint. A thin rod, which does not care how it is turned about itself, gets two hinges across it instead, with
nothing between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.exudyn_rods import require
from benchmarks.peers.exudyn_peer import settings_of
from benchmarks.rods import Arm, Rod

FIXED = ("RK44", "RK67")


@dataclass(frozen=True)
class _Hinge:
    """A joint and the link behind it, in axes whose z is the hinge; all at the start, in the axes of the ground."""

    axes: np.ndarray
    pin: np.ndarray
    mass: float
    centre: np.ndarray  # from the pin
    inertia: np.ndarray  # about the centre


def _hinges(arm: Arm) -> list[_Hinge]:
    found = []
    for rod in arm.rods:
        pin, span = _long(rod.start), _long(rod.stop) - _long(rod.start)
        if rod.axis is None:
            first = np.cross(span, np.eye(3)[np.abs(span).argmin()])
            second = np.cross(span, first)
            found += [
                _Hinge(_axes(first), pin, 0.0, np.zeros(3), np.zeros((3, 3))),
                _Hinge(_axes(second), pin, rod.mass, 0.5 * span, _tensor(rod, span)),
            ]
        else:
            found.append(_Hinge(_axes(np.array(rod.axis)), pin, rod.mass, 0.5 * span, _tensor(rod, span)))
    return found


def _long(place: tuple[float, ...]) -> np.ndarray:
    return np.array([*place, 0.0][:3])


def _axes(z: np.ndarray) -> np.ndarray:
    """Three unit vectors as columns, the last along z."""
    z = z / np.linalg.norm(z)
    x = np.cross(z, np.eye(3)[np.abs(z).argmin()])
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


def _tensor(rod: Rod, span: np.ndarray) -> np.ndarray:
    along, across = rod.moments
    return across * np.eye(3) + (along - across) * np.outer(span, span) / rod.length**2


class TreeArm:
    """An arm in joint angles."""

    def __init__(self, arm: Arm, method: str):
        self.exudyn = exudyn = require()
        from exudyn import itemInterface as items

        self._kind = getattr(exudyn.DynamicSolverType, method)
        hinges = _hinges(arm)
        count = len(hinges)
        axes = [np.eye(3), *(hinge.axes for hinge in hinges)]  # of a link and of the one before it
        pins = [np.zeros(3), *(hinge.pin for hinge in hinges)]
        self._container = exudyn.SystemContainer()
        self.mbs = mbs = self._container.AddSystem()
        zeros = [0.0] * count
        node = mbs.AddNode(
            items.NodeGenericODE2(
                referenceCoordinates=zeros,
                initialCoordinates=zeros,
                initialCoordinates_t=zeros,
                numberOfODE2Coordinates=count,
            )
        )
        tree = mbs.AddObject(
            items.ObjectKinematicTree(
                nodeNumber=node,
                jointTypes=[exudyn.JointType.RevoluteZ] * count,
                linkParents=list(range(-1, count - 1)),
                jointTransformations=exudyn.Matrix3DList([axes[k].T @ axes[k + 1] for k in range(count)]),
                jointOffsets=exudyn.Vector3DList([axes[k].T @ (pins[k + 1] - pins[k]) for k in range(count)]),
                linkInertiasCOM=exudyn.Matrix3DList([hinge.axes.T @ hinge.inertia @ hinge.axes for hinge in hinges]),
                linkCOMs=exudyn.Vector3DList([hinge.axes.T @ hinge.centre for hinge in hinges]),
                linkMasses=[hinge.mass for hinge in hinges],
                gravity=[0, -arm.gravity, 0],
            )
        )
        end = axes[-1].T @ (_long(arm.rods[-1].stop) - pins[-1])
        self._tip = mbs.AddMarker(
            items.MarkerKinematicTreeRigid(objectNumber=tree, linkNumber=count - 1, localPosition=end)
        )
        mbs.Assemble()

    def run(self, steps: int, h: float) -> np.ndarray:
        """March with equal steps, and return where the end of the last rod is."""
        settings = settings_of(self.exudyn, steps, h)
        settings.timeIntegration.automaticStepSize = False
        return self._solve(settings)

    def adapt(self, tolerance: float, stop: float) -> np.ndarray:
        """March with steps that follow the error."""
        settings = settings_of(self.exudyn, 1, stop)
        settings.timeIntegration.automaticStepSize = True
        settings.timeIntegration.initialStepSize = 1e-3
        settings.timeIntegration.relativeTolerance = tolerance
        settings.timeIntegration.absoluteTolerance = tolerance * 1e-3
        return self._solve(settings)

    def _solve(self, settings: Any) -> np.ndarray:
        self.mbs.SolveDynamic(settings, solverType=self._kind, showHints=False)
        return np.asarray(self.mbs.GetMarkerOutput(self._tip, self.exudyn.OutputVariableType.Position))
