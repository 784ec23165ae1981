"""The language service: what every editor asks, on one text with all that has a name."""

import time

import pytest

from chainlist.elements import REGISTRY
from chainlist.language.completion import MOST
from chainlist.language.service import CannotRename, Service, applied
from chainlist.language.vocabulary import vocabulary
from chainlist.model.analysis import known_analyses
from chainlist.model.commands import COMMANDS
from chainlist.model.observables import OBSERVABLES
from chainlist.model.options import OPTIONS

TEXT = """* A swing with a part
.param L=0.5 M=2*L
.func f(a)={a*M}
.submachine Arm BA, (x0,y0)
B1 (x0+L,y0) 1
C1 BA B1
.end Arm
B0 (0,-1) M
B2 (0,-2) 1
B3 (0,-3) 1
...
B6 (0,-6) 1
C0 (0,0) B0
C2 B0 B2
X1 Arm B0, (1,-1)
F1 B0 ({f(2)},0)
.options INTEGRATOR=RK4
.tran 0 1 1E-2
.plot Q(B0) TENSION(X1.C1) "Etotal Work"
"""


@pytest.fixture(scope="module")
def swing():
    found = Service(TEXT)
    assert not [m.diagnostic.message for m in found.messages if m.diagnostic.is_error]
    return found


def at(mark, shift=0, text=TEXT):
    """The offset of the first place of `mark`."""
    return text.index(mark) + shift


def test_hover_over_a_body_says_what_it_is_and_its_effective_values(swing):
    said = swing.hover(at("B0 (0,-1)"))
    assert said.span.text == "B0"
    assert "a point with a mass" in said.text and said.code == "B0 (0,-1) 1"


def test_hover_over_what_is_used_says_the_same(swing):
    assert swing.hover(at("C0 (0,0) B0", 10)).markdown == swing.hover(at("B0 (0,-1)")).markdown


def test_hover_over_a_parameter_gives_its_value(swing):
    assert swing.hover(at("B0 (0,-1) M", 10)).code == "M = 1"


@pytest.mark.parametrize(
    "mark, words", [("INTEGRATOR", "INTEGRATOR ="), (".tran", "start stop step"), ("Etotal", "T + U")]
)
def test_hover_over_a_word_of_the_language_gives_its_meaning(swing, mark, words):
    assert words in swing.hover(at(mark, 1)).markdown


def test_hover_over_nothing_says_nothing(swing):
    assert swing.hover(at("(0,-1)")) is None


@pytest.mark.parametrize(
    "use, definition",
    [
        ("C0 (0,0) B0>", "B0 (0,-1) M"),
        ("B0 (0,-1) M>", "M=2*L"),
        ("M=2*L>", "L=0.5"),
        ("X1 Arm>", "Arm BA"),
        ("C1 BA>", "BA, (x0"),
        ("TENSION(X1.C1>", "C1 BA B1"),
        ("TENSION(X1>", "X1 Arm"),
        ("{f>", "f(a)"),
        ("(x0+L>", "L=0.5"),
    ],
)
def test_a_definition_is_found(swing, use, definition):
    """`>` stands where the cursor is."""
    assert swing.definition(at(use[:-1], len(use) - 1)).start == at(definition)


def test_a_body_of_the_text_is_unknown_inside_a_submachine():
    found = Service("* a\n.submachine P BA\nC1 BA B9\n.end P\nB9 (0,0) 1\n")
    assert found.definition(found.document.text.index("B9")) is None


def test_the_definition_of_an_include_is_its_file(tmp_path):
    (tmp_path / "part.inc").write_text("B1 (1,0) 1\n")
    found = Service('* a\n.include "part.inc"\nC1 B1 (0,0)\n', tmp_path / "a.chain", tmp_path)
    assert found.definition(10) == tmp_path / "part.inc"


def test_a_rename_changes_every_place_and_nothing_else(swing):
    edits = swing.rename(at("B0 (0,-1)"), "Bob")
    assert applied(TEXT, edits) == TEXT.replace("B0", "Bob")


def test_a_rename_inside_a_submachine_reaches_its_uses_from_outside(swing):
    after = applied(TEXT, swing.rename(at("C1 BA B1"), "Cord"))
    assert "Cord BA B1" in after and "TENSION(X1.Cord)" in after
    assert "B1 (x0+L,y0) 1" in after


def test_a_rename_of_a_parameter_reaches_submachines(swing):
    after = applied(TEXT, swing.rename(at("L=0.5"), "Length0"))
    assert "M=2*Length0" in after and "(x0+Length0,y0)" in after


