"""Which formulas jump, or have a corner: decided by what they do, not by the functions that they are made of."""

import numpy as np
import pytest

from chainlist.formula import TIME, Constant, Moving, Operation, Quantity, constant, function
from chainlist.formula.jumps import Jump, States, first_jump, values_at

X = Quantity("X", ("B1",))
START = {"B1": (1.0, 0.0), "B2": (0.0, 2.0)}


def choice(what, value, yes, no):
    return function("if", Operation("<", (constant(what), constant(value))), yes, no)


@pytest.mark.parametrize(
    ("formula", "jump"),
    [
        (choice(TIME, 1, 0, (TIME - 1) ** 3), None),
        (choice(TIME, 1, 0, TIME - 1), Jump("if", "slope", 1.0)),
        (choice(TIME, 1, 0, TIME), Jump("if", "value", 1.0)),
        (function("cos", function("ramp", TIME - 1) * 2 + 1), Jump("ramp", "slope", 1.0)),
        (function("ramp", TIME), None),  # the corner lies at the start
        (function("ramp", TIME - 100), None),  # and here behind the end
        (function("pwl", TIME, 0, 1, 1, 2), Jump("pwl", "slope", 1.0)),
        (function("spline", TIME, 0, 0, 1, 1, 20, 0), None),
        (function("spline", TIME, 0, 0, 1, 1, 2, 0), Jump("spline", "slope", 2.0)),  # constant from there on
        (function("smooth", TIME, 1, 2) * function("sin", 1000 * TIME), None),
        (function("pulse", TIME, 0, 1, 0, 0, 0.1, 0.2, 1), Jump("pulse", "slope", 0.2)),
        (Quantity("DIST", ("B1", Moving((function("step", TIME - 1.5), Constant(0.0))))), Jump("step", "value", 1.5)),
        (function("abs", X) - 1, Jump("abs", "slope")),
        (function("abs", X) ** 3, None),
        (choice(X, 0, 0, X**3), None),
        (choice(X, 0, 0, X), Jump("if", "slope")),
        (function("max", X, TIME), Jump("max", "slope")),
        (function("mod", X, 1), Jump("mod", "value")),
        (function("abs", Quantity("DIST", ("B1", "B2"))), None),
    ],
)
def test_first_jump(formula, jump):
    assert first_jump(formula, 10.0, START, of_slope=True) == jump
    if jump is None or jump.of == "value":
        assert first_jump(formula, 10.0, START, of_slope=False) == jump


def test_values_at_states():
    rng = np.random.default_rng(2)
    one, two, three, u, w = rng.normal(size=(5, 4, 2))
    t = rng.uniform(size=4)
    states = States(t, {"B1": one, "B2": two, "B3": three}, {"B1": u, "B2": w})

    def found(name, *ends):
        return values_at(Quantity(name, ends), states)

    d = two - one
    np.testing.assert_allclose(found("DIST", "B1", "B2"), np.hypot(*d.T))
    np.testing.assert_allclose(found("ANGLE", "B1", "B2"), np.arctan2(d[:, 1], d[:, 0]))
    left, right = ((p - two) @ [1, 1j] for p in (one, three))
    np.testing.assert_allclose(found("ANGLE", "B1", "B2", "B3"), np.angle(right / left))
    turning = (d[:, 0] * (w - u)[:, 1] - d[:, 1] * (w - u)[:, 0]) / (d**2).sum(1)
    np.testing.assert_allclose(found("OMEGA", "B1", "B2"), turning)
    np.testing.assert_allclose(found("VY", "B2"), w[:, 1])
    np.testing.assert_allclose(found("SPEED", "B1"), np.hypot(*u.T))
    np.testing.assert_allclose(values_at(TIME * X, states), t * one[:, 0])
    np.testing.assert_allclose(found("X", (3.0, 4.0)), 3.0)
    np.testing.assert_allclose(found("Y", Moving((TIME, TIME * 2))), 2 * t)
