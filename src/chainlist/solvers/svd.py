"""SVD: B⁺ = V Σ⁺ Uᵀ, by one-sided Jacobi rotations of the rows of B. B is overwritten.

mpitol is absolute, on singular values; automatic: n·σ₁·2.2E-16. Of the named algorithms the most accurate and slowest.
"""

import math

from chainlist.kernels.slots import EPS
from chainlist.solvers.base import Solver, register


def svd(B, X, spare, tol):  # type: ignore[no-untyped-def]
    m, n = B.shape
    T, norm = spare[0], spare[1, 0]
    for i in range(m):
        for j in range(m):
            T[i, j] = 1.0 if i == j else 0.0
    for _ in range(60):  # sweeps, until all rows are orthogonal: then they are the rows of Σ Vᵀ, and T is Uᵀ
        largest = 0.0
        for i in range(m):
            squares = 0.0
            for k in range(n):
                squares += B[i, k] * B[i, k]
            largest = max(largest, squares)
        turned = 0
        for i in range(m):
            for j in range(i + 1, m):
                a = 0.0
                b = 0.0
                dot = 0.0
                for k in range(n):
                    a += B[i, k] * B[i, k]
                    b += B[j, k] * B[j, k]
                    dot += B[i, k] * B[j, k]
                if min(a, b) > 1e-36 * largest and abs(dot) > 4.0 * EPS * math.sqrt(a * b):
                    turned += 1
                    zeta = (b - a) / (2.0 * dot)
                    tangent = 1.0 / (abs(zeta) + math.sqrt(1.0 + zeta * zeta))
                    if zeta < 0.0:
                        tangent = -tangent
                    cosine = 1.0 / math.sqrt(1.0 + tangent * tangent)
                    sine = cosine * tangent
                    for k in range(n):
                        x = B[i, k]
                        B[i, k] = cosine * x - sine * B[j, k]
                        B[j, k] = sine * x + cosine * B[j, k]
                    for k in range(m):
                        x = T[i, k]
                        T[i, k] = cosine * x - sine * T[j, k]
                        T[j, k] = sine * x + cosine * T[j, k]
        if turned == 0:
            break
    first = 0.0
    for i in range(m):
        squares = 0.0
        for k in range(n):
            squares += B[i, k] * B[i, k]
        norm[i] = squares
        if not squares <= first:
            first = squares
    first = math.sqrt(first)
    limit = tol if tol >= 0.0 else n * first * EPS
    for k in range(n):
        for j in range(m):
            total = 0.0
            for i in range(m):
                if not norm[i] <= limit * limit:
                    total += B[i, k] / norm[i] * T[i, j]
            X[k, j] = total
    return 0


register(Solver("SVD", "singular values, by one-sided Jacobi rotations", svd))
