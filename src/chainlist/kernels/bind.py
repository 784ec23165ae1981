"""Fill the open slots of a kernel and compile the copy: the one place that knows the compiler.

A kernel names other kernels and constants as globals (see `slots.py`). `bind` copies it with these globals filled. The
name of the copy carries a hash of its source and of all that was bound into it: the compiler's cache on disk looks at
neither, and would otherwise hand out the machine code of another binding.
"""

from __future__ import annotations

import builtins
import dis
import functools
import gc
import hashlib
import importlib
import linecache
import math
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

from chainlist.kernels.lenient import lenient
from chainlist.kernels.slots import _open

Kernel = Callable[..., Any]

# No reference counting, so that a kernel that allocates is refused; divisions give inf and nan as NumPy's do.
_COMMON = {"error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
_INNER = {"no_cpython_wrapper": True}
_LOAD_GLOBAL, _EXTENDED = dis.opmap["LOAD_GLOBAL"], dis.opmap["EXTENDED_ARG"]


_BOUND: dict[tuple[str, str, str], Any] = {}  # a copy is compiled once, however often it is asked for


class KernelError(TypeError):
    """A kernel that cannot be bound as it is written."""

    def __init__(self, kernel: Kernel, message: str) -> None:
        super().__init__(message)
        self.code = kernel.__code__


@functools.cache
def global_names(code: types.CodeType) -> tuple[str, ...]:
    """The global names that the code of a function reads, in the order of first use.

    `dis.get_instructions` says the same, and takes twenty times as long; a test holds both against one another.
    """
    found: dict[str, None] = {}
    high = 0  # what an EXTENDED_ARG adds to the argument that follows it
    for operation, low in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        argument = high << 8 | low
        high = argument if operation == _EXTENDED else 0
        if operation == _LOAD_GLOBAL:
            found[code.co_names[argument >> 1]] = None  # the lowest bit is about the call that may follow
    return tuple(found)


def slots_of(kernel: Kernel) -> tuple[str, ...]:
    """The names that `kernel` reads and that are neither builtins nor the module `math`: all that can be bound."""
    values = kernel.__globals__
    return tuple(n for n in global_names(kernel.__code__) if values.get(n) is not math and not _is_builtin(n, values))


def _is_builtin(name: str, values: dict[str, Any]) -> bool:
    return name not in values and hasattr(builtins, name)


def _is_constant(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_is_constant(item) for item in value)
    return isinstance(value, (bool, int, float))


def _source(kernel: Kernel) -> tuple[str, bool]:
    """Text that stands for the kernel in the hash, and whether it lives in a file (else it cannot be cached)."""
    code = kernel.__code__
    lines = linecache.getlines(code.co_filename)
    if not lines:
        return f"{code.co_code!r}{code.co_consts!r}", False
    last = max(line for _, _, line in code.co_lines() if line)
    return "".join(lines[code.co_firstlineno - 1 : last]), True


@functools.cache
def _how_it_is_compiled() -> str:
    """A hash of this file, of how bundles are read and of the pipeline: machine code on disk depends on them."""
    here = Path(__file__)
    texts = [here.with_name(name).read_bytes() for name in (here.name, "address.py", "pipeline.py")]
    return hashlib.sha1(b"".join(texts)).hexdigest()[:12]


def bind(
    kernel: Kernel,
    *,
    target: str = "cpu",
    entry: bool = False,
    inline: bool = True,
    early: bool = False,
    **filling: Any,
) -> Callable[..., Any]:
    """A copy of `kernel` whose slots are filled, compiled for `target` ("python": left as it is, or "cpu").

    `entry` is for kernels that Python calls; inner ones get no wrapper and, unless `inline` is False, are inlined. Promises
    of an inner kernel reach its caller only if it is inlined `early`, before it is machine code.
    """
    if target not in ("python", "cpu"):
        raise ValueError(f"unknown target {target!r}: python, cpu")
    wanted = slots_of(kernel)
    unknown = sorted(filling.keys() - set(wanted))
    if unknown:
        raise KernelError(kernel, f"{kernel.__name__} has no slot named {', '.join(unknown)}")
    source, in_file = _source(kernel)
    # Machine code on disk looks up the module of a kernel by its name: a plug-in loaded under another name is another kernel.
    home = "" if kernel.__module__.startswith("chainlist.") else f" module={kernel.__module__}"
    parts = [source, f"target={target} entry={entry} inline={inline} early={early}{home} {_how_it_is_compiled()}"]
    cacheable = in_file
    for name in sorted(wanted):
        if name not in filling and name not in kernel.__globals__:
            raise KernelError(kernel, f"{kernel.__name__} uses {name}, which is not defined")
        value = filling[name] if name in filling else kernel.__globals__.get(name)
        if value is None or value is _open:
            raise KernelError(kernel, f"slot {name} of {kernel.__name__} was left open")
        if not hasattr(value, "ident") and not _is_constant(value):
            raise KernelError(kernel, f"{kernel.__name__} uses {name}, which is neither a slot nor a number")
        cacheable = cacheable and getattr(value, "cacheable", True)
        parts.append(f"{name}={getattr(value, 'ident', repr(value))}")
    ident = hashlib.sha1("\n".join(parts).encode()).hexdigest()[:12]
    key = (kernel.__module__, kernel.__name__, ident)
    if key in _BOUND:
        known: Callable[..., Any] = _BOUND[key]
        return known
    known_names = {**kernel.__globals__, **filling}
    if target == "python" and kernel.__globals__.get("math") is math:
        known_names["math"] = lenient
    copy: Any = types.FunctionType(kernel.__code__, known_names, f"{kernel.__name__}_{ident}")
    copy.__qualname__, copy.__module__ = copy.__name__, kernel.__module__
    if target == "cpu":
        copy = _compiled(copy, entry=entry, inline=inline, early=early, cache=cacheable)
    copy.ident, copy.cacheable = ident, cacheable
    _BOUND[key] = copy
    return copy  # type: ignore[no-any-return]


def _compiled(copy: Kernel, *, entry: bool, inline: bool, early: bool, cache: bool) -> Any:
    from numba import njit

    from chainlist.kernels.pipeline import EntryCompiler, InnerCompiler

    options: dict[str, Any] = {**_COMMON, "cache": cache, "pipeline_class": EntryCompiler if entry else InnerCompiler}
    if not entry:
        options |= _INNER
        if early:
            options["inline"] = "always"
        else:
            options["forceinline"] = inline  # said in both cases: what is not said, Numba takes over from the caller
    compiled = njit(**options)(copy)
    return Entry(compiled) if entry and not _compiler_is_off() else compiled


class Entry:
    """A compiled kernel that Python calls. Bundles among its arguments go in by their address."""

    def __init__(self, compiled: Any) -> None:
        self.compiled = compiled
        self.is_ready = False  # whether it can be called without compiling it, or loading it from the disk, first
        self.ident, self.cacheable = "", True  # `bind` says

    def __call__(self, *arguments: Any) -> Any:
        if not self.is_ready:
            self.make_ready(*arguments)
        return self.compiled(*handed(arguments))

    def make_ready(self, *arguments: Any) -> None:
        """Compile it for these arguments, or load it, without calling it."""
        from numba import typeof

        from chainlist.kernels.pipeline import in_haste
        from chainlist.kernels.turns import taking_turns

        thresholds = gc.get_threshold()
        # a compiler makes many objects and few circles: to look for these is a tenth of its time
        gc.set_threshold(50_000, 50, 50)
        try:
            # whoever waits for another process does not hold the lock of the compiler
            with taking_turns(self.compiled.stats.cache_path if self.cacheable else None, self.ident), in_haste():
                self.compiled.compile(tuple(typeof(argument) for argument in handed(arguments)))
        finally:
            gc.set_threshold(*thresholds)
        self.is_ready = True


def handed(arguments: tuple[Any, ...]) -> list[Any]:
    """The arguments as a compiled kernel takes them."""
    return [
        _hand_over()(argument) if isinstance(argument, tuple) and hasattr(argument, "_fields") else argument
        for argument in arguments
    ]


@functools.cache
def _hand_over() -> Callable[[Any], Any]:
    """Imported when something is compiled, and looked up once: an import of its own in each call costs more than the rest."""
    from chainlist.kernels.address import hand_over

    return hand_over


def is_ready(kernel: Any) -> bool:
    """Whether a kernel can be called without compiling it, or loading it from the disk, first."""
    return bool(getattr(kernel, "is_ready", True))


def make_ready(kernel: Any, *arguments: Any) -> float:
    """Compile a kernel for these arguments, or load it, without calling it; returns the seconds that it took."""
    clock = time.perf_counter()
    kernel.make_ready(*arguments)
    return time.perf_counter() - clock


def load_compiler_alone() -> None:
    """Load Numba without its search for a BLAS, which brings SciPy: kernels are plain arithmetic and need none.

    For processes that are chainlist's own: other compiled code in them could no longer multiply matrices.
    """
    name = "scipy.linalg.cython_blas"
    if name in sys.modules:
        return
    sys.modules[name] = None
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        del sys.modules[name]


@functools.cache
def promise(target: str) -> Any:
    """The kernel `promise(truth)`: the compiler counts on it without looking; interpreted, it is checked."""
    kernel: Any = _checked if target == "python" or _compiler_is_off() else _assumed()
    kernel.ident = "promise"
    return kernel


def _compiler_is_off() -> bool:
    """NUMBA_DISABLE_JIT=1, for debugging."""
    from numba import config

    return bool(getattr(config, "DISABLE_JIT", False))


def _checked(truth: bool) -> None:
    if not truth:
        raise AssertionError("a promise to the compiler does not hold")


def _assumed() -> Any:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def assume(typing: Any, truth: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kind = ir.FunctionType(ir.VoidType(), [ir.IntType(1)])
            builder.call(builder.module.declare_intrinsic("llvm.assume", (), kind), values)
            return context.get_dummy_value()

        return types.void(types.boolean), generate

    return intrinsic(assume)


class Workshop:
    """Binds kernels: each finds in `parts` what its open slots ask for by name, and its fixed helpers bound likewise."""

    def __init__(self, target: str, **constants: Any) -> None:
        self.target = target
        self.parts: dict[str, Any] = {"promise": promise(target), **constants}

    def make(
        self, kernel: Kernel, *, entry: bool = False, inline: bool = True, early: bool = False, **more: Any
    ) -> Any:
        """Bind `kernel` with what is there, and with `more`, which takes precedence."""
        have = {**self.parts, **more}
        filling = {}
        for name in slots_of(kernel):
            if name in have:
                filling[name] = have[name]
            elif isinstance(helper := kernel.__globals__.get(name), types.FunctionType) and helper is not _open:
                # a helper that the kernel imports, or that stands beside it: nothing is chosen, it is bound with its caller
                inline_it = getattr(helper, "inline", True)
                filling[name] = self.make(helper, inline=inline_it, early=getattr(helper, "early", False), **more)
        return bind(kernel, target=self.target, entry=entry, inline=inline, early=early, **filling)

    def put(self, name: str, kernel: Kernel, *, inline: bool = True, early: bool = False, **more: Any) -> None:
        """Bind `kernel` and let later ones find it as `name`."""
        self.parts[name] = self.make(kernel, inline=inline, early=early, **more)
