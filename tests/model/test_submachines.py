"""Submachines: definitions, instances, nesting, and where instances come to stand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chainlist.syntax.limits import Limits

TONG = """\
.submachine Tong BA, BB, BC, BD, (x0,y0)
BA (x0-1,y0-1) 1
BC (x0+1,y0+1) 1
BB (x0-1,y0+1) 1
BD (x0+1,y0-1) 1
C1 BA (x0,y0)
C5 BA BC
C6 BB BD
.end Tong"""
EXPECTED = {"B3": (1, 1), "B4": (1, -1), "B5": (3, -1), "B6": (3, 1), "B7": (5, 1), "B8": (5, -1)}
CHAIN = ("X1 Tong B1, B2, B3, B4, (0,0)", "X2 Tong B3, B4, B5, B6", "X3 Tong B5, B6, B7, B8")


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (1, 0, 2)])
def test_the_lazy_tongs_are_placed_in_any_order(machine, order):
    found = machine(TONG, *(CHAIN[i] for i in order))
    assert found.codes == []
    assert {name: found.body[name].position for name in EXPECTED} == EXPECTED
    assert found.constraint["X2.C5"].ends == ("B3", "B5")
    assert found.constraint["X2.C1"].ends == ("B3", (2, 0))


def test_bodies_and_constraints_stand_in_the_order_of_the_text(machine):
    found = machine(TONG, "C9 B5 (0,0)", *reversed(CHAIN), "B9 (9,9) 1")
    names = [c.name for c in found.mechanism.constraints]
    assert names == ["C9", *(f"X{i}.C{j}" for i in (3, 2, 1) for j in (1, 5, 6))]
    assert [b.name for b in found.mechanism.bodies][-1] == "B9"


ROBOT = """\
.submachine Robot BA, BB, BC, k=1, (x0,y0)
BA (x0,y0) 1
BB (x0+2,y0+0.5) 1 IC_POS=(x0+3,y0) IC_VEL=(k,0.25)
BC (x0+1,y0-1) 2
C1 BA BB
C2 BB BC LENGTH=7
C3 BC (x0-1,y0+3)
S1 BC 3 4 {3*x0 + 4*y0 + 5}
.end"""
angles = st.floats(-3, 3)
coordinates = st.floats(-100, 100)


@given(angles, coordinates, coordinates, st.sampled_from(["shift", "horizontal", "vertical", "turn"]))
def test_an_instance_moves_as_a_whole(machine, angle, dx, dy, kind):
    """Three shared bodies are put where a known motion carries them; everything else must follow."""
    c, s = {"shift": (1, 0), "turn": (math.cos(angle), math.sin(angle))}.get(kind, (1, 0))
    matrix = {"horizontal": ((1, 0), (0, -1)), "vertical": ((-1, 0), (0, 1))}.get(kind, ((c, -s), (s, c)))

    def turned(v):
        return tuple(sum(m * x for m, x in zip(row, v, strict=True)) for row in matrix)

    def moved(v):
        return tuple(a + b for a, b in zip(turned(v), (dx, dy), strict=True))

    def text(v):
        return f"({v[0]!r},{v[1]!r})"

    found = machine(
        ROBOT,
        f"B1 {text(moved((0, 0)))} 1",
        f"B3 {text(moved((1, -1)))} 1",
        "X1 Robot B1, B2, B3",
        "X2 Robot B4, B2, B3",
    )
    # B2 is made by X1; X2 then shares B2 and B3, so that B4 must fall on B1.
    assert found.codes == []
    close = pytest.approx
    body, constraint = found.body, found.constraint
    assert body["B2"].position == close(moved((2, 0.5)), abs=1e-6)
    assert body["B2"].start == close(moved((3, 0)), abs=1e-6)
    assert body["B2"].velocity == close(turned((1, 0.25)), abs=1e-6)
    assert body["B4"].position == close(body["B1"].position, abs=1e-6)
    assert constraint["X1.C3"].ends[1] == close(moved((-1, 3)), abs=1e-6)
    assert constraint["X1.C2"].parameters == (49, 7)
    normal, konst = constraint["X1.S1"].parameters[:2], constraint["X1.S1"].parameters[2]
    assert normal == close(turned((3, 4)), abs=1e-6)
    # The residual of the slider at BC does not depend on where the instance stands.
    residual = sum(n * x for n, x in zip(normal, body["B3"].position, strict=True)) - konst
    assert residual == close(3 * 1 + 4 * -1 - 5, abs=1e-6)


def test_the_first_definition_gives_the_mass(machine):
    found = machine(TONG, "B1 (-1,-1) 7 IC_VEL=(1,0)", "X1 Tong B1, B2, B3, B4, (0,0)")
    assert (found.body["B1"].mass, found.body["B2"].mass) == (7, 1)
    assert found.body["B1"].velocity == (1, 0)


def test_lengths_are_those_of_the_places_where_bodies_stand(machine):
    found = machine(TONG, "B1 (-1,-1.000000001) 1", "X1 Tong B1, B2, B3, B4, (0,0)")
    assert found.codes == []
    assert found.constraint["X1.C5"].parameters[0] == 4 + (1 + 1.000000001) ** 2


def test_inner_names_have_the_name_of_the_instance(machine):
    found = machine(
        ".submachine Arm BA, (x,y)",
        "BA (x,y) 1",
        "b7 (x+1,y) 1",
        "C1 BA B7",
        ".end",
        "x1 Arm B1 (0,0)",
        "C9 X1.B7 B1",
        ".plot TENSION(X1.C1) Q(x1.b7)",
    )
    assert [b.name for b in found.mechanism.bodies] == ["B1", "x1.b7"]
    assert found.constraint["C9"].ends == ("x1.b7", "B1")
    assert found.mechanism.plots[0].panels[1][0].formula.arguments == ("x1.b7",)


DOUBLE = """\
.submachine Double BA BB BE BF (u0,v0)
X1 Tong BA BB BC BD (u0,v0)
X2 Tong BC BD BE BF
.end"""


def test_instances_nest_and_are_moved_with_what_contains_them(machine):
    found = machine(TONG, DOUBLE, "B1 (9,-1) 1", "B2 (9,1) 1", "X1 Double B1 B2 B3 B4", "X2 Double B3 B4 B5 B6")
    assert found.codes == []
    assert found.body["X1.BC"].position == (11, 1)
    assert found.body["B3"].position == (13, -1)
    assert found.body["B4"].position == (13, 1)
    assert found.body["B5"].position == (17, -1)
    assert "X2.X1.C5" in found.constraint


def test_without_a_placement_formal_the_instance_stands_as_written(machine):
    pair = ".submachine Pair BA BB BC BD\nX1 Tong BA BB BC BD\n.end"
    found = machine(TONG, pair, "X9 Pair B1 B2 B3 B4", "B1 (0,0) 1", "B2 (0,2) 1")
    assert found.codes == []
    assert found.body["B3"].position == (2, 2)


def test_a_body_off_is_an_error_with_a_given_placement_too(machine):
    found = machine(TONG, "B1 (-1,-1.5) 1", "X1 Tong B1, B2, B3, B4, (0,0)")
    assert found.codes == ["E247"]
    assert "off by 0.5" in found.said[0].message
    assert found.said[0].span.text == "B1"


def test_only_the_first_of_those_that_wait_for_one_another_complains(machine):
    found = machine(TONG, *(card.replace(", (0,0)", "") for card in CHAIN), "C9 B7 (0,0)", ".plot Q(B5)")
    assert found.codes == ["E246"]
    assert "X1 Tong B1, B2, B3, B4, (0,0)" in found.said[0].help


def test_a_bad_card_inside_speaks_once_for_all_instances(machine):
    arm = ".submachine Arm BA (x,y)\nBA (x,y) 1\nC1 BA BQ\n.end"
    found = machine(arm, *(f"X{i} Arm B{i} ({i},0)" for i in range(5)))
    assert found.codes == ["E226"]
    assert found.said[0].also[0].label == "in the instance X0"


def bomb(depth, copies):
    inner = [f".submachine D{i} BA\n" + "".join(f"X{c} D{i + 1} BA\n" for c in range(copies)) for i in range(depth)]
    return "\n".join((".end\n".join((*inner, f".submachine D{depth} BA\nBA (0,0) 1\n")) + ".end", "X1 D0 B1"))


@pytest.mark.parametrize("text", [bomb(30, 2), bomb(40, 1)], ids=["wide", "deep"])
def test_bombs_are_counted_before_they_go_off(machine, text):
    assert machine(text, "C1 B1 (0,0)", ".plot Q(B1)").codes == ["E249"]


def test_what_is_within_the_limits_is_built(machine):
    assert len(machine(bomb(5, 2)).mechanism.bodies) == 1
    assert machine(bomb(5, 2), limits=Limits(entities=50)).codes == ["E249"]


def test_placing_backwards_is_linear(machine):
    n = 400
    cards = [f"X{i} Tong B{2 * i} B{2 * i + 1} B{2 * i + 2} B{2 * i + 3}" for i in range(n)]
    cards[0] += " (0,0)"
    found = machine(TONG, *reversed(cards))
    assert len(found.mechanism.bodies) == 2 * n + 2
    assert found.body[f"B{2 * n}"].position[0] == 2 * n - 1


def test_a_submachine_without_an_instance_is_read_all_the_same(machine):
    unused = ".submachine Arm BA, m, (x,y)\nBA (x,y) 1/m\nB2 (0,1) 1cm\nC1 BA B2\nC2 BA BQ\nC3 BA (0,5) LEN=1\n.end"
    found = machine(unused, "B1 (0,0) 1")
    assert found.codes == ["E203", "E226", "E225"]
    waiting = ".submachine Pair BA BB BC BD\nX1 Tong BA BB BC BD\n.end"
    assert machine(TONG, waiting, "B1 (0,0) 1").codes == []
