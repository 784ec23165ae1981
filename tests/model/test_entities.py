"""Bodies and constraints: what their cards mean, and what a mistake on one of them leaves alone."""

import pytest

from chainlist.elements import REGISTRY
from chainlist.elements.base import ElementType, Reading, register


def test_a_body_in_both_forms(machine):
    found = machine("B1 (1,2) 3kg IC_POS=(10cm,0) IC_VEL=(-1,0.5)", "B2 1 2 3")
    first, second = found.mechanism.bodies
    assert (first.position, first.mass, first.start, first.velocity) == ((1, 2), 3, (0.1, 0), (-1, 0.5))
    assert (second.position, second.start, second.velocity) == ((1, 2), (1, 2), (0, 0))


def test_links_take_their_length_from_positions_or_from_the_card(machine):
    found = machine("C1 B1 (3,4)", "C2 (3,4) B1 LENGTH=20cm", "B1 (0,0) 1 IC_POS=(9,9)")
    assert found.constraint["C1"].parameters == (25, 5)
    assert found.constraint["C2"].parameters == (0.2 * 0.2, 0.2)
    assert found.constraint["C2"].ends == ((3, 4), "B1")


def test_sliders_in_both_forms(machine):
    found = machine("B1 (0,0) 1", "S1 B1 LINE(1,2,3cm)", "S2 B1 1 2 0.03")
    assert found.constraint["S1"].parameters == found.constraint["S2"].parameters == (1, 2, 0.03)


def test_names_are_shown_as_they_were_spelled_first(machine):
    found = machine("c1 B1 (0,0)", "b1 (0,1) 1", "C2 b1 (1,1)")
    assert [b.name for b in found.mechanism.bodies] == ["B1"]
    assert [c.ends[0] for c in found.mechanism.constraints] == ["B1", "B1"]


def test_b1_and_b01_are_two_names(machine):
    assert len(machine("B1 (0,0) 1", "B01 (1,0) 1").mechanism.bodies) == 2


def test_one_bad_card_hides_neither_the_next_nor_speaks_twice(machine):
    found = machine("B1 (0,0) -1", "C1 B1 (1,1)", "C2 B1 B2", "B2 (1,1) 1kk", "C3 B9 B2", "S1 B2 0 0 1")
    assert found.codes == ["E227", "E201", "E226", "E228"]
    assert [d.span.line for d in found.said] == [2, 5, 6, 7]


def test_a_body_that_did_not_parse_counts_as_defined(machine):
    found = machine("B1 (0 1) 1", "C1 B1 (1,1)")
    assert all(code.startswith("E1") for code in found.codes)
    assert found.mechanism is None


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("Crank 5 B1", "Crank is a link, because it begins with C"),
        ("Spring1 B1 B2 100", "Spring1 is a slider, because it begins with S"),
        ("Q1 B1 B2", "B (body), C (link), S (slider), J (pin), M (motor), G (constraint), N (velocity constraint),"),
        ("Q1 B1 B2", "K (spring), D (damper), F (force), T (torque), R (rigid body), W (wall), X (instance)"),
        ("C1 B1 B2 0.5", "write LENGTH=0.5"),
        ("C1 B1 B3", "did you mean B2?"),
    ],
)
def test_help_that_can_be_followed(machine, card, words):
    found = machine("B1 (0,0) 1", "B2 (1,0) 1", card)
    assert len(found.said) == 1
    assert words in found.said[0].help


def test_a_registered_type_of_constraint_is_read_like_the_others(machine):
    def take(card):
        return Reading((card.body(), card.end()), (card.number("length"), card.named("PULL", "force")))

    register(
        ElementType(
            letter="Z",
            name="zip line",
            syntax="Z<name> <body> <body | (x,y)> <l> [PULL=<f>]",
            meaning="made up for this test",
            read=take,
            parameters=lambda values, points: (values[0], values[1] or 0.0, *points[0]),
            row=lambda k, s, w, t, q, v: None,
        )
    )
    try:
        good = machine("Z1 B1 (1,1) 20cm PULL=2kN", "B1 (3,4) 1")
        bad = machine("Z1 B1 (1,1) 20cm 3 PULL=2", "B1 (3,4) 1")
        wrong = machine("Z1 B1 (1,1) 20cm PUL=2", "B1 (3,4) 1")
    finally:
        del REGISTRY["Z"]
    assert good.constraint["Z1"].parameters == (0.2, 2000, 3, 4)
    assert bad.codes == ["E224"]
    assert "did you mean PULL?" in wrong.said[0].help


def test_a_difference_of_lengths_is_no_power_of_a_unit(machine):
    """9.81ms-2 is refused where no unit can stand; this is arithmetic."""
    found = machine("B1 (0,0) 1", "S1 B1 LINE(2m-1m,0,0)")
    assert found.codes == [] and found.constraint["S1"].parameters == (1, 0, 0)
