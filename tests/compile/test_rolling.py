"""W311: ROLL leaves the distance of the centre to others; it is told where nothing keeps it, and nowhere else."""

import pytest

import chainlist

WHEEL = "* Wheel\n.tran 0 0.1 1ms\n.plot Etotal\nB1 (0,0.1) 0\nR1 B1 RADIUS=0.1 1\nN1 R1 ROLL LINE(0,1,0)\n"


def told(text):
    return [d for d in chainlist.parse(text).diagnostics if d.code == "W311"]


@pytest.mark.parametrize(
    "holder",
    [
        "S1 B1 LINE(0,1,0.1)",
        "S1 B1 LINE(0,-3,-0.3)",
        "S1 B1 LINE((5,0.1),(6,0.1))",
        "G1 {Y(B1)-0.1}",
        "N2 {VY(B1)}",
        "C1 B1 (0,2)",
        "W1 LINE(0,1,0)",
        "W1 LINE(0,1,0)\nW2 LINE(0,-1,-0.2)",
        "C1 B1 (0,1) ROPE",
        "B2 (1,0.1) 0\nR2 B1 B2 1\nS1 B1 LINE(0,1,0.1)\nS2 B2 LINE(0,1,0.1)",
        "B2 (1,0.1) 1\nC1 B1 (0,-1)\nC2 B1 B2\nC3 B2 (1,-1)",
        "J1 B1 ({time},0.1)",
        "J1 B1 (0,0.1)",
        "S1 B1 LINE(0,1,0.1)\nM1 R1 SPEED={3+time}",
        "C1 B1 (0,2) CUT={time>1}",
        "S1 B1 LINE(0,1,0.1) MU=0.2",
    ],
)
def test_whatever_keeps_the_distance(holder):
    assert not told(WHEEL + holder + "\n")


@pytest.mark.parametrize(
    "loose",
    [
        "D1 B1 1",
        "C1 B1 (1,1)",
        "K1 B1 (0,2) 1000",
        "S1 B1 LINE(1,0,0)",
        "S1 B1 LINE(0,1,{0.1+time})",
        "W1 LINE(0,1,-0.3)",
        "C1 B1 (0,1) ROPE LENGTH=2",
    ],
)
def test_what_does_not(loose):
    (found,) = told(WHEEL + loose + "\n")
    assert found.message.startswith("nothing keeps B1 at the distance 0.1")
    assert "LINE(0,1,0.1)" in found.help
    cured = WHEEL + found.help.split(": ")[1] + "\n"
    assert not chainlist.parse(cured).diagnostics


@pytest.mark.parametrize(
    ("start", "line", "slider"),
    [
        ("(0,0.3)", "LINE(0,1,0)", "LINE(0,1,0.1)"),
        ("(0,-0.3)", "LINE(0,1,0)", "LINE(0,1,-0.1)"),
        ("(2,1)", "LINE(3,4,5)", "LINE(0.6,0.8,1.1)"),
        ("(0,0)", "LINE(3,4,5)", "LINE(0.6,0.8,0.9)"),
    ],
)
def test_the_slider_that_is_named_keeps_it(start, line, slider):
    text = f"* Wheel\n.tran 0 0.1 1ms\n.plot Etotal\nB1 {start} 0\nR1 B1 RADIUS=0.1 1\nN1 R1 ROLL {line}\n"
    (found,) = told(text)
    assert slider in found.help
    assert not told(text + found.help.split(": ")[1] + "\n")


def test_a_start_that_does_not_fit_is_judged_where_it_is_put():
    assert not told(WHEEL.replace("(0,0.1)", "(0,0.11)") + "S1 B1 LINE(0,1,0.1)\n")


def test_an_axle_in_the_ground():
    text = "* Wheel\nR1 (0,{}) RADIUS=0.1 1\nN1 R1 ROLL LINE(0,1,0)\n.tran 0 0.1 1ms\n.plot Etotal\n"
    assert not told(text.format(0.1))
    (found,) = told(text.format(0.2))
    assert found.help == "put the centre one radius away; or write RADIUS=0.2"


def test_in_a_submachine_that_was_turned():
    machine = (
        "* Cart\n.submachine Cart BA BC (x0,y0)\nBA (x0,y0+0.1) 0\nBC (x0+1,y0+0.1) 1\nR1 BA RADIUS=0.1 1\nC1 BA BC\n"
        "N1 R1 ROLL LINE(0,1,y0)\n{}.end Cart\n{}.tran 0 0.1 1ms\n.plot Etotal\n"
    )
    laid = "B1 (0,0) 0\nB2 (0,1) 1\nX1 Cart B1 B2\n"
    assert not told(machine.format("S1 BA LINE(0,1,y0+0.1)\n", laid))
    (found,) = told(machine.format("", laid))
    assert found.message.startswith("nothing keeps B1 at the distance 0.1")
