"""Expressions of entities: read at their places, written back, and what is wrong with them."""

import pytest

from chainlist.elements import REGISTRY
from chainlist.elements.base import ElementType, Reading
from chainlist.formula import TIME, Constant, Moving, Operation, Quantity, function
from chainlist.model.dump import dump
from chainlist.model.formula import expression_text

SEEN = {}
WORDS = {}


def item(name, *arguments):
    return Quantity(name, arguments)


@pytest.fixture
def element(monkeypatch):
    """Registers the entity Z with a way to read it; what it read is in SEEN by the name of the entity's first end."""

    def register(read):
        def wrapped(card):
            found = read(card)
            SEEN[card.entity.name.text] = found
            WORDS[card.entity.name.text] = list(card.words)
            return Reading(tuple(end for end in card._ends if not isinstance(end, Moving)))

        kind = ElementType(
            letter="Z",
            name="test",
            syntax="Z<name> …",
            meaning="",
            read=wrapped,
            parameters=lambda values, points: (),
            row=lambda *_: None,
        )
        SEEN.clear()
        monkeypatch.setitem(REGISTRY, "Z", kind)

    return register


BODIES = "B1 (0,-1) 1", "B2 (1,0) 1", "C1 B1 (0,0)", ".param k=3", ".func twice(a)=2*a"


def read_one(machine, element, text, place="motion", want="number"):
    element(lambda card: card.expression(place, want))
    found = machine(*BODIES, f"Z1 {text}")
    return found, SEEN.get("Z1")


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("5", Constant(5.0)),
        ("{2*k+1}", Constant(7.0)),
        ("2cm", Constant(0.02)),
        ("{-k*X(B1)}", Operation("*", (Constant(-3.0), item("X", "B1")))),
        ("{sin(3*TIME)}", function("sin", Operation("*", (Constant(3.0), TIME)))),
        ("sin(time)*k", Operation("*", (function("sin", TIME), Constant(3.0)))),
        ("{vy(b2)}", item("VY", "B2")),
        ("{SPEED(B1)+X(B1)}", Operation("+", (item("SPEED", "B1"), item("X", "B1")))),
        ("{DIST(B1,(0,k))}", item("DIST", "B1", (0.0, 3.0))),
        ("{DIST(B1,(time,0))}", item("DIST", "B1", Moving((TIME, Constant(0.0))))),
        ("{ANGLE(B1,B2)}", item("ANGLE", "B1", "B2")),
        ("{ANGLE(B1,(0,0),B2)}", item("ANGLE", "B1", (0.0, 0.0), "B2")),
        ("{ANGLE(C1)-OMEGA(c1)}", Operation("-", (item("ANGLE", "C1"), item("OMEGA", "C1")))),
        ("{OMEGA(B1,B2)}", item("OMEGA", "B1", "B2")),
        ("{twice(time)+twice(2)}", Operation("+", (Operation("*", (Constant(2.0), TIME)), Constant(4.0)))),
        ("{if(k>2,time,X(B1))}", TIME),
        ("{if(X(B1)>0,1,0)}", function("if", Operation(">", (item("X", "B1"), Constant(0.0))), 1, 0)),
        ("{pwl(time,0,0,1,k)}", function("pwl", TIME, 0, 0, 1, 3)),
    ],
)
def test_formulas(machine, element, text, formula):
    found, read = read_one(machine, element, text, want="length")
    assert found.codes == [] and read == formula


@pytest.mark.parametrize(
    ("place", "text", "codes"),
    [
        ("number", "{1+time}", ["E219"]),
        ("number", "{X(B1)}", ["E219"]),
        ("time", "{time}", []),
        ("time", "{X(B1)}", ["E219"]),
        ("positions", "{X(B1)+time+ANGLE(C1)+DIST(B1,B2)}", []),
        ("positions", "{VX(B1)}", ["E219"]),
        ("positions", "{OMEGA(C1)}", ["E219"]),
        ("motion", "{VX(B1)+SPEED(B1)}", []),
        ("motion", "{TENSION(C1)}", ["E219"]),
        ("condition", "{TENSION(C1)>5 and time>1}", []),
        ("condition", "{Etotal}", ["E219"]),
        ("motion", "{Q(B1)}", ["E219"]),
        ("motion", "{DIST(B1,(X(B2),0))}", ["E219"]),
        ("motion", "{T}", ["E219"]),
    ],
)
def test_places(machine, element, place, text, codes):
    assert read_one(machine, element, text, place)[0].codes == codes


