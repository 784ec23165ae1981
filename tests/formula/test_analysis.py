"""What is said of a formula before a run: what it uses, its degree in velocities, the times of its corners."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chainlist.formula import TIME, Constant, Moving, Operation, Quantity, function
from chainlist.formula.analysis import breakpoints, degree_in_velocities, over_time, uses

X, VX, VY = (Quantity(name, ("B1",)) for name in ("X", "VX", "VY"))
SPEED = Quantity("SPEED", ("B1",))
OMEGA = Quantity("OMEGA", ("C1",))


def less(a, b):
    return Operation(
        "<", (a if not isinstance(a, float) else Constant(a), b if not isinstance(b, float) else Constant(b))
    )


@pytest.mark.parametrize(
    ("formula", "families"),
    [
        (Constant(1.0), set()),
        (TIME * 2, {"time"}),
        (X + 1, {"positions"}),
        (function("sin", TIME) * VX / X, {"time", "positions", "velocities"}),
        (Quantity("TENSION", ("C1",)), {"forces"}),
        (Quantity("DIST", ("B1", (0.0, 0.0))), {"positions"}),
        (Quantity("DIST", ("B1", Moving((TIME, Constant(0.0))))), {"positions", "time"}),
        (Quantity("ANGLE", ("C1",)) + OMEGA, {"positions", "velocities"}),
    ],
)
def test_what_a_formula_uses(formula, families):
    assert uses(formula) == families


@pytest.mark.parametrize(
    ("formula", "degree"),
    [
        (X * X + TIME, 0),
        (VX, 1),
        (X * VX - 3 * VY + TIME, 1),
        (-VX / X, 1),
        (VX * VY, 2),
        (VX**2, 2),
        (X / VX, 2),
        (SPEED, 2),
        (OMEGA * 2 - TIME, 1),
        (function("sin", VX), 2),
        (function("sin", X) * VX, 1),
        (function("if", less(X, 0.0), VX, VY), 1),
        (function("if", less(VX, 0.0), VX, VY), 2),
        (function("abs", VX), 2),
    ],
)
def test_the_degree_in_velocities(formula, degree):
    assert degree_in_velocities(formula) == degree


@pytest.mark.parametrize(
    ("formula", "times"),
    [
        (function("step", TIME - 1), [1.0]),
        (function("step", 0.1 - TIME) * X, [0.1]),
        (function("abs", 3 * TIME - 1.5) / X, [0.5]),
        (function("if", less(TIME, 2.0), X, 0), [2.0]),
        (function("if", less(2.0, -TIME), X, 0), []),
        (function("max", TIME, 2 - TIME), [1.0]),
        (function("floor", TIME / 0.5), [0.5, 1.0, 1.5, 2.0, 2.5]),
        (function("mod", TIME - 0.25, 1), [0.25, 1.25, 2.25]),
        (function("pwl", TIME, 0, 0, 0.7, 1, 2, 5), [0.7, 2.0]),
        (function("table", 2 * TIME, -1, 0, 1, 1, 3, 0), [0.5, 1.5]),
        (function("spline", TIME, 0.1, 0, 0.2, 1, 3.5, 0), [0.1, 0.2]),
        (function("smooth", TIME, 1, 2), [1.0, 2.0]),
        (function("pulse", TIME, 0, 1, 0.25, 0.1, 0.1, 0.3, 1), [0.25, 0.35, 0.65, 0.75, 1.25, 1.35, 1.65, 1.75, 2.25, 2.35, 2.65, 2.75]),
        (function("pulse", TIME, 0, 1, 1, 0, 0, 0.5, 1), [1.0, 1.5, 2.0, 2.5]),
        (function("step", X - 1), []),
        (function("step", function("if", less(TIME, 1.0), TIME, -1)), [1.0]),
    ],
)  # fmt: skip
def test_breakpoints_of_what_is_linear_in_time_are_exact(formula, times):
    assert breakpoints(formula, 3.0) == times


def test_breakpoints_of_other_functions_are_found_to_the_last_bit():
    formula = function("sign", function("cos", 3 * TIME))
    found = breakpoints(formula, 10.0)
    assert found == pytest.approx(
        [(k + 0.5) * math.pi / 3 for k in range(10) if (k + 0.5) * math.pi / 3 < 10], rel=1e-15
    )
    for time in found:
        before = np.nextafter(time, 0.0)
        values = over_time(formula, np.array([before, time]))
        assert values[0] != values[1]


@given(st.floats(0.1, 40), st.floats(-0.9, 0.9))
def test_every_crossing_of_a_sine_is_found(omega, level):
    found = breakpoints(function("table", function("sin", omega * TIME), -2, 0, level, 1, 2, 0), 7.0)
    phases = [math.asin(level) + 2 * math.pi * k for k in range(-1, 60)]
    phases += [math.pi - math.asin(level) + 2 * math.pi * k for k in range(-1, 60)]
    expected = sorted(p / omega for p in phases if 1e-9 < p / omega < 7.0 - 1e-9)
    inner = [t for t in found if 1e-9 < t < 7.0 - 1e-9]
    assert inner == pytest.approx(expected, abs=1e-12)


def test_too_many_breakpoints_name_the_function():
    with pytest.raises(ValueError, match="pulse has more than 1,000,000"):
        breakpoints(function("pulse", TIME, 0, 1, 0, 1e-7, 1e-7, 1e-7, 1e-6), 10.0)
    with pytest.raises(ValueError, match="floor has more than 100 "):
        breakpoints(function("floor", function("exp", TIME)), 10.0, limit=100)


def test_times_that_differ_by_rounding_are_one():
    both = function("step", TIME - 0.3) + function("step", TIME - 0.1 * 3)
    assert len(breakpoints(both, 1.0)) == 1
