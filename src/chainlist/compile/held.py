"""Points of rigid bodies: they follow from the vectors of their body, which alone are integrated."""

from __future__ import annotations

import numpy as np

from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Mechanism


def with_held(mechanism: Mechanism, vectors: Floats) -> Floats:
    """Positions, velocities or accelerations of vectors (samples, vectors, dim), and behind them those of points that follow."""
    held = mechanism.bodies[len(mechanism.vectors) :]
    if not held:
        return vectors
    index = mechanism.body_index
    found = np.zeros((len(vectors), len(mechanism.bodies), vectors.shape[2]))
    found[:, : vectors.shape[1]] = vectors
    for i, point in enumerate(held, start=vectors.shape[1]):
        for name, alpha, beta in point.weights:
            vector = vectors[:, index[name]]
            found[:, i] += alpha * vector
            if beta:
                found[:, i, 0] -= beta * vector[:, 1]
                found[:, i, 1] += beta * vector[:, 0]
    return found
