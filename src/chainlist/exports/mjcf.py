"""`mjcf`: the machine for MuJoCo. Rods turn on hinges; what closes a loop is a tendon of constant length, as soft as MuJoCo's
constraints are."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from chainlist.exports.base import Export, Rod, Spring, in_space, indented, numbers, refuse, register
from chainlist.exports.tree import Joint, JointTree, tree_of
from chainlist.model.mechanism import Mechanism

_POINT = 1e-10  # moments of inertia of a point, of m·l²: MuJoCo wants some
_STIFF = 'solref="0.002 1" solimp="0.999 0.9999 1E-4"'


def write(mechanism: Mechanism) -> str:
    tree = tree_of(mechanism, "MJCF")
    refuse("MJCF", (f"{rail.name} holds a body that hangs from something else" for rail in tree.rails))
    gravity = numbers(in_space(mechanism.gravity))
    step = numbers([mechanism.transient.step])
    lines = [
        f"<mujoco model={quoteattr(mechanism.title or 'chainlist')}>",
        '  <compiler angle="radian" autolimits="true"/>',
        f'  <option gravity="{gravity}" timestep="{step}" integrator="RK4">',
        '    <flag contact="disable"/>',
        "  </option>",
        "  <worldbody>",
        *indented(_anchors(tree), 2),
        *indented(_bodies(tree.roots, _size(tree)), 2),
        "  </worldbody>",
        *indented(_tendons(tree)),
        "  <keyframe>",
        f'    <key name="start" qvel="{numbers(rate for joint in _in_order(tree.roots) for rate in joint.rates)}"/>',
        "  </keyframe>",
        "</mujoco>",
    ]
    return "\n".join((*lines, ""))


def _size(tree: JointTree) -> float:
    return max((rod.length for rod in tree.machine.rods), default=1.0)


def _in_order(roots: tuple[Joint, ...]) -> Iterator[Joint]:
    """As MuJoCo counts them: each with all below it."""
    todo = list(reversed(roots))
    while todo:
        joint = todo.pop()
        yield joint
        todo += reversed(joint.children)


def _bodies(roots: tuple[Joint, ...], size: float) -> Iterator[str]:
    """Each inside the one that holds it; not by recursion, for a chain may have thousands of links."""
    todo: list[tuple[int, Joint | None]] = [(0, joint) for joint in reversed(roots)]
    while todo:
        depth, joint = todo.pop()
        yield from indented(["</body>"] if joint is None else _body(joint, size), depth)
        if joint is not None:
            todo += [(depth, None), *((depth + 1, child) for child in reversed(joint.children))]


def _body(joint: Joint, size: float) -> Iterator[str]:
    """All of it but its end, before which the bodies that hang from it come."""
    moment = numbers([joint.mass * size * size * _POINT] * 3)
    name = quoteattr(joint.body)
    yield f'<body name={name} pos="{numbers(in_space(joint.place - joint.frame))}">'
    yield f'  <inertial pos="0 0 0" mass="{numbers([joint.mass])}" diaginertia="{moment}"/>'
    yield f"  <site name={name}/>"
    if joint.kind == "hinge":
        pivot = numbers(in_space(joint.pivot - joint.place))
        yield f'  <joint name={name} type="hinge" axis="0 0 1" pos="{pivot}"/>'
    elif joint.kind == "slide":
        yield f'  <joint name={name} type="slide" axis="{numbers(in_space(joint.axis))}"/>'
    else:
        yield f'  <joint name="{joint.body} x" type="slide" axis="1 0 0"/>'
        yield f'  <joint name="{joint.body} y" type="slide" axis="0 1 0"/>'


def _tendons_of(tree: JointTree) -> list[Rod | Spring]:
    """What becomes a tendon: rods that close a loop, springs and dampers."""
    return [*tree.rods, *tree.machine.springs]


def _anchors(tree: JointTree) -> Iterator[str]:
    for tendon in _tendons_of(tree):
        for number, end in enumerate(tendon.ends):
            if not isinstance(end, str):
                yield f'<site name="{tendon.name} {number}" pos="{numbers(in_space(end))}"/>'


def _tendons(tree: JointTree) -> Iterator[str]:
    tendons = _tendons_of(tree)
    if not tendons:
        return
    yield "<tendon>"
    for one in tendons:
        law = ""
        if isinstance(one, Spring):
            rest = numbers([one.rest, one.rest])
            law = f' stiffness="{numbers([one.stiffness])}" damping="{numbers([one.damping])}" springlength="{rest}"'
        yield f"  <spatial name={quoteattr(one.name)}{law}>"
        for number, end in enumerate(one.ends):
            yield f"    <site site={quoteattr(end if isinstance(end, str) else f'{one.name} {number}')}/>"
        yield "  </spatial>"
    yield "</tendon>"
    if tree.rods:
        yield "<equality>"
        for rod in tree.rods:
            yield f"  <tendon tendon1={quoteattr(rod.name)} {_STIFF}/>"
        yield "</equality>"


register(
    Export(
        name="mjcf",
        suffix=".xml",
        meaning="a model for MuJoCo",
        carries="in the plane: points with masses, rods, sliders on fixed lines, straight springs and dampers",
        write=write,
    )
)
