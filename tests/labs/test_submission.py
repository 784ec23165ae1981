"""Answers as files: written after a check, collected and checked again, and never believed when they were changed."""

import json
from pathlib import Path

import pytest
from typer.main import get_command

from chainlist.app.cli import app
from chainlist.labs.exercises import runner
from chainlist.labs.exercises.finding import Mark
from chainlist.labs.exercises.submission import BadSubmission, Submission, read

SOLUTION = next((Path(__file__).parents[2] / "labs" / "solutions").glob("*5*.py"))
WRONG = "def heun_step(f, t, y, h):\n    return y\n"


def command(*words):
    """The exit status; what is said goes to the real streams, for a check is a process of its own."""
    return get_command(app).main(["exercise", *map(str, words)], standalone_mode=False) or 0


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A right answer of Ada, and a wrong one of Bob."""
    folder = tmp_path_factory.mktemp("course")
    for name, text in (("ada", SOLUTION.read_text(encoding="utf-8")), ("bob", WRONG)):
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
        assert command(5, "--check", folder / f"{name}.py", "--submit", name) == 0
    return folder


def test_an_answer_holds_the_solution_and_what_was_found(course):
    ada, bob = read(course / "ada.5.answer.json"), read(course / "bob.5.answer.json")
    assert ada.solved and ada.solution == SOLUTION.read_text(encoding="utf-8") and ada.exercise == 5
    assert not bob.solved and bob.findings


def test_a_teacher_collects_answers_as_a_table(course, capfd):
    assert command("--collect", course) == 0
    rows = [line.split("\t") for line in capfd.readouterr().out.splitlines()]
    assert rows[0][:4] == ["name", "exercise", "points", "solved"]
    assert [(row[0], row[1], row[3]) for row in rows[1:]] == [("ada", "5", "yes"), ("bob", "5", "no")]


def test_checks_are_run_again_where_they_are_collected(tmp_path, capfd):
    """A student who writes findings by hand, with the right mark, is found out."""
    forged = Submission("mallory", 5, "0", WRONG, (Mark(True, "all is well"),))
    (tmp_path / "mallory.5.answer.json").write_text(forged.text(), encoding="utf-8")
    assert command("--collect", tmp_path) == 0 and "\tyes\t" in capfd.readouterr().out
    assert command("--collect", tmp_path, "--again") == 0 and "\tno\t" in capfd.readouterr().out


@pytest.mark.parametrize(
    "change",
    [lambda data: data | {"name": "eve"}, lambda data: data | {"findings": []}, lambda data: [data], lambda data: {}],
)
def test_a_file_that_was_changed_is_no_answer(course, tmp_path, change):
    path = tmp_path / "x.5.answer.json"
    path.write_text(json.dumps(change(json.loads((course / "bob.5.answer.json").read_text(encoding="utf-8")))))
    with pytest.raises(BadSubmission):
        read(path)
    assert command("--collect", tmp_path) == 1


@pytest.mark.parametrize("name", ["=1+1", "a\tyes\tb", "a\nb", "-a", "", "\x1b[2J"])
def test_a_name_cannot_write_into_the_table(tmp_path, capfd, name):
    forged = Submission(name, 5, "0", WRONG, (Mark(True, "all is well"),))
    (tmp_path / "x.answer.json").write_text(forged.text(), encoding="utf-8")
    assert command("--collect", tmp_path) == 1
    said = capfd.readouterr()
    assert len(said.out.splitlines()) == 1 and "its name is none" in said.err


@pytest.mark.parametrize("exercise", [float("inf"), float("nan"), "5x", 99])
def test_no_number_breaks_the_reader(tmp_path, exercise):
    (tmp_path / "x.answer.json").write_text(Submission("ada", exercise, "0", WRONG, ()).text(), encoding="utf-8")
    with pytest.raises(BadSubmission):
        read(tmp_path / "x.answer.json")


def test_nested_data_does_not_break_the_reader(tmp_path):
    (tmp_path / "x.answer.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(BadSubmission):
        read(tmp_path / "x.answer.json")


@pytest.mark.parametrize("line", ['{"ok": tr', '{"ok": true}', "[]", "7", "[" * 100_000])
def test_a_result_that_cannot_be_read_is_no_point(tmp_path, line):
    good = json.dumps({"ok": True, "text": "well"})
    (tmp_path / "result.json").write_text(f"{good}\n{line}\n", encoding="utf-8")
    assert [finding.ok for finding in runner._read(tmp_path / "result.json")] == [True, False]


@pytest.mark.parametrize(
    "words, status, said",
    [
        ((5, "--submit", "ada"), 2, "--check FILE"),
        (("--check", SOLUTION), 2, "which exercise"),
        ((5, "--check", SOLUTION, "--submit", "../ada"), 2, "cannot be part"),
        (("--collect", "/nowhere/at/all"), 1, "no such folder"),
    ],
)
def test_what_cannot_be_done_is_said(words, status, said, capfd):
    assert command(*words) == status and said in capfd.readouterr().err
