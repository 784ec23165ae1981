"""A motion with events, split where they are: between two samples velocities may jump, and no polynomial has a corner.

Each event gets two samples of its own, just before and behind it, so that what lies between neighbouring samples is smooth. Their states
are those of the samples around, carried on with their accelerations.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from chainlist.kernels.bundles import Floats
from chainlist.run.moments import Moments
from chainlist.run.trajectory import Trajectory


def split_at_events(run: Trajectory) -> Trajectory:
    """The same motion with samples at its events."""
    moments = sorted({event.time for event in run.events if run.t[0] < event.time < run.t[-1]})
    if run.v is None or not moments:
        return run
    intervals: dict[int, list[float]] = {}
    for time in moments:
        intervals.setdefault(int(np.searchsorted(run.t, time, side="left")) - 1, []).append(time)
    a = Moments(run).forces.acceleration
    rows = [row for k, times in intervals.items() for row in _around(run, a, k, times[0], times[-1])]
    t = np.concatenate([run.t, [row[0] for row in rows]])
    order = np.argsort(t, kind="stable")
    q, v = (np.concatenate([x, [row[n] for row in rows]]) for n, x in ((1, run.q), (2, run.v)))
    memory = run.memory
    if memory is not None:
        old = memory
        memory = np.stack([np.interp(t[order], run.t, old[:, c]) for c in range(old.shape[1])], axis=1)
    return dataclasses.replace(run, t=t[order], q=q[order], v=v[order], memory=memory, predicted_energy=None)


def _around(run: Trajectory, a: Floats, k: int, first: float, last: float) -> list[tuple[float, Floats, Floats]]:
    """Samples just before the first event between samples k and k + 1, and at the last of them."""
    assert run.v is not None
    before, behind = first - run.t[k], last - run.t[k + 1]
    left = run.q[k] + before * (run.v[k] + 0.5 * before * a[k])
    right = run.q[k + 1] + behind * (run.v[k + 1] + 0.5 * behind * a[k + 1])
    if first == last:  # positions do not jump: whichever was carried on less is nearer to the truth
        near = -(behind**3) / (before**3 - behind**3)
        left = right = near * left + (1.0 - near) * right
    rows = [(math.nextafter(first, -math.inf), left, run.v[k] + before * a[k])]
    if last < run.t[k + 1]:
        rows.append((last, right, run.v[k + 1] + behind * a[k + 1]))
    return [row for row in rows if row[0] > run.t[k]]
