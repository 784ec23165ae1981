"""The functions of expressions: numbers and arrays agree, and each is what its definition says."""

import math

import numpy as np
import pytest

from chainlist.formula.functions import FUNCTIONS, apply

PLACES = [-7.5, -2.0, -1.0, -0.5, 0.0, 0.3, 0.5, 1.0, 1.7, 2.0, 3.25, 11.0]
POINTS = (-1.0, 2.0, 0.5, -1.0, 1.0, 4.0, 3.0, 0.0)
MORE = {
    "atan2": (0.7,),
    "hypot": (0.7,),
    "mod": (0.75,),
    "if": (2.0, 3.0),
    "min": (0.4, -0.1),
    "max": (0.4, -0.1),
    "smooth": (-1.0, 2.0),
    "pulse": (-1.0, 2.0, 0.25, 0.1, 0.2, 0.3, 1.5),
    "pwl": POINTS,
    "table": POINTS,
    "spline": POINTS,
}


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_numbers_and_arrays_agree(name):
    function = FUNCTIONS[name]
    over = apply(name, np.array(PLACES), *MORE.get(name, ()))
    for place, value in zip(PLACES, over, strict=True):
        try:
            assert float(function.compute(place, *MORE.get(name, ()))) == pytest.approx(value, rel=1e-15, abs=1e-300)
        except ValueError:  # math says so where NumPy gives nan
            assert not math.isfinite(value)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_smoothness_is_what_it_says(name):
    """Slopes on both sides of every place, from values close to it, show each jump and corner that there is."""
    function = FUNCTIONS[name]
    x = np.linspace(0.011, 0.989 if name in ("asin", "acos") else 2.989, 20001)
    x = x if name in ("sqrt", "log", "asin", "acos", "tan") else x - 1.5
    if name == "tan":
        x = x[x < 1.4]
    values = apply(name, np.maximum(x, 0.0) if name == "if" else x, *MORE.get(name, ()))
    jumps = np.abs(np.diff(values)).max() > 0.05
    slopes = np.diff(values) / np.diff(x)
    bends = np.abs(np.diff(slopes)).max() > 0.2
    assert (function.smoothness == "jump") == bool(jumps)
    assert (function.smoothness != "smooth") == bool(bends) or name == "log"


def test_the_definitions():
    x = np.array([-1.5, -1.0, 0.0, 0.25, 1.0, 2.5])
    assert list(apply("sign", x)) == [-1, -1, 0, 1, 1, 1]
    assert list(apply("step", x)) == [0, 0, 1, 1, 1, 1]
    assert list(apply("ramp", x)) == [0, 0, 0, 0.25, 1, 2.5]
    assert list(apply("mod", x, 1.0)) == [0.5, 0, 0, 0.25, 0, 0.5]
    assert list(apply("mod", x, -1.0)) == [-0.5, 0, 0, -0.75, 0, -0.5]
    assert list(apply("if", x, 1.0, 2.0)) == [1, 1, 2, 1, 1, 1]
    assert list(apply("and", x, 1.0)) == [1, 1, 0, 1, 1, 1]
    assert list(apply("not", x)) == [0, 0, 1, 0, 0, 0]
    assert list(apply("<=", x, 0.25)) == [1, 1, 1, 1, 0, 0]


def test_smooth_is_twice_differentiable_and_monotone():
    s = np.linspace(-0.5, 1.5, 4001)
    y = apply("smooth", 2 + 3 * s, 2.0, 5.0)
    assert y[0] == 0 and y[-1] == 1 and (np.diff(y) >= 0).all()
    h = s[1] - s[0]
    curvature = np.diff(y, 2) / h**2
    assert np.abs(np.diff(curvature)).max() < 65 * h  # the third derivative is 60 at most
    assert apply("smooth", np.array([4.0]), 5.0, 2.0)[0] == pytest.approx(
        1 - apply("smooth", np.array([4.0]), 2.0, 5.0)[0]
    )


def test_the_spline_is_the_natural_one():
    from scipy.interpolate import CubicSpline

    x = np.linspace(-2, 4, 301)
    reference = CubicSpline(POINTS[::2], POINTS[1::2], bc_type="natural")(np.clip(x, -1, 3))
    assert apply("spline", x, *POINTS) == pytest.approx(reference, abs=1e-13)
    assert list(apply("spline", np.array([0.0, 1.0, 5.0]), 0, 1, 1, 3)) == [1, 3, 3]


def test_the_pulse_of_spice():
    t = np.array([0, 1, 1.25, 1.5, 2, 2.5, 2.75, 3, 3.9, 4, 4.5, 100.0])
    values = apply("pulse", t, -1, 3, 1, 0.5, 0.5, 1, 3)
    assert values == pytest.approx([-1, -1, 1, 3, 3, 3, 1, -1, -1, -1, 3, -1])
    assert list(apply("pulse", np.array([0.9, 1, 1.4, 1.5, 2]), 0, 1, 1, 0, 0, 0.5, 1)) == [0, 1, 1, 0, 1]
