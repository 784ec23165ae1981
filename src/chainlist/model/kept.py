"""What a dump keeps as it was written, so that `.step` and `.mc` go on varying it: parameters, functions, and the cards that need them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from chainlist.elements.base import shortest
from chainlist.model.chance import DISTRIBUTIONS
from chainlist.model.mechanism import Mechanism
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.expand import expand
from chainlist.syntax.limits import Limits
from chainlist.syntax.parser import parse
from chainlist.syntax.printer import argument
from chainlist.syntax.source import Source
from chainlist.syntax.tree import Command, Entity, Equality, Setting, Statement, Submachine

_WORD = re.compile(r"[A-Za-z_][\w.]*")
_NOT_CARDS = ("param", "func", "mc", "options", "title")


@dataclass(frozen=True)
class Kept:
    """`definitions` come first; `cards` are arguments of entities by name, `settings` those of options, `commands` whole cards."""

    definitions: tuple[str, ...] = ()
    cards: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)  # by name in lower case
    commands: dict[str, list[str]] = field(default_factory=dict)  # by keyword, all of one keyword together
    lost: str = ""  # why nothing can be kept


def kept_of(mechanism: Mechanism) -> Kept:
    """What depends on the parameters that the chainlist varies; nothing where it varies none."""
    if not any(asked.command in ("step", "mc") for asked in mechanism.analyses):
        return Kept()
    report, limits = Diagnostics(), Limits()
    text = _Text(expand(parse(Source("<dump>", mechanism.text), report, limits), report, limits, None).statements)
    return text.kept(mechanism)


class _Text:
    """The statements of a chainlist, by the names that stand in them."""

    def __init__(self, statements: Iterable[Statement]):
        self.statements = tuple(statements)
        self.defined: dict[str, tuple[str, Setting | Equality]] = {}  # parameter or function → its command
        for command, setting in self._arguments("param", "func"):
            if isinstance(setting, Setting):
                self.defined[setting.key.key] = command, setting
            elif isinstance(setting, Equality):
                self.defined[_words(argument(setting.left))[0]] = command, setting
        self.varying = self._varying()

    def _arguments(self, *keywords: str) -> Iterator[tuple[str, object]]:
        for statement in self.statements:
            if isinstance(statement, Command) and statement.keyword.key in keywords:
                yield from ((statement.keyword.key, one) for one in statement.arguments)

    def _varying(self) -> set[str]:
        """What is stepped or drawn, and all that is made of it."""
        commands = [s for s in self.statements if isinstance(s, Command)]
        found = {_words(argument(c.arguments[0]))[0] for c in commands if c.keyword.key == "step" and c.arguments}
        if any(c.keyword.key == "mc" for c in commands):
            found |= {name for name in self.defined if self._made_of(name) & DISTRIBUTIONS.keys()}
        found &= self.defined.keys()
        while more := {name for name in self.defined if self._made_of(name) & found} - found:
            found |= more
        return found

    def _made_of(self, name: str) -> set[str]:
        setting = self.defined[name][1]
        return set(_words(argument(setting.value if isinstance(setting, Setting) else setting.right)))

    def kept(self, mechanism: Mechanism) -> Kept:
        entities = [s for s in self.statements if isinstance(s, Entity)]
        inside = " ".join(one.span.text for s in self.statements if isinstance(s, Submachine) for one in s.body)
        cards = {e.name.key: e for e in entities if self._varies(_card(e)) and e.name.key[0] != "x"}
        cards |= {e.name.key: e for e in entities if set(_words(_card(e))) & cards.keys() and e.name.key[0] != "x"}
        for entity in entities:
            if entity.name.key[0] != "x":
                continue
            words = set(_words(_card(entity)))
            if self._varies(_card(entity)) or self._varies(inside) or words & cards.keys():
                return Kept(lost=f"{entity.name.text} is written out, and depends on them")
        changed = {name.lower() for name in mechanism.changes.options}
        settings = {
            one.key.key: argument(one.value)
            for _, one in self._arguments("options")
            if isinstance(one, Setting) and self._varies(argument(one.value)) and one.key.key not in changed
        }
        commands = self._commands(changed_tran=mechanism.changes.tran is not None)
        written = [*map(_card, cards.values()), *settings.values(), *(c for cs in commands.values() for c in cs)]
        return Kept(
            tuple(self._definitions(written, mechanism)),
            {name: _card(entity) for name, entity in cards.items()},
            settings,
            commands,
        )

    def _commands(self, *, changed_tran: bool) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for statement in self.statements:
            if isinstance(statement, Command) and statement.keyword.key not in _NOT_CARDS:
                text = f".{statement.keyword.text} {' '.join(map(argument, statement.arguments))}"
                found.setdefault(statement.keyword.key, []).append(text)
        return {
            key: cards
            for key, cards in found.items()
            if any(map(self._varies, cards)) and not (key == "tran" and changed_tran)
        }

    def _varies(self, text: str) -> bool:
        return not self.varying.isdisjoint(_words(text))

    def _definitions(self, written: Iterable[str], mechanism: Mechanism) -> Iterator[str]:
        """Those of what is varied and of what is named in these texts, with all that they are made of, in the order of the text."""
        wanted = {name for text in written for name in _words(text)} | self.varying
        while more := {n for name in wanted & self.defined.keys() for n in self._made_of(name)} - wanted:
            wanted |= more
        changed = {name.lower(): value for name, value in mechanism.changes.params.items()}
        for name, (command, setting) in self.defined.items():
            if name in wanted and isinstance(setting, Setting) and name in changed:
                yield f".{command} {setting.key.text}={shortest(changed[name])}"
            elif name in wanted:
                yield f".{command} {argument(setting)}"


def _card(entity: Entity) -> str:
    return " ".join(map(argument, entity.arguments))


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
