"""A uniform rod that holds points between its ends: a seesaw against the closed form and against a body with its CG and J."""

import numpy as np
import pytest

import chainlist
from chainlist.output.shapes import shape_of

SEESAW = """* A beam of 3 m, pivoted 1 m from its left end
B1 (-1,0) 0
B2 (2,0) 0
R1 {points} 2
.tran 0 1 1ms
"""


def run_of(points, text=SEESAW):
    return chainlist.simulate(text.replace("{points}", points))


@pytest.mark.parametrize("points", ["B1 (0,0) B2", "B1 B2 (0,0)", "(0,0) B2 B1"])
def test_the_order_of_its_points_does_not_matter(points):
    """By hand: half a metre from the pivot to the middle, m·3²/12 + m·0.5² = m, so it begins to turn with g/2."""
    run = run_of(points)
    assert run.observe("AY(B2)").curves[0].values[0] == pytest.approx(-9.81, rel=1e-12)
    assert run.observe("AY(B1)").curves[0].values[0] == pytest.approx(9.81 / 2, rel=1e-12)
    same = run_of("B1 (0,0) B2", SEESAW.replace("2\n.tran", "2 CG=(0.5,0) J=1.5\n.tran"))
    np.testing.assert_allclose(run.q[:, :2], same.q[:, :2], atol=1e-9)


def test_its_picture_goes_from_end_to_end():
    mechanism = chainlist.parse(SEESAW.replace("{points}", "B1 (0,0) B2"))
    (body,) = mechanism.rigid
    shape = shape_of(body, mechanism.vector_index, 2)
    assert shape.kind == "rod"
    assert sorted(round(x, 12) for x, _ in shape.points) == [-1.5, 1.5]


def test_in_space_and_askew():
    text = "* Beam\nB1 (-1,-2,2) 0\nB2 (2,4,-4) 0\nR1 B1 (0,0,0) B2 2\n.tran 0 0.1 1ms\n"
    (body,) = chainlist.parse(text).rigid
    assert body.lengths == pytest.approx((9 / np.sqrt(12),))


def test_an_angle_counts_to_the_first_point_elsewhere():
    text = (
        "* Two points in one place\nB1 (0,0) 0\nB2 (0,0) 0\nB3 (0,1) 0\nR1 B1 B2 B3 2 CG=(0,0.3) J=3\n.tran 0 0.1 1ms\n"
    )
    run = chainlist.simulate(text)
    assert run.observe("ANGLE(R1)").curves[0].values[0] == pytest.approx(np.pi / 2)
