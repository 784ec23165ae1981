"""Machines in space as they are read: points, elements, items, submachines, and what is refused."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from chainlist.compile.read import read as checked_read
from chainlist.model.dump import dump
from chainlist.model.placement import Displacement, NoFit, Turnable, extent, fitting_motion
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.limits import Limits
from chainlist.syntax.parser import parse
from chainlist.syntax.printer import print_chainlist
from chainlist.syntax.source import Source

BODIES = ("B1 (1,-1,0) 1 IC_VEL=(0,0,1)", "B2 (2,-1,0.5) 2 IC_POS=(2,-1,0.6)", "B3 (0,1,3) 1")


def test_points_have_three_coordinates(machine):
    found = machine(*BODIES, "C1 B1 (0,0,0)", "C2 B2 ({time},0,{sin(time)})", ".options gravity=(0,0,-9.81)")
    assert found.codes == []
    made = found.mechanism
    assert made.dimension == 3 and made.gravity == (0.0, 0.0, -9.81)
    assert found.body["B1"].velocity == (0.0, 0.0, 1.0) and found.body["B2"].start == (2.0, -1.0, 0.6)
    assert found.body["B3"].velocity == (0.0, 0.0, 0.0)
    assert found.constraint["C1"].parameters == (2.0, math.sqrt(2.0))


@pytest.mark.parametrize(("gravity", "vector"), [("5", (0.0, -5.0, 0.0)), ("(1,2)", (1.0, 2.0, 0.0))])
def test_gravity_points_down_along_y(machine, gravity, vector):
    found = machine(*BODIES, f".options gravity={gravity}")
    assert found.codes == [] and found.mechanism.gravity == vector


@pytest.mark.parametrize(
    "card",
    [
        "B4 (1,2) 1",
        "B4 (1,2,3) 1 IC_VEL=(1,2)",
        "B4 1 2 3",
        "C1 B1 (0,0)",
        "C1 B1 ({time},0)",
        "C1 B1 (0,0) (1,1) B2",
        "F1 B1 (1,2)",
        "K1 B1 (0,0) 3",
        "S1 B1 SPHERE((0,0),1)",
        "G1 {DIST(B1,(0,0))-1}",
        ".plot DIST(B1,(0,0))",
        ".submachine Arm BA, (x0,y0)\nBA (x0,y0) 1\n.end",
    ],
)
def test_a_mix_is_one_error_that_shows_the_first_of_each(machine, card):
    again = card.replace("Arm", "Leg") if card.startswith(".") else f"{card[0]}9{card[2:]}"
    found = machine(*BODIES, card, again)
    assert found.codes == ["E230"], found.said
    (said,) = found.said
    shown = [said.span.text, *(related.span.text for related in said.also)]
    few, many = sorted(text.count(",") for text in shown)
    assert few <= 1 and many == 2


def test_a_machine_of_the_plane_stays_one(machine):
    found = machine("B1 (1,-1) 1", "C1 B1 (0,0)")
    assert found.codes == [] and found.mechanism.dimension == 2 and found.mechanism.gravity == (0.0, -9.81)


# Elements


def test_a_plane_and_a_line_hold_the_right_directions(machine):
    found = machine("B1 (1,2,3) 1", "S1 B1 PLANE(0,3,4,18)", "S2 B1 LINE((1,2,3),(2,4,5))")
    assert found.codes == []
    rows = found.mechanism.equations()
    np.testing.assert_allclose(rows.phi, 0.0, atol=1e-15)
    np.testing.assert_array_equal(rows.A[0], [0, 3, 4])
    np.testing.assert_allclose(rows.A[1:] @ rows.A[1:].T, np.eye(2), atol=1e-15)
    np.testing.assert_allclose(rows.A[1:] @ [1, 2, 2], 0.0, atol=1e-15)


@pytest.mark.parametrize("seed", range(12))
def test_a_line_that_turns_has_two_rows_wherever_it_points(machine, seed):
    """Rows of length 1 across the line, also where it points along what was across it at the start."""
    made = machine("B1 (0,0,0) 1", "B2 (1,0,0) 1", "B3 (0.5,0,0) 1", "S1 B3 LINE(B1,B2)").mechanism
    rng = np.random.default_rng(seed)
    q = rng.normal(size=(3, 3))
    if seed < 6:  # along the axes, both ways
        q[1] = q[0] + (1 - 2 * (seed % 2)) * 1.7 * np.eye(3)[seed // 2]
    across = made.equations(q).A[:, 6:]
    d = q[1] - q[0]
    np.testing.assert_allclose(across @ across.T, np.eye(2), atol=1e-13)
    np.testing.assert_allclose(across @ d, 0.0, atol=1e-13)
    r = q[2] - q[0]
    off = np.linalg.norm(np.cross(d, r)) / np.linalg.norm(d)
    assert np.linalg.norm(made.equations(q).phi) == pytest.approx(off, rel=1e-12)


def test_angles_in_space_are_between_arms(machine):
    made = machine("B1 (1,0,0) 1", "B2 (0,0,0) 1", "B3 (0,2,0) 1", "G1 {ANGLE(B1,B2,B3)-1}").mechanism
    q = np.random.default_rng(5).normal(size=(3, 3))
    a, b = q[0] - q[1], q[2] - q[1]
    wanted = math.acos(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
    assert made.equations(q).phi[0] == pytest.approx(wanted - 1.0, abs=1e-14)


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ("S1 B1 LINE(0,1,0)", "LINE(k1,k2,konst) is of the plane"),
        ("S1 B1 0 1 0", "LINE(k1,k2,konst) is of the plane"),
        ("S1 B1 CIRCLE((0,0,0),1)", "CIRCLE(…) has no meaning in space"),
        ("S1 B1 PLANE(0,0,0,1)", "is no plane"),
        ("C1 B1 B2\nT1 C1 {1}", "in space the link C1 has no axis to turn about"),
        ("C1 B1 B2\nM1 C1 SPEED={1}", "in space the link C1 has no axis to turn about"),
        ("C1 B1 B2\nC2 B2 B3\nN1 GEAR(C1,C2) RATIO=2", "in space the link C1 has no axis to turn about"),
        ("K1 ANGLE(B1,B2) 3", "in space an angle is between two arms"),
        ("D1 ANGLE(B1,B2) 3", "in space an angle is between two arms"),
        ("K1 ANGLE(B1,B2,B3) 3 A0=-1", "in space an angle is from 0 to pi"),
    ],
)
def test_what_has_no_meaning_in_space(machine, card, message):
    found = machine(*BODIES, *card.split("\n"))
    assert found.codes == ["E228"] and message in found.said[0].message and found.said[0].help


@pytest.mark.parametrize(
    ("card", "message"), [("S1 B1 PLANE(0,1,0,2)", "PLANE(…)"), ("S1 B1 SPHERE((0,0),1)", "SPHERE(…)")]
)
def test_what_has_no_meaning_in_the_plane(machine, card, message):
    found = machine("B1 (1,2) 1", card)
    assert found.codes == ["E228"] and message in found.said[0].message


@pytest.mark.parametrize("item", ["Z(B1)", "VZ(B1)"])
@pytest.mark.parametrize("card", ["F1 B1 ({%s},0)", ".plot %s", ".print Time 2*%s"])
def test_items_of_space_in_the_plane(machine, item, card):
    found = machine("B1 (1,2) 1", card % item)
    assert found.codes == ["E281"] and item in found.said[0].message


@pytest.mark.parametrize("item", ["ANGLE(B1,B2)", "ANGLE(C1)", "OMEGA(C1)", "OMEGA(B1,B2)"])
@pytest.mark.parametrize("card", ["F1 B1 ({%s},0,0)", ".plot %s"])
def test_items_of_the_plane_in_space(machine, item, card):
    found = machine(*BODIES, "C1 B1 B2", card % item)
    assert found.codes == ["E281"] and item in found.said[0].message


def test_no_symplectic_method_for_a_line_that_turns(machine):
    found = machine(*BODIES, "B4 (1.5,-1,0.25) 1", "S1 B4 LINE(B1,B2)", ".options INTEGRATOR=RATTLE")
    assert found.codes == ["E260"] and "lines that turn in space" in found.said[0].label


# Text


CARDS = """* All that there is
B1 (0,0,0) 1
...
B5 (4,0,-2) 1
C1 B1 (0,1,0)
C2 B1 B2
...
C5 B4 B5
S1 B2 PLANE(0,1,0,0)
S2 B3 PLANE({sin(time)},1,0,0)
S3 B4 LINE(B1,B5)
S4 B5 SPHERE((4,0,0),2)
K1 ANGLE(B1,B2,B3) 2 A0=1
F1 B3 ({Z(B1)},{VZ(B2)},3)
J1 B1 ({0*time},0,0)
.tran 0 1 1ms
.plot Z(ALL) "VZ(B1) AZ(B1)" ANGLE(B1,B2,(0,0,1)) DIST(B1,(0,0,0))
.print Time Bodies(POS) V(B1)
"""


def test_ellipses_formatting_and_dump(read):
    found = read(CARDS)
    assert found.codes == []
    tree = parse(Source("t", CARDS), Diagnostics(), Limits())
    assert read(print_chainlist(tree)).mechanism == found.mechanism
    assert found.body["B3"].position == (2.0, 0.0, -1.0)
    again = read(dump(found.mechanism))
    assert again.codes == []
    q, v = np.random.default_rng(1).normal(size=(2, 5, 3))
    for one, other in zip(found.mechanism.equations(q, v, 0.3), again.mechanism.equations(q, v, 0.3), strict=True):
        np.testing.assert_array_equal(one, other)
    assert again.mechanism.bodies == found.mechanism.bodies and again.mechanism.plots == found.mechanism.plots


def test_degrees_of_freedom_and_redundant_rows():
    text = "* t\nB1 (1,0,0) 1\nC1 B1 (0,0,0)\nS1 B1 PLANE(0,0,1,0)\nS2 B1 PLANE(0,0,2,0)\n.tran 0 1 1ms\n.plot Time\n"
    said = checked_read(Source("t", text), None).diagnostics
    assert [d.code for d in said] == ["W301"] and "S1 and S2" in said[0].message


# Submachines

coordinate = st.floats(-10, 10).map(lambda x: round(x, 3))
places = st.tuples(coordinate, coordinate, coordinate)


def turn(axis, angle):
    """By Rodrigues' formula."""
    x, y, z = axis / np.linalg.norm(axis)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


