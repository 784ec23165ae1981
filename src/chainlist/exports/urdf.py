"""`urdf`: the machine for ROS and its tools: a tree of links and joints, so nothing that closes a loop."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from chainlist.exports.base import Export, in_space, numbers, refuse, register
from chainlist.exports.tree import Joint, tree_of
from chainlist.model.mechanism import Mechanism

_POINT = 1e-10  # moments of inertia of a point, of m·l²: readers want some
_WORLD = "world"


def write(mechanism: Mechanism) -> str:
    tree = tree_of(mechanism, "URDF")
    wrong = [f"{rod.name} closes a loop" for rod in tree.rods]
    wrong += [f"{rail.name} holds a body that hangs from something else" for rail in tree.rails]
    wrong += [f"{spring.name} is a {'spring' if spring.stiffness else 'damper'}" for spring in tree.machine.springs]
    wrong += [f"{joint.body} has a velocity at the start" for joint in tree.joints if any(joint.rates)]
    refuse("URDF", wrong)
    size = max((rod.length for rod in tree.machine.rods), default=1.0)
    lines = [f"<robot name={quoteattr(mechanism.title or 'chainlist')}>", f'  <link name="{_WORLD}"/>']
    todo = [(joint, _WORLD, (0.0, 0.0)) for joint in reversed(tree.roots)]
    while todo:  # not by recursion, for a chain may have thousands of links
        joint, parent, frame = todo.pop()
        lines += _part(joint, parent, frame, size)
        todo += [(child, joint.body, _held(joint)) for child in reversed(joint.children)]
    return "\n".join((*lines, "</robot>", ""))


def _held(joint: Joint) -> tuple[float, float]:
    """Where the frame of its link lies, in the plane."""
    x, y = joint.pivot if joint.kind == "hinge" else joint.place
    return float(x), float(y)


def _part(joint: Joint, parent: str, frame: tuple[float, float], size: float) -> Iterator[str]:
    """A link whose frame lies where it is held, with its mass at the end; `frame` is that of its parent, in the plane."""
    x, y = _held(joint)
    name, above = quoteattr(joint.body), parent
    if joint.kind == "free":  # two slides, one on the other
        yield from _joint(
            f"{joint.body} x", "prismatic", above, f"{joint.body} x", (x - frame[0], y - frame[1]), (1.0, 0.0, 0.0)
        )
        yield f'  <link name="{joint.body} x"><inertial><mass value="1E-9"/>{_inertia(1e-18)}</inertial></link>'
        yield from _joint(f"{joint.body} y", "prismatic", f"{joint.body} x", joint.body, (0.0, 0.0), (0.0, 1.0, 0.0))
    else:
        kind, axis = ("continuous", (0.0, 0.0, 1.0)) if joint.kind == "hinge" else ("prismatic", in_space(joint.axis))
        yield from _joint(joint.body, kind, above, joint.body, (x - frame[0], y - frame[1]), axis)
    centre = numbers(in_space((joint.place[0] - x, joint.place[1] - y)))
    yield f"  <link name={name}>"
    yield f'    <inertial><origin xyz="{centre}"/><mass value="{numbers([joint.mass])}"/>'
    yield f"    {_inertia(joint.mass * size * size * _POINT)}</inertial>"
    yield "  </link>"


def _inertia(moment: float) -> str:
    m = numbers([moment])
    return f'<inertia ixx="{m}" iyy="{m}" izz="{m}" ixy="0" ixz="0" iyz="0"/>'


def _joint(
    name: str, kind: str, parent: str, child: str, place: tuple[float, float], axis: tuple[float, ...] | list[float]
) -> Iterator[str]:
    yield f'  <joint name={quoteattr(name)} type="{kind}">'
    yield f"    <parent link={quoteattr(parent)}/><child link={quoteattr(child)}/>"
    yield f'    <origin xyz="{numbers(in_space(place))}"/><axis xyz="{numbers(axis)}"/>'
    if kind == "prismatic":
        yield '    <limit lower="-1E9" upper="1E9" effort="1E9" velocity="1E9"/>'
    yield "  </joint>"


register(
    Export(
        name="urdf",
        suffix=".urdf",
        meaning="a robot for ROS and its tools, without its gravity and its start",
        carries="in the plane: points with masses on rods and sliders that close no loop, at rest at the start",
        write=write,
    )
)
