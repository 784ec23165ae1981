"""`math` for kernels that are interpreted: inf and nan where Python raises, as machine code has it."""

from __future__ import annotations

import functools
import math
import types
from collections.abc import Callable


def _lenient(function: Callable[..., float]) -> Callable[..., float]:
    @functools.wraps(function)
    def tried(*values: float) -> float:
        try:
            return function(*values)
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    return tried


def _pow(x: float, y: float) -> float:
    try:
        return math.pow(x, y)
    except OverflowError:
        return -math.inf if x < 0.0 and y % 2.0 == 1.0 else math.inf
    except ValueError:
        return math.inf if x == 0.0 else math.nan


_RAISING = ("sqrt", "sin", "cos", "tan", "asin", "acos", "exp", "log", "cosh")

lenient = types.SimpleNamespace(**vars(math))
for _name in _RAISING:
    setattr(lenient, _name, _lenient(getattr(math, _name)))
lenient.pow = _pow
lenient.sinh = lambda x: math.sinh(x) if abs(x) < 710.0 else math.copysign(math.inf, x)
