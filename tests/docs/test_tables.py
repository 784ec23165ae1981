"""Tables that the site makes: in the repository a sentence stands in their place, on the site only the table."""

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
def test_who_reads_the_file_sees_that_a_table_is_missing(page, tables):
    for name, following in PLACE.findall(page.read_text(encoding="utf-8")):
        assert following == tables.STAND_IN, f"put {tables.STAND_IN} below the place of the table {name}"
        assert name in tables.TABLES


def test_there_are_such_pages():
    assert DOCS / "language" / "options.md" in WITH_TABLES


def test_the_table_takes_the_place_of_both(tables, monkeypatch):
    monkeypatch.setitem(tables.TABLES, "small", lambda: tables.table(["a"], [["1"]]))
    expected = "Before\n\n| a |\n| --- |\n| 1 |\n\nAfter\n"
    assert tables.filled(f"Before\n\n<!-- table: small -->\n{tables.STAND_IN}\n\nAfter\n", "page.md") == expected
    assert tables.filled("Before\n\n<!-- table: small -->\n\nAfter\n", "page.md") == expected
