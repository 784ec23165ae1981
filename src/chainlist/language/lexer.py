"""The lexer of Pygments, from the rules of `grammar.py`. It is registered: Sphinx, MkDocs and Jupyter find it by `chain`."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Punctuation, Text, Token, Whitespace, string_to_tokentype

from chainlist.language.grammar import COMMENT_LINE, ELLIPSIS, TITLE, Rule, beginnings, insides

__all__ = ["ChainLexer"]  # where Pygments looks


def _rule(rule: Rule, *state: str) -> tuple[Any, ...]:
    return (_everywhere(rule.pattern), string_to_tokentype(rule.pygments), *state)


def _everywhere(pattern: str) -> str:
    """Pygments has one set of flags for all its patterns: what is to ignore capitals says so in itself."""
    return f"(?i:{pattern.removeprefix('(?i)')})" if pattern.startswith("(?i)") else pattern


class ChainLexer(RegexLexer):  # type: ignore[misc]  # Pygments has no types
    """Line by line: the title, comments, ellipses, then the words of each statement."""

    name = "chainlist"
    aliases: ClassVar = ["chain", "chainlist"]
    filenames: ClassVar = ["*.chain"]
    url = ""
    flags = re.MULTILINE
    tokens: ClassVar = {
        "root": [
            _rule(TITLE),
            _rule(COMMENT_LINE),
            _rule(ELLIPSIS),
            *(_rule(rule, "words") for rule in beginnings()),
            (r"\s+", Whitespace),
            (r".", Text),
        ],
        "words": [
            (r"\n", Whitespace, "#pop"),
            *(_rule(rule) for rule in insides()),
            (r"[(){},]", Punctuation),
            (r"[^\S\n]+", Whitespace),
            (r".", Token.Text),
        ],
    }