@given(st.lists(places, min_size=3, max_size=6, unique=True), places, places, st.floats(0.1, 3.0))
def test_a_rotation_is_found(laid, shift, axis, angle):
    spread = np.linalg.svd(np.array(laid) - laid[0], compute_uv=False)
    assume(np.linalg.norm(axis) > 0.1 and spread[1] > 0.1)
    made = Displacement(tuple(map(tuple, turn(np.array(axis), angle))), shift)
    found = fitting_motion(laid, [made.point(p) for p in laid], extent(laid))
    assert isinstance(found, Displacement)
    for p in laid:
        assert math.dist(found.point(p), made.point(p)) <= 1e-8 * extent(laid)


def test_shared_points_on_a_line_leave_a_rotation_open():
    laid = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (3.0, 0.0, 0.0)]
    assert fitting_motion(laid, [(0.0, 0.0, 0.0), (0.0, 0.6, 0.8), (0.0, 1.8, 2.4)], 3.0) == Turnable((0, 2))
    assert isinstance(fitting_motion(laid, [(5.0, 0.0, 0.0), (6.0, 0.0, 0.0), (8.0, 0.0, 0.0)], 3.0), Displacement)
    assert fitting_motion(laid, [(0.0, 0.0, 0.0), (0.0, 0.6, 0.8), (0.0, 1.8, 3.4)], 3.0) == NoFit(
        2, pytest.approx(4.6, abs=0.5)
    )


