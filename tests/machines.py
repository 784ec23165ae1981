"""Small mechanisms built by hand, for tests that need no parser."""

from __future__ import annotations

from typing import Any

from chainlist.elements import REGISTRY
from chainlist.model.mechanism import Body, Element, End, Mechanism, Transient
from chainlist.model.options import Options
from chainlist.syntax.source import Source, Span

SPAN = Span(Source("test", ""), 0, 0)


def machine(
    bodies: dict[str, tuple[float, ...]],
    constraints: dict[str, tuple[Any, ...]],
    *,
    mass: dict[str, float] | None = None,
    start: dict[str, tuple[float, ...]] | None = None,
    velocity: dict[str, tuple[float, ...]] | None = None,
    tran: tuple[float, float, float] = (0.0, 1.0, 1e-3),
    **options: Any,
) -> Mechanism:
    """A mechanism from positions and constraints: {"C1": ("B1", (0, 0))}, {"S1": ("B1", 0, 1, 0)}."""
    mass, start, velocity = mass or {}, start or {}, velocity or {}
    body_list = tuple(
        Body(
            name,
            tuple(map(float, at)),
            mass.get(name, 1.0),
            tuple(map(float, start.get(name, at))),
            tuple(map(float, velocity.get(name, (0.0,) * len(at)))),
            SPAN,
        )
        for name, at in bodies.items()
    )
    made = []
    for name, words in constraints.items():
        kind = REGISTRY[name[0]]
        ends: tuple[End, ...] = tuple(w if isinstance(w, str) else tuple(map(float, w)) for w in words[: kind.ends])
        points = tuple(tuple(map(float, bodies[e])) if isinstance(e, str) else e for e in ends)
        values = words[kind.ends :] or (None,)
        made.append(Element(name, name[0], ends, kind.parameters(values, points), SPAN))
    return Mechanism("test", body_list, tuple(made), Options(**options), Transient(*tran))


def chain(links: int, length: float = 0.2, **more: Any) -> Mechanism:
    """The paper's chain: bodies on the x axis, the first linked to the origin."""
    bodies = {f"B{i}": (length * i, 0.0) for i in range(1, links + 1)}
    rods: dict[str, tuple[Any, ...]] = {"C1": ("B1", (0, 0))}
    rods |= {f"C{i}": (f"B{i - 1}", f"B{i}") for i in range(2, links + 1)}
    return machine(bodies, rods, **more)


def double_pendulum(**more: Any) -> Mechanism:
    return machine({"B1": (0, -1), "B2": (1, -1)}, {"C1": ("B1", (0, 0)), "C2": ("B2", "B1")}, **more)


def lever(masses: tuple[float, float] = (1.0, 2.0), **more: Any) -> Mechanism:
    """The paper's lever: three links on one line."""
    return machine(
        {"B1": (-1, 0), "B2": (1, 0)},
        {"C1": ("B1", (0, 0)), "C2": ("B2", (0, 0)), "C3": ("B1", "B2")},
        mass={"B1": masses[0], "B2": masses[1]},
        **more,
    )


def rhombus(**more: Any) -> Mechanism:
    return machine(
        {"B1": (-1, 1), "B2": (1, 1), "B3": (0, 2)},
        {"C1": ("B1", (0, 1e-7)), "C2": ("B2", (0, 1e-7)), "C3": ("B1", "B3"), "C4": ("B2", "B3")},
        **more,
    )


def slider_crank(**more: Any) -> Mechanism:
    return machine(
        {"B1": (-0.1, 1), "B2": (-0.2, 0)}, {"C1": ("B1", (0, 0)), "C2": ("B1", "B2"), "S1": ("B2", 0, 1, 0)}, **more
    )


def crosshair(**more: Any) -> Mechanism:
    return machine(
        {"B1": (0, 0), "B2": (0, 1)},
        {"C1": ("B1", "B2"), "S1": ("B1", 0, 1, 0), "S2": ("B2", 1, 0, 0)},
        velocity={"B1": (1, 0)},
        **more,
    )
