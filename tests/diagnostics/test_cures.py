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
    (PLANE, "R1 B1 RADIUS=0.1 AXIS=(0,0,1) 1", "leave AXIS out", "R1 B1 RADIUS=0.1 1"),
    (PLANE, "C2 B1 0", "C2 B1 (0,0)", "C2 B1 (0,1)"),
    (SPACE, "C2 B1 0", "C2 B1 (0,0,0)", "C2 B1 (0,0,1)"),
    (PLANE, "K1 B1 20", "an end is missing before 20, a body or a fixed point: K1 B1 (0,0) 20", "K1 B1 (0,0) 20"),
    (PLANE, "S1 B1 CIRCLE(0,0,1)", "CIRCLE((0,0),1)", "S1 B1 CIRCLE((0,0),1)"),
    (SPACE, "S1 B1 SPHERE(0,0,0,1)", "SPHERE((0,0,0),1)", "S1 B1 SPHERE((0,0,0),1)"),
    (PLANE, "B2 (L sin(30),0) 1", "`L*sin…`", "B2 (L*sin(30),0) 1"),
    (PLANE, "B2 (0,2 cos(30)) 1", "`2*cos…`", "B2 (0,2*cos(30)) 1"),
    (PLANE, "C2 B1 (0,1) 1u", "write LENGTH=1E-6", "C2 B1 (0,1) LENGTH=1E-6"),
    (PLANE, "C2 B1 (0,1) 1m", "LENGTH=1m", "C2 B1 (0,1) LENGTH=1m"),
    (PLANE, ".dc B1 0 5 1", ".step a 0 5 1", ".step a 0 5 1"),
    (PLANE, "M2 K1 SPEED=1", "such as C1", "M2 C1 SPEED=1"),
    (PLANE, "M2 C1 10", "write M2 C1 SPEED=10", "M2 C1 SPEED=10"),
    (PLANE, "F2 B1 5", "write F2 B1 (5,0)", "F2 B1 (5,0)"),
    (PLANE, "F2 (0,0) (1,0)", "F2 B1 (0,-1)", "F2 B1 (0,-1)"),
    (PLANE, "R2 B1 1", "write R2 B1 RADIUS=0.1 1", "R2 B1 RADIUS=0.1 1"),
    (PLANE, "R2 B1 1 HOOP", "write R2 B1 RADIUS=0.1 1 HOOP", "R2 B1 RADIUS=0.1 1 HOOP"),
    (PLANE, "W1 y=0", "y=0 is LINE(0,1,0)", "W1 LINE(0,1,0)"),
    (PLANE, "W1 x=0", "x=0 is LINE(1,0,0)", "W1 LINE(1,0,0)"),
    (PLANE, "B2 (0,1) 1 IC_VEL=3m/s", "(3,0)", "B2 (0,1) 1 IC_VEL=(3,0)"),
    (PLANE, "M2 C1 300rpm", "write M2 C1 SPEED={2*pi*300/60}", "M2 C1 SPEED={2*pi*300/60}"),
    (PLANE, "M2 C1 {2*pi*time}", "write M2 C1 ANGLE={2*pi*time}", "M2 C1 ANGLE={2*pi*time}"),
    (PLANE, "M2 C1 2*pi*time", "SPEED={2*pi*time} if it is a speed", "M2 C1 SPEED={2*pi*time}"),
    (PLANE, "M2 C1 {a/2}", "write M2 C1 SPEED={a/2}", "M2 C1 SPEED={a/2}"),
    (PLANE, "M2 C1", "write M2 C1 SPEED=10", "M2 C1 SPEED=10"),
    (PLANE, "F2 B1 3", "write F2 B1 (3,0)", "F2 B1 (3,0)"),
    (SPACE, "F2 B1 3N", "write F2 B1 (3N,0,0)", "F2 B1 (3N,0,0)"),
    (PLANE, "F2 B1 {2*sin(time)}", "write F2 B1 ({2*sin(time)},0)", "F2 B1 ({2*sin(time)},0)"),
    (PLANE, "K1 B1 (0,0) k=20 l=0.5", "write K1 B1 (0,0) 20 L0=0.5", "K1 B1 (0,0) 20 L0=0.5"),
    (
        PLANE,
        "K1 B1 (0,0) stiffness=20 damping=1 length=2",
        "write K1 B1 (0,0) 20 DAMP=1 L0=2",
        "K1 B1 (0,0) 20 DAMP=1 L0=2",
    ),
    (PLANE, "K1 B1 (0,0) 20 l=0.5", "write L0=0.5", "K1 B1 (0,0) 20 L0=0.5"),
    (PLANE, "K1 B1 (0,0) 20 D=3", "write DAMP=3", "K1 B1 (0,0) 20 DAMP=3"),
    (PLANE, "B2 (0,1) 1 V=(0,2)", "write IC_VEL=(0,2)", "B2 (0,1) 1 IC_VEL=(0,2)"),
    (PLANE, "B2 (0,1) 1 vy=2", "write IC_VEL=(0,2)", "B2 (0,1) 1 IC_VEL=(0,2)"),
    (SPACE, "B2 (0,1,0) 1 VX=a VZ=2", "write IC_VEL=(a,0,2)", "B2 (0,1,0) 1 IC_VEL=(a,0,2)"),
    (PLANE, "B2 (1,1) 1 theta0=30deg", "(L*sin(30deg),-L*cos(30deg))", "B2 (L*sin(30deg),-L*cos(30deg)) 1"),
    (PLANE, "C2 B1 (0,1) theta0=30deg", "(L*sin(30deg),-L*cos(30deg))", "B2 (L*sin(30deg),-L*cos(30deg)) 1"),
    (PLANE, "W1 LINE(0,1,-3) E=0.8", "write REST=0.8", "W1 LINE(0,1,-3) REST=0.8"),
    (
        PLANE,
        ".meas m X(B1) WHEN T=1",
        "write .meas m FIND X(B1) WHEN T=1 (T is the kinetic energy",
        ".meas m FIND X(B1) WHEN T=1",
    ),
    (PLANE, ".meas m X(B1) WHEN Y(B1)=0", "write .meas m FIND X(B1) WHEN Y(B1)=0", ".meas m FIND X(B1) WHEN Y(B1)=0"),
    (PLANE, ".meas m X(B1) AT=1", ".meas m FIND X(B1) AT=1", ".meas m FIND X(B1) AT=1"),
    (PLANE, ".meas m MAX ANGLE(C1) FROM 1 TO 2", "write FROM=1 TO=2", ".meas m MAX ANGLE(C1) FROM=1 TO=2"),
    (PLANE, ".meas m FIND X(B1) AT 2", "write AT=2", ".meas m FIND X(B1) AT=2"),
    (PLANE, "M2 C1 60 rpm", "write M2 C1 SPEED={2*pi*60/60}", "M2 C1 SPEED={2*pi*60/60}"),
    (PLANE, "F2 B1 3 N", "write F2 B1 (3N,0)", "F2 B1 (3N,0)"),
    (PLANE, "W1 LINE(0,1,-3) REST=80%", "write 0.8;", "W1 LINE(0,1,-3) REST=0.8"),
    (PLANE, "B4 (x=1,y=2) 1", "write (1,2)", "B4 (1,2) 1"),
    (SPACE, "B4 (x=1, y=2*a, z=0) 1", "write (1,2*a,0)", "B4 (1,2*a,0) 1"),
    (PLANE, ".step .param a 1 2 0.5", "write .step a 1 2 0.5", ".step a 1 2 0.5"),
    (PLANE, ".plot X(B1):Y(B1)", "write VS(Y(B1),X(B1))", ".plot VS(Y(B1),X(B1))"),
    (PLANE, ".plot Etotal X(B1) : Y(B1)", "write VS(Y(B1),X(B1))", ".plot Etotal VS(Y(B1),X(B1))"),
    (PLANE, "spring1 B1 (0,0) 20", "write Kspring1 B1 (0,0) 20", "Kspring1 B1 (0,0) 20"),
    (PLANE, "rod B1 (0,1)", "write Crod B1 (0,1)", "Crod B1 (0,1)"),
    (PLANE, "rope B1 (0,1) LENGTH=2", "write Crope B1 (0,1) LENGTH=2 ROPE", "Crope B1 (0,1) LENGTH=2 ROPE"),
    (PLANE, "bar B1 (0,1)", "write Cbar B1 (0,1)", "Cbar B1 (0,1)"),
    (PLANE, "link B1 (0,1)", "write Clink B1 (0,1)", "Clink B1 (0,1)"),
    (PLANE, "mass1 (0,2) 1", "write Bmass1 (0,2) 1", "Bmass1 (0,2) 1"),
    (PLANE, "particle (0,2) 1", "write Bparticle (0,2) 1", "Bparticle (0,2) 1"),
    (PLANE, "B2 (1,0) 1\npin B1 B2", "write Jpin B1 B2", "B2 (1,0) 1\nJpin B1 B2"),
    (PLANE, "g=10", "`.options gravity=10`", ".options gravity=10"),
    (SPACE, "gravity=(0,0,-10)", "`.options gravity=(0,0,-10)`", ".options gravity=(0,0,-10)"),
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


