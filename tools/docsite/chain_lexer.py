"""Colours for chainlists in the pages: a lexer for Pygments."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups
from pygments.lexers import LEXERS
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, Punctuation, String, Text, Whitespace

__all__ = ["ChainLexer"]  # where Pygments looks


class ChainLexer(RegexLexer):
    """Line by line: the title, comments, commands, entities; then the words of each."""

    name = "chainlist"
    aliases: ClassVar = ["chain"]
    filenames: ClassVar = ["*.chain"]
    tokens: ClassVar = {
        "root": [
            (r"\A[^\n]*\n", Generic.Heading),
            (r"^(\s*)(\*\+|\+)", bygroups(Whitespace, Operator), "words"),
            (r"^\s*\*[^\n]*\n", Comment.Single),
            (r"^\s*(\.\.\.|…)\s*\n", Operator),
            (r"^(\s*)(\.\w+)", bygroups(Whitespace, Keyword), "words"),
            (r"^(\s*)([A-Za-z]\w*)", bygroups(Whitespace, Name.Class), "words"),
            (r"\s+", Whitespace),
            (r".", Text),
        ],
        "words": [
            (r"\n", Whitespace, "#pop"),
            (r";[^\n]*", Comment.Single),
            (r'"[^"\n]*"', String),
            (r"(\w+)(\s*)(=)", bygroups(Name.Attribute, Whitespace, Operator)),
            (r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[A-Za-z]*", Number),
            (r"[A-Za-z][\w.]*(?=\()", Name.Function),
            (r"[A-Za-z][\w.]*", Name),
            (r"[-+*/]+", Operator),
            (r"[(){},=]", Punctuation),
            (r"[^\S\n]+", Whitespace),
            (r".", Text),
        ],
    }


def register() -> None:
    """Let Pygments find the lexer by its name."""
    LEXERS["ChainLexer"] = (__name__, ChainLexer.name, ("chain",), ("*.chain",), ())
