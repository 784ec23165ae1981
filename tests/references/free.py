"""Motions with a formula: two sliders at right angles, and a rigid triangle thrown into the air."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tests.references.linkage import Linkage

Floats = NDArray[np.float64]

CROSSHAIR = Linkage(
    "Crosshair slider constraints",
    0.0,
    6.28,
    1e-3,
    ((0.0, 0.0), (0.0, 1.0)),
    (1.0, 1.0),
    ((0, 1),),
    sliders=((0, (0.0, 1.0, 0.0)), (1, (1.0, 0.0, 0.0))),
    velocities=((1.0, 0.0), (0.0, 0.0)),
)


def crosshair(times: Sequence[float] | Floats) -> Floats:
    """B1 = (sin t, 0) and B2 = (0, cos t): the rod turns at a constant rate, against the sense of its middle."""
    times = np.asarray(times, float)
    rest = np.zeros_like(times)
    return np.stack([np.stack([np.sin(times), rest], -1), np.stack([rest, np.cos(times)], -1)], axis=1)


SPIN = 3.0  # rad/s
FREE_TRIANGLE = Linkage(
    "Triangle thrown into the air",
    9.81,
    2.0,
    1e-3,
    ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)),
    (1.0, 2.0, 3.0),
    ((0, 1), (1, 2), (2, 0)),
    velocities=((1.0, 2.0), (1.0, 5.0), (-2.0, 2.0)),  # (1,2) and a spin of 3 rad/s about B1
)


def thrown_triangle(times: Sequence[float] | Floats) -> Floats:
    """The centre of mass flies a parabola; around it the triangle turns at a constant rate."""
    times = np.asarray(times, float)[:, None, None]
    masses = np.array(FREE_TRIANGLE.masses)
    centre = masses @ FREE_TRIANGLE.start / masses.sum()
    drift = masses @ FREE_TRIANGLE.start_velocity / masses.sum()
    arm = FREE_TRIANGLE.start - centre
    turned = np.cos(SPIN * times) * arm + np.sin(SPIN * times) * np.stack([-arm[:, 1], arm[:, 0]], axis=-1)
    flight = centre + drift * times - np.array((0.0, 0.5 * FREE_TRIANGLE.gravity)) * times**2
    return np.asarray(flight + turned)
