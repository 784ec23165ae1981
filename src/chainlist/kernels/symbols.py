"""Values that are not known yet: kernels run over them leave behind the graph of what they compute.

The kernels are plain functions over arrays. Where index arrays are numbers and the floats are symbols, every loop unrolls, every address
becomes the name of a value, and what remains of a step is a graph of + − × ÷ over the numbers of one member. A comparison of symbols is a
branch that may differ from member to member: it is answered by `ANSWERS`, which takes the ordinary way and leaves a *guard* behind, a
condition that a member must meet when it runs. One that is not in the table stops the generation: nothing is assumed silently.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

from chainlist.kernels.slots import REFINE

Node = tuple[Any, ...]  # an operation and its operands: numbers of other nodes, or constants


class NotOrdinary(TypeError):
    """A kernel branches on a value of the member in a way that has no known answer."""


class Graph:
    """Equal expressions are one node; nodes stand in the order in which they can be computed."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.guards: list[tuple[Symbol, Symbol]] = []  # each a ≤ b
        self._known: dict[Node, Symbol] = {}

    def node(self, *node: Any) -> Symbol:
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = Symbol(self, len(self.nodes))
            self.nodes.append(node)
        return found

    def symbol(self, value: Any) -> Symbol:
        """The symbol itself, or that of a number."""
        return value if isinstance(value, Symbol) else self.node("number", float(value))

    def guard(self, low: Any, high: Any) -> None:
        """A member is healthy only while low ≤ high; nan is not."""
        pair = self.symbol(low), self.symbol(high)
        if not any(a is pair[0] and b is pair[1] for a, b in self.guards):
            self.guards.append(pair)

    def needed(self, results: list[Symbol]) -> list[int]:
        """Nodes that some results and the guards need, in order."""
        waiting = [symbol.at for symbol in results] + [symbol.at for pair in self.guards for symbol in pair]
        seen: set[int] = set()
        while waiting:
            at = waiting.pop()
            if at not in seen:
                seen.add(at)
                waiting += operands(self.nodes[at])
        return sorted(seen)


def operands(node: Node) -> list[int]:
    """The nodes that a node is computed from."""
    return [] if node[0] in ("input", "number") else list(node[1:])


class Symbol:
    """A value of a member. What is exact is folded: sums with 0, products with 0 and ±1, signs."""

    __slots__ = ("at", "graph")

    def __init__(self, graph: Graph, at: int) -> None:
        self.graph, self.at = graph, at

    __hash__ = object.__hash__

    def _with(self, operation: str, other: Any) -> Symbol:
        return self.graph.node(operation, self.at, self.graph.symbol(other).at)

    def __neg__(self) -> Symbol:
        node = self.graph.nodes[self.at]
        return Symbol(self.graph, node[1]) if node[0] == "negate" else self.graph.node("negate", self.at)

    def __add__(self, other: Any) -> Symbol:
        if _is(other, 0.0):
            return self
        a, b = sorted((self.at, self.graph.symbol(other).at))
        return self.graph.node("add", a, b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Symbol:
        return self if _is(other, 0.0) else self._with("subtract", other)

    def __rsub__(self, other: Any) -> Symbol:
        return -self if _is(other, 0.0) else self.graph.symbol(other)._with("subtract", self)

    def __mul__(self, other: Any) -> Any:
        if _is(other, 0.0):
            return 0.0
        if _is(other, 1.0) or _is(other, -1.0):
            return self if other > 0.0 else -self
        if isinstance(other, int | float) and (folded := self._folded(float(other))) is not None:
            return folded
        a, b = sorted((self.at, self.graph.symbol(other).at))
        return self.graph.node("multiply", a, b)

    __rmul__ = __mul__

    def _folded(self, factor: float) -> Any:
        """(x·c)·factor as x·(c·factor), where one of the two is a power of two: such a product has no rounding."""
        node = self.graph.nodes[self.at]
        if node[0] != "multiply":
            return None
        for one, other in ((node[1], node[2]), (node[2], node[1])):
            known = self.graph.nodes[one]
            if known[0] == "number" and (_is_power_of_two(known[1]) or _is_power_of_two(factor)):
                return Symbol(self.graph, other) * (known[1] * factor)
        return None

    def __truediv__(self, other: Any) -> Any:
        return self if _is(other, 1.0) else self._with("divide", other)

    def __rtruediv__(self, other: Any) -> Any:
        return 0.0 if _is(other, 0.0) else self.graph.symbol(other)._with("divide", self)

    def __lt__(self, other: Any) -> Any:
        return _Truth("<", self, other)

    def __gt__(self, other: Any) -> Any:
        return _Truth(">", self, other)

    def __le__(self, other: Any) -> Any:
        return _Truth("<=", self, other)

    def __ge__(self, other: Any) -> Any:
        return _Truth(">=", self, other)

    def __eq__(self, other: object) -> Any:
        return self is other

    def __ne__(self, other: object) -> Any:
        return _Truth("!=", self, other)

    def __bool__(self) -> bool:
        raise NotOrdinary("the truth of a value that is not known yet")


def _is(value: Any, number: float) -> bool:
    """−0.0 counts as 0: kernels begin sums with it."""
    return isinstance(value, int | float) and value == number


def _is_power_of_two(number: float) -> bool:
    return number != 0.0 and math.isfinite(number) and abs(math.frexp(number)[0]) == 0.5


class _Truth:
    """A comparison; where a kernel branches on it, the table answers."""

    def __init__(self, operator: str, left: Any, right: Any) -> None:
        self.operator, self.left, self.right = operator, left, right

    def __bool__(self) -> bool:
        code = sys._getframe(1).f_code
        kernel = code.co_name.split("_bound")[0]
        for (name, operator), answer in ANSWERS.items():
            if operator == self.operator and (kernel == name or kernel.startswith(f"{name}_")):
                return answer(self.left, self.right)
        raise NotOrdinary(f"{kernel} branches on a value of the member ({self.operator})")


def _steady_pivot(pivot: Any, least: Any) -> bool:
    """`d < least·diagonal` keeps book of the smallest ratio. Here no ratio may come near one where solves need care."""
    graph = pivot.graph if isinstance(pivot, Symbol) else least.graph
    if pivot is not least:
        graph.guard(least * REFINE, pivot)
    return False


ANSWERS: dict[tuple[str, str], Callable[[Any, Any], bool]] = {
    ("ldl", "<"): _steady_pivot,
    ("ldl", ">"): lambda pivot, floor: True,  # the row counts: the guard above sees to that
    ("project", ">"): lambda step, zero: True,  # a step has a length
    ("explicit_step", "!="): lambda coefficient, zero: True,  # of the tableau, times that length
}
