"""A named pseudoinverse at work: B = A M^(-1/2) is formed in the order of the text, and M^(-1/2) B⁺ r applied."""

from __future__ import annotations

import math

from chainlist.kernels.bundles import System, Work
from chainlist.kernels.slots import DIM, pinv, push


def prepare_dense(s: System, w: Work, judge):  # type: ignore[no-untyped-def]
    """Form B and its pseudoinverse. A breakdown is counted, and leaves nan behind."""
    B, J = w.dense.B, w.rows.J
    for k in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[k, j] = 0.0
        for e in range(s.table.ends[k]):
            i = s.table.point[k, e]
            if s.inverse_mass[i] > 0.0:
                f = math.sqrt(s.inverse_mass[i])
                for c in range(DIM):
                    B[k, i * DIM + c] += f * J[k, e * DIM + c]
    status = pinv(B, w.dense.X, w.dense.spare, s.mpitol)
    if status != 0 and w.count.failed == 0:
        w.count.failed = status
    w.count.factors += 1


def push_dense(s: System, w: Work, y):  # type: ignore[no-untyped-def]
    """y += M^(-1/2) B⁺ r. The multipliers (B⁺)ᵀ B⁺ r are left in r."""
    X, r = w.dense.X, w.rows.r
    z = w.dense.spare[0, 0]
    for j in range(X.shape[0]):
        total = 0.0
        for k in range(X.shape[1]):
            total += X[j, k] * r[k]
        z[j] = total
    for i in range(X.shape[0] // DIM):
        f = math.sqrt(s.inverse_mass[i])
        for c in range(DIM):
            y[i, c] += f * z[i * DIM + c]
    for k in range(X.shape[1]):
        total = 0.0
        for j in range(X.shape[0]):
            total += X[j, k] * z[j]
        r[k] = total


def correct_dense(s: System, w: Work, g, y):  # type: ignore[no-untyped-def]
    """A named pseudoinverse is taken at its word: nothing is made sharper."""
    push(s, w, y)
