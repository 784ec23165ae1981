"""Model solution of exercise 4: Greville's recursion."""

import numpy as np


def greville(B, tol):
    """The pseudoinverse of B, column by column."""
    rows, columns = B.shape
    X = np.zeros((columns, rows))
    first = B[:, 0]
    if first @ first > tol:
        X[0] = first / (first @ first)
    for k in range(1, columns):
        d = X[:k] @ B[:, k]
        c = B[:, k] - B[:, :k] @ d
        b = c / (c @ c) if c @ c > tol else d @ X[:k] / (1 + d @ d)
        X[:k] -= np.outer(d, b)
        X[k] = b
    return X
