"""Canonical text: what it looks like, that it is stable, and that reading it back gives the same tree."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chainlist
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.parser import parse
from chainlist.syntax.printer import print_chainlist
from chainlist.syntax.source import Source

LISTINGS = sorted((Path(chainlist.__file__).parent / "examples").rglob("*.chain"))


def tree_of(text):
    report = Diagnostics()
    return parse(Source("t", text), report), report


def round_trip(text):
    tree, report = tree_of(text)
    assert not report.errors, report.errors
    printed = print_chainlist(tree)
    again, _ = tree_of(printed)
    assert again == tree
    assert print_chainlist(again) == printed
    return printed


@pytest.mark.parametrize("path", LISTINGS, ids=lambda path: path.stem)
def test_listings_read_back_as_the_same_tree(path):
    round_trip(path.read_text(encoding="utf-8"))


def test_canonical_form():
    written = (
        "*  Title kept  \n"
        "b16   3.2 0 1   ;the tip\n"
        "S1 B16 0 1 0\n"
        "*remark  \n"
        "\n"
        "X1 Tong B1 B2,B3 , ( 0, 0 ) m = 2\n"
        ".OPTIONS gravity = 1\n"
        "*+ FRAME=0.4s   ; slow\n"
        "…\n"
        "B17 (1 ,0) {2 * m + 1}\n"
        ".print TEXTTRACEFILE=console FORMAT=0.#E0 Bodies (POS)\n"
        '.plot "Q (B1)  PATH(B1)"\n'
        ".end\n"
        "ignored   text\n"
    )
    assert round_trip(written) == (
        "*  Title kept\n"
        "b16 (3.2,0) 1 ; the tip\n"
        "S1 B16 LINE(0,1,0)\n"
        "*remark\n"
        "\n"
        "X1 Tong B1, B2, B3, (0,0), m=2\n"
        ".options gravity=1\n"
        "+ FRAME=0.4s ; slow\n"
        "...\n"
        "B17 (1,0) {2*m+1}\n"
        '.print TEXTTRACEFILE=console FORMAT="0.#E0" Bodies(POS)\n'
        '.plot "Q(B1) PATH(B1)"\n'
        ".end\n"
        "ignored   text\n"
    )


names = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,4}", fullmatch=True)
numbers = st.builds(
    lambda digits, exponent, unit: digits + exponent + unit,
    st.sampled_from(["0", "1", "2.50", ".5", "3.", "12"]),
    st.sampled_from(["", "E-3", "e+2"]),
    st.sampled_from(["", "s", "kg", "mm"]),
)


def combine(inner):
    listed = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        st.builds(lambda a, op, b: f"{a}{op}{b}", inner, st.sampled_from(["+", "-", "*", "/", "**"]), inner),
        st.builds(lambda sign, a: f"{sign}{a}", st.sampled_from(["-", "+", "--"]), inner),
        st.builds(lambda a: f"({a})", inner),
        st.builds(lambda a: f"{{ {a} }}", inner),
        st.builds(lambda f, xs: f"{f}({', '.join(xs)})", names, listed),
    )


expressions = st.recursive(st.one_of(numbers, names), combine, max_leaves=8)
points = st.builds(lambda x, y: f"({x} ,{y})", expressions, expressions)
settings_ = st.builds(lambda k, v: f"{k} = {v}", names, st.one_of(expressions, points))
comments = st.from_regex(r"[ -~]{0,12}", fullmatch=True)


@st.composite
def statements(draw):
    head = draw(st.one_of(names, st.sampled_from([".options", ".param", ".tran", ".plot", ".print"])))
    words = draw(st.lists(st.one_of(expressions, points, settings_), max_size=4))
    lines = [head]
    for word in words:
        if draw(st.booleans()):
            lines[-1] += f" {word}"
        else:
            if draw(st.booleans()):
                lines.append("* " + draw(comments))
            lines.append(f"{draw(st.sampled_from(['+', '*+']))} {word}")
    if draw(st.booleans()):
        lines[-1] += " ; " + draw(comments)
    return "\n".join(lines)


texts = st.builds(
    lambda title, parts: "\n".join([title, *parts]) + "\n",
    comments,
    st.lists(st.one_of(statements(), st.just(""), st.just("..."), st.builds(lambda c: f"*{c}", comments)), max_size=6),
)


@given(texts)
@settings(max_examples=120, deadline=None)
def test_reading_printed_text_gives_the_same_tree(text):
    _tree, report = tree_of(text)
    if not report.errors:
        round_trip(text)
