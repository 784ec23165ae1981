"""The inside of a card: expressions, points, calls, settings, and where a space separates."""

import pytest

from chainlist.elements.switching import CONDITIONS
from chainlist.model.evaluate import FUNCTIONS
from chainlist.model.units import UNITS
from chainlist.syntax import tree
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.parser import parse
from chainlist.syntax.printer import argument
from chainlist.syntax.source import Source
from chainlist.syntax.vocabulary import CONDITION_KEYS, FUNCTION_NAMES, FUNCTIONS_OF_ONE, UNIT_NAMES


def arguments(card):
    report = Diagnostics()
    chainlist = parse(Source("t", f"t\n{card}\n"), report)
    assert not report.diagnostics, report.diagnostics
    return [argument(a) for a in chainlist.statements[0].arguments]


def complaint(card):
    report = Diagnostics()
    parse(Source("t", f"t\n{card}\n"), report)
    (found,) = report.diagnostics
    return found.code, found.span.column


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        ("B1 (0,-1) 1", ["(0,-1)", "1"]),
        ("B1(0,-1) 1", ["(0,-1)", "1"]),
        ("B1 ( 0 , - 1 ) 1", ["(0,-1)", "1"]),
        ("B16 3.2 0 1", ["(3.2,0)", "1"]),
        ("B16 3.2 -0.1 1", ["(3.2,-0.1)", "1"]),
        ("B1 (0,0), 1", ["(0,0)", "1"]),
        ("B1 (a+b,2*c) {m + 1}", ["(a+b,2*c)", "{m+1}"]),
        ("B1 (m1+m2) 2 3", ["((m1+m2),2)", "3"]),
        ("B1 sin(30deg) 2**-3**2 1", ["(sin(30deg),2**-3**2)", "1"]),
        ("B1 (0,0) 1 IC_VEL = (1,2)", ["(0,0)", "1", "IC_VEL=(1,2)"]),
        ("S1 B2 LINE(0,1,0)", ["B2", "LINE(0,1,0)"]),
        ("S1 B2 0 1 0", ["B2", "LINE(0,1,0)"]),
        ("S1 B2 0 1 -2mm", ["B2", "LINE(0,1,-2mm)"]),
        ("C1 B1 (0,0) LENGTH=20cm", ["B1", "(0,0)", "LENGTH=20cm"]),
        ("X1 Tong B1, B2,B3 , (0,0)", ["Tong", "B1", "B2", "B3", "(0,0)"]),
        (".tran 0 10 1E-3", ["0", "10", "1E-3"]),
        (".plot CONSTRAINTS (ALL) Q (B1)", ["CONSTRAINTS(ALL)", "Q(B1)"]),
        ('.plot "Q(B1) PATH (B1)" V(B1)', ['"Q(B1) PATH(B1)"', "V(B1)"]),
        (".plot {DERIVATIVE (C1) * 10} X1.C5", ["{DERIVATIVE(C1)*10}", "X1.C5"]),
        (".plot DIST(B1,(0,0))", ["DIST(B1,(0,0))"]),
        (".print TEXTTRACEFILE = CONSOLE Time", ["TEXTTRACEFILE=CONSOLE", "Time"]),
        (".print FORMAT=0.###E0 Time", ['FORMAT="0.###E0"', "Time"]),
        (".print BINTRACEFILE=a/b-1.npz Time", ['BINTRACEFILE="a/b-1.npz"', "Time"]),
        (".include parts.chain", ['"parts.chain"']),
        ('.include "my parts.chain"', ['"my parts.chain"']),
        (".param a=1 b = 2*a", ["a=1", "b=2*a"]),
        (".param a={b < 2 AND not c>=1 or d}", ["a={b<2 and not c>=1 or d}"]),
        (".param a=if(not(b<=2),1,0) or=2", ["a=if(not (b<=2),1,0)", "or=2"]),
        (".plot {X (B1) > -1 and -Y(B1)<1}", ["{X(B1)>-1 and -Y(B1)<1}"]),
        (".func f(a,b)=a+b", ["f(a,b)=a+b"]),
        (".func f (a, b) = {a < b}", ["f(a,b)={a<b}"]),
        (".func one()=1", ["one()=1"]),
        ("G1 {X(B1) - 1} = {2 * time}", ["{X(B1)-1}={2*time}"]),
        ("G1 {X(B1)}={Y(B2)} A=1", ["{X(B1)}={Y(B2)}", "A=1"]),
        ("B1 (a<b,1) 2", ["(a<b,1)", "2"]),
    ],
)
def test_arguments(card, expected):
    assert arguments(card) == expected


