"""Whether what rolls on a line stays on it: ROLL says how the centre moves along the line, and nothing of its distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from chainlist.compile.bars import Bar
from chainlist.compile.held import with_held
from chainlist.compile.settle import FITS
from chainlist.compile.velocities import VelocityConditions, nearest_velocities
from chainlist.elements.base import Parts, Row, Touch, shortest
from chainlist.equations.rowset import row_set
from chainlist.formula import Quantity, end_name
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Element, Mechanism

FREE = 1e-6  # of the gradient of a distance: less than that is left by rounding


@dataclass(frozen=True)
class Loose:
    """A body that rolls at a distance which is not its radius, or which nothing keeps; and the slider that would."""

    element: str
    body: str
    touch: Touch
    distance: float
    kept: bool
    slider: str

    @property
    def message(self) -> str:
        centre, radius = end_name(self.touch.point), f"{self.touch.radius:.6g}"
        if self.kept:
            return f"{self.body} rolls with its centre {self.distance:.6g} away from the line of {self.element}, and its radius is {radius}"
        return (
            f"nothing keeps {centre} at the distance {radius} from the line on which {self.body} rolls: it may leave it"
        )

    @property
    def label(self) -> str:
        return f"{self.distance:.6g} away" if self.kept else "rolls also where it touches nothing"

    @property
    def help(self) -> str:
        if self.kept:
            there = f", on {self.slider}" if isinstance(self.touch.point, str) else ""
            return f"put the centre one radius away{there}; or write RADIUS={self.distance:.6g}"
        return f"keep it there with a slider: {self.slider}"


def loose(mechanism: Mechanism, bars: Sequence[Bar], q: Floats) -> tuple[Loose, ...]:
    """Of the bodies that roll, at the positions q of the vectors."""
    rolling = [(element, touch) for element in mechanism.constraints for touch in element.parts.touches]
    if not rolling:
        return ()
    place = dict(zip((body.name for body in mechanism.bodies), with_held(mechanism, q[None])[0], strict=True))
    kept = _kept(mechanism, bars, q, [touch for _, touch in rolling])
    found = []
    for (element, touch), stays in zip(rolling, kept, strict=True):
        at = place[touch.point] if isinstance(touch.point, str) else np.array(touch.point, float)
        distance = touch.side * float(np.dot(touch.normal, at) - touch.offset)
        size = float(np.abs(at).sum()) + touch.radius + abs(touch.offset)
        if not stays or abs(distance - touch.radius) > FITS * size:
            found.append(Loose(element.name, element.of[0], touch, distance, stays, _slider(mechanism, touch, stays)))
    return tuple(found)


def _slider(mechanism: Mechanism, touch: Touch, stays: bool) -> str:
    """The card that keeps the centre where it belongs: in place of the slider that keeps it elsewhere, or a new one."""
    taken = {element.name.lower() for element in mechanism.elements}
    name = next(f"S{n}" for n in count(1) if f"s{n}" not in taken)
    if stays:
        sliders = (e.name for e in mechanism.elements if e.letter == "S" and e.ends == (touch.point,))
        name = next(sliders, name)
    numbers = (*touch.normal, touch.offset + touch.side * touch.radius)
    return f"{name} {end_name(touch.point)} LINE({','.join(shortest(float(f'{x:.12g}')) for x in numbers)})"


def _kept(mechanism: Mechanism, bars: Sequence[Bar], q: Floats, touches: Sequence[Touch]) -> list[bool]:
    """Whether all that holds at the start leaves each distance as it is, to first order."""
    names = [body.name for body in mechanism.vectors]
    asked = [touch for touch in touches if isinstance(touch.point, str)]
    lasting = list(mechanism.constraints)
    # a wall on which something stands, a rope that is taut
    sided = [
        replace(element, given=Parts(rows=(switch.row,)))
        for element in mechanism.switched
        for switch in element.parts.switches
        if switch.side and switch.since is None
    ]
    distances = [_distance(mechanism.constraints[0], touch) for touch in asked]
    rows = row_set(names, q, [*lasting, *sided, *distances], bars, held=mechanism.held)
    state = rows.at(q)
    of = np.array([equation.constraint for equation in rows.equations])  # −1: of a bar
    first, last = len(lasting), len(lasting) + len(sided)
    closed = np.abs(state.phi) <= FITS * rows.size
    holds = (of < first) | ((of < last) & closed)
    held = VelocityConditions(rows.body[holds], state.J[holds], state.c[holds])
    still = np.zeros_like(q)
    free, alike = np.zeros(len(q), bool), np.ones(len(q))
    driven = nearest_velocities(held, still, alike, held=free) if held.c.any() else still
    answers = []
    for k in np.flatnonzero(of >= last):
        gradient = np.zeros_like(q)
        np.add.at(gradient, rows.body[k], np.where((rows.body[k] >= 0)[:, None], state.J[k], 0.0))
        left = nearest_velocities(held._replace(c=np.zeros_like(held.c)), gradient, alike, held=free)
        if left is None or driven is None:  # too dense to say
            answers.append(True)
            continue
        steep = float(np.linalg.norm(gradient))
        carried_off = abs(float((gradient * driven).sum())) > FREE * steep * float(np.linalg.norm(driven))
        answers.append(float(np.linalg.norm(left)) <= FREE * steep and not carried_off)
    told = iter(answers)
    return [next(told) if isinstance(touch.point, str) else True for touch in touches]


def _distance(like: Element, touch: Touch) -> Element:
    """An element that would keep the distance."""
    (a, b), point = touch.normal, touch.point
    row = Row(a * Quantity("X", (point,)) + b * Quantity("Y", (point,)) - touch.offset)
    return replace(like, letter="G", given=Parts(rows=(row,)))
