"""Cures that an editor can write: each one, of every collected mistake, makes its message go away."""

import re
from pathlib import Path

from chainlist.language.service import Service, applied

CASES = sorted((Path(__file__).parents[1] / "diagnostics").glob("*.md"))
LEAST = 40  # cures that are offered for the collected mistakes


def text_of(path):
    return re.search(r"```chain\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)[1]


def test_every_cure_cures():
    """One test for all of them: collecting them takes as long as trying them."""
    count, wrong = 0, []
    for path in CASES:
        before = Service(text_of(path), folder=path.parent)
        for message in before.messages:
            for fix in message.fixes:
                count += 1
                after = Service(applied(before.document.text, [fix]), folder=path.parent)
                said = [(m.diagnostic.code, m.diagnostic.message, m.span.start) for m in after.messages]
                if (message.diagnostic.code, message.diagnostic.message, message.span.start) in said:
                    wrong.append((path.stem, message.diagnostic.code, fix.title, fix.span.text))
    assert not wrong
    assert count >= LEAST, count
