"""Items of .plot and .print: names spelled out, arithmetic kept, pictures apart."""

import pytest

from chainlist.model.mechanism import Constant, Operation, Quantity
from chainlist.model.observables import OBSERVABLES

MACHINE = ("B1 (0,-1) 1", "B2 (1,-1) 1", "B3 (2,0) 1", "C1 B1 (0,0)", "C2 B1 B2", "S1 B2 0 1 -1", ".param k=3")
FORCES = ("K1 B2 B3 5", "D1 B2 B3 1", "F1 B3 (1,0)", "T1 C2 1", "M1 C1 SPEED=1")


@pytest.fixture
def item(machine):
    def read_item(text):
        found = machine(*MACHINE, f".plot {text}")
        assert found.codes == [], found.said
        return found.mechanism.plots[0].panels[0][0]

    return read_item


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("Time", Quantity("Time")),
        ("etotal", Quantity("Etotal")),
        ("q(b1)", Quantity("Q", ("B1",))),
        ("V(B1,B3)", Quantity("V", ("B1", "B3"))),
        ("Q(ALL)", Quantity("Q", ("B1", "B2", "B3"))),
        ("Bodies(POS)", Quantity("Q", ("B1", "B2", "B3"))),
        ("Bodies (acc)", Quantity("A", ("B1", "B2", "B3"))),
        ("CONSTRAINTS (ALL)", Quantity("CONSTRAINTS", ("C1", "C2", "S1"))),
        ("CONSTRAINTS(C1,S1)", Quantity("CONSTRAINTS", ("C1", "S1"))),
        ("TENSION(ALL)", Quantity("TENSION", ("C1", "C2", "S1"))),
        ("SHEAR(ALL)", Quantity("SHEAR", ("C1", "C2"))),
        ("DIST(B1,(1,k))", Quantity("DIST", ("B1", (1.0, 3.0)))),
        ("ANGLE(B1,B2)", Quantity("ANGLE", ("B1", "B2"))),
        ("ANGLE(C1,C2)", Quantity("ANGLE", ("C1", "C2"))),
        ("ANGLE(ALL)", Quantity("ANGLE", ("C1", "C2"))),
    ],
)
def test_quantities(item, text, formula):
    assert item(text).formula == formula


X = Quantity("X", ("B1",))
Y = Quantity("Y", ("B1",))


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("X(B1)*10", Operation("*", (X, Constant(10)))),
        ("{X(B1) + k}", Operation("+", (X, Constant(3)))),
        ("X(B1)-Y(B1)-1", Operation("-", (X, Y, Constant(1)))),
        ("X(B1)-Y(B1)+1", Operation("+", (X, Operation("neg", (Y,)), Constant(1)))),
        ("X(B1)*2/Y(B1)", Operation("/", (Operation("*", (X, Constant(2))), Y))),
        ("-X(B1)**2", Operation("neg", (Operation("**", (X, Constant(2))),))),
        ("X(B1)**-2", Operation("**", (X, Constant(-2)))),
        ("2**-X(B1)**2", Operation("**", (Constant(2), Operation("neg", (Operation("**", (X, Constant(2))),))))),
        ("--X(B1)", X),
        ("2*(1+k)+sqrt(16)", Constant(12)),
        ("sqrt(X(B1)**2)", Operation("sqrt", (Operation("**", (X, Constant(2))),))),
        ("pi*T", Operation("*", (Constant(3.141592653589793), Quantity("T")))),
    ],
)
def test_arithmetic(item, text, formula):
    assert item(text).formula == formula


def test_the_text_of_an_item_is_kept_without_spaces(item):
    assert item("{ X(B1) + k }").text == "X(B1)+k"
    assert item("CONSTRAINTS (ALL)").text == "CONSTRAINTS(ALL)"
    assert item("DIST(B1,\n+ B2)").text == "DIST(B1,B2)"


def test_quotes_put_items_in_one_panel(machine):
    plot = machine(*MACHINE, '.plot "Q(B1) PATH(B1)" T').mechanism.plots[0]
    assert [[item.text for item in panel] for panel in plot.panels] == [["Q(B1)", "PATH(B1)"], ["T"]]


@pytest.mark.parametrize("name", sorted(o.name for o in OBSERVABLES.values()))
def test_the_usage_of_every_observable_can_be_pasted(machine, name):
    observable = OBSERVABLES[name.lower()]
    for usage in observable.usage.replace(", ", " or ").split(" or "):
        cards = ("B1 (0,-1,0) 1", "B2 (1,-1,0) 1") if observable.of_space else (*MACHINE, *FORCES)
        if "rigid" in observable.takes or "R1" in usage:
            cards = ("B1 (0,-1) 0", "B2 (1,-1) 0", "R1 (0,0) B1 1", "R2 B1 B2 1")
        found = machine(*cards, f".plot {usage}", f".print {usage}")
        assert found.codes == (["E275"] if observable.picture else []), usage


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("Q(B9)", "E226", "B9"),
        ("PHI(C9)", "E273", "C9"),
        ("Q(C1)", "E271", "C1"),
        ("Q(ALL,B1)", "E271", "ALL"),
        ("SHEAR(S1)", "E271", "S1"),
        ("DIST(B1)", "E271", "DIST(B1)"),
        ("Q", "E271", "Q"),
        ("T(B1)", "E271", "T(B1)"),
        ("B1", "E270", "B1"),
        ("Etotl", "E270", "Etotl"),
        ("2*PATH(B1)", "E274", "PATH(B1)"),
        ("Q(B1,B2)+Q(ALL)", "E276", "Q(B1,B2)+Q(ALL)"),
        ("T/0", "E205", "T/0"),
        ("T/(k-3)", "E205", "T/(k-3)"),
        ("sqrt(T,U)", "E208", "sqrt(T,U)"),
        ("T+(1,2)", "E209", "(1,2)"),
        ("gravity=1", "E278", "gravity=1"),
    ],
)
def test_wrong_items(machine, text, code, at):
    found = machine(*MACHINE, f".plot {text} U")
    assert found.codes == [code]
    assert found.said[0].span.text == at


