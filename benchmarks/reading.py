"""From text to a checked mechanism: cards per second, and whether the time grows in proportion to the text."""

from __future__ import annotations

from benchmarks.mechanisms import chain
from benchmarks.report import Goal, Line
from benchmarks.timing import best_seconds

TITLE = "reading and checking a chain; the ratio is the time per card relative to 100 links"


def run() -> list[Line]:
    import chainlist

    lines = []
    first = 0.0
    for links in (100, 1_000, 10_000):
        text = chain(links).text
        cards = text.count("\n") - 1
        taken = best_seconds(lambda text=text: chainlist.parse(text), 5 if links < 10_000 else 2)
        per_card = taken / cards
        first = first or per_card
        figures = {"cards": cards, "seconds": taken, "cards per second": cards / taken, **_parts(text)}
        lines.append(Line(f"{links} links", figures, per_card / first, Goal(1.5)))
    return lines


def _parts(text: str) -> dict[str, float]:
    """Seconds from text to tree, from tree to mechanism, and for the checks."""
    from chainlist.compile.checks import check
    from chainlist.compile.read import without_collecting
    from chainlist.model.build import build
    from chainlist.syntax.diagnostics import Diagnostics
    from chainlist.syntax.expand import expand
    from chainlist.syntax.limits import Limits
    from chainlist.syntax.parser import parse
    from chainlist.syntax.source import Source

    source, limits = Source("chain", text), Limits()
    tree = expand(parse(source, Diagnostics()), Diagnostics(), limits, None)
    mechanism = build(tree, Diagnostics(), limits)
    assert mechanism is not None
    with without_collecting():
        return {
            "parse": best_seconds(lambda: expand(parse(source, Diagnostics()), Diagnostics(), limits, None), 3),
            "build": best_seconds(lambda: build(tree, Diagnostics(), limits), 3),
            "check": best_seconds(lambda: check(mechanism), 3),
        }
