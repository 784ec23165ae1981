"""GREVILLE: Greville's recursion over the columns of B, with the indices of the paper's Appendix B put right.

mpitol is absolute and compared with ‖c‖², a squared length. The order of the columns, which is the order of bodies in
the text, decides how roundoff grows: on a long chain it fails, and with the bodies the other way round it does not.
"""

from chainlist.kernels.slots import EPS
from chainlist.solvers.base import Solver, register


def greville(B, X, spare, tol):  # type: ignore[no-untyped-def]
    m, n = B.shape
    d, c, b = spare[0, 0], spare[1, 0], spare[2, 0]
    if tol < 0.0:  # automatic: n · max diag(B Bᵀ) · unit roundoff
        largest = 0.0
        for i in range(m):
            squares = 0.0
            for j in range(n):
                squares += B[i, j] * B[i, j]
            largest = max(largest, squares)
        tol = n * largest * EPS
    aa = 0.0
    for i in range(m):
        aa += B[i, 0] * B[i, 0]
    for i in range(m):
        X[0, i] = B[i, 0] / aa if aa > tol else 0.0
    for k in range(1, n):
        dd = 0.0
        for j in range(k):  # d = A_{k−1}⁺ a_k
            total = 0.0
            for i in range(m):
                total += X[j, i] * B[i, k]
            d[j] = total
            dd += total * total
        cc = 0.0
        for i in range(m):  # c = a_k − A_{k−1} d
            total = B[i, k]
            for j in range(k):
                total -= B[i, j] * d[j]
            c[i] = total
            cc += total * total
        if cc > tol:
            for i in range(m):
                b[i] = c[i] / cc
        else:
            for i in range(m):
                total = 0.0
                for j in range(k):
                    total += d[j] * X[j, i]
                b[i] = total / (1.0 + dd)
        for j in range(k):
            for i in range(m):
                X[j, i] -= d[j] * b[i]
        for i in range(m):
            X[k, i] = b[i]
    return 0


register(Solver("GREVILLE", "Greville's recursion over columns", greville))
