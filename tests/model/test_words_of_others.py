"""What people write by habit: the help says what to write here, and with that the text passes."""

import itertools
import re

import pytest

import chainlist
from chainlist.model.outside import outside_number
from chainlist.model.units import RPM, UNITS
from chainlist.syntax.errors import ChainlistError
from chainlist.syntax.letters import si_scale
from chainlist.syntax.vocabulary import SCALES
from tests.some import some

PLANE = """* Machine
.param L=2 n=60 m=1
B1 (1,0) m
B2 (2,0) 1
C1 B1 (0,0)
{card}
.tran 0 1 1ms
.plot Q(B1)
"""
SPACE = "* Machine\nB1 (0,0,0) 0\n{card}\n.tran 0 1 1ms\n.plot Etotal\n"


def said(text):
    try:
        return [d for d in chainlist.parse(text).diagnostics if d.code.startswith("E")]
    except ChainlistError as error:
        return list(error.diagnostics)


@pytest.mark.parametrize(
    ("card", "help", "right"),
    [
        ("B3 (L m,3) 1", "write `L`", "B3 (L,3) 1"),
        ("B3 (2*L mm,{n+L cm}) 1", "write `2*L*1E-3`", "B3 (2*L*1E-3,{n+L}) 1"),
        ("B3 (3,{n+L cm}) 1", "write `(n+L)*1E-2`", "B3 (3,{(n+L)*1E-2}) 1"),
        ("B3 (3,3) L kg", "write `L`", "B3 (3,3) L"),
        ("C2 B2 (0,0) LENGTH=L m", "write `L`", "C2 B2 (0,0) LENGTH=L"),
        ("K1 B1 B2 {2*L} kN/m", "write `{2*L*1E3}`", "K1 B1 B2 {2*L*1E3}"),
        ("K1 B1 B2 m N/mm", "write `m*1E3`", "K1 B1 B2 m*1E3"),
        ("K1 B1 B2 {m N/mm}", "write `m*1E3`", "K1 B1 B2 {m*1E3}"),
        ("K1 B1 B2 m N/m**2", "write `m`", "K1 B1 B2 m"),
        ("K1 B1 B2 100 N/mm", "write 100*1E3,", "K1 B1 B2 100*1E3"),
        ("K1 B1 B2 {100 N/m}", "write `100`", "K1 B1 B2 {100}"),
        ("K1 B1 B2 {100 kN/m}", "write `100*1E3`", "K1 B1 B2 {100*1E3}"),
        ("M1 C1 SPEED=n deg/min", "write `n*pi/180/60`", "M1 C1 SPEED=n*pi/180/60"),
        ("M1 C1 SPEED={60 rpm}", "write `60*2*pi/60`", "M1 C1 SPEED={60*2*pi/60}"),
        ("C2 B2 (0,0) LENGTH={L cm}", "write `L*1E-2`", "C2 B2 (0,0) LENGTH={L*1E-2}"),
        ("M1 C1 SPEED=60rpm", "write 2*pi*60/60", "M1 C1 SPEED=2*pi*60/60"),
        ("M1 C1 SPEED=60 rpm", "write 2*pi*60/60", "M1 C1 SPEED=2*pi*60/60"),
        ("M1 C1 SPEED={n rpm}", "write `n*2*pi/60`", "M1 C1 SPEED={n*2*pi/60}"),
        ("M1 C1 SPEED={n*rpm}", "define it, .param rpm=2*pi/60", ".param rpm=2*pi/60\nM1 C1 SPEED={n*rpm}"),
        ("F1 B1 (0,{m*g})", "write .param g=9.81 and .options gravity=g", ".param g=9.81\n.options gravity=g\nF1 B1 (0,{m*g})"),
        (".options gravity=1.62\nF1 B1 (0,{m*g})", "write .param g=1.62 and .options gravity=g",
         ".param g=1.62\n.options gravity=g\nF1 B1 (0,{m*g})"),
        (".options gravity={L/3}\n.plot U/g", "write .param g={L/3} and .options gravity=g",
         ".param g={L/3}\n.options gravity=g\n.plot U/g"),
        (".options gravity=g", "write .param g=9.81 and .options gravity=g", ".param g=9.81\n.options gravity=g"),
        (".options gravity=(1,-2)\n.plot U/g", "write .param g=9.81, with the number that is meant",
         ".param g=9.81\n.options gravity=(1,-2)\n.plot U/g"),
        (".plot U/gravity", "write .param gravity=9.81", ".param gravity=9.81\n.options gravity=gravity\n.plot U/gravity"),
        ("B3: (0,3) 1", "write B3 (0,3) 1", "B3 (0,3) 1"),
        (".options: gravity=1", "write .options gravity=1", ".options gravity=1"),
        ("F1 B1 ({-3*B2.x},0)", "write X(B2)", "F1 B1 ({-3*X(B2)},0)"),
        (".stop {B2.pos.y<0}", "write Y(B2)", ".stop {Y(B2)<0}"),
        (".plot B1.vx", "write VX(B1)", ".plot VX(B1)"),
        (".meas a AVERAGE X(B1)", "write .meas a AVG X(B1)", ".meas a AVG X(B1)"),
        (".meas a MEAN X(B1) FROM=0.5", "write .meas a AVG X(B1) FROM=0.5", ".meas a AVG X(B1) FROM=0.5"),
        (".meas AVERAGE X(B1)", "write .meas m1 AVG X(B1)", ".meas m1 AVG X(B1)"),
        (".meas a MAXIMUM X(B1)", "write .meas a MAX X(B1)", ".meas a MAX X(B1)"),
        (".meas a max(X(B1))", "write .meas a MAX X(B1)", ".meas a MAX X(B1)"),
        (".meas a X(B1) MAX", "write .meas a MAX X(B1)", ".meas a MAX X(B1)"),
        (".meas a FINAL X(B1)", "write .meas a FIND X(B1) AT=END", ".meas a FIND X(B1) AT=END"),
        (".meas a LAST X(B1) FROM=0.03 TO={1/2}", "write .meas a FIND X(B1) AT=END", ".meas a FIND X(B1) AT=END"),
        (".meas a AMPLITUDE X(B1)", "write .meas a_pp PP X(B1) and .meas a PARAM {a_pp/2}", ".meas a_pp PP X(B1)\n.meas a PARAM {a_pp/2}"),
        (".meas f FREQUENCY X(B1)", "write .meas f_p PERIOD X(B1) and .meas f PARAM", ".meas f_p PERIOD X(B1)\n.meas f PARAM {1/f_p}"),
        (
            ".meas s STD X(B1)",
            "write .meas s_r RMS X(B1), .meas s_a AVG X(B1) and .meas s PARAM {sqrt(s_r**2-s_a**2)}",
            ".meas s_r RMS X(B1)\n.meas s_a AVG X(B1)\n.meas s PARAM {sqrt(s_r**2-s_a**2)}",
        ),
    ],
)  # fmt: skip
def test_what_others_write_is_answered_by_what_is_written_here(card, help, right):
    assert any(help in d.help for d in said(PLANE.format(card=card))), said(PLANE.format(card=card))
    assert said(PLANE.format(card=right)) == []


