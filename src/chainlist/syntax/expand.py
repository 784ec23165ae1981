"""Tree → flat statements: included files in place, ellipses spelled out, remarks dropped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from chainlist.syntax import tree
from chainlist.syntax.cards import STARRED_CONTINUATION
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.ellipsis import spell_out
from chainlist.syntax.limits import Limits
from chainlist.syntax.parser import parse
from chainlist.syntax.source import Source, Span


@dataclass(frozen=True)
class Expanded:
    """What the model is built from. `text` is one chainlist that means the same, included files in place."""

    title: tree.Text | None
    statements: tuple[tree.Entity | tree.Command | tree.Submachine | tree.Broken, ...]
    text: str
    span: Span


def expand(chainlist: tree.Chainlist, report: Diagnostics, limits: Limits, base: Path | None) -> Expanded:
    """Follow includes below the folder `base` (None: there is none to include from) and spell out ellipses."""
    work = _Expansion(report, limits, base)
    statements = tuple(work.statements(chainlist, ()))
    source = chainlist.span.source
    return Expanded(chainlist.title, statements, work.text(source), chainlist.span)


class _Expansion:
    def __init__(self, report: Diagnostics, limits: Limits, base: Path | None):
        self.report = report
        self.limits = limits
        self.base = base
        self.entities = 0
        self.files = 0
        self.characters = 0
        self.included: list[tuple[tree.Command, tree.Chainlist]] = []

    def statements(self, chainlist: tree.Chainlist, inside: tuple[Path, ...]) -> Iterator:  # type: ignore[type-arg]
        """The flat statements of one file; `inside` are the files that are being read, the outermost first."""
        for statement in spell_out(chainlist.statements, self.report, self.limits.entities - self.entities):
            if isinstance(statement, tree.Command) and statement.keyword.text == "include":
                yield from self._include(statement, inside)
            elif isinstance(statement, tree.Submachine):
                yield self._submachine(statement)
            elif not (isinstance(statement, tree.Command) and statement.keyword.text in ("end", "ends")):
                if not self._count(statement):
                    yield tree.Broken(None, statement.span, anything=True)
                    return
                yield statement

    def _submachine(self, machine: tree.Submachine) -> tree.Submachine:
        body = tuple(spell_out(machine.body, self.report, self.limits.entities - self.entities))
        self.entities += len(body)
        return tree.Submachine(machine.head, body, machine.end, machine.span)

    def _count(self, statement: tree.Statement) -> bool:
        self.entities += 1
        if self.entities == self.limits.entities + 1:
            self.report.add("E101", f"more than {self.limits.entities:,} statements", statement.span)
        return self.entities <= self.limits.entities

    def _include(self, command: tree.Command, inside: tuple[Path, ...]) -> Iterator:  # type: ignore[type-arg]
        source = self._open(command, inside)
        if source is None or source.path is None:
            yield tree.Broken(None, command.span, anything=True)
            return
        read = parse(source, self.report, self.limits, title=False)
        self.included.append((command, read))
        yield from self.statements(read, (*inside, source.path))

    def _open(self, command: tree.Command, inside: tuple[Path, ...]) -> Source | None:
        """The source of an included file, or None after saying why there is none."""
        if len(command.arguments) != 1 or not isinstance(command.arguments[0], tree.Text):
            self._complain(command.span, "a file is missing", 'write .include "parts.chain"')
            return None
        name = command.arguments[0]
        if self.base is None:
            self._complain(
                name.span, "this text has no folder to include from", "give `base`, or load the chainlist from a file"
            )
            return None
        if len(inside) >= self.limits.includes:
            self._complain(
                name.span, f"files are included more than {self.limits.includes} deep", "include fewer files in files"
            )
            return None
        self.files += 1
        if self.files > self.limits.files:
            self._complain(name.span, f"more than {self.limits.files} files are included", "include fewer files")
            return None
        path = self._path(name, inside)
        return None if path is None else self._read(name, path)

    def _path(self, name: tree.Text, inside: tuple[Path, ...]) -> Path | None:
        """Where the file is, if a chainlist may reach it."""
        assert self.base is not None
        here = name.span.source.path
        try:
            root = self.base.resolve()
            path = ((here.parent if here else root) / name.text).resolve()
        except (OSError, RuntimeError, ValueError):
            self._complain(name.span, f"`{name.text}` is not the name of a file", "check its spelling")
            return None
        if not path.is_relative_to(root):
            self._complain(
                name.span, f"`{name.text}` lies outside the folder of the chainlist", "copy it beside the chainlist"
            )
            return None
        if path in inside or (here is not None and path == here.resolve()):
            self._complain(name.span, f"`{name.text}` includes itself", "remove this line")
            return None
        return path

    def _read(self, name: tree.Text, path: Path) -> Source | None:
        try:
            if not path.is_file():
                raise FileNotFoundError
            if path.stat().st_size + self.characters > self.limits.characters:
                self._complain(
                    name.span, f"more than {self.limits.characters:,} characters in all", "include fewer files"
                )
                return None
            text = path.read_bytes().decode("utf-8")
        except FileNotFoundError:
            self._complain(
                name.span, f"there is no file `{name.text}` here", f"it was looked for in {self._place(path)}"
            )
        except UnicodeDecodeError:
            self._complain(name.span, f"`{name.text}` is not UTF-8 text", "save it as UTF-8")
        except OSError as error:
            self._complain(
                name.span, f"`{name.text}` cannot be read: {error.strerror}", "check the permissions of the file"
            )
        else:
            self.characters += len(text)
            return Source(name.text, text, path, name.span)
        return None

    def _place(self, path: Path) -> Path:
        """The folder of a file as told to the user, who may be at another machine: from the base on, not from the root."""
        assert self.base is not None
        root = self.base.resolve()
        return Path(root.name) / path.parent.relative_to(root)

    def _complain(self, at: Span, message: str, help: str) -> None:
        self.report.add("E141", f"cannot include: {message}", at, help=help)

    def text(self, source: Source) -> str:
        """The text of a source with the lines of its includes replaced by what they brought."""
        return _edited(source, self._brought(source))

    def _brought(self, source: Source) -> Iterator[Edit]:
        """The lines of the includes of a source, each with the text that stands for it."""
        for command, read in self.included:
            if command.span.source is source:
                first = source.line_starts[command.span.line - 1]
                end = source.text.find("\n", command.span.stop)
                inner = read.span.source
                text = _edited(inner, [*_out_of_place(read), *self._brought(inner)])
                yield first, len(source.text) if end < 0 else end, text.rstrip("\n")


Edit = tuple[int, int, str]  # from, to, and what is put there instead


def _edited(source: Source, edits: Iterable[Edit]) -> str:
    """The text of a source after replacements that do not overlap."""
    parts = []
    done = 0
    for start, stop, text in sorted(edits):
        parts += [source.text[done:start], text]
        done = stop
    return "".join(parts) + source.text[done:]


def _out_of_place(read: tree.Chainlist) -> Iterator[Edit]:
    """What means something else in the middle of another text than in a file of its own, and how to write it there."""
    text = read.span.source.text
    if text.startswith("\ufeff"):
        yield 0, 1, ""
    for remark in takewhile(lambda statement: isinstance(statement, tree.Remark), read.statements):
        if STARRED_CONTINUATION.match(remark.span.text):
            yield remark.span.start, remark.span.start + 1, "* "  # it would continue the statement above
    for statement in read.statements:
        if isinstance(statement, tree.Command) and statement.keyword.text == "end":
            yield statement.span.start, len(text), "* .end"  # it ends its own file only
