"""Accelerations, multipliers and the forces in links, recomputed from positions and velocities.

With Φ as the paper writes it, LAMBDA is the multiplier of (1), M a + Aᵀ λ = F. TENSION is a force: positive where a link
pulls; for a slider the force along (k1,k2). Where constraints depend on one another only the sum of their forces is
unique: the split of least norm is given, and `unique` says where.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.bars import Bar
from chainlist.compile.held import with_held
from chainlist.compile.layout import make_work
from chainlist.compile.plan import Choice, reactor
from chainlist.compile.switches import Switches
from chainlist.compile.system import Assembly, assemble
from chainlist.elements import REGISTRY
from chainlist.equations.equation import FORMULA, LINEAR, QUADRATIC, Force
from chainlist.kernels.bundles import Floats, Work
from chainlist.model.mechanism import End, Mechanism
from chainlist.run.engaging import Chapter, open_at
from chainlist.syntax.diagnostics import Diagnostic
from chainlist.syntax.errors import ChainlistError

PASSING = 0.1  # of the samples: a set that is dependent for less only passes a singular configuration
DEPENDENT = 1e-5  # √τ: a singular value below this, of rows of length 1, counts as 0


@dataclass(frozen=True)
class Forces:
    """Over samples and bodies, or samples and constraints in the order of the text."""

    acceleration: Floats  # (samples, bodies, dim) m/s²
    multiplier: Floats  # (samples, constraints) LAMBDA
    tension: Floats  # (samples, constraints) N
    shear: Floats  # (samples, constraints) N, what a straight bar carries across itself; 0 for other constraints
    unique_at: NDArray[np.bool_]  # (samples, constraints) False where only a split of least norm can be given
    pull: Floats  # (samples, forces) N or N m, of springs, dampers, forces and torques
    power: Floats  # (samples, forces) W, given to bodies
    constraint_power: Floats  # (samples, constraints) W, given to bodies
    by_row: Floats  # (samples, rows) N, along each row of the assembly

    @property
    def unique(self) -> NDArray[np.bool_]:
        """(constraints,) False for constraints of which only a split can be given, not just at a singular moment."""
        return (
            ~((~self.unique_at).mean(axis=0) > PASSING)
            if len(self.unique_at)
            else np.ones(self.unique_at.shape[1], bool)
        )


class Run(Protocol):
    """Of a trajectory: what was run, and its arrays where they are kept."""

    @property
    def mechanism(self) -> Mechanism: ...

    @property
    def assembly(self) -> Assembly | None: ...


def forces_at(
    mechanism: Mechanism, q: Floats, v: Floats, t: Floats | None = None, memory: Floats | None = None
) -> Forces:
    """Forces at positions q and velocities v (samples, bodies, dim), by the system and pseudoinverse of the mechanism."""
    return accelerations_and_multipliers(assemble(mechanism), q, v, t, memory)


def accelerations_and_multipliers(
    source: Run | Assembly,
    q: Floats,
    v: Floats,
    t: Floats | None = None,
    memory: Floats | None = None,
    chapters: Sequence[Chapter] = (),
) -> Forces:
    """The same for a trajectory, or for equations that are already assembled.

    `memory` is Work and the continuous angles of each sample, where they are known; else angles go on from sample to sample.
    `chapters` say what holds when, where something switches.
    """
    assembly = source if isinstance(source, Assembly) else source.assembly or assemble(source.mechanism)
    q, v = (np.ascontiguousarray(x[:, : assembly.bodies], float) for x in (q, v))
    times = np.zeros(len(q)) if t is None else np.ascontiguousarray(t, float)
    reactions = _Reactions(assembly)
    known = memory if memory is not None and assembly.acts else np.empty((0, assembly.memory))
    reactions.memory = np.ascontiguousarray(known)
    reactions.chapters = tuple(chapters)
    a, lam, active, size, rate, pull, given, grasp, lent = reactions(times, q, v)
    to_newtons = _newtons(assembly, size)
    depends = reactions.split_by_least_norm(times, q, v, lam, active, to_newtons)
    forces = _by_constraint(assembly, q, a, lam, to_newtons, depends, rate, pull, given)
    if assembly.switches is not None:
        _add_switches(assembly, assembly.switches, grasp, lent, forces)
    passing = (
        ~forces.unique_at & forces.unique
    )  # at a singular moment forces have no value, before and after it they do
    forces.multiplier[passing] = forces.tension[passing] = np.nan
    return forces


class _Reactions:
    """The right-hand side over samples, with its own scratch."""

    def __init__(self, assembly: Assembly) -> None:
        options = assembly.mechanism.options
        self.assembly = assembly
        switches = assembly.switches is not None
        choice = Choice(options.daesystem, "", options.mpi_algo, assembly.q.shape[1], acts=assembly.acts)
        self.kernel = reactor(replace(choice, switches=switches))
        self.chapters: tuple[Chapter, ...] = ()
        self.memory = np.empty((0, assembly.memory))
        self.work: Work = make_work(assembly.system, stages=1, named=assembly.named)
        self.q, self.v = assembly.q.copy(), np.zeros_like(assembly.q)

    def __call__(
        self, t: Floats, Q: Floats, V: Floats, which: slice = slice(None)
    ) -> tuple[Floats, Floats, NDArray[np.uint8], Floats, Floats, Floats, Floats, Floats, Floats]:
        a, lam = np.empty_like(Q), np.empty((len(Q), len(self.assembly.equations)))
        active, size = np.empty(lam.shape, np.uint8), np.empty_like(lam)
        pull = np.empty((len(Q), len(self.assembly.forces)))
        table = self.assembly.system.switch
        grasp = np.zeros((len(Q), 0 if table is None else len(table.table.scale)))
        out = (a, lam, active, size, np.empty_like(lam), pull, np.empty_like(pull), grasp, np.zeros_like(grasp))
        known = self.memory[which]
        for part in self._parts(t):
            some = tuple(array[part] for array in out)
            X = known[part] if len(known) else known
            self.kernel(self.assembly.system, self.work, self.q, self.v, t[part], Q[part], V[part], X, *some)
        return out

    def _parts(self, t: Floats) -> Iterator[slice]:
        """The samples in one piece, or chapter by chapter, with what holds in each."""
        switches = self.assembly.switches
        if switches is None:
            yield slice(None)
            return
        if not self.chapters:
            what = "what holds when is known only from the run itself, and not from a trace"
            raise ChainlistError(
                [Diagnostic("E402", what, help="ask for forces and accelerations in the run: .plot, .print")]
            )
        times = np.array([found.time for found in self.chapters])
        number = np.maximum(np.searchsorted(times, t, side="right") - 1, 0)
        edges = [0, *(np.flatnonzero(np.diff(number)) + 1).tolist(), len(t)]
        for first, last in pairwise(edges):
            found = self.chapters[int(number[first])]
            bodies = self.assembly.bodies
            self.work = open_at(found, switches, self.assembly.system, self.work, self.q, bodies)
            yield slice(first, last)

    def gradient(self) -> Floats:
        """A of the last sample as a dense matrix, rows × coordinates of bodies."""
        table, d = self.assembly.system.table, self.q.shape[1]
        A = np.zeros((len(table.rows), len(self.q) * d))
        for k, count in enumerate(table.ends):
            for e in range(count):
                at = int(table.point[k, e]) * d
                A[k, at : at + d] += self.work.rows.J[k, e * d : e * d + d]
        return A[:, : self.assembly.bodies * d]

    def split_by_least_norm(
        self, t: Floats, Q: Floats, V: Floats, lam: Floats, active: NDArray[np.uint8], to_newtons: Floats
    ) -> NDArray[np.bool_]:
        """Where rows depend on one another, replace lam by the split of least norm; which multipliers are not unique."""
        depends = np.zeros(lam.shape, bool)
        finite = np.isfinite(lam).all(axis=1) & np.isfinite(Q).all(axis=(1, 2))  # not where a run went on with nan
        affected = np.flatnonzero(finite & (self.assembly.named | (active == 0).any(axis=1)))
        for at in affected:
            one = slice(at, at + 1)
            self(t[one], Q[one], V[one], one)
            A = self.gradient()
            length = np.linalg.norm(A, axis=1)
            if not np.isfinite(length).all():
                continue
            if not self.assembly.named and (length > 0).all():
                depends[at] = _spread(A, length, active[at] != 0, to_newtons[at], lam[at])
                continue
            rows = np.flatnonzero(length > 0)
            left, sigma, _ = np.linalg.svd(A[rows] / length[rows, None])
            rank = int((sigma > DEPENDENT).sum())
            depends[at, rows] = np.linalg.norm(left[:, rank:], axis=1) > 1e-6
            depends[at, length == 0] = True
            if depends[at].any():
                forces = np.linalg.lstsq((A / to_newtons[at, :, None]).T, A.T @ lam[at], rcond=DEPENDENT)[0]
                lam[at] = forces / to_newtons[at]
            elif self.assembly.named:  # nothing depends at the start: the paper's systems are looked at no further
                break
        return depends


def _add_switches(assembly: Assembly, switches: Switches, grasp: Floats, lent: Floats, forces: Forces) -> None:
    """Forces of ropes, walls and links that may end: those of all rows of an element together; its friction has power too."""
    assert assembly.system.switch is not None
    place = {constraint.name: n for n, constraint in enumerate(assembly.mechanism.constraints)}
    first = switches.first_tangents
    for k, element in enumerate(switches.elements):
        n = place[element.name]
        forces.tension[:, n] += grasp[:, k] * switches.newtons(k)
        forces.multiplier[:, n] -= grasp[:, k] * assembly.system.switch.table.scale[k]
        forces.constraint_power[:, n] += lent[:, k] + lent[:, first[k] : first[k + 1]].sum(axis=1)


def _spread(A: Floats, length: Floats, active: NDArray[np.bool_], to_newtons: Floats, lam: Floats) -> NDArray[np.bool_]:
    """Spread the forces of the active rows over the rows that depend on them, with least norm; which rows take part.

    Each row that AUTO left out is a sum of active ones, and that sum is a vector y with Aᵀ y = 0: forces along it do
    nothing. What of them lies along all such vectors is taken out.
    """
    G = A / length[:, None]
    kept, left_out = np.flatnonzero(active), np.flatnonzero(~active)
    weights = np.linalg.solve(G[kept] @ G[kept].T, G[kept] @ G[left_out].T)
    Y = np.zeros((len(length), len(left_out)))
    Y[kept], Y[left_out, np.arange(len(left_out))] = -weights, 1.0
    idle = Y * (to_newtons / length)[:, None]
    forces = lam * to_newtons
    lam[:] = (forces - idle @ np.linalg.lstsq(idle, forces, rcond=None)[0]) / to_newtons
    taking_part: NDArray[np.bool_] = np.abs(Y).max(axis=1) > 1e-6
    return taking_part


def _newtons(assembly: Assembly, size: Floats) -> Floats:
    """(samples, rows): what makes a force of each multiplier. `size` is the length of the row, which may change."""
    table = assembly.system.table
    found = np.where(size > 0.0, size, 1.0)
    for k, equation in enumerate(assembly.equations):
        if equation.kind == LINEAR:
            found[:, k] = 1.0
        elif equation.kind in (FORMULA, QUADRATIC):
            found[:, k] = table.scale[k]
        elif (scale := REGISTRY[equation.kind].force_scale) is not None:
            found[:, k] = table.scale[k] / scale(equation.parameters)
    return found


def _by_constraint(
    assembly: Assembly,
    q: Floats,
    a: Floats,
    lam: Floats,
    to_newtons: Floats,
    depends: NDArray[np.bool_],
    rate: Floats,
    pull: Floats,
    given: Floats,
) -> Forces:
    """From rows to constraints, in the paper's scaling and in newtons; of several rows the length of the force."""
    mechanism = assembly.mechanism
    shape = (len(q), len(mechanism.constraints))
    multiplier, tension, shear, power = (np.zeros(shape) for _ in range(4))
    unique = np.ones(shape, bool)
    scale = assembly.system.table.scale
    rows_of: dict[int, list[int]] = {}
    for k, equation in enumerate(assembly.equations):
        if equation.constraint >= 0:
            rows_of.setdefault(equation.constraint, []).append(k)
    for n, rows in rows_of.items():
        signs = [assembly.equations[k].tension_sign for k in rows]
        multipliers = np.stack([-lam[:, k] * scale[k] for k in rows])
        tensions = np.stack([sign * lam[:, k] * to_newtons[:, k] for sign, k in zip(signs, rows, strict=True)])
        multiplier[:, n] = multipliers[0] if len(rows) == 1 else np.linalg.norm(multipliers, axis=0)
        tension[:, n] = tensions[0] if len(rows) == 1 else np.linalg.norm(tensions, axis=0)
        power[:, n] = (lam[:, rows] * rate[:, rows]).sum(axis=1)
        unique[:, n] = ~depends[:, rows].any(axis=1)
    place = {constraint.name: n for n, constraint in enumerate(mechanism.constraints)}
    for number, bar in enumerate(assembly.bars):
        axials, across = _bar_forces(assembly, number, bar, q, lam)
        for name, axial, bending in zip(bar.links, axials.T, across.T, strict=True):
            n = place[name]
            length = mechanism.constraints[n].parameters[1]
            tension[:, n], shear[:, n], unique[:, n] = axial, bending, False
            multiplier[:, n] = axial / (2.0 * length)
    a = with_held(mechanism, a)
    return Forces(a, multiplier, tension, shear, unique, *_by_element(assembly, pull, given), power, lam * to_newtons)


