"""Integrate ü = a(u, u̇) by Picard iteration on Chebyshev points: a polynomial of degree 24 on each piece of time.

Chosen over a Runge–Kutta method for two reasons. The motion is as accurate between the ends of a piece as at its ends,
so that it can be asked for at any time; and the pieces are long, so that rounding errors hardly add up. It works in any
floating-point type that `a` works in, `numpy.longdouble` too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

Acceleration = Callable[[Any, Any], Any]  # (points, freedoms), (points, freedoms) -> (points, freedoms)

DEGREE = 24
TAIL = 4  # how many of the last Chebyshev coefficients must have died away
ITERATIONS = 60


@cache
def chebyshev(degree: int, kind: type) -> tuple[Any, Any, Any]:
    """Points on [-1, 1], the matrix from values to Chebyshev coefficients, and the matrix of integration from -1."""
    pi = np.arccos(kind(-1))
    k: Any = np.arange(degree + 1).astype(kind)
    angles = pi * (1 - k / degree)
    values = np.cos(np.outer(angles, k))  # T_k at the points
    halved = np.where((k == 0) | (k == degree), kind(0.5), kind(1))
    coefficients = (2 * halved[:, None] / degree) * values.T * halved[None, :]
    extended = np.cos(np.outer(angles, np.arange(degree + 2).astype(kind)))
    integrals: Any = np.zeros((degree + 1, degree + 1), kind)
    integrals[:, 0] = extended[:, 1]
    integrals[:, 1] = extended[:, 2] / 4
    for n in range(2, degree + 1):
        integrals[:, n] = extended[:, n + 1] / (2 * (n + 1)) - extended[:, n - 1] / (2 * (n - 1))
    integrals -= integrals[0]
    return np.cos(angles), coefficients, integrals @ coefficients


@dataclass(frozen=True)
class Motion:
    """A motion that is known at every time up to `stop`: Chebyshev coefficients, piece by piece."""

    edges: Any  # (pieces + 1,)
    pieces: Any  # (pieces, degree + 1, 2 * freedoms): u, then u̇

    @property
    def stop(self) -> float:
        return float(self.edges[-1])

    def __call__(self, times: Any) -> tuple[Any, Any]:
        """u and u̇, each (times, freedoms), in double precision."""
        times = np.atleast_1d(np.asarray(times, float))
        if times.size and (times.min() < 0 or times.max() > self.stop):
            raise ValueError(f"the reference is known from 0 to {self.stop:g} s only")
        owner = np.clip(np.searchsorted(self.edges, times, side="right") - 1, 0, len(self.pieces) - 1)
        left, right = self.edges[owner], self.edges[owner + 1]
        place = np.clip((2 * times - left - right) / (right - left), -1, 1)
        waves = np.cos(np.arccos(place)[:, None] * np.arange(self.pieces.shape[1]))
        state: Any = np.empty((len(times), self.pieces.shape[2]))
        for piece in np.unique(owner):
            mine = owner == piece
            state[mine] = waves[mine] @ self.pieces[piece]
        place_now, speed_now = np.split(state, 2, axis=-1)
        return place_now, speed_now


def integrate(
    acceleration: Acceleration, u: Any, speed: Any, stop: float, piece: float = 0.1, kind: type = float
) -> Motion:
    """The motion from u, u̇ at time 0 to `stop`; `piece` is the first guess of a piece's length."""
    state: Any = np.concatenate([np.atleast_1d(u), np.atleast_1d(speed)]).astype(kind)
    time, end, length = kind(0), kind(stop), kind(piece)
    edges, pieces = [time], []
    while time < end:
        length = min(length, end - time)
        solved = _solve_piece(acceleration, state, length, kind)
        if solved is None:
            length = length / 2
            if length < 1e-9:
                raise RuntimeError(f"no piece is short enough at t = {float(time)}")
            continue
        values, coefficients, easy = solved
        time = end if time + length >= end else time + length
        edges.append(time)
        pieces.append(coefficients)
        state = values[-1]
        length = length * kind(1.4 if easy else 1.0)
    return Motion(np.array(edges), np.array(pieces))


def _solve_piece(acceleration: Acceleration, state: Any, length: Any, kind: type) -> tuple[Any, Any, bool] | None:
    """Values at the points and Chebyshev coefficients of one piece; None if it is too long."""
    points, to_coefficients, integration = chebyshev(DEGREE, kind)
    half = length / 2
    freedoms = len(state) // 2
    elapsed = half * (points + 1)[:, None]
    speed = np.broadcast_to(state[freedoms:], (DEGREE + 1, freedoms))
    values = np.concatenate([state[:freedoms] + elapsed * speed, speed], axis=-1)
    change, before, iteration = np.inf, np.inf, 0
    epsilon = np.finfo(kind).eps
    while iteration < ITERATIONS:
        iteration += 1
        with np.errstate(all="ignore"):
            slope = acceleration(values[:, :freedoms], values[:, freedoms:])
        if not np.all(np.isfinite(slope)):
            return None
        new_speed = state[freedoms:] + half * (integration @ slope)
        new_place = state[:freedoms] + half * (integration @ new_speed)
        updated = np.concatenate([new_place, new_speed], axis=-1)
        size = np.maximum(1, np.max(np.abs(updated), axis=0))
        change = float(np.max(np.abs(updated - values) / size))
        values = updated
        # A change at the level of rounding that no longer falls is all that can be had.
        if change < 4 * epsilon or (change < 100 * epsilon and change >= before):
            break
        before = change
    else:
        return None
    coefficients = to_coefficients @ values
    tail = float(np.max(np.abs(coefficients[-TAIL:]) / size))
    if tail > 20 * epsilon:
        return None
    return values, coefficients, iteration < ITERATIONS // 3
