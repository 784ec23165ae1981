"""`--set`, `--param` and `--example`: what several commands take beside, or in place of, a file."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chainlist.app.files import Input, take
from chainlist.examples import find
from chainlist.output.formats import PICTURES, STILL
from chainlist.syntax.source import Source

if TYPE_CHECKING:
    from chainlist.model.mechanism import Changes

Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A setting of .options, or tran=start,stop,step; may repeat."),
]
Parameters = Annotated[
    list[str] | None,
    typer.Option("--param", metavar="NAME=VALUE", help="A value for a .param of the chainlist; may repeat."),
]

OneFile = Annotated[
    str | None, typer.Argument(metavar="FILE", help="A chainlist; `-` is standard input.", show_default=False)
]
OneExample = Annotated[
    str | None, typer.Option("--example", metavar="NAME", help="One from the gallery, in place of FILE.")
]


def changes(settings: list[str] | None, parameters: list[str] | None) -> Changes:
    """`--set` and `--param` as changes to the text; what they mean is checked where the text is."""
    from chainlist.model.mechanism import Changes

    options: dict[str, Any] = dict(_pair(text, "--set") for text in settings or [])
    tran = next((options.pop(key) for key in list(options) if key.lower() == "tran"), None)
    if tran is not None and tran.startswith("("):
        raise typer.BadParameter(
            f"times stand without brackets: write --set tran={tran.strip('()')}", param_hint="--set"
        )
    times = None if tran is None else [_number(word, "--set", "time") for word in tran.replace(",", " ").split()]
    given = [_pair(text, "--param") for text in parameters or []]
    return Changes({name: _number(value, "--param", name=name) for name, value in given}, options, times)


def check_folder(output: Path | None) -> None:
    """`-o` names a folder: not a picture."""
    if output is not None and output.suffix.lower().removeprefix(".") in PICTURES and not output.is_dir():
        suffix = output.suffix.lower().removeprefix(".")
        help = f"write -o {output.with_suffix('')}; pictures go there"
        if suffix in STILL:
            help += f", and --format {suffix} chooses their format"
        raise typer.BadParameter(f"{output} is called like a picture, and -o names a folder: {help}", param_hint="-o")


def check_suffix(path: Path, known: tuple[str, ...]) -> None:
    """A picture is written in the format that its name ends in."""
    if path.suffix.lower().lstrip(".") not in known:
        raise typer.BadParameter(
            f"the output must end in {', '.join('.' + kind for kind in known)}", param_hint="--output"
        )


def check_one(file: str | None, example: str | None) -> None:
    """A command that takes one chainlist wants a file, or an example."""
    if (file is None) == (example is None):
        raise typer.BadParameter("give one chainlist, or --example NAME", param_hint="FILE")


def one_input(file: str | None, example: str | None) -> Input:
    """The chainlist of such a command; raises `OSError` where the file cannot be read."""
    return example_input(example) if example is not None else take(file or "")


def example_input(name: str) -> Input:
    """An example of the gallery; its files go to the folder one stands in."""
    try:
        found = find(name)
    except LookupError as error:
        raise typer.BadParameter(str(error.args[0]), param_hint="--example") from None
    return Input(f"{found.name}.chain", Path(f"{found.name}.chain"), None, Source(f"{found.name}.chain", found.text))


def _pair(text: str, hint: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        meant = re.fullmatch(r"([\w.]+)\s*(?::=?|\s)\s*(\S+)", text)
        cure = f"{meant[1]}={meant[2]}" if meant else f"{name.strip() or 'name'}=…"
        raise typer.BadParameter(f"`{text}` is not of the form name=value: write {hint} {cure}", param_hint=hint)
    if cure := _without_dot(name.strip(), value.strip(), hint):
        raise typer.BadParameter(f"`{name.strip()}` is named without the dot here: write {cure}", param_hint=hint)
    return name.strip(), value.strip()


def _without_dot(name: str, value: str, hint: str) -> str:
    """The cure of `.gravity`, `options.gravity`, `.param.L`; "" where no dot is wrong."""
    from chainlist.model.options import OPTIONS, option_called
    from chainlist.model.suggest import nearest

    *before, stem = name.lower().split(".")
    command = "".join(before)
    if not before or command not in ("", "option", "options", "param", "params"):
        return ""  # X1.m may be a parameter of an instance
    meant = "tran" if stem == "tran" else stem if stem in OPTIONS else option_called(stem) or nearest(stem, OPTIONS)
    is_setting = command.startswith("option") or (not command and hint == "--set" and meant is not None)
    if not is_setting:
        return f"--param {shlex.quote(name.rpartition('.')[2] + '=' + value)}"
    written = OPTIONS[meant].name if meant in OPTIONS else meant or stem
    return f"--set {shlex.quote(f'{written}={value}')}"


def _number(text: str, hint: str, want: str | None = None, name: str = "L") -> float:
    from chainlist.model.desk import Problem
    from chainlist.model.outside import outside_number

    try:
        return outside_number(text, want, name)
    except Problem as problem:
        raise typer.BadParameter(f"{problem}; {problem.help}", param_hint=hint) from None
