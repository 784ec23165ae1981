"""Motions with impacts, ropes and friction whose events are known from formulas: each is worked out here, not simulated."""

from __future__ import annotations

import math
from collections.abc import Callable

G = 9.81


def bounces(height: float, e: float, count: int) -> tuple[list[float], float]:
    """Times of the first bounces of a ball that falls from a height, and the time at which all of them are over."""
    fall = math.sqrt(2.0 * height / G)
    times = [fall * (1.0 + 2.0 * sum(e**k for k in range(1, n + 1))) for n in range(count)]
    return times, fall * (1.0 + 2.0 * e / (1.0 - e))


def root(function: Callable[[float], float], low: float, high: float) -> float:
    from scipy.optimize import brentq

    return float(brentq(function, low, high, xtol=1e-15, rtol=1e-15, maxiter=500))


def slack_and_taut(speed: float) -> tuple[float, tuple[float, float], float, tuple[float, float], float]:
    """A ball on a string of 1 m, struck at its lowest point: when and where the string goes slack and comes taut, and the
    speed along the circle behind the jerk."""
    from scipy.integrate import quad

    cosine = (2.0 * G - speed**2) / (3.0 * G)  # the centrifugal force is that of gravity along the string
    angle = math.acos(cosine)
    slack, _ = quad(lambda a: 1.0 / math.sqrt(speed**2 - 2.0 * G * (1.0 - math.cos(a))), 0.0, angle, epsabs=1e-14)
    v = math.sqrt(speed**2 - 2.0 * G * (1.0 - cosine))
    x, y = math.sin(angle), -cosine
    vx, vy = v * cosine, v * math.sin(angle)

    def place(t: float) -> tuple[float, float]:
        return x + vx * t, y + vy * t - 0.5 * G * t * t

    def beyond(t: float) -> float:
        px, py = place(t)
        return px * px + py * py - 1.0

    flight = root(beyond, 1e-2, 2.0)
    px, py = place(flight)
    along = -py * vx + px * (vy - G * flight)
    return slack, (x, y), slack + flight, (px, py), along


def stopping_time(speed: float, slope: float, mu: float) -> float:
    """Of a block that is thrown up a slope."""
    return speed / (G * (math.sin(slope) + mu * math.cos(slope)))


def stick_slip(k: float, mass: float, mu: float, mus: float, belt: float) -> tuple[float, float, float]:
    """A block with a spring on a belt, at rest at first: when it first sticks, when it slips, when it sticks again."""
    omega = math.sqrt(k / mass)
    centre = mu * G * mass / k
    sticks = math.asin(belt / (centre * omega)) / omega  # x = c (1 − cos ωt) reaches the speed of the belt
    x = centre * (1.0 - math.cos(omega * sticks))
    limit = mus * G * mass / k
    slips = sticks + (limit - x) / belt
    # then x = c + A cos(ωs) + (v/ω) sin(ωs) from x = limit on, until the speed is that of the belt again
    amplitude = limit - centre

    def slower(s: float) -> float:
        return -amplitude * omega * math.sin(omega * s) + belt * math.cos(omega * s) - belt

    again = root(slower, math.pi / omega, 2.0 * math.pi / omega - 1e-9)
    return sticks, slips, slips + again


def shaken(height: float, amplitude: float, omega: float, e: float, count: int) -> list[float]:
    """Times at which a ball meets a floor at a·sin(ωt): parabolas against the sine."""
    times, t, y, v = [], 0.0, height, 0.0

    def gap(s: float) -> float:
        return y + v * s - 0.5 * G * s * s - amplitude * math.sin(omega * (t + s))

    for _ in range(count):
        low = 1e-6
        while gap(low + 1e-4) > 0.0:
            low += 1e-4
        s = root(gap, low, low + 1e-4)
        y, v, t = y + v * s - 0.5 * G * s * s, v - G * s, t + s
        floor = amplitude * omega * math.cos(omega * t)
        v = floor - e * (v - floor)
        times.append(t)
    return times
