"""Every code of this layer: a chainlist that is wrong in just this way, where it is blamed, and one that is right.

The statements get a title, a .tran and a .plot around them unless they bring their own.
"""

import ast
import re
from pathlib import Path

import pytest

import chainlist.model

PAIR = "B1 (0,-1) 1\nB2 (1,-1) 1"
ARM = ".submachine Arm BA, m=1, (x0,y0)\nBA (x0,y0-1) m\nC1 BA (x0,y0)\n.end Arm"
BAR = ".submachine Bar BA, BB, (x0,y0)\nBA (x0,y0) 1\nBB (x0+1,y0) 1\nC1 BA BB\n.end Bar"
LOOP = ".submachine Arm BA\nX1 Arm BA\n.end Arm\nX1 Arm B1"
BOMB = (
    "".join(f".submachine D{i} BA\nX1 D{i + 1} BA\n.end D{i}\n" for i in range(33))
    + ".submachine D33 BA\nBA (0,-1) 1\n.end D33\nX1 D0 B1"
)
NESTED = ".submachine D0 BA\nX1 D1 BA\n.end D0\n.submachine D1 BA\nBA (0,-1) 1\n.end D1\nX1 D0 B1"
DEEP = ".plot " + "*T/".join("1" * 150)

DOUBLING = ".func " + " ".join(f"f{i}(x)=f{i + 1}(x)+f{i + 1}(x)" for i in range(40)) + " f40(x)=x"