@pytest.mark.parametrize(
    ("text", "code", "message", "help"),
    [
        ("{sinn(time)}", "E270", "no item or function sinn", "did you mean sin?"),
        ("{XX(B1)}", "E270", "no item or function XX", "did you mean"),
        ("{twise(1)}", "E270", "no item or function twise", "did you mean twice?"),
        ("{B1}", "E206", "unknown parameter B1", "B1 is a body: write X(B1)"),
        ("{kk*time}", "E206", "unknown parameter kk", "did you mean k?"),
        ("{X(B7)}", "E226", "unknown body B7", "did you mean"),
        ("{X(B1,B2)}", "E271", "asked of one body", "write X(B1)"),
        ("{X(C1)}", "E226", "C1 is not a body", "put the name of a body"),
        ("{X}", "E271", "X needs arguments", "write X(B1)"),
        ("{DIST(B1)}", "E271", "DIST cannot be asked", "DIST(B1,B2)"),
        ("{ANGLE(B1)}", "E271", "B1 is a body", "ANGLE(B1,B2)"),
        ("{ANGLE(B1,B2,B1,B2)}", "E271", "ANGLE cannot be asked", "ANGLE(B1,B2)"),
        ("{DIST(B1,2)}", "E271", "a body or a point", "DIST(B1,B2)"),
        ("{time(2)}", "E271", "takes no arguments", "`time`"),
        ("{(1/0)*time}", "E205", "1/0", "check"),
        ("{time/0}", "E205", "a division by zero", "divide"),
        ("2kg", "E203", "2kg is a mass", ""),
        ("{pwl(time,0,0,1)}", "E208", "at least 5 arguments", "pwl(time"),
        ("{pwl(time,0,0,1,1,2)}", "E214", "are no pairs", "pwl(time"),
        ("{pwl(time,1,0,0,1)}", "E214", "must grow in x", "pwl(time"),
        ("{pwl(time,0,time,1,1)}", "E214", "do not change", "pwl(time"),
        ("{table(X(B1),0,0,1,VX(B1))}", "E214", "do not change", "table(x"),
        ("{pulse(time,0,1,0,-1,0,0,1)}", "E214", "rise cannot be negative", "pulse(time"),
        ("{pulse(time,0,1,0,0,0,0,0)}", "E214", "the period must be positive", "pulse(time"),
        ("{pulse(time,0,1,0,1,1,1,2)}", "E214", "longer than the period", "pulse(time"),
        ("{if(time,1)}", "E208", "if takes 3 arguments, not 2", "if(c,a,b)"),
        ("(1,2)", "E209", "not a point", "number"),
        ("B1", "E223", "not a body", "Z<name>"),
    ],
)
def test_mistakes(machine, element, text, code, message, help):
    found, _ = read_one(machine, element, text)
    assert found.codes == [code], found.said
    said = found.said[0]
    assert message in said.message and help in said.help and said.label


@pytest.mark.parametrize(
    "text",
    [
        "{-X(B1)**2*(time-1)/3}",
        "{if(X(B1)>0 and not VX(B1)<=1 or (X(B1)<1)>=time,1,step(time))}",
        "{not (X(B1) and Y(B1)) and (VX(B1) or time)}",
        "{(X(B1)>0)+(time<1)*2}",
        "{(not X(B1))<1}",
        "{not (not X(B1))}",
        "{-(X(B1)<1)}",
        "{(X(B1)<1)**2}",
        "{pulse(time,0,1,-1,1,1,1,5)+spline(X(B1),-1,2,3,-4)}",
        "{DIST(B1,({sin(time)},-2))*ANGLE(B1,(0,-1),B2)+OMEGA(C1)}",
        "{(X(B1) and Y(B1)) and time}",
        "{(X(B1) or Y(B1)) and time or X(B2)}",
    ],
)
def test_what_is_written_reads_back_to_the_same_formula(machine, element, text):
    found, first = read_one(machine, element, text)
    assert found.codes == [], found.said
    found, again = read_one(machine, element, expression_text(first))
    assert found.codes == [] and again == first


