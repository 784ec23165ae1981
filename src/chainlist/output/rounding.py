"""What rests is drawn at rest: spans below the rounding of the numbers of a run are none."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.run.quantities import Motion

Floats = NDArray[np.float64]

ROUNDING = 1e-14  # what the last digits of a double amount to, relative to the size of a machine
SHOWN = 0.1  # of that size: shown on both sides of what rests


def size_of(motion: Motion) -> float:
    """Metres: where it starts and its lengths; without any, how far it would fall in its time, or how far it goes."""
    mechanism = motion.mechanism
    lengths = [link.parameters[1] for link in mechanism.links] + [body.radius for body in mechanism.bodies]
    size = max([float(np.abs(motion.q[0]).max(initial=0.0)), *lengths])
    fall = 0.5 * math.hypot(*mechanism.gravity) * _lasting(motion) ** 2
    known = np.abs(motion.q[np.isfinite(motion.q)])
    return size or fall or float(known.max(initial=0.0)) or 1.0


def scales_of(motion: Motion) -> dict[str, float]:
    """How large quantities of each unit are in this machine."""
    size, gravity = size_of(motion), max(math.hypot(*motion.mechanism.gravity), 1e-3)
    weight = sum(body.mass for body in motion.mechanism.bodies) * gravity
    speed = math.sqrt(gravity * size)
    turning = {"rad": 1.0, "rad/s": speed / size}
    return {"J": weight * size, "N": weight, "m": size, "m²": size**2, "m/s": speed, "m/s²": gravity, **turning}


def keep_rest_flat(axes: Any, way: str, scale: float, shown: float = SHOWN) -> None:
    """The axis `way`, x or y, does not show a span that is rounding in quantities as large as `scale`, but `shown` of it."""
    low, high = getattr(axes, f"get_{way}lim")()
    if high - low < ROUNDING * scale:
        middle = 0.5 * (low + high)
        # Not fixed by that: axes of equal scale may show more.
        getattr(axes, f"set_{way}lim")(middle - shown * scale, middle + shown * scale, auto=None)


def point_of_rest(x: Floats, y: Floats, scales: tuple[float, float]) -> tuple[Floats, Floats] | None:
    """The one point of a line that stays within rounding of it, in quantities as large as `scales`; None of any other line."""
    known = np.isfinite(x) & np.isfinite(y)
    if not known.any():
        return None
    for values, scale in zip((x[known], y[known]), scales, strict=True):
        if float(np.ptp(values)) > ROUNDING * max(scale, float(np.abs(values).max())):
            return None
    first = int(np.argmax(known))
    return x[first : first + 1], y[first : first + 1]


def frame_paths(axes: Any, size: float) -> None:
    """Axes around paths: a way in which nothing moves shows a part of what the other shows, or of the machine."""
    spans = {way: getattr(axes.dataLim, f"interval{way}") for way in "xy"}
    longest = max(float(np.ptp(span)) for span in spans.values())
    if not math.isfinite(longest):
        return
    half = SHOWN * (longest if longest > ROUNDING * size else size)
    for way, span in spans.items():
        if float(np.ptp(span)) < ROUNDING * size:
            middle = float(np.mean(span))
            getattr(axes, f"set_{way}lim")(middle - half, middle + half, auto=None)


def _lasting(motion: Motion) -> float:
    return float(motion.t[-1] - motion.t[0]) if len(motion.t) else 0.0
