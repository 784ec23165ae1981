"""Formulas over items of the machine → formulas over coordinates, velocities and the time alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from chainlist.elements.directions import dot, minus
from chainlist.formula import Constant, End, Formula, Operation, Quantity, function

AXES = ("X", "Y", "Z")
SPEEDS = ("VX", "VY", "VZ")

LinkEnds = Callable[[str], tuple[End, End]]  # the two ends of a link, by its name

# Points of rigid bodies: each a fixed sum of vectors, (name, α, β): α times the vector and, in the plane, β times the
# vector turned by 90°.
Weights = tuple[tuple[str, float, float], ...]
HeldPoints = Mapping[str, Weights]
NOTHING_HELD: HeldPoints = {}


def linear_form(c: int, alpha: float, beta: float, dimension: int) -> list[float]:
    """Coordinate c of α x + β (x turned by 90°), as numbers that x is multiplied with."""
    found = [0.0] * dimension
    found[c] = alpha
    if beta:
        found[1 - c] = -beta if c == 0 else beta
    return found


class Primitive:
    """Spells items out in `dimension` coordinates."""

    def __init__(self, dimension: int, ends_of_link: LinkEnds, held: HeldPoints = NOTHING_HELD):
        self.dimension = dimension
        self.ends_of_link = ends_of_link
        self.held = held
        self._known: dict[Formula, Formula] = {}

    def __call__(self, formula: Formula) -> Formula:
        if formula in self._known:
            return self._known[formula]
        match formula:
            case Quantity():
                found = self._quantity(formula)
            case Operation():
                found = _spelled(formula.operator, tuple(self(operand) for operand in formula.operands))
            case _:
                found = formula
        self._known[formula] = found
        return found

    def place(self, end: End) -> list[Formula]:
        """The coordinates of a point."""
        if isinstance(end, tuple):
            return [Constant(x) for x in end]
        if end in self.held:
            return self._sum(self.held[str(end)], AXES)
        return [Quantity(axis, (end,)) for axis in AXES[: self.dimension]]

    def velocity(self, end: End) -> list[Formula]:
        if isinstance(end, tuple):
            return [Constant(0.0)] * self.dimension
        if end in self.held:
            return self._sum(self.held[str(end)], SPEEDS)
        return [Quantity(axis, (end,)) for axis in SPEEDS[: self.dimension]]

    def _sum(self, weights: Weights, names: Sequence[str]) -> list[Formula]:
        """A point of a rigid body, spelled in its vectors."""
        found: list[Formula] = [Constant(0.0)] * self.dimension
        for vector, alpha, beta in weights:
            parts = [Quantity(name, (vector,)) for name in names[: self.dimension]]
            if alpha != 0.0:
                found = [whole + alpha * part for whole, part in zip(found, parts, strict=True)]
            if beta != 0.0:
                found = [found[0] - beta * parts[1], found[1] + beta * parts[0]]
        return found

    def _quantity(self, quantity: Quantity) -> Formula:
        name, arguments = quantity.function, quantity.arguments
        if name == "Time":
            return quantity
        if name in AXES or name in SPEEDS:
            if isinstance(arguments[0], tuple) or arguments[0] in self.held:
                axes, spelled = (AXES, self.place) if name in AXES else (SPEEDS, self.velocity)
                return spelled(arguments[0])[axes.index(name)]
            return quantity
        if name == "SPEED":
            return function("length", dot(self.velocity(arguments[0]), self.velocity(arguments[0])))
        if len(arguments) == 1:
            arguments = self.ends_of_link(str(arguments[0]))
        d = minus(self.place(arguments[1]), self.place(arguments[0]))
        if name == "DIST":
            return function("length", dot(d, d))
        if name == "OMEGA":
            u = minus(self.velocity(arguments[1]), self.velocity(arguments[0]))
            return (d[0] * u[1] - d[1] * u[0]) / (d[0] * d[0] + d[1] * d[1])
        if name == "ANGLE" and len(arguments) == 2:
            return function("turn", d[1], d[0])
        if name == "ANGLE":  # at the middle point, from the first arm to the third
            d = [-x for x in d]
            e = minus(self.place(arguments[2]), self.place(arguments[1]))
            if self.dimension == 3:  # no side to count from: between 0 and π
                cross = [d[1] * e[2] - d[2] * e[1], d[2] * e[0] - d[0] * e[2], d[0] * e[1] - d[1] * e[0]]
                return function("atan2", function("length", dot(cross, cross)), dot(d, e))
            return function("turn", d[0] * e[1] - d[1] * e[0], dot(d, e))
        raise ValueError(f"{name} has no value inside a run")


def _spelled(operator: str, operands: tuple[Formula, ...]) -> Formula:
    """Functions that are made of others."""
    if operator == "hypot":
        return function("length", dot(operands, operands))
    if operator == "smooth":
        x, low, high = operands
        return function("smooth", (x - low) / (high - low))
    if operator in (">", ">="):
        return Operation("<" if operator == ">" else "<=", (operands[1], operands[0]))
    if operator == "pulse":
        return _pulse(operands)
    if operator == "pwl":
        return Operation("table", operands)
    return Operation(operator, operands)


def _pulse(operands: tuple[Formula, ...]) -> Formula:
    """SPICE's: low until the delay, then up in `rise`, high for `width`, down in `fall`, and again after each period."""
    time, low, high, delay, rise, fall, width, period = operands
    top = rise + width
    shape = Operation(
        "table", (function("mod", time - delay, period), Constant(0.0), low, rise, high, top, high, top + fall, low)
    )
    return function("if", Operation("<", (time, delay)), low, shape)
