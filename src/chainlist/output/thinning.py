"""Which samples of a run a picture needs: few enough to send, enough to show the same motion.

A picture that drops samples draws the motion between the kept ones by interpolation: a cubic (Hermite) where
velocities are known, a straight line where they are not. So the question is not how many samples are dropped
but how far the interpolation strays from the samples that were dropped, and this is measured here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

USUAL_RATE = 60.0  # frames per second of motion that are tried first
HIGHEST_RATE = 240.0  # taken only where the motion is fast
INVISIBLE = 1e-4  # of the size of the motion: a tenth of a pixel on a screen
VISIBLE = 2e-3  # beyond this even HIGHEST_RATE is exceeded: the motion would look wrong
UNEVEN = 0.382  # no simple fraction
CHUNK = 4096  # intervals that are checked at a time, to bound memory


def frames_to_keep(t: Array, q: Array, v: Array | None, most: int) -> Indices:
    """Indices of the samples that become frames: every n-th one, the first and the last always among them.

    n is the largest step for which the interpolation stays within INVISIBLE of the samples between, at rates from
    USUAL_RATE to HIGHEST_RATE; a motion too fast for that keeps more, but never beyond `most` frames.
    """
    samples = len(t)
    duration = float(t[-1] - t[0])
    if samples < 3 or not duration > 0:
        return np.arange(samples)
    stride = max(1, int(samples / (USUAL_RATE * duration + 1)), _ceil(samples - 1, max(most - 1, 1)))
    size = _extent(q)
    while stride > 1:
        finer = stride // 2
        if _ceil(samples - 1, finer) + 1 > most:
            break
        slow_enough = samples / finer <= HIGHEST_RATE * duration
        if interpolation_error(t, q, v, stride) <= (INVISIBLE if slow_enough else VISIBLE) * size:
            break
        stride = finer
    return with_last(np.arange(0, samples, stride), samples)


def slopes(t: Array, q: Array, v: Array | None) -> Array | None:
    """The slopes dq/dt with which to draw the motion between samples: the velocities, where these are the slopes.

    In the paper's systems (8) and (10) dq/dt is v and a correction; while constraints are far from fulfilled the two
    differ, and a cubic through q with slopes v would swerve. So v is tried on every second sample, and where
    differences of q predict the samples between better, these are taken.
    """
    if v is None or len(t) < 5 or interpolation_error(t, q, v, 2) <= INVISIBLE * _extent(q):
        return v
    coarse = np.zeros_like(q)
    coarse[::2] = _differences(t[::2], q[::2])
    if interpolation_error(t, q, v, 2) <= interpolation_error(t, q, coarse, 2):
        return v
    return _differences(t, q)


def _differences(t: Array, q: Array) -> Array:
    with np.errstate(all="ignore"):
        return np.asarray(np.gradient(q, t, axis=0, edge_order=2))


def interpolation_error(t: Array, q: Array, v: Array | None, stride: int) -> float:
    """Largest distance [m] between samples inside the gaps between frames and what the player will draw there.

    Two samples of each gap are looked at: its middle, where the error of a smooth motion is largest, and one at an
    uneven place, for a body that turns twice from frame to frame is back at its place in the middle.
    """
    starts = np.arange(0, len(t) - stride, stride)
    worst = 0.0
    for at in range(0, len(starts), CHUNK):
        a = starts[at : at + CHUNK]
        for inside in (a + stride // 2, a + int(UNEVEN * stride)):
            shown = interpolate(t, q, v, a, a + stride, t[inside])
            away = np.abs(shown - q[inside])
            worst = max(worst, float(np.max(away, initial=0.0, where=np.isfinite(away))))
    return worst


def interpolate(t: Array, q: Array, v: Array | None, a: Indices, b: Indices, times: Array) -> Array:
    """Positions at `times`, each between samples a and b: cubic Hermite, or linear without velocities."""
    length = (t[b] - t[a])[:, None, None]
    s = (times - t[a])[:, None, None] / length
    with np.errstate(invalid="ignore", over="ignore"):
        if v is None:
            return np.asarray((1 - s) * q[a] + s * q[b])
        rise = s * s * (3 - 2 * s)
        tangents = s * (1 - s) * ((1 - s) * v[a] - s * v[b])
        return np.asarray((1 - rise) * q[a] + rise * q[b] + length * tangents)


def points_to_keep(values: Array, most: int) -> Indices:
    """Indices of at most `most` points of a curve over time.

    Of each stretch the lowest and the highest point are kept, so that no peak is lost, and a point without a value if
    there is one; the first and the last point of the curve always.
    """
    count = len(values)
    if count <= most:
        return np.arange(count)
    length = _ceil(count, max(1, (most - 2) // 3))
    stretches = _ceil(count, length)
    padded = np.full(stretches * length, np.nan)
    padded[:count] = values
    parts = padded.reshape(stretches, length)
    finite = np.isfinite(parts)
    starts = length * np.arange(stretches)
    gaps = starts + np.argmin(finite, axis=1)  # the first point without a value, so that a gap stays a gap
    lowest = starts + np.argmin(np.where(finite, parts, np.inf), axis=1)
    highest = starts + np.argmax(np.where(finite, parts, -np.inf), axis=1)
    kept = np.concatenate([[0, count - 1], gaps[~finite.all(axis=1)], lowest, highest])
    return np.unique(kept[kept < count])


def even_points(count: int, most: int) -> Indices:
    """Indices of at most `most` + 1 points of a path, evenly spaced, with both ends."""
    return with_last(np.arange(0, count, _ceil(count, max(most, 1))), count)


def with_last(indices: NDArray[Any], count: int) -> Indices:
    return indices if indices[-1] == count - 1 else np.append(indices, count - 1)


def _extent(q: Array) -> float:
    """The longer side of the box that the motion fills [m]."""
    finite = np.isfinite(q)
    low = np.min(q, axis=(0, 1), initial=np.inf, where=finite)
    high = np.max(q, axis=(0, 1), initial=-np.inf, where=finite)
    return float(np.max(high - low, initial=0.0, where=high > low))


def _ceil(a: int, b: int) -> int:
    return -(-a // b)
