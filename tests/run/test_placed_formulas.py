"""A submachine with forces, torques, angles and moving lines moves alike wherever its shared bodies put it."""

import numpy as np
import pytest

import chainlist

ARM = """* An arm with everything that has a direction
.submachine ARM B1, B2, (x0,y0)
B1 (x0,y0) 1
B2 (x0+1,y0) 1
B3 (x0+1,y0+1) 1
C1 B1 B2
C2 B2 B3
C3 B1 B3
K1 ANGLE(B2,B1,B3) 3 A0=0.9
K2 ANGLE(B1,B2) 2 A0=0.2
F1 B3 ({sin(3*time)+0.3*X(B3)},{cos(time)-0.1*VY(B2)})
T1 C1 {0.5*time+0.1*OMEGA(C2)+0.2*ANGLE(B1,B3)}
S1 B2 LINE({-sin(0.1*time)},{cos(0.1*time)},0)
.end
.tran 0 1 1E-3
.options gravity=0
"""
NAMES = ("B1", "B2", "X1.B3")


def places(text):
    motion = chainlist.simulate(text)
    return motion.q[:, [motion.bodies.index(name) for name in NAMES]]


@pytest.mark.parametrize(("first", "second"), [("(2,3)", "(3,3)"), ("(2,3)", "(2,4)"), ("(2,3)", "(1,3)")])
def test_moved_like_its_bodies(first, second):
    """A shift, a rotation by a quarter turn, a mirror."""
    laid = places(ARM + "X1 ARM B1, B2, (0,0)\n")
    fitted = places(ARM + f"B1 {first} 1\nB2 {second} 1\nX1 ARM B1, B2\n")
    turn = np.linalg.solve(laid[0, 1:] - laid[0, 0], fitted[0, 1:] - fitted[0, 0])
    moved = (laid - laid[0, 0]) @ turn + fitted[0, 0]
    assert np.ptp(laid, axis=0).max() > 0.1
    assert np.abs(moved - fitted).max() < 1e-12
