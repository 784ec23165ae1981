"""Units: converted without a second rounding, checked against the place."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chainlist.model.desk import Problem
from chainlist.model.units import UNITS, value
from chainlist.syntax.source import Source, Span
from chainlist.syntax.tree import Number

SI = {
    "s": 1, "ms": "1/1000", "us": "1/1000000", "min": 60, "m": 1, "cm": "1/100", "mm": "1/1000", "km": 1000, "kg": 1,
    "g": "1/1000", "t": 1000, "rad": 1, "N": 1, "kN": 1000, "Hz": 1, "J": 1,
}  # fmt: skip


def number(text, unit=""):
    return Number(text, unit, Span(Source("test", text + unit), 0, len(text + unit)))


def test_the_table_holds_the_units_of_the_language():
    assert set(UNITS) == {*SI, "deg"}


@given(st.decimals(min_value=0, max_value=1e6, places=4, allow_nan=False), st.sampled_from(sorted(SI)))
def test_a_number_with_a_unit_is_rounded_once(amount, unit):
    exact = Fraction(str(amount)) * Fraction(SI[unit])
    assert value(number(f"{amount:f}", unit)) == float(exact)


@pytest.mark.parametrize(("text", "unit", "expected"), [("1E3", "ms", 1.0), ("5.7E1", "cm", 0.57), (".5", "km", 500.0)])
def test_exponents_and_units_go_together(text, unit, expected):
    assert value(number(text, unit)) == expected


def test_degrees():
    assert value(number("30", "deg")) == pytest.approx(math.pi / 6, rel=1e-15)


@pytest.mark.parametrize(
    ("unit", "want", "code"),
    [
        ("x", "mass", "E201"),
        ("KG", "mass", "E202"),
        ("hz", "frequency", "E202"),
        ("kg", "time", "E203"),
        ("s", "number", "E203"),
        ("k", "mass", "E204"),
        ("m", "time", "E204"),
        ("Meg", None, "E204"),
        ("n", None, "E204"),
    ],
)
def test_wrong_units_are_told_apart(unit, want, code):
    with pytest.raises(Problem) as caught:
        value(number("1", unit), want)
    assert caught.value.code == code
    assert caught.value.help


@pytest.mark.parametrize(
    ("unit", "want", "readings"),
    [
        ("m", "time", ("1E-3", "1ms", "metre")),
        ("k", "mass", ("1E3", "1t", "1kg")),
        ("u", "time", ("1E-6", "1us")),
        ("M", "length", ("1E-3", "1mm", "1m")),
    ],
)
def test_a_suffix_of_spice_offers_both_readings(unit, want, readings):
    with pytest.raises(Problem) as caught:
        value(number("1", unit), want)
    assert all(reading in caught.value.help for reading in readings)


def test_a_literal_beyond_the_range_is_a_problem():
    with pytest.raises(Problem) as caught:
        value(number("1E999999999999"))
    assert caught.value.code == "E205"


@pytest.mark.parametrize("expression", ["2*m2", "1/s2", "2**3/s2", "L1m/s2"])
def test_a_forgotten_parameter_is_not_taken_for_a_unit(machine, expression):
    said = machine("B1 (0,0) 1", f".param L1m=1 a={expression}").said
    assert said[0].help == f"define it: .param {expression[-2:]}=1"


@pytest.mark.parametrize(
    "value",
    ["cos(90deg/N)", "10cm*N", "2m*s", "1ms/1s*m", "10cm*N/m", "2kg*g", "30deg/s/N*s", "1N/s*m/s2*N", "2N*s/g", "10cm*2", "1s*N"],
)  # fmt: skip
def test_a_parameter_called_like_a_unit_counts_unless_what_stands_there_begins_with_a_usual_unit(machine, value):
    refused = value in ("30deg/s/N*s", "1N/s*m/s2*N", "2N*s/g")
    said = machine(".param N=4 s=2 m=3 g=9 s2=4", f".param v={value}", "B1 (v,0) 1").said
    assert [d.code for d in said if d.code.startswith("E")] == (["E201"] if refused else [])


@pytest.mark.parametrize(
    "unit",
    ["N/m", "kN/cm", "N*s/m", "N/m*s", "m/s", "km/min", "m/s**2", "m/s2", "m/s/s", "kg*m2", "kg*m**2", "deg/s", "rad/s", "deg/s2",
     "N*m", "N*m/rad", "N*m*s/rad", "N*m*s", "N*s", "kg*m/s", "g/cm", "J/s", "J/rad", "N/kg", "N/m2", "N/s"],
)  # fmt: skip
def test_a_usual_unit_is_one_whatever_parameters_there_are(machine, unit):
    names = ".param N=4 kN=5 s=2 m=3 cm=2 kg=3 rad=1 s2=4 m2=4 J=2"
    found = machine(names, f".param v=2{unit}", "B1 (v,0) 1").said
    assert "E201" in [d.code for d in found], found
    assert f"there is no unit {unit}" in [d.message for d in found]
