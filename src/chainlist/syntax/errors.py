"""The one exception that a chainlist can raise."""

from __future__ import annotations

from collections.abc import Iterable

from chainlist.syntax.diagnostics import Diagnostic
from chainlist.syntax.render import plain_text


class ChainlistError(Exception):
    """A chainlist that cannot be built. Carries every message found, warnings too; its text shows them all."""

    def __init__(self, diagnostics: Iterable[Diagnostic]):
        self.diagnostics = tuple(diagnostics)
        super().__init__(self.diagnostics)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if d.is_error)

    def __str__(self) -> str:
        return "\n" + plain_text(self.diagnostics)
