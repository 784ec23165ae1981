"""GENCHOLESKY: formula (B.3), B⁺ = Bᵀ L (LᵀL)⁻¹ (LᵀL)⁻¹ Lᵀ, with the generalised Cholesky factor L of B Bᵀ.

A pivot of B Bᵀ not above mpitol (absolute, a squared length) has its column set to zero and is passed over. Squaring B
squares its condition: what is left of a nearly dependent row is known to half the digits.
"""

import math

from chainlist.kernels.slots import EPS
from chainlist.solvers.base import Solver, register


def gencholesky(B, X, spare, tol):  # type: ignore[no-untyped-def]
    m, n = B.shape
    G, L, U = spare[0], spare[1], spare[2]
    largest = 0.0
    for i in range(m):
        for j in range(m):
            total = 0.0
            for k in range(n):
                total += B[i, k] * B[j, k]
            G[i, j] = total
        largest = max(largest, G[i, i])
    if tol < 0.0:
        tol = n * largest * EPS
    r = 0
    for i in range(m):
        for j in range(m):
            L[j, r] = 0.0
        for j in range(i, m):
            total = G[j, i]
            for k in range(r):
                total -= L[j, k] * L[i, k]
            L[j, r] = total
        if L[i, r] > tol:
            pivot = math.sqrt(L[i, r])
            L[i, r] = pivot
            for j in range(i + 1, m):
                L[j, r] /= pivot
            r += 1
    for i in range(r):  # LᵀL, and its Cholesky factor in the same place
        for j in range(i + 1):
            total = 0.0
            for k in range(m):
                total += L[k, i] * L[k, j]
            G[i, j] = total
    for i in range(r):
        for j in range(i + 1):
            total = G[i, j]
            for k in range(j):
                total -= G[i, k] * G[j, k]
            if j < i:
                G[i, j] = total / G[j, j]
            elif total > 0.0:
                G[i, i] = math.sqrt(total)
            else:
                for a in range(n):
                    for b in range(m):
                        X[a, b] = math.nan
                return i + 1
    for k in range(m):  # U = L (LᵀL)⁻¹: each row of L solved for, forwards and backwards
        for i in range(r):
            total = L[k, i]
            for j in range(i):
                total -= G[i, j] * U[k, j]
            U[k, i] = total / G[i, i]
        for back in range(r):
            i = r - 1 - back
            total = U[k, i]
            for j in range(i + 1, r):
                total -= G[j, i] * U[k, j]
            U[k, i] = total / G[i, i]
    for i in range(m):  # (B Bᵀ)⁺ = U Uᵀ
        for j in range(m):
            total = 0.0
            for k in range(r):
                total += U[i, k] * U[j, k]
            G[i, j] = total
    for a in range(n):
        for i in range(m):
            total = 0.0
            for k in range(m):
                total += B[k, a] * G[k, i]
            X[a, i] = total
    return 0


register(Solver("GENCHOLESKY", "formula (B.3), with the generalised Cholesky factor", gencholesky))
