"""Formulas → tapes: each formula a stretch of nodes, its leaves first, its value last."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from chainlist.equations.primitive import AXES, SPEEDS
from chainlist.formula import Constant, End, Formula, Operation, Quantity
from chainlist.kernels import operations as op
from chainlist.kernels.bundles import Tape

_UNARY = {
    "neg": op.NEGATE,
    "sqrt": op.SQRT,
    "sin": op.SIN,
    "cos": op.COS,
    "tan": op.TAN,
    "asin": op.ASIN,
    "acos": op.ACOS,
    "atan": op.ATAN,
    "exp": op.EXP,
    "log": op.LOG,
    "tanh": op.TANH,
    "sinh": op.SINH,
    "cosh": op.COSH,
    "smooth": op.SMOOTH,
    "length": op.LENGTH,
    "abs": op.ABS,
    "sign": op.SIGN,
    "step": op.STEP,
    "ramp": op.RAMP,
    "floor": op.FLOOR,
    "not": op.NOT,
}
_BINARY = {
    "+": op.ADD,
    "-": op.SUBTRACT,
    "*": op.MULTIPLY,
    "/": op.DIVIDE,
    "atan2": op.ATAN2,
    "turn": op.TURN,
    "mod": op.MOD,
    "min": op.MIN,
    "max": op.MAX,
    "<": op.LESS,
    "<=": op.LESS_EQUAL,
    "and": op.AND,
    "or": op.OR,
}
_TABLES = ("table", "spline")

Node = tuple[int, int, int, int, float]  # operation, operands, number


class TapeWriter:
    """Collects formulas. `number` gives the number of a point that is a body or moves as told."""

    def __init__(self, number: Callable[[End], int], *, freezes: bool = True):
        self.number, self.freezes = number, freezes
        self.nodes: list[Node] = []
        self.columns: list[int] = []
        self.frozen: list[bool] = []
        self.knots: list[float] = []
        self.turns = 0

    def add(self, formula: Formula, column: Callable[[int], int] | None = None) -> tuple[int, int]:
        """Append a primitive formula; where it begins and ends. `column(point)`: where the point stands in a row of J."""
        first = len(self.nodes)
        stretch = _Stretch(self)
        value = stretch.node(formula)
        leaves, inner = stretch.leaves, stretch.inner
        place = {("leaf", n): first + n for n in range(len(leaves))}
        place |= {("node", n): first + len(leaves) + n for n in range(len(inner))}
        for operation, a, b, number in leaves:
            self.nodes.append((operation, a, b, 0, number))
            known = operation in (op.PLACE, op.SPEED) and column is not None
            self.columns.append(column(a) + b if known and column is not None else 0)
            self.frozen.append(False)
        for operation, operands, extra, number, of_time in inner:
            a, b, c = ([place[operand] for operand in operands] + [0, 0, 0])[:3]
            if operation == op.TABLE:
                b, c = extra
            elif operation == op.TURN:
                c = extra[0]
            self.nodes.append((operation, a, b, c, number))
            self.columns.append(0)
            self.frozen.append(self.freezes and of_time and operation >= op.ABS)
        if value[0] == "leaf":  # the value must stand last
            if place[value] != len(self.nodes) - 1:
                raise AssertionError("a formula that is a leaf has one node")
        return first, len(self.nodes)

    def tape(self) -> Tape:
        operation, a, b, c, x = zip(*self.nodes, strict=True) if self.nodes else [()] * 5
        return Tape(
            op=np.array(operation, np.uint8),
            a=np.array(a, np.uint32),
            b=np.array(b, np.uint32),
            c=np.array(c, np.uint32),
            x=np.array(x, float),
            column=np.array(self.columns, np.uint32),
            frozen=np.array(self.frozen, np.uint8),
            knots=np.array(self.knots, float),
            turning=np.flatnonzero(np.array(operation, np.uint8) == op.TURN).astype(np.uint32),
        )


Reference = tuple[str, int]


class _Stretch:
    """The nodes of one formula; equal parts of it are computed once."""

    def __init__(self, writer: TapeWriter):
        self.writer = writer
        self.leaves: list[tuple[int, int, int, float]] = []
        self.inner: list[tuple[int, tuple[Reference, ...], tuple[int, ...], float, bool]] = []
        self._known: dict[Formula, Reference] = {}
        self._of_time: dict[Reference, bool] = {}

    def node(self, formula: Formula) -> Reference:
        if formula not in self._known:
            match formula:
                case Constant():
                    self._known[formula] = self._leaf(op.CONST, 0, 0, formula.value)
                case Quantity():
                    self._known[formula] = self._quantity(formula)
                case Operation():
                    self._known[formula] = self._operation(formula)
        return self._known[formula]

    def _leaf(self, operation: int, a: int, b: int, number: float) -> Reference:
        self.leaves.append((operation, a, b, number))
        found = ("leaf", len(self.leaves) - 1)
        self._of_time[found] = operation in (op.CONST, op.TIME_LEAF)
        return found

    def _quantity(self, quantity: Quantity) -> Reference:
        if quantity.function == "Time":
            return self._leaf(op.TIME_LEAF, 0, 0, 0.0)
        point = self.writer.number(quantity.arguments[0])
        if quantity.function in AXES:
            return self._leaf(op.PLACE, point, AXES.index(quantity.function), 0.0)
        return self._leaf(op.SPEED, point, SPEEDS.index(quantity.function), 0.0)

    def _put(
        self, operation: int, operands: Sequence[Reference], extra: tuple[int, ...] = (), number: float = 0.0
    ) -> Reference:
        of_time = all(self._of_time[operand] for operand in operands)
        self.inner.append((operation, tuple(operands), extra, number, of_time))
        found = ("node", len(self.inner) - 1)
        self._of_time[found] = of_time
        return found

    def _operation(self, formula: Operation) -> Reference:
        name = formula.operator
        if name in _TABLES:
            return self._put(op.TABLE, [self.node(formula.operands[0])], self._table(formula))
        if name == "**":
            return self._power(*formula.operands)
        operands = [self.node(operand) for operand in formula.operands]
        if name == "if":
            return self._put(op.CHOOSE, operands)
        if name in _UNARY:
            assert len(operands) == 1, f"{name} is not spelled out"
            return self._put(_UNARY[name], operands)
        if name not in _BINARY:
            raise ValueError(f"{name} cannot be computed inside a run")
        found = operands[0]
        for operand in operands[1:]:
            extra: tuple[int, ...] = ()
            if name == "turn":
                extra = (self.writer.turns,)
                self.writer.turns += 1
            found = self._put(_BINARY[name], [found, operand], extra)
        return found

    def _power(self, base: Formula, exponent: Formula) -> Reference:
        if exponent == Constant(0.5):
            return self._put(op.SQRT, [self.node(base)])
        if isinstance(exponent, Constant):
            return self._put(op.POWER, [self.node(base)], number=exponent.value)
        return self._put(op.POWER_OF, [self.node(base), self.node(exponent)])

    def _table(self, formula: Operation) -> tuple[int, int]:
        """Where its pieces begin, and how many they are. Points are numbers: the model has seen to it."""
        numbers = [operand.value if isinstance(operand, Constant) else float("nan") for operand in formula.operands[1:]]
        pieces = table_pieces(numbers[::2], numbers[1::2], smooth=formula.operator == "spline")
        first = len(self.writer.knots)
        for piece in pieces:
            self.writer.knots.extend(piece)
        return first, len(pieces)


def table_pieces(x: Sequence[float], y: Sequence[float], *, smooth: bool) -> list[tuple[float, ...]]:
    """Of each piece its beginning and its coefficients; constant before the first point and behind the last."""
    bend = _natural_bends(x, y) if smooth else [0.0] * len(x)
    pieces: list[tuple[float, ...]] = [(x[0], y[0], 0.0, 0.0, 0.0)]
    for k in range(len(x) - 1):
        h = x[k + 1] - x[k]
        if h > 0.0:
            slope = (y[k + 1] - y[k]) / h - h * (2.0 * bend[k] + bend[k + 1]) / 6.0
            pieces.append((x[k], y[k], slope, 0.5 * bend[k], (bend[k + 1] - bend[k]) / (6.0 * h)))
    pieces.append((x[-1], y[-1], 0.0, 0.0, 0.0))
    return pieces


def _natural_bends(x: Sequence[float], y: Sequence[float]) -> list[float]:
    """Second derivatives of the natural cubic spline at its points, by the tridiagonal system that they obey."""
    n = len(x)
    bend, ratio, rest = [0.0] * n, [0.0] * n, [0.0] * n
    for k in range(1, n - 1):
        left, right = x[k] - x[k - 1], x[k + 1] - x[k]
        wanted = 6.0 * ((y[k + 1] - y[k]) / right - (y[k] - y[k - 1]) / left)
        pivot = 2.0 * (left + right) - left * ratio[k - 1]
        ratio[k] = right / pivot
        rest[k] = (wanted - left * rest[k - 1]) / pivot
    for k in range(n - 2, 0, -1):
        bend[k] = rest[k] - ratio[k] * bend[k + 1]
    return bend
