"""Slider-crank, rhombus and five-bar of the paper, each in one coordinate that stays smooth where the links fold.

The rhombus and the five-bar have two degrees of freedom, but they start at rest and mirror-symmetric, so the exact
motion keeps the symmetry for ever. Writing it with one coordinate also removes the instability that lets a computed
motion lose it: these references stay accurate to the end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tests.references.jets import cos, sin, sqrt
from tests.references.linkage import Linkage

SLIDER_CRANK = Linkage(
    "Slider crank mechanism",
    1.0,
    16.0,
    1e-3,
    ((-0.1, 1.0), (-0.2, 0.0)),
    (1.0, 1.0),
    ((0, (0.0, 0.0)), (0, 1)),
    sliders=((1, (0.0, 1.0, 0.0)),),
)
CRANK = math.hypot(0.1, 1.0)
CRANK_START = math.atan2(1.0, -0.1)


def slider_crank(u: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Crank and rod are equally long, so the slider is at 2 r cos θ: smooth through the folds at θ = ±90°.

    (There the mechanism could also leave its slider at the origin and turn the folded links as one pendulum: that is
    the other branch, which an inaccurate run may take.)
    """
    (angle,) = u
    return [(CRANK * cos(angle), CRANK * sin(angle)), (2.0 * CRANK * cos(angle), 0.0)]


PIVOT = 0.0000001
RHOMBUS = Linkage(
    "Single-pivot rhombus linkage",
    1.0,
    2.5,
    5e-4,
    ((-1.0, 1.0), (1.0, 1.0), (0.0, 2.0)),
    (1.0, 1.0, 1.0),
    ((0, (0.0, PIVOT)), (1, (0.0, PIVOT)), (0, 2), (1, 2)),
)
ARM = math.hypot(1.0, 1.0 - PIVOT)
RHOMBUS_START = math.atan2(1.0 - PIVOT, 1.0)
SHORTFALL = PIVOT * (2.0 - PIVOT)  # upper link² − lower link²: what keeps the rhombus from collapsing completely


def rhombus(u: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Angle of the right arm at the pivot. The top is √(l² − a² cos²θ) above the arms' ends, never quite 0."""
    (angle,) = u
    x, rise = ARM * cos(angle), ARM * sin(angle)
    top = rise + sqrt(rise * rise + SHORTFALL)
    return [(-x, PIVOT + rise), (x, PIVOT + rise), (0.0, PIVOT + top)]


def free_rhombus(u: Sequence[Any]) -> list[tuple[Any, Any]]:
    """The rhombus with both its degrees of freedom: the angles of the right arm and of the left arm.

    The top is where two circles of the upper links' length meet: above the middle of the arms' ends, at right angles.
    """
    right, left = u
    x1, y1 = ARM * cos(left), PIVOT + ARM * sin(left)
    x2, y2 = ARM * cos(right), PIVOT + ARM * sin(right)
    half_x, half_y = 0.5 * (x2 - x1), 0.5 * (y2 - y1)
    half = sqrt(half_x * half_x + half_y * half_y)
    height = ARM * cos(0.5 * (left - right))  # of the triangle that the two arms make; ARM² = height² + half²
    lift = sqrt(height * height + SHORTFALL)
    return [(x1, y1), (x2, y2), (0.5 * (x1 + x2) - lift * half_y / half, 0.5 * (y1 + y2) + lift * half_x / half)]


FIVE_BAR = Linkage(
    "5 links, anchored endpoints",
    1.0,
    8.0,
    1e-3,
    ((-1.0, 1.0), (1.0, 1.0), (0.0, 2.0)),
    (1.0, 1.0, 1.0),
    ((0, (-2.0, 0.0)), (0, 2), (1, 2), (1, (2.0, 0.0))),
)


def five_bar(u: Sequence[Any]) -> list[tuple[Any, Any]]:
    """The top is at (0, 2 cos φ); the elbows follow, with Δ = √(1 − sin²φ/2) as in elliptic functions.

    With s, d half the sum and half the difference of the angles of the two left links, the top stays on the y axis if
    cos s cos d = 1/√2. That closed curve is cos d = Δ, sin d = sin φ/√2, cos s = 1/(√2 Δ), sin s = cos φ/(√2 Δ): smooth
    for every φ, at the start (φ = 0: both arms straight) and at the folds too. φ grows the way the elbows fall, inwards
    is minus.
    """
    (phi,) = u
    s, c = sin(phi), cos(phi)
    delta = sqrt(1.0 - 0.5 * s * s)
    x = 1.0 + s * c / (math.sqrt(2.0) * delta)
    y = c + s / (math.sqrt(2.0) * delta)
    return [(-x, y), (x, y), (0.0, 2.0 * c)]
