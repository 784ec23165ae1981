"""What events change in a picture: links that are gone or not yet there, and where something flashes for a moment."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from chainlist.model.mechanism import Mechanism
from chainlist.output.drawing import Drawing, DrawnPart, PartPoint, ToldPoint
from chainlist.output.interpolate import positions_at
from chainlist.output.tracks import Floats, track_values
from chainlist.run.happenings import Happening, events_of

MOST_FLASHES = 1_000  # of a scene: of more events those with the largest impulses are kept
QUIET = 0.35  # the size of a flash without an impulse, or with the smallest

Span = tuple[float, float]


@dataclass(frozen=True)
class Flash:
    """An event in a picture: when, in words, where (empty: nowhere), and how large from 0 to 1."""

    time: float
    text: str
    place: tuple[float, ...] = ()
    size: float = QUIET


@dataclass(frozen=True, eq=False)
class Eventful:
    """The samples of a run, with its events."""

    mechanism: Mechanism
    t: Floats
    q: Floats
    v: Floats | None
    events: tuple[Happening, ...]


def presence(mechanism: Mechanism, events: Iterable[Happening]) -> dict[str, Span]:
    """From when to when links are there that begin late or end early; all others are there all the time."""
    spans: dict[str, Span] = {}
    ends = {}
    for element in mechanism.switched:
        for switch in element.parts.switches:
            ends[element.name] = switch.ends_as
            if switch.since is not None:
                spans[element.name] = (math.inf, math.inf)
    for event in events:
        name = event.who[0] if event.who else ""
        if name in spans and event.what == "begins to hold":
            spans[name] = (event.time, math.inf)
        elif name in ends and event.what == ends[name]:
            spans[name] = (spans.get(name, (-math.inf, math.inf))[0], event.time)
    return spans


def measured(drawing: Drawing, motion: Any, spans: Mapping[str, Span]) -> Drawing:
    """The drawing with the lengths of ropes that are as long as their way was when they began to hold."""
    return replace(drawing, parts=tuple(_measured(part, drawing, motion, spans) for part in drawing.parts))


def _measured(part: DrawnPart, drawing: Drawing, motion: Any, spans: Mapping[str, Span]) -> DrawnPart:
    since = spans.get(part.name, (math.inf, math.inf))[0]
    if part.kind != "rope" or part.numbers or not math.isfinite(since) or _kind(part.points[-1], drawing) == "radius":
        return part
    (state,) = positions_at(motion, np.array([since]))
    (told,) = track_values(motion.mechanism, drawing.tracks, np.array([since]))
    places = [_at(point, state, told) for point in part.points]
    return replace(part, numbers=(float(sum(np.linalg.norm(b - a) for a, b in pairwise(places))),))


def _kind(point: PartPoint, drawing: Drawing) -> str:
    return drawing.tracks[point.track].kind if isinstance(point, ToldPoint) else ""


def is_there(part: DrawnPart, spans: Mapping[str, Span], time: float) -> bool:
    since, until = spans.get(part.name, (-math.inf, math.inf))
    return since <= time < until


def flashes(motion: Any, drawing: Drawing) -> tuple[Flash, ...]:
    """What a player shows of the events: all in words, with the place where bodies met or a link broke."""
    events = _strongest(events_of(motion))
    if not events or not len(motion.t):
        return ()
    mechanism = motion.mechanism
    times = np.array([event.time for event in events])
    states = positions_at(motion, np.clip(times, motion.t[0], motion.t[-1]))
    told = track_values(mechanism, drawing.tracks, times)
    parts = {part.name: part for part in drawing.parts}
    largest = max(event.impulse for event in events) or 1.0
    found = []
    for n, event in enumerate(events):
        place = _place(event, parts, mechanism, states[n], told[n])
        size = max(QUIET, (event.impulse / largest) ** 0.5)
        found.append(Flash(event.time, str(event), place, float(size)))
    return tuple(found)


def _strongest(events: tuple[Happening, ...]) -> list[Happening]:
    if len(events) <= MOST_FLASHES:
        return list(events)
    order = sorted(range(len(events)), key=lambda n: -events[n].impulse)[:MOST_FLASHES]
    return [events[n] for n in sorted(order)]


def _place(
    event: Happening, parts: dict[str, DrawnPart], mechanism: Mechanism, state: Floats, told: Floats
) -> tuple[float, ...]:
    """Where bodies touch: between two of them, at the foot of one on a wall; in the middle of a link."""
    name, *bodies = event.who or ("",)
    known = [mechanism.body_index[body] for body in bodies if body in mechanism.body_index]
    part = parts.get(name)
    if part is None:
        return _between(known, mechanism, state)
    if part.kind in ("wall", "pane", "drum", "globe"):
        return _on_wall(part, state[known[0]], state, told) if known else ()
    places = [p for p in (_at(point, state, told) for point in part.points) if np.isfinite(p).all()]
    return _vector(np.mean(places[:2], axis=0)) if places else ()


def _between(known: Sequence[int], mechanism: Mechanism, state: Floats) -> tuple[float, ...]:
    if not known:
        return ()
    if len(known) == 1:
        return _vector(state[known[0]])
    one, two = (mechanism.bodies[i].radius for i in known[:2])
    share = one / (one + two) if one + two > 0 else 0.5
    return _vector((1 - share) * state[known[0]] + share * state[known[1]])


def _on_wall(part: DrawnPart, body: Floats, state: Floats, told: Floats) -> tuple[float, ...]:
    first = _at(part.points[0], state, told)
    if part.kind in ("drum", "globe"):
        away = body - first
        return _vector(first + away * (drum_radius(part, told) / max(float(np.linalg.norm(away)), 1e-300)))
    along = _at(part.points[1], state, told) - first
    along = along / max(float(np.linalg.norm(along)), 1e-300)
    foot = (body - first) @ along * along
    return _vector(first + foot if part.kind == "wall" else body - foot)


def drum_radius(part: DrawnPart, told: Floats) -> float:
    """Of a round wall, whose numbers are its belt, whether it holds from inside, and the radius where that never changes."""
    if len(part.numbers) > 2:
        return part.numbers[2]
    return float(_at(part.points[1], np.zeros((0, 2)), told)[0])


def _at(point: PartPoint, state: Floats, told: Floats) -> Floats:
    if isinstance(point, int):
        return np.asarray(state[point])
    return np.array(point) if isinstance(point, tuple) else np.asarray(told[point.track])


def _vector(values: Floats) -> tuple[float, ...]:
    return tuple(float(x) for x in values) if np.isfinite(values).all() else ()
