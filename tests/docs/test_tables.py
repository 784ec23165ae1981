"""Tables that the site makes stand in the pages of the repository too: as they are, or in short where the site is long."""

import importlib
import re

import pytest

from tests.docs.pages import DOCS, ROOT, name_of, pages

PLACE = re.compile(r"^<!-- table: ([\w-]+) -->\n(.*)$", re.MULTILINE)
WITH_TABLES = [page for page in pages() if PLACE.search(page.read_text(encoding="utf-8"))]


@pytest.fixture
def tables(monkeypatch):
    """The module as the site imports it."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return importlib.import_module("docsite.tables")


@pytest.mark.parametrize("page", WITH_TABLES, ids=name_of)
def test_who_reads_the_file_sees_the_table_of_today(page, tables):
    text = page.read_text(encoding="utf-8")
    assert tables.for_files(text) == text, "make tables"
    for name, following in PLACE.findall(text):
        assert name in tables.TABLES
        assert following.startswith(("| ", "- "))
    for target in re.findall(r"\]\(((?:\.\./)+src/[^)]+)\)", text):  # of the short ones
        assert (page.parent / target).is_file()


@pytest.mark.parametrize("page", WITH_TABLES, ids=name_of)
def test_the_site_shows_each_table_once(page, tables, monkeypatch):
    for name in tables.TABLES:
        monkeypatch.setitem(tables.TABLES, name, lambda name=name: f"THE {name}")
    filled = tables.filled(page.read_text(encoding="utf-8"), page.name) + "\n"
    assert "](../src/" not in filled and "](../../src/" not in filled  # the site has no such files
    for name, _ in PLACE.findall(page.read_text(encoding="utf-8")):
        assert f"\nTHE {name}\n\n" in filled  # nothing of the one in the file is left below


def test_there_are_such_pages():
    assert DOCS / "language" / "options.md" in WITH_TABLES


def test_the_table_takes_the_place_of_both(tables, monkeypatch):
    monkeypatch.setitem(tables.TABLES, "small", lambda: tables.table(["a"], [["1"]]))
    expected = "Before\n\n| a |\n| --- |\n| 1 |\n\nAfter\n"
    short = "| another |\n| --- |\n| 2 |"
    assert tables.filled(f"Before\n\n<!-- table: small -->\n{short}\n\nAfter\n", "page.md") == expected
    assert tables.filled("Before\n\n<!-- table: small -->\n\nAfter\n", "page.md") == expected
