"""Parameters: lazy, in any order, local in submachines, replaced from outside."""

import pytest

from chainlist.app.settings import changes
from chainlist.compile.read import read
from chainlist.syntax.source import Source


def test_a_parameter_may_be_used_before_its_definition(machine):
    found = machine("B1 (0,-l) m", ".param m=2*l", ".param L=20cm")
    assert found.body["B1"].mass == 0.4
    assert found.body["B1"].position == (0.0, -0.2)


def test_a_parameter_carries_its_number_only(machine):
    assert machine(".param L=20cm", "B1 (0,0) L").body["B1"].mass == 0.2


def test_a_chain_of_ten_thousand_is_no_recursion(machine):
    n = 10_000
    chain = [f".param p{i}=p{i + 1}+1" for i in range(n)]
    assert machine(*chain, f".param p{n}=1", "B1 (0,0) p0").body["B1"].mass == n + 1


@pytest.mark.parametrize(
    ("cards", "chain"),
    [
        ((".param a=a+1",), "a → a"),
        ((".param a=b b=c c=a",), "a → b → c → a"),
        ((".param x=a", ".param a=2*b b=a"), "a → b → a"),
    ],
)
def test_a_cycle_is_named_once(machine, cards, chain):
    found = machine(*cards, "B1 (0,0) a", "C1 B1 (0,1)")
    assert found.codes == ["E213"]
    assert found.said[0].message.endswith(chain)


def test_a_failed_parameter_speaks_once(machine):
    found = machine(".param a=1/0 b=a c=b", "B1 (0,c) a", "B2 (1,c) b", "C1 B1 B2")
    assert found.codes == ["E205"]


def test_values_from_outside_replace_those_of_the_text(machine):
    cards = ("B1 (0,0) M*2", ".param m=1")
    assert machine(*cards, params={"m": 5}).body["B1"].mass == 10
    wrong = machine(*cards, params={"mm": 5})
    assert wrong.codes == ["E206"]
    assert "did you mean m?" in wrong.said[0].help
    assert machine(*cards, params={"m": float("nan")}).codes == ["E205"]


@pytest.mark.parametrize(("given", "noted"), [(60, True), (-90.5, True), (6.28, False), (-1, False)])
def test_an_angle_in_degrees_that_is_given_without_them(machine, given, noted):
    for card in (".param a=30deg", ".param a=-30deg"):
        found = machine("B1 (sin(a),0) 1", card, params={"a": given})
        assert found.codes == ["N206"] * noted
        assert not noted or found.said[0].help.startswith(f"write {given}deg")
    assert machine("B1 (sin(a),0) 1", ".param a=3rad", params={"a": given}).codes == []


def test_a_broken_param_card_still_defines_its_names(machine):
    found = machine(".param a=(1 b=2", "B1 (0,0) a", "B2 (b,0) 1")
    assert [code for code in found.codes if code.startswith("E2")] == []
    assert found.mechanism is None


@pytest.mark.parametrize("name", ["pi", "T", "time", "U", "Etotal", "SIN", "atan2"])
def test_reserved_names(machine, name):
    assert machine("B1 (0,0) 1", f".param {name}=1").codes == ["E212"]


def test_inside_a_submachine_parameters_are_local(machine):
    found = machine(
        ".param m=1 k=10",
        ".submachine P BA, k=2*m",
        ".param m=3",
        "BA (0,0) m+k",
        ".end",
        "X1 P B1",
        "X2 P B2 k=m",
        "X3 P B3 k",
        "B4 (0,0) m",
    )
    assert [found.body[f"B{i}"].mass for i in (1, 2, 3, 4)] == [9, 4, 13, 1]


ARMS = ("B1 (1,0) 1", "B2 (2,0) 1", "C1 B1 (0,0)")


