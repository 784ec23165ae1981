"""The functions of expressions: one table that serves reading, computing with numbers and with arrays, and the manual.

Conditions are numbers: 1 where they hold, else 0; whatever is not 0 counts as true.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# How a function may fail to be smooth: its value jumps, or only its slope.
Smoothness = Literal["smooth", "corner", "jump"]
# The unit of its value: none, that of its operands (of `if`: of its branches), the root of that, radians.
Unit = Literal["number", "same", "root", "angle"]


@dataclass(frozen=True)
class Function:
    """One function. `compute` takes numbers, `over` arrays of one shape (or numbers beside them)."""

    name: str
    arguments: str  # how a call is written: "y,x"
    least: int
    most: int | None  # None: any number
    compute: Callable[..., float]
    over: Callable[..., Any]
    meaning: str
    smoothness: Smoothness = "smooth"
    unit: Unit = "number"
    needs: str = ""  # what its argument must be, for messages
    # Says what is wrong with the arguments behind the first, which then must be constants; "" for nothing.
    check: Callable[[Sequence[float]], str] | None = None

    @property
    def usage(self) -> str:
        return f"{self.name}({self.arguments})"


def _step(x: float) -> float:
    return 1.0 if x >= 0.0 else 0.0


def _sign(x: float) -> float:
    return float((x > 0.0) - (x < 0.0))


def _mod(x: Any, y: Any) -> Any:
    return x - y * np.floor(x / y)


def _scalar_mod(x: float, y: float) -> float:
    return x - y * math.floor(x / y)


def _smooth(x: Any, x0: Any, x1: Any) -> Any:
    """0 up to x0, 1 from x1 on, between them 6s⁵ − 15s⁴ + 10s³: slope and curvature are 0 at both ends."""
    s = np.clip((x - x0) / (x1 - x0), 0.0, 1.0)
    return s * s * s * (s * (6.0 * s - 15.0) + 10.0)


def _scalar_smooth(x: float, x0: float, x1: float) -> float:
    s = min(max((x - x0) / (x1 - x0), 0.0), 1.0)
    return s * s * s * (s * (6.0 * s - 15.0) + 10.0)


def _choice(condition: Any, yes: Any, no: Any) -> Any:
    return np.where(np.not_equal(condition, 0.0), yes, no)


# Functions of points


def _check_points(points: Sequence[float]) -> str:
    """x1,y1,x2,y2,… : in pairs, and x growing."""
    if len(points) % 2:
        return f"its points are pairs of numbers, and {len(points)} numbers are no pairs"
    for before, x in zip(points[::2], points[2::2], strict=False):
        if not x > before:
            return f"its points must grow in x, and {x:g} follows {before:g}"
    return ""


def _numbers(points: Sequence[Any]) -> tuple[float, ...]:
    return tuple(float(point) for point in points)


def _table(x: Any, *points: Any) -> Any:
    """Straight lines between the points, constant outside."""
    numbers = _numbers(points)
    return np.interp(x, numbers[::2], numbers[1::2])


def _spline(x: Any, *points: Any) -> Any:
    """The natural cubic spline: its curvature is 0 at the first and the last point, outside of which it is constant."""
    xs, ys, bends = bends_of(_numbers(points))
    inside = np.clip(x, xs[0], xs[-1])
    k = np.clip(np.searchsorted(xs, inside, side="right") - 1, 0, len(xs) - 2)
    width = xs[k + 1] - xs[k]
    a, b = (xs[k + 1] - inside) / width, (inside - xs[k]) / width
    return a * ys[k] + b * ys[k + 1] + ((a**3 - a) * bends[k] + (b**3 - b) * bends[k + 1]) * width**2 / 6.0


@cache
def bends_of(points: tuple[float, ...]) -> tuple[Floats, Floats, Floats]:
    """Places, values and second derivatives of a natural cubic spline at its points."""
    xs, ys = np.array(points[::2]), np.array(points[1::2])
    n = len(xs)
    bends = np.zeros(n)
    widths, slopes = np.diff(xs), np.diff(ys) / np.diff(xs)
    below, right = np.zeros(n), np.zeros(n)  # one sweep of elimination, one back
    for i in range(1, n - 1):
        pivot = 2.0 * (widths[i - 1] + widths[i]) - widths[i - 1] * below[i - 1]
        below[i] = widths[i] / pivot
        right[i] = (6.0 * (slopes[i] - slopes[i - 1]) - widths[i - 1] * right[i - 1]) / pivot
    for i in range(n - 2, 0, -1):
        bends[i] = right[i] - below[i] * bends[i + 1]
    return xs, ys, bends


def _check_pulse(numbers: Sequence[float]) -> str:
    _, _, _, rise, fall, width, period = numbers
    for name, value in (("rise", rise), ("fall", fall), ("width", width)):
        if value < 0:
            return f"{name} cannot be negative, and it is {value:g}"
    if period <= 0:
        return f"the period must be positive, not {period:g}"
    if (rise + width + fall) * (1.0 - 1e-12) > period:
        return f"rise, width and fall take {rise + width + fall:g} together, longer than the period of {period:g}"
    return ""


def _pulse(x: Any, low: Any, high: Any, delay: Any, rise: Any, fall: Any, width: Any, period: Any) -> Any:
    """SPICE's: low until `delay`, then in each period up, high for `width`, down, low. Rise or fall 0: a jump."""
    s = _mod(x - delay, period)
    up = low + (high - low) * (s / rise if rise > 0 else 1.0)
    down = high + (low - high) * ((s - rise - width) / fall if fall > 0 else 1.0)
    inside = np.where(s < rise, up, np.where(s < rise + width, high, np.where(s < rise + width + fall, down, low)))
    return np.where(x < delay, low, inside)


