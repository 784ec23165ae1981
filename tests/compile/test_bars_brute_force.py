"""Straight bars against a plain search: all distances between all points, over and over until nothing changes."""

import itertools
import math

from hypothesis import given, settings
from hypothesis import strategies as st

from chainlist.compile.bars import find_bars

coordinate = st.integers(-2, 2).map(float)
point = st.tuples(coordinate, coordinate)


@st.composite
def frames(draw):
    """Many links between few grid points on few lines: bars, taut chains and crossings are frequent."""
    count = draw(st.integers(1, 6))
    flat = draw(st.booleans())
    at = st.tuples(coordinate, st.just(0.0) if flat else coordinate)
    places = draw(st.lists(at, min_size=count, max_size=count, unique=True))
    bodies = {f"B{k}": place for k, place in enumerate(places)}
    anchors = [place for place in draw(st.lists(at, max_size=3, unique=True)) if place not in places]
    ends = [*bodies, *anchors]
    pairs = [(a, b) for a, b in itertools.combinations(ends, 2) if isinstance(a, str) and bodies[a] != bodies.get(b, b)]
    links = draw(st.lists(st.sampled_from(pairs), max_size=12, unique=True)) if pairs else []
    return bodies, links


def shortest(points, known):
    d = {(a, b): 0.0 if a == b else known.get((a, b), math.inf) for a in points for b in points}
    for k, a, b in itertools.product(points, repeat=3):
        d[a, b] = min(d[a, b], d[a, k] + d[k, b])
    return d


def brute_force(bodies, links):
    """The sets of points on each line; positions serve as coordinates, since every length is taken from them."""
    place = {**bodies, **{end: end for pair in links for end in pair if not isinstance(end, str)}}
    points = list(place)
    known = {}

    def know(a, b):
        known[a, b] = known[b, a] = math.dist(place[a], place[b])

    for a, b in links:
        know(a, b)
    fixed = {p for p in points if not isinstance(p, str)}
    lines = []
    while True:
        for a, b in itertools.combinations(sorted(fixed, key=str), 2):
            know(a, b)
        for line in lines:
            for a, b in itertools.combinations(sorted(line, key=str), 2):
                know(a, b)
        d = shortest(points, known)
        found = list(lines)
        for a, b in known:
            on = {x for x in points if d[a, x] + d[x, b] <= known[a, b] * (1 + 1e-10)}
            if len(on) > 2 and on - fixed:
                found.append(on)
        merged = []
        for line in found:
            while other := next((m for m in merged if len(m & line) > 1), None):
                merged.remove(other)
                line = line | other
            merged.append(line)
        held = fixed.union(*(line for line in merged if len(line & fixed) > 1))
        if held == fixed and sorted(map(len, merged)) == sorted(map(len, lines)):
            return {frozenset(line) for line in merged}
        fixed, lines = held, merged


def anchors_in(line):
    return sum(not isinstance(end, str) for end in line)


def bodies_of(lines):
    return {end for line in lines for end in line if isinstance(end, str)}


@settings(max_examples=300, deadline=None)
@given(frames())
def test_bars_are_those_of_the_plain_search(machine, frame) -> None:
    bodies, links = frame
    found = find_bars(machine(bodies, links))
    used = {end for pair in links for end in pair}
    expected = brute_force({name: at for name, at in bodies.items() if name in used}, links)
    assert not found.conflicts and found.complete
    # Anchors beyond the ends of a line that stands still anyway say nothing; else the points must be the same.
    still = [line for line in expected if anchors_in(line) > 1]
    assert bodies_of(bar.points for bar in found.bars if bar.stands_still) == bodies_of(still)
    moving = {frozenset(bar.points) for bar in found.bars if not bar.stands_still}
    held = bodies_of(still)
    assert {line for line in moving if not held & line} == {line for line in expected - set(still) if not held & line}
    for bar in found.bars:
        places = [bodies[p] if isinstance(p, str) else p for p in bar.points]
        for (s, one), (t, two) in itertools.combinations(zip(bar.coordinates, places, strict=True), 2):
            assert math.isclose(t - s, math.dist(one, two), rel_tol=1e-9, abs_tol=1e-9)
        assert set(bar.links) == {f"C{k + 1}" for k, pair in enumerate(links) if set(pair) <= set(bar.points)}