@pytest.mark.parametrize(
    ("card", "help", "right"),
    [
        ("R1 B1 RADIUS=0.3 2 CG=(0,0)", "write AXIS=(0,0,1) CG=(0,0,0)", "R1 B1 RADIUS=0.3 2 AXIS=(0,0,1) CG=(0,0,0)"),
        ("R1 B1 RADIUS=0.3 2 AXIS=(0,1,0) CG=(0,0.1)", "write CG=(0,0.1,0)", "R1 B1 RADIUS=0.3 2 AXIS=(0,1,0) CG=(0,0.1,0) J=(1,1,1)"),
        ("R1 B1 RADIUS=0.3 2 AXIS=(0,1,0) CG=(0,0.1,0)", "such as J=(0.04515,0.09,0.04515) of one 0.03 m thick",
         "R1 B1 RADIUS=0.3 2 AXIS=(0,1,0) CG=(0,0.1,0) J=(0.04515,0.09,0.04515)"),
        ("R1 B1 2 CG=(0,0.5) J=1", "write CG=(0,0.5,0) J=(Jxx,Jyy,Jzz)", "R1 B1 2 CG=(0,0.5,0) J=(1,1,1.5)"),
        ("R1 B1 (0,0,1) 2 CG=(0,0.5) UNIFORM", "leave CG out", "R1 B1 (0,0,1) 2 UNIFORM"),
    ],
)  # fmt: skip
def test_a_flat_centre_of_mass_in_space_is_answered_by_the_form_of_that_body(card, help, right):
    assert [d.help for d in said(SPACE.format(card=card)) if help in d.help]
    assert said(SPACE.format(card=right)) == []


def test_parameters_that_are_called_like_units_still_are_parameters():
    for card in ("S1 B2 2 m 3", "B3 3 3 m", "F1 B1 (0,2kg*m2)\n.param m2=1"):
        found = said(PLANE.format(card=card))
        assert not any("unit stands" in d.help for d in found), found


def test_every_unit_is_turned_into_si_by_its_scale():
    scales = {name: outside_number(scale) for name, scale in SCALES.items() if name != RPM}
    for name, unit in UNITS.items():
        assert scales.get(name, 1.0) == pytest.approx(unit.factor * 10.0**unit.power, rel=1e-15)
    assert set(SCALES) - {RPM} <= set(UNITS)


