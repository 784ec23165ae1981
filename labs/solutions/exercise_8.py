"""Model solution of exercise 8: the exact period by the arithmetic-geometric mean, and the period of a run."""

import math

import numpy as np


def period(amplitude, length, gravity):
    """T = 4 √(l/g) K(sin(α/2)), with K by Gauss' arithmetic-geometric mean of 1 and cos(α/2)."""
    a, b = 1.0, math.cos(amplitude / 2)
    while abs(a - b) > 1e-15 * a:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return 2 * math.pi * math.sqrt(length / gravity) / a


def measured_period(t, x):
    """The mean time between passages through x = 0 in the same direction, each found by linear interpolation."""
    rising = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))
    passages = t[rising] - x[rising] * (t[rising + 1] - t[rising]) / (x[rising + 1] - x[rising])
    return (passages[-1] - passages[0]) / (len(passages) - 1)
