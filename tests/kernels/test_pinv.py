"""Every named pseudoinverse: the four Penrose equations, or its declared failure."""

import numpy as np
import pytest

from chainlist import solvers
from chainlist.compile.pseudoinverse import pinv
from chainlist.kernels.bind import bind

NAMED = [name for name, solver in solvers.REGISTRY.items() if solver.pinv is not None]


def matrix(m, n, rank, seed=1):
    rng = np.random.default_rng(seed)
    left, right = np.linalg.qr(rng.normal(size=(m, rank)))[0], np.linalg.qr(rng.normal(size=(n, rank)))[0]
    return left @ np.diag(np.linspace(1.0, 3.0, rank)) @ right.T


def penrose(B, X):
    """The largest violation of the four equations."""
    return max(
        np.abs(B @ X @ B - B).max(),
        np.abs(X @ B @ X - X).max(),
        np.abs(B @ X - (B @ X).T).max(),
        np.abs(X @ B - (X @ B).T).max(),
    )


@pytest.mark.parametrize("algo", NAMED)
@pytest.mark.parametrize("shape", [(1, 4), (3, 8), (5, 5), (7, 12)])
def test_full_row_rank(algo, shape):
    B = matrix(*shape, rank=shape[0])
    X = pinv(B, algo)
    assert penrose(B, X) < 1e-11
    np.testing.assert_allclose(X, np.linalg.pinv(B), atol=1e-11)


@pytest.mark.parametrize("algo", NAMED)
@pytest.mark.parametrize(("m", "n", "rank"), [(4, 8, 3), (6, 6, 4), (6, 4, 2)])
def test_lost_rank(algo, m, n, rank):
    B = matrix(m, n, rank)
    X = pinv(B, algo, tol=1e-9)
    if solvers.REGISTRY[algo].full_rank_only:
        assert np.isnan(X).all()
    else:
        assert penrose(B, X) < 1e-6
        np.testing.assert_allclose(X, np.linalg.pinv(B), atol=1e-6)


@pytest.mark.parametrize("algo", NAMED)
def test_compiled_and_interpreted_are_equal_bits(algo):
    B, kernel = matrix(5, 8, 5), solvers.REGISTRY[algo].pinv
    results = []
    for target in ("python", "cpu"):
        X = np.zeros((8, 5))
        assert bind(kernel, target=target, entry=True)(B.copy(), X, np.zeros((3, 8, 8)), -1.0) == 0
        results.append(X)
    np.testing.assert_array_equal(*results)


def test_cholesky_names_the_row_that_depends():
    B = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [1.0, 2.0, 0.0]])
    kernel = bind(solvers.REGISTRY["CHOLESKY"].pinv, target="python")
    assert kernel(B, np.zeros((3, 3)), np.zeros((3, 3, 3)), -1.0) == 3


def test_mpitol_of_the_svd_is_on_singular_values_and_elsewhere_on_squares():
    B = np.diag([1.0, 1e-4])
    assert pinv(B, "SVD", tol=1e-3)[1, 1] == 0.0
    assert pinv(B, "SVD", tol=1e-5)[1, 1] == pytest.approx(1e4)
    for algo in ("GREVILLE", "GENCHOLESKY"):
        assert pinv(B, algo, tol=1e-7)[1, 1] == pytest.approx(0.0)
        assert pinv(B, algo, tol=1e-9)[1, 1] == pytest.approx(1e4)


@pytest.mark.parametrize("bad", [("AUTO", None), ("NONE", None), ("SVD", -1.0)])
def test_mistakes_are_named(bad):
    with pytest.raises(ValueError, match=r"no pseudoinverse is called|tol must not be negative"):
        pinv(np.eye(2), bad[0], bad[1])


def test_the_matrix_is_left_alone():
    B = matrix(3, 5, 3)
    before = B.copy()
    pinv(B, "SVD")
    np.testing.assert_array_equal(B, before)
