"""One chainlist in an editor: its text, its tree and its messages, each made when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from chainlist.compile.read import Checked, read_tree
from chainlist.model.dump import CannotWrite, dump
from chainlist.syntax.diagnostics import Diagnostics
from chainlist.syntax.limits import Limits
from chainlist.syntax.parser import parse as parse_tree
from chainlist.syntax.printer import print_chainlist
from chainlist.syntax.source import Source, Span
from chainlist.syntax.tree import Chainlist


class Document:
    """A text as an editor has it. `folder` is where includes are looked for, and nothing else; None allows none."""

    def __init__(
        self, text: str, path: Path | None = None, folder: Path | None = None, limits: Limits | None = None
    ) -> None:
        self.source = Source("chainlist" if path is None else path.name, text, path)
        self.folder = folder
        self.limits = limits or Limits()
        self._report = Diagnostics()  # what reading the tree has said

    @property
    def text(self) -> str:
        return self.source.text

    @cached_property
    def checked(self) -> Checked:
        """The mechanism and all messages."""
        return read_tree(self.tree, self._report, self.folder, self.limits)

    @cached_property
    def tree(self) -> Chainlist:
        """What was written; statements that cannot be read keep their places."""
        return parse_tree(self.source, self._report, self.limits)

    @cached_property
    def effective(self) -> dict[str, str]:
        """By name in lower case, each card of the mechanism with everything written out; nothing where there are errors."""
        mechanism = self.checked.mechanism
        if mechanism is None:
            return {}
        try:
            lines = dump(mechanism).splitlines()
        except CannotWrite:
            return {}
        found = {}
        for line in lines[1:]:
            card, _, full_name = line.partition(" ; ")
            if not line.startswith((".", "*")):
                found[(full_name or card.split(" ", 1)[0]).lower()] = card
        return found

    def formatted(self) -> str | None:
        """The text in canonical form; None where it has mistakes that leave no form."""
        tree = self.tree
        return None if self._report.errors else print_chainlist(tree)


def in_main_text(span: Span) -> Span:
    """The span itself, or that of the `.include` that brought its file in."""
    while span.source.included_from is not None:
        span = span.source.included_from
    return span
