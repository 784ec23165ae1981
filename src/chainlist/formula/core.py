"""The nodes of a formula. `+ - * / **` and a sign between them make new ones: `dx*dx + dy*dy - TIME`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

Point = tuple[float, ...]


class _Arithmetic:
    """What all nodes share: operators that build. Sums of what is 0 and products with 1 are left out."""

    def __add__(self, other: Formula | float) -> Formula:
        return _operation("+", self, other)

    def __radd__(self, other: Formula | float) -> Formula:
        return _operation("+", other, self)

    def __sub__(self, other: Formula | float) -> Formula:
        return _operation("-", self, other)

    def __rsub__(self, other: Formula | float) -> Formula:
        return _operation("-", other, self)

    def __mul__(self, other: Formula | float) -> Formula:
        return _operation("*", self, other)

    def __rmul__(self, other: Formula | float) -> Formula:
        return _operation("*", other, self)

    def __truediv__(self, other: Formula | float) -> Formula:
        return _operation("/", self, other)

    def __rtruediv__(self, other: Formula | float) -> Formula:
        return _operation("/", other, self)

    def __pow__(self, other: Formula | float) -> Formula:
        return _operation("**", self, other)

    def __neg__(self) -> Formula:
        return Operation("neg", (constant(self),))


@dataclass(frozen=True)
class Constant(_Arithmetic):
    value: float
    unit: str = field(default="", compare=False)  # SI, of a number that was written with one: for axes alone
    unsure: bool = field(default=False, compare=False)  # its unit is not known: made of a parameter, or of a bare 3.6


@dataclass(frozen=True)
class Quantity(_Arithmetic):
    """`Q(B1)`, `TENSION(C1,C2)`, `Etotal`: an observable with what it is asked of (ALL already spelled out)."""

    function: str
    arguments: tuple[End, ...] = ()


@dataclass(frozen=True)
class Operation(_Arithmetic):
    """`+ - * /` over two or more operands from left to right, `**` over two, `neg`, a comparison or `and or not`, or a
    function such as `sqrt` of its operands."""

    operator: str
    operands: tuple[Formula, ...]


Formula = Quantity | Constant | Operation


@dataclass(frozen=True)
class Moving:
    """A point that moves as told: one formula of the time for each coordinate."""

    coordinates: tuple[Formula, ...]


# What an entity holds on to: a body by its name, a fixed point (an anchor), or a point that moves as told.
End = str | Point | Moving

TIME = Quantity("Time")


def end_name(end: End) -> str:
    """How messages call a point."""
    if isinstance(end, str):
        return end
    return "a moving anchor" if isinstance(end, Moving) else f"({','.join(f'{x:g}' for x in end)})"


def constant(value: object) -> Formula:
    """A number as a node; a node as it is."""
    if isinstance(value, Constant | Quantity | Operation):
        return value
    assert isinstance(value, int | float)
    return Constant(float(value))


def function(name: str, *operands: Formula | float) -> Formula:
    """`function("sin", x)`."""
    return Operation(name, tuple(constant(operand) for operand in operands))


def walk(formula: Formula) -> Iterator[Formula]:
    """Every node, operands before what is made of them."""
    todo: list[tuple[Formula, bool]] = [(formula, False)]
    while todo:
        node, ready = todo.pop()
        if ready or not isinstance(node, Operation):
            yield node
            continue
        todo.append((node, True))
        todo.extend((operand, False) for operand in reversed(node.operands))


def _operation(operator: str, left: object, right: object) -> Formula:
    a, b = constant(left), constant(right)
    if isinstance(a, Constant) and isinstance(b, Constant) and operator in "+-*":
        return Constant({"+": a.value + b.value, "-": a.value - b.value, "*": a.value * b.value}[operator])
    if b == Constant(0.0) and operator in "+-":
        return a
    if a == Constant(0.0) and operator == "+":
        return b
    if b == Constant(1.0) and operator in ("*", "/", "**"):
        return a
    if a == Constant(1.0) and operator == "*":
        return b
    return Operation(operator, (a, b))