@pytest.mark.parametrize(
    "mark, name, why",
    [
        ("B0 (0,-1)", "C9", "must begin with B"),
        ("B0 (0,-1)", "B 1", "cannot be a name"),
        ("B0 (0,-1)", "B2", "would be wrong"),
        ("B3 (0", "Bx", "ellipsis"),
        ("(0,-1) M", "Bx", "no name"),
    ],
)
def test_a_rename_that_would_change_the_meaning_is_refused(swing, mark, name, why):
    with pytest.raises(CannotRename, match=why):
        swing.rename(at(mark), name)


@pytest.mark.parametrize("name", ["x", "B1", "q"])
def test_a_rename_that_another_meaning_would_catch_is_refused(name):
    """By the argument of a function, by a body, by another parameter: all of them right texts, that say something else."""
    text = "* a\n.param L=2\n.func f(x)={x*L}\n.func g(q)={q+L}\nB1 ({f(1)+g(1)},0) 1\nC1 B1 (0,0)\n"
    with pytest.raises(CannotRename, match="another meaning"):
        Service(text).rename(text.index("L=2"), name)


def labels(service, offset):
    return {c.label for c in service.complete(offset).found}


def test_completion_knows_every_command(swing):
    text = TEXT + "."
    found = labels(Service(text), len(text))
    assert found == {f".{name}" for name in (*COMMANDS, *known_analyses())}


def test_completion_knows_every_option_and_its_values():
    text = TEXT + ".options "
    assert labels(Service(text), len(text)) == {option.name for option in OPTIONS.values()}
    text += "INTEGRATOR="
    assert labels(Service(text), len(text)) == set(OPTIONS["integrator"].choices)


def test_completion_knows_items_and_names():
    text = TEXT + ".plot "
    assert {item.name for item in OBSERVABLES.values()} | {"B0", "C0"} <= labels(Service(text), len(text))


def test_completion_begins_a_line_with_letters_and_goes_on_with_names():
    assert labels(Service(TEXT + "C"), len(TEXT) + 1) == {"C"}
    text = TEXT + "\n"
    assert labels(Service(text), len(text)) == {word.name for word in vocabulary().letters} >= set(REGISTRY)
    text += "C9 "
    assert {"B0", "B2", "L", "LENGTH"} <= labels(Service(text), len(text))


def test_of_very_many_names_those_are_offered_that_fit():
    many = "* a\n" + "".join(f"B{k} ({k},0) 1\n" for k in range(500)) + "C1 "
    found = Service(many).complete(len(many))
    assert found.more and len(found.found) == MOST
    found = Service(many + "B49").complete(len(many) + 3)
    assert not found.more and {c.label for c in found.found} == {"B49", *(f"B49{k}" for k in range(10))}


@pytest.mark.parametrize("line", ["B9 " + "a" * 50_000 + " " * 50_000, "B9 " + "a." * 50_000 + "("])
def test_completion_is_quick_in_long_lines(line):
    clock = time.process_time()
    Service(TEXT + line).complete(len(TEXT + line))
    assert time.process_time() - clock < 20.0  # it takes hundredths, and took minutes


@pytest.mark.parametrize("line", ["* not ", "B9 (0,0) 1 ; see "])
def test_completion_is_silent_in_comments(line):
    assert not labels(Service(TEXT + line), len(TEXT + line))


def test_the_outline_shows_entities_commands_and_what_is_inside_submachines(swing):
    found = swing.outline()
    assert [s.name for s in found][:4] == [".param", ".func", "Arm", "B0"]
    assert [s.name for s in found[2].children] == ["B1", "C1"]
    assert {s.span.text for s in found if s.kind == "B"} == {"B0", "B2", "B3", "B6"}


def test_a_text_is_formatted_as_the_command_does():
    assert Service("* a\nB1   (1, 0)   1\nC1 B1 (0,0)\n").document.formatted() == "* a\nB1 (1,0) 1\nC1 B1 (0,0)\n"
    assert Service("* a\nB1 (1,0 1\n").document.formatted() is None


def test_only_what_can_be_run_is_offered_to_be_run(swing):
    assert [span.text for span in swing.runs()] == ["* A swing with a part"]
    assert Service("* a\nC1 B1 (0,0)\n").runs() == []


def test_messages_of_included_files_stand_at_the_include(tmp_path):
    (tmp_path / "part.inc").write_text("B1 (1,0)\n")
    found = Service('* a\n.include "part.inc"\n', tmp_path / "a.chain", tmp_path).messages
    assert {m.inside for m in found if m.diagnostic.is_error} == {"part.inc"}
    assert all(m.span.source.path == tmp_path / "a.chain" for m in found)


@pytest.mark.parametrize(
    "text", ["", "\n", "...", "* a\n.submachine\n.end", "* a\n.param\nX1", "* a\n.func f=\n.include\n"]
)
def test_no_text_breaks_the_service(text):
    found = Service(text)
    for offset in range(len(text) + 1):
        found.hover(offset), found.complete(offset), found.definition(offset), found.references(offset)
    assert found.outline() is not None and found.messages is not None
