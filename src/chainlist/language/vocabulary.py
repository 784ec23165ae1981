"""The words of the language with their meanings, from the registries: what the program gains, every editor gains."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from chainlist.elements import REGISTRY as ELEMENTS
from chainlist.formula.functions import FUNCTIONS
from chainlist.model.analysis import known_analyses
from chainlist.model.commands import COMMANDS
from chainlist.model.entities import BODY_SYNTAX, INSTANCE_SYNTAX
from chainlist.model.observables import OBSERVABLES
from chainlist.model.options import OPTIONS
from chainlist.model.units import UNITS

# How the model's own commands are written; a test holds the names against those that it reads.
_OWN = {
    "tran": ("start stop step", "integrate from 0; samples from start on"),
    "stop": ("{condition}", "end the run when this comes true"),
    "options": ("key=value …", "settings of the run"),
    "plot": ('item "item item" …', "a figure; each item a panel, quotes put several into one"),
    "print": ("TEXTTRACEFILE=path column …", "a trace; in the workbench it is offered as a download"),
    "param": ("name=value …", "parameters, usable wherever a number stands"),
    "func": ("f(a,b)={expression}", "a function for expressions"),
    "include": ('"file"', "the text of a file of this workspace"),
    "title": ("text", "replaces the title"),
    "submachine": ("NAME formal, …, (x0,y0)", "a part that can be used several times, up to .end NAME"),
    "end": ("[NAME]", "ends a submachine, or the chainlist"),
}
SETTINGS = ("IC_POS", "IC_VEL", "LENGTH", "RADIUS")


@dataclass(frozen=True)
class Word:
    """One word: how it is written and what it means."""

    name: str
    usage: str
    meaning: str


@dataclass(frozen=True)
class OptionWord:
    """One setting of .options."""

    name: str
    choices: tuple[str, ...]
    default: str
    range: str
    meaning: str


@dataclass(frozen=True)
class ItemWord:
    """One item of .plot and .print."""

    name: str
    takes: bool  # something between brackets
    usage: str
    unit: str
    meaning: str


@dataclass(frozen=True)
class Vocabulary:
    """All words."""

    commands: tuple[Word, ...]
    options: tuple[OptionWord, ...]
    observables: tuple[ItemWord, ...]
    letters: tuple[Word, ...]
    functions: tuple[Word, ...]
    units: tuple[Word, ...]

    def meaning_of(self, word: str) -> tuple[str, str] | None:
        """How a word is written, and what it means; None where it is none of the language."""
        key = word.lower()
        for entry in self.commands:
            if entry.name == key:
                return entry.usage, entry.meaning
        for option in self.options:
            if option.name.lower() == key:
                return f"{option.name} = {option.range}", f"{option.meaning}; default {option.default}"
        for item in self.observables:
            if item.name.lower() == key and len(word) > 1:
                return item.usage, item.meaning + (f", in {item.unit}" if item.unit else "")
        for function in self.functions:
            if function.name == key:
                return function.usage, function.meaning
        return None

    def letter(self, letter: str) -> Word | None:
        """The kind of element that begins with a letter."""
        return next((word for word in self.letters if word.name == letter.upper()), None)


@cache
def vocabulary() -> Vocabulary:
    """The words of the language; plug-ins that are loaded later are not among them."""
    analyses = known_analyses().values()
    return Vocabulary(
        commands=(
            *(Word(f".{name}", f".{name} {_OWN[name][0]}", _OWN[name][1]) for name in COMMANDS),
            *(Word(f".{found.command}", found.syntax, found.meaning) for found in analyses),
        ),
        options=tuple(
            OptionWord(option.name, tuple(option.choices), option.default_text, option.range, option.meaning)
            for option in OPTIONS.values()
        ),
        observables=tuple(
            ItemWord(item.name, item.takes != "nothing", item.usage, item.unit, item.meaning)
            for item in OBSERVABLES.values()
        ),
        letters=(
            Word("B", BODY_SYNTAX, "a point with a mass"),
            *(Word(kind.letter, kind.syntax, kind.meaning) for kind in ELEMENTS.values()),
            Word("X", INSTANCE_SYNTAX, "a submachine, placed"),
        ),
        functions=tuple(Word(name, found.usage, found.meaning) for name, found in FUNCTIONS.items()),
        units=tuple(Word(unit.name, unit.name, unit.meaning) for unit in UNITS.values()),
    )