# code → (wrong, the text that is blamed, right)
CASES = {
    "E201": ("B1 (0,-1) 1lb", "1lb", "B1 (0,-1) 0.4536kg"),
    "E202": ("B1 (0,-1) 1KG", "1KG", "B1 (0,-1) 1kg"),
    "E203": ("B1 (0,-1) 1cm", "1cm", "B1 (1cm,-1) 1"),
    "E204": ("B1 (0,-1) 1k", "1k", "B1 (0,-1) 1E3"),
    "E205": ("B1 (0,-1) 1/0", "1/0", "B1 (0,-1) 1/10"),
    "E206": (".param Len=1\nB1 (0,-Lem) 1", "Lem", ".param Len=1\nB1 (0,-Len) 1"),
    "E207": ("B1 (0,sine(1)) 1", "sine", "B1 (0,sin(1)) 1"),
    "E208": ("B1 (0,atan2(1)) 1", "atan2(1)", "B1 (0,atan2(1,2)) 1"),
    "E209": ("B1 (0,-1) (1,2)", "(1,2)", "B1 (0,-1) 1"),
    "E210": ("B1 (0,-1) 1\n.param L 2", "L", "B1 (0,-1) 1\n.param L=2"),
    "E211": ("B1 (0,-L) 1\n.param L=1\n.param L=2", "L", "B1 (0,-L) 1\n.param L=1"),
    "E212": ("B1 (0,-1) 1\n.param T=1", "T", "B1 (0,-1) 1\n.param T0=1"),
    "E213": ("B1 (0,-a) 1\n.param a=b b=a", "a", "B1 (0,-a) 1\n.param a=b b=1"),
    "E214": ("B1 (0,-1) 1\n.plot pwl(Time,0,0,0,1)", "pwl(Time,0,0,0,1)", "B1 (0,-1) 1\n.plot pwl(Time,0,0,1,1)"),
    "E215": ("B1 (0,-1) 1\n.func f(x) 2*x", "f(x)", "B1 (0,-1) 1\n.func f(x)=2*x"),
    "E216": ("B1 (0,-1) 1\n.func sin(x)=x", "sin", "B1 (0,-1) 1\n.func sine(x)=x"),
    "E217": ("B1 (0,-1) f(1)\n.func f(x)=g(x) g(x)=f(x)", "f", "B1 (0,-1) f(1)\n.func f(x)=g(x) g(x)=x"),
    "E218": (f"B1 (0,-1) f0(1)\n{DOUBLING}", "f0(1)", "B1 (0,-1) f0(1)\n.func f0(x)=f1(x)+f1(x) f1(x)=x"),
    "E219": ("B1 (0,-1) {1+time}", "time", "B1 (0,-1) {1+1}"),
    "E220": ("B1 (0,-1) 1\nL1 B1 (0,0)", "L1", "B1 (0,-1) 1\nC1 B1 (0,0)"),
    "E221": ("B1 (0,-1) 1\nb1 (1,-1) 1", "b1", PAIR),
    "E222": ("B1 (0,-1)", "(0,-1)", "B1 (0,-1) 1"),
    "E223": (f"{PAIR}\nC1 B1 5", "5", f"{PAIR}\nC1 B1 B2"),
    "E224": (f"{PAIR}\nC1 B1 B2 0.5", "0.5", f"{PAIR}\nC1 B1 B2 LENGTH=0.5"),
    "E225": (f"{PAIR}\nC1 B1 B2 LENGHT=1", "LENGHT", f"{PAIR}\nC1 B1 B2 LENGTH=1"),
    "E226": (f"{PAIR}\nC1 B1 B3", "B3", f"{PAIR}\nC1 B1 B2"),
    "E227": ("B1 (0,-1) -1", "-1", "B1 (0,-1) 1"),
    "E228": (f"{PAIR}\nC1 B1 B1", "C1 B1 B1", f"{PAIR}\nC1 B1 B2"),
    "E229": ("B1 (0,0) 1\nC1 B1 (0,0)", "C1 B1 (0,0)", "B1 (0,-1) 1\nC1 B1 (0,0)"),
    "E230": ("B1 (0,-1) 1\nC1 B1 (0,5,0)", "(0,5,0)", "B1 (0,-1) 1\nC1 B1 (0.5,0)"),
    "E231": ("* nothing here", None, "B1 (0,-1) 1"),
    "E232": (
        "B1 (0,-1) 1\nC1 B1 (0,0) LENGTH={1+ramp(time-0.5)}",
        "C1 B1 (0,0) LENGTH={1+ramp(time-0.5)}",
        "B1 (0,-1) 1\nC1 B1 (0,0) LENGTH={1+smooth(time,0.5,1)}",
    ),
    "E233": ("B1 (0,-1) 1\nN1 {SPEED(B1)}={3}", "N1 {SPEED(B1)}={3}", "B1 (0,-1) 1\nN1 {VX(B1)}={3}"),
    "E234": (
        "B1 (1,0) 0\nR1 (0,0) B1 1 CG=(0.5,0.1) J=-1",
        "R1 (0,0) B1 1 CG=(0.5,0.1) J=-1",
        "B1 (1,0) 0\nR1 (0,0) B1 1 CG=(0.5,0.1) J=1",
    ),
    "E235": (".stop 3\nB1 (0,-1) 1", "3", ".stop {Y(B1)<-2}\nB1 (0,-1) 1"),
    "E240": (f"{ARM}\nX1 Amr B1 (0,0)", "Amr", f"{ARM}\nX1 Arm B1 (0,0)"),
    "E241": (f"{ARM.replace('(x0,y0)', '(0,0)', 1)}\nX1 Arm B1 (0,0)", "(0,0)", f"{ARM}\nX1 Arm B1 (0,0)"),
    "E242": (f"{ARM}\n{ARM}\nX1 Arm B1 (0,0)", "Arm", f"{ARM}\nX1 Arm B1 (0,0)"),
    "E243": (LOOP, "X1 Arm BA", NESTED),
    "E244": (
        ".submachine Arm BA\nBA (0,-1) 1\n.options gravity=1\n.end Arm\nX1 Arm B1",
        ".options gravity=1",
        ".submachine Arm BA\nBA (0,-1) 1\n.end Arm\n.options gravity=1\nX1 Arm B1",
    ),
    "E245": (f"{ARM}\nX1 Arm (0,0)", "X1 Arm (0,0)", f"{ARM}\nX1 Arm B1 (0,0)"),
    "E246": (f"{ARM}\nX1 Arm B1", "X1 Arm B1", f"{ARM}\nX1 Arm B1 (0,0)"),
    "E247": (
        f"{BAR}\nB1 (0,0) 1\nB2 (0,3) 1\nX1 Bar B1, B2",
        "B2",
        f"{BAR}\nB1 (0,0) 1\nB2 (0,1) 1\nX1 Bar B1, B2",
    ),
    "E248": (
        ".submachine Hold BA\nC1 BA (0,0)\n.end Hold\nX1 Hold B1",
        "B1",
        ".submachine Hold BA\nC1 BA (0,0)\n.end Hold\nX1 Hold B1\nB1 (0,-1) 1",
    ),
    "E249": (BOMB, "X1 D0 B1", NESTED),
    "E250": ("B1 (0,-1) 1\n.option gravity=1", ".option", "B1 (0,-1) 1\n.options gravity=1"),
    "E251": ("B1 (0,-1) 1\n.tran 10", ".tran 10", "B1 (0,-1) 1\n.tran 0 10 1ms"),
    "E252": ("B1 (0,-1) 1\n.tran 1ms 10", ".tran 1ms 10", "B1 (0,-1) 1\n.tran 0 10 1ms"),
    "E253": ("B1 (0,-1) 1\n.tran 10 5 1ms", "5", "B1 (0,-1) 1\n.tran 5 10 1ms"),
    "E254": ("B1 (0,-1) 1\n.tran 0 10 1ms\n.tran 0 5 1ms", ".tran 0 5 1ms", "B1 (0,-1) 1\n.tran 0 10 1ms"),
    "E255": ("B1 (0,-1) 1\n.options gravity 1", "gravity", "B1 (0,-1) 1\n.options gravity=1"),
    "E256": ("B1 (0,-1) 1\n.options gravty=1", "gravty", "B1 (0,-1) 1\n.options gravity=1"),
    "E257": ("B1 (0,-1) 1\n.options INTEGRATOR=RK5", "RK5", "B1 (0,-1) 1\n.options INTEGRATOR=RK4"),
    "E258": ("B1 (0,-1) 1\n.options RELTOL=0", "0", "B1 (0,-1) 1\n.options RELTOL=1E-6"),
    "E259": ("B1 (0,-1) 1\n.options SAVE=1.5ms", "SAVE=1.5ms", "B1 (0,-1) 1\n.options SAVE=2ms"),
    "E260": (
        "B1 (0,-1) 1\n.options INTEGRATOR=RATTLE DAESYSTEM=INDEX1",
        "DAESYSTEM=INDEX1",
        "B1 (0,-1) 1\n.options INTEGRATOR=RATTLE DAESYSTEM=PROJECTED",
    ),
    "E270": ("B1 (0,-1) 1\n.plot Energy", "Energy", "B1 (0,-1) 1\n.plot Etotal"),
    "E271": ("B1 (0,-1) 1\nC1 B1 (0,0)\n.plot Q(C1)", "C1", "B1 (0,-1) 1\nC1 B1 (0,0)\n.plot Q(B1)"),
    "E273": ("B1 (0,-1) 1\nC1 B1 (0,0)\n.plot PHI(C2)", "C2", "B1 (0,-1) 1\nC1 B1 (0,0)\n.plot PHI(C1)"),
    "E274": ("B1 (0,-1) 1\n.plot 2*PATH(B1)", "PATH(B1)", "B1 (0,-1) 1\n.plot PATH(B1) 2*Q(B1)"),
    "E275": ("B1 (0,-1) 1\n.print PATH(B1)", "PATH(B1)", "B1 (0,-1) 1\n.print Q(B1)"),
    "E276": (f"{PAIR}\nB3 (2,0) 1\n.plot Q(B1,B2)-Q(ALL)", "Q(B1,B2)-Q(ALL)", f"{PAIR}\n.plot Q(B1,B2)-Q(ALL)"),
    "E277": (f"B1 (0,-1) 1\n{DEEP}", DEEP.removeprefix(".plot "), "B1 (0,-1) 1\n.plot 1*T/2*T/3"),
    "E278": ("B1 (0,-1) 1\n.plot", ".plot", "B1 (0,-1) 1\n.plot Q(B1)"),
    "E279": ('B1 (0,-1) 1\n.print FORMAT="%d"', '"%d"', 'B1 (0,-1) 1\n.print FORMAT="%.6f"'),
    "E501": ("B1 (0,-1) 1\nC1 B1 (0,0)\n.modes 2.5", "2.5", "B1 (0,-1) 1\nC1 B1 (0,0)\n.modes 2"),
    "E504": ("B1 (0,-gauss(1,0.1)) 1", "gauss(1,0.1)", ".param L=gauss(1,0.1)\nB1 (0,-L) 1"),
    "E281": ("B1 (0,-1) 1\n.plot Z(B1)", "Z(B1)", "B1 (0,-1,0) 1\n.plot Z(B1)"),
    "E280": (
        "B1 (0,-1) 1\n.print TEXTTRACEFILE=a.txt T\n.print TEXTTRACEFILE=a.txt U",
        "a.txt",
        "B1 (0,-1) 1\n.print TEXTTRACEFILE=a.txt T\n.print TEXTTRACEFILE=b.txt U",
    ),
    "W201": ("B1 (0,-1) 1\n.options gravity=1\n.options gravity=2", "gravity=2", "B1 (0,-1) 1\n.options gravity=2"),
    "N203": ("B1 (0,-1) 1\n.options gravity=-1", "gravity=-1", "B1 (0,-1) 1\n.options gravity=(0,1)"),
    "N204": (
        "B1 (0,-1) 1\nB2 (1,-1) 1\nB3 (2,-1) 1\nC1 B1 B2 B3",
        "C1 B1 B2 B3",
        "B1 (0,-1) 1\nB2 (2,-1) 1\nC1 B1 (0,0) (2,0) B2",
    ),
    "N206": (
        ".param a=30deg\nB1 (sin(a),0) 1\n.step a 10 60 10",
        "10",
        ".param a=30deg\nB1 (sin(a),0) 1\n.step a 10deg 60deg 10deg",
    ),
    "N208": (".param g=10\nB1 (0,0) 1", "g", ".options gravity=10\nB1 (0,0) 1"),
    "W202": ("B1 (0,-1) 1\n.options DAMPALPHA=3", "DAMPALPHA=3", "B1 (0,-1) 1\n.options DAMPALPHA=1"),
    "W203": ("B1 (0,-1) 1\n.tran 0 1ms 10", "10", "B1 (0,-1) 1\n.tran 0 10 1ms"),
    "W204": (
        'B1 (0,-1) 1\n.print TEXTTRACEFILE="a.npz"',
        '"a.npz"',
        'B1 (0,-1) 1\n.print BINTRACEFILE="a.npz"',
    ),
    "W205": (
        'B1 (0,-1) 1\n.print BINTRACEFILE="a.npz" Time Etotal',
        "Time Etotal",
        'B1 (0,-1) 1\n.print BINTRACEFILE="a.npz" TEXTTRACEFILE="a.txt" Time Etotal',
    ),
    "W207": (
        "B1 (1,0) 0\nB2 (2,0) 0\nR1 (0,0) B1 B2 1 CG=(1,0) J=1\nR2 B1 B2 1",
        "R2 B1 B2 1",
        "B1 (1,0) 0\nB2 (2,0) 0\nR1 (0,0) B1 1\nR2 B1 B2 1",
    ),
    "W206": (
        "B1 (0,-1) 1\nK1 B1 (0,-1) 20 L0=0.5",
        "K1 B1 (0,-1) 20 L0=0.5",
        "B1 (0,-1) 1\nK1 B1 (0,-1.1) 20 L0=0.5",
    ),
    "E403": ('B1 (0,-1) 1\n.print BINTRACEFILE="a.bin"', '"a.bin"', 'B1 (0,-1) 1\n.print BINTRACEFILE="a.nc"'),
    "N201": ("B1 (0,-1) 1\n* .tran", None, "B1 (0,-1) 1\n.tran 0 10 1ms"),
    "N202": ("B1 (0,-1) 1\n* .plot", None, "B1 (0,-1) 1\n.plot Q(B1)"),
}


