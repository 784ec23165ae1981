"""ANGLE(R1,R2) and OMEGA(R1,R2) in expressions are what a spring and a damper between two bodies of the plane count."""

import math

import numpy as np
import pytest

import chainlist

LAID_OUT = [(0, 0), (170, -170), (-120, 100), (30, -150.5)]


def arms(first, second, *cards):
    """Two rods in a row, in these directions [degrees], that swing; (time, ANGLE(R1), ANGLE(R2))."""
    (x, y), (u, v) = ((math.cos(a), math.sin(a)) for a in map(math.radians, (first, second)))
    lines = [
        "* Two rods",
        f"B1 ({x!r},{y!r}) 0",
        f"B2 ({x + u!r},{y + v!r}) 0",
        "R1 (0,0) B1 1 OMEGA=3",
        "R2 B1 B2 0.5 OMEGA=-2",
        *cards,
        ".tran 0 2 1ms",
    ]
    motion = chainlist.simulate("\n".join(lines) + "\n")
    assert motion.status.ok
    return np.array([motion.t, *(motion.observe(f"ANGLE({name})").curves[0].values for name in ("R1", "R2"))])


@pytest.mark.parametrize(("first", "second"), LAID_OUT)
def test_a_controller_is_a_spring_with_a_damper(first, second):
    """Rods in line were driven apart: the angle was that of the arrow from centre to centre."""
    spring = arms(first, second, "K1 ANGLE(R1,R2) 5 A0=0 DAMP=0.3")
    torque = arms(first, second, "T1 R1 R2 {-5*ANGLE(R1,R2)-0.3*OMEGA(R1,R2)}")
    swapped = arms(first, second, "T1 R2 R1 {-5*ANGLE(R2,R1)-0.3*OMEGA(R2,R1)}")
    assert np.ptp(spring[1] - spring[2]) > 0.5
    assert np.abs(torque - spring).max() < 1e-10
    assert np.abs(swapped - spring).max() < 1e-10


def test_it_goes_on_over_turns():
    t, first, second = arms(10, -30, "G1 {ANGLE(R1,R2)}={40deg+4*time}", "K1 (0,0) B2 1")
    assert np.abs(first - second - math.radians(40) - 4 * t).max() < 1e-9


def test_its_rate_can_be_kept():
    t, first, second = arms(10, -30, "N1 {OMEGA(R2,R1)}={time}")
    assert np.abs(second - first + math.radians(40) - t**2 / 2).max() < 1e-9


def test_a_run_stops_by_it():
    t, first, second = arms(10, -30, "D1 ANGLE(R1,R2) 0.1", ".stop {ANGLE(R1,R2)>60deg}")
    assert t[-1] < 1
    assert first[-1] - second[-1] == pytest.approx(math.radians(60), abs=1e-9)


PAIR = """* Two rods and their controller
.submachine Pair BA BC (x0,y0)
BA (x0,y0) 0.1
BC (x0+1,y0) 0.1
BE (x0+1.2,y0+0.9) 0
R1 BA BC 1
R2 BC BE 1
T1 R1 R2 {-5*(ANGLE(R1,R2)-0.2)-0.3*OMEGA(R1,R2)}
.end Pair
.tran 0 1 1ms
.options gravity=0
"""


@pytest.mark.parametrize(("first", "second"), [("(2,3)", "(3,3)"), ("(2,3)", "(2,4)"), ("(2,3)", "(1,3)")])
def test_a_submachine_takes_it_along(first, second):
    """A shift, a rotation by a quarter turn, a mirror."""
    names = ("B1", "B2", "X1.BE")

    def places(text):
        motion = chainlist.simulate(text)
        return np.stack([motion.observe(f"Q({name})").curves[0].values for name in names], axis=1)

    laid = places(PAIR + "X1 Pair B1 B2 (0,0)\n")
    fitted = places(PAIR + f"B1 {first} 0.1\nB2 {second} 0.1\nX1 Pair B1 B2\n")
    turn = np.linalg.solve(laid[0, 1:] - laid[0, 0], fitted[0, 1:] - fitted[0, 0])
    assert np.ptp(laid, axis=0).max() > 0.1
    assert np.abs((laid - laid[0, 0]) @ turn + fitted[0, 0] - fitted).max() < 1e-11


PLANE = """* An elbow on an arm that stands still
B1 (0.4,0) 1
B2 (0.7,0.2) 1
{arms}
{spring}
.tran 0 4 1ms
.options gravity=0
"""
RODS = "R1 (0,0) B1 1\nR2 B1 B2 1\nM1 R1 ANGLE={0}"
LINKS = "C1 (0,0) B1\nC2 B1 B2\nM1 C1 ANGLE={0}"
BACKWARDS = "C1 (0,0) B1\nC2 B2 B1\nM1 C1 ANGLE={0}"


@pytest.mark.parametrize(
    ("arms", "spring", "rest"),
    [
        (RODS, "K1 ANGLE(R2,R1) 5 A0=30deg DAMP=1", 30),
        (RODS, "K1 ANGLE(R1,R2) 5 A0=30deg DAMP=1", -30),
        (RODS, "K1 ANGLE(R2,R1) 5 A0=0 DAMP=1", 0),
        (RODS, "K1 ANGLE(R2,R1) 5 DAMP=1", math.degrees(math.atan2(2, 3))),
        (RODS, "K1 ANGLE(B2,B1,(0,0)) 5 A0=180deg DAMP=1", 0),
        (LINKS, "K1 ANGLE(C2,C1) 5 A0=30deg DAMP=1", 30),
        (LINKS, "K1 ANGLE(C2,C1) 5 A0=0 DAMP=1", 0),
        (BACKWARDS, "K1 ANGLE(C2,C1) 5 A0=180deg DAMP=1", 0),
    ],
)
def test_where_a_spring_in_a_joint_of_the_plane_rests(arms, spring, rest):
    """The first less the second; 0 where both point the same way, and between three points 180° where these are in line."""
    motion = chainlist.simulate(PLANE.format(arms=arms, spring=spring))
    x, y = motion.observe("Q(B2)").curves[0].values[-1]
    assert math.degrees(math.atan2(y, x - 0.4)) == pytest.approx(rest, abs=1e-3)


SPACE = """* An elbow in space, bent by 45° about z at the start, on an arm that stands still
B1 (0.4,0,0) 0
B2 (0.4,0,0.1) 0
B3 (0.7,0.3,0) 0
R1 (0,0,0) (0,0,0.1) B2 B1 1 UNIFORM
R2 B1 B2 B3 1 UNIFORM
M1 R1 AXIS((0,0,0),(0,0,0.1)) ANGLE={{0}}
{spring}
.tran 0 4 1ms
.options gravity=0
"""


@pytest.mark.parametrize(
    ("spring", "rest"),
    [
        ("K1 ANGLE(R2,R1) AXIS(B1,B2) 5 A0=30deg DAMP=1", 75),
        ("K1 ANGLE(R1,R2) AXIS(B1,B2) 5 A0=30deg DAMP=1", 15),
        ("K1 ANGLE(R2,R1) AXIS(B2,B1) 5 A0=30deg DAMP=1", 15),
        ("K1 ANGLE(R2,R1) AXIS(B1,B2) 5 DAMP=1", 45),
    ],
)
def test_where_a_spring_in_a_hinge_rests(spring, rest):
    """In space the angle counts from the start."""
    motion = chainlist.simulate(SPACE.format(spring=spring))
    x, y, _ = motion.observe("Q(B3)").curves[0].values[-1]
    assert math.degrees(math.atan2(y, x - 0.4)) == pytest.approx(rest, abs=1e-3)
