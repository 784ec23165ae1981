"""The elimination order and the fill, held against a dense elimination that marks what it touches."""

import random
from collections.abc import Callable

import numpy as np
import pytest

from chainlist.compile.ordering import minimum_degree, neighbours_of_rows, pattern_of_factor

from ..work import growth


def random_pattern(rows: int, entries: int, seed: int) -> list[set[int]]:
    choose = random.Random(seed)
    neighbours: list[set[int]] = [set() for _ in range(rows)]
    for _ in range(entries):
        i, j = choose.randrange(rows), choose.randrange(rows)
        if i != j:
            neighbours[i].add(j)
            neighbours[j].add(i)
    return neighbours


def dense_fill(neighbours: list[set[int]], order: np.ndarray) -> np.ndarray:
    """Eliminate in a matrix of booleans, in the given order."""
    rows = len(neighbours)
    present = np.eye(rows, dtype=bool)
    for i, others in enumerate(neighbours):
        present[i, list(others)] = True
    present = present[np.ix_(order, order)]
    for k in range(rows):
        below = np.flatnonzero(present[k + 1 :, k]) + k + 1
        present[np.ix_(below, below)] = True
    return np.tril(present, -1)


def net(side: int) -> list[set[int]]:
    number = {(r, c): r * side + c for r in range(side) for c in range(side)}
    links = [(number[r, c], number[r, c + 1]) for r in range(side) for c in range(side - 1)]
    links += [(number[r, c], number[r + 1, c]) for r in range(side - 1) for c in range(side)]
    return neighbours_of_rows(links)


@pytest.mark.parametrize("seed", range(30))
def test_pattern_is_that_of_a_dense_elimination(seed: int) -> None:
    neighbours = random_pattern(rows=5 + seed, entries=3 * seed, seed=seed)
    natural = np.arange(len(neighbours), dtype=np.uint32)
    for order in (minimum_degree(neighbours), natural, natural[::-1].copy()):
        start, columns = pattern_of_factor(neighbours, order)
        expected = dense_fill(neighbours, order)
        assert start.dtype == columns.dtype == np.uint32
        for i in range(len(neighbours)):
            assert columns[start[i] : start[i + 1]].tolist() == np.flatnonzero(expected[i]).tolist()


@pytest.mark.parametrize("seed", range(10))
def test_each_row_taken_has_the_fewest_neighbours(seed: int) -> None:
    neighbours = random_pattern(rows=25, entries=50, seed=seed)
    around = [set(others) for others in neighbours]
    left = set(range(25))
    for row in minimum_degree(neighbours).tolist():
        degree = len(around[row])
        fewest = min(len(around[other]) for other in left)
        assert degree == fewest
        left.remove(row)
        for other in around[row]:
            around[other] |= around[row] - {other}
            around[other].discard(row)
    assert not left


def test_rows_are_neighbours_where_they_share_a_body() -> None:
    assert neighbours_of_rows([(0,), (0, 1), (1, 2), (3,)]) == [{1}, {0, 2}, {1}, set()]


def test_chain_has_no_fill_and_a_tree_next_to_none() -> None:
    chain = neighbours_of_rows([(0,), *((i, i + 1) for i in range(500))])
    _, columns = pattern_of_factor(chain, minimum_degree(chain))
    assert len(columns) == 500
    tree = neighbours_of_rows([(0,), *(((i - 1) // 2, i) for i in range(1, 511))])
    _, columns = pattern_of_factor(tree, minimum_degree(tree))
    assert len(columns) <= 1.1 * sum(map(len, tree)) / 2


def test_net_has_little_fill() -> None:
    neighbours = net(30)
    order = minimum_degree(neighbours)
    start, _ = pattern_of_factor(neighbours, order)
    assert start[-1] <= 34_500


def test_the_work_of_ordering_a_chain_is_linear() -> None:
    def ordering(links: int) -> Callable[[], object]:
        chain = neighbours_of_rows([(0,), *((i, i + 1) for i in range(links - 1))])
        return lambda: pattern_of_factor(chain, minimum_degree(chain))

    assert growth(ordering, 500) < 1.2


def test_a_busy_hub_is_ordered() -> None:
    hub = neighbours_of_rows([(0, i + 1) for i in range(1_000)])
    assert sorted(minimum_degree(hub).tolist()) == list(range(1_000))


def test_same_pattern_same_order() -> None:
    neighbours = random_pattern(rows=60, entries=150, seed=7)
    shuffled = [sorted(others, reverse=True) for others in neighbours]
    assert minimum_degree(neighbours).tolist() == minimum_degree(shuffled).tolist()
