"""Values on the command line that stand without their flag: `chainlist run crank.chain L=2`."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

_PAIR = re.compile(r"(\.?[A-Za-z][\w.]*)=(.+)", re.DOTALL)
_CARD = re.compile(r"[-+.\d]\S*|list", re.IGNORECASE)


def check_words(command: Any, name: str, ctx: Any, args: list[str]) -> None:
    """Complain of values among the files of a command."""
    with command.context_class(command, parent=ctx, info_name=name, resilient_parsing=True) as inner:
        given, extra, _ = command.make_parser(inner).parse_args(
            list(args)
        )  # other mistakes are told by the command itself
        if said := _stray(command, name, given, extra, args):
            inner.fail(said)


def _stray(command: Any, name: str, given: dict[str, Any], extra: list[str], args: list[str]) -> str:
    options = {flag for one in command.params if one.param_type_name == "option" for flag in one.opts}
    files = [one.name for one in command.params if one.param_type_name == "argument" and "FILE" in (one.metavar or "")]
    if not files:
        return ""
    words = list(extra)
    for file in files:
        value = given.get(file)
        words += value if isinstance(value, tuple | list) else [value or ""]
    pairs = [word for word in words if _PAIR.fullmatch(word) and not Path(word).exists()]
    if pairs:
        return _pairs(pairs, words, name, options, args)
    if "--step" in options and len(extra) > 2 and extra[0].isidentifier() and all(map(_CARD.fullmatch, extra[1:])):
        rest = [word for word in args if word not in extra]
        return f'what is stepped stands behind a flag: write chainlist {name} {shlex.join(rest)} --step "{" ".join(extra)}"'
    return ""


def _pairs(pairs: list[str], words: list[str], name: str, options: set[str], args: list[str]) -> str:
    whole: list[str] = []
    for word in args:
        whole += _flagged(word) if word in pairs else [word]
    one = f"{pairs[0]} is no file"
    if "--param" not in options:
        files = [word for word in args if word in words and word not in pairs]
        given = [part for word in pairs for part in _flagged(word)]
        return f"{one}, and {name} takes no values: they are given to a run: write chainlist run {shlex.join(files + given)}"
    kind = "a setting" if "--set" in _flagged(pairs[0]) else "a parameter"
    return f"{one}: the value of {kind} stands behind a flag: write chainlist {name} {shlex.join(whole)}"


def _flagged(word: str) -> list[str]:
    """`--param L=2`, `--set gravity=2`; a dot before the name does not belong to it."""
    from chainlist.model.options import OPTIONS

    name, _, value = word.partition("=")
    stem = name.rpartition(".")[2]
    setting = stem.lower() == "tran" or stem.lower() in OPTIONS
    return ["--set", f"{stem}={value}"] if setting else ["--param", f"{stem}={value}"]
