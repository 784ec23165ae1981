"""Who is called what, and where: definitions and uses of bodies, elements, parameters, functions and submachines.

A submachine is a scope of its own; parameters and functions of the whole text are seen inside it too. A name with dots,
`X1.B2`, is followed into the submachine that `X1` is an instance of.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from chainlist.language.document import Document
from chainlist.syntax.source import Span
from chainlist.syntax.tree import (
    Call,
    Command,
    Ellipsis,
    Entity,
    Equality,
    Name,
    Setting,
    Statement,
    Submachine,
    Text,
)


@dataclass(eq=False)
class Defined:
    """A thing with a name. `kind` is a letter of an entity, or parameter, function, submachine, formal, include."""

    name: str
    kind: str
    span: Span
    whole: Span  # its statement
    uses: list[Span] = field(default_factory=list)
    machine: str = ""  # of an instance: the submachine in lower case
    beside_ellipsis: bool = False


@dataclass(eq=False)
class Namespace:
    """The names of the text, or of one submachine."""

    names: dict[str, Defined] = field(default_factory=dict)
    outer: Namespace | None = None

    def find(self, key: str) -> Defined | None:
        """What a name means here."""
        found = self.names.get(key)
        if found is None and self.outer is not None:
            found = self.outer.names.get(key)
            if found is not None and found.kind not in ("parameter", "function", "submachine"):
                return None  # bodies of the text do not exist inside a submachine
        return found


class Index:
    """All names of a document."""

    def __init__(self, document: Document) -> None:
        self.top = Namespace()
        self.machines: dict[str, Namespace] = {}
        self.includes: list[tuple[Span, str]] = []
        self._uses: list[tuple[Span, Defined]] = []
        statements = document.tree.statements
        self._define(statements, self.top)
        self._use(statements, self.top)

    @property
    def everything(self) -> Iterator[Defined]:
        """All definitions of all scopes."""
        for scope in (self.top, *self.machines.values()):
            yield from scope.names.values()

    def at(self, offset: int) -> tuple[Span, Defined] | None:
        """The name at an offset, where it stands, and what it means."""
        for found in self.everything:
            if found.span.start <= offset <= found.span.stop:
                return found.span, found
        return next(((span, found) for span, found in self._uses if span.start <= offset <= span.stop), None)

    def _define(self, statements: tuple[Statement, ...], scope: Namespace) -> None:
        for at, statement in enumerate(statements):
            if isinstance(statement, Submachine):
                self._define_machine(statement, scope)
            elif isinstance(statement, Entity):
                neighbours = statements[max(0, at - 1) : at + 2]
                first = statement.arguments[0] if statement.arguments else None
                kind = statement.name.key[:1].upper()
                defined = Defined(statement.name.text, kind, statement.name.span, statement.span)
                defined.machine = first.key if kind == "X" and isinstance(first, Name) else ""
                defined.beside_ellipsis = any(isinstance(n, Ellipsis) for n in neighbours)
                scope.names.setdefault(statement.name.key, defined)
            elif isinstance(statement, Command):
                self._define_command(statement, scope)

    def _define_command(self, command: Command, scope: Namespace) -> None:
        keyword = command.keyword.key.lstrip(".")
        for word in command.arguments:
            if keyword == "param" and isinstance(word, Setting):
                _add(scope, word.key, "parameter", command.span)
            elif keyword == "func" and isinstance(word, Equality) and isinstance(word.left, Call):
                _add(scope, word.left.function, "function", command.span)
            elif keyword == "include" and isinstance(word, Text):
                self.includes.append((command.span, word.text))

    def _define_machine(self, machine: Submachine, scope: Namespace) -> None:
        inner = Namespace(outer=self.top)
        head = [word for word in machine.head.arguments if isinstance(word, Name)]
        if head:
            _add(scope, head[0], "submachine", machine.head.span)
            self.machines[head[0].key] = inner
        for formal in head[1:]:
            _add(inner, formal, "formal", machine.head.span)
        self._define(machine.body, inner)

    def _use(self, statements: tuple[Statement, ...], scope: Namespace) -> None:
        for statement in statements:
            if isinstance(statement, Submachine):
                names = [word for word in statement.head.arguments if isinstance(word, Name)]
                inner = self.machines.get(names[0].key, Namespace()) if names else Namespace()
                self._use(statement.body, inner)
                self._mark_all(statement.end, scope)
            elif isinstance(statement, Entity | Command):
                self._mark_all(statement, scope)

    def _mark_all(self, statement: Entity | Command, scope: Namespace) -> None:
        for word in statement.arguments:
            local = _formals(word)
            for name in names_in(word):
                if name.key not in local:
                    self._mark(name, scope)

    def _mark(self, name: Name, scope: Namespace) -> None:
        """Note a use; of `X1.B2` each part."""
        at = name.span.start
        current: Namespace | None = scope
        for part in name.text.split("."):
            found = current.find(part.lower()) if current is not None else None
            if found is None:
                return
            span = Span(name.span.source, at, at + len(part))
            if (span.start, span.stop) != (found.span.start, found.span.stop):
                found.uses.append(span)
                self._uses.append((span, found))
            current = self.machines.get(found.machine) if found.machine else None
            at += len(part) + 1


def _add(scope: Namespace, name: Name, kind: str, whole: Span) -> None:
    scope.names.setdefault(name.key, Defined(name.text, kind, name.span, whole))


def _formals(word: object) -> set[str]:
    """The arguments of a function that is being defined: they hide all other names."""
    if isinstance(word, Equality) and isinstance(word.left, Call):
        return {a.key for a in word.left.arguments if isinstance(a, Name)}
    return set()


def names_in(node: object) -> Iterator[Name]:
    """Every name of an argument but the keys of settings, from left to right."""
    if isinstance(node, Name):
        yield node
    elif isinstance(node, Setting):
        yield from names_in(node.value)
    elif isinstance(node, tuple):
        for part in node:
            yield from names_in(part)
    else:
        kind: Any = type(node)
        for part in _parts(kind):
            yield from names_in(getattr(node, part))


@cache
def _parts(kind: Any) -> tuple[str, ...]:
    """The fields of a node in which names may stand."""
    plain = {"span", "text", "unit", "signs", "operators", "operator"}
    return tuple(f.name for f in fields(kind) if f.name not in plain) if is_dataclass(kind) else ()


def included_file(document: Document, index: Index, offset: int) -> Path | None:
    """The file of the `.include` at an offset, where it is there."""
    base = document.source.path.parent if document.source.path is not None else document.folder
    for span, name in index.includes:
        if span.start <= offset <= span.stop and base is not None:
            path = base / name
            return path if path.is_file() else None
    return None
