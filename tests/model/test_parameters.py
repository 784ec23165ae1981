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


@pytest.mark.parametrize(
    ("given", "noted"), [("400deg", False), ("-400deg", False), ("2*pi+1", False), ("400", True), ("-400", True)]
)
def test_a_unit_that_is_given_is_seen(given, noted):
    """`--param a=400deg` reaches the text as a number, which was meant as it is."""
    text = Source("a", "* t\n.param a=30deg\nB1 (sin(a),0) 1\n")
    checked = read(text, None, changes=changes(None, [f"a={given}"]))
    assert [said.code for said in checked.diagnostics if said.code == "N206"] == ["N206"] * noted
