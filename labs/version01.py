"""The paper's "version 0.1": constrained motion in sixty lines, on top of `mechanism.equations` and `chainlist.pinv`.

    python labs/version01.py pendulum.chain

It solves system (4), the Udwadia–Kalaba equations, with Euler, midpoint, Heun or the classical Runge–Kutta method, and
prints the positions. Its faults are part of the lesson: constraints drift, energy drifts, and some mechanisms break it.
"""

import sys

import numpy as np

import chainlist


def acceleration(mechanism, q, v, tolerance):
    """(4): a = M⁻¹F + M^(−1/2) (A M^(−1/2))⁺ (b − A M⁻¹F); note the root of M, twice."""
    A, b, _, M, F = mechanism.equations(q, v)
    root = 1 / np.sqrt(np.diag(M))
    free = F / np.diag(M)
    forced = root * (chainlist.pinv(A * root, "GREVILLE", tolerance) @ (b - A @ free))
    return (free + forced).reshape(q.shape)


def step(slope, q, v, h, integrator):
    """One step of size h; `slope(q, v)` is the pair (dq/dt, dv/dt)."""
    dq, dv = slope(q, v)
    if integrator == "EULER":
        return q + h * dq, v + h * dv
    if integrator == "MIDPOINT":
        dq, dv = slope(q + h / 2 * dq, v + h / 2 * dv)
        return q + h * dq, v + h * dv
    if integrator == "HEUN":
        eq, ev = slope(q + h * dq, v + h * dv)
        return q + h / 2 * (dq + eq), v + h / 2 * (dv + ev)
    bq, bv = slope(q + h / 2 * dq, v + h / 2 * dv)
    cq, cv = slope(q + h / 2 * bq, v + h / 2 * bv)
    eq, ev = slope(q + h * cq, v + h * cv)
    return q + h / 6 * (dq + 2 * bq + 2 * cq + eq), v + h / 6 * (dv + 2 * bv + 2 * cv + ev)


def simulate(mechanism):
    """Times (samples,) and positions (samples, bodies, 2). Steps are counted in integers: t += h would lose or add one."""
    times, options = mechanism.transient, mechanism.options
    q = np.array([body.start for body in mechanism.bodies])
    v = np.array([body.velocity for body in mechanism.bodies])
    positions = [q]
    for _ in range(round(times.stop / times.step)):
        q, v = step(
            lambda q, v: (v, acceleration(mechanism, q, v, options.mpitol)), q, v, times.step, options.integrator
        )
        positions.append(q)
    return times.step * np.arange(len(positions)), np.array(positions)


if __name__ == "__main__":
    mechanism = chainlist.load(sys.argv[1])
    for t, q in zip(*simulate(mechanism), strict=True):
        sys.stdout.write(f"{t:g} " + " ".join(f"{x:.6g}" for x in q.ravel()) + "\n")
