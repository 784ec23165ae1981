"""What is said to the user: one type of message, and the list in which a run collects them.

Codes are stable: `E…` stops, `W…` warns, `N…` notes. The long form of each code is a page in `explain/`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from chainlist.syntax.source import Span

SEVERITY = {"E": "error", "W": "warning", "N": "note"}


@dataclass(frozen=True)
class Related:
    """A second place that belongs to a message: where a name was first defined, which instance was being built."""

    span: Span
    label: str


@dataclass(frozen=True)
class Diagnostic:
    """One message: what is wrong (`message`), where (`span`, with a short `label` at the caret), and the cure (`help`)."""

    code: str
    message: str
    span: Span | None = None
    label: str = ""
    help: str = ""
    also: tuple[Related, ...] = ()

    @property
    def severity(self) -> str:
        return SEVERITY[self.code[0]]

    @property
    def is_error(self) -> bool:
        return self.code.startswith("E")


@dataclass
class Diagnostics:
    """All messages about one chainlist, in the order in which they were found."""

    diagnostics: list[Diagnostic] = field(default_factory=list)

    def add(
        self,
        code: str,
        message: str,
        span: Span | None = None,
        *,
        label: str = "",
        help: str = "",
        also: Iterable[Related] = (),
    ) -> None:
        """Add a message once: a card that is read twice (in two instances of a submachine) speaks once."""
        found = Diagnostic(code, message, span, label, help, tuple(also))
        if found not in self.diagnostics[-50:]:
            self.diagnostics.append(found)

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self.diagnostics if d.is_error]

    def sorted(self) -> list[Diagnostic]:
        """By place in the text; messages about the whole come last."""

        def place(d: Diagnostic) -> tuple[int, int]:
            if d.span is None:
                return (1, 0)
            outermost = d.span
            while outermost.source.included_from is not None:
                outermost = outermost.source.included_from
            return (0, outermost.start)

        return sorted(self.diagnostics, key=place)
