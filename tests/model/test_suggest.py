"""Did you mean …?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chainlist.model.suggest import FEW, distance, nearest

WORDS = st.text("abcd1", max_size=6)


def plain_distance(a, b):
    """The definition of the distance, by recursion."""
    if not a or not b:
        return len(a) + len(b)
    best = min(
        plain_distance(a[1:], b) + 1, plain_distance(a, b[1:]) + 1, plain_distance(a[1:], b[1:]) + (a[0] != b[0])
    )
    if len(a) > 1 and len(b) > 1 and a[0] == b[1] and a[1] == b[0]:
        best = min(best, plain_distance(a[2:], b[2:]) + 1)
    return best


@given(WORDS, WORDS)
def test_distance_is_that_of_the_definition(a, b):
    assert distance(a, b) == plain_distance(a, b)


@given(st.text("abcdefgh123_", min_size=3, max_size=10), st.integers(0, 9), st.sampled_from("xz7"))
def test_one_slip_is_found_among_many_names(name, at, letter):
    many = {f"other{i:04d}" for i in range(FEW + 1)} | {name}
    wrong = name[: at % len(name)] + letter + name[at % len(name) + 1 :]
    assert nearest(wrong, many) == name


@pytest.mark.parametrize(
    ("wrong", "names", "expected"),
    [
        ("b7", ["b1", "c7"], "b1"),
        ("integratr", ["integrator", "save"], "integrator"),
        ("energy", ["gravity"], None),
        ("q", ["v"], None),
    ],
)
def test_what_is_suggested(wrong, names, expected):
    assert nearest(wrong, names) == expected
