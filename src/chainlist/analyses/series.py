"""Series of values of `.step`, counted and computed one by one: a text may ask for millions of them, and a check reads it at once."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import overload

ROUNDED = 10**12  # of a step this part: what rounding leaves of a difference that is none


class _Series(Sequence[float]):
    @abstractmethod
    def value(self, k: int) -> float:
        """Value k, counted from 0."""

    @overload
    def __getitem__(self, k: int) -> float: ...
    @overload
    def __getitem__(self, k: slice) -> tuple[float, ...]: ...
    def __getitem__(self, k: int | slice) -> float | tuple[float, ...]:
        numbers = range(len(self))[k]
        return self.value(numbers) if isinstance(numbers, int) else tuple(map(self.value, numbers))

    def __iter__(self) -> Iterator[float]:
        return map(self.value, range(len(self)))


@dataclass(frozen=True)
class Evenly(_Series):
    """From start to stop, both included where the steps meet it; counted in decimal, as it is written.

    What units have rounded, as degrees do, is no value of its own: 0 is 0, and the last is `stop`. Whole numbers over
    `over` are where it begins and ends, and what a step is.
    """

    start: float
    stop: float
    first: int
    last: int
    step: int
    over: int

    def __len__(self) -> int:
        return int(Fraction(self.last - self.first, self.step) + Fraction(1, 10**9)) + 1

    def value(self, k: int) -> float:
        top = self.first + k * self.step
        if k == 0:
            return self.start
        if abs(top) * ROUNDED <= abs(self.step):
            return 0.0
        return self.stop if abs(top - self.last) * ROUNDED <= abs(self.step) else top / self.over


def evenly(start: float, stop: float, by: float) -> Evenly:
    exact = [Fraction(repr(float(x))) for x in (start, stop, by)]
    over = math.lcm(*(x.denominator for x in exact))
    first, last, step = (int(x * over) for x in exact)
    return Evenly(float(start), float(stop), first, last, step, over)


@dataclass(frozen=True)
class Decades(_Series):
    """`each` values in each decade from start to stop."""

    each: int
    start: float
    stop: float

    def __len__(self) -> int:
        return int(self.each * math.log10(self.stop / self.start) + 1e-9) + 1

    def value(self, k: int) -> float:
        found = self.start * 10.0 ** (k / self.each)
        last = k == len(self) - 1 and math.isclose(found, self.stop, rel_tol=1e-12)
        return self.stop if last else found
