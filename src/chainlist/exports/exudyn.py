"""`exudyn`: a Python file that builds the machine of mass points, distances and springs, and runs it."""

from __future__ import annotations

from chainlist.exports.base import Export, Machine, docstring, in_space, machine, register, start_of
from chainlist.model.mechanism import Mechanism

_HEAD = '''

import exudyn
from exudyn.itemInterface import *

container = exudyn.SystemContainer()
mbs = container.AddSystem()
ground = mbs.AddObject(ObjectGround())
nodes, points, coordinates = {}, {}, {}


def anchor(place):
    return mbs.AddMarker(MarkerBodyPosition(bodyNumber=ground, localPosition=place))


def body(name, mass, place, start, velocity):
    Node, Mass = (NodePoint2D, MassPoint2D) if len(place) == 2 else (NodePoint, MassPoint)
    nodes[name] = mbs.AddNode(Node(
        referenceCoordinates=place,
        initialCoordinates=[a - b for a, b in zip(start, place)],
        initialVelocities=velocity,
    ))
    mbs.AddObject(Mass(physicsMass=mass, nodeNumber=nodes[name]))
    points[name] = mbs.AddMarker(MarkerNodePosition(nodeNumber=nodes[name]))
    coordinates[name] = mbs.AddMarker(MarkerNodeCoordinates(nodeNumber=nodes[name]))
    mbs.AddLoad(Force(markerNumber=points[name], loadVector=[mass * g for g in GRAVITY]))


def rail(name, normal, konst, place):
    """normal * position = konst; the coordinates of a node count from its place"""
    offset = konst - sum(n * x for n, x in zip(normal, place))
    nothing = mbs.AddMarker(MarkerNodeCoordinates(nodeNumber=mbs.AddNode(NodePointGround())))
    mbs.AddObject(CoordinateVectorConstraint(
        markerNumbers=[nothing, coordinates[name]],
        scalingMarker0=[], scalingMarker1=[normal], offset=[offset],
    ))


'''
_TAIL = """
mbs.Assemble()

if __name__ == "__main__":
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.endTime = {stop!r}
    settings.timeIntegration.numberOfSteps = {steps}
    settings.timeIntegration.newton.relativeTolerance = 1e-10
    settings.timeIntegration.newton.absoluteTolerance = 1e-12
    settings.timeIntegration.generalizedAlpha.spectralRadius = 1
    settings.solutionSettings.writeSolutionToFile = False
    mbs.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.TrapezoidalIndex2)
    for name, node in nodes.items():
        print(name, *mbs.GetNodeOutput(node, exudyn.OutputVariableType.Position))
"""


def write(mechanism: Mechanism) -> str:
    found = machine(mechanism, "Exudyn")
    gravity = in_space(mechanism.gravity)
    q, v = start_of(mechanism)
    text = docstring(mechanism, "written by chainlist for Exudyn.") + _HEAD.replace("GRAVITY", repr(gravity))
    for number, body in enumerate(mechanism.points):
        numbers = (list(body.position), q[number].tolist(), v[number].tolist())
        text += f"body({body.name!r}, {body.mass!r}, {', '.join(map(repr, numbers))})\n"
    text += "".join(_elements(found))
    steps = max(1, round(mechanism.transient.stop / mechanism.transient.step))
    return text + _TAIL.format(stop=mechanism.transient.stop, steps=steps)


def _elements(found: Machine) -> list[str]:
    places = {body.name: list(body.position) for body in found.mechanism.points}
    lines = []
    for rod in found.rods:
        ends = ", ".join(map(_marker, rod.ends))
        lines.append(f"mbs.AddObject(DistanceConstraint(markerNumbers=[{ends}], distance={rod.length!r}))\n")
    for rail in found.rails:
        lines.append(f"rail({rail.body!r}, {list(rail.normal)!r}, {rail.konst!r}, {places[rail.body]!r})\n")
    for spring in found.springs:
        ends = ", ".join(map(_marker, spring.ends))
        law = f"stiffness={spring.stiffness!r}, damping={spring.damping!r}, referenceLength={spring.rest!r}"
        lines.append(f"mbs.AddObject(SpringDamper(markerNumbers=[{ends}], {law}))\n")
    return lines


def _marker(end: str | tuple[float, ...]) -> str:
    return f"points[{end!r}]" if isinstance(end, str) else f"anchor({in_space(end)!r})"


register(
    Export(
        name="exudyn",
        suffix=".py",
        meaning="a Python file that builds and runs the machine in Exudyn",
        carries="points with masses, rods, sliders on fixed lines and planes, straight springs and dampers",
        write=write,
    )
)
