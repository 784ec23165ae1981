"""Placement: a motion that was made up is found again from what it moved."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from chainlist.model.dump import dump
from chainlist.model.placement import Displacement, NoFit, extent, fitting_motion

coordinate = st.floats(-10, 10).map(lambda x: round(x, 3))
points = st.lists(st.tuples(coordinate, coordinate), min_size=2, max_size=6, unique=True)
shifts = st.tuples(coordinate, coordinate)
IDENTITY = ((1.0, 0.0), (0.0, 1.0))
MIRRORS = [((1.0, 0.0), (0.0, -1.0)), ((-1.0, 0.0), (0.0, 1.0))]


def rotation(angle):
    return ((math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle)))


def assert_same_motion(found, made, laid):
    assert isinstance(found, Displacement)
    for point in laid:
        assert math.dist(found.point(point), made.point(point)) <= 1.1e-9 * extent(laid) + 1e-12


@given(points, shifts)
def test_a_translation_is_found_and_nothing_is_turned(laid, shift):
    made = Displacement(IDENTITY, shift)
    found = fitting_motion(laid, [made.point(p) for p in laid], extent(laid))
    assert_same_motion(found, made, laid)
    assert found.rotation == IDENTITY


@given(points, shifts, st.sampled_from(MIRRORS))
def test_a_mirror_is_found_before_a_rotation(laid, shift, mirror):
    made = Displacement(mirror, shift)
    found = fitting_motion(laid, [made.point(p) for p in laid], extent(laid))
    assert_same_motion(found, made, laid)
    assert found.rotation in (IDENTITY, *MIRRORS)


@given(points, shifts, st.floats(-3, 3))
def test_a_rotation_is_found(laid, shift, angle):
    assume(len(laid) > 2 and extent(laid) > 0.1)
    made = Displacement(rotation(angle), shift)
    assert_same_motion(fitting_motion(laid, [made.point(p) for p in laid], extent(laid)), made, laid)


def test_a_misfit_names_the_body_that_is_off():
    laid = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
    found = fitting_motion(laid, [(5.0, 5.0), (6.0, 5.0), (5.0, 6.5)], extent(laid))
    assert found == NoFit(2, pytest.approx(0.5))


@pytest.mark.parametrize(("off", "fits"), [(0.5e-9, True), (3e-9, False)])
def test_a_billionth_of_the_size_is_forgiven(off, fits):
    laid = [(0.0, 0.0), (1.0, 0.0)]
    found = fitting_motion(laid, [(0.0, 0.0), (1.0 + off, 0.0)], extent(laid))
    assert isinstance(found, Displacement) == fits


MOVES = {
    "shifted": ("B1 (5,3) 1", "B2 (6.5,3) 1", "B3 (5.4,4) 1"),
    "mirrored": ("B1 (5,3) 1", "B2 (6.5,3) 1", "B3 (5.4,2) 1"),
    "turned": ("B1 (5,3) 1", "B2 (5,4.5) 1", "B3 (4,3.4) 1"),
}
MOVED = {"shifted": IDENTITY, "mirrored": MIRRORS[0], "turned": ((0.0, -1.0), (1.0, 0.0))}
INSIDE = (
    "F1 BA ({1+time},{X(BB)*VY(BC)-y0})",
    "F1 BA (1,2)",
    "F1 BB (x0,y0) {3*Y(BA)-3*y0+DIST(BC,(x0-1,y0))}",
    "S1 BC LINE({sin(time)},{cos(time)},{x0*sin(time)+y0*cos(time)})",
    "S1 BC LINE(BA,(x0+1,{y0+time}))",
    "G1 {(X(BC)-x0)*(Y(BB)-y0)-time}",
    "G1 {sin(ANGLE(BA,BB)-2*ANGLE(C1))+ANGLE(BA,BB,BC)}",
    "N1 {VX(BC)*sin(X(BA)-x0)-VY(BB)*time}",
    "M1 C1 ANGLE={3*time}",
    "M1 C1 SPEED={3*time}",
    "T1 C1 {2+time-OMEGA(BA,BC)}",
    "C3 BA BC LENGTH={1+time}",
    "C3 BA (x0,y0+7) BC",
    "C3 BA BC BREAK=20N CUT={X(BC)>x0+3}",
    "C3 BA BC CUT={time>x0+3 and ANGLE(C1)>1}",
    "K1 ANGLE(BA,BB) 3 A0=0.4",
    "K1 ANGLE(BA,BB,BC) 3 A0=0.4 DAMP=0.2",
    "K1 BA (x0-1,{y0+time}) 3 L0=0.4",
    "D1 BA 0.3",
    "J1 BC (x0+0.4,{y0+1+sin(time)})",
)


@pytest.mark.parametrize("how", MOVES)
@pytest.mark.parametrize("card", INSIDE)
def test_what_an_element_does_is_carried_along(read, card, how):
    """Laid out at the origin or moved, an instance does the same: held against each other in its own coordinates."""
    inside = ("BA (x0,y0) 1", "BB (x0+1.5,y0) 1", "BC (x0+0.4,y0+1) 1", "C1 BA (x0-1,y0+2)", "C2 BB BC", card)
    arm = "\n".join((".submachine Arm BA, BB, BC, (x0,y0)", *inside, ".end"))
    ending = ".options gravity=0\n.tran 0 1 1ms\n.plot Time\n"
    still = read(f"* t\n{arm}\nX1 Arm B1 B2 B3 (0,0)\n{ending}")
    moved = read("\n".join(("* t", arm, *MOVES[how], "X1 Arm B1 B2 B3", ending)))
    assert still.codes == moved.codes == []
    turn = np.array(MOVED[how])
    q, v = np.random.default_rng(4).normal(size=(2, 3, 2))
    one = still.mechanism.equations(q, v, 0.3)
    other = moved.mechanism.equations(q @ turn.T + (5, 3), v @ turn.T, 0.3)
    back = np.kron(np.eye(3), turn)  # coordinates of all bodies
    np.testing.assert_allclose(other.F @ back, one.F, atol=1e-12)
    for row, (found, wanted) in enumerate(zip(other.A @ back, one.A, strict=True)):
        if card[0] == "J" and row > 1:
            continue  # the two rows of a pin, in another order and direction
        sign = 1.0 if np.allclose(found, wanted, atol=1e-11) else -1.0  # Φ = 0 and −Φ = 0 are one constraint
        np.testing.assert_allclose(sign * found, wanted, atol=1e-11)
        for values in ("b", "c", "phi"):
            there, here = getattr(other, values)[row], getattr(one, values)[row]
            np.testing.assert_allclose(sign * there, here, atol=1e-11)
    text = dump(moved.mechanism)
    again = read(text).mechanism.equations(q @ turn.T + (5, 3), v @ turn.T, 0.3)
    for dumped, found in zip((*again, again.c), (*other, other.c), strict=True):
        np.testing.assert_array_equal(dumped, found)
