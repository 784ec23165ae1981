"""A graph of symbols → machine code for blocks of members: one vector for each value, members fastest in memory."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator, Sequence
from typing import Any

from chainlist.kernels.order import Order, ordered
from chainlist.kernels.parts import Part, cut, needs
from chainlist.kernels.symbols import Graph, Symbol

LANES = 4  # members of a block
LONGEST = 6000  # nodes of a step that is one function: some twenty links
PART = 400  # nodes of a part of a longer one
_VECTOR, _TRUTH = f"<{LANES} x double>", f"<{LANES} x i1>"
_OPERATIONS = {"add": "fadd", "subtract": "fsub", "multiply": "fmul", "divide": "fdiv"}
_SIGNATURE = "ptr %X, ptr %P, ptr %F, i64 %first, i64 %last, i64 %members, i64 %steps"


def printed(
    graph: Graph, state: Sequence[str], after: Sequence[Symbol], numbers: Sequence[str], *, longest: int = LONGEST
) -> str:
    """The text of `march`: `steps` steps of members `first` … `last` − 1, a multiple of LANES.

    X[state, member] and P[number, member] are arrays of doubles; F[member] becomes 0 where a guard was broken. A step of more than
    `longest` nodes is cut into parts.
    """
    order = ordered(graph, after)
    long = len(order.nodes) > longest
    lines = _in_parts(graph, state, after, numbers, order) if long else _lines(graph, state, after, numbers, order)
    return "\n".join(lines) + "\n"


def _lines(
    graph: Graph, state: Sequence[str], after: Sequence[Symbol], numbers: Sequence[str], order: Order
) -> Iterator[str]:
    vector, truth, byte = (f"<{LANES} x {kind}>" for kind in ("double", "i1", "i8"))
    yield f"define void @march({_SIGNATURE}) {{\nentry:\n  br label %blocks"
    yield "blocks:\n  %at = phi i64 [ %first, %entry ], [ %next, %stored ]"
    yield "  %more = icmp slt i64 %at, %last\n  br i1 %more, label %load, label %done\nload:"
    for k, _ in enumerate(state):
        yield from _address(f"x{k}", "X", k)
        yield f"  %x{k} = load {vector}, ptr %x{k}p, align 8"
    for k, _ in enumerate(numbers):
        yield from _address(f"p{k}", "P", k)
        yield f"  %p{k} = load {vector}, ptr %p{k}p, align 8"
    yield f"  %fp = getelementptr i8, ptr %F, i64 %at\n  %fb = load {byte}, ptr %fp, align 1"
    yield f"  %healthy = icmp ne {byte} %fb, zeroinitializer\n  br label %step\nstep:"
    yield "  %n = phi i64 [ 0, %load ], [ %n1, %body ]"
    for k, _ in enumerate(state):
        yield f"  %s{k} = phi {vector} [ %x{k}, %load ], [ {_name(after[k].at)}, %body ]"
    yield f"  %ok = phi {truth} [ %healthy, %load ], [ %fine, %body ]"
    yield "  %going = icmp slt i64 %n, %steps\n  br i1 %going, label %body, label %store\nbody:\n  %n1 = add i64 %n, 1"
    places = {name: f"%s{k}" for k, name in enumerate(state)} | {name: f"%p{k}" for k, name in enumerate(numbers)}
    before = "%ok"
    for at in order.nodes:
        yield f"  {_name(at)} = {_value(graph.nodes[at], places, vector)}"
        yield from _guards(graph, order, at, before)
        before = f"%and{order.guards[at][-1]}" if at in order.guards else before
    yield f"  %fine = and {truth} {before}, {before}\n  br label %step\nstore:"
    for k, _ in enumerate(state):
        yield f"  store {vector} %s{k}, ptr %x{k}p, align 8"
    yield f"  %flags = zext {truth} %ok to {byte}\n  store {byte} %flags, ptr %fp, align 1\n  br label %stored"
    yield f"stored:\n  %next = add i64 %at, {LANES}\n  br label %blocks\ndone:\n  ret void\n}}"


def _guards(graph: Graph, order: Order, at: int, before: str) -> Iterator[str]:
    """Those that can be judged behind a node; each goes on from the one before."""
    for k in order.guards.get(at, []):
        low, high = graph.guards[k]
        yield f"  %g{k} = fcmp ole {_VECTOR} {_name(low.at)}, {_name(high.at)}"
        yield f"  %and{k} = and {_TRUTH} {before}, %g{k}"
        before = f"%and{k}"


def _in_parts(
    graph: Graph, state: Sequence[str], after: Sequence[Symbol], numbers: Sequence[str], order: Order
) -> Iterator[str]:
    """State, inputs and whatever goes from part to part stand in the slots S; G holds whether members are healthy."""
    inputs = [*state, *numbers]
    slot = {name: k for k, name in enumerate(inputs)}
    parts, results, count = cut(graph, after, order, PART, len(inputs))
    byte = f"<{LANES} x i8>"
    for n, part in enumerate(parts):
        yield from _part(graph, order, part, n, slot)
    yield from _next_state(graph, after, results, slot)
    yield f"define void @march({_SIGNATURE}) {{\nentry:\n  %S = alloca [{count} x {_VECTOR}], align 32"
    yield f"  %G = alloca {_TRUTH}\n  br label %blocks"
    yield "blocks:\n  %at = phi i64 [ %first, %entry ], [ %next, %store ]"
    yield "  %more = icmp slt i64 %at, %last\n  br i1 %more, label %load, label %done\nload:"
    for k, _ in enumerate(inputs):
        array, row = ("X", k) if k < len(state) else ("P", k - len(state))
        yield from _address(f"x{k}", array, row)
        yield f"  %x{k} = load {_VECTOR}, ptr %x{k}p, align 8"
        yield from _slot(f"s{k}", k)
        yield f"  store {_VECTOR} %x{k}, ptr %s{k}, align 32"
    yield f"  %fp = getelementptr i8, ptr %F, i64 %at\n  %fb = load {byte}, ptr %fp, align 1"
    yield f"  %healthy = icmp ne {byte} %fb, zeroinitializer\n  store {_TRUTH} %healthy, ptr %G\n  br label %step"
    yield "step:\n  %n = phi i64 [ 0, %load ], [ %n1, %body ]"
    yield "  %going = icmp slt i64 %n, %steps\n  br i1 %going, label %body, label %store\nbody:\n  %n1 = add i64 %n, 1"
    for n, _ in enumerate(parts):
        yield f"  call void @part{n}(ptr %S, ptr %G)"
    yield "  call void @following(ptr %S)\n  br label %step\nstore:"
    for k, _ in enumerate(state):
        yield f"  %r{k} = load {_VECTOR}, ptr %s{k}, align 32\n  store {_VECTOR} %r{k}, ptr %x{k}p, align 8"
    yield f"  %ok = load {_TRUTH}, ptr %G\n  %flags = zext {_TRUTH} %ok to {byte}\n  store {byte} %flags, ptr %fp, align 1"
    yield f"  %next = add i64 %at, {LANES}\n  br label %blocks\ndone:\n  ret void\n}}"


def _part(graph: Graph, order: Order, part: Part, number: int, slot: dict[str, int]) -> Iterator[str]:
    yield f"define internal void @part{number}(ptr noalias %S, ptr noalias %G) noinline {{\n  %ok = load {_TRUTH}, ptr %G"
    known, before = set(part.nodes), "%ok"
    for at in part.nodes:
        for used in needs(graph, order, at):  # taken where it is used first: fewer registers wait
            node = graph.nodes[used]
            if node[0] == "number" and used not in known:
                yield f"  {_name(used)} = {_value(node, {}, _VECTOR)}"
            elif used not in known:
                yield from _taken(used, slot[node[1]] if node[0] == "input" else part.takes[used])
            known.add(used)
        yield f"  {_name(at)} = {_value(graph.nodes[at], {}, _VECTOR)}"
        yield from _guards(graph, order, at, before)
        before = f"%and{order.guards[at][-1]}" if at in order.guards else before
        if at in part.leaves:
            yield from _slot(f"l{at}", part.leaves[at])
            yield f"  store {_VECTOR} {_name(at)}, ptr %l{at}, align 32"
    yield f"  store {_TRUTH} {before}, ptr %G\n  ret void\n}}"


def _next_state(graph: Graph, after: Sequence[Symbol], results: dict[int, int], slot: dict[str, int]) -> Iterator[str]:
    """Results from their slots into those of the state: all are taken before one is put down."""
    yield "define internal void @following(ptr noalias %S) noinline {"
    for at in sorted({symbol.at for symbol in after}):
        node = graph.nodes[at]
        if node[0] == "number":
            yield f"  {_name(at)} = {_value(node, {}, _VECTOR)}"
        else:
            yield from _taken(at, slot[node[1]] if node[0] == "input" else results[at])
    for k, symbol in enumerate(after):
        yield from _slot(f"s{k}", k)
        yield f"  store {_VECTOR} {_name(symbol.at)}, ptr %s{k}, align 32"
    yield "  ret void\n}"


def _slot(name: str, k: int) -> Iterator[str]:
    yield f"  %{name} = getelementptr {_VECTOR}, ptr %S, i64 {k}"


def _taken(at: int, k: int) -> Iterator[str]:
    yield from _slot(f"t{at}", k)
    yield f"  {_name(at)} = load {_VECTOR}, ptr %t{at}, align 32"


def _address(name: str, array: str, row: int) -> Iterator[str]:
    yield f"  %{name}r = mul i64 {row}, %members\n  %{name}i = add i64 %{name}r, %at"
    yield f"  %{name}p = getelementptr double, ptr %{array}, i64 %{name}i"


def _name(at: int) -> str:
    return f"%v{at}"


def _value(node: tuple[Any, ...], places: dict[str, str], vector: str) -> str:
    operation = node[0]
    if operation == "input":
        return f"select i1 true, {vector} {places[node[1]]}, {vector} {places[node[1]]}"
    if operation == "number":
        bits = struct.unpack("<Q", struct.pack("<d", node[1]))[0]
        lanes = ", ".join([f"double 0x{bits:016X}"] * LANES)
        return f"select i1 true, {vector} <{lanes}>, {vector} <{lanes}>"
    if operation == "negate":
        return f"fneg {vector} {_name(node[1])}"
    return f"{_OPERATIONS[operation]} {vector} {_name(node[1])}, {_name(node[2])}"


class Compiled:
    """Machine code of a text of LLVM; the call frees Python's lock, so that threads share the members."""

    def __init__(self, text: str) -> None:
        from llvmlite import binding

        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        target = binding.Target.from_default_triple()
        features = binding.get_host_cpu_features().flatten()
        machine = target.create_target_machine(cpu=binding.get_host_cpu_name(), features=features, opt=2, jit=True)
        module = binding.parse_assembly(text)
        module.verify()
        self._engine = binding.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()
        whole, pointer = ctypes.c_int64, ctypes.c_void_p
        kind = ctypes.CFUNCTYPE(None, pointer, pointer, pointer, whole, whole, whole, whole)
        self._call = kind(self._engine.get_function_address("march"))

    def __call__(self, X: Any, P: Any, F: Any, steps: int) -> None:
        self._call(X.ctypes.data, P.ctypes.data, F.ctypes.data, 0, X.shape[1], X.shape[1], steps)

    @staticmethod
    def place(array: Any) -> Any:
        """An array where members are computed: a copy of one's own."""
        return array.copy()

    @staticmethod
    def place_numbers(P: Any) -> Any:
        return P

    @staticmethod
    def fetch(array: Any) -> Any:
        return array