@pytest.mark.parametrize(
    "wrong, message",
    [
        ("B2 (1,1) 5N", "5N is a force, but a mass is wanted here"),
        (".options gravity=9.81N", "9.81N is a force, but a bare number is wanted here"),
    ],
)
def test_a_newton_is_no_nano(wrong, message):
    (one,) = refused(PLANE.format(wrong))
    assert (one.code, one.message) == ("E203", message) and "SPICE" not in one.help


@pytest.mark.parametrize(
    "place, offered", [("(0,-0.1)", ""), ("(0,-0.31)", ", or turn the signs of the wall around"), ("(0,0.1)", "")]
)
def test_a_wall_is_turned_only_where_its_disk_fits_then(place, offered):
    text = f"* t\nB1 {place} 1 RADIUS=0.3\nW1 LINE(0,{{}},0)\n.tran 0 1 1ms\n"
    (one,) = refused(text.format(1))
    assert one.code == "E304" and one.help.endswith(f"k1·x + k2·y ≥ konst{offered}")
    assert not offered or not refused(text.format(-1))


def test_an_implicit_method_does_not_show_what_its_step_leaves_out():
    text = "* t\nB1 (1,0) 1g\nK1 (0,0) B1 1000\n.tran 0 2 10ms\n"
    (one,) = [d for d in chainlist.parse(text).diagnostics if d.code == "W309"]
    assert "nothing true of what swings faster than its step" in one.help


