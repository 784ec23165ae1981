"""Everything that is said about a mechanism before any run: `check` finds it, `diagnose` puts it into words.

Rank is judged at the start, or, where the start does not fit, at the position that damped Newton reaches from it.
Work grows in proportion to the number of constraints, except in sets that are dense or nearly singular; where these
are too large to look at, the findings say so.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from chainlist import integrators
from chainlist.compile.bars import Bar, Straightness, find_bars
from chainlist.compile.behind import behind
from chainlist.compile.factor import TooDense
from chainlist.compile.findings import Changed, Clash, Findings, Freedom, Misfit, Names
from chainlist.compile.held import with_held
from chainlist.compile.kinds import DEGENERATE, REDUNDANT, SINGULAR, kinds
from chainlist.compile.messages import describe
from chainlist.compile.places import in_one_place
from chainlist.compile.rank import Dependence, Rank, connected, find_rank
from chainlist.compile.rolling import loose
from chainlist.compile.settle import FITS, Fit, fit, off
from chainlist.compile.stiffness import step_limit
from chainlist.compile.velocities import StartVelocities, needs_following, start_velocities
from chainlist.equations.rowset import FIXED, RowSet, row_set
from chainlist.kernels.bundles import Floats
from chainlist.model.combinations import drives
from chainlist.model.mechanism import Mechanism
from chainlist.syntax.diagnostics import Diagnostics

CLASHES = 1e-9  # of what cancels where drives agree
LOOSE = 1e-3  # least singular value of the directions in which a point without mass is held
FAST = 0.2  # rad in a step: RK4 then loses (ωh)⁵/144 of ω per radian, 1e-6


def diagnose(mechanism: Mechanism, report: Diagnostics) -> Findings:
    """Check a mechanism and add what was found to the report, in words of mechanics."""
    findings = check(mechanism)
    describe(mechanism, findings, report)
    return findings


@np.errstate(all="ignore")
def check(mechanism: Mechanism) -> Findings:
    """All findings about a mechanism. Never raises: what cannot be judged is among the findings."""
    start = _array(mechanism, [body.start for body in mechanism.vectors])
    straight = find_bars(mechanism)
    bars = () if straight.conflicts else straight.bars
    names = [body.name for body in mechanism.vectors]
    held = mechanism.held
    written = row_set(names, start, mechanism.constraints, held=held)
    rows = row_set(names, start, mechanism.constraints, bars, held=held) if bars else written
    doubts = [] if straight.complete else ["the search for straight bars was cut short: too many lengths to compare"]
    at_start = written.at(start)
    landed = _fitted(mechanism, rows, start, straight, doubts)
    rank = find_rank(rows.body, rows.at(landed.q).J)
    rank_as_written = find_rank(written.body, written.at(landed.q).J).rank if bars else rank.rank
    doubts += [f"{reason}: {_first(rows, which)}" for which, reason in rank.doubtful]
    if rank.more_dependent:
        doubts.append(f"{rank.more_dependent} further dependent sets were counted, but not worked out")
    order = {constraint.name: k for k, constraint in enumerate(mechanism.constraints)}
    clashes, unfound = (
        tuple(Clash(_names(order, rows, stuck.rows), _farthest_off(rows, stuck.rows, stuck.phi)) for stuck in those)
        for those in (landed.conflicts, landed.unfound)
    )
    driving = {constraint.name for constraint in mechanism.constraints if drives(constraint)}
    unjudged = set(landed.unjudged)
    rank = replace(rank, dependent=tuple(d for d in rank.dependent if not unjudged.intersection(d.rows)))
    clashes += _drives_that_clash(order, rows, landed.q, rank, driving)
    contradicting = {name for conflict in straight.conflicts for name in (*conflict.held_by, *conflict.path)}
    contradicting |= {name for clash in clashes for name in clash.constraints}
    sets = _sets(order, rows, landed.q, rank, contradicting, driving)
    sets[REDUNDANT] = [*_parallel_links(mechanism, bars), *sets[REDUNDANT]]
    coordinates = start.size
    rank_with_bars = min(rank.rank, coordinates)
    driven = _hanging_with(rows, driving)
    degrees = coordinates - rank_with_bars - len(sets[SINGULAR])
    degrees = max(degrees, 0 if all(driven.intersection(names) for names in sets[SINGULAR]) else 1)
    of_velocity = [k for k, equation in enumerate(written.equations) if equation.of_velocities]
    freedom = Freedom(
        coordinates,
        written.count,
        min(rank_as_written, coordinates),
        rank_with_bars,
        degrees,
        bars=len(bars),
        singular=len(sets[SINGULAR]),
        degenerate=len(sets[DEGENERATE]),
        doubtful=bool(rank.doubtful),
        unjudged=bool(unjudged),
        of_velocity=len(of_velocity),
        driven=mechanism.is_driven,
        position_rank=_position_rank(rows, landed.q) if of_velocity else rank_with_bars,
    )
    unheld, floating = _not_held(mechanism, written)
    begun = start_velocities(mechanism, rows, landed.q) if needs_following(mechanism) else None
    off_velocity, changed = _velocity_misfits(mechanism, rows, landed.q, begun)
    limit = step_limit(mechanism, rows, landed.q)
    return Findings(
        freedom,
        straight.bars,
        straight.conflicts,
        clashes,
        tuple(sets[REDUNDANT]),
        tuple(sets[DEGENERATE]),
        tuple(sets[SINGULAR]),
        _misfits(written, at_start.phi, FITS * written.size),
        off_velocity,
        tuple(name for row in landed.lost for name in rows.names[row][:1]),
        in_one_place(mechanism, start, written),
        unheld,
        floating,
        tuple(doubts),
        limit if limit is not None and mechanism.transient.step > limit.step else None,
        _undetermined(mechanism, rows, landed.q),
        _spinning(mechanism, begun),
        behind(mechanism, landed.q),
        changed,
        () if clashes or straight.conflicts else loose(mechanism, bars, landed.q),
        unfound,
        () if begun is None or unjudged else _names(order, rows, begun.nowhere),
        frozenset(driven),
        tuple(name for row in landed.elsewhere for name in rows.names[row][:1]),
    )


def _array(mechanism: Mechanism, points: list[tuple[float, ...]]) -> Floats:
    return np.array(points, dtype=float).reshape(len(mechanism.vectors), mechanism.dimension)


def _position_rank(rows: RowSet, q: Floats) -> int:
    """The rank of the rows that hold positions."""
    which = [k for k, equation in enumerate(rows.equations) if not equation.of_velocities]
    return find_rank(rows.body[which], rows.at(q).J[which]).rank


def _fitted(mechanism: Mechanism, rows: RowSet, start: Floats, straight: Straightness, doubts: list[str]) -> Fit:
    """The position at which rank is judged: the start itself for everything that fits, or cannot be helped."""
    hopeless = {name for conflict in straight.conflicts for name in (*conflict.held_by, *conflict.path)}
    groups = [group for group in off(rows, start) if not any(hopeless.intersection(rows.names[k]) for k in group)]
    if not groups:
        return Fit(start)
    try:
        return fit(rows, start, _array(mechanism, [body.position for body in mechanism.vectors]), groups)
    except TooDense:
        doubts.append(
            f"no position that fits was looked for, too many constraints share bodies: {_first(rows, groups[0])}"
        )
        return Fit(start)


def _sets(
    order: dict[str, int], rows: RowSet, q: Floats, rank: Rank, contradicting: set[str], driving: set[str]
) -> defaultdict[str, list[Names]]:
    """The dependent sets by kind, each by its names in the order of the text, but for those that contradict."""
    found: defaultdict[str, list[Names]] = defaultdict(list)
    sound = [(d, _names(order, rows, d.rows)) for d in _at_rest(rows, q, rank, driving)]
    sound = [(dependence, names) for dependence, names in sound if not contradicting.intersection(names)]
    if not sound:
        return found
    for (_, names), kind in zip(sound, kinds(rows, q, [dependence for dependence, _ in sound]), strict=True):
        if names not in found[kind]:
            found[kind].append(names)
    return found


def _at_rest(rows: RowSet, q: Floats, rank: Rank, driving: set[str]) -> list[Dependence]:
    """The dependent sets; those without drives as if nothing drove: a drive takes a machine along, it does not hold it fast."""
    still = [k for k in range(rows.count) if not driving.intersection(rows.names[k])]
    if len(still) == rows.count or not rank.dependent:
        return list(rank.dependent)
    undriven = find_rank(rows.body[still], rows.at(q).J[still]).dependent
    by_rows = {tuple(still[k] for k in dependence.rows): dependence for dependence in undriven}
    return [
        replace(by_rows[dependence.rows], rows=dependence.rows) if dependence.rows in by_rows else dependence
        for dependence in rank.dependent
    ]


def _hanging_with(rows: RowSet, driving: set[str]) -> set[str]:
    """The constraints that hang together with drives, by bodies that they share."""
    if not driving:
        return set()
    moving = np.flatnonzero((rows.body != FIXED).any(axis=1)).tolist()
    groups = [{name for k in group for name in rows.names[k]} for group in connected(rows.body, moving)]
    return set().union(*(names for names in groups if driving.intersection(names)))


def _drives_that_clash(
    order: dict[str, int], rows: RowSet, q: Floats, rank: Rank, driving: set[str]
) -> tuple[Clash, ...]:
    """Dependent rows that drives want to go at speeds, or from rest with accelerations, that do not depend likewise."""
    if not rank.dependent:
        return ()
    if not driving:
        return ()
    state = rows.at(q)
    found = []
    for dependence in rank.dependent:
        names = _names(order, rows, dependence.rows)
        which = list(dependence.rows)
        for wanted in (state.c[which], state.b[which] if not state.c.any() else np.zeros(len(which))):
            together = dependence.y * wanted
            if driving.intersection(names) and abs(together.sum()) > CLASHES * np.abs(together).sum():
                found.append(Clash(names, 0.0, at_rest=True))
                break
    return tuple(found)


def _names(order: dict[str, int], rows: RowSet, which: Iterable[int]) -> Names:
    """The constraints behind some rows, in the order of the text."""
    return tuple(sorted({name for k in which for name in rows.names[k]}, key=order.__getitem__))


def _farthest_off(rows: RowSet, which: Iterable[int], residuals: Iterable[float]) -> float:
    """By how many metres the worst of some rows is off, given Φ of each."""
    off = []
    for k, phi in zip(which, residuals, strict=True):
        equation = rows.equations[k]
        if equation.is_link and math.isfinite(phi):
            # Φ = (d² − l²) / 2l of a link is near d − l only where it is small; that of other rows is a distance as it stands
            length = equation.parameters[1]
            phi = math.sqrt(max(0.0, length * length + 2 * length * phi)) - length
        off.append(abs(phi) if math.isfinite(phi) else math.inf)
    return max(off)


def _first(rows: RowSet, which: Iterable[int]) -> str:
    which = list(which)
    return f"{len(which)} constraints from {rows.names[which[0]][0]} on"


def _parallel_links(mechanism: Mechanism, bars: tuple[Bar, ...]) -> list[Names]:
    """Links of a bar that join the same two ends: with the bar replaced, the rows no longer show them."""
    replaced = {name for bar in bars for name in bar.links}
    if not replaced:
        return []
    same: dict[frozenset[object], list[str]] = {}
    for link in mechanism.links:
        if link.name in replaced:
            same.setdefault(frozenset(link.ends), []).append(link.name)
    return [tuple(names) for names in same.values() if len(names) > 1]


def _misfits(rows: RowSet, amounts: Floats, tolerance: Floats) -> tuple[Misfit, ...]:
    """Rows whose amount is beyond its tolerance (or is no number), the largest first."""
    off = np.flatnonzero(~(np.abs(amounts) <= tolerance)).tolist()
    found = [Misfit(rows.names[k][0], float(amounts[k])) for k in off]
    return tuple(sorted(found, key=lambda misfit: -abs(misfit.amount) if math.isfinite(misfit.amount) else -math.inf))


def _velocity_misfits(
    mechanism: Mechanism, rows: RowSet, start: Floats, begun: StartVelocities | None
) -> tuple[tuple[Misfit, ...], Changed]:
    """dΦ/dt of the rows that the given velocities do not fit, compared with the speeds of the bodies that a row holds.

    And what becomes of the given velocities: those that fit are kept, and the others follow.
    """
    if begun is None or begun.fits:
        return (), ()
    keeps = np.array([body.keeps_velocity for body in mechanism.vectors], bool)
    velocity = _array(mechanism, [body.velocity for body in mechanism.vectors])
    velocity = np.where(keeps[:, None], velocity, begun.velocity)  # the others would follow: they are not to blame
    state = rows.at(start, velocity)
    moving = (rows.body != FIXED)[:, :, None]
    ends = np.where(moving, velocity[rows.body], 0.0)
    rates = np.einsum("kec,kec->k", state.J, ends) - state.c
    speeds = np.abs(state.J * ends).sum(axis=(1, 2)) + np.abs(state.c)
    after = with_held(mechanism, begun.velocity[None])[0]
    changed = tuple(
        (body.name, tuple(now.tolist()))
        for body, now in zip(mechanism.bodies, after, strict=True)
        if body.keeps_velocity and np.abs(now - body.velocity).max() > FITS * max(np.abs(after).max(), 1e-300)
    )
    return _misfits(rows, rates, FITS * speeds), changed


def _undetermined(mechanism: Mechanism, rows: RowSet, q: Floats) -> Names:
    """Points without mass whose own rows do not fix them in all directions."""
    which = [i for i, body in enumerate(mechanism.vectors) if body.mass == 0.0]
    if not which:
        return ()
    J, found = rows.at(q).J, []
    for i in which:
        held = J[rows.body == i]
        held = held / np.maximum(np.linalg.norm(held, axis=1, keepdims=True), 1e-300)
        if len(held) < q.shape[1] or np.linalg.svd(held, compute_uv=False)[-1] < LOOSE:
            found.append(mechanism.vectors[i].name)
    if not found and not _all_follow(J, rows.body, which):
        return tuple(mechanism.vectors[i].name for i in which)
    return tuple(found)


def _all_follow(J: Floats, body: NDArray[np.int64], which: list[int]) -> bool:
    """Whether the rows fix all points without mass together: [M; A] has full column rank."""
    place = {i: n for n, i in enumerate(which)}
    touching = [k for k in range(len(J)) if any(int(i) in place for i in body[k])]
    A = np.zeros((len(touching), len(which), J.shape[2]))
    for n, k in enumerate(touching):
        for e, i in enumerate(body[k]):
            if int(i) in place:
                A[n, place[int(i)]] += J[k, e]
    if len(touching) < A.shape[1] * A.shape[2]:
        return False
    flat = A.reshape(len(touching), -1)
    flat = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-300)
    return bool(np.linalg.svd(flat, compute_uv=False)[-1] > LOOSE / len(which))


def _spinning(mechanism: Mechanism, begun: StartVelocities | None) -> tuple[tuple[str, float], ...]:
    """Rigid bodies whose axes turn by more than FAST in a step: a method of low order loses ω by the power of that."""
    method = integrators.REGISTRY[mechanism.options.integrator]
    if begun is None or method.adaptive or method.order > 4:
        return ()
    velocity = begun.velocity
    index, found = mechanism.vector_index, []
    for body in mechanism.rigid:
        rates = [float(np.linalg.norm(velocity[index[a]])) / k for a, k in zip(body.axes, body.lengths, strict=True)]
        if max(rates) * mechanism.transient.step > FAST:
            found.append((body.name, max(rates)))
    return tuple(found)


def _not_held(mechanism: Mechanism, rows: RowSet) -> tuple[Names, tuple[Names, ...]]:
    """Bodies that nothing touches, and groups that hang together without an anchor, a slider or a spring."""
    elements = [element.ends for element in mechanism.forces]
    elements += [switch.who for element in mechanism.switched for switch in element.parts.switches]
    touched = [
        mechanism.bodies[mechanism.body_index[end]] for ends in elements for end in ends if end in mechanism.body_index
    ]
    names = {name for body in touched for name in (body.name, *(vector for vector, _, _ in body.weights))}
    sprung = {mechanism.body_index[name] for name in names}  # a point of a rigid body is its body
    held = set(rows.body[rows.body != FIXED].tolist()) | sprung
    unheld = tuple(body.name for i, body in enumerate(mechanism.vectors) if i not in held)
    floating = []
    moving = np.flatnonzero((rows.body != FIXED).any(axis=1)).tolist()
    for group in connected(rows.body, moving):
        equations = [rows.equations[k] for k in group]
        members = sorted(set(rows.body[group][rows.body[group] != FIXED].tolist()))
        if sprung.intersection(members):
            continue
        if all(equation.is_link and all(isinstance(end, str) for end in equation.ends) for equation in equations):
            floating.append(tuple(mechanism.vectors[i].name for i in members))
    return unheld, tuple(floating)
