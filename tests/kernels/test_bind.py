"""Binding: slots are filled, names tell bindings apart, mistakes are refused."""

import dis
import math
import re
import types

import numpy as np
import pytest

from chainlist import elements, formulations, integrators, solvers
from chainlist.kernels import adapt, attempt, dense, forces, march, rows, settle, slots, sparse, state, survey, tape
from chainlist.kernels.bind import Workshop, bind, global_names, slots_of
from chainlist.kernels.slots import STAGES, promise, rhs

SIZE = 3


def fill(x):
    for i in range(x.shape[0]):
        x[i] = STAGES * math.sqrt(2.0) + SIZE


def caller(x):
    rhs(x)


def calls_a_helper(x):
    fill(x)


def three_long(x):
    promise(x.shape[0] == 3)


def total_of_three(x):
    rhs(x)
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i]
    return total


def allocates(x):
    return np.zeros(3)


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_two_bindings_of_one_kernel_are_two_kernels(target):
    results = []
    for stages in (1, 2):
        kernel = bind(fill, target=target, entry=True, STAGES=stages)
        x = np.zeros(2)
        kernel(x)
        results.append(x[0])
    assert results == [1 * math.sqrt(2.0) + 3, 2 * math.sqrt(2.0) + 3]


def test_the_name_tells_what_is_bound_inside():
    inner = [bind(fill, target="python", STAGES=n) for n in (1, 2)]
    outer = [bind(caller, target="python", rhs=kernel) for kernel in inner]
    assert outer[0].ident != outer[1].ident
    assert outer[0].__name__ == f"caller_{outer[0].ident}"


def test_an_unknown_slot_is_refused():
    with pytest.raises(TypeError, match="fill has no slot named stages"):
        bind(fill, target="python", STAGES=1, stages=2)


@pytest.mark.parametrize(("kernel", "name"), [(fill, "STAGES"), (caller, "rhs")])
def test_an_open_slot_is_refused(kernel, name):
    with pytest.raises(TypeError, match=f"slot {name} of {kernel.__name__} was left open"):
        bind(kernel, target="python")


def test_a_kernel_that_reaches_for_numpy_is_refused():
    with pytest.raises(TypeError, match="uses np, which is neither a slot nor a number"):
        bind(allocates, target="python")


def test_an_unknown_target_is_refused():
    with pytest.raises(ValueError, match="unknown target 'gpu'"):
        bind(fill, target="gpu", STAGES=1)


def test_a_workshop_finds_slots_by_name():
    shop = Workshop("python", STAGES=5)
    shop.put("rhs", fill)
    x = np.zeros(1)
    shop.make(caller)(x)
    assert x[0] == 5 * math.sqrt(2.0) + 3


def test_a_workshop_binds_helpers_along_with_their_caller():
    results = []
    for stages in (1, 2):
        x = np.zeros(1)
        Workshop("python", STAGES=stages).make(calls_a_helper)(x)
        results.append(x[0])
    assert results == [1 * math.sqrt(2.0) + 3, 2 * math.sqrt(2.0) + 3]


def every_kernel():
    for module in (adapt, attempt, dense, forces, march, rows, settle, sparse, state, survey, tape):
        for value in vars(module).values():
            if callable(value) and getattr(value, "__module__", "") == module.__name__:
                yield value
    for kind in elements.REGISTRY.values():
        yield from (part for part in (kind.row, kind.force, kind.energy) if part is not None)
    for system in formulations.REGISTRY.values():
        yield from (system.rhs, system.land)
    for solver in solvers.REGISTRY.values():
        if solver.pinv is not None:
            yield solver.pinv
    for method in integrators.REGISTRY.values():
        parts = (method.advance, method.estimate, method.more_stages, method.interpolate, method.substep)
        yield from (part for part in parts if part is not None)


def helpers(kernel):
    """The kernels that it calls by name, whether they stand beside it or were imported."""
    values = [kernel.__globals__[name] for name in slots_of(kernel)]
    return [value for value in values if isinstance(value, types.FunctionType) and value.__module__ != slots.__name__]


def with_helpers(kernels):
    found, pending = {}, list(kernels)
    while pending:
        kernel = pending.pop()
        if kernel not in found:
            found[kernel] = None
            pending += helpers(kernel)
    return sorted(found, key=lambda kernel: (kernel.__module__, kernel.__name__))


EVERY_KERNEL = with_helpers(every_kernel())


@pytest.mark.parametrize("kernel", EVERY_KERNEL, ids=lambda k: f"{k.__module__}.{k.__name__}")
def test_kernels_name_only_slots_numbers_and_other_kernels(kernel):
    for name in slots_of(kernel):
        value = kernel.__globals__[name]
        assert hasattr(slots, name) or isinstance(value, (int, float, tuple)) or value in EVERY_KERNEL, name
    assert kernel.__module__.startswith("chainlist.")


def three(target):
    shop = Workshop(target)
    shop.put("rhs", three_long, early=True)
    shop.parts["rhs"].cacheable = False  # so that the code of the caller can be looked at
    return shop.make(total_of_three, entry=True)


def test_the_compiler_counts_on_a_promise():
    kernel = three("cpu")
    assert kernel(np.array([1.0, 2.0, 3.0])) == 6.0
    [code] = kernel.compiled.inspect_llvm().values()
    body = code[code.index("{", code.index("define")) :]
    body = body[: body.index("ret ")]
    assert re.search(r"icmp eq i64 %\S+, 3\n", body), "it goes around three times"
    assert "%arg.x.5" not in body, "nobody asks how long the array is"


def test_a_promise_that_does_not_hold_is_found_by_interpreting():
    assert three("python")(np.ones(3)) == 3.0
    with pytest.raises(AssertionError, match="promise"):
        three("python")(np.ones(4))


@pytest.mark.parametrize("module", [adapt, attempt, dense, forces, march, rows, settle, sparse, state, survey, tape])
def test_the_quick_look_for_global_names_finds_what_the_disassembler_finds(module):
    kernels = [thing for thing in vars(module).values() if isinstance(thing, types.FunctionType)]
    assert kernels
    for kernel in kernels:
        told = [i.argval for i in dis.get_instructions(kernel) if i.opname == "LOAD_GLOBAL"]
        assert global_names(kernel.__code__) == tuple(dict.fromkeys(told))


def test_the_quick_look_reads_arguments_of_more_than_eight_bits():
    names = [f"name{number}" for number in range(300)]
    scope = {}
    exec("def many():\n    return " + " + ".join(names), scope)
    assert list(global_names(scope["many"].__code__)) == names
