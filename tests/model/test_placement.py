"""Placement: a motion that was made up is found again from what it moved."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from chainlist.model.placement import Misfit, Motion, extent, fit

coordinate = st.floats(-10, 10).map(lambda x: round(x, 3))
points = st.lists(st.tuples(coordinate, coordinate), min_size=2, max_size=6, unique=True)
shifts = st.tuples(coordinate, coordinate)
IDENTITY = ((1.0, 0.0), (0.0, 1.0))
MIRRORS = [((1.0, 0.0), (0.0, -1.0)), ((-1.0, 0.0), (0.0, 1.0))]


def rotation(angle):
    return ((math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle)))


def assert_same_motion(found, made, laid):
    assert isinstance(found, Motion)
    for point in laid:
        assert math.dist(found.point(point), made.point(point)) <= 1.1e-9 * extent(laid) + 1e-12


@given(points, shifts)
def test_a_translation_is_found_and_nothing_is_turned(laid, shift):
    made = Motion(IDENTITY, shift)
    found = fit(laid, [made.point(p) for p in laid], extent(laid))
    assert_same_motion(found, made, laid)
    assert found.rotation == IDENTITY


@given(points, shifts, st.sampled_from(MIRRORS))
def test_a_mirror_is_found_before_a_rotation(laid, shift, mirror):
    made = Motion(mirror, shift)
    found = fit(laid, [made.point(p) for p in laid], extent(laid))
    assert_same_motion(found, made, laid)
    assert found.rotation in (IDENTITY, *MIRRORS)


@given(points, shifts, st.floats(-3, 3))
def test_a_rotation_is_found(laid, shift, angle):
    assume(len(laid) > 2 and extent(laid) > 0.1)
    made = Motion(rotation(angle), shift)
    assert_same_motion(fit(laid, [made.point(p) for p in laid], extent(laid)), made, laid)


def test_a_misfit_names_the_body_that_is_off():
    laid = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
    found = fit(laid, [(5.0, 5.0), (6.0, 5.0), (5.0, 6.5)], extent(laid))
    assert found == Misfit(2, pytest.approx(0.5))


@pytest.mark.parametrize(("off", "fits"), [(0.5e-9, True), (3e-9, False)])
def test_a_billionth_of_the_size_is_forgiven(off, fits):
    laid = [(0.0, 0.0), (1.0, 0.0)]
    found = fit(laid, [(0.0, 0.0), (1.0 + off, 0.0)], extent(laid))
    assert isinstance(found, Motion) == fits
