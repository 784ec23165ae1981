"""CHOLESKY: formula (6), B⁺ = Bᵀ (B Bᵀ)⁻¹, by a Cholesky factorisation.

It needs rows that are independent: a pivot not above mpitol (0 unless given) is a breakdown, as on the paper's lever.
"""

import math

from chainlist.solvers.base import Solver, register


def cholesky(B, X, spare, tol):  # type: ignore[no-untyped-def]
    m, n = B.shape
    L, inverse, G = spare[0], spare[1], spare[2]
    limit = max(tol, 0.0)
    for i in range(m):  # B Bᵀ = L Lᵀ
        for j in range(i + 1):
            total = 0.0
            for k in range(n):
                total += B[i, k] * B[j, k]
            for k in range(j):
                total -= L[i, k] * L[j, k]
            if j < i:
                L[i, j] = total / L[j, j]
            elif total > limit:
                L[i, i] = math.sqrt(total)
            else:
                for a in range(n):
                    for b in range(m):
                        X[a, b] = math.nan
                return i + 1
    for i in range(m):  # L⁻¹
        for j in range(i + 1):
            total = 1.0 if i == j else 0.0
            for k in range(j, i):
                total -= L[i, k] * inverse[k, j]
            inverse[i, j] = total / L[i, i]
    for i in range(m):  # (B Bᵀ)⁻¹ = (L⁻¹)ᵀ L⁻¹
        for j in range(m):
            total = 0.0
            for k in range(max(i, j), m):
                total += inverse[k, i] * inverse[k, j]
            G[i, j] = total
    for a in range(n):
        for i in range(m):
            total = 0.0
            for k in range(m):
                total += B[k, a] * G[k, i]
            X[a, i] = total
    return 0


register(Solver("CHOLESKY", "formula (6), for independent rows only", cholesky, full_rank_only=True))
