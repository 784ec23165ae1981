"""Check of exercise 8: the exact period of a pendulum, and the period of a run."""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import ModuleType

import numpy as np

from chainlist.labs.bench import motion
from chainlist.labs.exercises.finding import Mark, function

AMPLITUDES = (5.0, 90.0, 170.0)  # degrees


def check(solution: ModuleType) -> Iterator[Mark]:
    period = function(solution, "period", "period(amplitude, length, gravity)")
    for degrees in AMPLITUDES:
        for length, gravity in ((1.0, 9.81), (0.4, 1.62)):
            yield _period(float(period(math.radians(degrees), length, gravity)), degrees, length, gravity)
    measured = function(solution, "measured_period", "measured_period(t, x)")
    for degrees in AMPLITUDES:
        yield _measured(measured, degrees)


def exact(degrees: float, length: float, gravity: float) -> float:
    from scipy.special import ellipk

    return float(4 * math.sqrt(length / gravity) * ellipk(math.sin(math.radians(degrees) / 2) ** 2))


def _period(said: float, degrees: float, length: float, gravity: float) -> Mark:
    true = exact(degrees, length, gravity)
    where = f"{degrees:g}°, l = {length:g} m, g = {gravity:g} m/s²"
    if math.isclose(said, true, rel_tol=1e-9):
        return Mark(True, f"{where}: the period is {true:.6g} s")
    small = 2 * math.pi * math.sqrt(length / gravity)
    hint = ""
    if math.isclose(said, small, rel_tol=1e-9):
        hint = ": that is 2π√(l/g), which is right for small swings only"
    elif math.isclose(said, true / 2, rel_tol=1e-6) or math.isclose(said, true * 2, rel_tol=1e-6):
        hint = ": a factor of two is missing or too many"
    elif math.isclose(said, true, rel_tol=1e-3):
        hint = ": not exact; a series needs more terms, the arithmetic-geometric mean only a few steps"
    return Mark(False, f"{where}: {said:.6g} s instead of {true:.6g} s{hint}")


def _measured(measured, degrees: float) -> Mark:  # type: ignore[no-untyped-def]
    angle = math.radians(degrees)
    text = (
        f"* Pendulum\nB1 ({math.sin(angle)!r},{-math.cos(angle)!r}) 1\nC1 B1 (0,0)\n"
        ".tran 0 12 0.01\n.options gravity=9.81 INTEGRATOR=RK4\n"
    )
    run = motion(text)
    true = exact(degrees, 1.0, 9.81)
    said = float(measured(run.t.copy(), np.ascontiguousarray(run.q[:, 0, 0])))
    off = abs(said / true - 1)
    if off < 1e-4:
        return Mark(True, f"a run from {degrees:g}°: you measure {said:.6g} s, the exact period is {true:.6g} s")
    hint = ": x passes zero twice in a period" if math.isclose(2 * said, true, rel_tol=1e-2) else ""
    if not hint and off < 1e-2:
        hint = ": find the passage between two samples by interpolation, and average over several periods"
    return Mark(False, f"a run from {degrees:g}°: you measure {said:.6g} s, the exact period is {true:.6g} s{hint}")