def test_depth_is_bounded_but_length_is_not(machine):
    many = 5_000
    long = machine(*MACHINE, ".plot " + "-X(B1)+".join(["1"] * many))
    assert len(long.mechanism.plots[0].panels[0][0].formula.operands) == 2 * many - 1
    assert machine(*MACHINE, ".plot " + "*X(B1)/".join(["1"] * 200)).codes == ["E277"]


def test_a_plain_print_traces_time_and_positions_on_the_console(machine):
    (trace,) = machine(*MACHINE, ".print").mechanism.prints
    assert (trace.text, trace.binary, trace.format) == ("CONSOLE", None, None)
    assert [c.formula for c in trace.columns] == [Quantity("Time"), Quantity("Q", ("B1", "B2", "B3"))]


def test_files_and_formats(machine):
    first, second = machine(
        *MACHINE,
        '.print TEXTTRACEFILE="a b.txt" FORMAT="0.###E0" Time',
        ".print BINTRACEFILE=a.nc Time",
    ).mechanism.prints
    assert (first.text, first.binary, first.format) == ("a b.txt", None, "0.###E0")
    assert (second.text, second.binary) == (None, "a.nc")


@pytest.mark.parametrize(
    ("card", "cure"),
    [
        (".print trace.txt X(B1)", "write TEXTTRACEFILE=trace.txt"),
        ('.print "trace.dat" X(B1)', "write TEXTTRACEFILE=trace.dat"),
        (".print run.nc", "write BINTRACEFILE=run.nc"),
        (".plot out.svg X(B1)", "`chainlist run --format svg`"),
    ],
)
def test_a_file_without_its_key(machine, card, cure):
    found = machine(*MACHINE, card)
    assert found.codes == ["E270"] and cure in found.said[0].help


@pytest.mark.parametrize("pattern", ["0.###E0", "0.###", "0", "0E0", "0.00##", "%.9g", "%.6f", "%.3e"])
def test_patterns_that_are_known(machine, pattern):
    assert machine(*MACHINE, f'.print FORMAT="{pattern}" Time').codes == []


@pytest.mark.parametrize("pattern", ["", "0,00", "#.##", "0.#0", "0.##e0", "%d", "%9g", "{:.3f}", "0.###E00"])
def test_patterns_that_are_not(machine, pattern):
    assert machine(*MACHINE, f'.print FORMAT="{pattern}" Time').codes == ["E278" if not pattern else "E279"]


@pytest.mark.parametrize(
    "cards",
    [
        (".print TEXTTRACEFILE=a.txt T", ".print TEXTTRACEFILE=./a.txt U"),
        (".print BINTRACEFILE=a.nc", ".print BINTRACEFILE=b/../a.nc"),
    ],
)
def test_two_traces_on_one_file(machine, cards):
    assert machine(*MACHINE, *cards).codes == ["E280"]


def test_two_traces_on_the_console_are_allowed(machine):
    assert machine(*MACHINE, ".print T", ".print TEXTTRACEFILE=CONSOLE U").codes == []


WHEELS = ("B1 (0.3,0) 0", "R1 (0,0) B1 1 UNIFORM", "B2 (1.3,0) 0", "R2 (1,0) B2 1 UNIFORM")


@pytest.mark.parametrize(
    ("cards", "item", "why", "cure"),
    [
        (("N1 GEAR(R1,R2) RATIO=1", "M1 R1 SPEED=1"), "TENSION(ALL)", ": N1 and M1 give no newtons", "TENSION(N1)"),
        (("M1 R1 SPEED=1",), "TENSION(ALL)", ": M1 gives no newtons", "TORQUE(M1)"),
        (("K1 ANGLE(R1) 5", "D1 ANGLE(R1) 1"), "FORCE(ALL)", ": K1 and D1 give no newtons", "FORCE(K1)"),
        (("T1 R1 1",), "FORCE(ALL)", ": T1 gives no newtons", "TORQUE(T1)"),
        (("C1 B1 B2",), "FORCE(ALL)", "", "TENSION(C1)"),
        (("K1 B1 B2 3",), "TENSION(ALL)", "", "FORCE(K1)"),
        ((), "TENSION(ALL)", "", "X(B1)"),
    ],
)
def test_all_of_nothing_is_answered_by_an_item_that_there_is(machine, cards, item, why, cure):
    (said,) = machine(*WHEELS, *cards, f".plot {item}").said
    assert (said.code, said.message) == ("E271", f"there is nothing that {item} could be asked of{why}")
    assert said.help == f"write {cure}"
    assert machine(*WHEELS, *cards, f".plot {cure}").codes == []
