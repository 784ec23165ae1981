"""Ranks and null vectors, held against dense linear algebra."""

import math

import numpy as np
import pytest

from chainlist.compile.factor import Block, BlockFactor
from chainlist.compile.rank import _select, find_rank
from chainlist.equations.rowset import row_set

O = (0.0, 0.0)  # noqa: E741 - the origin


def dense(rows, state):
    A = np.zeros((rows.count, rows.points.bodies, rows.dimension))
    for k in range(rows.count):
        for e, b in enumerate(rows.body[k]):
            if b >= 0:
                A[k, b] += state.J[k, e]
    return A.reshape(rows.count, -1)


def start(mechanism):
    return np.array([body.start for body in mechanism.bodies], dtype=float)


def scaled_rows(mechanism):
    return row_set([body.name for body in mechanism.bodies], start(mechanism), mechanism.constraints)


def random_frame(machine, seed: int, integer: bool):
    """Bodies at random places, or on a coarse grid where directions coincide, with random links, anchors and sliders."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 12))
    places = rng.integers(-3, 4, size=(count, 2)) if integer else rng.normal(size=(count, 2))
    bodies = {f"B{k}": (float(x), float(y)) for k, (x, y) in enumerate(places)}
    names = list(bodies)
    links = []
    for _ in range(int(rng.integers(1, 3 * count))):
        a, b = rng.choice(count, 2, replace=False)
        if bodies[names[a]] != bodies[names[b]]:
            links.append((names[a], names[b]))
    for name in names:
        if rng.random() < 0.3 and bodies[name] != (0.5, 0.5):
            links.append((name, (0.5, 0.5)))
    sliders = [(name, 0.0, 1.0, bodies[name][1]) for name in names if rng.random() < 0.2]
    return machine(bodies, links, sliders)


@pytest.mark.parametrize("integer", [False, True])
@pytest.mark.parametrize("seed", range(60))
def test_rank_and_null_vectors_are_those_of_the_dense_matrix(machine, seed: int, integer: bool) -> None:
    mechanism = random_frame(machine, seed, integer)
    rows = scaled_rows(mechanism)
    state = rows.at(start(mechanism))
    A = dense(rows, state)
    found = find_rank(rows.body, state.J)
    assert found.rank == np.linalg.matrix_rank(A, tol=1e-6)
    assert not found.doubtful
    assert len(found.dependent) == rows.count - found.rank
    Y = np.zeros((len(found.dependent), rows.count))
    for y, dependence in zip(Y, found.dependent, strict=True):
        y[list(dependence.rows)] = dependence.y
        assert np.abs(A.T @ y).max() < 1e-9 * np.abs(y).max()
        # no row can be left out: the others are independent
        assert np.linalg.matrix_rank(A[list(dependence.rows)], tol=1e-9) == len(dependence.rows) - 1
    if len(Y):
        assert np.linalg.matrix_rank(Y) == len(Y)


@pytest.mark.parametrize("seed", range(10))
def test_factor_solves_and_projects(machine, seed: int) -> None:
    mechanism = random_frame(machine, seed, False)
    rows = scaled_rows(mechanism)
    state = rows.at(start(mechanism))
    A = dense(rows, state)
    block = Block(rows.body)
    columns = (2 * block.bodies[:, None] + [0, 1]).reshape(-1)
    A = A[:, columns]
    rng = np.random.default_rng(seed)
    w = rng.normal(size=(len(block.bodies), 2))
    factor = BlockFactor(block, state.J, 1e-10)
    expected = w.reshape(-1) - np.linalg.pinv(A, rcond=1e-9) @ (A @ w.reshape(-1))
    np.testing.assert_allclose(factor.projected(w).reshape(-1), expected, atol=1e-9)
    r = A @ rng.normal(size=A.shape[1])
    np.testing.assert_allclose(A @ (A.T @ factor.solve(r)), r, atol=1e-9)
    np.testing.assert_allclose(block.transposed(state.J, r).reshape(-1), A.T @ r, atol=1e-12)


def test_selection_prefers_clear_rows(machine) -> None:
    """Three links at one body, two of them nearly parallel: one of these must go."""
    mechanism = machine({"B1": (1.0, 0.0)}, [("B1", O), ("B1", (0.0, 1e-7)), ("B1", (1.0, 1.0))])
    rows = scaled_rows(mechanism)
    state = rows.at(start(mechanism))
    chosen = _select(Block(rows.body), state.J)
    assert len(chosen) == 2 and 2 in chosen
    assert find_rank(rows.body, state.J).rank == 2


def test_truss_of_many_cells_has_full_rank(machine) -> None:
    """Its smallest pivot falls with the cube of its length; peeled from its end it is no question at all."""
    cells = 600
    bodies, links = {}, []
    for k in range(1, cells + 1):
        bodies[f"B{2 * k}"], bodies[f"B{2 * k + 1}"] = (float(k), 0.0), (float(k), 1.0)
        low, high = (O, (0.0, 1.0)) if k == 1 else (f"B{2 * k - 2}", f"B{2 * k - 1}")
        links += [(f"B{2 * k}", low), (f"B{2 * k}", high), (f"B{2 * k + 1}", high), (f"B{2 * k}", f"B{2 * k + 1}")]
    rows = scaled_rows(machine(bodies, links))
    found = find_rank(rows.body, rows.at(start(machine(bodies, links))).J)
    assert found.rank == rows.count == 4 * cells
    assert not found.doubtful


def test_hub_with_many_spokes(machine) -> None:
    count = 3_000
    bodies = {f"B{k}": (math.cos(k), math.sin(k)) for k in range(1, count)} | {"B": O}
    mechanism = machine(bodies, [("B", f"B{k}") for k in range(1, count)])
    rows = scaled_rows(mechanism)
    assert find_rank(rows.body, rows.at(start(mechanism)).J).rank == count - 1


def test_a_body_with_thousands_of_anchors_is_judged(machine) -> None:
    count = 3_000
    mechanism = machine({"B1": O}, [("B1", (math.cos(k), math.sin(k))) for k in range(count)])
    rows = scaled_rows(mechanism)
    found = find_rank(rows.body, rows.at(start(mechanism)).J)
    assert found.rank == 2 and len(found.dependent) + found.more_dependent == count - 2 and not found.doubtful


def test_dense_block_is_left_with_a_remark(machine) -> None:
    """A wheel with more spokes than can be factored, and too many bodies for a full matrix."""
    count = 2_600
    rim = {f"B{k}": (math.cos(k), math.sin(k)) for k in range(1, count + 1)}
    links = [*(("B", name) for name in rim), *((f"B{k}", f"B{k % count + 1}") for k in range(1, count + 1))]
    mechanism = machine({"B": O} | rim, links)
    rows = scaled_rows(mechanism)
    found = find_rank(rows.body, rows.at(start(mechanism)).J)
    assert found.doubtful[0][0] == tuple(range(len(links)))