ARM = """.submachine Arm BA, BB, BC, (x0,y0,z0)
BA (x0,y0,z0) 1
BB (x0+1.5,y0,z0) 1
BC (x0+0.4,y0+1,z0+0.3) 1
C1 BA (x0-1,y0+2,z0)
C2 BB BC
%s
.end
"""
MOVES = {
    "shifted": ("B1 (5,3,1) 1", "B2 (6.5,3,1) 1", "B3 (5.4,4,1.3) 1"),
    "mirrored": ("B1 (5,3,1) 1", "B2 (6.5,3,1) 1", "B3 (5.4,4,0.7) 1"),
    "turned": ("B1 (5,3,1) 1", "B2 (5,3,2.5) 1", "B3 (5.3,4,1.4) 1"),
}
MOVED = {"shifted": np.eye(3), "mirrored": np.diag([1.0, 1.0, -1.0])}
INSIDE = (
    "F1 BA ({1+time},{X(BB)*VY(BC)-y0},{Z(BB)-z0})",
    "S1 BC PLANE(1,2,3,x0+2*y0+3*z0)",
    "S1 BC PLANE({sin(time)},0,{cos(time)},{x0*sin(time)+z0*cos(time)})",
    "S1 BC SPHERE((x0,y0,{z0+time}),2)",
    "G1 {(X(BC)-x0)*(Z(BB)-z0)+ANGLE(BA,BB,BC)}",
    "N1 {VX(BC)*sin(Z(BA)-z0)-VZ(BB)*time}",
    "C3 BA (x0,y0+7,z0) BC",
    "K1 ANGLE(BA,BB,BC) 3 A0=0.4 DAMP=0.2",
    "D1 BA 0.3",
)


