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
        figures = {"cards": cards, "seconds": taken, "cards per second": cards / taken}
        lines.append(Line(f"{links} links", figures, per_card / first, Goal(1.5)))
    return lines
