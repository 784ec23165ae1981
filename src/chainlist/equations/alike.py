"""Rows by formula of one shape, side by side: each node of `kernels/tape.py` for all of them at once.

Arithmetic is that of arrays, in the order of the kernels; whatever else there is the kernels do themselves, node by node.
So every bit is theirs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.kernels.bundles import Floats, Rows, RowTable, Tape, TapeWork
from chainlist.kernels.operations import (
    ADD,
    ATAN2,
    CONST,
    DIVIDE,
    LENGTH,
    MULTIPLY,
    NEGATE,
    PLACE,
    SPEED,
    SQRT,
    SUBTRACT,
    TIME_LEAF,
    TURN,
)
from chainlist.kernels.tape import TWO_PI

Kernel = Callable[..., Any]
Nodes = NDArray[np.int64]  # one node of each row: the same operation in all of them


def run_alike(
    forward: Kernel, backward: Kernel, which: list[int], s: RowTable, w: Rows, t: float, q: Floats, v: Floats
) -> None:
    """What `formula_row` does for each of some rows, with the kernels for single nodes that are given."""
    assert s.told is not None and w.tape is not None
    tape = s.told.tape
    shapes: dict[tuple[bytes, int], list[tuple[int, int]]] = {}
    span = s.par[which, :3].astype(np.int64).tolist()
    code = tape.op.tobytes()
    for k, (first, last, of_velocities) in zip(which, span, strict=True):
        shapes.setdefault((code[first:last], of_velocities), []).append((k, first))
    for (operations, of_velocities), members in shapes.items():
        rows, first = np.array(members, dtype=np.int64).T
        _Alike(forward, backward, list(operations), tape, w.tape, first).run(w, rows, of_velocities == 1, t, q, v)


class _Alike:
    def __init__(
        self, forward: Kernel, backward: Kernel, operations: list[int], tape: Tape, work: TapeWork, first: Nodes
    ):
        self._forward, self._backward = forward, backward
        self.operations, self.tape, self.work, self.first = operations, tape, work, first

    def run(self, w: Rows, rows: Nodes, of_velocities: bool, t: float, q: Floats, v: Floats) -> None:
        tape, work, last = self.tape, self.work, self.first + len(self.operations) - 1
        for n, o in enumerate(self.operations):
            self.forward(o, self.first + n, t, q, v)
        work.adjoint[last] += 1.0
        for n in reversed(range(len(self.operations))):
            if self.operations[n] >= ADD:
                self.backward(self.operations[n], self.first + n)
        w.J[rows] = 0.0
        by_time, along = np.zeros(len(rows)), np.zeros(len(rows))
        for n, o in enumerate(self.operations):
            if o >= ADD:  # leaves stand first
                break
            at = self.first + n
            g = work.adjoint[at]
            work.adjoint[at] = 0.0
            if o == TIME_LEAF:
                by_time = g
            elif o == (SPEED if of_velocities else PLACE):
                w.J[rows, tape.column[at]] += g
                along += g * work.value[at]
        if of_velocities:
            w.phi[rows], w.c[rows], w.b[rows] = 0.0, along - work.value[last], -work.d1[last]
        else:
            w.phi[rows], w.c[rows], w.b[rows] = work.value[last], -by_time, -work.d2[last]

    def forward(self, o: int, at: Nodes, t: float, q: Floats, v: Floats) -> None:
        """As the kernel of this name, for node `at` of each row."""
        tape, w = self.tape, self.work
        i, j = tape.a[at], tape.b[at]
        if o < ADD:
            w.d1[at] = w.rate[0] if o == TIME_LEAF else v[i, j] if o == PLACE else 0.0
            w.value[at] = tape.x[at] if o == CONST else t if o == TIME_LEAF else q[i, j] if o == PLACE else v[i, j]
            w.d2[at] = 0.0
            return
        x, x1, x2 = w.value[i], w.d1[i], w.d2[i]
        if o == NEGATE:
            found = -x, -x1, -x2
        elif o in (SQRT, LENGTH):
            found = _root(o, x, x1, x2)
        elif o in _BINARY:
            y, y1, y2 = w.value[j], w.d1[j], w.d2[j]
            found = _BINARY[o](x, x1, x2, y, y1, y2)
            if o == TURN:
                turns = (w.turn[tape.c[at]] - found[0]) / TWO_PI + 0.5
                found[0][:] += np.where(np.abs(turns) < 1e15, TWO_PI * np.floor(turns), 0.0)
        else:
            for n in at.tolist():
                self._forward(tape, w, n, n + 1, t, q, v)
            return
        w.value[at], w.d1[at], w.d2[at] = found

    def backward(self, o: int, at: Nodes) -> None:
        """As the kernel of this name, for node `at` of each row that its result depends on."""
        tape, w = self.tape, self.work
        value, adjoint = w.value, w.adjoint
        at = at[adjoint[at] != 0.0]
        g, i, j = adjoint[at], tape.a[at], tape.b[at]
        if o in (MULTIPLY, ADD, SUBTRACT, NEGATE, DIVIDE, ATAN2, TURN, SQRT, LENGTH):
            adjoint[at] = 0.0
        if o == MULTIPLY:
            adjoint[i] += g * value[j]
            adjoint[j] += g * value[i]
        elif o == ADD:
            adjoint[i] += g
            adjoint[j] += g
        elif o == SUBTRACT:
            adjoint[i] += g
            adjoint[j] -= g
        elif o == NEGATE:
            adjoint[i] -= g
        elif o == DIVIDE:
            u = g / value[j]
            adjoint[i] += u
            adjoint[j] -= u * value[at]
        elif o in (ATAN2, TURN):
            x, u = value[i], value[j]
            over = g / (x * x + u * u)
            adjoint[i] += over * u
            adjoint[j] -= over * x
        elif o in (SQRT, LENGTH):
            adjoint[i] += g * _slope(o, value[at])
        else:
            for n in at.tolist():
                self._backward(tape, w, n, n + 1, 0.0)


def _slope(o: int, root: Floats) -> Floats:
    """The derivative of a root; a length that is 0 has none, and none is wanted."""
    slope: Floats = np.where(root == 0.0, 0.0 if o == LENGTH else math.inf, 0.5 / root)
    return slope


def _root(o: int, x: Floats, x1: Floats, x2: Floats) -> tuple[Floats, Floats, Floats]:
    f = np.sqrt(x)
    g1 = _slope(o, f)
    g2 = np.where(f == 0.0, 0.0 if o == LENGTH else -math.inf, -g1 * 0.5 / x)
    return f, g1 * x1, g1 * x2 + g2 * x1 * x1


def _product(x, x1, x2, y, y1, y2):  # type: ignore[no-untyped-def]
    return x * y, x1 * y + x * y1, x2 * y + 2.0 * x1 * y1 + x * y2


def _quotient(x, x1, x2, y, y1, y2):  # type: ignore[no-untyped-def]
    y = 1.0 / y
    f = x * y
    f1 = (x1 - f * y1) * y
    return f, f1, (x2 - 2.0 * f1 * y1 - f * y2) * y


def _angle(x, x1, x2, u, u1, u2):  # type: ignore[no-untyped-def]
    """Of atan2(x, u)."""
    inverse = 1.0 / (x * x + u * u)
    f = np.array(list(map(math.atan2, x.tolist(), u.tolist())))
    f1 = (u * x1 - x * u1) * inverse
    return f, f1, (u * x2 - x * u2) * inverse - 2.0 * f1 * (x * x1 + u * u1) * inverse


_BINARY: dict[int, Callable[..., tuple[Floats, Floats, Floats]]] = {
    ADD: lambda x, x1, x2, y, y1, y2: (x + y, x1 + y1, x2 + y2),
    SUBTRACT: lambda x, x1, x2, y, y1, y2: (x - y, x1 - y1, x2 - y2),
    MULTIPLY: _product,
    DIVIDE: _quotient,
    ATAN2: _angle,
    TURN: _angle,
}
