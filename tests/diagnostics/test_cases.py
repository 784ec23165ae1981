"""Wrong input, as a new user would write it: one Markdown file each, with the chainlist and what must be said about it.

A file holds prose, a block ```chain and a block ```expect with one line per message, in order of place:

    E114 2:7 between brackets a comma is required
    help: write a comma

The message must begin with the words given; a `help:` line must be contained in its help. What a case includes lies in `parts/`.
"""

import re
from pathlib import Path

import pytest

import chainlist
from chainlist.syntax.errors import ChainlistError

CASES = sorted(Path(__file__).parent.glob("*.md"))


def block(text, kind):
    return re.search(rf"```{kind}\n(.*?)```", text, re.DOTALL)[1]


def diagnostics_of(text):
    try:
        return chainlist.parse(text, name="case.chain", base=CASES[0].parent).diagnostics
    except ChainlistError as error:
        return error.diagnostics


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path):
    text = path.read_text(encoding="utf-8")
    found = list(diagnostics_of(block(text, "chain")))
    lines = block(text, "expect").strip().splitlines()
    said = [
        f"{d.code} {f'{d.span.line}:{d.span.column}' if d.span else '-'} {d.message} | help: {d.help}" for d in found
    ]
    previous = None
    for line in lines:
        if line.startswith("help: "):
            assert previous is not None and line[6:] in previous.help, said
            continue
        code, place, words = line.split(" ", 2)
        assert found, said
        previous = found.pop(0)
        where = f"{previous.span.line}:{previous.span.column}" if previous.span else "-"
        assert (previous.code, where) == (code, place), said
        assert previous.message.startswith(words), said
        assert previous.help or code.startswith("N"), said
    assert not found, said


def test_there_are_many_cases():
    assert len(CASES) >= 150