@pytest.mark.parametrize("how", MOVES)
@pytest.mark.parametrize("card", INSIDE)
def test_what_an_element_does_is_carried_along(read, card, how):
    ending = ".options gravity=0\n.tran 0 1 1ms\n.plot Time\n"
    still = read(f"* t\n{ARM % card}X1 Arm B1 B2 B3 (0,0,0)\n{ending}")
    moved = read("\n".join(("* t", ARM % card, *MOVES[how], "X1 Arm B1 B2 B3", ending)))
    assert still.codes == moved.codes == [], (still.said, moved.said)
    if how in MOVED:
        R = MOVED[how]
    else:  # the proper rotation between the frames of three bodies
        laid = np.array([[1.5, 0, 0], [0.4, 1, 0.3]])
        there = np.array([[0, 0, 1.5], [0.3, 1, 0.4]])
        full = [np.vstack([pair, np.cross(*pair)]) for pair in (laid, there)]
        R = np.linalg.solve(full[0], full[1]).T
        assert np.linalg.det(R) == pytest.approx(1.0)
    q, v = np.random.default_rng(4).normal(size=(2, 3, 3))
    one = still.mechanism.equations(q, v, 0.3)
    other = moved.mechanism.equations(q @ R.T + (5, 3, 1), v @ R.T, 0.3)
    back = np.kron(np.eye(3), R)
    np.testing.assert_allclose(other.F @ back, one.F, atol=1e-11)
    np.testing.assert_allclose(other.A @ back, one.A, atol=1e-11)
    for values in ("b", "c", "phi"):
        np.testing.assert_allclose(getattr(other, values), getattr(one, values), atol=1e-11)


def test_an_instance_on_one_line_says_what_is_open(read):
    arm = ".submachine Arm BA, BB, (x0,y0,z0)\nBA (x0,y0,z0) 1\nBB (x0+1,y0,z0) 1\nBC (x0,y0+1,z0) 1\nC1 BA BC\n.end\n"
    found = read(f"* t\n{arm}B1 (0,0,0) 1\nB2 (0,0.6,0.8) 1\nX1 Arm B1 B2\n.tran 0 1 1ms\n.plot Time\n")
    assert found.codes == ["E246"] and "about the line through B1 and B2" in found.said[0].message