@pytest.mark.parametrize(
    ("card", "code", "column"),
    [
        ("B1 (0 -1) 1", "E114", 7),
        ("B1 (0 1) 1", "E114", 7),
        ("B1 (0,,1) 1", "E116", 7),
        ("B1 (0,) 1", "E116", 7),
        ("B1 () 1", "E116", 5),
        ("B1 (0,0) 1 +", "E116", 12),
        ("B1 (0,0) 1 + 2", "E117", 12),
        ("B1 (0,0)1", "E118", 9),
        ("B1 (0,0) 2^3", "E110", 11),
        ("B1 (0,0) 1 =2", "E119", 12),
        ("B1 (0,0) 1 IC_VEL=", "E116", 18),
        ("B1 (0,0} 1", "E111", 8),
        ("B1 (0,0) {1<x<2}", "E120", 14),
        (".param f(x)=2*x", "E119", 8),
        ("B1 (0,0) sin(1)=2", "E119", 10),
        ("B1 (0,0) {a}={b}", "E119", 10),
        (".func {a}={b}", "E119", 7),
        ("B1 (0,0) a<2", "E110", 11),
        ("B1 (0,0) {a<}", "E116", 13),
        ("B1 (0,0) {<a}", "E116", 11),
        ("B1 (0,0) {a and}", "E116", 16),
        ("B1 (0,0) {a not b}", "E116", 13),
        ("B1 (0,0) {not not b}", "E116", 15),
        ("B1 (0,0) {a==b}", "E119", 12),
        ("B1 (0,0)) 1", "E111", 9),
        ("B1, (0,0), 1", "E113", 3),
        ('.plot V(B1)"Q(B1)"', "E118", 12),
        ("C1 B1, , B2", "E113", 8),
        ("C1 B1 B2,", "E113", 9),
        ("C1 B1 (0,−1)", "E110", 10),
        ('.plot "Q(B1)', "E112", 7),
        ("1B (0,0) 1", "E122", 1),
        (".", "E124", 1),
        ("X1.B1 (0,0) 1", "E123", 1),
        ("... B2 (0,0) 1", "E121", 1),
        ("Б1 (0,0) 1", "E110", 1),
    ],
)
def test_complaints_point_at_the_place(card, code, column):
    found = complaint(card)
    if code == "E112":
        assert found[0] == code
    else:
        assert found == (code, column)


@pytest.mark.parametrize(
    ("card", "cure"),
    [
        ("B1 (1cm 30cm) 1", "`1cm,30cm`"),
        ("B1 (1 2mm,3) 1", "`1,2mm`"),
        ("B1 (2 (1)) 1", "`2,(…`"),
        ("B1 (f(1) g(2)) 1", "`…),g…`"),
        ("B1 (cos 30deg,0) 1", "write `cos(30deg)`"),
        ("B1 (0,{2*SQRT abs(x)}) 1", "write `SQRT(abs…)`"),
    ],
)
def test_the_cure_of_a_missing_comma_keeps_units_and_knows_functions(card, cure):
    report = Diagnostics()
    parse(Source("t", f"t\n{card}\n"), report)
    (found,) = report.diagnostics
    assert found.code == "E114"
    assert found.help.endswith(cure)


@pytest.mark.parametrize(
    ("written", "cure"),
    [
        ("{1<x<2}", "write `1<x and x<2`"),
        ("{if(a or 0 <= sin(x) < y+1, 1, 0)}", "write `0<=sin(x) and sin(x)<y+1`"),
        ("{(a<b)<c<d}", "write `(a<b)<c and c<d`"),
        ("{a && b}", "write `and` between them"),
        ("{a || b}", "write `or` between them"),
        ("{a != b}", "abs(a-b)>1E-9"),
        ("{a ≤ b}", "write `<=`"),
        ("{a = b}", "abs(a-b)<1E-9"),
        ("a>b", "between braces: {a>b}"),
    ],
)
def test_the_cure_of_a_comparison(written, cure):
    report = Diagnostics()
    parse(Source("t", f"t\n.param c={written}\n"), report)
    (found,) = report.diagnostics
    assert cure in found.help


def test_conditions_bind_weaker_than_sums_and_or_weakest():
    report = Diagnostics()
    chainlist = parse(Source("t", "t\n.param a={not a+1<b and c or d and e}\n"), report)
    either = chainlist.statements[0].arguments[0].value.inner
    assert isinstance(either, tree.Logic) and either.operator == "or"
    both = either.parts[0]
    assert isinstance(both, tree.Logic) and both.operator == "and" and isinstance(both.parts[0], tree.Not)
    assert isinstance(both.parts[0].operand, tree.Comparison)


def test_the_reader_knows_the_functions_that_can_be_computed():
    assert set(FUNCTIONS) == FUNCTION_NAMES
    assert {name for name, function in FUNCTIONS.items() if function.most == 1} == FUNCTIONS_OF_ONE
    assert set(UNITS) == UNIT_NAMES
    assert {key.lower() for key in CONDITIONS} == CONDITION_KEYS


def test_powers_bind_tighter_than_signs_and_to_the_right():
    report = Diagnostics()
    chainlist = parse(Source("t", "t\n.param a=-2**3**2\n"), report)
    value = chainlist.statements[0].arguments[0].value
    assert isinstance(value, tree.Signed) and isinstance(value.operand, tree.Power)
    assert len(value.operand.parts) == 3


def test_long_sums_and_deep_brackets_end_in_a_result_or_a_clear_error():
    report = Diagnostics()
    chainlist = parse(Source("t", "t\n.param a=" + "+".join(["1"] * 10_000) + "\n"), report)
    assert len(chainlist.statements[0].arguments[0].value.terms) == 10_000
    assert not report.diagnostics
    parse(Source("t", "t\n.param a=" + "(" * 1000 + "1" + ")" * 1000 + "\n.param b=" + "-" * 5000 + "1\n"), report)
    assert [d.code for d in report.diagnostics] == ["E101"]
