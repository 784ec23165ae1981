"""Mechanisms built by hand, without the reader of chainlists: each entity is a line of a source of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from chainlist.elements import REGISTRY
from chainlist.model.mechanism import Body, Element, End, Mechanism, Point, Transient
from chainlist.model.options import Options
from chainlist.syntax.source import Source, Span


def build(
    bodies: Mapping[str, Point],
    links: Sequence[tuple[End, End] | tuple[End, End, float]] = (),
    sliders: Sequence[tuple[str, float, float, float]] = (),
    start: Mapping[str, Point] | None = None,
    velocity: Mapping[str, Point] | None = None,
    mass: float = 1.0,
) -> Mechanism:
    """Links C1, C2, … as (end, end) or (end, end, length); sliders S1, S2, … as (body, k1, k2, konst)."""
    names = [*bodies, *(f"C{k + 1}" for k in range(len(links))), *(f"S{k + 1}" for k in range(len(sliders)))]
    source = Source("test.chain", "".join(f"{name}\n" for name in names))
    offset, spans = 0, {}
    for name in names:
        spans[name] = Span(source, offset, offset + len(name))
        offset += len(name) + 1
    start, velocity = start or {}, velocity or {}
    made = [
        Body(name, at, mass, start.get(name, at), velocity.get(name, (0.0,) * len(at)), spans[name])
        for name, at in bodies.items()
    ]
    constraints = []
    for k, (first, second, *length) in enumerate(links):
        places = tuple(bodies[end] if isinstance(end, str) else end for end in (first, second))
        parameters = REGISTRY["C"].parameters((length[0] if length else None,), places)
        constraints.append(Element(f"C{k + 1}", "C", (first, second), parameters, spans[f"C{k + 1}"]))
    for k, (body, *line) in enumerate(sliders):
        constraints.append(Element(f"S{k + 1}", "S", (body,), tuple(map(float, line)), spans[f"S{k + 1}"]))
    return Mechanism("test", tuple(made), tuple(constraints), Options(), Transient(0, 1, 1e-3), source=source)


@pytest.fixture(scope="session")
def machine() -> Callable[..., Any]:
    return build
