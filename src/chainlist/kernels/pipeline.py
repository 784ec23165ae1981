"""Numba's pipeline without what kernels do not need: a first run, which compiles, takes half the time.

Kernels that only other kernels call are typed and translated, but not optimised, and get no machine code. Numba would
optimise each of them with all that it calls, and make machine code that nobody runs. The kernel that Python calls contains
them all and is optimised as a whole: what comes out is the same.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from llvmlite.binding import create_pass_builder, create_pipeline_tuning_options
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import config, lowering
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, DefaultPassBuilder, Flags, _LowerResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.core.cpu import CPUContext
from numba.core.typed_passes import BaseNativeLowering, NativeLowering
from numba.core.types.functions import BaseFunction
from numba.core.typing.context import Context

# Steps for what no kernel has: closures, `with`, generators of literals, whole-array formulas, errors that carry values.
_NOT_NEEDED = {
    "with_lifting",
    "inline_closure_likes",
    "Rewrite dynamic raises",
    "make_function_op_code_to_jit_function",
    "find_literally",
    "literal_unroll",
    "LiteralPropagation",
    "inline_overloads",
    "nopython_rewrites",
    "dump_parfor_diagnostics",
}


@contextlib.contextmanager
def in_haste() -> Iterator[None]:
    """While this is open, Numba looks up only once how an operation is typed, and which implementations there are.

    A compilation asks some thousand times for some two hundred operations, and Numba tries everything that bears the name
    of each; and it imports its own modules anew whenever a kernel is typed. Nothing registers anything while our kernels are
    compiled, and others wait for the same lock.
    """
    with global_compiler_lock, contextlib.ExitStack() as undo:
        for kind in (CPUContext, Context):
            _replace(undo, kind, "load_additional_registries", _only_once(kind.load_additional_registries))
        _replace(undo, BaseFunction, "get_call_type", _remembered(BaseFunction.get_call_type))
        yield


def _replace(undo: contextlib.ExitStack, kind: Any, name: str, method: Any) -> None:
    undo.callback(setattr, kind, name, getattr(kind, name))
    setattr(kind, name, method)


def _only_once(load: Any) -> Any:
    loaded: dict[int, Any] = {}

    def load_once(self: Any) -> None:
        if id(self) not in loaded:
            loaded[id(self)] = self  # kept, so that its number is not given to another one
            load(self)

    return load_once


def _remembered(find: Any) -> Any:
    known: dict[Any, Any] = {}

    def recall(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            return find(self, context, args, kws)
        if (self, args) not in known:
            known[self, args] = find(self, context, args, kws)
        return known[self, args]

    return recall


class _QuickFlags(Flags):
    """What a compilation was told. Numba looks up the type of every operation by this, too, some ten thousand times."""

    __slots__ = ()

    def __hash__(self) -> int:
        return _HASH

    def __eq__(self, other: object) -> Any:
        return self._values == other._values if isinstance(other, _QuickFlags) else super().__eq__(other)


_HASH = hash(Flags())  # equal for all, as is Numba's own


class _EntryLibrary(JITCodeLibrary):
    """Machine code. Numba would optimise twice, to find counts of references to remove: kernels have none.

    Loops over bodies and links are short in small machines, and then what comes before and behind many rounds at once costs
    more than it saves: they are vectorised, but no more.
    """

    def _optimize_final_module(self) -> None:
        tuning = create_pipeline_tuning_options(config.OPT)  # type: ignore[attr-defined]
        tuning.loop_interleaving = tuning.loop_unrolling = False
        passes = create_pass_builder(self._codegen._tm, tuning)
        passes.getModulePassManager().run(self._final_module, passes)


class _InnerLibrary(JITCodeLibrary):
    """Code to be linked into other code. On disk it is LLVM's own format, not machine code."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def serialize_using_object_code(self) -> Any:
        return self.serialize_using_bitcode()


@register_pass(mutates_CFG=True, analysis_only=False)
class _EntryLowering(NativeLowering):
    _name = "entry_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = library = _EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        library.enable_object_caching()
        super().run_pass(state)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _InnerLowering(BaseNativeLowering):
    _name = "inner_lowering"  # type: ignore[assignment]

    @property
    def lowering_class(self) -> Any:
        return lowering.Lower

    def run_pass(self, state: Any) -> bool:
        state.library = library = _InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        made = state.cr
        module, name = made.fndesc.lookup_module(), made.fndesc.qualname.split(".")[-1]
        key = _dynfunc.make_function(module, name, "only called by kernels", 0, made.env, (library,))
        state.targetctx.insert_user_function(key, made.fndesc, [library])  # callers find it by this key
        state["cr"] = _LowerResult(made.fndesc, made.call_helper, cfunc=key, env=made.env)
        return True


class EntryCompiler(Compiler):
    """For kernels that Python calls."""

    lowering: Any = _EntryLowering

    def __init__(
        self, typing: Any, target: Any, library: Any, args: Any, returns: Any, flags: Any, locals: Any
    ) -> None:
        super().__init__(typing, target, library, args, returns, _QuickFlags(flags), locals)

    def define_pipelines(self) -> list[Any]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (self.lowering if step is NativeLowering else step, words)
            for step, words in pipeline.passes
            if step.name() not in _NOT_NEEDED
        ]
        pipeline.finalize()
        return [pipeline]


class InnerCompiler(EntryCompiler):
    """For kernels that only kernels call."""

    lowering = _InnerLowering
