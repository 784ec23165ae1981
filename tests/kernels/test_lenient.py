"""What Python refuses to compute is inf or nan in interpreted kernels, as it is in machine code."""

import math

import pytest

from chainlist.kernels.lenient import lenient


@pytest.mark.parametrize(
    ("name", "values", "wanted"),
    [
        ("pow", (10.0, 400.0), math.inf),
        ("pow", (-10.0, 401.0), -math.inf),
        ("pow", (-10.0, 400.0), math.inf),
        ("pow", (-2.0, 0.5), math.nan),
        ("pow", (0.0, -1.0), math.inf),
        ("exp", (1000.0,), math.inf),
        ("sin", (math.inf,), math.nan),
        ("cos", (-math.inf,), math.nan),
        ("sqrt", (-1.0,), math.nan),
        ("log", (-1.0,), math.nan),
        ("acos", (2.0,), math.nan),
        ("sinh", (-1000.0,), -math.inf),
        ("cosh", (-1000.0,), math.inf),
        ("sin", (0.5,), math.sin(0.5)),
        ("floor", (2.5,), 2),
    ],
)
def test_value(name, values, wanted):
    assert getattr(lenient, name)(*values) == pytest.approx(wanted, nan_ok=True, abs=0.0)


def test_constants():
    assert lenient.pi == math.pi and math.isnan(lenient.nan)
