"""Where the end of an arm of rods belongs, computed in another way than any simulator here does it.

Arms on hinges: angles of the joints, with the Jacobians of all centres. Thin rods on ball joints, and in the plane: directions of
the rods, whose accelerations are solved for across them. Both are integrated by SciPy's DOP853 to 1e-13.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchmarks.rods import Arm

Floats = NDArray[np.float64]
TIGHT = 1e-13


@functools.cache
def tip(arm: Arm, stop: float) -> tuple[float, ...]:
    """The place of the last rod's end."""
    thin = all(rod.axis is None or (len(rod.stop) == 2 and not rod.thick) for rod in arm.rods)
    found = (_thin_tip if thin else _hinge_tip)(arm, stop)
    return tuple(float(x) for x in found[: len(arm.rods[-1].stop)])


def _integrated(derivative: Callable[[float, Floats], Floats], start: Floats, stop: float) -> Floats:
    from scipy.integrate import solve_ivp

    done = solve_ivp(derivative, (0.0, stop), start, method="DOP853", rtol=TIGHT, atol=TIGHT)
    return np.asarray(done.y[:, -1])


def _spans(arm: Arm) -> Floats:
    """From pin to pin at the start, always three numbers."""
    spans = np.zeros((len(arm.rods), 3))
    for span, rod in zip(spans, arm.rods, strict=True):
        span[: len(rod.stop)] = np.subtract(rod.stop, rod.start)
    return spans


def _thin_tip(arm: Arm, stop: float) -> Floats:
    """Centres are sums of directions u: Σ w u'' = f + λ u with constant w, and |u| = 1."""
    spans, count = _spans(arm), len(arm.rods)
    lengths = np.linalg.norm(spans, axis=1)
    masses = np.array([rod.mass for rod in arm.rods])
    centre = np.tril(np.tile(lengths, (count, 1)), -1) + np.diag(0.5 * lengths)
    weights = centre.T @ (masses[:, None] * centre) + np.diag([rod.moments[1] for rod in arm.rods])
    pull = np.outer(centre.T @ masses, (0.0, -arm.gravity, 0.0))

    def derivative(_: float, state: Floats) -> Floats:
        u, v = state.reshape(2, count, 3)
        first = np.cross(u, np.eye(3)[np.abs(u).argmin(axis=1)])
        first /= np.linalg.norm(first, axis=1)[:, None]
        across = np.stack([first, np.cross(u, first)], axis=1)  # rod, which of two, coordinate
        inward = -np.sum(v * v, axis=1)[:, None] * u
        matrix = np.einsum("ij,iac,jbc->iajb", weights, across, across).reshape(2 * count, 2 * count)
        right = np.einsum("iac,ic->ia", across, pull - weights @ inward).ravel()
        turning = np.linalg.solve(matrix, right).reshape(count, 2)
        return np.concatenate([v.ravel(), (np.einsum("iac,ia->ic", across, turning) + inward).ravel()])

    u = spans / lengths[:, None]
    state = _integrated(derivative, np.concatenate([u.ravel(), np.zeros(3 * count)]), stop)
    return lengths @ state[: 3 * count].reshape(count, 3)


def _hinge_tip(arm: Arm, stop: float) -> Floats:
    """M(q) q'' = forces, M = Σ m Jᵀ J + Jωᵀ I Jω over the rods."""
    spans, count = _spans(arm), len(arm.rods)

    def derivative(_: float, state: Floats) -> Floats:
        rates = state[count:]
        matrix, right = np.zeros((count, count)), np.zeros(count)
        turn, pin = np.eye(3), np.zeros(3)
        omega, bias, pin_bias = np.zeros(3), np.zeros(3), np.zeros(3)  # what accelerations are without q''
        axes, pins = np.zeros((count, 3)), np.zeros((count, 3))
        for k, rod in enumerate(arm.rods):
            axis = turn @ np.asarray(rod.axis)
            axes[k], pins[k] = axis, pin
            bias = bias + _hat(omega) @ axis * rates[k]
            omega = omega + axis * rates[k]
            turn = turn @ _turned(np.asarray(rod.axis), state[k])
            span = turn @ spans[k]
            sway = _hat(bias) @ span + _hat(omega) @ (_hat(omega) @ span)  # of the far end, against the pin
            inertia = _tensor(rod.moments, span)
            spin = axes[: k + 1]
            slope = np.cross(spin, pin + 0.5 * span - pins[: k + 1])
            matrix[: k + 1, : k + 1] += rod.mass * slope @ slope.T + spin @ inertia @ spin.T
            right[: k + 1] += slope @ (rod.mass * (np.array((0.0, -arm.gravity, 0.0)) - pin_bias - 0.5 * sway))
            right[: k + 1] -= spin @ (inertia @ bias + _hat(omega) @ (inertia @ omega))
            pin, pin_bias = pin + span, pin_bias + sway
        return np.concatenate([rates, np.linalg.solve(matrix, right)])

    state = _integrated(derivative, np.zeros(2 * count), stop)
    turn, end = np.eye(3), np.zeros(3)
    for k, rod in enumerate(arm.rods):
        turn = turn @ _turned(np.asarray(rod.axis), state[k])
        end = end + turn @ spans[k]
    return end


def _turned(axis: Floats, angle: float) -> Floats:
    """The matrix of a turn (Rodrigues)."""
    cross = _hat(axis)
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross


def _hat(a: Floats) -> Floats:
    """The matrix that takes b to a × b."""
    x, y, z = a
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def _tensor(moments: tuple[float, float], span: Floats) -> Floats:
    """The inertia of a rod about its centre."""
    along, across = moments
    unit = span / np.linalg.norm(span)
    return across * np.eye(3) + (along - across) * np.outer(unit, unit)
