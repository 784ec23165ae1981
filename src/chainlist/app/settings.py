"""`--set`, `--param` and `--example`: what several commands take beside, or in place of, a file."""

from __future__ import annotations

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
        raise typer.BadParameter(f"`{text}` is not of the form name=value", param_hint=hint)
    return name.strip(), value.strip()


def _number(text: str, hint: str, want: str | None = None, name: str = "L") -> float:
    from chainlist.model.desk import Problem
    from chainlist.model.outside import outside_number

    try:
        return outside_number(text, want, name)
    except Problem as problem:
        raise typer.BadParameter(f"{problem}; {problem.help}", param_hint=hint) from None
