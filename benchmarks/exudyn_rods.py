"""Rods of the plane for Exudyn: rigid bodies and revolute joints, an implicit solver."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.peers.exudyn_peer import settings_of
from benchmarks.report import Unavailable
from benchmarks.rods import Arm


def require() -> Any:
    """The module, or a word why not."""
    try:
        import exudyn
    except ImportError as error:
        raise Unavailable(f"Exudyn is not installed: pip install exudyn ({error})") from error
    return exudyn


class JointedRods:
    """A chain of the plane as Exudyn sees it."""

    def __init__(self, arm: Arm, method: str = "TrapezoidalIndex2"):
        self.exudyn = require()
        self._kind = getattr(self.exudyn.DynamicSolverType, method)
        from exudyn import itemInterface as items

        self._rods = len(arm.rods)
        self._container = self.exudyn.SystemContainer()
        self.mbs = mbs = self._container.AddSystem()
        before = mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=mbs.AddObject(items.ObjectGround())))
        for rod in arm.rods:
            (x, y), (x1, y1) = rod.start, rod.stop
            place = [0.5 * (x + x1), 0.5 * (y + y1), math.atan2(y1 - y, x1 - x)]
            node = mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=place))
            inertia = rod.moments[1]
            body = mbs.AddObject(items.RigidBody2D(physicsMass=rod.mass, physicsInertia=inertia, nodeNumber=node))
            ends = [[-0.5 * rod.length, 0, 0], [0.5 * rod.length, 0, 0], [0, 0, 0]]
            first, last, centre = (
                mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=end)) for end in ends
            )
            mbs.AddObject(items.RevoluteJoint2D(markerNumbers=[before, first]))
            mbs.AddLoad(items.Force(markerNumber=centre, loadVector=[0, -rod.mass * arm.gravity, 0]))
            before, self._last, self._end = last, body, ends[1]
        mbs.Assemble()

    def run(self, steps: int, h: float) -> np.ndarray:
        """March, and return where the end of the last rod is."""
        exudyn = self.exudyn
        settings = settings_of(exudyn, steps, h)
        if self._rods > 32:  # else its dense solver is the faster one
            settings.linearSolverType = exudyn.LinearSolverType.EigenSparse
        self.mbs.SolveDynamic(settings, solverType=self._kind, showHints=False)
        place = self.mbs.GetObjectOutputBody(self._last, exudyn.OutputVariableType.Position, self._end)
        return np.asarray(place)