def test_the_words_of_a_card(machine, element):
    def read(card):
        kind = card.word("ANGLE", "ROPE")
        assert card.word("ROPE") is None and card.peek_call() == "line" and card.count_inside() == 2
        line = card.points_of("LINE", 2)
        with card.inside("CIRCLE"):
            center, radius = card.end(), card.expression("time", "length")
        ends = card.ends(2, but=("BALL",))
        assert card.peek_name() == "BALL"
        card.word("BALL")
        link = card.link()
        assert card.peek_point()
        vector = card.vector()
        force = card.named_expression("F")
        assert card.named_expression("G") is None
        return kind, line, center, radius, ends, link, vector, force

    element(read)
    text = "angle LINE(B1,({time},0)) CIRCLE((0,0),{1+time}) B1 (1,2) B2 BALL c1 ({k*X(B1)},2) F={-k*VX(B1)}"
    found = machine(*BODIES, f"Z1 {text}")
    assert found.codes == [], found.said
    moving = Moving((TIME, Constant(0.0)))
    first = SEEN["Z1"]
    assert first == (
        "ANGLE",
        ("B1", moving),
        (0.0, 0.0),
        Operation("+", (Constant(1.0), TIME)),
        ("B1", (1.0, 2.0), "B2"),
        "C1",
        (Operation("*", (Constant(3.0), item("X", "B1"))), Constant(2.0)),
        Operation("*", (Constant(-3.0), item("VX", "B1"))),
    )
    ends = iter(("B1", "({Time},0)", "(0,0)", "B1", "(1,2)", "B2"))
    card = " ".join(next(ends) if word is None else word for word in WORDS["Z1"])
    found = machine(*BODIES, f"Z1 {card}")
    assert found.codes == [], card
    assert SEEN["Z1"] == first


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("LINE(B1)", "E222", "lacks a body or a point"),
        ("LINE(B1,B2,B1)", "E222", "takes fewer arguments"),
        ("LINE(B1,5)", "E223", "the name of a body is wanted"),
        ("PLANE(B1,B2)", "E223", "LINE(…) is wanted here"),
        ("5", "E223", "LINE(…) is wanted here"),
        ("LINE(B1,({X(B1)},0))", "E219", "only the time may be used here"),
        ("LINE(B1,(1,2,3))", "E230", "some points have three coordinates"),
    ],
)
def test_mistakes_inside_a_call(machine, element, text, code, message):
    element(lambda card: card.points_of("LINE", 2))
    found = machine(*BODIES, f"Z1 {text}")
    assert found.codes == [code], found.said
    assert message in found.said[0].message


def test_equations(machine, element):
    element(lambda card: card.equation())
    found = machine(*BODIES, "Z1 {X(B1)-1}")
    assert found.codes == [] and SEEN["Z1"] == Operation("-", (item("X", "B1"), Constant(1.0)))


def test_names_inside_an_instance(machine, element):
    element(lambda card: card.expression("condition"))
    arm = (
        ".submachine Arm BA, (x0,y0)",
        "B5 (x0,y0-2) 1",
        "BA (x0,y0-1) 1",
        "C1 BA (x0,y0)",
        "Z1 {X(BA)+X(B5)+TENSION(c1)+g()}",
        ".end",
    )
    found = machine(".func g()=Y(B1)", *arm, "X1 Arm B1 (0,0)", "X2 Arm B2 (1,0)")
    assert found.codes == [], found.said
    assert SEEN["Z1"].operands == (item("X", "B2"), item("X", "X2.B5"), item("TENSION", "X2.C1"), item("Y", "B1"))


def test_a_dump_renames_what_is_inside_an_instance(machine, element, read):
    element(lambda card: (card.end(), card.expression("motion")))
    arm = (
        ".submachine Arm BA, (x0,y0)",
        "B5 (x0,y0-2) 1",
        "BA (x0,y0-1) 1",
        "C1 BA (x0,y0)",
        "Z1 B5 {1.5*X(B5)+OMEGA(C1)}",
        ".end",
    )
    found = machine(*arm, "X1 Arm B1 (0,0)")
    again = read(dump(found.mechanism))
    assert again.codes == []
    name = next(name for name in SEEN if name.startswith("Z_"))
    assert SEEN[name][1] == Operation(
        "+", (Operation("*", (Constant(1.5), item("X", "B_X1_5"))), item("OMEGA", "C_X1_1"))
    )


CONDITIONS = """\
* t
B1 (0,-1) 1
C1 B1 (0,0)
.plot {if(X(B1)>0,1,0)} {X(B1)<0 and not Y(B1)<1} "T {T>1}" ANGLE(B1,(0,0),(1,0)) SPEED(ALL) OMEGA(C1)
.plot DIST(B1,({sin(Time)},0))
.tran 0 1 1ms
"""


def test_conditions_in_items(read):
    found = read(CONDITIONS)
    assert found.codes == [], found.said
    again = read(dump(found.mechanism))
    assert again.codes == [] and again.mechanism.plots == found.mechanism.plots
    texts = [i.text for panel in found.mechanism.plots[0].panels for i in panel]
    assert texts[1] == "{X(B1)<0 and not Y(B1)<1}"
