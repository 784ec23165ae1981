"""Check of exercise 5: Heun's step, by its order and by what tells it from other methods of order two."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

from chainlist.labs.exercises.finding import Mark, as_array, function, untouched


def check(solution: ModuleType) -> Iterator[Mark]:
    heun = function(solution, "heun_step", "heun_step(f, t, y, h)")
    first = as_array(heun(lambda t, y: -y, 0.0, np.array([1.0, 2.0]), 0.1), (2,))
    yield Mark(first is not None, "y may be an array, and the result has its shape")
    if first is None:
        return
    yield _order(heun)
    yield _trapezoid(heun)
    yield _time(heun)
    _, same = untouched(heun, lambda t, y: -y, 0.0, np.array([1.0, 2.0]), 0.1)
    yield Mark(
        same,
        "the state that is handed over is left as it was"
        if same
        else "your function changes y itself: write y + …, not y += …",
    )
    calls = 0

    def counting(t: float, y: Any) -> Any:
        nonlocal calls
        calls += 1
        return -y

    heun(counting, 0.0, np.array([1.0]), 0.1)
    yield Mark(calls == 2, f"one step calls f {calls} times" + ("" if calls == 2 else "; Heun needs two calls"))


def _order(heun: Callable[..., Any]) -> Mark:
    """Measured on the pendulum: the error at a fixed time with h and h/2."""

    def pendulum(t: float, y: Any) -> Any:
        return np.array([y[1], -np.sin(y[0])])

    def end(steps: int) -> Any:
        y = np.array([1.0, 0.0])
        for n in range(steps):
            y = np.asarray(heun(pendulum, n * 2.0 / steps, y, 2.0 / steps), dtype=float)
        return y

    reference = end(2048)
    coarse, fine = (float(np.linalg.norm(end(n) - reference)) for n in (32, 64))
    order = float(np.log2(coarse / fine)) if fine > 0 else float("inf")
    ok = abs(order - 2.0) < 0.2
    hint = ": that is Euler's method" if abs(order - 1.0) < 0.2 else ""
    return Mark(
        ok,
        f"halving the step divides the error by {2**order:.2f}, so the order is {order:.2f}"
        + ("" if ok else f" and not 2{hint}"),
    )


def _trapezoid(heun: Callable[..., Any]) -> Mark:
    """On y' = y one step gives 1 + h + h²/2 for every method of order two; on y' = y² they differ."""
    h = 0.5
    result = float(np.asarray(heun(lambda t, y: y * y, 0.0, np.array([1.0]), h)).ravel()[0])
    trapezoid, midpoint = 1 + h / 2 * (1 + (1 + h) ** 2), 1 + h * (1 + h / 2) ** 2
    if np.isclose(result, trapezoid, rtol=1e-12):
        return Mark(True, "one step of y' = y² from 1 is that of the trapezoidal rule")
    name = (
        "the midpoint rule: also of second order, but not Heun"
        if np.isclose(result, midpoint)
        else "neither Heun nor midpoint"
    )
    return Mark(False, f"one step of y' = y² from 1 with h = 0.5 gives {result:.6g} instead of {trapezoid:.6g}: {name}")


def _time(heun: Callable[..., Any]) -> Mark:
    """The second slope must be taken at t + h; the midpoint rule, which is as good on y' = t, takes it at t + h/2."""
    times = []

    def clock(t: float, y: Any) -> Any:
        times.append(float(t))
        return 0 * y + t

    heun(clock, 1.0, np.array([0.0]), 0.5)
    ok = bool(np.allclose(sorted(times), [1.0, 1.5])) if len(times) == 2 else False
    if ok:
        return Mark(True, "the slopes are taken at the times t and t + h")
    called = ", ".join(f"{time:g}" for time in times)
    hint = ": that is the midpoint rule" if any(np.isclose(time, 1.25) for time in times) else ""
    return Mark(False, f"at which times do you call f? From t = 1 with h = 0.5 at {called} instead of 1, 1.5{hint}")