def test_a_number_that_is_too_large_keeps_its_unit():
    (one,) = refused("* t\nB1 (1E308km,0) 1\n")
    assert one.message == "1E308km is too large for a number" and one.help == "numbers reach up to 1.8E308, in m"


def test_a_number_behind_a_named_parameter_is_not_guessed_at():
    found = refused(PLANE.format("B2 (0,1) 1 IC_VEL=(0,v) 5"))
    assert [one.code for one in found] == ["E206", "E224"] and "RADIUS=5" not in found[1].help


def test_the_components_of_a_force_take_its_unit():
    text = PLANE.format("F1 B1 ({},1N)")
    force = chainlist.parse(text.format("3kN")).forces[0].parts.forces[0].force
    assert force == chainlist.parse(text.format("3000")).forces[0].parts.forces[0].force
    (one,) = refused(text.format("3cm"))
    assert one.message == "3cm is a length, but a force is wanted here" and "N, kN" in one.help


@pytest.mark.parametrize(
    "more", [".options gravity=g", ".param w={g*2}", "F1 B1 (0,{g})", ".plot {g*X(B1)}", ".step g 1 2 1"]
)
def test_a_parameter_g_is_noted_only_where_nothing_uses_it(more):
    text = PLANE.format(".param g=10\n{}")
    found = [d.code for d in chainlist.parse(text.format("")).diagnostics]
    assert found.count("N208") == 1
    told = {d.code: d.help for d in chainlist.parse(text.format(more)).diagnostics}
    assert ("N208" in told) == ("N205" in told)
    assert "N208" not in told or told["N208"].endswith(".options gravity=g")
