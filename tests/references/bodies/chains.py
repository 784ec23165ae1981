"""Chains of random bodies, in the plane and on hinges of space: what no one thought of when writing the program.

Each body hangs from a point of the one before it, has its centre anywhere, and carries a mass and a spring at its end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.references.bodies.hinged import Box
from tests.references.bodies.linkages import turned
from tests.references.bodies.problem import BodyProblem, Lagrange, Parts, body, listing, number, place
from tests.references.bodies.vectors import UNIT, Matrix, Vector, about, add, apply, minus, times, unit
from tests.references.jets import sqrt

GRAVITY = 9.81
STOP = 1.0
COUNT = 3


def _stretch(p: Any, q: Any) -> Any:
    differences = [a - b for a, b in zip(p, q, strict=True)]
    return sqrt(sum((d * d for d in differences[1:]), differences[0] * differences[0]))


def plane(seed: int) -> BodyProblem:
    """Pins, centres, moments and rates at random."""
    random = np.random.default_rng(seed)
    ends = [tuple(random.uniform(-1, 1, 2)) for _ in range(COUNT)]  # the next pin, from the one before
    centres = [tuple(random.uniform(-0.7, 0.7, 2)) for _ in range(COUNT)]
    masses, moments = random.uniform(0.5, 2.0, COUNT), random.uniform(0.05, 0.5, COUNT)
    rates, load, stiffness, anchor = random.uniform(-2, 2, COUNT), 0.7, 15.0, tuple(random.uniform(-2, 2, 2))

    def trace(t: Any, *angles: Any) -> dict[str, Any]:
        found, pin = {}, (0.0, 0.0)
        for i, angle in enumerate(angles):
            pin = turned(ends[i], angle, pin)
            found[f"B{i + 1}"], found[f"R{i + 1}"] = pin, angle
        return found

    def parts(t: Any, *angles: Any) -> Parts:
        found, pin, inert, potential = trace(t, *angles), (0.0, 0.0), [], 0.0
        for i, angle in enumerate(angles):
            x, y = turned(centres[i], angle, pin)
            inert += [(masses[i], x), (masses[i], y), (moments[i], angle)]
            potential = potential + GRAVITY * masses[i] * y
            pin = found[f"B{i + 1}"]
        stretch = _stretch(pin, anchor) - 0.5
        inert += [(load, pin[0]), (load, pin[1])]
        return Parts(inert, potential + GRAVITY * load * pin[1] + 0.5 * stiffness * stretch * stretch)

    known = Lagrange(trace, parts, (0.0,) * COUNT, tuple(map(float, rates)), STOP)
    lines, pin = [], (0.0, 0.0)
    for i in range(COUNT):
        end = (pin[0] + ends[i][0], pin[1] + ends[i][1])
        lines.append(body(f"B{i + 1}", end, load if i == COUNT - 1 else 0.0))
        centre = (pin[0] + centres[i][0], pin[1] + centres[i][1])
        start = f"B{i}" if i else "(0,0)"
        moment = f"J={number(moments[i])} OMEGA={number(rates[i])}"
        lines.append(f"R{i + 1} {start} B{i + 1} {number(masses[i])} CG={place(centre)} {moment}")
        pin = end
    lines.append(f"K1 B{COUNT} {place(anchor)} {stiffness} L0=0.5")
    text = listing(f"Random chain {seed}", *lines, stop=STOP)
    return BodyProblem(f"plane_chain_{seed}", text, known, STOP, limit=1e-8, speed_limit=3e-7)


def space(seed: int) -> BodyProblem:
    """Boxes on skew hinges, from rest; each hinge is two points, and a point at the end of the last."""
    random = np.random.default_rng(100 + seed)
    pins: list[Vector] = [(0.0, 0.0, 0.0)]
    pins += [add((0.8 * i, 0.0, 0.0), random.uniform(-1, 1, 3)) for i in range(1, COUNT + 1)]
    axes = [unit(tuple(random.normal(size=3))) for _ in range(COUNT)]
    boxes = [
        Box(
            float(random.uniform(0.5, 2.0)),
            tuple(random.uniform(0.2, 0.8, 3)),
            about(unit(tuple(random.normal(size=3))), float(random.uniform(0, 3))),
            add(pins[i], tuple(random.uniform(-0.5, 0.5, 3))),
        )
        for i in range(COUNT)
    ]

    def poses(angles: Any) -> list[tuple[Matrix, Vector]]:
        found, turn, pin = [], UNIT, pins[0]
        for i, angle in enumerate(angles):
            turn = times(turn, about(axes[i], angle))
            found.append((turn, pin))
            pin = add(pin, apply(turn, minus(pins[i + 1], pins[i])))
        return [*found, (turn, pin)]

    def trace(t: Any, *angles: Any) -> dict[str, Any]:
        found = {f"B{i}": pin for i, (_, pin) in enumerate(poses(angles)) if i}
        for i, (turn, pin) in enumerate(poses(angles)[: COUNT - 1]):
            following = add(pin, apply(turn, minus(add(pins[i + 1], axes[i + 1]), pins[i])))
            found[f"B1{i + 1}"] = following
        return found

    def parts(t: Any, *angles: Any) -> Parts:
        inert, potential = [], 0.0
        for box, (turn, pin), start in zip(boxes, poses(angles), pins, strict=False):
            centre = add(pin, apply(turn, minus(box.centre, start)))
            inert += box.masses(turn, centre)
            potential = potential + GRAVITY * box.mass * centre[1]
        return Parts(inert, potential)

    known = Lagrange(trace, parts, (0.0,) * COUNT, (0.0,) * COUNT, STOP)
    hinges = [f"(0,0,0) {place(axes[0])}", *(f"B{i} B1{i}" for i in range(1, COUNT)), f"B{COUNT}"]
    lines = [body(f"B{i}", pins[i]) for i in range(1, COUNT + 1)]
    lines += [body(f"B1{i}", add(pins[i], axes[i])) for i in range(1, COUNT)]
    lines += [f"R{i + 1} {hinges[i]} {hinges[i + 1]} {box.tail}" for i, box in enumerate(boxes)]
    text = listing(f"Random hinges {seed}", *lines, stop=STOP)
    return BodyProblem(f"space_chain_{seed}", text, known, STOP, limit=1e-8, speed_limit=3e-7, long=seed > 0)


CHAINS = {p.name: p for p in (*map(plane, range(6)), *map(space, range(3)))}
