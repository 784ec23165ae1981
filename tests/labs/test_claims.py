"""The pages of the laboratory, held against a fresh run: figures with their tolerances or intervals, verdicts as they are."""

import dataclasses
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from chainlist.app.cli import app
from chainlist.labs.base import FAILS, HOLDS, ONLY, PARTLY, Figure, Judgement, Measured, Table
from chainlist.labs.book import overview, write_claim
from chainlist.labs.exercises import EXERCISES, exercise_text
from chainlist.labs.pages import CLAIMS, as_data, claim, disagreements, from_data, page
from tests.some import some

DOCS = Path(__file__).parents[2] / "docs"
LABS = DOCS / "labs"


def stored(number):
    return json.loads((LABS / f"claim-{number:02d}.json").read_text(encoding="utf-8"))


# Others try many combinations of methods, each of which is compiled for them alone.
FEW_METHODS = (4, 9, 10, 12)


@pytest.mark.parametrize("number", some(CLAIMS, lambda number: number in FEW_METHODS))
def test_a_fresh_run_says_what_the_page_says(number):
    assert disagreements(from_data(stored(number)), claim(number).measure()) == []


@pytest.mark.parametrize("number", CLAIMS)
def test_the_page_is_made_of_the_stored_results(number):
    data = stored(number)
    text = (LABS / f"claim-{number:02d}.md").read_text(encoding="utf-8")
    assert text == page(claim(number), data)
    assert f"the claim {data['verdict']}" in text
    assert not re.search(r"\{\w+\}|<\w+>", text)
    for drawing in data["drawings"]:
        assert drawing["files"]
        for name in drawing["files"]:
            assert 1_000 < (LABS / name).stat().st_size < 130_000


def test_there_are_twelve_claims_with_twelve_verdicts():
    results = {number: stored(number) for number in CLAIMS}
    assert len(results) == 12
    assert {data["verdict"] for data in results.values()} <= {HOLDS, ONLY, PARTLY, FAILS}
    assert (LABS / "index.md").read_text(encoding="utf-8") == overview(results)


@pytest.mark.parametrize("number", CLAIMS)
def test_what_holds_only_with_some_settings_names_them(number):
    for part in stored(number)["parts"]:
        assert bool(part.get("under")) is (part["verdict"] == ONLY), part["statement"]


@pytest.mark.parametrize("number", EXERCISES)
def test_the_documentation_has_the_exercises_as_they_are(number):
    assert (DOCS / "exercises" / f"{number}.md").read_text(encoding="utf-8") == exercise_text(number)


@pytest.fixture
def small():
    return Measured(
        {"a": Figure(1.0, "m"), "b": Figure(2.0, within=(1.0, 3.0)), "c": Figure(None)},
        (Table("One", ("x", "y"), (("left", Figure(5.0)),)),),
        (Judgement("It moves.", HOLDS, "By {a}."),),
    )


def test_results_survive_storing(small):
    assert from_data(json.loads(json.dumps(as_data(small)))) == small


@pytest.mark.parametrize(
    ("name", "figure", "agrees"),
    [
        ("a", Figure(1.0005), True),
        ("a", Figure(1.01), False),
        ("b", Figure(1.1), True),
        ("b", Figure(3.5), False),
        ("c", Figure(0.0), False),
        ("a", Figure(None), False),
    ],
)
def test_a_figure_that_changed_is_found(small, name, figure, agrees):
    other = dataclasses.replace(small, figures={**small.figures, name: figure})
    assert (disagreements(small, other) == []) is agrees


def test_a_verdict_or_a_cell_that_changed_is_found(small):
    other = dataclasses.replace(small, parts=(Judgement("It moves.", FAILS, ""),))
    assert "verdicts" in disagreements(small, other)[0]
    table = dataclasses.replace(small.tables[0], rows=(("left", Figure(6.0)),))
    assert "line 1, y" in disagreements(small, dataclasses.replace(small, tables=(table,)))[0]


def test_the_command_lists_and_runs_claims(tmp_path):
    listed = CliRunner().invoke(app, ["claim"])
    assert listed.exit_code == 0
    assert len(listed.stdout.splitlines()) == 12
    run = CliRunner().invoke(app, ["claim", "10", "-o", str(tmp_path)])
    assert run.exit_code == 0, run.output
    assert "**Verdict: the claim holds.**" in run.stdout
    assert "<!--" not in run.stdout
    assert (tmp_path / "claim-10.md").exists() and (tmp_path / "claim-10-angles.svg").exists()
    assert CliRunner().invoke(app, ["claim", "13"]).exit_code == 2


def test_writing_a_claim_twice_gives_the_same_page(tmp_path):
    subject = claim(10)
    first = write_claim(subject, subject.measure(), tmp_path / "a").read_text(encoding="utf-8")
    assert first == write_claim(subject, subject.measure(), tmp_path / "b").read_text(encoding="utf-8")
