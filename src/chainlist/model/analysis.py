"""Analyses: what a file under `analyses/`, or a user's plug-in, registers, and the table of all of them.

An analysis is a command of the chainlist (`.op`, `.modes`, `.meas` …): `read` takes the words of its card, `run` makes a result
of what was read. Results show themselves: see `analyses/base.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from chainlist.formula import Formula
from chainlist.syntax.source import Span

if TYPE_CHECKING:
    from chainlist.model.analysis_card import AnalysisCard

# A dump writes a card from these: texts as they are, formulas with the names of the dump, between the two texts beside them.
Word = str | tuple[str, Formula, str]


@dataclass(frozen=True, eq=False)
class Analysis:
    """One command. `run(asked, study)` gets what `read` gave and everything known of the run (`analyses/base.py`)."""

    command: str  # without its dot
    syntax: str
    meaning: str
    read: Callable[[AnalysisCard], Any]
    run: Callable[[Any, Any], Any] | None  # None: it changes how runs are made, and has no result of its own
    once: bool = True  # a second card of it is a mistake


@dataclass(frozen=True)
class Asked:
    """One card of an analysis, read: `what` is what its `read` gave."""

    command: str
    what: Any
    words: tuple[Word, ...] = field(default=(), compare=False, repr=False)
    span: Span | None = field(default=None, compare=False, repr=False)


REGISTRY: dict[str, Analysis] = {}
FOLDER = "chainlist.analyses"


def register(analysis: Analysis) -> Analysis:
    if analysis.command in REGISTRY:
        raise ValueError(f"the command .{analysis.command} is taken")
    REGISTRY[analysis.command] = analysis
    return analysis


def known_analyses() -> dict[str, Analysis]:
    """All of them, the program's own too.

    These stand above the model, which must not know them: they are fetched by the name of their folder, as plug-ins are by that
    of their file, and only by who asks for a command that the model itself does not have.
    """
    import_module(FOLDER)
    return REGISTRY
