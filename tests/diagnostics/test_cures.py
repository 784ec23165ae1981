"""Cures that are followed to the letter: the message offers the text, and the chainlist with it has nothing to be refused."""

import pytest

import chainlist
from chainlist.syntax.errors import ChainlistError

PLANE = "* Machine\n.param a=1 L=2\nB1 (1,0) 1\nC1 B1 (0,0)\n{}\n.tran 0 1 1E-2\n"
SPACE = "* Machine\n.param a=1 L=2\nB1 (1,0,0) 1\nC1 B1 (0,0,0)\n{}\n.tran 0 1 1E-2\n"
CASES = [
    # what is written, what the help offers, and what stands there once it was followed
    (PLANE, ".step a=1:2:0.1", ".step a 1 2 0.1", ""),
    (PLANE, ".step a 1:0.1:2", ".step a 1 2 0.1", ""),
    (PLANE, ".step a 1:2:1cm", ".step a 1 2 1cm", ""),
    (PLANE, "F1 B1 (2*sin(time,0)", "(2*sin(time),0)", "F1 B1 (2*sin(time),0)"),
    (PLANE, "F1 B1 (sin(time,cos(time))", "(sin(time),cos(time))", "F1 B1 (sin(time),cos(time))"),
    (PLANE, "B2 (2 pi,0) 1", "`2*pi`", "B2 (2*pi,0) 1"),
    (PLANE, "B2 (2 L,0) 1", "`2*L`", "B2 (2*L,0) 1"),
    (PLANE, "B2 (2 mm,0) 1", "`2mm`", "B2 (2mm,0) 1"),
    (PLANE, "S1 B1 LINE(y=0)", "LINE(0,1,0)", "S1 B1 LINE(0,1,0)"),
    (PLANE, "S1 B1 LINE(y=2*cos(1)-1)", "LINE(0,1,2*cos(1)-1)", "S1 B1 LINE(0,1,0)"),
    (SPACE, "S1 B1 LINE(y=0)", "in space PLANE(0,1,0,0)", "S1 B1 PLANE(0,1,0,0)"),
    (SPACE, "S1 B1 LINE(z=0)", "write PLANE(0,0,1,0)", "S1 B1 PLANE(0,0,1,0)"),
    (PLANE, "B2 (0.0) 1", "(0,0)", "B2 (0,0) 1"),
    (PLANE, "C2 B1 (0.0)", "(0,0)", "C2 B1 (0,1)"),
    (PLANE, "B2 (0,1) 1 IC_VEL=(1.0)", "(1,0)", "B2 (0,1) 1 IC_VEL=(1,0)"),
    (SPACE, "B2 (0,1,0) 1 IC_VEL=5", "(5,0,0)", "B2 (0,1,0) 1 IC_VEL=(5,0,0)"),
    (PLANE, "B2 (0,1) 1 IC_VEL=0,1", "IC_VEL=(0,1)", "B2 (0,1) 1 IC_VEL=(0,1)"),
    (PLANE, "B2 (0,1) 1 IC_VEL=1,0.5 IC_POS=0 -1", "IC_VEL=(1,0.5)", "B2 (0,1) 1 IC_VEL=(1,0.5)"),
    (SPACE, "B2 (0,1,0) 1 IC_VEL=0,1,2", "IC_VEL=(0,1,2)", "B2 (0,1,0) 1 IC_VEL=(0,1,2)"),
    (PLANE, "C2 B1 (0,1) CUT={time=1}", "write time>=1", "C2 B1 (0,1) CUT={time>=1}"),
    (PLANE, "C2 B1 (0,1) CUT={X(B1)==L+1}", "X(B1)>=L+1", "C2 B1 (0,1) CUT={X(B1)>=L+1}"),
    (PLANE, "C2 B1 (0,1) CUT=time=1", "CUT={time>=1}", "C2 B1 (0,1) CUT={time>=1}"),
    (PLANE, ".stop {time=1}", "time>=1", ".stop {time>=1}"),
    (PLANE, ".stop time=1", ".stop {time>=1}", ""),
    (PLANE, ".stop X(B1)=a", ".stop {X(B1)>=a}", ""),
    (PLANE, ".stop 5s", ".stop {time>=5s}", ""),
    (PLANE, ".plot {X(B1)==a-1}", "abs(X(B1)-(a-1))<1E-9", ".plot {abs(X(B1)-(a-1))<1E-9}"),
    (PLANE, "F1 B1 ({if time>1 then 2 else 3},0)", "if(time>1,2,3)", "F1 B1 ({if(time>1,2,3)},0)"),
    (PLANE, "F1 B1 ({2 if time>1 else 3},0)", "if(time>1,2,3)", "F1 B1 ({if(time>1,2,3)},0)"),
    (PLANE, "F1 B1 ({if (time>1) then 2},0)", "if((time>1),2,0)", "F1 B1 ({if((time>1),2,0)},0)"),
    (PLANE, ".stop {if time>1 then}", "a condition stands alone: write time>1;", ".stop {time>1}"),
    (PLANE, "G1 X(B1)=1", "{X(B1)}={1}", "G1 {X(B1)}={1}"),
    (PLANE, "G1 X(B1)={1}", "{X(B1)}={1}", "G1 {X(B1)}={1}"),
    (PLANE, "G1 2*X(B1)=Y(B1)+2", "G1 {2*X(B1)}={Y(B1)+2}", ""),
    (PLANE, "B2 (0,1) 1\n...\nB5 (4*a,1) 1", "0*a in place of 0", "B2 (0*a,1) 1\n...\nB5 (4*a,1) 1"),
    (PLANE, "B2 (0,0) 1\n...\nB5 (0,-3*a) 1", "0*a in place of 0", "B2 (0,0*a) 1\n...\nB5 (0,-3*a) 1"),
    (PLANE, "B2 (-a,1) 1\n...\nB5 (a*2,1) 1", "a*-1 in place of -a", "B2 (a*-1,1) 1\n...\nB5 (a*2,1) 1"),
]


def refused(text):
    try:
        return [d for d in chainlist.parse(text).diagnostics if d.code[0] == "E"]
    except ChainlistError as error:
        return list(error.errors)


@pytest.mark.parametrize("machine, wrong, offered, right", CASES, ids=[wrong for _, wrong, _, _ in CASES])
def test_a_cure_that_is_followed_leads_out(machine, wrong, offered, right):
    found = refused(machine.format(wrong))
    assert found and offered in found[0].help, [one.help for one in found]
    assert not refused(machine.format(right or offered.strip("`")))


def test_a_number_that_is_too_large_keeps_its_unit():
    (one,) = refused("* t\nB1 (1E308km,0) 1\n")
    assert one.message == "1E308km is too large for a number" and one.help == "numbers reach up to 1.8E308, in m"
