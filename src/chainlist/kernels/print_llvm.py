"""A graph of symbols → machine code for blocks of members: one vector for each value, members fastest in memory."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator, Sequence
from typing import Any

from chainlist.kernels.order import ordered
from chainlist.kernels.symbols import Graph, Symbol

LANES = 4  # members of a block
_OPERATIONS = {"add": "fadd", "subtract": "fsub", "multiply": "fmul", "divide": "fdiv"}
_SIGNATURE = "ptr %X, ptr %P, ptr %F, i64 %first, i64 %last, i64 %members, i64 %steps"


def printed(graph: Graph, state: Sequence[str], after: Sequence[Symbol], numbers: Sequence[str]) -> str:
    """The text of `march`: `steps` steps of members `first` … `last` − 1, a multiple of LANES.

    X[state, member] and P[number, member] are arrays of doubles; F[member] becomes 0 where a guard was broken.
    """
    return "\n".join(_lines(graph, state, after, numbers)) + "\n"


def _lines(graph: Graph, state: Sequence[str], after: Sequence[Symbol], numbers: Sequence[str]) -> Iterator[str]:
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
    order, before = ordered(graph, after), "%ok"
    for at in order.nodes:
        yield f"  {_name(at)} = {_value(graph.nodes[at], places, vector)}"
        for k in order.guards.get(at, []):
            low, high = graph.guards[k]
            yield f"  %g{k} = fcmp ole {vector} {_name(low.at)}, {_name(high.at)}"
            yield f"  %and{k} = and {truth} {before}, %g{k}"
            before = f"%and{k}"
    yield f"  %fine = and {truth} {before}, {before}\n  br label %step\nstore:"
    for k, _ in enumerate(state):
        yield f"  store {vector} %s{k}, ptr %x{k}p, align 8"
    yield f"  %flags = zext {truth} %ok to {byte}\n  store {byte} %flags, ptr %fp, align 1\n  br label %stored"
    yield f"stored:\n  %next = add i64 %at, {LANES}\n  br label %blocks\ndone:\n  ret void\n}}"


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


compiled = Compiled
