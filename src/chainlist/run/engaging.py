"""Which rows of switches are engaged: modes and grips → the lists that kernels read. A chapter is a time in which none changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.switches import Switches, listing
from chainlist.equations.layout import CAPACITY, empty_switch_work
from chainlist.kernels.bundles import Floats, SwitchWork, System, Work
from chainlist.kernels.switches import CLOSED, HELD, SLIPS, STICKS


@dataclass(frozen=True)
class State:
    """Where everything is at a moment; Work and the continuous angles are the memory."""

    q: Floats  # (vectors, dim) m
    v: Floats  # (vectors, dim) m/s
    memory: Floats  # (1 + angles,)


@dataclass(frozen=True)
class Chapter:
    """What holds from `time` on, until the next one; and the states just before and behind what happened then."""

    time: float
    mode: NDArray[np.uint8]
    grip: NDArray[np.uint8]
    way: Floats
    mu: Floats
    points: Floats  # anchors, and points that stand for forces and lengths
    before: State
    behind: State


def switch_work(work: Work) -> SwitchWork:
    assert work.switch is not None
    return work.switch


def engage(switches: Switches, system: System, work: Work) -> Work:
    """Put the rows that hold into the lists; the work, which grows where it must."""
    state = switch_work(work)
    first = switches.first_tangents
    held = [int(k) for k in np.flatnonzero((state.mode == CLOSED) | (state.mode == HELD))]
    solved = held + [t for k in held if state.grip[k] == STICKS for t in range(first[k], first[k + 1])]
    shown = [(t, k) for k in held if state.grip[k] == SLIPS for t in range(first[k], first[k + 1])]
    place = {k: n for n, k in enumerate(solved)}
    work = enlist([*solved, *(t for t, _ in shown)], switches, system, work)
    for n, (_, k) in enumerate(shown, start=len(solved)):
        switch_work(work).under[n] = place[k]
    work.count.engaged = len(solved)
    return work


def enlist(rows: Sequence[int], switches: Switches, system: System, work: Work) -> Work:
    """All these rows are solved for."""
    if len(rows) > len(switch_work(work).list):
        work = _grown(2 * len(rows), system, work)
    state = switch_work(work)
    state.list[: len(rows)] = rows
    work.count.engaged = work.count.shown = len(rows)
    lists = listing(state.table, rows, switches.equations, system.gravity.shape[1])
    state.table.rows[: len(rows)] = lists.rows
    state.table.start[:] = lists.start
    state.lam[:] = 0.0  # kernels write those of engaged rows only
    return work


def _grown(capacity: int, system: System, work: Work) -> Work:
    assert system.switch is not None
    points, d = system.gravity.shape
    new = empty_switch_work(system.switch, points, d, len(system.table.scale), capacity)
    larger = {name: getattr(new, name) for name in CAPACITY}
    return work._replace(switch=switch_work(work)._replace(**larger))


def state_of(work: Work, q: Floats, v: Floats, bodies: int) -> State:
    """As everything is now."""
    turn = np.empty(0) if work.rows.tape is None else work.rows.tape.turn
    return State(q[:bodies].copy(), v[:bodies].copy(), np.concatenate((q[-1, :1], turn)))


def chapter(time: float, work: Work, points: Floats, before: State, behind: State) -> Chapter:
    """What holds now."""
    state = switch_work(work)
    copies = (state.mode.copy(), state.grip.copy(), state.way.copy(), state.mu.copy())
    return Chapter(time, *copies, points.copy(), before, behind)


def open_at(found: Chapter, switches: Switches, system: System, work: Work, q: Floats, bodies: int) -> Work:
    """As in this chapter."""
    state = switch_work(work)
    state.mode[:], state.grip[:], state.way[:], state.mu[:] = found.mode, found.grip, found.way, found.mu
    q[bodies:] = found.points
    return engage(switches, system, work)
