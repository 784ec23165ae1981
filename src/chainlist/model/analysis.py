"""Analyses: what a file under `analyses/`, or a user's plug-in, registers, and the table of all of them.

An analysis is a command of the chainlist (`.op`, `.modes`, `.meas` …): `read` takes the words of its card, `run` makes a result
of what was read. Results show themselves: see `analyses/base.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from chainlist.above import ABOVE
from chainlist.model.analysis_card import AnalysisCard
from chainlist.model.asked import Asked
from chainlist.model.desk import Problem
from chainlist.model.items import ItemReader
from chainlist.syntax.tree import Command


@dataclass(frozen=True, eq=False)
class Analysis:
    """One command. `run(asked, study)` gets what `read` gave and everything known of the run (`analyses/base.py`)."""

    command: str  # without its dot
    syntax: str
    meaning: str
    read: Callable[[AnalysisCard], Any]
    run: Callable[[Any, Any], Any] | None  # None: it changes how runs are made, and has no result of its own
    once: bool = True  # a second card of it is a mistake
    repeats: bool = False  # it runs the machine many times over: not what one waits for after each key


REGISTRY: dict[str, Analysis] = {}


def register(analysis: Analysis) -> Analysis:
    if analysis.command in REGISTRY:
        raise ValueError(f"the command .{analysis.command} is taken")
    REGISTRY[analysis.command] = analysis
    return analysis


def known_analyses() -> dict[str, Analysis]:
    """All of them, the program's own too.

    These stand above the model, which must not know them. They register themselves when they are fetched, which is done only
    for who asks for a command that the model itself does not have.
    """
    ABOVE["analyses"]()
    return REGISTRY


def read_card(
    command: Command,
    analysis: Analysis,
    reader: ItemReader,
    earlier: Sequence[Asked] = (),
    commands: Sequence[Command] = (),
) -> Asked | None:
    """What a card asks for; None where something in it is wrong, which was told.

    `earlier`: the cards above it; `commands`: all of the chainlist.
    """
    card = AnalysisCard(command, analysis.command, analysis.syntax, reader, earlier, commands)
    try:
        what = analysis.read(card)
    except Problem as problem:
        card.desk.tell(problem)
        return None
    card.finish()
    return None if card.broken else Asked(analysis.command, what, tuple(card.words), command.span)
