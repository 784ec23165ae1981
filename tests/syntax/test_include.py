"""`.include`: text in place, from the folder of the chainlist and nowhere else."""

import pytest

import chainlist
from chainlist.output.header import header_text
from chainlist.syntax import tree
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.expand import expand
from chainlist.syntax.limits import Limits
from chainlist.syntax.parser import parse
from chainlist.syntax.source import Source


def read(path, base=None, limits=None):
    report = Diagnostics()
    limits = limits or Limits()
    source = Source(str(path), path.read_text(), path)
    return expand(parse(source, report, limits), report, limits, base or path.parent), report.diagnostics


def names(expanded):
    return [s.name.text for s in expanded.statements if isinstance(s, tree.Entity)]


def test_the_text_of_the_file_stands_in_place_of_the_line(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.chain").write_text("B2 (1,0) 1\n.include b.chain\n")
    (tmp_path / "parts" / "b.chain").write_text("B3 (2,0) 1")
    main = tmp_path / "main.chain"
    main.write_text('* t\nB1 (0,0) 1\n.include "parts/a.chain" ; more\nB4 (3,0) 1\n')
    expanded, diagnostics = read(main)
    assert not diagnostics
    assert names(expanded) == ["B1", "B2", "B3", "B4"]
    assert expanded.text == "* t\nB1 (0,0) 1\nB2 (1,0) 1\nB3 (2,0) 1\nB4 (3,0) 1\n"
    inner = expanded.statements[2].span
    assert (inner.source.name, inner.line) == ("b.chain", 1)
    assert inner.source.included_from.source.name == "parts/a.chain"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (".include nowhere.chain", "there is no file"),
        (".include ../outside.chain", "outside the folder"),
        (".include /etc/passwd", "outside the folder"),
        (".include", "a file is missing"),
        (".include main.chain", "includes itself"),
        (".include folder", "there is no file"),
        (".include latin.chain", "not UTF-8"),
        (".include link.chain", "outside the folder"),
        (".include a\0b", "not the name of a file"),
    ],
)
def test_what_cannot_be_included_says_why(tmp_path, line, words):
    (tmp_path / "outside.chain").write_text("B9 (0,0) 1\n")
    home = tmp_path / "home"
    home.mkdir()
    (home / "folder").mkdir()
    (home / "latin.chain").write_bytes(b"* \xe9\n")
    (home / "link.chain").symlink_to(tmp_path / "outside.chain")
    main = home / "main.chain"
    main.write_text(f"* t\n{line}\nB1 (0,0) 1\n")
    expanded, diagnostics = read(main)
    assert names(expanded) == ["B1"]
    (found,) = diagnostics
    assert found.code == "E141" and found.span.line == 2
    assert words in found.message


def test_a_text_without_a_folder_cannot_include():
    report = Diagnostics()
    expand(parse(Source("<text>", "t\n.include a.chain\n"), report), report, Limits(), None)
    assert [d.code for d in report.diagnostics] == ["E141"]


def test_include_bombs_end_early(tmp_path):
    for i in range(40):
        (tmp_path / f"f{i}.chain").write_text(f".include f{i + 1}.chain\n" * 2)
    (tmp_path / "f40.chain").write_text("B1 (0,0) 1\n")
    main = tmp_path / "main.chain"
    main.write_text("* t\n.include f0.chain\n")
    _, diagnostics = read(main, limits=Limits(files=50))
    assert {d.code for d in diagnostics} == {"E141"}
    assert any("deep" in d.message for d in diagnostics)
    assert any("more than 50 files" in d.message for d in diagnostics)


@pytest.mark.parametrize(
    ("part", "flat"),
    [
        ("B2 (1,0) 1\n.end\n", "B2 (1,0) 1\n* .end"),
        ("B2 (1,0) 1\n  .END ; of the part\n", "B2 (1,0) 1\n  * .end"),
        ("B2 (1,0) 1\n.end\nno statement\n.include main.chain\n", "B2 (1,0) 1\n* .end"),
        ("\ufeffB2 (1,0) 1\n", "B2 (1,0) 1"),
        ("*+ a remark\n\n *+ another\nB2 (1,0) 1\n*+ IC_VEL=(0,1)\n", None),
        ("\ufeff*+ a remark\n.submachine A Ba\n.end A\nB2 (1,0) 1\n.end\n", None),
        (".include inner.chain\nB3 (3,0) 1\n.end\n", ".param L=1\n* .end\nB3 (3,0) 1\n* .end"),
    ],
    ids=["end", "end with a comment", "text behind end", "byte-order mark", "starred remarks", "all", "two deep"],
)
def test_the_flat_text_means_what_the_files_mean(tmp_path, part, flat):
    (tmp_path / "part.chain").write_text(part, encoding="utf-8")
    (tmp_path / "inner.chain").write_text(".param L=1\n.end\n")
    main = tmp_path / "main.chain"
    main.write_text("* t\nB1 (0,0) 1\n.include part.chain\nB9 (2,0) 1\n.end\n")
    expanded, found = read(main)
    assert {d.code for d in found} <= {"W102"}
    if flat is not None:
        assert expanded.text == f"* t\nB1 (0,0) 1\n{flat}\nB9 (2,0) 1\n.end\n"
    report = Diagnostics()
    again = expand(parse(Source("again", expanded.text), report), report, Limits(), None)
    assert not report.diagnostics
    assert again.statements == expanded.statements


@pytest.mark.parametrize("part", ["B2 (1,0) 1\n.end\n", "\ufeffB2 (1,0) 1\n", "*+ a remark\nB2 (1,0) 1\n"])
def test_a_run_and_its_trace_have_the_bodies_of_included_files(tmp_path, part):
    (tmp_path / "part.chain").write_text(part, encoding="utf-8")
    main = tmp_path / "main.chain"
    main.write_text(
        "* t\nB1 (0,-1) 1\n.include part.chain\nC1 B1 (0,0)\nC2 B2 (0,0)\n.tran 0 0.01 1ms\n"
        '.print TEXTTRACEFILE="out.txt" Time Q(B1) Q(B2)\n'
    )
    mechanism = chainlist.load(main)
    run = chainlist.simulate(mechanism, gravity=1)
    assert [body.name for body in run.mechanism.bodies] == ["B1", "B2"]
    assert run.mechanism.constraints == mechanism.constraints
    columns = mechanism.prints[0].columns
    trace = tmp_path / "out.txt"
    trace.write_text(header_text(mechanism, columns) + "0 Q(B1)(0,-1) Q(B2)(1,0)\n", encoding="utf-8")
    back = chainlist.read_trace(trace)
    assert [body.name for body in back.mechanism.bodies] == ["B1", "B2"]
    assert back.q[0].tolist() == [[0, -1], [1, 0]]


def test_a_text_given_as_a_path_is_told_apart():
    """It was "File name too long", with the whole text behind it."""
    with pytest.raises(ValueError, match=r"chainlist\.parse"):
        chainlist.load("A pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 1 1E-3\n")
