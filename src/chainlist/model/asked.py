"""What a card of an analysis asked for, as a mechanism keeps it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from chainlist.formula import Formula
from chainlist.syntax.source import Span

# A dump writes a card from these: texts as they are, formulas with the names of the dump, between the two texts beside them.
Word = str | tuple[str, Formula, str]


@dataclass(frozen=True)
class Asked:
    """One card of an analysis, read: `what` is what its `read` gave."""

    command: str
    what: Any
    words: tuple[Word, ...] = field(default=(), compare=False, repr=False)
    span: Span | None = field(default=None, compare=False, repr=False)