def _by_element(assembly: Assembly, pull: Floats, given: Floats) -> tuple[Floats, Floats]:
    """Pull and power of each force element: of a spring with a damper their sum, of a vector its length."""
    elements = assembly.mechanism.forces
    total, power = np.zeros((len(pull), len(elements))), np.zeros((len(pull), len(elements)))
    of_element: dict[int, list[int]] = {}
    for n, force in enumerate(assembly.forces):
        if force.element < len(elements):  # a rotor is a constraint with a force of its own
            of_element.setdefault(force.element, []).append(n)
    for e, which in of_element.items():
        power[:, e] = given[:, which].sum(axis=1)
        signs = [_pulls(assembly.forces[n]) for n in which]
        if (
            len(which) > 1
            and len({assembly.forces[n].ends for n in which}) == 1
            and elements[e].form in ("vector", "rest")
        ):
            total[:, e] = np.linalg.norm(pull[:, which], axis=1)
        elif elements[e].type.picture == "torque":
            total[:, e] = pull[:, which[0]]
        else:
            total[:, e] = (pull[:, which] * signs).sum(axis=1)
    return total, power


def _pulls(force: Force) -> float:
    """A law counts along its coordinate, which grows where the ends are pushed apart: a pull is against it."""
    return 1.0 if force.native is not None else -1.0


