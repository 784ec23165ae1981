"""A graph of symbols → CUDA C: one thread a member. The same text compiles for the host, where tests run it.

The values of a small machine stand in registers. Those of a larger one do not fit, and stand on shelves (kernels/shelves.py) in the memory
that the threads of a block share.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from chainlist.kernels.order import most_waiting, ordered
from chainlist.kernels.shelves import Shelves
from chainlist.kernels.symbols import Graph, Symbol

THREADS = 128  # of a block
FITS = 110  # values of a step that wait at the same time, its state among them: beyond, registers do not do
ROOM = 104  # values in registers beside shelves: of the numbers tried on an H200 the best for 16 links
SHARED = 227 * 1024  # bytes that the threads of a block may share
_SHELF = re.compile(r"SHELF\((\d+)\)")
_SIGNS = {"add": "+", "subtract": "-", "multiply": "*"}
_HEAD = """#if !defined(__CUDACC__) && !defined(__CUDACC_RTC__)
#define __global__
#define __launch_bounds__(...)
#define EACH_MEMBER for (long long at = 0; at < members; at++)
#define SHELVES(n) double shelves[n]
#define SHELF(k) shelves[k]
#define FAR_SHELVES(n) double far[n]
#define QUOTIENT(a, b) ((a) / (b))
#else
#define EACH_MEMBER long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x; if (at < members)
#define SHELVES(n) extern __shared__ double together[]; volatile double *shelves = together + threadIdx.x
#define SHELF(k) shelves[(k) * THREADS]
#define FAR_SHELVES(n) volatile double far[n]
// without the cases that are no numbers: members that meet them need care anyway
__device__ __forceinline__ double QUOTIENT(double a, double b) {
double x, e, q;
asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(x) : "d"(b));
e = fma(-b, x, 1.0); x = fma(x, e, x);
e = fma(-b, x, 1.0); x = fma(x, e, x);
q = a * x;
return fma(fma(-b, q, a), x, q);
}
#endif
"""
_SIGNATURE = (
    'extern "C" __global__ void __launch_bounds__(THREADS, 1) march(double *X, const double *P, unsigned char *F, '
    "long long members, long long width, long long steps) {"
)


@dataclass(frozen=True)
class CudaText:
    """The text of `march`, and how many shelves each thread has in the memory that a block shares."""

    text: str
    shelves: int = 0

    @property
    def shared(self) -> int:
        """Bytes that the threads of a block share."""
        return 8 * self.shelves * THREADS


def printed(
    graph: Graph,
    state: Sequence[str],
    after: Sequence[Symbol],
    numbers: Sequence[str],
    *,
    fits: int = FITS,
    room: int = ROOM,
) -> CudaText:
    """`steps` steps of all members: X[state, member] doubles, F[member] becomes 0 where a guard was broken.

    P[number, member] are the other inputs; `width` is 1 where they are the same for all members, P[number], else `members`.
    """
    order = ordered(graph, after)
    places = {name: f"P[{k} * width + own]" for k, name in enumerate(numbers)}
    if most_waiting(graph, after, order) + len(state) <= fits:
        lines = list(_in_registers(graph, state, after, numbers))
        return CudaText(f"#define THREADS {THREADS}\n" + _HEAD + "\n".join(lines) + "\n")
    shelves = Shelves(graph, state, after, order, room, _value)
    step = list(shelves.lines(places.__getitem__))
    near = min(shelves.count, SHARED // (8 * THREADS))
    lines = list(_on_shelves(step, len(state), shelves.count, near))
    return CudaText(f"#define THREADS {THREADS}\n" + _HEAD + "\n".join(lines) + "\n", near)


def _in_registers(graph: Graph, state: Sequence[str], after: Sequence[Symbol], numbers: Sequence[str]) -> Iterator[str]:
    yield f"{_SIGNATURE}\nEACH_MEMBER {{\nconst long long own = width == 1 ? 0 : at;"
    for k, _ in enumerate(state):
        yield f"double s{k} = X[{k} * members + at];"
    for k, _ in enumerate(numbers):
        yield f"const double p{k} = P[{k} * width + own];"
    yield "bool ok = F[at] != 0;\nfor (long long n = 0; n < steps; n++) {"
    places = {name: f"s{k}" for k, name in enumerate(state)} | {name: f"p{k}" for k, name in enumerate(numbers)}
    order = ordered(graph, after)
    for at in order.nodes:
        node = graph.nodes[at]
        names = [f"v{operand}" for operand in node[1:]] if node[0] not in ("input", "number") else []
        given = places[node[1]] if node[0] == "input" else float(node[1]).hex() if node[0] == "number" else ""
        yield f"const double v{at} = {given or _value(node, names)};"
        for k in order.guards.get(at, []):
            low, high = graph.guards[k]
            yield f"ok = ok && v{low.at} <= v{high.at};"
    for k, symbol in enumerate(after):
        yield f"s{k} = v{symbol.at};"
    yield "}"
    for k, _ in enumerate(state):
        yield f"X[{k} * members + at] = s{k};"
    yield "F[at] = ok ? 1 : 0;\n}\n}"


def _on_shelves(step: list[str], state: int, count: int, near: int) -> Iterator[str]:
    """Shelves that are used least stand far away, in memory of the thread alone: what is shared is too small for all."""
    uses = Counter(int(k) for line in step for k in _SHELF.findall(line))
    by_use = sorted(range(count), key=lambda k: -uses[k])
    places = {k: f"SHELF({n})" if n < near else f"far[{n - near}]" for n, k in enumerate(by_use)}
    yield f"{_SIGNATURE}\nSHELVES({near});\nFAR_SHELVES({count - near + 1});\nEACH_MEMBER {{"
    yield "const long long own = width == 1 ? 0 : at;"
    for k in range(state):
        yield f"{places[k]} = X[{k} * members + at];"
    yield "bool ok = F[at] != 0;\nfor (long long n = 0; n < steps; n++) {"
    for line in step:
        yield _SHELF.sub(lambda found: places[int(found[1])], line)
    yield "}"
    for k in range(state):
        yield f"X[{k} * members + at] = {places[k]};"
    yield "F[at] = ok ? 1 : 0;\n}\n}"


def _value(node: tuple[Any, ...], names: list[str]) -> str:
    if node[0] == "negate":
        return f"-({names[0]})"
    if node[0] == "divide":
        return f"QUOTIENT({names[0]}, {names[1]})"
    return f"{names[0]} {_SIGNS[node[0]]} {names[1]}"


class NoCard(OSError):
    """There is no graphics card that could compute, or no library that reaches it."""


class OnCard:
    """A text compiled for the first NVIDIA card, by NVRTC through CuPy."""

    def __init__(self, text: CudaText) -> None:
        cupy = self._cupy = look_for_card()
        self._text = text
        self._march = cupy.RawModule(code=text.text, options=("--std=c++17",)).get_function("march")
        if text.shared:
            self._march.max_dynamic_shared_size_bytes = text.shared

    def __call__(self, X: Any, P: Any, F: Any, steps: int) -> None:
        members, whole = X.shape[1], self._cupy.int64
        numbers = whole(members), whole(P.shape[1]), whole(steps)
        blocks = -(-members // THREADS)
        self._march((blocks,), (THREADS,), (X, P, F, *numbers), shared_mem=self._text.shared)

    def place(self, array: Any) -> Any:
        """An array on the card."""
        return self._cupy.ascontiguousarray(self._cupy.asarray(array))

    def place_numbers(self, P: Any) -> Any:
        """Inputs that are the same for all members are kept once."""
        return self.place(P[:, :1] if (P == P[:, :1]).all() else P)

    def fetch(self, array: Any) -> Any:
        return self._cupy.asnumpy(array)


def look_for_card() -> Any:
    """CuPy, where it finds a card; else the reason is told."""
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
    cupy = look_for_card()
    found = cupy.cuda.runtime.getDeviceProperties(0)
    return f"{found['name'].decode()}, {found['totalGlobalMem'] / 2**30:.0f} GiB"
