"""Random values of parameters: `gauss(mean,sd)`, `uniform(a,b)`, `tol(nominal,percent)` in `.param`.

Every draw follows from a counter alone: the seed, the number of the member, the name of the parameter, and which call in its
expression it is. So a member is the same on every machine, in every order, for every number of workers; and a parameter that is added
changes no other.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

from chainlist.model.desk import Problem
from chainlist.syntax.tree import Call

_HALF = 2.0**-54  # draws lie in the middle of 2⁵³ equal parts of 0 … 1: never 0, never 1


@dataclass(frozen=True)
class Distribution:
    usage: str
    middle: Callable[[float, float], float]  # its value where nothing is drawn
    at: Callable[[float, float, float], float]  # the value below which a part u of all draws lie
    wrong: Callable[[float, float], str]  # what is wrong with its arguments, "" if nothing is


_NORMAL = NormalDist()

DISTRIBUTIONS = {
    "gauss": Distribution(
        "gauss(mean,sd)",
        lambda mean, sd: mean,
        lambda u, mean, sd: mean + sd * _NORMAL.inv_cdf(u),
        lambda mean, sd: "a standard deviation is not negative" if sd < 0.0 else "",
    ),
    "uniform": Distribution(
        "uniform(low,high)",
        lambda low, high: 0.5 * (low + high),
        lambda u, low, high: low + (high - low) * u,
        lambda low, high: "the first bound lies above the second" if low > high else "",
    ),
    "tol": Distribution(
        "tol(nominal,percent)",
        lambda nominal, percent: nominal,
        lambda u, nominal, percent: nominal * (1.0 + 0.01 * percent * (2.0 * u - 1.0)),
        lambda nominal, percent: "a tolerance is not negative" if percent < 0.0 else "",
    ),
}


@dataclass(frozen=True)
class Draw:
    """Which member of which sample."""

    seed: int
    member: int

    def uniform(self, name: str, call: int) -> float:
        """A number between 0 and 1 that belongs to this member, parameter and call."""
        from numpy.random import Philox

        words = Philox(key=[self.seed, _key(name)], counter=[call, 0, 0, self.member]).random_raw()
        return (int(words) >> 11) * 2.0**-53 + _HALF


@lru_cache(maxsize=1024)
def _key(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.lower().encode("utf-8"), digest_size=8).digest(), "little")


def drawn(call: Call, values: Sequence[float], name: str, number: int, draw: Draw | None) -> float:
    """The value of a call of a distribution, the `number`-th in the expression of parameter `name`."""
    known = DISTRIBUTIONS[call.function.key]
    if len(values) != 2:
        message = f"{call.function.text} takes 2 arguments, not {len(values)}"
        raise Problem("E208", message, call.span, label=f"{len(values)} given", help=f"write {known.usage}")
    first, second = values
    wrong = known.wrong(first, second)
    if wrong:
        raise Problem(
            "E504", f"{call.span.text}: {wrong}", call.span, label="no distribution", help=f"write {known.usage}"
        )
    value = known.middle(first, second) if draw is None else known.at(draw.uniform(name, number), first, second)
    if not math.isfinite(value):
        raise Problem("E205", f"{call.span.text} is too large for a number", call.span, label="not finite", help="")
    return value


def astray(call: Call) -> Problem:
    """A distribution outside `.param`."""
    help = f"give it a name: .param x={call.span.text}, and write x here"
    message = "random numbers are drawn for parameters: each has a name"
    return Problem("E504", message, call.span, label="outside .param", help=help)