@pytest.mark.parametrize(
    ("unit", "factor"),
    [("N/mm", 1e3), ("deg/min", 3.141592653589793 / 180 / 60), ("kg*m**2/s", 1.0), ("g*cm2", 1e-7), ("km/ms", 1e6), ("kN", 1e3),
     ("1/rpm", None), ("N/x", None), ("", None)],
)  # fmt: skip
def test_all_factors_of_a_unit_count(unit, factor):
    scale = si_scale(unit)
    assert scale is None if factor is None else outside_number(f"1{scale}") == pytest.approx(factor, rel=1e-15)


@pytest.mark.parametrize("word", ["MEAN", "LAST", "LAST FROM=0.1", "STD", "FREQUENCY", "AMPLITUDE TO=1"])
def test_a_measure_without_an_item_gets_no_cure_that_lacks_it(word):
    (found,) = said(PLANE.format(card=f".meas a {word}"))
    assert found.code == "E501"
    assert found.help.startswith("write .meas name FIND item AT=t|END |")


@pytest.mark.parametrize(
    ("wrong", "right"), [("C1.tension", "TENSION(C1)"), ("K1.tension", "FORCE(K1)"), ("B1.x", "X(B1)")]
)
def test_a_dotted_item_in_a_function_is_answered_by_the_letter_of_what_it_is_of(wrong, right):
    (found,) = said(PLANE.format(card=f"K1 B1 B2 1\n.func f(a)={{{wrong}*a}}"))
    assert found.help == f"write {right}"
    assert said(PLANE.format(card=f"K1 B1 B2 1\n.func f(a)={{{right}*a}}\n.plot f(2)")) == []


@pytest.mark.parametrize(
    ("card", "cure"),
    [
        ("C2 B1 B2 CUT={TENSION(ALL)>3}", "TENSION(C2)"),
        ("M1 C1 SPEED=1 RELEASE={TENSION(ALL)>3}", "TENSION(C1)"),
        (".stop {TENSION(ALL)>3}", "TENSION(C1)"),
        (".stop {ANGLE(ALL)>3}", "ANGLE(C1) or OMEGA(C1)"),
        ("F1 B1 ({OMEGA(ALL)},0)", "ANGLE(C1) or OMEGA(C1)"),
    ],
)
def test_where_one_link_is_asked_all_is_answered_by_the_name_of_one(card, cure):
    (found,) = said(PLANE.format(card=card))
    assert "is asked of one link, not of ALL" in found.message
    assert found.help == f"name it: {cure}"
    for one in cure.split(" or "):
        assert said(PLANE.format(card=re.sub(r"\w+\(ALL\)", one, card))) == []


EVERY_KIND = """* Machine
B1 (1,0) 1
B2 (2,0) 1
B3 (3,0) 0
B4 (2,0) 1
C1 B1 (0,0)
S1 B2 LINE(0,1,0)
J1 B2 B4
G1 {{X(B1)-X(B2)+1}}
N1 {{VX(B1)}}
K1 B1 (0,0) 1
K2 ANGLE(R1) 1
D1 B1 B2 1
F1 B1 (1,0)
F2 B1 B2 1
T1 R1 1
M1 C1 SPEED=1
W1 B1 LINE(0,1,-9)
R1 (0,0) B3 1 UNIFORM
{card}
.tran 0 1 1ms
.plot Etotal
"""
SPELLINGS = ("x", "pos", "pos.x", "vel", "a", "angle", "w", "force", "tension", "torque",
             "power", "z")  # fmt: skip
PLACES = (".plot {}",  ".meas m MAX {}", ".stop {{{}>1}}", "F9 B1 ({{{}}},0)", "C9 B1 B2 CUT={{{}>9}}",
          ".param p={}")  # fmt: skip
NAMED = ("B1", "C1", "S1", "J1", "G1", "N1", "K1", "K2", "D1", "F1", "F2", "T1", "M1", "W1", "R1")


def every_name_in_places():
    """A third of them, in which is each name and each place; the others in the long tests."""
    pairs = itertools.product(NAMED, PLACES)
    return some(pairs, lambda pair: (NAMED.index(pair[0]) + PLACES.index(pair[1])) % 3 == 0)


@pytest.mark.parametrize(("name", "place"), every_name_in_places())
def test_a_dotted_item_is_answered_by_one_that_may_stand_there(name, place):
    for spelling in SPELLINGS:
        wrong = f"{name}.{spelling}"
        (found,) = [d for d in said(EVERY_KIND.format(card=place.format(wrong))) if wrong in d.message]
        cure = re.search(r"(?:write|here is) ([A-Z]+\(\w+\))$", found.help)
        if cure:
            assert said(EVERY_KIND.format(card=place.format(cure[1]))) == [], (wrong, found.help)
        elif place.startswith((".plot", ".print")):
            raise AssertionError((wrong, found.help))
