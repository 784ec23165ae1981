"""Numbers in traces: the patterns of the language, and what reads back."""

import math
import re
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chainlist.compile.read import parse
from chainlist.output.number_format import number_format
from chainlist.syntax.errors import ChainlistError

ROOT = Path(__file__).parents[2]
finite = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    ("pattern", "number", "text"),
    [
        (None, 0.2, "0.2"),
        (None, 5.0, "5"),
        (None, -0.0, "0"),
        (None, -5e-7, "-5E-7"),
        (None, 1e22, "1E22"),
        (None, 0.1 + 0.2, "0.30000000000000004"),
        ("0.###E0", 0.2, "0.2"),
        ("0.###E0", -5e-7, "-5E-7"),
        ("0.###E0", 2.9182e104, "2.918E104"),
        ("0.###E0", 1.8, "1.8"),
        ("0.###E0", 1234.56, "1235"),
        ("0.###E0", 12345.6, "1.235E4"),
        ("0.###E0", 9999.6, "1E4"),
        ("0.###E0", 1e-4, "0.0001"),
        ("0.###E0", 0.99994e-4, "9.999E-5"),
        ("0.###E0", -0.0, "0"),
        ("0.000E0", 0.2, "0.2000"),
        ("0.000E0", 0.0, "0.000"),
        ("0.000E0", -5e-7, "-5.000E-7"),
        ("0.000E0", 1234.56, "1235"),
        ("0.0##E0", 7.0, "7.0"),
        ("0.0##E0", 1e5, "1.0E5"),
        ("0.0##E0", 0.1234567, "0.1235"),
        ("0.###", -5e-7, "-0.0000005"),
        ("0.###", 123456.0, "123500"),
        ("0.00", 0.5, "0.500"),
        ("0.00", 17726.0079, "17700"),
        ("0E0", 0.0777, "0.08"),
        ("0", 3.2, "3"),
        ("%.9g", 1 / 3, "0.333333333"),
        ("%.9g", 1e-12, "1e-12"),
        ("%.6f", -1e-9, "0.000000"),
        ("%.6f", -0.5, "-0.500000"),
        ("%.3e", 0.0, "0.000e+00"),
        ("%.3e", 12345.0, "1.234e+04"),
    ],
)
def test_patterns(pattern, number, text):
    assert number_format(pattern).text(number) == text


@pytest.mark.parametrize("pattern", [None, "0.###E0", "0.000E0", "0.0#E0", "0.###", "%.9g", "%.6f", "%.3e"])
def test_what_is_no_number(pattern):
    assert number_format(pattern).texts(np.array([math.nan, math.inf, -math.inf])) == ["NaN", "Inf", "-Inf"]


@given(finite)
def test_the_shortest_text_reads_back(number):
    text = number_format().text(number)
    assert float(text) == number
    assert len(text) <= len(repr(number)) and "e" not in text and not text.endswith(".0")


@given(finite, st.integers(0, 12), st.integers(0, 4))
def test_digits_are_those_of_decimal_rounding(number, wanted, always):
    """Held against the decimal module: rounded to so many significant digits, trailing zeros dropped down to `always`."""
    pattern = "0." + "0" * always + "#" * wanted + "E0"
    most = 1 + always + wanted
    text = number_format(pattern).text(number)
    exact = Decimal(number)
    if number == 0:
        assert Decimal(text) == 0
        return
    rounded = exact.quantize(Decimal(1).scaleb(exact.adjusted() - most + 1), ROUND_HALF_EVEN)
    assert Decimal(text) == rounded
    plain = -4 <= rounded.adjusted() < most
    assert ("E" in text) == (not plain)
    mantissa = text.partition("E")[0].lstrip("-").replace(".", "").lstrip("0")
    assert len(mantissa) >= 1 + always
    if "." in text.partition("E")[0] and len(mantissa) > 1 + always:
        assert not text.partition("E")[0].endswith("0")


@given(finite, st.integers(0, 8))
def test_plain_patterns_hold_the_same_number_without_an_exponent(number, wanted):
    with_exponent = number_format("0." + "#" * wanted + "E0").text(number)
    without = number_format("0." + "#" * wanted).text(number)
    assert "E" not in without and Decimal(without) == Decimal(with_exponent)


@given(finite, st.sampled_from(["%.9g", "%.6f", "%.3e", "%.0f", "%.17g"]))
def test_patterns_of_c_are_those_of_c(number, pattern):
    expected = pattern % (number + 0.0)
    if float(expected) == 0:
        expected = expected.lstrip("-")
    assert number_format(pattern).text(number) == expected


@pytest.mark.parametrize(
    "pattern", ["", "#.##", "0,###E0", "0.#0E0", "00.#", "0.###E00", "0.###e0", "%d", "%9.3f", "%.3g!", "%.100f"]
)
def test_other_patterns_are_errors(pattern):
    with pytest.raises(ChainlistError, match="not a format of numbers"):
        number_format(pattern)


@pytest.mark.parametrize("pattern", ["0", "0E0", "0.", "0.###E0", "0.00##", "%.9g", "0.#0E0", "%9.3f", "#"])
def test_a_chainlist_may_say_what_is_understood(pattern):
    """The check of the text and the writer agree on what a pattern is."""
    text = f'* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 1 0.1\n.print FORMAT="{pattern}"\n'
    try:
        number_format(pattern)
    except ChainlistError:
        with pytest.raises(ChainlistError, match="E279"):
            parse(text)
    else:
        assert parse(text).prints[0].format == pattern


@pytest.mark.parametrize("page", ["docs/language/index.md", "src/chainlist/syntax/explain/E279.md"])
def test_the_pages_say_that_digits_are_significant(page):
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    found = re.search(r'significant digits.*?"(0\.0+)".*?writes ([\d.]+) as (\d+).*?(%\.2f).*?gives ([\d.]+[\d])', text)
    ours, number, short, of_c, other = found.groups()
    assert number_format(ours).text(float(number)) == short
    assert number_format(of_c).text(float(number)) == other
