"""Every page of `chainlist explain` shows an example that is wrong in just this way, and one that is right."""

import re
from importlib import resources

import pytest

import chainlist
from chainlist.syntax.errors import ChainlistError

PAGES = sorted(
    (page for page in resources.files("chainlist.syntax").joinpath("explain").iterdir()), key=lambda page: page.name
)

NO_EXAMPLE = {
    "E103": "bytes that are no text cannot stand in a page",
    "E401": "a file that is no trace is no chainlist either",
    "E402": "what is asked of a trace does not stand in a chainlist",
    "E404": "what is installed does not depend on a chainlist",
}


def example(page, heading):
    found = re.search(rf"## {heading}\n\n```chain\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    return found[1] if found else None


def codes(text, folder):
    try:
        return {d.code for d in chainlist.parse(text, base=folder).diagnostics}
    except ChainlistError as error:
        return {d.code for d in error.diagnostics}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name.removesuffix(".md"))
def test_the_wrong_example_gives_the_code_and_the_right_one_does_not(page, tmp_path):
    code = page.name.removesuffix(".md")
    assert page.read_text(encoding="utf-8").startswith(f"# {code}: ")
    right = example(page, "Right")
    assert right is not None
    said = codes(right, tmp_path)
    assert code not in said
    assert not {c for c in said if c.startswith("E")}
    wrong = example(page, "Wrong")
    if code in NO_EXAMPLE:
        assert wrong is None
    else:
        assert code in codes(wrong, tmp_path)
