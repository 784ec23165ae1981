"""A graph of symbols → CUDA C: one thread a member, its state in registers. The same text compiles for the host, where tests run it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from chainlist.kernels.symbols import Graph, Symbol

THREADS = 128  # of a block
_SIGNS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}
_HEAD = """#ifndef __CUDACC__
#ifndef __CUDACC_RTC__
#define __global__
#define HOST_LOOP for (long long at = 0; at < members; at++)
#endif
#endif
#ifndef HOST_LOOP
#define HOST_LOOP long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x; if (at < members)
#endif
"""


def printed(graph: Graph, state: Sequence[str], after: Sequence[Symbol], numbers: Sequence[str]) -> str:
    """The text of `march`: `steps` steps of all members. Arrays are those of `print_llvm.printed`."""
    return _HEAD + "\n".join(_lines(graph, state, after, numbers)) + "\n"


def _lines(graph: Graph, state: Sequence[str], after: Sequence[Symbol], numbers: Sequence[str]) -> Iterator[str]:
    yield 'extern "C" __global__ void march(double *X, const double *P, unsigned char *F, long long members, long long steps) {'
    yield "HOST_LOOP {"
    for k, _ in enumerate(state):
        yield f"double s{k} = X[{k} * members + at];"
    for k, _ in enumerate(numbers):
        yield f"const double p{k} = P[{k} * members + at];"
    yield "bool ok = F[at] != 0;\nfor (long long n = 0; n < steps; n++) {"
    places = {name: f"s{k}" for k, name in enumerate(state)} | {name: f"p{k}" for k, name in enumerate(numbers)}
    for at in graph.needed(list(after)):
        yield f"const double v{at} = {_value(graph.nodes[at], places)};"
    for low, high in graph.guards:
        yield f"ok = ok && v{low.at} <= v{high.at};"
    for k, symbol in enumerate(after):
        yield f"s{k} = v{symbol.at};"
    yield "}"
    for k, _ in enumerate(state):
        yield f"X[{k} * members + at] = s{k};"
    yield "F[at] = ok ? 1 : 0;\n}\n}"


def _value(node: tuple[Any, ...], places: dict[str, str]) -> str:
    operation = node[0]
    if operation == "input":
        return places[node[1]]
    if operation == "number":
        return float(node[1]).hex()
    if operation == "negate":
        return f"-v{node[1]}"
    return f"v{node[1]} {_SIGNS[operation]} v{node[2]}"


class NoCard(RuntimeError):
    """There is no graphics card that could compute, or no library that reaches it."""


class OnCard:
    """A text compiled for the first NVIDIA card, by NVRTC through CuPy."""

    def __init__(self, text: str) -> None:
        cupy = _cupy()
        self._cupy = cupy
        self._march = cupy.RawModule(code=text, options=("--std=c++17",)).get_function("march")

    def __call__(self, X: Any, P: Any, F: Any, first: int, last: int, steps: int) -> None:
        cupy, members = self._cupy, X.shape[1]
        on_card = [cupy.asarray(x) for x in (X, P, F)]
        blocks = -(-members // THREADS)
        self._march((blocks,), (THREADS,), (*on_card, cupy.int64(members), cupy.int64(steps)))
        X[...], F[...] = cupy.asnumpy(on_card[0]), cupy.asnumpy(on_card[2])


def _cupy() -> Any:
    try:
        import cupy
    except ImportError:
        raise NoCard('device="gpu" needs CuPy: pip install chainlist[gpu]') from None
    try:
        if cupy.cuda.runtime.getDeviceCount() > 0:
            return cupy
    except cupy.cuda.runtime.CUDARuntimeError:
        pass
    raise NoCard('device="gpu": there is no NVIDIA card that CUDA can use on this machine')


def card_name() -> str:
    """What the first card is called, and its memory; raises `NoCard`."""
    cupy = _cupy()
    found = cupy.cuda.runtime.getDeviceProperties(0)
    return f"{found['name'].decode()}, {found['totalGlobalMem'] / 2**30:.0f} GiB"
