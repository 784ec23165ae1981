"""The arrays of rows and forces that kernels see. Shapes are declared only here and in `compile/layout.py`.

n points: bodies in the order of the text, then anchors, then, where anything but gravity, links and sliders acts, one more
whose first coordinate is Work. d coordinates; m rows; N nodes of all tapes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.uint32]
Integers = NDArray[np.int64]
Bytes = NDArray[np.uint8]


class Tape(NamedTuple):
    """Formulas one behind the other; of each the leaves stand first, and the last node is its value."""

    op: Bytes  # (N,) kernels/operations.py
    a: Indices  # (N,) operands; of a leaf its point and its coordinate
    b: Indices
    c: Indices
    x: Floats  # (N,) constant, or exponent
    column: Indices  # (N,) of a leaf: its column in the row of J
    frozen: Bytes  # (N,) 1: depends on the time alone, and has branches
    knots: Floats  # tables: of each piece its beginning and four coefficients
    turning: Indices  # nodes that are continuous angles


class TapeWork(NamedTuple):
    value: Floats  # (N,)
    d1: Floats  # (N,) derivatives along the motion
    d2: Floats
    adjoint: Floats  # (N,) 0 but while derivatives by coordinates are computed
    chosen: Floats  # (N,) the branch
    turn: Floats  # (angles,) where each continuous angle stood at the last landing
    rate: Floats  # (2,) dt/dτ, which is 1; 1 while branches are recorded


class RowTable(NamedTuple):
    """What the rows are. This is the `s` that a row kernel sees."""

    point: Indices  # (m, ends) the points that a row holds on to
    par: Floats  # (m, parameters) the numbers of its row kernel
    scale: Floats  # (m,) constant factor of a row
    rows: Indices  # (m,) rows sorted by kind
    start: Indices  # (kinds + 1,) where each kind begins in `rows`
    ends: Indices  # (m,) how many points of a row count
    length: Floats  # (m,) m, the length that its residual is compared with
    told: Told | None = None  # formulas and what moves as told; None in the lean plan


class Told(NamedTuple):
    """Formulas, and the points and rows that they drive."""

    driven: Indices  # rows that may do work: of formulas, or at points that move as told
    moving: Indices  # (k,) points that move as told
    first: Indices  # (k, d + 1) where their formulas begin, and end
    tape: Tape


class Rows(NamedTuple):
    """A, b, c, Φ at the present state. This is the `w` that a row kernel sees."""

    J: Floats  # (m, ends·d) A by rows: derivative by coordinate c of end e in column e·d + c
    phi: Floats  # (m,) Φ, a length
    b: Floats  # (m,) what A a must be: −(A v)_q v …
    c: Floats  # (m,) what A v must be: 0, or −∂Φ/∂t
    r: Floats  # (m,) right-hand side, then multipliers
    diagonal: Floats  # (m,) of S = A M⁻¹ Aᵀ
    carried: Floats | None = None  # (k, d) m/s², of points that move as told
    tape: TapeWork | None = None


class ForceTable(NamedTuple):
    """What the forces are beside gravity. This is the `s` that a force kernel sees."""

    point: Indices  # (f, ends) of native kinds
    par: Floats  # (f, parameters)
    rows: Indices  # (f,) sorted by kind
    start: Indices  # (kinds + 1,)
    ends: Indices  # (f,)
    group: Integers  # (f,) the group that its energy belongs to
    law: Indices  # (laws, 6) of laws by formula: coordinate from, to; force from, to; kind; group
    number: Floats  # (laws, 2) stiffness and rest, or damping, or sign
    weightless: Indices  # (k, 2) points without mass that rows determine, and one of these rows


class Acting(NamedTuple):
    """Forces at the present state. This is the `w` that a force kernel sees."""

    F: Floats  # (f, ends·d) N, on each end
    pull: Floats  # (laws,) N, or N m
    given: Floats  # (laws,) W, power given to bodies
    ghost: Floats  # (k, d) m/s², of points without mass
    total: Floats  # (m,) multipliers while these are found


def empty_tape_work(tape: Tape) -> TapeWork:
    N = len(tape.op)
    turn, rate = np.zeros(len(tape.turning)), np.array([1.0, 0.0])
    return TapeWork(np.zeros(N), np.zeros(N), np.zeros(N), np.zeros(N), np.zeros(N), turn, rate)


def empty_rows(table: RowTable, d: int) -> Rows:
    m, ends = table.point.shape
    phi, b, c, r, diagonal = (np.zeros(m) for _ in range(5))
    rows = Rows(np.zeros((m, ends * d)), phi, b, c, r, diagonal)
    if table.told is None:
        return rows
    return rows._replace(carried=np.zeros((len(table.told.moving), d)), tape=empty_tape_work(table.told.tape))


def empty_acting(table: ForceTable, d: int, rows: int = 0) -> Acting:
    f, ends = table.point.shape
    laws, weightless = len(table.law), len(table.weightless)
    return Acting(np.zeros((f, ends * d)), np.zeros(laws), np.zeros(laws), np.zeros((weightless, d)), np.zeros(rows))
