"""Names a kernel may leave open. Binding fills them; a slot that was never filled says so.

A kernel is a plain function over arrays. It reaches other kernels, and constants, through the names of this file:
`bind` makes a copy of the kernel in which they are filled. Constants with a value here are the same for every kernel.
"""

from typing import Any


def _open(*_: Any) -> Any:
    raise RuntimeError("a kernel slot was never bound")


def apart(kernel: Any) -> Any:
    """Mark a fixed helper that is bound as a function of its own, instead of being inlined where it is called."""
    kernel.inline = False
    return kernel


def early(kernel: Any) -> Any:
    """Mark a fixed helper with one caller: it becomes part of it before anything is compiled, and costs nothing of its own."""
    kernel.early = True
    return kernel


DIM = 2  # coordinates of a point: 2 in the plane, 3 in space

promise: Any = _open  # (truth): the compiler may count on it; interpreted, it is checked

# Constraint types: `row` of one type, `before` the loops of the types before it, TYPE its number, ENDS its points.
row: Any = _open
before: Any = _open
TYPE: Any = None
ENDS: Any = None

# Kinds of force: `force` and `energy` of one kind, `acting` and `storing` the loops of all of them.
force: Any = _open  # (k, s.forces, w.acting, t, q, v): w.F[k, e·DIM + c]
energy: Any = _open  # (k, s.forces, t, q) -> J
acting: Any = _open  # (s.forces, w.acting, inverse_mass, t, q, v, a, gauge)
storing: Any = _open  # (s.forces, t, q, U): U[group] += potential energies
POTENTIAL: Any = None  # 1 if the kind has a potential energy

# Rows and forces of the whole mechanism.
rows: Any = _open  # (s.table, w.rows, mobility, t, q, v, x): J, phi, b, diagonal of S, and r = −A x
spread: Any = _open  # (s.table, J, inverse_mass, lam, y): y += M⁻¹ Aᵀ lam
free: Any = _open  # (s, w, t, q, v, a): a = M⁻¹F, the acceleration without constraints; gauge.power: of forces
give_way: Any = _open  # (s.tree, w.tree, q, v, a): of a tree on hinges, a with the forces of the hinges
nearest: Any = _open  # (s.tree, w.tree, q, v, a): the a that they allow and that differs least, by mass
MOVES: Any = None  # 1 in the first, 0 in the second
SWITCHES: Any = 0  # 1: it has rows that hold only at times: ropes, walls, links that break
ACTS: Any = 0  # 1: the mechanism has more than gravity, links and sliders: forces, drives, formulas

# Linear algebra: what MPI_ALGO chooses.
prepare: Any = _open  # (s, w, judge): get ready to solve at the present rows; judge: 1.0 or 0.0
push: Any = _open  # (s, w, y): y += M⁻¹ Aᵀ S⁺ r; the multipliers are left in r
correct: Any = _open  # (s, w, g, y): the same with r = g − A y, made sharp near singular configurations
polish: Any = _open  # (s, w, g, y): what A y = g still lacks is pushed once more
doubtful: Any = _open  # (s, w) -> smallest ratio: judge the rank with care
pinv: Any = _open  # (B, X, work, tol) -> status

# What DAESYSTEM and INTEGRATOR choose.
rhs: Any = _open  # (s, w, t, q, v, qd, vd, judge)
land: Any = _open  # (s, w, t, h, q, v): end of a step: project, correct the energy, first derivative of the next
advance: Any = _open  # (s, w, t, h, q, v): one step from q, v to w.qn, w.vn
substep: Any = _open  # (s, w, t, h, q, v): one part of a composed step, in place
estimate: Any = _open  # (s, w, h) -> scaled error of the step that `advance` took
more_stages: Any = _open  # (s, w, t, h, q, v): what dense output needs beyond the stages of the step
interpolate: Any = _open  # (w, h, theta, q, v): dense output into w.qt, w.vt
tidy: Any = _open  # (s, w, t, q, v) -> 1 if it spoilt the state: put one between two steps onto the constraints

# What few runs need: chosen so that the others need not wait until it is compiled.
split: Any = _open  # (of_row, multipliers, taken, share): the velocity correction by groups
pick: Any = _open  # (s, share, h, v, vd, gauge): the group that was corrected most
rescale: Any = _open  # (s, w, t, q, v): the energy corrector
A: Any = None  # Butcher tableau, row after row
B: Any = None
C: Any = None
STAGES: Any = None
LAST_AT_END: Any = None  # 1 if the last stage stands at the end of the step
PROJECTS: Any = None  # 1 if landing projects: a leap can be seen
ADAPTIVE: Any = None  # 1 if the step follows the error
METHOD_ORDER: Any = None
WEIGHTS: Any = None  # sizes of the parts of a composition
ORDER: Any = None  # of the error estimate: the step goes with error^(-1/ORDER)
ERRORS: Any = None  # weights of the error estimate
DENSE: Any = None  # coefficients of dense output
MORE: Any = None  # rows of the tableau for the stages of dense output
C_MORE: Any = None

# Thresholds of AUTO (all free of units).
EPS = 2.220446049250313e-16
NOISE = 1e-13  # a pivot ratio that is only roundoff
GREY = 1e-3  # smallest active ratio that, beside dropped rows, asks for a selection
REFINE = 1e-4  # ratio below which solves are corrected once; also "near" of the guard
KEEP = 64  # landings after which rows are selected anew in any case: there may be a better choice
LASTING = 16  # landings with as many dropped rows, after which these are redundant and no passing singularity
TOL_Q = 8.881784197001252e-16  # 4 EPS: residual of Φ relative to the size of its row

# Events in w.log: (what, time, row, value). Floats, because the compiler makes a copy of a kernel for each literal integer.
EVENT_PASSAGE = 1.0
EVENT_REFINED = 2.0
EVENT_UNCURED = 3.0
EVENT_RANK = 4.0
EVENT_TOO_LARGE = 5.0

# Status of a march.
DONE = 0
NOT_FINITE = 1
RUNAWAY = 2
NOT_CONVERGED = 3
LEAPS = 4
SOLVER_FAILED = 5
STEP_TOO_SMALL = 6
LOOSE = 7  # a point without mass that the constraints do not determine
JAMMED = 8  # friction leaves no unique motion
TOO_MANY_EVENTS = 9
STUCK = 10  # drives lead on where the constraints leave no motion
HELD_UP = 11  # what switches within a step is not found
ASKS = 100  # not a breakdown: go on with the careful kernels
ALARM = 101  # nor this: something switches within the step at gauge.time of size gauge.span, which was not taken
REACHED = 102  # the step led to where something switches
REJECTED = 103  # a trial of an adaptive step had too large an error
