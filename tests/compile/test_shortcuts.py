"""Shortcuts of the checks: what they leave out must be what the long way would find nothing in."""

import math
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chainlist.compile.places import _near_others
from chainlist.compile.rank import CLEAR, _different
from chainlist.compile.reach import Budget, Edge, Lengths, RigidSet, on_loops

pairs = st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda pair: pair[0] != pair[1])


@given(st.lists(pairs, max_size=12), st.sets(st.integers(0, 7), max_size=3))
def test_links_that_are_left_out_join_what_nothing_else_joins(ends, held):
    edges = [Edge(a, b, 1.0, f"C{k}") for k, (a, b) in enumerate(ends)]
    rigid = [RigidSet({point: (float(point), 0.0) for point in held})] if len(held) > 1 else []
    kept = on_loops(edges, rigid)
    graph = Lengths(edges, rigid, Budget(10_000))
    assert [edge for edge in edges if edge in kept] == kept
    assert all(edge in kept for edge in edges if graph.joined(edge, 1e6))


@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 6), st.sampled_from([0.0, 1e-9, 3e-9])), min_size=2, max_size=9
    )
)
def test_bodies_that_are_left_out_are_near_no_other(places):
    start = np.array([(x + off, y - off) for x, y, off in places])
    near = _near_others(start, 1.5e-9)
    close = {i for pair in combinations(range(len(start)), 2) if math.dist(*start[list(pair)]) <= 1.5e-9 for i in pair}
    assert close <= set(near) and near == sorted(near)


def test_a_row_of_bodies_is_near_no_other():
    for line in (np.array([1.0, 0.0]), np.array([0.0, 1.0]), np.array([0.3, 0.4])):
        assert _near_others(np.arange(1000.0)[:, None] * line, 1e-6) == []


numbers = st.floats(-1, 1, allow_nan=False)


@given(st.lists(st.lists(numbers, min_size=3, max_size=3), min_size=1, max_size=3))
def test_directions_are_judged_by_the_smallest_eigenvalue_of_their_products(directions):
    at = np.array(directions)
    smallest = np.linalg.eigvalsh(at @ at.T)[0]
    if abs(smallest - CLEAR) > 1e-9:
        assert _different([(one, sum(x * x for x in one)) for one in directions]) == (smallest > CLEAR)
