"""SymPy: Kane's equations of the chain derived by symbols, turned into a NumPy function, and marched with RK4."""

from __future__ import annotations

import numpy as np

from benchmarks.mechanisms import Mechanism
from benchmarks.peers.base import March, Peer


def build(mechanism: Mechanism) -> March:
    spans = np.diff(np.array(mechanism.points), axis=0)
    lengths, start = np.hypot(*spans.T), np.arctan2(spans[:, 1], spans[:, 0])
    matrix, forcing = _equations([float(length) for length in lengths], mechanism.gravity)
    n = len(lengths)

    def derivative(state: np.ndarray) -> np.ndarray:
        rates = np.linalg.solve(matrix(*state), forcing(*state)[:, 0])
        return np.concatenate([state[n:], rates])

    def march(steps: int, h: float) -> np.ndarray:
        y = np.concatenate([start, np.zeros(n)])
        for _ in range(steps):
            k1 = derivative(y)
            k2 = derivative(y + h / 2 * k1)
            k3 = derivative(y + h / 2 * k2)
            k4 = derivative(y + h * k3)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return np.cumsum(lengths[:, None] * np.stack([np.cos(y[:n]), np.sin(y[:n])], axis=1), axis=0)

    return march


def _equations(lengths: list[float], gravity: float):
    import sympy
    from sympy.physics import mechanics

    n = len(lengths)
    q = mechanics.dynamicsymbols(f"q:{n}")
    u = mechanics.dynamicsymbols(f"u:{n}")
    frame = mechanics.ReferenceFrame("N")
    origin = mechanics.Point("O")
    origin.set_vel(frame, 0)
    place, speed = 0 * frame.x, 0 * frame.x
    particles, loads = [], []
    for k in range(n):
        place = place + lengths[k] * (sympy.cos(q[k]) * frame.x + sympy.sin(q[k]) * frame.y)
        speed = speed + lengths[k] * u[k] * (-sympy.sin(q[k]) * frame.x + sympy.cos(q[k]) * frame.y)
        point = origin.locatenew(f"P{k}", place)
        point.set_vel(frame, speed)
        particles.append(mechanics.Particle(f"M{k}", point, 1))
        loads.append((point, -gravity * frame.y))
    method = mechanics.KanesMethod(frame, q_ind=q, u_ind=u, kd_eqs=[a.diff() - b for a, b in zip(q, u, strict=True)])
    method.kanes_equations(particles, loads)
    symbols = [*q, *u]
    return (
        sympy.lambdify(symbols, method.mass_matrix, "numpy", cse=True),
        sympy.lambdify(symbols, method.forcing, "numpy", cse=True),
    )


PEERS = [Peer("SymPy", "Kane's equations, lambdified, RK4 in NumPy", "sympy", build, takes_links=False)]