def _bar_forces(assembly: Assembly, number: int, bar: Bar, q: Floats, lam: Floats) -> tuple[Floats, Floats]:
    """Tension and shear of the links that a bar replaced, (samples, links): the axial split of least norm, and bending."""
    index = assembly.mechanism.body_index
    slot = {point: n for n, point in enumerate(bar.points)}
    places = np.empty((len(q), len(bar.points), q.shape[2]))
    for point, n in slot.items():
        places[:, n] = q[:, index[point]] if isinstance(point, str) else np.array(point)
    along = (places[:, -1] - places[:, 0]) / bar.length
    force = np.zeros_like(places)
    for k, equation in enumerate(assembly.equations):
        if equation.bar != number:
            continue
        if equation.kind == LINEAR:
            for e, end in enumerate(equation.ends):
                force[:, slot[end]] += np.array(equation.normal(e)) * lam[:, k, None]
        else:
            force[:, 0] -= along * lam[:, k, None]
            force[:, -1] += along * lam[:, k, None]
    moving = [n for point, n in slot.items() if isinstance(point, str)]
    ends = [_ends_on_bar(assembly, name, slot) for name in bar.links]
    incidence = np.zeros((len(bar.points), len(bar.links)))
    for column, (low, high) in enumerate(ends):
        incidence[low, column], incidence[high, column] = 1.0, -1.0
    axial = np.einsum("tpc,tc->tp", force, along)
    pull = axial[:, moving] @ np.linalg.pinv(incidence[moving]).T
    across = force - axial[:, :, None] * along[:, None, :]
    if bar.stands_still:
        size = np.linalg.norm(across, axis=2)
        return pull, np.stack([size[:, list(pair)].max(axis=1) for pair in ends], axis=1)
    inside = np.linalg.norm(np.cumsum(across, axis=1), axis=2)  # what crosses a cut behind point n
    return pull, np.stack([inside[:, low:high].max(axis=1) for low, high in ends], axis=1)


def _ends_on_bar(assembly: Assembly, name: str, slot: dict[End, int]) -> tuple[int, int]:
    link = next(c for c in assembly.mechanism.constraints if c.name == name)
    low, high = sorted(slot[end] for end in link.ends)
    return low, high
