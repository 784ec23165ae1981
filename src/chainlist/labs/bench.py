"""Running mechanisms for the laboratory: the paper's listings with other settings, and what is read off a motion."""

from __future__ import annotations

from importlib import resources
from typing import Any

import numpy as np

from chainlist.compile.read import changed
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Changes, Mechanism
from chainlist.run.simulate import simulate
from chainlist.run.trajectory import Trajectory

INTERPRETED = 6000  # steps × bodies up to which a compiler would take longer than it saves


def listing(number: int) -> str:
    """The text of one of the paper's listings."""
    folder = resources.files("chainlist").joinpath("examples", "paper")
    (page,) = (f for f in folder.iterdir() if f.name.startswith(f"{number:02d}-"))
    return page.read_text(encoding="utf-8")


def motion(
    source: str | Mechanism, tran: tuple[float, float, float] | None = None, *, tiny: bool = False, **options: Any
) -> Trajectory:
    """The motion of a mechanism with other settings; a `tiny` run is interpreted, equal to the last bit."""
    mechanism = changed(source, Changes({}, options, tran))
    with np.errstate(all="ignore"):  # a run that breaks down has numbers beyond all bounds
        return simulate(mechanism, target="python" if tiny else "cpu")


def values(trajectory: Trajectory, item: str) -> Floats:
    """The first curve of an observable: `values(motion, "PHI(C1)")`."""
    with np.errstate(all="ignore"):
        return trajectory.observe(item).curves[0].values


def largest(curve: Floats, times: Floats, until: float = np.inf) -> float:
    """The largest absolute value up to a time."""
    return float(np.nanmax(np.abs(curve[times <= until + 1e-9])))


def at(trajectory: Trajectory, curve: Floats, time: float) -> float:
    """The value at a time, or at the end of a run that broke down before."""
    return float(curve[min(int(np.searchsorted(trajectory.t, time - 1e-9)), len(curve) - 1)])


def distance(one: Trajectory, other: Trajectory) -> tuple[Floats, Floats]:
    """Times, and how far the farthest body is from where it is in the other run [m]; bodies go by their names."""
    samples = min(len(one), len(other))
    order = [other.bodies.index(name) for name in one.bodies]
    with np.errstate(all="ignore"):
        off = np.linalg.norm(one.q[:samples] - other.q[:samples][:, order], axis=2).max(axis=1)
    return one.t[:samples], off


def first_time(times: Floats, condition: Any) -> float | None:
    """When a condition is met first, None if never."""
    found = np.flatnonzero(condition)
    return float(times[found[0]]) if len(found) else None


def lost_at(one: Trajectory, reference: Trajectory, limit: float) -> float | None:
    """When a run has left the reference by more than `limit` [m], or broke down; None if it never did."""
    times, off = distance(one, reference)
    when = first_time(times, ~(off < limit))
    broke = None if one.status.ok else one.status.time
    known = [time for time in (when, broke) if time is not None]
    return min(known) if known else None
