"""`{m*g}` where no parameter is called g: gravity is a setting, and the cure keeps the value that it has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from chainlist.model.desk import Desk, Problem
from chainlist.syntax.tree import Command, Expr, Name, Number, Setting

USUAL = "9.81"


def gravity_set(options: Iterable[Command], outside: Mapping[str, Any]) -> str:
    """How the value of gravity is written, the last one, or the one from outside."""
    found = USUAL
    for command in options:
        for setting in command.arguments:
            if isinstance(setting, Setting) and setting.key.key == "gravity":
                found = setting.value.span.text
    return next((str(value) for key, value in outside.items() if key.lower() == "gravity"), found)


def gravity_meant(name: Name, gravity: str) -> str:
    """What to write so that the name stands for gravity; of a vector, for a number that is to be chosen."""
    itself = re.search(rf"\b{re.escape(name.text)}\b", gravity, re.IGNORECASE) is not None
    if gravity.startswith(("(", "[")):
        return f"here it is the vector {gravity}: write .param {name.text}={USUAL}, with the number that is meant"
    return f"write .param {name.text}={USUAL if itself else gravity} and .options gravity={name.text}"


def note_gravity(name: Name, value: Expr, desk: Desk, varied: bool) -> None:
    """`.param g=10` that nothing uses: the machine falls as ever."""
    if not isinstance(value, Number) or value.unit or value.span.text == desk.gravity:
        return
    message = f"nothing uses {name.text}: gravity is an option, and here it is {desk.gravity}"
    help = f"if gravity is meant, write .options gravity={name.text if varied else value.span.text}"
    desk.tell(Problem("N208", message, name.span, label="never used", help=help))
