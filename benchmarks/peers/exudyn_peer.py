"""Exudyn: point masses and distance constraints with its implicit solvers; open chains as a kinematic tree with explicit ones."""

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
    settings.solution.file.write = False
    settings.show.computationTime = False
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


def build_tree(mechanism: Mechanism, solver: str) -> March:
    """An open chain in joint angles: each link turns against the one before, with its mass at its end."""
    import exudyn
    from exudyn import itemInterface as items

    spans = np.diff(np.array(mechanism.points), axis=0)
    lengths = np.hypot(*spans.T).tolist()
    angles = np.diff(np.arctan2(spans[:, 1], spans[:, 0]), prepend=0.0).tolist()
    count = len(lengths)
    container = exudyn.SystemContainer()
    mbs = container.AddSystem()
    node = mbs.AddNode(
        items.NodeGenericODE2(
            referenceCoordinates=[0.0] * count,
            initialCoordinates=angles,
            initialCoordinates_t=[0.0] * count,
            numberOfODE2Coordinates=count,
        )
    )
    mbs.AddObject(
        items.ObjectKinematicTree(
            nodeNumber=node,
            jointTypes=[exudyn.JointType.RevoluteZ] * count,
            linkParents=list(range(-1, count - 1)),
            jointTransformations=exudyn.Matrix3DList([np.eye(3)] * count),
            jointOffsets=exudyn.Vector3DList([[length, 0, 0] for length in (0.0, *lengths[:-1])]),
            linkInertiasCOM=exudyn.Matrix3DList([np.zeros((3, 3))] * count),
            linkCOMs=exudyn.Vector3DList([[length, 0, 0] for length in lengths]),
            linkMasses=[1.0] * count,
            gravity=[0, -mechanism.gravity, 0],
        )
    )
    mbs.Assemble()

    def march(steps: int, h: float) -> np.ndarray:
        settings = settings_of(exudyn, steps, h)
        settings.timeIntegration.automaticStepSize = False
        mbs.SolveDynamic(settings, solverType=getattr(exudyn.DynamicSolverType, solver), showHints=False)
        absolute = np.cumsum(mbs.GetNodeOutput(node, exudyn.OutputVariableType.Coordinates))
        reached = np.array(lengths)[:, None] * np.stack([np.cos(absolute), np.sin(absolute)], axis=1)
        return np.cumsum(reached, axis=0)

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
    *(
        Peer(
            "Exudyn",
            f"kinematic tree, {solver}",
            "exudyn",
            functools.partial(build_tree, solver=solver),
            takes_links=False,
        )
        for solver in ("RK44", "RK67")
    ),
]
