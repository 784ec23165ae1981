"""States between samples: a cubic through positions and velocities, a straight line where velocities are not known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from chainlist.run.quantities import Motion

Floats = NDArray[np.float64]


def positions_at(motion: Motion, times: Floats) -> Floats:
    """(times, bodies, dim) m, by Hermite's cubic between the two samples around each time; at a sample, that sample."""
    t, q, v = motion.t, motion.q, motion.v
    if len(t) == 1:
        return np.repeat(q, len(times), axis=0)
    at = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(t) - 2)
    h = (t[at + 1] - t[at])[:, None, None]
    s = ((times - t[at])[:, None, None]) / h
    if v is None:
        mixed = (1 - s) * q[at] + s * q[at + 1]
    else:
        mixed = (
            (1 + 2 * s) * (1 - s) ** 2 * q[at]
            + s * (1 - s) ** 2 * h * v[at]
            + s**2 * (3 - 2 * s) * q[at + 1]
            + s**2 * (s - 1) * h * v[at + 1]
        )
    return np.where(s == 0, q[at], np.where(s == 1, q[at + 1], mixed))


def exposure_times(motion: Motion, frame: float | None) -> Floats:
    """The start, each `frame` seconds after it, and the last state, however short after the one before."""
    first, last = float(motion.t[0]), float(motion.t[-1])
    frame = frame or automatic_frame(last - first)
    count = int(np.floor((last - first) / frame * (1 + 1e-12)))
    times = first + frame * np.arange(count + 1)
    times = times[times < last - 1e-9 * frame]
    return np.append(times, last)


def automatic_frame(duration: float, exposures: int = 24) -> float:
    """A round interval that gives about as many exposures."""
    if duration <= 0:
        return 1.0
    wanted = duration / exposures
    scale = 10.0 ** np.floor(np.log10(wanted))
    return float(scale * min((1, 2, 5, 10), key=lambda n: abs(np.log(n * scale / wanted))))
