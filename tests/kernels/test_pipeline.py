"""Inner kernels: no machine code of their own, the same result, and found again on the disk."""

import contextlib
import os
import subprocess
import sys

import numpy as np
import pytest

from chainlist.kernels.bind import bind

PROGRAM = """
import numpy as np
from chainlist.kernels.bind import bind
from tests.kernels.test_pipeline import {entry}, half
inner = bind(half)
print(bind({entry}, entry=True, half=inner)(np.ones(3)), sum(inner.stats.cache_hits.values()))
"""


def half(x):
    return 0.5 * x


def sum_of_halves(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += half(x[i])
    return total


def product_of_halves(x):
    total = 1.0
    for i in range(x.shape[0]):
        total *= half(x[i])
    return total


def test_an_inner_kernel_gets_no_machine_code(monkeypatch, tmp_path):
    monkeypatch.setattr("chainlist.kernels.bind._how_it_is_compiled", lambda: str(tmp_path))  # so, nowhere on the disk
    inner = bind(half)
    entry = bind(sum_of_halves, entry=True, half=inner)
    assert entry(np.arange(4.0)) == 3.0
    (made,) = entry.compiled.overloads.values()
    assert made.library.get_pointer_to_function(made.fndesc.llvm_func_name) != 0
    (part,) = inner.overloads.values()
    assert part.library.get_pointer_to_function(part.fndesc.llvm_func_name) == 0


def sum_of_nothing(x):
    return x.no_such_thing


@pytest.mark.parametrize("kernel", [sum_of_halves, sum_of_nothing])
def test_numba_is_left_as_it_was(kernel, monkeypatch, tmp_path):
    """Other compiled code in the same process must not feel in what haste ours was compiled."""
    from numba.core.cpu import CPUContext
    from numba.core.errors import TypingError
    from numba.core.types.functions import BaseFunction
    from numba.core.typing.context import Context

    monkeypatch.setattr("chainlist.kernels.bind._how_it_is_compiled", lambda: str(tmp_path))
    places = (
        (BaseFunction, "get_call_type"),
        (CPUContext, "load_additional_registries"),
        (Context, "load_additional_registries"),
    )
    before = [getattr(kind, name) for kind, name in places]
    helpers = {"half": bind(half)} if kernel is sum_of_halves else {}
    with contextlib.suppress(TypingError):
        bind(kernel, entry=True, **helpers)(np.ones(3))
    assert [getattr(kind, name) for kind, name in places] == before


def quarter(x):
    return half(0.5 * x)


def sum_of_quarters(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += quarter(x[i])
    return total


@pytest.mark.parametrize("inline", [False, True])
def test_what_is_apart_stays_so_inside_what_is_inlined(inline):
    """To copy large kernels to every place that calls them made plans ten times as long to compile."""
    from numba import float64

    inner = bind(half, inline=inline)
    bind(sum_of_quarters, entry=True, quarter=bind(quarter, half=inner))(np.ones(3))
    inner.compile((float64,))  # at hand, or loaded
    (made,) = inner.overloads.values()
    assert ("alwaysinline" in made.library.get_llvm_str()) == inline


@pytest.mark.long
def test_another_process_finds_an_inner_kernel_for_another_entry(tmp_path):
    surroundings = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    for entry, expected in (
        ("sum_of_halves", "1.5 0"),
        ("product_of_halves", "0.125 1"),
        ("product_of_halves", "0.125"),
    ):
        program = [sys.executable, "-c", PROGRAM.format(entry=entry)]
        done = subprocess.run(program, capture_output=True, text=True, check=True, env=surroundings)
        assert done.stdout.startswith(expected)


TOGETHER = """
import sys, time
import numpy as np
from chainlist.kernels.bind import bind
from tests.kernels.test_pipeline import half, quarter, sum_of_quarters
entry = bind(sum_of_quarters, entry=True, quarter=bind(quarter, half=bind(half)))
print(flush=True)
sys.stdin.readline()
entry(np.ones(3))
print(*entry.compiled.stats.cache_misses.values())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="files are not locked there")
def test_of_processes_that_need_a_kernel_at_once_one_compiles_it(tmp_path):
    surroundings = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    program, pipe = [sys.executable, "-c", TOGETHER], subprocess.PIPE
    processes = [subprocess.Popen(program, stdin=pipe, stdout=pipe, text=True, env=surroundings) for _ in range(3)]
    for process in processes:
        process.stdout.readline()  # it is there
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    compiled = sorted(process.communicate()[0].strip() for process in processes)
    assert compiled == ["", "", "1"]
