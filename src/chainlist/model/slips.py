"""Two words that were meant as one: a decimal comma (0,5), a space before a unit (2 kg)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from chainlist.model.units import UNITS
from chainlist.syntax.tree import Argument, Name, Number, Setting, Signed


def meant_as_one(before: Argument | None, word: Argument) -> str:
    """The cure where `word` belongs to the number before it, "" where it does not."""
    value = before.value if isinstance(before, Setting) else before
    number = value.operand if isinstance(value, Signed) else value
    if value is None or not isinstance(number, Number) or number.unit or value.span.source is not word.span.source:
        return ""
    between = word.span.source.text[value.span.stop : word.span.start]
    if between == "," and isinstance(word, Number) and number.text.isdigit():
        return f"the decimal sign is a point: write {value.span.text}.{word.span.text}"
    if between.isspace() and isinstance(word, Name) and word.text in UNITS:
        return f"a unit stands directly behind its number: write {value.span.text}{word.text}"
    return ""


def first_slip(words: Sequence[Argument]) -> str:
    """The cure of the first pair of words that were meant as one, "" if there is none."""
    pairs = itertools.pairwise(words)
    return next((cure for before, word in pairs if (cure := meant_as_one(before, word))), "")
