"""Where a new card can be written into a text: below all others, and above an `.end`, behind which nothing counts."""

from __future__ import annotations

from chainlist.syntax.tree import Chainlist, Command, Remark


def below_all_cards(tree: Chainlist) -> int:
    """The end of a line: what is written there begins with a line feed."""
    text = tree.span.source.text
    cards = [statement for statement in tree.statements if not isinstance(statement, Remark) and not _is_end(statement)]
    if not cards:
        first = text.find("\n")
        return len(text) if first < 0 else first
    end = text.find("\n", cards[-1].span.stop)
    return len(text) if end < 0 else end


def _is_end(statement: object) -> bool:
    return isinstance(statement, Command) and statement.keyword.key.lstrip(".") == "end"