@pytest.mark.parametrize(
    ("cards", "numbers"),
    [
        (["B3 (sin(60),0) 1"], ["60"]),
        (["B3 (sin(-60),2+cos(30+45)) 1"], ["60", "30", "45"]),
        ([".param a=60", "B3 (sin(a),cos(a)) 1"], ["60"]),
        ([".param a=1", "B3 (cos(a),2) 1", ".step a 10 170 8"], ["10"]),
        ([".param a=1", "B3 (cos(a),2) 1", ".step a LIST 1 3 90"], ["90"]),
        (["K1 ANGLE(B1,(0,0),B2) 3 A0=90"], ["90"]),
        ([".param a=90", "K1 ANGLE(B1,(0,0),B2) 3 A0=a"], ["90"]),
        (["M1 C1 ANGLE=90"], ["90"]),
        (["F1 B1 ({X(B2)*sin(60)},0)"], ["60"]),
        ([".func f(x)=x*sin(60)", "F1 B1 (f(2),0)"], ["60"]),
        # No angle in degrees.
        (["B3 (sin(6.2),cos(60deg)) 1"], []),
        (["F1 B1 ({sin(60*time)},{cos(time+60)})"], []),
        ([".param w=60 n=50", "F1 B1 ({sin(w*time)},{sin(2*pi*n)})"], []),
        (["F1 B1 ({sin(X(B2)*30)},{cos(60*pi/180)})"], []),
        ([".param a=60", "B3 (cos(a*pi/180),0) 1"], []),
        ([".func f(x)=sin(x)", "F1 B1 (f(60),0)"], []),
        ([".param a=60deg", "B3 (sin(a),0) 1"], []),
        ([".param n=30", "B3 (n,0) 1", ".step n 10 170 8"], []),
        ([".param a=1", "B3 (cos(a),2) 1", ".step a 10deg 170deg 8deg"], []),
        ([".param a=1", "B3 (cos(a),2) 1", ".step a 0 6 1"], []),
        (["M1 C1 ANGLE={90*time}"], []),
        (["M1 C1 SPEED=90"], []),
    ],
)
def test_a_bare_angle_of_more_than_a_turn_is_noted(machine, cards, numbers):
    notes = [d for d in machine(*ARMS, *cards).said if d.code == "N206"]
    assert sorted(d.span.text for d in notes) == sorted(numbers)
    assert all(d.help == f"if degrees are meant, write {d.span.text}deg" for d in notes)


def test_what_the_note_says_of_an_angle_makes_it_go_away(machine):
    for card in ("B3 (sin({}),0) 1", "K1 ANGLE(B1,(0,0),B2) 3 A0={}", ".param a={}\nB3 (cos(a),2) 1"):
        assert machine(*ARMS, card.format("60")).codes == ["N206"]
        assert machine(*ARMS, card.format("60deg")).codes == []


@pytest.mark.parametrize(
    ("given", "noted"), [("400deg", False), ("-400deg", False), ("2*pi+1", False), ("400", True), ("-400", True)]
)
def test_a_unit_that_is_given_is_seen(given, noted):
    """`--param a=400deg` reaches the text as a number, which was meant as it is."""
    text = Source("a", "* t\n.param a=30deg\nB1 (sin(a),0) 1\n")
    checked = read(text, None, changes=changes(None, [f"a={given}"]))
    assert [said.code for said in checked.diagnostics if said.code == "N206"] == ["N206"] * noted


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ((".param seed=1234 r=mod(sin(seed)*43758.5453,1)",),
         "seed is an argument of sin, cos or tan, and 1234 without a unit is 1234 rad: more than a turn"),
        ((".param a=60 r=cos(a)",), "a is an argument of sin, cos or tan, and 60 without a unit is 60 rad: more than a turn"),
    ],
)  # fmt: skip
def test_a_number_whose_sine_is_taken_is_not_said_to_be_an_angle(machine, cards, message):
    notes = [d for d in machine("B1 (r,0) 1", *cards).said if d.code == "N206"]
    assert [d.message for d in notes] == [message]
