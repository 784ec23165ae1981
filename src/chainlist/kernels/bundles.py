"""The arrays that kernels see: `System` is constant during a run, `Work` is scratch; both are bundles of smaller bundles.

n points: bodies in the order of the text, of which there are nb, then anchors, then, where anything but gravity, links and sliders
acts, one more whose first coordinate is Work. d coordinates; m rows (one for each equation; with AUTO in elimination order, else in
the order of the text); p pairs of rows that share a body; z entries of L below the diagonal; N nodes of all tapes. Row k of a link
is multiplied by scale[k] = 1/(2l), which makes its multiplier a force. Shapes are declared only here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chainlist.kernels.gauges import Count, Gauge

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


class Pattern(NamedTuple):
    """Where S and L have entries (AUTO)."""

    pair_start: Indices  # (m + 1,) where the pairs of a row begin
    pair: Indices  # (p, 4) the other row (an earlier one), the place of the shared point in J of both, the point
    row_start: Indices  # (m + 1,) where a row of L begins in `column` and `place`
    column: Indices  # (z,) columns of L, row after row
    place: Indices  # (z,) where that entry stands in L, which is kept column after column
    column_start: Indices  # (m + 1,) where a column of L begins
    row_of: Indices  # (z,) rows of L, column after column


class Stiff(NamedTuple):
    """Constraints with springs and dampers as soft rows (implicit methods): see compile/stiff.py."""

    table: RowTable
    pattern: Pattern
    hard: Indices  # (m,) where each row of the run stands here
    soft: Indices  # rows of springs and dampers
    number: Floats  # (soft, 2) N/m and N s/m, or N m and N m s


class Components(NamedTuple):
    """Connected components: rows that reach one another through moving bodies."""

    start: Integers  # (components + 1,) where one begins in `row`
    row: Integers  # (m,) rows, component after component
    bodies: Integers  # (components,) how many bodies it has
    local: Integers  # (n,) number of a body in its component


class Groups(NamedTuple):
    """Parts of the text that do not feel one another: each component, and all bodies that no row holds as one more.

    What is large or small is judged in each by itself: a heavy or long neighbour must not blunt a tolerance.
    """

    of_point: Integers  # (n,) group of a body; 0 for anchors
    of_row: Integers  # (m,)
    size: Floats  # (groups,) m, its longest link
    speed: Floats  # (groups,) m/s, √(g·size) or its largest initial speed


class _System(NamedTuple):
    mass: Floats  # (n,) kg; 0 for anchors
    inverse_mass: Floats  # (n,) 1/kg; 0 for anchors
    gravity: Floats  # (n, d) m/s², the free acceleration; 0 for anchors
    table: RowTable
    forces: ForceTable | None  # None in the lean plan
    switch: SwitchTable | None  # None where all rows always hold
    breaks: Floats  # s, breakpoints of the time
    pattern: Pattern
    stiff: Stiff | None  # None for explicit methods
    components: Components
    groups: Groups
    tau: float  # pivot ratio at which a row counts as dependent (AUTO)
    mpitol: float  # tolerance of a named pseudoinverse; negative: automatic
    alpha: float  # 1/s, damping of (10)
    beta: float  # 1/s
    reltol: float  # of adaptive integrators
    abstol: float
    size: float  # m, the longest link of all
    energy_scale: float  # J
    guard: int  # 1: redo steps that leap
    goes_on: int  # 1: integrate on after a breakdown
    corrects: int  # 1: the energy corrector is on
    tree: Tree | None = None  # of a run that goes from hinge to hinge


class System(_System):
    """What a mechanism and its settings say, as arrays and numbers; a class of its own, which can keep its address."""

    def but(self, **switches: int) -> System:
        """The same with other switches; kept with its address, since every run asks for it."""
        kept: dict[tuple[tuple[str, int], ...], System] = self.__dict__.setdefault("variants", {})
        key = tuple(switches.items())
        if key not in kept:
            kept[key] = self._replace(**switches)  # type: ignore[arg-type]
        return kept[key]

    def followed_by(self, tree: Tree | None) -> System:
        """The same for a march from hinge to hinge, or (None) for all others; kept likewise."""
        kept: dict[int, System] = self.__dict__.setdefault("followed", {})
        if id(tree) not in kept:
            kept[id(tree)] = self._replace(tree=tree)
        return kept[id(tree)]

    def __getstate__(self) -> None:
        """A copy has an address of its own."""


class Factor(NamedTuple):
    """S = L D Lᵀ (AUTO)."""

    L: Floats  # (z,) column after column
    inverse: Floats  # (m,) inverse pivots; 0 for dropped rows
    y: Floats  # (m,) one row of S being eliminated; 0 in between
    active: Bytes  # (m,) 1 for rows that count


class Dense(NamedTuple):
    """Scratch of a named pseudoinverse."""

    B: Floats  # (m, nb·d) A M^(-1/2)
    X: Floats  # (nb·d, m) its pseudoinverse
    spare: Floats  # (3, k, k), k the larger of m and nb·d


class _Work(NamedTuple):
    rows: Rows
    acting: Acting | None
    switch: SwitchWork | None
    factor: Factor
    stiff_rows: Rows | None  # of implicit methods
    stiff_factor: Factor | None
    dense: Dense | None  # of a named pseudoinverse
    g: Floats  # (m,) spare of the system of equations
    first: Floats  # (m,) spare of the linear algebra
    kept: Bytes  # (m,) rows that counted at the beginning of the step
    mobility: Floats  # (n,) inverse masses, or 1 while the rank is judged
    inverse_size: Floats  # (m,) 1/m
    energies: Floats  # (groups,) J
    share: Floats  # (groups, 3) of each group: eta2, speed2, free2 + accel2 of the gauge
    kq: Floats  # (stages, n, d) m/s, derivatives of q
    kv: Floats  # (stages, n, d) m/s²
    qt: Floats  # (n, d) state of a stage
    vt: Floats
    qn: Floats  # (n, d) state at the end of the step
    vn: Floats
    qdn: Floats  # (n, d) its derivatives
    vdn: Floats
    old: Floats  # (m, ends·d) A at the beginning of the step (RATTLE)
    choice: Floats  # selection of rows: rows × coordinates of the largest component, flat
    gauge: Gauge
    count: Count  # type: ignore[assignment]  # a tuple has a method of this name
    log: Floats  # (events, 4) what, time, row, value
    tree: TreeWork | None = None


class Work(_Work):
    """Scratch of one run."""

    def __getstate__(self) -> None:
        """As above."""
