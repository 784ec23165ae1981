"""Lines → statements: title, comments, continuation, ellipsis lines, .end."""

import time

import pytest

import chainlist
from chainlist.syntax import tree
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.parser import parse
from chainlist.syntax.printer import print_chainlist
from chainlist.syntax.source import Source


def read(text, **more):
    report = Diagnostics()
    return parse(Source("t.chain", text), report, **more), report


def entities(chainlist):
    return [s for s in chainlist.statements if isinstance(s, tree.Entity)]


def codes(report):
    return [d.code for d in report.diagnostics]


def test_the_first_line_is_the_title_whatever_it_holds():
    chainlist, report = read('; odd " title (\nB1 (0,0) 1\n')
    assert chainlist.title.text == '; odd " title ('
    assert [e.name.text for e in entities(chainlist)] == ["B1"]
    assert not report.diagnostics


def test_a_blank_first_line_is_an_empty_title_and_nothing_else_is_eaten():
    chainlist, _ = read("\nB1 (0,0) 1\n")
    assert chainlist.title.text == ""
    assert len(entities(chainlist)) == 1


def test_an_included_file_has_no_title():
    chainlist, _ = read("B1 (0,0) 1\n", title=False)
    assert chainlist.title is None
    assert len(entities(chainlist)) == 1


@pytest.mark.parametrize(
    "title", ["B1 (1,0) 1", "b1 1 0 1", ".tran 0 10 1E-3", "C1 B1 (0,0)", "C2 B1 B2 LENGTH=2", "S1 B2 LINE(0,1,0)"]
)
def test_a_title_that_looks_like_a_statement_is_warned_of(title):
    assert codes(read(title + "\nB2 (0,0) 1\n")[1]) == ["W101"]


@pytest.mark.parametrize(
    "title", ["* Double Pendulum", "Chain of links", "Braced square", "Big slider crank", "C", "Crank", ""]
)
def test_an_ordinary_title_is_not_warned_of(title):
    assert codes(read(title + "\nB1 (0,0) 1\n")[1]) == []


def test_tabs_carriage_returns_and_a_byte_order_mark_are_harmless():
    plain, _ = read("t\nB1 (0,0) 1\n.tran 0 1 1E-3\n")
    odd, report = read("\ufefft\r\n\tB1\t( 0 ,\t0 )\t1 \r\n.tran\t0 1  1E-3\r\n")
    assert odd == plain
    assert not report.diagnostics


@pytest.mark.parametrize("mark", ["+", "*+", "  +"])
def test_continuation_passes_over_blank_and_comment_lines(mark):
    chainlist, report = read(f"t\nB1 (0,0) 1\n\n* remark\n{mark} IC_VEL=(1,0)\n")
    (body,) = entities(chainlist)
    assert len(body.arguments) == 3
    assert body.lines[1] == tree.Line(1, "", ("", "* remark"))
    assert not report.diagnostics


def test_a_starred_plus_is_a_comment_where_it_continues_nothing():
    for text in ("t\n*+ not a continuation\nB1 (0,0) 1\n", "t\nB1 (0,0) 1\n*++ ruler\n*+-+\n*+=\n"):
        chainlist, report = read(text)
        assert len(entities(chainlist)[0].arguments) == 2
        assert not report.diagnostics
    chainlist, report = read("t\nB1 (0,0) 1\n...\n*+ remark\nB3 (2,0) 1\n")
    assert not report.diagnostics


def test_a_plus_without_a_statement_is_an_error_at_the_plus():
    for text, line in (("t\n  + IC_VEL=(1,0)\n", 2), ("t\nB1 (0,0) 1\n...\n+ 1\nB2 (1,0) 1\n", 4)):
        _, report = read(text)
        assert codes(report) == ["E102"]
        assert report.diagnostics[0].span.line == line


def test_a_semicolon_starts_a_comment_outside_quotes_only():
    chainlist, report = read(
        't\nB1 (0,0) 1 ; the bob\n.print TEXTTRACEFILE="a;b" Time ; all\n.title one; two\n; alone\n'
    )
    assert not report.diagnostics
    assert entities(chainlist)[0].lines[0].comment == "the bob"
    printed, title = [s for s in chainlist.statements if isinstance(s, tree.Command)]
    assert printed.arguments[0].value.text == "a;b"
    assert printed.lines[0].comment == "all"
    assert title.arguments[0].text == "one; two"
    assert chainlist.statements[-1] == tree.Remark("* alone", None)


