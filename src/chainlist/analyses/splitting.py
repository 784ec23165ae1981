"""A motion split at its corners: there velocities, accelerations or forces jump, and no polynomial does.

Corners are events, moments at which friction turns round, and breakpoints of the time. Each gets two samples of its own, just before and
behind it, so that what lies between neighbouring samples is smooth. At events the run itself has kept both states. At a breakpoint nothing
but accelerations and forces jumps: the sample before it is carried on to it by a step of the classical Runge-Kutta method.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from chainlist.compile.held import with_held
from chainlist.compile.system import Assembly
from chainlist.kernels.bundles import Floats
from chainlist.run.moments import Moments
from chainlist.run.trajectory import Trajectory


def split_at_corners(run: Trajectory) -> Trajectory:
    """The same motion with samples on both sides of its corners."""
    if run.v is None or len(run) < 2:
        return run
    run = with_states_of_events(run)
    assembly = Moments(run, assembly=run.assembly).assembly
    # what stays in touch is told ahead, and then no state belongs to its event
    told = [event.time for event in run.events if event.time < run.t[-1]]
    return split_at(run, np.union1d(assembly.system.breaks, told), assembly)


def is_corner(t: Floats) -> NDArray[np.bool_]:
    """(intervals,) between which neighbouring samples there is a corner, and no time."""
    found: NDArray[np.bool_] = t[1:] <= np.nextafter(t[:-1], np.inf)
    return found


@dataclasses.dataclass(frozen=True)
class _Rows:
    """Samples: times, positions, velocities and memory."""

    t: Floats
    q: Floats
    v: Floats
    memory: Floats | None


def _rows_of(run: Trajectory) -> _Rows:
    assert run.v is not None
    return _Rows(run.t, run.q, run.v, run.memory)


def _merged(run: Trajectory, *parts: _Rows) -> Trajectory:
    """In the order of time; of samples at the same time that of the first part counts."""
    t, first = np.unique(np.concatenate([part.t for part in parts]), return_index=True)
    q = np.concatenate([part.q for part in parts])[first]
    v = np.concatenate([part.v for part in parts])[first]
    known = [part.memory for part in parts if part.memory is not None]
    memory = np.concatenate(known)[first] if known else None
    return dataclasses.replace(run, t=t, q=q, v=v, memory=memory, predicted_energy=None)


def with_states_of_events(run: Trajectory) -> Trajectory:
    """The same motion with the states that the run has kept of its events: a sample just before each, and one behind it."""
    if run.v is None:
        return run
    inside = [chapter for chapter in run.chapters if run.t[0] < chapter.time < run.t[-1]]
    if not inside:
        return run
    times = np.array([chapter.time for chapter in inside])
    jumps = np.diff(times) > 0.0  # several may follow one another at one moment
    first = np.flatnonzero(np.append(True, jumps))
    last = np.flatnonzero(np.append(jumps, True))

    def rows(t: Floats, states: list[Floats], speeds: list[Floats], memory: list[Floats]) -> _Rows:
        q, v = (with_held(run.mechanism, np.stack(x)) for x in (states, speeds))
        return _Rows(t, q, v, None if run.memory is None else np.stack(memory))

    before, behind = [inside[k].before for k in first], [inside[k].behind for k in last]
    return _merged(
        run,
        rows(times[last], *([getattr(state, name) for state in behind] for name in ("q", "v", "memory"))),
        _rows_of(run),
        rows(
            np.nextafter(times[first], -np.inf),
            *([getattr(state, name) for state in before] for name in ("q", "v", "memory")),
        ),
    )


def split_at(run: Trajectory, times: Floats, assembly: Assembly | None = None) -> Trajectory:
    """With two samples at each of these times; where there is one already, just before it too."""
    last = run.t[-1] if not run.stopped else np.nextafter(run.t[-1], -np.inf)  # a run ends before what stops it
    times = times[(times > run.t[0]) & (times <= last)]
    if not len(times):
        return run
    assembly = assembly or Moments(run, assembly=run.assembly).assembly
    rows = _rows_of(run)
    known = np.isin(times, run.t)
    found = [rows, _just_before(_only(rows, np.searchsorted(run.t, times[known])))]
    times = times[~known]
    interval = np.searchsorted(run.t, times) - 1
    start, ahead = _only(rows, interval), _only(rows, interval + 1)
    while len(times):  # once, but where there are several between two samples: then from one to the next
        first = np.unique(interval, return_index=True)[1]
        reached = _carried_on(run, assembly, _only(start, first), _only(ahead, first), times[first])
        found += [reached, _just_before(reached)]
        more = np.flatnonzero(interval[first] == np.append(interval, -1)[first + 1])
        rest = np.delete(np.arange(len(times)), first)
        start = _put(start, first[more] + 1, _only(reached, more))
        times, interval, start, ahead = times[rest], interval[rest], _only(start, rest), _only(ahead, rest)
    return _merged(run, *found)


def _only(rows: _Rows, at: NDArray[np.int64]) -> _Rows:
    return _Rows(rows.t[at], rows.q[at], rows.v[at], None if rows.memory is None else rows.memory[at])


def _put(rows: _Rows, at: NDArray[np.int64], new: _Rows) -> _Rows:
    """With other rows at these places."""
    found = dataclasses.replace(rows, t=rows.t.copy(), q=rows.q.copy(), v=rows.v.copy())
    found.t[at], found.q[at], found.v[at] = new.t, new.q, new.v
    if rows.memory is None or new.memory is None:
        return found
    memory = rows.memory.copy()
    memory[at] = new.memory
    return dataclasses.replace(found, memory=memory)


def _just_before(rows: _Rows) -> _Rows:
    return dataclasses.replace(rows, t=np.nextafter(rows.t, -np.inf))


def _carried_on(run: Trajectory, assembly: Assembly, start: _Rows, ahead: _Rows, times: Floats) -> _Rows:
    """From each of these samples towards the next one, to a time between, as it goes on until just before that time."""
    h = (times - start.t)[:, None, None]

    def moments(t: Floats, q: Floats, v: Floats, memory: Floats | None) -> Moments:
        return Moments(dataclasses.replace(run, t=t, q=q, v=v, memory=memory), assembly=assembly)

    def a(part: float, q: Floats, v: Floats) -> Floats:
        t = np.minimum(start.t + part * (times - start.t), np.nextafter(times, -np.inf))
        return moments(t, q, v, start.memory).forces.acceleration

    q0, v0 = start.q, start.v
    a1 = a(0.0, q0, v0)
    v2 = v0 + 0.5 * h * a1
    a2 = a(0.5, q0 + 0.5 * h * v0, v2)
    v3 = v0 + 0.5 * h * a2
    a3 = a(0.5, q0 + 0.5 * h * v2, v3)
    v4 = v0 + h * a3
    a4 = a(1.0, q0 + h * v3, v4)
    q = q0 + h / 6.0 * (v0 + 2.0 * (v2 + v3) + v4)
    v = v0 + h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4)
    if start.memory is None or ahead.memory is None:
        return _Rows(times, q, v, None)
    part = ((times - start.t) / (ahead.t - start.t))[:, None]
    memory = start.memory + part * (ahead.memory - start.memory)
    # what Etotal has gained is work
    energies = [sum(moments(*x).energies) for x in ((start.t, q0, v0, start.memory), (times, q, v, memory))]
    memory[:, 0] = start.memory[:, 0] + energies[1] - energies[0]
    return _Rows(times, q, v, memory)
