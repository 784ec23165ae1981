"""Bodies that start in one place."""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from chainlist.compile.findings import Names
from chainlist.equations.rowset import RowSet
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Mechanism

ONE_PLACE = 1e-9  # bodies nearer than this, relative to the size of the mechanism, are in one place


def in_one_place(mechanism: Mechanism, start: Floats, rows: RowSet) -> tuple[Names, ...]:
    """Bodies that start in one place, found by sorting them into cells a little larger than the tolerance."""
    if len(start) < 2 or not np.isfinite(start).all():
        return ()
    points = mechanism.points
    if mechanism.rigid:  # its vectors are no places
        start = np.array([body.start for body in points], float).reshape(len(points), mechanism.dimension)
    if len(start) < 2:
        return ()
    extent = float((start.max(axis=0) - start.min(axis=0)).max())
    size = max(extent, float(rows.size.max(initial=0.0)))
    cell = ONE_PLACE * size
    if not 0 < cell < math.inf:
        return (tuple(body.name for body in points),) if cell == 0 else ()
    cells: dict[tuple[int, ...], list[int]] = {}
    groups: list[list[int]] = []
    member: dict[int, list[int]] = {}
    for i in _near_others(start, cell):
        place = start[i].tolist()
        key = tuple(math.floor(x / cell) for x in place)
        near = (j for step in product((-1, 0, 1), repeat=len(key)) for j in cells.get(_shifted(key, step), ()))
        other = next((j for j in near if math.dist(place, start[j]) <= cell), None)
        if other is None:
            cells.setdefault(key, []).append(i)
            continue
        if other not in member:
            member[other] = [other]
            groups.append(member[other])
        member[other].append(i)
    pinned = _pinned(mechanism)
    named = (tuple(points[i].name for i in group) for group in groups)
    return tuple(names for names in named if len({pinned.get(name, name) for name in names}) > 1)


def _pinned(mechanism: Mechanism) -> dict[str, str]:
    """Bodies that pins hold together, each with one that speaks for all of them."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while (above := parent.setdefault(name, name)) != name:
            parent[name] = parent[above]
            name = parent[name]
        return name

    for pin in mechanism.constraints:
        if pin.letter == "J" and all(isinstance(end, str) for end in pin.ends):
            one, two = (root(str(end)) for end in pin.ends)
            parent[two] = one
    return {name: root(name) for name in list(parent)}


def _near_others(start: Floats, distance: float) -> list[int]:
    """The bodies that may be as near as this to another one: they are in a projection to one line. In nearly all cases none."""
    weights = np.cos(1.0 + np.arange(start.shape[1]))  # a direction that no drawing and no grid has
    along = start @ (weights / np.linalg.norm(weights))
    order = np.argsort(along)
    rounding = 1e-14 * float(np.abs(start).max())
    close = np.diff(along[order]) <= distance * (1 + 1e-9) + rounding
    found = np.zeros(len(start), dtype=bool)
    found[order[:-1][close]] = True
    found[order[1:][close]] = True
    return np.flatnonzero(found).tolist()


def _shifted(key: tuple[int, ...], step: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(k + s for k, s in zip(key, step, strict=True))