def _by_arrays(over: Callable[..., Any]) -> Callable[..., float]:
    """The meaning for numbers of what is written for arrays."""
    return lambda *values: float(over(*values))


def _least(*values: Any) -> Any:
    return reduce(np.minimum, values)


def _largest(*values: Any) -> Any:
    return reduce(np.maximum, values)


_POINTS = "x,x1,y1,x2,y2,…"
_ALL = (
    Function("sin", "x", 1, 1, math.sin, np.sin, "sine, of radians"),
    Function("cos", "x", 1, 1, math.cos, np.cos, "cosine, of radians"),
    Function("tan", "x", 1, 1, math.tan, np.tan, "tangent, of radians"),
    Function("asin", "x", 1, 1, math.asin, np.arcsin, "arc sine", unit="angle", needs="a value from -1 to 1"),
    Function("acos", "x", 1, 1, math.acos, np.arccos, "arc cosine", unit="angle", needs="a value from -1 to 1"),
    Function("atan", "x", 1, 1, math.atan, np.arctan, "arc tangent", unit="angle"),
    Function("atan2", "y,x", 2, 2, math.atan2, np.arctan2, "angle of the point (x,y)", unit="angle"),
    Function("sqrt", "x", 1, 1, math.sqrt, np.sqrt, "root", unit="root", needs="a value that is not negative"),
    Function("exp", "x", 1, 1, math.exp, np.exp, "exponential", needs="a value of at most 709"),
    Function("log", "x", 1, 1, math.log, np.log, "natural logarithm", needs="a positive value"),
    Function("sinh", "x", 1, 1, math.sinh, np.sinh, "hyperbolic sine"),
    Function("cosh", "x", 1, 1, math.cosh, np.cosh, "hyperbolic cosine"),
    Function("tanh", "x", 1, 1, math.tanh, np.tanh, "hyperbolic tangent"),
    Function("hypot", "x,y", 2, 2, math.hypot, np.hypot, "root of x² + y²", unit="same"),
    Function("abs", "x", 1, 1, abs, np.abs, "absolute value", "corner", "same"),
    Function("min", "x,y,…", 1, None, lambda *v: min(v), _least, "smallest of its values", "corner", "same"),
    Function("max", "x,y,…", 1, None, lambda *v: max(v), _largest, "largest of its values", "corner", "same"),
    Function("ramp", "x", 1, 1, lambda x: max(x, 0.0), lambda x: np.maximum(x, 0.0), "0 below 0, then x", "corner", "same"),
    Function("sign", "x", 1, 1, _sign, np.sign, "-1, 0 or 1", "jump"),
    Function("step", "x", 1, 1, _step, lambda x: np.greater_equal(x, 0.0), "0 below 0, then 1", "jump"),
    Function("floor", "x", 1, 1, math.floor, np.floor, "largest whole number that is not above x", "jump", "same"),
    Function("mod", "x,y", 2, 2, _scalar_mod, _mod, "x − y·floor(x/y)", "jump", "same", "y other than 0"),
    Function("if", "c,a,b", 3, 3, lambda c, a, b: a if c else b, _choice, "a where c holds, else b", "jump", "same"),
    Function(
        "smooth", "x,x0,x1", 3, 3, _scalar_smooth, _smooth, "from 0 at x0 to 1 at x1, twice differentiable: 10s³−15s⁴+6s⁵ in between",
        needs="x1 other than x0",
    ),
    Function(
        "pulse", "time,low,high,delay,rise,fall,width,period", 8, 8, _by_arrays(_pulse), _pulse, "SPICE's pulse train",
        "corner", check=_check_pulse,
    ),
    Function(
        "pwl", "time,t1,v1,t2,v2,…", 5, None, _by_arrays(_table), _table, "straight lines through points, constant outside",
        "corner", check=_check_points,
    ),
    Function(
        "table", _POINTS, 5, None, _by_arrays(_table), _table, "the same as pwl, usual for other things than time",
        "corner", check=_check_points,
    ),
    Function(
        "spline", _POINTS, 5, None, _by_arrays(_spline), _spline, "natural cubic spline through points, constant outside",
        "corner", check=_check_points,
    ),
)  # fmt: skip

FUNCTIONS: dict[str, Function] = {function.name: function for function in _ALL}

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
LOGIC = ("and", "or", "not")

# What the operators of a formula do with arrays.
_OPERATORS: dict[str, Callable[..., Any]] = {
    "neg": np.negative,
    "+": lambda *values: reduce(np.add, values),
    "-": lambda *values: reduce(np.subtract, values),
    "*": lambda *values: reduce(np.multiply, values),
    "/": lambda *values: reduce(np.divide, values),
    "**": np.power,
    **COMPARISONS,
    "and": lambda *values: reduce(np.logical_and, values),
    "or": lambda *values: reduce(np.logical_or, values),
    "not": np.logical_not,
}


def apply(name: str, *values: Any) -> Floats:
    """What an operator or a function of a formula makes of arrays; nan or inf where it is not defined."""
    over = FUNCTIONS[name].over if name in FUNCTIONS else _OPERATORS[name]
    with np.errstate(all="ignore"):
        return np.asarray(over(*(np.asarray(value, dtype=np.float64) for value in values)), dtype=np.float64)
