"""ANGLE inside a submachine that was turned or mirrored starts as it did where the submachine was laid out."""

import math

import pytest

import chainlist


@pytest.mark.parametrize("actual", ["B1 B2", "B2 B1"])
@pytest.mark.parametrize("direction", [10, 100, 170, 190, 260, 350])
def test_an_angle_is_not_off_by_a_whole_turn(direction, actual):
    x, y = math.cos(math.radians(direction)), math.sin(math.radians(direction))
    text = (
        "* Arm that was laid out at 170°\n.submachine Arm BA BC (x0,y0)\nBA (x0,y0) 1\nBC (x0+cos(170deg),y0+sin(170deg)) 1\n"
        "G1 {ANGLE(BA,BC)-170deg}\n.end Arm\n"
        f"B1 (0,0) 1\nB2 ({x!r},{y!r}) 1\nC1 B1 (0,-1)\nX1 Arm {actual}\n.tran 0 1 1ms\n.plot Time\n"
    )
    assert not chainlist.parse(
        text
    ).diagnostics  # it was told that G1 contradicts the position (E302), in a third of the cases
