"""Plain cards take a short way: it must lead to the very nodes of the long one, and never to one that would fail there."""

from dataclasses import fields, is_dataclass

from hypothesis import given
from hypothesis import strategies as st

from chainlist.syntax.cards import CardLine, CardText, Kind
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.limits import Limits
from chainlist.syntax.parser import _Parser
from chainlist.syntax.plain import plain_entity
from chainlist.syntax.source import Source, Span

from ..conftest import EXAMPLES

LINES = [
    (text, at)
    for path in sorted(EXAMPLES.rglob("*.chain"))
    for text in [path.read_text(encoding="utf-8")]
    for at, letter in enumerate(text)
    if letter.isalpha() and (at == 0 or text[at - 1] == "\n")
]


def everything(node):
    """All that a node holds, with its places, which do not count when nodes are compared."""
    if isinstance(node, Span):
        return node.start, node.stop
    if is_dataclass(node):
        return type(node).__name__, [everything(getattr(node, field.name)) for field in fields(node)]
    return [everything(part) for part in node] if isinstance(node, tuple) else node


def the_long_way(source, text, at):
    report = Diagnostics()
    parser = _Parser(source, report, Limits())
    entity = parser._entity(CardText(Kind.ENTITY, source, [CardLine(text, 0, at)]))
    assert not report.diagnostics
    return entity, parser.token_count


def assert_same(source, text, at):
    found = plain_entity(text, source, at)
    if found is None:
        return False
    long = the_long_way(source, text, at)
    assert everything(found[0]) == everything(long[0])
    assert found[1] == long[1]
    return True


def test_the_examples_are_read_alike():
    plain = 0
    for text, at in LINES:
        line = text[at:].split("\n")[0].split(";")[0].rstrip()
        plain += assert_same(Source("example", text), line, at)
    assert plain > 100


numbers = st.sampled_from("0 1 0.2 .5 2. 1E-3 1e5 3mm 1E 2kg x -1 - 1..2 0x1 00 7e+2".split())
names = st.sampled_from("B1 b C_2 S1 X1 x.y L2 1B é B1= a+b and not B".split())
spaces = st.sampled_from(["", " ", "  ", "\t", ", "])
points = st.builds(
    "{}({}{},{}{}{})".format, names | st.just(""), st.sampled_from(["", "-", "+"]), numbers, spaces, spaces, numbers
)
deep = st.builds("({}{},{}{},{}{})".format, *[st.sampled_from(["", "-"]), numbers] * 3)
words = st.one_of(names, numbers, points, points, deep)


@given(st.lists(st.tuples(words, spaces), min_size=1, max_size=4), names, spaces)
def test_random_cards_are_read_alike_or_not_at_all(parts, name, space):
    text = (name + space + "".join(word + gap for word, gap in parts)).strip()
    assert_same(Source("card", text), text, 0)


@given(
    st.builds("B{} ({},{}) {}".format, st.integers(0, 99), *[st.floats(-9, 9, allow_nan=False)] * 2, st.floats(0, 9))
)
def test_bodies_are_plain(text):
    assert assert_same(Source("card", text), text, 0)


coordinates = [st.floats(-9, 9, allow_nan=False)] * 3


@given(
    st.builds("B{} ({},{},{}) {}".format, st.integers(0, 99), *coordinates, st.floats(0, 9))
    | st.builds("C1 B1  ({},{},{})".format, *coordinates)
)
def test_cards_in_space_are_plain(text):
    assert assert_same(Source("card", text), text, 0)
