"""The cards that make a curve over the range of a knob: `.step` for the knob and, where the text has none, a `.meas` to look at."""

from __future__ import annotations

import re
from typing import Any

from chainlist.app.workbench.handles import Offsets
from chainlist.app.workbench.knobs import Knob
from chainlist.app.workbench.new_cards import below_all_cards
from chainlist.model.observables import OBSERVABLES
from chainlist.syntax.tree import Chainlist, Command, Entity

VALUES = 20  # intervals over the range
_ITEM = re.compile(r"\b([A-Za-z]+)\(\w+\)")


def sweep_of(tree: Chainlist, knob: Knob, offsets: Offsets) -> dict[str, Any] | None:
    """Where to write which lines; None where the text sweeps this knob already."""
    commands = [s for s in tree.statements if isinstance(s, Command)]
    if any(_keyword(c) == "step" and knob.name.lower() in c.span.text.lower().split() for c in commands):
        return None
    by = float(f"{(knob.high - knob.low) / VALUES:.3g}")
    lines = [f".step {knob.name} {knob.low:g}{knob.unit} {knob.high:g}{knob.unit} {by:g}{knob.unit}"]
    if not any(_keyword(command) == "meas" for command in commands):
        lines.append(f".meas largest MAX {_item(tree, commands)}")
    return {"at": offsets(below_all_cards(tree)), "text": "".join(f"\n{line}" for line in lines)}


def _item(tree: Chainlist, commands: list[Command]) -> str:
    """The first number over time that a `.plot` shows; else the height of the last body."""
    for command in commands:
        if _keyword(command) == "plot":
            for found in _ITEM.finditer(command.span.text):
                known = OBSERVABLES.get(found[1].lower())
                if known is not None and not known.picture and known.components(2) == 1:
                    return found[0]
    bodies = [s.name.text for s in tree.statements if isinstance(s, Entity) and s.name.text[:1].upper() == "B"]
    return f"Y({bodies[-1]})" if bodies else "Etotal"


def _keyword(command: Command) -> str:
    return command.keyword.key.lstrip(".")
