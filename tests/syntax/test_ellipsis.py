"""`...`: both forms, decimals, and the mistakes one can make with it."""

import pytest

import chainlist
from chainlist.syntax import tree
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.expand import expand
from chainlist.syntax.limits import Limits
from chainlist.syntax.parser import parse
from chainlist.syntax.printer import argument
from chainlist.syntax.source import Source


def spelled(body, limits=None):
    report = Diagnostics()
    limits = limits or Limits()
    chainlist = parse(Source("t", f"t\n{body}\n"), report, limits)
    flat = expand(chainlist, report, limits, None).statements
    lines = [" ".join([s.name.text, *map(argument, s.arguments)]) for s in flat if isinstance(s, tree.Entity)]
    return lines, report.diagnostics


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("B1 (0.2,0) 1\n...\nB4 (0.8,0) 1", ["B1 (0.2,0) 1", "B2 (0.4,0) 1", "B3 (0.6,0) 1", "B4 (0.8,0) 1"]),
        ("B1 (0.2,0) 1\n…\nB3 .6 0 1", ["B1 (0.2,0) 1", "B2 (0.4,0) 1", "B3 (.6,0) 1"]),
        ("B3 (-1,0) 1\n...\nB1 (1,0) 1", ["B3 (-1,0) 1", "B2 (0,0) 1", "B1 (1,0) 1"]),
        ("B1 (1*L,0) m\n* x\n\n...\n\nB3 (3*L,0) m", ["B1 (1*L,0) m", "B2 (2*L,0) m", "B3 (3*L,0) m"]),
        ("C1 B1 (0,0)\n...\nC4 B3 B4", ["C1 B1 (0,0)", "C2 B1 B2", "C3 B2 B3", "C4 B3 B4"]),
        (
            "C2 B1 B2 LENGTH=1cm\n...\nC4 B3 B4 LENGTH=3cm",
            ["C2 B1 B2 LENGTH=1cm", "C3 B2 B3 LENGTH=2cm", "C4 B3 B4 LENGTH=3cm"],
        ),
        ("C1 B1 (0,0)\n...\nC3 B2 B3 LENGTH=0.5", ["C1 B1 (0,0)", "C2 B1 B2 LENGTH=0.5", "C3 B2 B3 LENGTH=0.5"]),
        ("C1 B1 Base\n...\nC3 B5 Base", ["C1 B1 Base", "C2 B3 Base", "C3 B5 Base"]),
        ("B08 (0,0) 1\n...\nB10 (1,0) 1", ["B08 (0,0) 1", "B09 (0.5,0) 1", "B10 (1,0) 1"]),
        ("B1 (0,0) 1\n...\nB2 (1,0) 1", ["B1 (0,0) 1", "B2 (1,0) 1"]),
        ("S1 B1 LINE(0,1,0)\n...\nS3 B3 0 1 1", ["S1 B1 LINE(0,1,0)", "S2 B2 LINE(0,1,0.5)", "S3 B3 LINE(0,1,1)"]),
    ],
)
def test_what_stands_between(body, expected):
    lines, diagnostics = spelled(body)
    assert lines == expected
    assert not diagnostics


def test_numbers_move_in_decimal():
    lines, _ = spelled("B1 (0.1,0) 1\n...\nB30 (3,0) 1")
    assert [line.split("(")[1].split(",")[0] for line in lines] == [
        repr(k / 10).removesuffix(".0") for k in range(1, 31)
    ]


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ("...\nB1 (0,0) 1", "E131", "no statement stands above"),
        ("B1 (0,0) 1\n...", "E131", "no statement stands below"),
        ("B1 (0,0) 1\n...\nC3 B1 (0,0)", "E131", "of two types"),
        ("B1 (0,0) 1\n...\n.tran 0 1 1E-3", "E131", "a command stands below"),
        ("B1 (0,0) 1\n...\nB3 (1,0) 1kg", "E132", "units differ"),
        ("B1 (0,0) 1\n...\nB3 (1,0) 1 IC_VEL=(0,1)", "E132", "two shapes"),
        ("Ba (0,0) 1\n...\nBb (1,0) 1", "E132", "has no index"),
        ("Ba1 (0,0) 1\n...\nBb3 (1,0) 1", "E132", "different stems"),
        ("B1 (0,0) 1\n...\nB01 (1,0) 1", "E132", "have one index"),
        ("C1 B1 B2\n...\nC4 B2 B6", "E132", "do not come out whole"),
        ("C1 B1 (0,0)\n...\nC5 B2 B1", "E132", "cannot be counted down"),
        ("C5 B1 (0,0)\n...\nC1 B2 B1", "E132", "rising order"),
    ],
)
def test_mistakes(body, code, words):
    _, diagnostics = spelled(body)
    assert diagnostics[0].code == code
    assert words in diagnostics[0].message + diagnostics[0].help


def test_a_repeated_ellipsis_is_reported():
    _, diagnostics = spelled("B1 (0,0) 1\n...\n...\nB4 (1,0) 1")
    assert [d.span.line for d in diagnostics] == [3, 4]


def test_an_ellipsis_bomb_is_refused_before_any_work():
    lines, diagnostics = spelled("B1 (0,0) 1\n...\nB999999999999 (1,0) 1")
    assert len(lines) == 2
    assert [d.code for d in diagnostics] == ["E101"]
    _, diagnostics = spelled("B1 (0,0) 1\n...\nB9 (1,0) 1\nC1 B1 (0,0)\n...\nC9 B8 B9", Limits(entities=12))
    assert "E101" in [d.code for d in diagnostics]


def test_huge_and_long_numbers_do_no_harm():
    lines, _ = spelled("B1 (1E999999999,0) 1\n...\nB3 (2E999999999,0) 1")
    assert len(lines) in (2, 3)
    lines, _diagnostics = spelled(f"B1 ({'9' * 5000},0) 1\n...\nB3 (1,0) 1")
    assert len(lines) >= 2


def test_a_generated_statement_points_at_its_ellipsis():
    report = Diagnostics()
    chainlist = parse(Source("t", "t\nB1 (0,0) 1\n...\nB3 (1,0) 1\n"), report)
    second = expand(chainlist, report, Limits(), None).statements[1]
    assert second.span.line == 3 and second.name.span.line == 3


PART = "* Parts\n.submachine P x0\nB1 (x0,0) 1\nB2 (x0,1) 1\nC1 B1 B2\n.end P\n" + "\n".join(
    f"X{i} P {i}" for i in range(1, 8)
)


def test_names_inside_instances_count():
    text = f"{PART}\nC1 X1.B1 X2.B1\n...\nC6 X6.B1 X7.B1\nC7 X1.B2 (0,3)\n...\nC13 X6.B2 X7.B2\n"
    links = {e.name: e.ends for e in chainlist.parse(text).elements}
    for i in range(1, 7):
        assert links[f"C{i}"] == (f"X{i}.B1", f"X{i + 1}.B1")
        assert links[f"C{i + 7}"] == (f"X{i}.B2", f"X{i + 1}.B2")


def test_a_factor_that_one_line_lacks_is_suggested():
    with pytest.raises(chainlist.ChainlistError) as caught:
        chainlist.parse("* t\n.param a=1\nB1 (a,0) 1\n...\nB40 (40*a,0) 1\nC1 B1 (0,0)\n...\nC40 B39 B40\n")
    (said,) = caught.value.diagnostics
    assert said.code == "E132" and "write 1*a in place of a" in said.help
