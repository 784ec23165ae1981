"""A long step cut into functions: a compiler takes far more than twice as long for a function of twice the length.

Values that one part leaves for another stand in slots, which are used again when nobody needs what is in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from chainlist.kernels.order import GIVEN, Order
from chainlist.kernels.symbols import Graph, Symbol, operands


@dataclass
class Part:
    """Nodes to compute, in order; what is taken from slots before, and what is put into them behind: node → slot."""

    nodes: list[int]
    takes: dict[int, int] = field(default_factory=dict)
    leaves: dict[int, int] = field(default_factory=dict)


def cut(
    graph: Graph, after: Sequence[Symbol], order: Order, size: int, first_slot: int
) -> tuple[list[Part], dict[int, int], int]:
    """Parts of so many nodes; where results stand in the end; and how many slots there are. Given nodes are in none of them."""
    nodes = [at for at in order.nodes if graph.nodes[at][0] not in GIVEN]
    parts = [Part(nodes[k : k + size]) for k in range(0, len(nodes), size)]
    made = {at: n for n, part in enumerate(parts) for at in part.nodes}
    last = dict(made)
    for n, part in enumerate(parts):
        for at in part.nodes:
            for need in needs(graph, order, at):
                last[need] = max(last.get(need, n), n)
    last |= {symbol.at: len(parts) for symbol in after if symbol.at in made}
    slots: dict[int, int] = {}
    free: list[int] = []
    count = first_slot
    for n, part in enumerate(parts):
        used = {at for node in part.nodes for at in needs(graph, order, node)}
        part.takes = {at: slots[at] for at in sorted(used) if at in made and made[at] < n}
        free += [slots[at] for at in slots if last[at] == n - 1]
        for at in part.nodes:
            if last[at] > n:
                if free:
                    slots[at] = free.pop()
                else:
                    slots[at], count = count, count + 1
                part.leaves[at] = slots[at]
    return parts, {symbol.at: slots[symbol.at] for symbol in after if symbol.at in made}, count


def needs(graph: Graph, order: Order, at: int) -> list[int]:
    """What a node and the guards behind it are made of."""
    judged = [symbol.at for k in order.guards.get(at, []) for symbol in graph.guards[k]]
    return [used for used in (*operands(graph.nodes[at]), *judged) if used != at]
