"""How far apart two points of a mechanism can be at most: shortest paths over the lengths of its links.

Points are bodies and anchors. A link keeps its two ends at its length. A *rigid set* keeps all its points at known
distances from one another: the anchors are one, each straight bar that was found is another. Searches walk over links
and over rigid sets, never further than a given limit, and look at the steps from a point in the order of their
lengths: so a chain of many links, a body with many links, and a mechanism with many anchors all stay cheap.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush

import numpy as np

from chainlist.kernels.bundles import Floats
from chainlist.syntax.source import value

Place = tuple[float, ...]

_FEW, _MANY = 300, 3  # points of a graph, and links at each, from which all paths are found at once
_ROUNDING = 1e-12  # of sums of lengths in another order


@value
class Edge:
    """A link between the points `a` and `b`, by their numbers."""

    a: int
    b: int
    length: float
    link: str


class RigidSet:
    """Points at fixed places: of the plane for anchors, of a line for a straight bar."""

    def __init__(self, places: Mapping[int, Place]):
        self.places = dict(places)
        axes = len(next(iter(self.places.values()), ()))
        spread = [max(column) - min(column) for column in zip(*self.places.values(), strict=True)]
        self._axis = max(range(axes), key=spread.__getitem__) if axes else 0
        self._sorted = sorted((place[self._axis], point) for point, place in self.places.items())
        self._keys = [key for key, _ in self._sorted]

    def __contains__(self, point: int) -> bool:
        return point in self.places

    def distance(self, a: int, b: int) -> float:
        return math.dist(self.places[a], self.places[b])

    def near(self, point: int, radius: float) -> list[tuple[float, int]]:
        """The other points no further than `radius`, with their distances."""
        at = self.places[point][self._axis]
        first, last = bisect_left(self._keys, at - radius), bisect_right(self._keys, at + radius)
        found = ((self.distance(point, other), other) for _, other in self._sorted[first:last] if other != point)
        return [(distance, other) for distance, other in found if distance <= radius]

    def gap(self, point: int) -> float:
        """A lower bound of the distance to the nearest other point: that of the neighbours along one axis."""
        at = bisect_left(self._sorted, (self.places[point][self._axis], point))
        sides = [abs(self._keys[i] - self._keys[at]) for i in (at - 1, at + 1) if 0 <= i < len(self._keys)]
        return min(sides, default=math.inf)


def on_loops(edges: list[Edge], rigid: list[RigidSet]) -> list[Edge]:
    """The edges whose ends may be joined in another way too, in their order: dead ends are taken away, one after another."""
    points = 1 + max((max(edge.a, edge.b) for edge in edges), default=-1)
    degree = [0] * points
    which = [
        0
    ] * points  # the numbers of the edges at a point, each one in or out by exclusive or: of a single one, its own
    for number, edge in enumerate(edges):
        a, b = edge.a, edge.b
        degree[a] += 1
        degree[b] += 1
        which[a] ^= number
        which[b] ^= number
    held = {point for one in rigid for point in one.places}
    dead = [point for point, count in enumerate(degree) if count == 1 and point not in held]
    gone = [False] * len(edges)
    while dead:
        point = dead.pop()
        if degree[point] != 1:
            continue  # its last edge went with the other end
        number = which[point]
        gone[number] = True
        edge = edges[number]
        other = edge.b if edge.a == point else edge.a
        degree[point] = 0
        degree[other] -= 1
        which[other] ^= number
        if degree[other] == 1 and other not in held:
            dead.append(other)
    return [edge for edge, without in zip(edges, gone, strict=True) if not without]


class WorkExceeded(Exception):
    """The search took more steps than it was given."""


@dataclass
class Budget:
    """Steps that are left to all searches together."""

    steps: int

    def spend(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise WorkExceeded


@dataclass
class Lengths:
    """The graph: the edges at each point, shortest first, and the rigid sets that each point belongs to."""

    edges: list[Edge]
    rigid: list[RigidSet]
    budget: Budget
    around: dict[int, list[Edge]] = field(init=False)
    sets_of: dict[int, list[RigidSet]] = field(init=False)
    between: dict[tuple[int, int], list[Edge]] = field(init=False)
    _apart: Floats | None = field(init=False, default=None)  # by the places of the points
    _place: dict[int, int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.around, self.sets_of, self.between = {}, {}, {}
        for edge in sorted(self.edges, key=lambda edge: edge.length):
            for end in (edge.a, edge.b):
                self.around.setdefault(end, []).append(edge)
            self.between.setdefault((min(edge.a, edge.b), max(edge.a, edge.b)), []).append(edge)
        for rigid in self.rigid:
            for point in rigid.places:
                self.sets_of.setdefault(point, []).append(rigid)
        few, many = len(self.around) <= _FEW, len(self.edges) > _MANY * len(self.around)
        self._apart = self._shortest() if few and many and not any(len(r.places) > 1 for r in self.rigid) else None

    def _shortest(self) -> Floats:
        """All shortest paths at once, by Floyd and Warshall: of dense graphs sooner than one search for each link."""
        self._place = {point: place for place, point in enumerate(self.around)}
        apart = np.full((len(self._place),) * 2, math.inf)
        for (one, two), edges in self.between.items():
            a, b = self._place[one], self._place[two]
            apart[a, b] = apart[b, a] = edges[0].length
        for k in range(len(apart)):
            np.minimum(apart, apart[:, k : k + 1] + apart[k], out=apart)
        return apart

    def shortest_step(self, point: int, without: Edge) -> float:
        """No step from the point over anything but the edge `without` is shorter than this."""
        steps = [edge.length for edge in self.around.get(point, ())[:2] if edge is not without][:1]
        return min(steps + [rigid.gap(point) for rigid in self.sets_of.get(point, ())], default=math.inf)

    def direct(self, a: int, b: int, without: Edge) -> float:
        """The shortest single step between two points, but for the edge `without`."""
        steps = [edge.length for edge in self.between.get((min(a, b), max(a, b)), ()) if edge is not without]
        steps += [rigid.distance(a, b) for rigid in self.sets_of.get(a, ()) if b in rigid]
        return min(steps, default=math.inf)

    def joined(self, edge: Edge, limit: float) -> bool:
        """Whether anything but the edge itself joins its ends by a path no longer than `limit`.

        Every path ends with a step to the target, so points further than `limit` less the shortest such step need not
        be visited. As the target serves the end where this says more.
        """
        if self._apart is not None and len(self.between[min(edge.a, edge.b), max(edge.a, edge.b)]) == 1:
            a, b = self._place[edge.a], self._place[edge.b]
            by_way_of = self._apart[a] + self._apart[b]
            by_way_of[[a, b]] = math.inf
            if by_way_of.min() > limit * (1 + _ROUNDING):
                return False
        steps = {end: self.shortest_step(end, edge) for end in (edge.a, edge.b)}
        source, target = sorted(steps, key=lambda end: steps[end])
        if max(steps.values()) > limit:
            return False
        search = ShortestPaths(self, [source], limit - steps[target], without=edge)
        if self.direct(source, target, edge) <= limit:
            return True
        while (point := search.next_point()) is not None:
            if search.distance[point] + self.direct(point, target, edge) <= limit:
                return True
        return False


Step = Edge | RigidSet  # how a search came from one point to the next


class ShortestPaths:
    """Dijkstra's algorithm from some points, one point at a time, in the order of their distance up to a limit."""

    def __init__(
        self, graph: Lengths, sources: Iterable[int], limit: float = math.inf, without: Edge | RigidSet | None = None
    ):
        self._graph, self._limit, self._without = graph, limit, without
        self.distance: dict[int, float] = {}
        self.origin: dict[int, int] = {}  # the source that a point is nearest to
        self.came: dict[int, tuple[int, Step]] = {}  # the point before, and the step from it
        # (distance, point it starts from, which step, -1 for edge number `which` or a count for a rigid set, …)
        self._waiting: list[tuple[float, int, int, int]] = []
        for source in sources:
            self.distance[source] = 0.0
            self.origin[source] = source
            self.expand(source)

    def next_point(self, expand: bool = True) -> int | None:
        """The next point, with `distance`, `origin` and `came` filled in; None when there is none within the limit.

        With `expand=False` the search goes on from this point only if the caller calls `expand`.
        """
        while self._waiting:
            self._graph.budget.spend()
            distance, start, which, target = heappop(self._waiting)
            step: Step
            if which < 0:  # a point of a rigid set
                step = self._graph.sets_of[start][-1 - which]
                if target < 0:  # all points of the set, now that the nearest of them may be next
                    self._enter(step, start, which)
                    continue
            else:
                self._wait(start, which + 1)
                step = self._graph.around[start][which]
                target = step.b if step.a == start else step.a
            if target in self.distance:
                continue
            self.distance[target] = distance
            self.origin[target] = self.origin[start]
            self.came[target] = (start, step)
            if expand:
                self.expand(target)
            return target
        return None

    def expand(self, point: int) -> None:
        """Go on from a settled point: over its shortest link, and over its rigid sets."""
        self._wait(point, 0)
        for number, rigid in enumerate(self._graph.sets_of.get(point, ())):
            came_by = self.came.get(point, (point, None))[1]
            if rigid is self._without or rigid is came_by:
                continue  # two steps in one rigid set are never shorter than one
            distance = self.distance[point] + rigid.gap(point)
            if distance <= self._limit:
                heappush(self._waiting, (distance, point, -1 - number, -1))

    def _wait(self, point: int, which: int) -> None:
        edges = self._graph.around.get(point, ())
        if which < len(edges) and edges[which] is self._without:
            which += 1
        if which < len(edges):
            distance = self.distance[point] + edges[which].length
            if distance <= self._limit:
                heappush(self._waiting, (distance, point, which, -1))

    def _enter(self, rigid: RigidSet, start: int, which: int) -> None:
        for step, point in rigid.near(start, self._limit - self.distance[start]):
            self._graph.budget.spend()
            if point not in self.distance:
                heappush(self._waiting, (self.distance[start] + step, start, which, point))

    def steps_to(self, point: int) -> list[Step]:
        """What the shortest path to a settled point walks over, from its source on."""
        steps = []
        while point in self.came:
            point, step = self.came[point]
            steps.append(step)
        return steps[::-1]
