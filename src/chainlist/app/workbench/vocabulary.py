"""The words of the language, for completion and hover texts of the editor."""

from __future__ import annotations

from typing import Any

from chainlist.model.observables import OBSERVABLES
from chainlist.model.options import OPTIONS

_COMMANDS = (
    (".tran", ".tran start stop step", "integrate from 0; samples from start on"),
    (".options", ".options key=value …", "settings of the run"),
    (".plot", '.plot item "item item" …', "a figure; each item a panel, quotes put several into one"),
    (".print", ".print TEXTTRACEFILE=path column …", "a trace; in the workbench it is offered as a download"),
    (".param", ".param name=value …", "parameters, usable wherever a number stands"),
    (".submachine", ".submachine NAME formal, …, (x0,y0)", "a part that can be used several times, up to .end NAME"),
    (".end", ".end [NAME]", "ends a submachine, or the chainlist"),
    (".include", '.include "file"', "the text of a file of this workspace"),
    (".title", ".title text", "replaces the title"),
)


def vocabulary() -> dict[str, list[dict[str, Any]]]:
    """Commands, options and observables with their meanings, as plain data."""
    return {
        "commands": [{"name": name, "usage": usage, "meaning": meaning} for name, usage, meaning in _COMMANDS],
        "options": [
            {
                "name": option.name,
                "choices": list(option.choices),
                "default": option.default_text,
                "range": option.range,
                "meaning": option.meaning,
            }
            for option in OPTIONS.values()
        ],
        "observables": [
            {
                "name": item.name,
                "takes": item.takes != "nothing",
                "usage": item.usage,
                "unit": item.unit,
                "meaning": item.meaning,
            }
            for item in OBSERVABLES.values()
        ],
    }
