"""How each highlighter colours a text: for every character the class of its rule, in one alphabet for all of them."""

import json
import re
import subprocess
from pathlib import Path

from chainlist.language.grammar import COMMENT_LINE, ELLIPSIS, TITLE, beginnings, insides, textmate
from chainlist.language.lexer import ChainLexer

RULES = (TITLE, COMMENT_LINE, ELLIPSIS, *beginnings(), *insides())
PLAIN = "."


def _letters(names):
    return {name: chr(ord("a") + k) for k, name in enumerate(dict.fromkeys(names))}


# Rules that share a colour in one of the highlighters share a letter: what counts is what a reader sees.
LETTER = _letters(rule.textmate for rule in RULES)
BY_TEXTMATE = LETTER
BY_PYGMENTS = {rule.pygments: LETTER[rule.textmate] for rule in RULES}
BY_VIM = {f"chain{rule.name.title()}": LETTER[rule.textmate] for rule in RULES}
OPERATORS = {LETTER[rule.textmate] for rule in RULES if rule.pygments.startswith("Operator")}


def seen(text, classes):
    """Blanks have no colour, and all operators are one."""
    one = min(OPERATORS)
    return "".join(c if c.isspace() else one if k in OPERATORS else k for c, k in zip(text, classes, strict=True))


def by_pygments(text):
    out = []
    for _, token, part in ChainLexer(stripnl=False, ensurenl=False).get_tokens_unprocessed(text):
        letter = BY_PYGMENTS.get(str(token).removeprefix("Token."), PLAIN)
        out.append(letter * len(part))
    return seen(text, "".join(out))


def by_textmate(text):
    """What TextMate's rules mean for a grammar of matches and of regions that end with their line."""
    patterns = json.loads(textmate())["patterns"]
    out = []
    for number, line in enumerate(text.split("\n")):
        classes = [PLAIN] * len(line)
        _line(line, number == 0, patterns, classes)
        out.append("".join(classes))
    return seen(text, "\n".join(out))


def _line(line, is_first, patterns, classes):
    at, region = 0, None
    while at < len(line):
        rules = patterns if region is None else region["patterns"]
        found = None
        for rule in rules:
            pattern = rule.get("begin") or rule["match"]
            if pattern.startswith(r"\A") and not is_first:
                continue
            hit = re.compile(pattern).search(line, at)
            if hit and hit.end() > hit.start() and (found is None or hit.start() < found[0].start()):
                found = hit, rule
        if found is None:
            return
        hit, rule = found
        name = rule.get("name") or rule["beginCaptures"]["0"]["name"]
        classes[hit.start() : hit.end()] = BY_TEXTMATE[name] * (hit.end() - hit.start())
        at = hit.end()
        if "begin" in rule:
            region = rule


_VIM_PROGRAM = """
set encoding=utf-8 nocompatible maxmempattern=20000
for name in split($CHAIN_FILES, "\\n")
  execute "edit " . fnameescape(name)
  syntax clear
  unlet! b:current_syntax
  source SYNTAX
  syntax sync fromstart
  let out = []
  for g:at in range(1, line("$"))
    let ids = map(range(1, max([1, col([g:at, "$"]) - 1])), {_, c -> synIDattr(synID(g:at, c, 1), "name")})
    call add(out, join(ids, ","))
  endfor
  call writefile(out, name . ".colours")
endfor
quitall!
"""


def by_vim(files, syntax, folder):
    """The same for files, all in one Vim; it colours bytes."""
    program = folder / "colours.vim"
    program.write_text(_VIM_PROGRAM.replace("SYNTAX", str(syntax)), encoding="utf-8")
    surroundings = {
        "CHAIN_FILES": "\n".join(map(str, files)),
        "PATH": "/usr/bin:/bin",
        "TERM": "dumb",
        "HOME": str(folder),
    }
    command = ["vim", "-u", "NONE", "-i", "NONE", "-n", "-es", "-S", str(program)]
    subprocess.run(command, env=surroundings, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    return {path: _vim_classes(path) for path in files}


def _vim_classes(path: Path):
    text = path.read_text(encoding="utf-8")
    told = Path(f"{path}.colours").read_text(encoding="utf-8").split("\n")[:-1]
    out = []
    for line, names in zip(text.rstrip("\n").split("\n"), told, strict=True):
        letters = [BY_VIM.get(name, PLAIN) for name in names.split(",")]
        starts = [len(line[:k].encode()) for k in range(len(line))]
        out.append("".join(letters[byte] for byte in starts))
    return seen(text.rstrip("\n"), "\n".join(out))