def test_every_character_knows_its_place_through_continuation():
    text = "t\nB1 (0,0) 1 ; first\n* remark\n+ IC_VEL=(1, 2)\n*+ IC_POS = (3,4)\n"
    (body,) = entities(read(text)[0])
    velocity, position = body.arguments[2:]
    assert (velocity.span.line, velocity.span.column, velocity.span.text) == (4, 3, "IC_VEL=(1, 2)")
    assert (position.span.line, position.span.column) == (5, 4)
    two = velocity.value.coordinates[1]
    assert (two.span.line, two.span.column, two.span.text) == (4, 14, "2")


def test_a_point_may_be_broken_over_lines():
    (body,) = entities(read("t\nB1 (0,\n+ 1) 2\n")[0])
    assert body.arguments[0] == tree.Point((tree.Number("0", "", None), tree.Number("1", "", None)), None)
    assert body.lines == (tree.Line(1), tree.Line(1))


def test_end_ends_the_chainlist_and_the_rest_is_ignored_with_a_warning():
    chainlist, report = read("t\nB1 (0,0) 1\n.END\n\nB2 (1,0) 1\n")
    assert len(entities(chainlist)) == 1
    assert codes(report) == ["W102"]
    assert report.diagnostics[0].span.line == 5
    assert codes(read("t\nB1 (0,0) 1\n.end\n\n")[1]) == []


def test_one_bad_card_never_hides_the_next():
    _, report = read("t\nB1 (0,0 1\nB2 (0 0) 1\nC1 B1,, B2\n?\nB3 (0,0) 1\n.plot Q(B1\n")
    assert [(d.code, d.span.line) for d in report.diagnostics] == [
        ("E111", 2),
        ("E114", 3),
        ("E113", 4),
        ("E110", 5),
        ("E111", 7),
    ]


def test_submachines_are_collected_and_their_ends_checked():
    chainlist, report = read("t\n.submachine M BA\n* inside\nBA (0,0) 1\n.ends\n.submachine N BA\nBA (0,0) 1\n.end M\n")
    first, _ = (s for s in chainlist.statements if isinstance(s, tree.Submachine))
    assert [type(s).__name__ for s in first.body] == ["Remark", "Entity"]
    assert codes(report) == ["E126"]
    assert codes(read("t\n.submachine M BA\nBA (0,0) 1\n")[1]) == ["E125"]
    assert codes(read("t\nB1 (0,0) 1\n.end M\n")[1]) == ["E126"]


def test_a_broken_entity_keeps_its_name():
    chainlist, _ = read("t\nB1 (0,0 1\n")
    (broken,) = chainlist.statements
    assert isinstance(broken, tree.Broken) and broken.name.text == "B1"


@pytest.mark.parametrize("text", [".title one; two\n+ three; four", ".TITLE\n* a remark\n*+ one; two three; four"])
def test_a_semicolon_is_text_in_every_line_of_a_title(text):
    chainlist, report = read(f"t\n{text}\nB1 (0,0) 1 ; a comment\n+ IC_VEL=(1,0) ; another\n")
    assert not report.diagnostics
    (title,) = [s for s in chainlist.statements if isinstance(s, tree.Command)]
    assert title.arguments[0].text == "one; two three; four"
    assert [line.comment for line in entities(chainlist)[0].lines] == ["a comment", "another"]
    again, _ = read(print_chainlist(chainlist))
    assert again == chainlist


def test_a_mistake_among_many_spaces_is_told_at_once():
    clock = time.process_time()
    with pytest.raises(chainlist.ChainlistError, match="compares nothing"):
        chainlist.parse("* a\nB1 (1,0) 1\nS1 B1 LINE(" + " " * 5000 + "x) G(a=1)\n")
    assert time.process_time() - clock < 20.0  # it takes hundredths, and took minutes


def test_lines_may_end_with_a_carriage_return_alone():
    text = "* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 1 1ms\n"
    old = chainlist.parse(text.replace("\n", "\r"))
    assert old == chainlist.parse(text)
    with pytest.raises(chainlist.ChainlistError) as caught:
        chainlist.parse(text.replace("\n", "\r").replace("B1 (0,0)", "B2 (0,0)"))
    assert caught.value.diagnostics[0].span.line == 3
