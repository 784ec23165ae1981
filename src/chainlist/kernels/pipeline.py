"""Numba's pipeline without what kernels do not need: a first run, which compiles, is a quarter shorter.

Kernels that only other kernels call are typed and translated, but not optimised, and get no machine code. Numba would
optimise each of them with all that it calls, and make machine code that nobody runs. The kernel that Python calls contains
them all and is optimised as a whole: what comes out is the same.
"""

from __future__ import annotations

from typing import Any

from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import lowering
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, DefaultPassBuilder, Flags, _LowerResult
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import BaseNativeLowering, NativeLowering


class _QuickFlags(Flags):
    """What a compilation was told. Numba looks up the type of every operation by this, too, some ten thousand times."""

    __slots__ = ()

    def __hash__(self) -> int:
        return _HASH

    def __eq__(self, other: object) -> Any:
        return self._values == other._values if isinstance(other, _QuickFlags) else super().__eq__(other)


_HASH = hash(Flags())  # equal for all, as is Numba's own


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

    def __init__(
        self, typing: Any, target: Any, library: Any, args: Any, returns: Any, flags: Any, locals: Any
    ) -> None:
        super().__init__(typing, target, library, args, returns, _QuickFlags(flags), locals)


class InnerCompiler(EntryCompiler):
    """For kernels that only kernels call."""

    def define_pipelines(self) -> list[Any]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (_InnerLowering, "inner lowering") if step is NativeLowering else (step, words)
            for step, words in pipeline.passes
        ]
        pipeline.finalize()
        return [pipeline]
