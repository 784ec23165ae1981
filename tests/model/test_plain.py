"""Plain cards are placed at once: the mechanism and the messages must be those of the long way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chainlist
from chainlist.model import assembly
from chainlist.model.dump import dump
from chainlist.syntax.errors import ChainlistError

from ..conftest import EXAMPLES


def outcome(text):
    """All that reading a text gives: numbers to the last bit, words and messages."""
    try:
        mechanism = chainlist.parse(text, base=EXAMPLES)
    except ChainlistError as error:
        return [(d.code, d.message, d.help, d.span and (d.span.start, d.span.stop)) for d in error.diagnostics]
    spans = [(entity.span.start, entity.span.stop) for entity in (*mechanism.bodies, *mechanism.constraints)]
    words = [constraint.words for constraint in mechanism.constraints]
    return repr(mechanism), spans, words, dump(mechanism), [(d.code, d.message) for d in mechanism.diagnostics]


def assert_same(text):
    short = outcome(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assembly, "plain_body", lambda *words: None)
        patch.setattr(assembly, "plain_link", lambda *words: None)
        assert outcome(text) == short


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.chain")), ids=lambda path: path.stem)
def test_the_examples_are_placed_alike(path):
    assert_same(path.read_text(encoding="utf-8"))


numbers = st.sampled_from("0 1 -1 0.5 -0 1E-3 1e999 1E-400 3mm 2kg --1 +2 a 1E200".split())
points = st.builds("({},{})".format, numbers, numbers) | st.just("(1)") | st.just("(1,2,3)")
bodies = st.builds("{} {} {}".format, st.sampled_from(["B1", "B2", "b3", "B4"]), points, numbers)
ends = st.sampled_from(["B1", "b1", "B2", "B3", "B4", "B9", "C1", "a"]) | points
links = st.builds("C{} {} {}{}".format, st.integers(1, 4), ends, ends, st.sampled_from(["", "", " LENGTH=1", " 2"]))


@given(st.lists(bodies, min_size=1, max_size=4), st.lists(links, max_size=4))
def test_random_cards_are_placed_alike(bodies, links):
    assert_same("\n".join(["* random", ".param a=0.25", *bodies, *links, ".tran 0 1 1E-3", ".plot Etotal", ""]))


@given(st.lists(bodies, min_size=1, max_size=4), st.lists(links, max_size=4))
def test_random_cards_in_space_are_placed_alike(bodies, links):
    cards = [card.replace(",", ",0.5,") if card.count(",") == 1 else card for card in (*bodies, *links)]
    assert_same("\n".join(["* random", ".param a=0.25", *cards, ".tran 0 1 1E-3", ".plot Etotal", ""]))
