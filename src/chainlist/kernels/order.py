"""In which order the nodes of a graph are computed: as the kernels did, but whatever makes room is done at once.

Sums that a kernel makes at its end, from what all its stages left behind, grow as the stages come; guards are judged as soon as both
sides are known. So fewer values wait at the same time, for registers that are few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from chainlist.kernels.symbols import Graph, Symbol, operands

GIVEN = ("input", "number")  # nodes that are not computed


@dataclass
class Order:
    """Nodes in order, and behind each (by its number) the guards that can be judged then."""

    nodes: list[int] = field(default_factory=list)
    guards: dict[int, list[int]] = field(default_factory=dict)


def ordered(graph: Graph, after: Sequence[Symbol]) -> Order:
    """All nodes that results and guards need, those that are given among them: they come first."""
    needed = graph.needed(list(after))
    work = _Work(graph, after, needed)
    for at in needed:
        work.compute(at)
    return work.order


class _Work:
    def __init__(self, graph: Graph, after: Sequence[Symbol], needed: list[int]) -> None:
        self._nodes, self._pairs = graph.nodes, graph.guards
        self._users: dict[int, list[int]] = {at: [] for at in needed}
        self._waits = dict.fromkeys(needed, 0)  # for how many operands
        self._uses = dict.fromkeys(needed, 0)  # still to come
        for at in needed:
            for operand in set(operands(graph.nodes[at])):
                self._users[operand].append(at)
                self._waits[at] += 1
                self._uses[operand] += 1
        self._judged: dict[int, list[int]] = {at: [] for at in needed}
        for k, pair in enumerate(graph.guards):
            for symbol in {symbol.at for symbol in pair}:
                self._judged[symbol].append(k)
                self._uses[symbol] += 1
        for symbol in {symbol.at for symbol in after}:
            self._uses[symbol] += 1
        self._done: set[int] = set()
        self.order = Order()

    def compute(self, first: int) -> None:
        """A node, and then those that need nothing more and make room."""
        todo = [first]
        while todo:
            at = todo.pop()
            if at in self._done:
                continue
            self._done.add(at)
            self.order.nodes.append(at)
            for operand in set(operands(self._nodes[at])):
                self._uses[operand] -= 1
            self._judge(at)
            for user in self._users[at]:
                self._waits[user] -= 1
            todo += [user for user in self._users[at] if self._makes_room(user)]

    def _judge(self, at: int) -> None:
        ready = [k for k in self._judged[at] if all(symbol.at in self._done for symbol in self._pairs[k])]
        for k in ready:
            for symbol in {symbol.at for symbol in self._pairs[k]}:
                self._uses[symbol] -= 1
        if ready:
            self.order.guards[at] = ready

    def _makes_room(self, at: int) -> bool:
        if self._waits[at] or at in self._done:
            return False
        return any(
            self._uses[operand] == 1 and self._nodes[operand][0] not in GIVEN
            for operand in set(operands(self._nodes[at]))
        )


def most_waiting(graph: Graph, after: Sequence[Symbol], order: Order) -> int:
    """How many computed values wait at the same time, at most."""
    last: dict[int, int] = {}
    for place, at in enumerate(order.nodes):
        used = {*operands(graph.nodes[at]), at}
        used |= {symbol.at for k in order.guards.get(at, []) for symbol in graph.guards[k]}
        last |= dict.fromkeys(used, place)
    last |= dict.fromkeys((symbol.at for symbol in after), len(order.nodes))
    ends = [0] * (len(order.nodes) + 1)
    for at, place in last.items():
        ends[place] += graph.nodes[at][0] not in GIVEN
    waiting = most = 0
    for place, at in enumerate(order.nodes):
        waiting += graph.nodes[at][0] not in GIVEN
        most = max(most, waiting)
        waiting -= ends[place]
    return most
