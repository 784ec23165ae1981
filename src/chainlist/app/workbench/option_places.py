"""Every setting of `.options`, what it may be, and where in the text it stands or can be written: the page shows them as controls."""

from __future__ import annotations

from typing import Any

from chainlist.app.workbench.handles import Offsets
from chainlist.app.workbench.new_cards import below_all_cards
from chainlist.model.options import OPTIONS
from chainlist.syntax.tree import Chainlist, Command, Setting


def option_places(tree: Chainlist, offsets: Offsets) -> list[dict[str, Any]]:
    """In the order of the registry. `at` is the place of a value; where the text has none, `write` and `before` add one."""
    cards = [s for s in tree.statements if isinstance(s, Command) and s.keyword.key.lstrip(".") == "options"]
    given = {a.key.key: a for card in cards for a in card.arguments if isinstance(a, Setting)}
    if cards and cards[-1].arguments:
        place, before = cards[-1].arguments[-1].span.stop, " "
    else:
        place, before = below_all_cards(tree), "\n.options "
    found = []
    for option in OPTIONS.values():
        setting = given.get(option.key)
        span = None if setting is None else setting.value.span
        found.append(
            {
                "name": option.name,
                "meaning": option.meaning,
                "range": option.range,
                "choices": list(option.choices),
                "default": option.default_text,
                "value": "" if span is None else span.text,
                "at": None if span is None else [offsets(span.start), offsets(span.stop)],
                "write": offsets(place),
                "before": before,
            }
        )
    return found
