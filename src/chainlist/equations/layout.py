"""The arrays of rows and forces that kernels see. Shapes are declared only here and in `compile/layout.py`.

n points: bodies in the order of the text, then anchors, then, where anything but gravity, links and sliders acts, one more
whose first coordinate is Work. d coordinates; m rows; N nodes of all tapes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

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


class SwitchTable(NamedTuple):
    """Rows that hold only at times: n switches, each with its row and tangents; j conditions."""

    table: RowTable  # all their rows: those of the switches, then tangents; its lists name the former alone
    side: Floats  # (n,) 1: Φ ≥ 0 is free, −1: Φ ≤ 0 is free; of rows that hold both sides 1
    tangent: Indices  # (n + 1,) where the tangents of each begin among the rows
    condition: Indices  # (j, 2) where its formula begins and ends
    tension: Indices  # (k, 2) a point that stands for a force, and the switch whose force it is
    newtons: Floats  # (k,) makes a force of its multiplier
    near: float  # m, a gap below this is closed
    weak: float  # N, a force below this is none
    slow: float  # m/s, a slip below this is none


class SwitchWork(NamedTuple):
    """Switches at the present state. Capacity: as many engaged rows as `list` is long."""

    table: RowTable  # the same rows; its lists name those that are engaged
    rows: Rows
    seen: Rows  # at the end of a step, of all switches
    list: Integers  # the engaged rows
    under: Integers  # of a tangent that slips: place of its normal in the list
    W: Floats  # (capacity, n, d)
    Y: Floats  # (capacity, m)
    D: Floats  # (capacity, capacity)
    F: Floats  # D, factored
    G: Floats  # D with friction, factored
    tilted: Floats
    inverse: Floats  # (capacity,) inverse pivots
    pivot: Floats
    x: Floats  # (capacity,)
    turn: Floats
    rate: Floats  # N v − c
    pull: Floats  # N a − b
    kept: Floats  # (m,)
    nothing: Floats  # (m,) 0
    lam: Floats  # (rows,) multipliers of the last landing
    way: Floats  # (rows,) of a tangent: direction of slip
    mode: Bytes  # (n,) kernels/switches.py
    grip: Bytes
    mu: Floats  # (n,) with the sign of the force
    mus: Floats
    armed: Bytes  # (j,)
    z: Floats  # (2 n + j,) alarms
    z0: Floats  # … at the last landing
    speed: Floats  # (n,) m/s, rates of the gaps
    speed0: Floats


class Acting(NamedTuple):
    """Forces at the present state. This is the `w` that a force kernel sees."""

    F: Floats  # (f, ends·d) N, on each end
    pull: Floats  # (laws,) N, or N m
    given: Floats  # (laws,) W, power given to bodies
    ghost: Floats  # (k, d) m/s², of points without mass
    total: Floats  # (m,) multipliers while these are found


class Tree(NamedTuple):
    """Bodies in space, each on one hinge: the ground is number 0, parents stand before their children. b bodies and the ground."""

    vector: Indices  # (b, 4) the centre and the three axes of a body
    parent: Indices  # (b,)
    mass: Floats  # (b,) kg
    length: Floats  # (b, 3) m, of the axes
    per_length: Floats  # (b, 3) 1/m
    moment: Floats  # (b, 3) kg m², mass times squared length
    pin: Floats  # (b, 3) m, where the body has a point of its hinge: along its axes, from its centre
    pin_of_parent: Floats  # (b, 3) m, where the parent has it
    triad: Floats  # (b, 3, 3) along the axes of the body, column by column: the direction of the hinge, two across it
    triad_of_parent: Floats  # (b, 3, 3) … along those of the parent


class TreeWork(NamedTuple):
    """A tree at the present state: vectors of the world, about the hinge of each body."""

    E: Floats  # (b, 3, 3) unit vectors of the axes, row by row
    place: Floats  # (b, 3) m, of the centre
    speed: Floats  # (b, 3) m/s, of the hinge
    omega: Floats  # (b, 3) rad/s
    axis: Floats  # (b, 3) the direction of the hinge
    arm: Floats  # (b, 3) m, from the hinge to the centre
    way: Floats  # (b, 3) m, from the hinge of the parent to that of the body
    A: Floats  # (2 b, 3) kg m², inertia of the body and of what hangs on it: xx, xy, xz; yy, yz, zz
    B: Floats  # (3 b, 3) kg m
    D: Floats  # (2 b, 3) kg, as A
    tau: Floats  # (b, 3) N m, what is needed without accelerations
    phi: Floats  # (b, 3) N
    zeta: Floats  # (b, 3) rad/s², beyond that of the parent
    beta: Floats  # (b, 3) m/s²
    U: Floats  # (b, 3) how the hinge gives way to α …
    V: Floats  # (b, 3) … and to the acceleration of its place
    give: Floats  # (b,) 1/(kg m²), … to a torque about it
    turn: Floats  # (b,) rad/s², by how much it does of itself
    alpha: Floats  # (b, 3) rad/s²
    accel: Floats  # (b, 3) m/s², of the hinge


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


FIRST_CAPACITY = 16  # engaged rows


def empty_switch_work(table: SwitchTable, points: int, d: int, rows: int, capacity: int = FIRST_CAPACITY) -> SwitchWork:
    """Scratch for `capacity` engaged rows over so many points and rows that always hold."""
    count, n, j = len(table.table.scale), len(table.side), len(table.condition)
    lists = table.table._replace(rows=np.zeros(count, np.uint32), start=np.zeros_like(table.table.start))
    shapes: dict[str, tuple[int, ...]] = {
        "W": (capacity, points, d),
        "Y": (capacity, rows),
        **dict.fromkeys(("D", "F", "G", "tilted"), (capacity, capacity)),
        **dict.fromkeys(("inverse", "pivot", "x", "turn", "rate", "pull"), (capacity,)),
        **dict.fromkeys(("kept", "nothing"), (rows,)),
        **dict.fromkeys(("lam", "way"), (count,)),
        **dict.fromkeys(("mu", "mus", "speed", "speed0"), (n,)),
        **dict.fromkeys(("z", "z0"), (2 * n + j,)),
    }
    arrays: dict[str, Any] = {name: np.zeros(shape) for name, shape in shapes.items()}
    return SwitchWork(
        **arrays,
        table=lists,
        rows=empty_rows(table.table, d),
        seen=empty_rows(table.table, d),
        list=np.zeros(capacity, np.int64),
        under=np.zeros(capacity, np.int64),
        mode=np.zeros(n, np.uint8),
        grip=np.zeros(n, np.uint8),
        armed=np.zeros(j, np.uint8),
    )


CAPACITY = ("list", "under", "W", "Y", "D", "F", "G", "tilted", "inverse", "pivot", "x", "turn", "rate", "pull")