def whole(statements):
    text = f"* test\n{statements}\n"
    if ".tran" not in statements:
        text += ".tran 0 1 1ms\n"
    if ".plot" not in statements and ".print" not in statements:
        text += ".plot Time\n"
    return text


@pytest.mark.parametrize("code", sorted(CASES))
def test_the_wrong_one_says_just_this_at_the_right_place(read, code):
    wrong, blamed, _ = CASES[code]
    found = read(whole(wrong))
    assert set(found.codes) == {code}, found.said
    said = found.said[0]
    assert (said.span.text if said.span else None) == blamed
    assert said.help
    assert said.label or said.span is None
    assert (found.mechanism is None) == code.startswith("E")


@pytest.mark.parametrize("code", sorted(CASES))
def test_the_right_one_says_nothing(read, code):
    assert read(whole(CASES[code][2])).codes == []


def test_every_code_of_the_layer_has_a_case():
    found = set()
    for path in Path(chainlist.model.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and re.fullmatch(r"[EWN]\d{3}", str(node.value)):
                found.add(node.value)
    assert found == set(CASES)


def test_the_page_on_functions_names_them_all():
    from chainlist.formula.functions import FUNCTIONS

    page = Path(chainlist.syntax.__file__).parent.joinpath("explain", "E207.md").read_text(encoding="utf-8")
    named = " ".join(re.findall(r"`([a-z0-9 ]+)`", page)).split()
    assert set(FUNCTIONS) <= set(named)
