"""How a chainlist is coloured, once for all editors: patterns of words, filled with the names of the registries.

From these rules come the lexer of Pygments (`lexer.py`), the grammar of TextMate and the syntax file of Vim
(`python -m chainlist.language.grammar FOLDER` writes both). A line is a title, a comment, an ellipsis, or a beginning and words.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from chainlist.formula.functions import LOGIC
from chainlist.language.vocabulary import SETTINGS, vocabulary


@dataclass(frozen=True)
class Rule:
    """What a pattern is: a class of ours, and what TextMate, Vim and Pygments call it."""

    name: str
    pattern: str
    textmate: str
    vim: str
    pygments: str


TITLE = Rule("title", r"\A.*$", "markup.heading.chain", "Title", "Generic.Heading")
COMMENT_LINE = Rule("comment", r"^\s*\*(?!\+(?![-+*=])).*$", "comment.line.chain", "Comment", "Comment.Single")
ELLIPSIS = Rule("ellipsis", r"^\s*(?:\.\.\.|…)", "keyword.operator.ellipsis.chain", "Special", "Operator")
CONTINUATION = Rule("continuation", r"^\s*\*?\+", "keyword.operator.continuation.chain", "Special", "Operator")
NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"


def _any(names: list[str]) -> str:
    """One of these words, the longest first."""
    return "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))


def beginnings() -> tuple[Rule, ...]:
    """How a statement begins."""
    words = vocabulary()
    commands = _any([word.name.removeprefix(".") for word in words.commands])
    letters = "".join(sorted({word.name.lower() for word in words.letters} | {word.name for word in words.letters}))
    return (
        CONTINUATION,
        Rule("command", rf"(?i)^\s*\.(?:{commands})\b", "keyword.control.chain", "Statement", "Keyword"),
        Rule("entity", rf"^\s*[{letters}]\w*", "entity.name.type.chain", "Type", "Name.Class"),
    )


def insides() -> tuple[Rule, ...]:
    """The words of a statement; the first that fits counts."""
    words = vocabulary()
    options = _any([option.name for option in words.options] + list(SETTINGS))
    items = _any([item.name for item in words.observables])
    functions = _any([function.name for function in words.functions])
    return (
        Rule("comment", r";.*$", "comment.line.chain", "Comment", "Comment.Single"),
        Rule("string", r'"[^"\n]*"?', "string.quoted.double.chain", "String", "Literal.String"),
        Rule("option", rf"(?i)\b(?:{options})(?=\s*=)", "support.constant.chain", "Constant", "Name.Constant"),
        Rule("key", r"\b[A-Za-z_]\w*(?=\s*=)", "variable.parameter.chain", "Identifier", "Name.Attribute"),
        Rule("logic", rf"(?i)\b(?:{_any(list(LOGIC))})\b", "keyword.operator.chain", "Operator", "Operator.Word"),
        Rule("number", rf"(?<![\w.]){NUMBER}[A-Za-z]*", "constant.numeric.chain", "Number", "Literal.Number"),
        Rule("function", rf"(?i)\b(?:{functions})(?=\()", "support.function.chain", "Function", "Name.Builtin"),
        Rule(
            "item", rf"(?i)\b(?:{items})(?=\()|\b(?:{items})\b", "support.variable.chain", "Identifier", "Name.Variable"
        ),
        Rule("call", r"\b[A-Za-z]\w*(?=\()", "entity.name.function.chain", "Function", "Name.Function"),
        Rule("name", r"\b[A-Za-z][\w.]*", "variable.other.chain", "Normal", "Name"),
        Rule("operator", r"[-+*/<>=]+", "keyword.operator.chain", "Operator", "Operator"),
    )


def textmate() -> str:
    """The grammar for editors that read TextMate's: VS Code, Sublime Text, and the sites that colour with it."""
    inside = [{"match": rule.pattern, "name": rule.textmate} for rule in insides()]
    grammar = {
        "name": "chainlist",
        "scopeName": "source.chain",
        "fileTypes": ["chain"],
        "patterns": [
            *({"match": rule.pattern, "name": rule.textmate} for rule in (TITLE, COMMENT_LINE, ELLIPSIS)),
            *(
                {
                    "begin": rule.pattern,
                    "end": "$",
                    "beginCaptures": {"0": {"name": rule.textmate}},
                    "patterns": inside,
                }
                for rule in beginnings()
            ),
        ],
    }
    return json.dumps(grammar, indent=2, ensure_ascii=False) + "\n"


def vim() -> str:
    """The syntax file of Vim. Of two matches at one place Vim takes the later one: the words stand in reverse."""
    words = vocabulary()
    lists = {
        "COMMANDS": _any([word.name.removeprefix(".") for word in words.commands]),
        "LETTERS": "".join(sorted({word.name.lower() for word in words.letters})),
        "OPTIONS": _any([option.name for option in words.options] + list(SETTINGS)),
        "ITEMS": _any([item.name for item in words.observables]),
        "FUNCTIONS": _any([function.name for function in words.functions]),
        "LOGIC": _any(list(LOGIC)),
    }
    text = _VIM
    for name, found in lists.items():
        text = text.replace(f"@{name}@", found)
    rules = {rule.name: rule.vim for rule in (TITLE, ELLIPSIS, *beginnings(), *insides())}
    links = [f"highlight default link chain{name.title()} {group}" for name, group in rules.items()]
    return text + "\n".join((*links, "", 'let b:current_syntax = "chain"', ""))


_VIM = r"""" Vim syntax file: chainlist. Written by `make editors` from the words of the program.
if exists("b:current_syntax")
  finish
endif

syntax case ignore
syntax match chainOperator "[-+*/<>=]\+" contained
syntax match chainName "\<\a[0-9A-Za-z_.]*" contained
syntax match chainCall "\<\a\w*\ze(" contained
syntax match chainItem "\v<%(@ITEMS@)>" contained
syntax match chainFunction "\v<%(@FUNCTIONS@)\ze\(" contained
syntax match chainNumber "\v%(\w|\.)@1<!%(\d+\.?\d*|\.\d+)%(e[-+]?\d+)?\a*" contained
syntax match chainLogic "\v<%(@LOGIC@)>" contained
syntax match chainKey "\v<[A-Za-z_]\w*\ze\s*\=" contained
syntax match chainOption "\v<%(@OPTIONS@)\ze\s*\=" contained
syntax match chainString +"[^"]*"\=+ contained
syntax match chainComment ";.*$" contained
syntax cluster chainWords contains=chainOperator,chainName,chainCall,chainItem,chainFunction,chainNumber
syntax cluster chainWords add=chainLogic,chainKey,chainOption,chainString,chainComment
syntax region chainStatement matchgroup=chainEntity start="\v^\s*[@LETTERS@]\w*" end="$" oneline keepend contains=@chainWords
syntax region chainStatement matchgroup=chainCommand start="\v^\s*\.%(@COMMANDS@)>" end="$" oneline keepend contains=@chainWords
syntax match chainEllipsis "\v^\s*%(\.\.\.|…)"
syntax match chainComment "^\s*\*.*$"
syntax region chainStatement matchgroup=chainContinuation start="\v^\s*%(\+|\*\+[-+*=]@!)" end="$" oneline keepend contains=@chainWords
syntax match chainTitle "\v%^.*$"

"""


def files() -> dict[str, str]:
    """What is written for editors, by its path under `editors/`."""
    return {"vscode/syntaxes/chain.tmLanguage.json": textmate(), "vim/syntax/chain.vim": vim()}


def main(folder: Path) -> None:
    for name, text in files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
