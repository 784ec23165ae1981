"""Values of a step that do not fit into registers, put onto shelves: memory that a thread shares with few others, near to it.

A compiler that runs out of registers puts values into memory that is far away. Here it is decided beforehand, with the whole step
in view, what makes room when room is needed: the value whose next use is farthest. The state of a member has shelves of its own from step
to step; other shelves are used again and again.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from chainlist.kernels.order import Order
from chainlist.kernels.symbols import Graph, Symbol, operands

_NEVER = 1 << 60


@dataclass
class _Value:
    uses: list[int]  # places in the order at which it is read
    name: str = ""  # of the variable that holds it, "" where none does
    shelf: int = -1
    result: int = -1  # which of the state it becomes

    def next_use(self, place: int) -> int:
        k = bisect.bisect_right(self.uses, place)
        return self.uses[k] if k < len(self.uses) else _NEVER


class Shelves:
    """Writes a step as statements of C in which at most `room` values stand in variables at the same time."""

    def __init__(
        self,
        graph: Graph,
        state: Sequence[str],
        after: Sequence[Symbol],
        order: Order,
        room: int,
        compute: Callable[[tuple[object, ...], list[str]], str],
    ) -> None:
        self._graph, self._after, self._order, self._room, self._compute = graph, after, order, room, compute
        self._state = {name: k for k, name in enumerate(state)}
        self.count = len(state)  # shelves in use, those of the state first
        self._free: list[int] = []
        self._names = 0
        self._held: set[int] = set()
        self._values = self._read()
        self._last_of_state = self._last_reads()

    def _read(self) -> dict[int, _Value]:
        found = {at: _Value([]) for at in self._order.nodes}
        for place, at in enumerate(self._order.nodes):
            for operand in set(operands(self._graph.nodes[at])):
                found[operand].uses.append(place)
            for k in self._order.guards.get(at, []):
                for symbol in self._graph.guards[k]:
                    found[symbol.at].uses.append(place)
        for k, symbol in enumerate(self._after):
            value = found[symbol.at]
            value.uses.append(len(self._order.nodes))
            if value.result < 0:
                value.result = k
        for at, value in found.items():
            value.uses.sort()
            node = self._graph.nodes[at]
            if node[0] == "input" and node[1] in self._state:
                value.shelf = self._state[str(node[1])]
        return found

    def _last_reads(self) -> dict[int, int]:
        """Until which place the old value on a shelf of the state is needed."""
        found = dict.fromkeys(range(len(self._state)), -1)
        for at, value in self._values.items():
            if self._graph.nodes[at][0] == "input" and value.shelf >= 0 and value.uses:
                found[value.shelf] = value.uses[-1]
        return found

    def lines(self, number: Callable[[str], str]) -> Iterator[str]:
        """`number(name)` is how an input that never changes is read."""
        for place, at in enumerate(self._order.nodes):
            node = self._graph.nodes[at]
            if node[0] in ("input", "number"):
                self._given(at, node, number)
            else:
                names = []
                for operand in operands(node):
                    yield from self._fetch(operand, place, keep={*operands(node)})
                    names.append(self._values[operand].name)
                self._let_go(operands(node), place)
                yield from self._make_room(place, keep=set(operands(node)))
                yield self._declare(at, self._compute(node, names))
            for k in self._order.guards.get(at, []):
                low, high = (symbol.at for symbol in self._graph.guards[k])
                for one in (low, high):
                    yield from self._fetch(one, place, keep={low, high})
                yield f"ok = ok && {self._values[low].name} <= {self._values[high].name};"
                self._let_go([low, high], place)
        yield from self._finish()

    def _given(self, at: int, node: tuple[object, ...], number: Callable[[str], str]) -> None:
        """Numbers and inputs that never change are read where they are used: they take no room."""
        if node[0] == "number":
            self._values[at].name = float(str(node[1])).hex() if not isinstance(node[1], float) else node[1].hex()
        elif str(node[1]) not in self._state:
            self._values[at].name = number(str(node[1]))

    def _declare(self, at: int, text: str) -> str:
        self._names += 1
        value = self._values[at]
        value.name = f"v{self._names}"
        self._held.add(at)
        return f"const double {value.name} = {text};"

    def _fetch(self, at: int, place: int, keep: set[int]) -> Iterator[str]:
        value = self._values[at]
        if not value.name:
            yield from self._make_room(place, keep)
            yield self._declare(at, f"SHELF({value.shelf})")

    def _let_go(self, ats: Sequence[int], place: int) -> None:
        """Of what is not used again, variable and shelf are free."""
        for at in set(ats):
            value = self._values[at]
            if at in self._held and value.next_use(place) == _NEVER:
                self._held.discard(at)
                self._release(value)

    def _release(self, value: _Value) -> None:
        if value.shelf >= len(self._state):
            self._free.append(value.shelf)
        value.shelf = -1

    def _make_room(self, place: int, keep: set[int]) -> Iterator[str]:
        while len(self._held) >= self._room:
            at = max((at for at in self._held if at not in keep), key=lambda at: self._values[at].next_use(place - 1))
            value = self._values[at]
            self._held.discard(at)
            if value.shelf < 0:
                value.shelf = self._shelf(value, place)
                yield f"SHELF({value.shelf}) = {value.name};"
            value.name = ""

    def _shelf(self, value: _Value, place: int) -> int:
        """Its own, for a value of the next state whose old one is not needed any more; else any."""
        if value.result >= 0 and self._last_of_state[value.result] < place:
            self._last_of_state[value.result] = _NEVER
            return value.result
        if self._free:
            return self._free.pop()
        self.count += 1
        return self.count - 1

    def _finish(self) -> Iterator[str]:
        """The state of the next step, onto its shelves. Nothing is written before all is read that another still needs."""
        moved = [(k, symbol.at) for k, symbol in enumerate(self._after) if self._values[symbol.at].shelf != k]
        named = []
        for k, at in moved:
            value = self._values[at]
            if not value.name:
                self._names += 1
                yield f"const double v{self._names} = SHELF({value.shelf});"
                value.name = f"v{self._names}"
            named.append((k, value.name))
        yield from (f"SHELF({k}) = {name};" for k, name in named)
