"""Model solution of exercise 1: which system made this motion?"""

import numpy as np


def constraint_error(q, length):
    """Φ = x² + y² − l² over time."""
    return (q**2).sum(axis=1) - length**2


def measure(t, q, v, length, gravity):
    """The largest errors of position, velocity and energy."""
    energy = 0.5 * (v**2).sum(axis=1) + gravity * q[:, 1]
    return {
        "position": np.abs(constraint_error(q, length)).max(),
        "velocity": np.abs(2 * (q * v).sum(axis=1)).max(),
        "energy": np.abs(energy - energy[0]).max(),
    }


def identify(t, q, v, length, gravity):
    """PROJECTED has no error to speak of; INDEX1 drifts on and on; the damped system errs but does not drift."""
    error = np.abs(constraint_error(q, length))
    if error.max() < 1e-10:
        return "PROJECTED"
    quarter = len(t) // 4
    early, late = error[:quarter].max(), error[-quarter:].max()
    return "INDEX1" if late > 3 * early else "INDEX1_2_DAMPED"
