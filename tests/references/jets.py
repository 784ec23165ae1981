"""Numbers that carry their first two derivatives: f(t) = a + b t + c t² + …, cut after t².

A reference writes down where the bodies are as a function of a few coordinates, once. Fed with jets, the same formula
also gives velocities and accelerations, exactly as the chain rule does, and nobody differentiates by hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class Jet:
    """a + b t + c t²; a, b, c are arrays (or numbers) of one shape."""

    __array_ufunc__ = None  # so that array * Jet comes here

    def __init__(self, a: Any, b: Any = 0.0, c: Any = 0.0):
        self.a, self.b, self.c = a, b, c

    def __add__(self, other: Any) -> Jet:
        o = as_jet(other)
        return Jet(self.a + o.a, self.b + o.b, self.c + o.c)

    def __neg__(self) -> Jet:
        return Jet(-self.a, -self.b, -self.c)

    def __sub__(self, other: Any) -> Jet:
        return self + -as_jet(other)

    def __rsub__(self, other: Any) -> Jet:
        return as_jet(other) - self

    def __mul__(self, other: Any) -> Jet:
        o = as_jet(other)
        return Jet(self.a * o.a, self.a * o.b + self.b * o.a, self.a * o.c + self.b * o.b + self.c * o.a)

    def __truediv__(self, other: Any) -> Jet:
        o = as_jet(other)
        a = self.a / o.a
        b = (self.b - a * o.b) / o.a
        return Jet(a, b, (self.c - a * o.c - b * o.b) / o.a)

    def __rtruediv__(self, other: Any) -> Jet:
        return as_jet(other) / self

    __radd__ = __add__
    __rmul__ = __mul__


def as_jet(value: Any) -> Jet:
    return value if isinstance(value, Jet) else Jet(value)


def _chain_rule(x: Jet, value: Any, first: Any, second: Any) -> Jet:
    """f(x) from f, f' and f'' at x.a."""
    return Jet(value, first * x.b, first * x.c + 0.5 * second * x.b * x.b)


def sin(x: Any) -> Any:
    if not isinstance(x, Jet):
        return np.sin(x)
    s, c = np.sin(x.a), np.cos(x.a)
    return _chain_rule(x, s, c, -s)


def cos(x: Any) -> Any:
    if not isinstance(x, Jet):
        return np.cos(x)
    s, c = np.sin(x.a), np.cos(x.a)
    return _chain_rule(x, c, -s, -c)


def sqrt(x: Any) -> Any:
    if not isinstance(x, Jet):
        return np.sqrt(x)
    root = np.sqrt(x.a)
    return _chain_rule(x, root, 0.5 / root, -0.25 / (root * x.a))


def exp(x: Any) -> Any:
    if not isinstance(x, Jet):
        return np.exp(x)
    value = np.exp(x.a)
    return _chain_rule(x, value, value, value)


def sinh(x: Any) -> Any:
    if not isinstance(x, Jet):
        return np.sinh(x)
    s, c = np.sinh(x.a), np.cosh(x.a)
    return _chain_rule(x, s, c, s)


def cosh(x: Any) -> Any:
    if not isinstance(x, Jet):
        return np.cosh(x)
    s, c = np.sinh(x.a), np.cosh(x.a)
    return _chain_rule(x, c, s, c)


def atan2(y: Any, x: Any) -> Any:
    """The angle of (x, y), and its rates from r² θ' = x y' − y x'."""
    if not isinstance(x, Jet) and not isinstance(y, Jet):
        return np.arctan2(y, x)
    x, y = as_jet(x), as_jet(y)
    square = x.a * x.a + y.a * y.a
    rate = (x.a * y.b - y.a * x.b) / square
    slope = 2 * (x.a * y.c - y.a * x.c) - 2 * rate * (x.a * x.b + y.a * y.b)
    return Jet(np.arctan2(y.a, x.a), rate, 0.5 * slope / square)
