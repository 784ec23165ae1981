"""The faces of the program, described by themselves: its commands, and what `import chainlist` brings."""

from __future__ import annotations

import inspect
import re
from typing import Any

import click
import typer

import chainlist
from chainlist.app.cli import app


def program_commands() -> str:
    """Every command with its words, options and example, as its own help has them."""
    group: Any = typer.main.get_command(app)
    parts = []
    for name in sorted(group.commands):
        parts.append(_command(name, group.commands[name]))
    return "\n\n".join(parts)


def _command(name: str, command: Any) -> str:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    chosen = [p for p in command.params if p.param_type_name == "option" and not getattr(p, "hidden", False)]
    words = " ".join(
        ["chainlist", name, *(p.metavar or p.name.upper() for p in arguments), *(["[OPTIONS]"] if chosen else [])]
    )
    lines = [
        f"### {name} {{ #{name} }}",
        f"    {words}",
        inspect.cleandoc(command.help or "").replace("\n\n    ", "\n\n"),
    ]
    rows = [f"| {_spelled(p)} | {(p.help or '').replace('|', chr(92) + '|')} |" for p in [*arguments, *chosen]]
    if rows:
        lines.append("\n".join(["| word | meaning |", "| --- | --- |", *rows]))
    if command.epilog:
        lines.append(re.sub(r"Example: (.*)", r"Example: `\1`", command.epilog))
    return "\n\n".join(lines)


def _spelled(parameter: click.Parameter) -> str:
    if parameter.param_type_name == "argument":
        return f"`{parameter.metavar or (parameter.name or '').upper()}`"  # type: ignore[attr-defined]
    metavar = getattr(parameter, "metavar", None)
    flag = getattr(parameter, "is_flag", False)
    names = ", ".join([*parameter.opts, *parameter.secondary_opts])
    return f"`{names}`" if flag or not metavar else f"`{names} {metavar}`"


def python_face() -> str:
    """What the package exports, from its docstrings."""
    parts = []
    for name in chainlist.__all__:
        thing = getattr(chainlist, name)
        if isinstance(thing, str):
            continue
        parts.append(_class(name, thing) if inspect.isclass(thing) else _function(name, thing))
    return "\n\n".join(parts)


def _function(name: str, function: Any) -> str:
    signature = _plain(str(inspect.signature(function)))
    return f"### {name} {{ #py-{name.lower()} }}\n\n```python wrong\nchainlist.{name}{signature}\n```\n\n{_words(function)}"


def _class(name: str, kind: Any) -> str:
    rows = []
    for member, value in vars(kind).items():
        if member.startswith("_") or not (
            inspect.isfunction(value) or isinstance(value, property) or hasattr(value, "func")
        ):
            continue
        text = (inspect.getdoc(value) or inspect.getdoc(getattr(value, "func", None)) or "").split("\n\n")[0]
        if text:
            rows.append(f"| `.{member}{_call(value)}` | {' '.join(text.split())} |")
    table = "\n".join(["| member | meaning |", "| --- | --- |", *rows]) if rows else ""
    return f"### {name} {{ #py-{name.lower()} }}\n\n{_words(kind)}\n\n{table}"


def _call(member: Any) -> str:
    """How a method is called: its parameters without their types."""
    if not inspect.isfunction(member):
        return ""
    parameters = list(inspect.signature(member).parameters.values())[1:]
    return f"({', '.join(str(p.replace(annotation=p.empty)) for p in parameters)})"


def _words(thing: Any) -> str:
    """The docstring without its examples, which stand in the page itself."""
    return (inspect.getdoc(thing) or "").split("\n\n>>>")[0]


def _plain(signature: str) -> str:
    """Annotations without the folders their types live in."""
    return re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", signature.replace("'", ""))
