"""Straight bars: points that lengths alone hold on one line, found before any run.

A link is tight if other links join its ends by a path no longer than itself. Then nothing on the path can bend: every
point of it lies on the segment between the two ends, in every position that the mechanism can take. The paper's lever
is the smallest example (1 + 1 = 2). The gradients of such links depend on one another in every position, so that the
equations of index 1 do not contain the constraint; AUTO replaces the links by the linear equations that they mean.
The same search finds lengths that contradict one another: a link that others do not let be as long as it must be.

Two anchors are joined by their distance as if by a link: a chain stretched taut between them is a bar as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from chainlist.compile.reach import Budget, Edge, Lengths, Place, RigidSet, ShortestPaths, Step, WorkExceeded, on_loops
from chainlist.model.conditions import asked_for
from chainlist.model.mechanism import End, Mechanism, Point

TIGHT = 1e-10  # τ_len: relative excess of lengths below which points are on one line
SHORT_PIECE = 1e-5  # a piece shorter than this, relative to the bar, gives no direction: roundoff would decide
SAME = 1e-9  # places that differ by less, relative to the bar, are one
STEPS_PER_LINK = 300  # how much searching is spent before giving up, and saying so


@dataclass(frozen=True)
class Bar:
    """Points in their order on the line, their coordinates on it [m] from 0 on, and the links that the bar replaces."""

    points: tuple[End, ...]
    coordinates: tuple[float, ...]
    links: tuple[str, ...]

    @property
    def length(self) -> float:
        return self.coordinates[-1]

    @property
    def ends(self) -> tuple[End, End]:
        return self.points[0], self.points[-1]

    @cached_property
    def anchors(self) -> tuple[int, ...]:
        """Which of the points are anchors."""
        return tuple(k for k, point in enumerate(self.points) if isinstance(point, tuple))

    @property
    def stands_still(self) -> bool:
        """Two anchors in different places hold the bar: none of its bodies can move."""
        fixed = [self.coordinates[k] for k in self.anchors]
        return len(fixed) > 1 and fixed[-1] - fixed[0] > SAME * self.length

    def weights(self, k: int) -> tuple[float, float]:
        """Point k is the sum of the two end points times these: (s_b − s_k)/L and (s_k − s_a)/L."""
        return (self.length - self.coordinates[k]) / self.length, self.coordinates[k] / self.length

    def place(self, k: int) -> Point:
        """Where point k of a bar that stands still is."""
        first, last = self.anchors[0], self.anchors[-1]
        share = (self.coordinates[k] - self.coordinates[first]) / (self.coordinates[last] - self.coordinates[first])
        a, b = self.points[first], self.points[last]
        assert isinstance(a, tuple) and isinstance(b, tuple)
        return tuple(x + share * (y - x) for x, y in zip(a, b, strict=True))


@dataclass(frozen=True)
class Conflict:
    """Two points that must be `apart` [m] (by the links `held_by`; none: both are anchors), but `path` reaches less."""

    ends: tuple[End, End]
    apart: float
    reach: float
    held_by: tuple[str, ...]
    path: tuple[str, ...]


@dataclass(frozen=True)
class Straightness:
    """All bars and all conflicts of length. `complete` is False where the search had to be cut short."""

    bars: tuple[Bar, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    complete: bool = True


def find_bars(mechanism: Mechanism) -> Straightness:
    """Every straight bar of a mechanism and every conflict between lengths. Only links take part."""
    finder = _Finder(mechanism)
    complete = True
    try:
        while finder.round():
            pass
    except WorkExceeded:
        complete = False
    return Straightness(finder.bars(), tuple(finder.conflicts.values()), complete)


Line = dict[int, float]  # the points of a bar → their coordinates on it


class _Finder:
    """The lines found so far. Each round searches with what the rounds before have found."""

    def __init__(self, mechanism: Mechanism):
        self.points: list[End] = [body.name for body in mechanism.bodies]
        number: dict[End, int] = {name: i for i, name in enumerate(self.points)}
        self.fixed: dict[int, Place] = {}
        self.edges = []
        asked = asked_for(mechanism)
        for link in mechanism.links:
            if link.parts.switches or link.name in asked:
                continue
            for end in link.ends:
                if end not in number:
                    number[end] = len(self.points)
                    self.points.append(end)
                if isinstance(end, tuple):
                    self.fixed[number[end]] = end
            self.edges.append(Edge(number[link.ends[0]], number[link.ends[1]], link.parameters[1], link.name))
        self.lines: dict[int, Line] = {}
        self.lines_of: dict[int, set[int]] = {}
        self.conflicts: dict[tuple[int, int], Conflict] = {}
        self.budget = Budget(100_000 + STEPS_PER_LINK * len(self.edges))
        self._numbers_used = 0

    def round(self) -> bool:
        """Test every link, and every pair of points whose distance is known otherwise; True if that changed a line."""
        moving = {number: line for number, line in self.lines.items() if not self._stands_still(line)}
        anchors = RigidSet(self.fixed)
        bars = {number: RigidSet({p: (s,) for p, s in line.items()}) for number, line in moving.items()}
        edges = [edge for edge in self.edges if not self._inside(edge)] if self.lines else self.edges
        rigid_sets = [rigid for rigid in (anchors, *bars.values()) if len(rigid.places) > 1]
        loops = on_loops(edges, rigid_sets)
        if not loops and not rigid_sets:
            return False  # a tree: nothing joins two points in two ways
        graph = Lengths(edges, [anchors, *bars.values()], self.budget)
        changed = False
        for edge in loops:
            limit = edge.length * (1 + TIGHT)
            if graph.joined(edge, limit):
                changed |= self._cluster(graph, edge.a, edge.b, edge.length, edge)
        for rigid in graph.rigid:
            for a, b in _tight_pairs(graph, rigid):
                changed |= self._cluster(graph, a, b, rigid.distance(a, b), rigid)
        return changed

    def _inside(self, edge: Edge) -> bool:
        """Whether a line holds both ends of a link already; its length must then agree."""
        for number in self.lines_of.get(edge.a, set()) & self.lines_of.get(edge.b, set()):
            line = self.lines[number]
            apart = abs(line[edge.a] - line[edge.b])
            off = abs(apart - edge.length)
            if off > SAME * edge.length and off > SAME * _extent(line):
                self._disagree(edge.a, edge.b, (edge.length, (edge.link,)), (apart, self._links_of(line, edge)))
            return True
        return False

    def _cluster(self, graph: Lengths, a: int, b: int, length: float, held: Step) -> bool:
        """The points on paths from a to b that are as short as they can be; True if this changes a line."""
        limit = length * (1 + TIGHT)
        searches = [ShortestPaths(graph, [end], limit, without=held) for end in (a, b)]
        for search in searches:
            while search.next_point() is not None:
                pass
        from_a, from_b = searches
        reach = from_a.distance.get(b, limit)
        if reach < length * (1 - 2 * TIGHT):
            path = self._names(from_a.steps_to(b), b, from_a)
            held_by = self._names([held], b, None) if isinstance(held, RigidSet) else (held.link,)
            self._conflict(a, b, Conflict((self.points[a], self.points[b]), length, reach, held_by, path))
            return False
        line = {a: 0.0, b: length}
        for point, da in from_a.distance.items():
            db = from_b.distance.get(point)
            if db is None or point in line:
                continue
            piece = min(da, db)
            if da + db - length <= 2 * TIGHT * piece and piece >= SHORT_PIECE * length:
                line[point] = length * da / (da + db)
        return len(line) > 2 and self._add(line)

    def _add(self, line: Line) -> bool:
        """Put a line to the others: lines that share two points are one. True if that says anything new."""
        merged: set[int] = set()
        while (other := self._shares_two_points(line, merged)) is not None:
            joined = _joined(self.lines[other], line)
            if joined is None:
                a, b = _shared_ends(self.lines[other], line)
                known = self.lines[other]
                self._disagree(
                    a,
                    b,
                    (abs(known[a] - known[b]), self._links_of(known)),
                    (abs(line[a] - line[b]), self._links_of(line)),
                )
                return False
            if len(joined) == len(self.lines[other]) and not merged:
                return False
            merged.add(other)
            line = joined
        for number in merged:
            for point in self.lines.pop(number):
                self.lines_of[point].discard(number)
        self._numbers_used += 1
        self.lines[self._numbers_used] = line
        for point in line:
            self.lines_of.setdefault(point, set()).add(self._numbers_used)
        if self._stands_still(line):
            self._fix(line)
        return True

    def _shares_two_points(self, line: Line, but: set[int]) -> int | None:
        seen: dict[int, float] = {}
        tolerance = SHORT_PIECE * _extent(line)
        for point, at in sorted(line.items()):
            for number in sorted(self.lines_of.get(point, set()) - but):
                if number in seen and abs(seen[number] - at) > tolerance:
                    return number
                seen.setdefault(number, at)
        return None

    def _stands_still(self, line: Line) -> bool:
        held = [at for point, at in line.items() if point in self.fixed]
        return len(held) > 1 and max(held) - min(held) > SAME * _extent(line)

    def _fix(self, line: Line) -> None:
        """The bodies of a line with two fixed points are fixed points themselves."""
        held = sorted((at, point) for point, at in line.items() if point in self.fixed)
        (s, first), (t, last) = held[0], held[-1]
        for point, at in line.items():
            if point not in self.fixed:
                ends = zip(self.fixed[first], self.fixed[last], strict=True)
                self.fixed[point] = tuple(x + (at - s) / (t - s) * (y - x) for x, y in ends)

    def _disagree(self, a: int, b: int, one: tuple[float, tuple[str, ...]], two: tuple[float, tuple[str, ...]]) -> None:
        (apart, held_by), (reach, path) = max(one, two), min(one, two)
        self._conflict(a, b, Conflict((self.points[a], self.points[b]), apart, reach, held_by, path))

    def _conflict(self, a: int, b: int, conflict: Conflict) -> None:
        self.conflicts.setdefault((min(a, b), max(a, b)), conflict)

    def _names(self, steps: Iterable[Step], last: int, search: ShortestPaths | None) -> tuple[str, ...]:
        """The links of a path, in its order; where it runs over a bar, the links of the bar."""
        names: dict[str, None] = {}
        points = [last]
        while search is not None and points[-1] in search.came:
            points.append(search.came[points[-1]][0])
        points.reverse()
        for k, step in enumerate(steps):
            if isinstance(step, Edge):
                names[step.link] = None
                continue
            for number in sorted(set().union(*(self.lines_of.get(p, set()) for p in points[k : k + 2]))):
                if len(step.places.keys() & self.lines[number].keys()) > 1:
                    names.update(dict.fromkeys(self._links_of(self.lines[number])))
        return tuple(names)

    def _links_of(self, line: Line, but: Edge | None = None) -> tuple[str, ...]:
        return tuple(e.link for e in self.edges if e is not but and e.a in line and e.b in line)

    def bars(self) -> tuple[Bar, ...]:
        """The lines as bars, each from its end that was named first, in the order of their first links."""
        if not self.lines:
            return ()
        first_edge = {edge.link: k for k, edge in enumerate(self.edges)}
        found = []
        edges_at: dict[int, list[Edge]] = {}
        for edge in self.edges:
            edges_at.setdefault(edge.a, []).append(edge)
        for line in self.lines.values():
            links = [edge.link for a in line for edge in edges_at.get(a, ()) if edge.b in line]
            ordered = sorted((at, point) for point, at in line.items())
            if ordered[0][1] > ordered[-1][1]:
                ordered = sorted((-at, point) for point, at in line.items())
            origin = ordered[0][0]
            found.append(
                Bar(
                    tuple(self.points[point] for _, point in ordered),
                    tuple(at - origin for at, _ in ordered),
                    tuple(sorted(links, key=first_edge.__getitem__)),
                )
            )
        return tuple(sorted(found, key=lambda bar: first_edge[bar.links[0]]))


def _tight_pairs(graph: Lengths, rigid: RigidSet) -> list[tuple[int, int]]:
    """Pairs of points of a rigid set that links outside it join by a path no longer than their distance.

    Searching from each point a through everything would cost the square of their number. It is enough to go on from
    a point x as long as no detour over another point r of the set is as short, d(a,x) < |a r| + d(r,x): if x is on a
    tight path from a to b and the detour is as short, then the path from r over x to b is tight as well and is found
    from there. r is the point of the set that is nearest to x.
    """
    sources = [point for point in rigid.places if graph.around.get(point) or len(graph.sets_of[point]) > 1]
    if len(sources) < 2:
        return []
    nearest = ShortestPaths(graph, sources, without=rigid)
    while nearest.next_point() is not None:
        pass
    pairs = set()
    limit = _diameter(rigid) * (1 + TIGHT)
    for a in sources:
        search = ShortestPaths(graph, [a], limit, without=rigid)
        while (x := search.next_point(expand=False)) is not None:
            if x in rigid:
                if search.distance[x] <= rigid.distance(a, x) * (1 + TIGHT):
                    pairs.add((min(a, x), max(a, x)))
                continue
            r = nearest.origin[x]
            if r == a or search.distance[x] < (rigid.distance(a, r) + nearest.distance[x]) * (1 - 1e-12):
                search.expand(x)
    return sorted(pairs)


def _diameter(rigid: RigidSet) -> float:
    """No two points of the set are further apart."""
    columns = list(zip(*rigid.places.values(), strict=True))
    return math.dist([min(column) for column in columns], [max(column) for column in columns])


def _extent(line: Line) -> float:
    return max(line.values()) - min(line.values())


def _shared_ends(known: Line, line: Line) -> tuple[int, int]:
    """Of the points that two lines share, those that are furthest apart."""
    shared = sorted(known.keys() & line.keys(), key=lambda point: (line[point], point))
    return shared[0], shared[-1]


def _joined(known: Line, line: Line) -> Line | None:
    """Two lines that share two points, as one in the coordinates of the first; None if their distances disagree."""
    a, b = _shared_ends(known, line)
    sign = 1.0 if known[b] > known[a] else -1.0
    tolerance = SAME * max(_extent(known), _extent(line))
    joined = dict(known)
    for point, at in line.items():
        there = known[a] + sign * (at - line[a])
        if abs(joined.setdefault(point, there) - there) > tolerance:
            return None
    return joined
