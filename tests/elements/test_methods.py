"""Methods with forces and drives: they keep their order, every system and algorithm takes them, and the bits are the same."""

import dataclasses
import functools

import numpy as np
import pytest

from chainlist import formulations, integrators, solvers
from chainlist.model.combinations import clashes
from chainlist.run.grid import RunRefused
from chainlist.run.simulate import simulate
from tests.elements.machines import DAMPERS, DRIVES, FORCES, RATES, machine

STEPS = {1: 0.02, 2: 0.04, 3: 0.05, 4: 0.1, 5: 0.1, 8: 0.2}
TEXTS = {"forces": FORCES, "dampers": FORCES + DAMPERS, "drives": DRIVES, "rates": DRIVES + RATES}
WHOLE = ("dampers", "rates")  # these hold the other two


def orders():
    """Each integrator with fixed steps, with all that it takes; what is a part of something else there, in the long tests.

    Of those that take both dampers and driven velocities, one has these and the next one those, and the rest in the long tests.
    """
    for number, (name, method) in enumerate(integrators.REGISTRY.items()):
        if method.adaptive:
            continue
        for text in TEXTS:
            if text not in WHOLE:
                yield pytest.param(name, text, marks=() if method.holds_constraints else pytest.mark.long)
            elif not method.holds_constraints:  # refused: see below
                yield pytest.param(name, text, marks=() if text == WHOLE[number % 2] else pytest.mark.long)


@pytest.mark.parametrize(("name", "text"), list(orders()))
def test_order(name, text):
    """Three runs, each at half the step of the one before: their differences fall with the order."""
    order = integrators.REGISTRY[name].order
    ends = []
    for h in (STEPS[order], STEPS[order] / 2, STEPS[order] / 4):
        run = simulate(machine(TEXTS[text], 0.4, h, INTEGRATOR=name, GUARD="OFF"), target="python")
        assert run.status.ok
        ends.append(np.concatenate([run.q[-1], run.v[-1]]))
    measured = np.log2(np.abs(ends[0] - ends[1]).max() / np.abs(ends[1] - ends[2]).max())
    assert order - 0.4 < measured < order + 0.8


@pytest.mark.parametrize("name", [name for name, method in integrators.REGISTRY.items() if method.holds_constraints])
@pytest.mark.parametrize("text", WHOLE)
def test_methods_that_know_no_velocities_are_refused(name, text):
    made = machine(TEXTS[text])
    options = dataclasses.replace(made.options, integrator=name)
    with pytest.raises(RunRefused, match="does not go with the"):
        simulate(dataclasses.replace(made, options=options))


def choices():
    """Each system with RK4, each algorithm with PROJECTED and INDEX1."""
    yield from ((system, "AUTO") for system in formulations.REGISTRY)
    yield from (("INDEX1", algorithm) for algorithm in solvers.REGISTRY if algorithm != "AUTO")
    yield from (("PROJECTED", algorithm) for algorithm in solvers.REGISTRY if algorithm != "AUTO")


@functools.cache
def by_default(text):
    return simulate(machine(TEXTS[text], 0.1, 0.01), target="python")


@pytest.mark.parametrize(
    "text", [pytest.param(text, marks=() if text in WHOLE else pytest.mark.long) for text in TEXTS]
)
@pytest.mark.parametrize(("system", "algorithm"), list(choices()))
def test_every_system_and_algorithm(system, algorithm, text):
    made = machine(TEXTS[text], 0.1, 0.01, DAESYSTEM=system, MPI_ALGO=algorithm)
    assert not clashes(made.options)
    run = simulate(made, target="python")
    wanted = by_default(text)
    assert run.status.ok
    np.testing.assert_allclose(run.q, wanted.q, atol=1e-4)
    np.testing.assert_allclose(run.v, wanted.v, atol=1e-2)


@pytest.mark.parametrize("text", WHOLE)
def test_compiled_and_interpreted_runs_have_equal_bits(text):
    made = machine(TEXTS[text], 0.2, 0.01)
    compiled, interpreted = simulate(made), simulate(made, target="python")
    np.testing.assert_array_equal(compiled.q, interpreted.q)
    np.testing.assert_array_equal(compiled.v, interpreted.v)
    np.testing.assert_array_equal(compiled.memory, interpreted.memory)
