"""`mjcf`: the machine for MuJoCo. Rods turn on hinges; what closes a loop is a tendon of constant length, as soft as MuJoCo's
constraints are."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from chainlist.exports.base import Export, Spring, in_space, indented, numbers, refuse, register
from chainlist.exports.tree import Joint, Tree, tree_of
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
        *(line for joint in tree.roots for line in indented(_body(joint, _size(tree)), 2)),
        "  </worldbody>",
        *indented(_tendons(tree)),
        "  <keyframe>",
        f'    <key name="start" qvel="{numbers(rate for joint in _in_order(tree.roots) for rate in joint.rates)}"/>',
        "  </keyframe>",
        "</mujoco>",
    ]
    return "\n".join((*lines, ""))


def _size(tree: Tree) -> float:
    return max((rod.length for rod in tree.machine.rods), default=1.0)


def _in_order(joints: tuple[Joint, ...] | list[Joint]) -> Iterator[Joint]:
    """As MuJoCo counts them: each with all below it."""
    for joint in joints:
        yield joint
        yield from _in_order(joint.children)


def _body(joint: Joint, size: float) -> Iterator[str]:
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
    for child in joint.children:
        yield from indented(_body(child, size))
    yield "</body>"


def _lines(tree: Tree) -> list[tuple[str, tuple[str | tuple[float, ...], ...], Spring | None, float]]:
    """What becomes a tendon: rods that close a loop, springs and dampers."""
    found: list[tuple[str, tuple[str | tuple[float, ...], ...], Spring | None, float]] = []
    found += [(rod.name, rod.ends, None, rod.length) for rod in tree.rods]
    found += [(spring.name, spring.ends, spring, spring.rest) for spring in tree.machine.springs]
    return found


def _anchors(tree: Tree) -> Iterator[str]:
    for name, ends, _, _ in _lines(tree):
        for number, end in enumerate(ends):
            if not isinstance(end, str):
                yield f'<site name="{name} {number}" pos="{numbers(in_space(end))}"/>'


def _tendons(tree: Tree) -> Iterator[str]:
    lines = _lines(tree)
    if not lines:
        return
    yield "<tendon>"
    for name, ends, spring, _ in lines:
        law = ""
        if spring is not None:
            rest = numbers([spring.rest, spring.rest])
            law = f' stiffness="{numbers([spring.stiffness])}" damping="{numbers([spring.damping])}" springlength="{rest}"'
        yield f"  <spatial name={quoteattr(name)}{law}>"
        for number, end in enumerate(ends):
            yield f"    <site site={quoteattr(end if isinstance(end, str) else f'{name} {number}')}/>"
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
