"""Linkages by ruler and compass: where a body must be, from the two points that hold it. No equations of motion."""

import numpy as np


def circles(a, ra, b, rb, side):
    """The points at distance ra from a and rb from b, left (+1) or right (−1) of the way from a to b; (samples, 2)."""
    a, b = np.broadcast_arrays(np.asarray(a, float), np.asarray(b, float))
    way = b - a
    distance = np.linalg.norm(way, axis=-1, keepdims=True)
    way = way / distance
    along = (ra**2 - rb**2 + distance**2) / (2 * distance)
    across = np.sqrt(ra**2 - along**2)
    return a + along * way + side * across * np.stack([-way[..., 1], way[..., 0]], axis=-1)


def carried(a, b, point, a0, b0):
    """Where a plate carries `point` when its corners a0, b0 come to a, b; as complex numbers: one turn and one shift."""
    a, b, point, a0, b0 = (np.asarray(x, float) @ np.array([1, 1j]) for x in (a, b, point, a0, b0))
    moved = a + (b - a) * (point - a0) / (b0 - a0)
    return np.stack([moved.real, moved.imag], axis=-1)
