"""Exudyn: point masses and distance constraints, its implicit solvers."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from benchmarks.mechanisms import Mechanism
from benchmarks.peers.base import March, Peer, moving


def settings_of(exudyn: Any, steps: int, h: float) -> Any:
    """Fixed steps, converged to rounding, and nothing written or shown."""
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = steps * h
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.newton.relativeTolerance = 1e-10
    settings.timeIntegration.newton.absoluteTolerance = 1e-12
    settings.solutionSettings.writeSolutionToFile = False
    settings.displayComputationTime = False
    return settings


def build(mechanism: Mechanism, solver: str) -> March:
    import exudyn
    from exudyn import itemInterface as items

    container = exudyn.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(items.ObjectGround())
    nodes, markers = {}, {}
    for i, (x, y) in enumerate(mechanism.points):
        if i in mechanism.anchors:
            markers[i] = mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=ground, localPosition=[x, y, 0]))
        else:
            nodes[i] = mbs.AddNode(items.NodePoint2D(referenceCoordinates=[x, y]))
            mass = 1.0
            mbs.AddObject(items.MassPoint2D(physicsMass=mass, nodeNumber=nodes[i]))
            markers[i] = mbs.AddMarker(items.MarkerNodePosition(nodeNumber=nodes[i]))
            mbs.AddLoad(items.Force(markerNumber=markers[i], loadVector=[0, -mass * mechanism.gravity, 0]))
    for i, j in mechanism.links:
        length = math.dist(mechanism.points[i], mechanism.points[j])
        mbs.AddObject(items.DistanceConstraint(markerNumbers=[markers[i], markers[j]], distance=length))
    mbs.Assemble()

    def march(steps: int, h: float) -> np.ndarray:
        settings = settings_of(exudyn, steps, h)
        mbs.SolveDynamic(settings, solverType=getattr(exudyn.DynamicSolverType, solver), showHints=False)
        variable = exudyn.OutputVariableType.Position
        return np.array([mbs.GetNodeOutput(nodes[i], variable)[:2] for i in moving(mechanism)])

    return march


PEERS = [
    Peer(
        "Exudyn",
        "masses and distances, TrapezoidalIndex2",
        "exudyn",
        functools.partial(build, solver="TrapezoidalIndex2"),
    ),
    Peer(
        "Exudyn",
        "masses and distances, GeneralizedAlpha",
        "exudyn",
        functools.partial(build, solver="GeneralizedAlpha"),
    ),
]
