"""What exports share: their table, the machine as they see it, and the list of what a format cannot carry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from chainlist.elements.base import Native, shortest
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Element, Mechanism
from chainlist.run.entry import simulate


class CannotExport(ValueError):
    """What of a mechanism a format cannot carry, all of it, in words."""


@dataclass(frozen=True)
class Export:
    """One target: what its files are called and mean, and how a mechanism is written."""

    name: str
    suffix: str
    meaning: str
    carries: str  # what of a mechanism it can carry
    write: Callable[[Mechanism], str]


REGISTRY: dict[str, Export] = {}


def register(export: Export) -> Export:
    if export.name in REGISTRY:
        raise ValueError(f"the export {export.name} is taken")
    REGISTRY[export.name] = export
    return export


@dataclass(frozen=True)
class Rod:
    """A link of constant length between two ends: bodies by their names, anchors as points."""

    name: str
    ends: tuple[str | tuple[float, ...], ...]
    length: float


@dataclass(frozen=True)
class Rail:
    """A body on a fixed line n·q = konst of the plane, or on a plane in space."""

    name: str
    body: str
    normal: tuple[float, ...]
    konst: float


@dataclass(frozen=True)
class Spring:
    """A straight spring or damper between two ends."""

    name: str
    ends: tuple[str | tuple[float, ...], ...]
    stiffness: float
    rest: float
    damping: float


@dataclass(frozen=True)
class Machine:
    """A mechanism of points, rods, rails, springs and dampers: what simulators of other kinds understand."""

    mechanism: Mechanism
    rods: tuple[Rod, ...]
    rails: tuple[Rail, ...]
    springs: tuple[Spring, ...]


def machine(mechanism: Mechanism, format: str) -> Machine:
    """The machine behind a mechanism; raises `CannotExport` with everything that is more than that."""
    wrong = [f"{body.name} is a rigid body" for body in mechanism.rigid]
    wrong += [f"{body.name} has no mass" for body in mechanism.points if not body.mass and body.role == "point"]
    rods: list[Rod] = []
    rails: list[Rail] = []
    springs: list[Spring] = []
    for element in mechanism.elements:
        if element.type.rigid:
            continue
        problem = _take(element, rods, rails, springs)
        if problem:
            wrong.append(f"{element.name} {problem}")
    refuse(format, wrong)
    return Machine(mechanism, tuple(rods), tuple(rails), tuple(springs))


def refuse(format: str, wrong: Iterable[str]) -> None:
    """Raise `CannotExport` where there is anything to say."""
    found = list(dict.fromkeys(wrong))
    if found:
        raise CannotExport(f"{format} cannot carry this mechanism: {'; '.join(found)}")


def _take(element: Element, rods: list[Rod], rails: list[Rail], springs: list[Spring]) -> str:
    """Put an element into its list; what is said where it fits into none."""
    ends = tuple(end for end in element.ends if isinstance(end, str | tuple))
    if len(ends) < len(element.ends):
        return "has an anchor that moves as told"
    if element.given is None and element.type.is_link:
        rods.append(Rod(element.name, ends, element.parameters[1]))
    elif element.given is None and element.letter == "S" and isinstance(ends[0], str):
        rails.append(Rail(element.name, ends[0], element.parameters[:-1], element.parameters[-1]))
    elif _is_spring(element):
        springs.append(_spring(element, ends))
    else:
        return f"is a {element.type.name} that only chainlist has in this form"
    return ""


def _is_spring(element: Element) -> bool:
    parts = element.parts
    alone = not parts.rows and not parts.switches and bool(parts.forces)
    return alone and all(isinstance(force, Native) and force.kind in "KD" for force in parts.forces)


def _spring(element: Element, ends: tuple[str | tuple[float, ...], ...]) -> Spring:
    stiffness = rest = damping = 0.0
    for force in element.parts.forces:
        assert isinstance(force, Native)
        if force.kind == "K":
            stiffness, rest = force.parameters[:2]
        else:
            damping = force.parameters[0]
    return Spring(element.name, ends, stiffness, rest, damping)


def start_of(mechanism: Mechanism) -> tuple[Floats, Floats]:
    """Positions and velocities with which a run begins, (bodies, dimension): as the solver settles what was given."""
    step = mechanism.transient.step
    found = simulate(mechanism, tran=(0.0, step, step))
    assert found.v is not None
    return np.array(found.q[0]), np.array(found.v[0])


def numbers(values: Iterable[float]) -> str:
    """As XML wants them, each so that it reads back to the same bits."""
    return " ".join(shortest(float(value)) for value in values)


def in_space(point: Iterable[float]) -> list[float]:
    """A point of the plane with z = 0."""
    found = [float(x) for x in point]
    return found + [0.0] * (3 - len(found))


def cross(a: Floats, b: Floats) -> float:
    """Of the plane."""
    return float(a[0] * b[1] - a[1] * b[0])


def docstring(mechanism: Mechanism, what: str) -> str:
    """The first line of a Python file. A title is text of somebody else: quoted as a string, nothing of it can run."""
    return repr(f"{mechanism.title}: {what}")


def indented(lines: Iterable[str], depth: int = 1) -> Iterator[str]:
    return (f"{'  ' * depth}{line}" for line in lines)
