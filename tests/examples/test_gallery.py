"""The gallery as a list and as a command."""

import os

import pytest

from chainlist.examples import UnknownExample, find, gallery
from tests.command import run


def chainlist_examples(*words):
    return run("examples", *words, COLUMNS="200")


def test_each_example_says_what_it_is():
    examples = gallery()
    assert len(examples) >= 45
    assert len({example.name for example in examples}) == len(examples)
    assert sum(example.name[:2].isdigit() for example in examples) == 17
    for example in examples:
        assert example.title and not example.title.startswith("*")
        assert 20 < len(example.summary) <= 120 and "\n" not in example.summary
        assert example.text == example.path.read_text(encoding="utf-8")


def test_the_second_line_of_ours_is_the_summary():
    for example in gallery():
        if not example.name[0].isdigit():
            assert example.text.splitlines()[1] == f"* {example.summary}"
            assert max(map(len, example.text.splitlines())) <= 120


def test_find_forgives_capitals_and_the_suffix():
    assert find("watt").title == "Watt's linkage"
    assert find("Watt.chain") == find("watt")


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("peaucelier-lipkin", "peaucellier-lipkin"), ("rhombus", "13-rhombus or 14-rhombus-corrected"), ("", "lists all")],
)
def test_find_offers_what_was_meant(wrong, meant):
    with pytest.raises(UnknownExample, match=meant):
        find(wrong)


def test_the_command_lists_names_and_one_line_each():
    status, out, err = chainlist_examples()
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert [line.split()[0] for line in lines] == [example.name for example in gallery()]
    assert all(line.endswith(example.summary) for line, example in zip(lines, gallery(), strict=True))


def test_the_command_prints_one_chainlist():
    assert chainlist_examples("watt") == (0, find("watt").text, "")


def test_an_unknown_name_is_status_2():
    status, out, err = chainlist_examples("trebuchett")
    assert (status, out) == (2, "") and "did you mean trebuchet?" in err


def test_copies_one_or_all_and_never_overwrites_unasked(tmp_path):
    folder = tmp_path / "new" / "folder"
    status, out, err = chainlist_examples("watt", "--copy", folder)
    assert (status, out) == (0, "") and "watt.chain" in err
    copied = folder / "watt.chain"
    assert copied.read_text(encoding="utf-8") == find("watt").text
    copied.write_text("mine")
    status, _, err = chainlist_examples("--copy", folder)
    assert status == 1 and "--force" in err
    assert os.listdir(folder) == ["watt.chain"] and copied.read_text() == "mine"
    assert chainlist_examples("--copy", folder, "--force")[0] == 0
    assert len(os.listdir(folder)) == len(gallery())
    assert copied.read_text(encoding="utf-8") == find("watt").text


def test_a_folder_that_cannot_be_is_status_1(tmp_path):
    (tmp_path / "file").write_text("")
    status, _, err = chainlist_examples("watt", "--copy", tmp_path / "file")
    assert status == 1 and len(err.splitlines()) == 1
